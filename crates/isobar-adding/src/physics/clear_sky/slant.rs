//! Absorption along an angle.

use isobar_core::Real;

use crate::limits::{OPAQUE_HALVINGS, SERIES_BELOW};

/// An angle, as the exponential wants it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C)]
pub struct Slant<R> {
    /// `-log2(e)` over the cosine: halvings a unit of optical depth, negative.
    rate: R,
    /// The optical depth beyond which nothing is left.
    opaque: R,
}

impl<R: Real> Slant<R> {
    /// The angle whose cosine against the vertical is `cosine`, in (0, 1].
    #[must_use]
    pub fn new(cosine: f64) -> Self {
        let rate = -core::f64::consts::LOG2_E / cosine;
        Self { rate: R::from_f64(rate), opaque: R::from_f64(-OPAQUE_HALVINGS / rate) }
    }

    /// `exp(-optical_depth / cosine) - 1` for an optical depth of zero or more; NaN stays NaN.
    #[inline(always)]
    #[must_use]
    pub fn loss(&self, optical_depth: R) -> R {
        let [loss] = R::exp2_m1_products([optical_depth.at_most(self.opaque)], self.rate);
        loss
    }

    /// The weight of the far boundary's Planck radiance in a layer whose source is linear in optical depth:
    /// `1/x - t/(1 - t)` with the slant optical depth `x` (Clough et al. 1992, doi:10.1029/92JD01419, Eq. 13); 1/2
    /// where it is thin, 0 where it is opaque.
    ///
    /// Thin layers (`limits::SERIES_BELOW`) by its series.
    #[inline(always)]
    #[must_use]
    pub fn far_weight(&self, optical_depth: R, loss: R) -> R {
        far_weight(optical_depth * (self.rate * R::from_f64(-core::f64::consts::LN_2)), loss)
    }
}

/// [`Slant::far_weight`] of the slant optical depth `x`.
#[inline(always)]
pub(crate) fn far_weight<R: Real>(x: R, loss: R) -> R {
    let square = x * x;
    // 1/2 - x/12 + x^3/720 - x^5/30240 + x^7/1209600 - x^9/47900160 + 691 x^11/1307674368000
    let series = square.mul_add(R::from_f64(691.0 / 1_307_674_368_000.0), R::from_f64(-1.0 / 47_900_160.0));
    let series = square.mul_add(series, R::from_f64(1.0 / 1_209_600.0));
    let series = square.mul_add(series, R::from_f64(-1.0 / 30_240.0));
    let series = square.mul_add(series, R::from_f64(1.0 / 720.0));
    let series = square.mul_add(series, R::from_f64(-1.0 / 12.0));
    let thin = x.mul_add(series, R::from_f64(0.5));
    let thick = R::ONE / x + (R::ONE + loss) / loss;
    if x < R::from_f64(SERIES_BELOW) { thin } else { thick }
}
