//! Where the lists of terms of eight layers lie: in a block's scratch, or in the memory of a device.

use crate::scratch::CHUNK;

/// The weights of two neighbouring rows: aligned so that a GPU reads both at once.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(8))]
pub(crate) struct Weights<R> {
    pub(crate) first: R,
    pub(crate) second: R,
}

/// Lists of eight layers. A band's begins at [`crate::tables::RegionRow::first_term`]; its first term is that of the
/// Planck fractions.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lists<R> {
    /// Weights of a term's two neighbouring rows, `[term][layer]`. A GPU reads a layer's two at once; on a CPU the
    /// first ones of all layers come before the second ones, for both are vectors there when they are written.
    pub(crate) weights: *mut [Weights<R>; CHUNK],
    /// The first row's place among the coefficients, `[term][layer]`.
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
            if cfg!(target_arch = "nvptx64") {
                (row, (*self.weights.add(term))[slot])
            } else {
                let [first, second] = self.halves(term);
                (row, Weights { first: (*first)[slot], second: (*second)[slot] })
            }
        }
    }

    /// On a CPU, the first and the second weights of a term's layers.
    #[inline(always)]
    fn halves(&self, term: usize) -> [*mut [R; CHUNK]; 2] {
        let first = self.weights.wrapping_add(term).cast::<[R; CHUNK]>();
        [first, first.wrapping_add(1)]
    }

    /// Writes the weights of a term of a layer.
    ///
    /// # Safety
    /// The list is this thread's, and has room for it.
    #[inline(always)]
    pub(crate) unsafe fn put_weights(&self, (term, slot): (usize, usize), weights: Weights<R>) {
        // SAFETY: the caller's.
        unsafe {
            if cfg!(target_arch = "nvptx64") {
                (*self.weights.add(term))[slot] = weights;
            } else {
                let [first, second] = self.halves(term);
                (*first)[slot] = weights.first;
                (*second)[slot] = weights.second;
            }
        }
    }

    /// Writes a term of a layer.
    ///
    /// # Safety
    /// As [`Lists::put_weights`].
    #[inline(always)]
    pub(crate) unsafe fn put(&self, (term, slot): (usize, usize), row: u32, weights: Weights<R>) {
        // SAFETY: the caller's.
        unsafe {
            (*self.rows.add(term))[slot] = row;
            self.put_weights((term, slot), weights);
        }
    }

    /// Writes a term of all layers at once, on a CPU.
    ///
    /// # Safety
    /// As [`Lists::put_weights`].
    #[inline(always)]
    pub(crate) unsafe fn put_all(&self, term: usize, rows: &[u32; CHUNK], first: &[R; CHUNK], second: &[R; CHUNK]) {
        // SAFETY: the caller's.
        unsafe {
            self.rows.add(term).write(*rows);
            let halves = self.halves(term);
            halves[0].write(*first);
            halves[1].write(*second);
        }
    }

    /// Multiplies the weights of a term, on a CPU.
    ///
    /// # Safety
    /// It was written, and the list is this thread's.
    #[inline(always)]
    pub(crate) unsafe fn multiply_all(&self, term: usize, factors: &[R; CHUNK])
    where
        R: core::ops::MulAssign,
    {
        for half in self.halves(term) {
            for lane in 0..CHUNK {
                // SAFETY: the caller's.
                unsafe { (*half)[lane] *= factors[lane] };
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
