//! Numbers that begin with a cache line.

use core::ops::Deref;

use isobar_core::Real;

/// Numbers of a line, or of two.
const AT_ONCE: usize = 16;

/// Numbers that begin with a cache line, so that a vector of neighbours whose place is a multiple of its length lies in
/// one line.
#[derive(Clone, Debug)]
pub struct Aligned<R> {
    lines: Vec<Lines<R>>,
    count: usize,
}

#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
struct Lines<R>([R; AT_ONCE]);

impl<R: Real> Aligned<R> {
    /// Numbers rounded to a precision.
    #[must_use]
    pub fn rounded(values: &[f64]) -> Self {
        let lines = values.chunks(AT_ONCE).map(|some| {
            let mut line = [R::ZERO; AT_ONCE];
            for (to, &from) in line.iter_mut().zip(some) {
                *to = R::from_f64(from);
            }
            Lines(line)
        });
        Self { lines: lines.collect(), count: values.len() }
    }
}

impl<R> Deref for Aligned<R> {
    type Target = [R];

    fn deref(&self) -> &[R] {
        const { assert!(size_of::<Lines<R>>() == AT_ONCE * size_of::<R>(), "nothing lies between lines") };
        // SAFETY: the lines hold this number of values, one after the other.
        unsafe { core::slice::from_raw_parts(self.lines.as_ptr().cast(), self.count) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check<R: Real>() {
        for count in [0, 1, 16, 37] {
            let values: Vec<f64> = (0..count).map(f64::from).collect();
            let aligned = Aligned::<R>::rounded(&values);
            assert_eq!(aligned.iter().map(|x| x.value()).collect::<Vec<_>>(), values);
            assert_eq!(aligned.as_ptr().addr() % 64, 0);
        }
    }

    #[test]
    fn numbers_are_kept_and_begin_with_a_line() {
        check::<f32>();
        check::<f64>();
    }
}
