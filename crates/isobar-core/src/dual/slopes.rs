//! Slopes of a function by its own formulas, where those that follow from its operations lose digits.

use super::Dual;
use crate::real::{Real, Slopes};

impl<R: Real, const D: usize> Dual<R, D> {
    /// Each value with the derivatives that `S` gives it.
    #[inline(always)]
    pub(super) fn of_slopes<S: Slopes<N, M>, const N: usize, const M: usize>(
        inputs: [Self; N],
        values: [Self; M],
    ) -> [Self; M] {
        let plain = inputs.map(|input| input.value);
        core::array::from_fn(|number| {
            let slopes = S::backward(plain, core::array::from_fn(|i| if i == number { R::ONE } else { R::ZERO }));
            let mut derivative = [R::ZERO; D];
            for (input, slope) in inputs.iter().zip(slopes) {
                for (sum, d) in derivative.iter_mut().zip(&input.derivative) {
                    *sum += slope * *d;
                }
            }
            Self { value: values[number].value, derivative }
        })
    }
}
