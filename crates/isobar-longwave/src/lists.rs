//! Where the lists of terms of eight layers lie: in a block's scratch, or in the memory of a device.

use crate::scratch::CHUNK;

/// The weights of two neighbouring rows, which a GPU reads at once.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(8))]
pub(crate) struct Weights<R> {
    pub(crate) first: R,
    pub(crate) second: R,
}

/// Lists of eight layers. A band's begins at [`crate::tables::RegionRow::first_term`]; its first term is that of the Planck fractions.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lists<R> {
    /// Weights of a term's two neighbouring rows, `[term][layer]`.
    pub(crate) weights: *mut [Weights<R>; CHUNK],
    /// The first row's place among the coefficients, likewise.
    pub(crate) rows: *mut [u32; CHUNK],
    /// The terms that absorb, `[band][layer]`.
    pub(crate) lengths: *mut [u32; CHUNK],
}

impl<R: Copy> Lists<R> {
    /// A term of a layer: its row and its weights.
    ///
    /// # Safety
    /// It was written.
    #[inline(always)]
    pub(crate) unsafe fn term(&self, term: usize, slot: usize) -> (usize, Weights<R>) {
        // SAFETY: the caller's.
        unsafe { ((*self.rows.add(term))[slot] as usize, (*self.weights.add(term))[slot]) }
    }

    /// Writes a term of a layer.
    ///
    /// # Safety
    /// The list is this thread's, and has room for it.
    #[inline(always)]
    pub(crate) unsafe fn put(&self, (term, slot): (usize, usize), row: u32, weights: Weights<R>) {
        // SAFETY: the caller's.
        unsafe {
            (*self.rows.add(term))[slot] = row;
            (*self.weights.add(term))[slot] = weights;
        }
    }

    /// Writes a term of all layers at once.
    ///
    /// # Safety
    /// The list is this thread's, and has room for it.
    #[inline(always)]
    pub(crate) unsafe fn put_all(&self, term: usize, rows: &[u32; CHUNK], weights: &[Weights<R>; CHUNK]) {
        // SAFETY: the caller's.
        unsafe {
            self.rows.add(term).write(*rows);
            self.weights.add(term).write(*weights);
        }
    }

    /// The number of terms that absorb in a band and layer.
    ///
    /// # Safety
    /// The list was written.
    #[inline(always)]
    pub(crate) unsafe fn length(&self, band: usize, slot: usize) -> u32 {
        // SAFETY: the caller's.
        unsafe { (*self.lengths.add(band))[slot] }
    }
}
