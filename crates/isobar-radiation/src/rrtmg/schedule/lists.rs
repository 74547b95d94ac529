//! Lists of terms of eight layers in memory: in a block's scratch, or in that of a device.

use crate::rrtmg::sizes::CHUNK;

/// The weights of two neighbouring rows: aligned so that a GPU reads both at once.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(8))]
pub(crate) struct Weights<R> {
    pub(crate) first: R,
    pub(crate) second: R,
}

/// Lists of eight layers. A band's begins at [`crate::rrtmg::tables::RegionRow::first_term`]; its first term is that of
/// the Planck fractions.
///
/// Callers' terms, bands and layers are those that the lists have memory for; they read what was written, and write
/// what no other thread reads or writes meanwhile.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lists<R> {
    /// Weights of a term's two neighbouring rows, `[term][layer]`. A GPU reads a layer's two at once; on a CPU the
    /// first ones of all layers come before the second ones, for both are vectors there when they are written.
    weights: *mut [Weights<R>; CHUNK],
    /// The first row's offset among the coefficients, `[term][layer]`.
    rows: *mut [u32; CHUNK],
    /// The terms that absorb, `[band][layer]`.
    lengths: *mut [u32; CHUNK],
}

impl<R: Copy> Lists<R> {
    /// Lists at these addresses.
    ///
    /// # Safety
    /// There is memory for all terms of all bands.
    #[inline(always)]
    pub(crate) unsafe fn new(weights: *mut Weights<R>, rows: *mut u32, lengths: *mut u32) -> Self {
        Self { weights: weights.cast(), rows: rows.cast(), lengths: lengths.cast() }
    }

    /// A term of a layer: its row and its weights.
    #[inline(always)]
    pub(crate) fn term(&self, term: usize, slot: usize) -> (usize, [R; 2]) {
        // SAFETY: the contract of the type.
        unsafe {
            let row = (*self.rows.add(term))[slot] as usize;
            if cfg!(target_arch = "nvptx64") {
                let Weights { first, second } = (*self.weights.add(term))[slot];
                (row, [first, second])
            } else {
                let [first, second] = self.halves(term);
                (row, [(*first)[slot], (*second)[slot]])
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
    #[inline(always)]
    fn put_weights(&self, (term, slot): (usize, usize), [first, second]: [R; 2]) {
        // SAFETY: the contract of the type.
        unsafe {
            if cfg!(target_arch = "nvptx64") {
                (*self.weights.add(term))[slot] = Weights { first, second };
            } else {
                let halves = self.halves(term);
                (*halves[0])[slot] = first;
                (*halves[1])[slot] = second;
            }
        }
    }

    /// Writes a term of a layer.
    #[inline(always)]
    pub(crate) fn put(&self, (term, slot): (usize, usize), row: u32, weights: [R; 2]) {
        // SAFETY: the contract of the type.
        unsafe { (*self.rows.add(term))[slot] = row };
        self.put_weights((term, slot), weights);
    }

    /// Writes a term of all layers of a chunk at once, on a CPU.
    #[inline(always)]
    fn put_all<const L: usize>(&self, term: usize, rows: &[u32; L], [first, second]: [&[R; L]; 2]) {
        const { assert!(L <= CHUNK) };
        // SAFETY: the contract of the type; there are no more layers than the chunk has.
        unsafe {
            self.rows.add(term).cast::<[u32; L]>().write(*rows);
            let halves = self.halves(term);
            halves[0].cast::<[R; L]>().write(*first);
            halves[1].cast::<[R; L]>().write(*second);
        }
    }

    /// Multiplies the weights of a term of all layers at once, on a CPU.
    #[inline(always)]
    fn multiply_all<const L: usize>(&self, term: usize, factors: &[R; L])
    where
        R: core::ops::MulAssign,
    {
        const { assert!(L <= CHUNK) };
        for half in self.halves(term) {
            for lane in 0..L {
                // SAFETY: the contract of the type.
                unsafe { (*half)[lane] *= factors[lane] };
            }
        }
    }

    /// The number of terms that absorb in a band and layer.
    #[inline(always)]
    pub(crate) fn length(&self, band: usize, slot: usize) -> u32 {
        // SAFETY: the contract of the type.
        unsafe { (*self.lengths.add(band))[slot] }
    }

    /// Writes that number.
    #[inline(always)]
    pub(crate) fn put_length(&self, band: usize, slot: usize, length: u32) {
        // SAFETY: the contract of the type.
        unsafe { (*self.lengths.add(band))[slot] = length };
    }

    /// Writes a term of `L` layers from `slot` on.
    #[inline(always)]
    pub(crate) fn put_layers<const L: usize>(
        &self,
        (term, slot): (usize, usize),
        rows: &[u32; L],
        [first, second]: [&[R; L]; 2],
    ) {
        if L == CHUNK {
            // All layers of the chunk: the compiler sees no first lane here, and would go through them one by one.
            debug_assert_eq!(slot, 0);
            self.put_all(term, rows, [first, second]);
        } else {
            for lane in 0..L {
                self.put((term, slot + lane), rows[lane], [first[lane], second[lane]]);
            }
        }
    }

    /// Multiplies the weights of a term of `L` layers from `slot` on.
    #[inline(always)]
    pub(crate) fn multiply_layers<const L: usize>(&self, (term, slot): (usize, usize), factors: &[R; L])
    where
        R: core::ops::Mul<Output = R> + core::ops::MulAssign,
    {
        if L == CHUNK {
            self.multiply_all(term, factors);
            return;
        }
        for lane in 0..L {
            let (_, [first, second]) = self.term(term, slot + lane);
            self.put_weights((term, slot + lane), [first * factors[lane], second * factors[lane]]);
        }
    }
}
