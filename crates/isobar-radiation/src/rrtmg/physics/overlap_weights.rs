//! Maximum-random overlap without sub-columns: how radiation moves between the clear and the cloudy part of a layer and
//! the next.

use isobar_core::Real;

/// Less of a cloud than this is none.
pub(crate) const LEAST_FRACTION: f64 = 1e-6;

/// Weights of the hand-over from a cloudy layer to the next.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Weights<R> {
    /// Of what was handed over before, where cloud grows and where it shrinks.
    pub(crate) grown: R,
    pub(crate) shrunk: R,
    /// Of the clear part that becomes cloudy, and of the cloudy part that becomes clear.
    pub(crate) to_cloudy: R,
    pub(crate) to_clear: R,
    /// Of the layer's own emission: clear, cloudy.
    pub(crate) clear_source: R,
    pub(crate) cloudy_source: R,
}

impl<R: Real> Weights<R> {
    /// Weights for the cloud fractions of the layer before (`None` at the beginning of a cloud), of the layer and of
    /// the next; `memory` says which of the two kinds of hand-over came last, and is updated.
    #[inline(always)]
    pub(crate) fn new(before: Option<R>, this: R, next: R, memory: &mut [R; 2]) -> Self {
        let (zero, one) = (R::ZERO, R::ONE);
        let [mut grown, mut shrunk, mut to_cloudy, mut to_clear] = [zero; 4];
        let (mut clear_source, mut cloudy_source) = (zero, zero);
        if let Some(before) = before {
            clear_source = smaller(next - this, before - this).max(zero);
            cloudy_source = smaller(this - next, this - before).max(zero);
        }
        if next >= this {
            match before {
                None => {
                    if this < one {
                        to_cloudy = (next - this) / (one - this);
                    }
                }
                Some(before) => {
                    let most = if this > before { this } else { before };
                    if next > most {
                        grown = memory[1];
                        to_cloudy = (next - most) / (one - most);
                    } else if next < most {
                        grown = (next - this) / (before - this);
                    } else {
                        grown = memory[1];
                    }
                }
            }
            *memory = if grown > zero || to_cloudy > zero { [one, zero] } else { [zero, zero] };
        } else {
            match before {
                None => to_clear = (this - next) / this,
                Some(before) => {
                    let least = smaller(this, before);
                    if next <= least {
                        shrunk = memory[0];
                        to_clear = (least - next) / least;
                    } else {
                        shrunk = (this - next) / (this - least);
                    }
                }
            }
            *memory = if shrunk > zero || to_clear > zero { [zero, one] } else { [zero, zero] };
        }
        Self { grown, shrunk, to_cloudy, to_clear, clear_source, cloudy_source }
    }
}

#[inline(always)]
fn smaller<R: Real>(a: R, b: R) -> R {
    if a < b { a } else { b }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_even_cloud_hands_over_nothing() {
        let mut memory = [0.0; 2];
        for before in [None, Some(0.3), Some(0.3)] {
            let weights = Weights::new(before, 0.3_f64, 0.3, &mut memory);
            let all = [weights.grown, weights.shrunk, weights.to_cloudy, weights.to_clear];
            assert_eq!((all, weights.clear_source, weights.cloudy_source), ([0.0; 4], 0.0, 0.0));
        }
    }
}
