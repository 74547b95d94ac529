//! Kernels that show whether a device computes the host's bits: what `isobar devices --check` runs.

use crate::kernel::WARP;
use crate::{Column, Field, FieldMut, Kernel, Lanes, Real, Status, Team};

/// Evaluates every elementary function of [`Real`] on each item's pair of numbers.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct ElementaryFunctions<'a, R> {
    /// The first argument of each item.
    pub x: Column<'a, R>,
    /// The second argument, for the functions of two.
    pub y: Column<'a, R>,
    /// `results[function][item]`, the functions in the order of [`FUNCTIONS`].
    pub results: FieldMut<'a, R>,
}

/// The functions that [`ElementaryFunctions`] evaluates, in the order of its results.
pub const FUNCTIONS: [&str; 18] = [
    "x / y", "sqrt", "cbrt", "exp", "exp_m1", "ln", "ln_1p", "powf", "powi", "sin", "cos", "tan", "asin", "acos",
    "atan", "atan2", "tanh", "to_i32",
];

// SAFETY: an item writes its own column of the results and reads the arguments only.
unsafe impl<R: Real> Kernel for ElementaryFunctions<'_, R> {
    const NAME: &'static str = "elementary_functions";
    const PRECISION: &'static str = R::NAME;
    const TEAM: Team = Team::Lane;
    const VECTOR_BITS: u32 = 256;

    fn items(&self) -> usize {
        self.x.len()
    }

    #[inline(always)]
    unsafe fn item<const W: usize>(&self, index: usize, _lanes: Lanes<W>) -> Status {
        let x = self.x.at(index);
        let y = self.y.at(index);
        let results = [
            x / y,
            x.sqrt(),
            x.cbrt(),
            x.exp(),
            x.exp_m1(),
            x.ln(),
            x.ln_1p(),
            x.powf(y),
            x.powi(y.to_i32() % 8),
            x.sin(),
            x.cos(),
            x.tan(),
            x.asin(),
            x.acos(),
            x.atan(),
            x.atan2(y),
            x.tanh(),
            R::from_f64(f64::from(x.to_i32())),
        ];
        for (function, result) in results.into_iter().enumerate() {
            self.results.set(function, index, result);
        }
        if x.is_finite() && y.is_finite() { Status::OK } else { Status::NOT_FINITE }
    }
}

/// Sums the [`WARP`] numbers of each item with [`Lanes::sum`]: one number a lane.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct TeamSum<'a, R> {
    /// `values[lane][item]`.
    pub values: Field<'a, R>,
    /// `sums[0][item]`.
    pub sums: FieldMut<'a, R>,
}

// SAFETY: an item writes its own sum, from one lane, and reads the values only.
unsafe impl<R: Real> Kernel for TeamSum<'_, R> {
    const NAME: &'static str = "team_sum";
    const PRECISION: &'static str = R::NAME;
    const TEAM: Team = Team::Warp;
    const VECTOR_BITS: u32 = 256;

    fn items(&self) -> usize {
        self.values.items()
    }

    #[inline(always)]
    unsafe fn item<const W: usize>(&self, index: usize, lanes: Lanes<W>) -> Status {
        debug_assert!(lanes.first() + W <= WARP);
        let mut status = Status::OK;
        let mut mine = [R::ZERO; W];
        for (lane, value) in mine.iter_mut().enumerate() {
            *value = self.values.at(lanes.first() + lane, index);
            if !value.is_finite() {
                status = Status::NOT_FINITE;
            }
        }
        let sum = lanes.sum(mine);
        if lanes.first() == 0 {
            self.sums.set(0, index, sum);
        }
        status
    }
}

/// Copies each item's value: how fast a device's memory is at best.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct CopyValues<'a, R> {
    /// The values to read.
    pub from: Column<'a, R>,
    /// Where they go, `(0, item)`.
    pub to: FieldMut<'a, R>,
}

// SAFETY: an item writes its own value.
unsafe impl<R: Real> Kernel for CopyValues<'_, R> {
    const NAME: &'static str = "copy_values";
    const PRECISION: &'static str = R::NAME;
    const TEAM: Team = Team::Lane;
    const VECTOR_BITS: u32 = 256;

    fn items(&self) -> usize {
        self.from.len()
    }

    #[inline(always)]
    unsafe fn item<const W: usize>(&self, index: usize, _: Lanes<W>) -> Status {
        self.to.set(0, index, self.from.at(index));
        Status::OK
    }
}

/// Counts, for pseudo-random plain numbers, where [`crate::FastMath::plain_quotient`] and
/// [`crate::FastMath::plain_sqrt`] differ from the division and [`Real::sqrt`].
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct PlainNumbers<'a, R> {
    /// The pairs of numbers of each item.
    pub pairs: u32,
    /// Half of them are within `2^-exponents` and `2^exponents`, the others within 1/2 and 2.
    pub exponents: u32,
    /// Differing quotients and square roots, `(0, item)`: nothing else is the result.
    pub differences: FieldMut<'a, u32>,
    /// The precision.
    pub precision: core::marker::PhantomData<R>,
}

impl<R: Real> PlainNumbers<'_, R> {
    /// A positive number made of 64 random bits.
    #[inline(always)]
    fn number(&self, bits: u64) -> R {
        let range = if bits & 1 == 0 { 1 } else { u64::from(self.exponents) };
        let exponent = 1023 - range + (bits >> 1 & 0x3ff) % (2 * range);
        R::from_f64(f64::from_bits(exponent << 52 | bits >> 12))
    }
}

// SAFETY: an item writes its own count.
unsafe impl<R: Real> Kernel for PlainNumbers<'_, R> {
    const NAME: &'static str = "plain_numbers";
    const PRECISION: &'static str = R::NAME;
    const TEAM: Team = Team::Lane;
    const VECTOR_BITS: u32 = 256;

    fn items(&self) -> usize {
        self.differences.items()
    }

    #[inline(always)]
    unsafe fn item<const W: usize>(&self, index: usize, _: Lanes<W>) -> Status {
        // Steele et al. 2014 (doi:10.1145/2660193.2660195): a counter whose bits are mixed.
        let mut counter = (index as u64).wrapping_mul(0x2545_f491_4f6c_dd1d);
        let mut next = || {
            counter = counter.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mixed = (counter ^ counter >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
            mixed ^ mixed >> 31
        };
        let mut differences = 0;
        for _ in 0..self.pairs {
            let (x, y) = (self.number(next()), self.number(next()));
            differences += u32::from(x.plain_quotient(y) != x / y);
            differences += u32::from(x.plain_sqrt() != x.sqrt());
        }
        self.differences.set(0, index, differences);
        Status::OK
    }
}
