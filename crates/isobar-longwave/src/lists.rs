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
    /// Weights of a term's two neighbouring rows, `[term][layer]`; see `apart`.
    pub(crate) weights: *mut [Weights<R>; CHUNK],
    /// Are the first weights of a term's layers before all second ones, as vectors of layers are written, instead of two by two? (Known when a kernel is compiled.)
    pub(crate) apart: bool,
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
        unsafe {
            let row = (*self.rows.add(term))[slot] as usize;
            if self.apart {
                let [first, second] = self.halves(term);
                return (row, Weights { first: (*first)[slot], second: (*second)[slot] });
            }
            (row, (*self.weights.add(term))[slot])
        }
    }

    /// The first and the second weights of a term's layers.
    #[inline(always)]
    fn halves(&self, term: usize) -> [*mut [R; CHUNK]; 2] {
        let first = self.weights.wrapping_add(term).cast::<[R; CHUNK]>();
        [first, first.wrapping_add(1)]
    }

    /// Writes a term of a layer, with weights two by two.
    ///
    /// # Safety
    /// The list is this thread's, and has room for it.
    #[inline(always)]
    pub(crate) unsafe fn put(&self, (term, slot): (usize, usize), row: u32, weights: Weights<R>) {
        debug_assert!(!self.apart);
        // SAFETY: the caller's.
        unsafe {
            (*self.rows.add(term))[slot] = row;
            (*self.weights.add(term))[slot] = weights;
        }
    }

    /// Writes a term of all layers at once, with weights apart.
    ///
    /// # Safety
    /// The list is this thread's, and has room for it.
    #[inline(always)]
    pub(crate) unsafe fn put_all(&self, term: usize, rows: &[u32; CHUNK], weights: [&[R; CHUNK]; 2]) {
        debug_assert!(self.apart);
        // SAFETY: the caller's.
        unsafe {
            self.rows.add(term).write(*rows);
            let [first, second] = self.halves(term);
            first.write(*weights[0]);
            second.write(*weights[1]);
        }
    }

    /// Multiplies the weights of a term, which are apart.
    ///
    /// # Safety
    /// It was written, and the list is this thread's.
    #[inline(always)]
    pub(crate) unsafe fn multiply_all(&self, term: usize, factors: &[R; CHUNK])
    where
        R: core::ops::MulAssign,
    {
        for place in self.halves(term) {
            // SAFETY: the caller's.
            let weights = unsafe { &mut *place };
            for lane in 0..CHUNK {
                weights[lane] *= factors[lane];
            }
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
