//! Continuum absorption of CO2, H2O, N2 and O2 in one channel.

use isobar_core::Real;

use crate::constants::{AVOGADRO_PER_MOL, STANDARD_PRESSURE_HPA};

/// The continuum coefficients at the centre of one channel; all zero where there is no continuum.
///
/// `crate::continuum_data` interpolates them to the channel.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C)]
pub struct Continuum<R> {
    /// Wavenumber of the channel \[cm^-1\].
    pub wavenumber_per_cm: R,
    /// CO2 coefficients at 230, 260 and 296 K.
    pub co2: [R; 3],
    /// H2O self coefficient at 296 K, with its window correction.
    pub h2o_self: R,
    /// `ln(c(260 K) / c(296 K))` of the H2O self coefficient.
    pub h2o_self_log_ratio: R,
    /// H2O foreign coefficient, with its correction in the far infrared.
    pub h2o_foreign: R,
    /// N2: strength and temperature of its exponential \[K\].
    pub n2: [R; 2],
    /// O2, as of N2.
    pub o2: [R; 2],
}

/// The air of one segment.
#[derive(Clone, Copy, Debug)]
pub struct Air<R> {
    /// Pressure \[hPa\].
    pub pressure_hpa: R,
    /// Temperature \[K\].
    pub temperature_k: R,
    /// Length of the segment \[km\].
    pub length_km: R,
    /// Column density of CO2 \[molecules/cm^2\].
    pub co2_per_cm2: R,
    /// Column density of H2O \[molecules/cm^2\].
    pub h2o_per_cm2: R,
    /// Mixing ratio of H2O \[mol/mol\].
    pub h2o_mixing_ratio: R,
}

impl<R: Real> Continuum<R> {
    /// Optical depth of all continua of a segment.
    #[inline(always)]
    #[must_use]
    pub fn optical_depth(&self, air: &Air<R>) -> R {
        let mut depth = R::ZERO;
        if self.co2[0] != R::ZERO || self.co2[1] != R::ZERO || self.co2[2] != R::ZERO {
            depth += self.co2(air);
        }
        if self.h2o_self != R::ZERO || self.h2o_foreign != R::ZERO {
            depth += self.h2o(air);
        }
        if self.n2[0] != R::ZERO {
            depth += self.n2(air);
        }
        if self.o2[0] != R::ZERO {
            depth += self.o2(air);
        }
        depth
    }

    /// CO2 far wings: quadratic in temperature through the three tabulated ones.
    #[inline(always)]
    #[must_use]
    pub fn co2(&self, air: &Air<R>) -> R {
        let c = R::from_f64;
        let t = air.temperature_k;
        let (t230, t260, t296) = (t - c(230.0), t - c(260.0), t - c(296.0));
        let coefficient = t260 * t296 * c(5.050_505e-4) * self.co2[0] - t230 * t296 * c(9.259_259e-4) * self.co2[1]
            + t230 * t260 * c(4.208_754e-4) * self.co2[2];
        air.co2_per_cm2 / c(AVOGADRO_PER_MOL * 1000.0) * (air.pressure_hpa / c(STANDARD_PRESSURE_HPA)) * coefficient
    }

    /// Water vapour, self and foreign broadened (CKD).
    #[inline(always)]
    #[must_use]
    pub fn h2o(&self, air: &Air<R>) -> R {
        let c = R::from_f64;
        let t = air.temperature_k;
        let own = self.h2o_self * (self.h2o_self_log_ratio * (c(296.0) - t) / c(36.0)).exp();
        let mixed = air.h2o_mixing_ratio * own + (R::ONE - air.h2o_mixing_ratio) * self.h2o_foreign;
        let stimulated = (c(0.719_387_6) * self.wavenumber_per_cm / t).tanh();
        // 1e-20 is the unit of the coefficients; with the column first the product stays in the range of f32.
        air.h2o_per_cm2
            * c(1e-20)
            * self.wavenumber_per_cm
            * stimulated
            * (c(296.0) / t)
            * (air.pressure_hpa / c(STANDARD_PRESSURE_HPA))
            * mixed
    }

    /// Collision-induced absorption of N2.
    #[inline(always)]
    #[must_use]
    pub fn n2(&self, air: &Air<R>) -> R {
        let c = R::from_f64;
        let partner = c(0.79) + c(0.21) * (c(1.294) - c(0.4545) * air.temperature_k / c(296.0));
        air.length_km * collision(air, self.n2) * c(0.79) * partner
    }

    /// Collision-induced absorption of O2.
    #[inline(always)]
    #[must_use]
    pub fn o2(&self, air: &Air<R>) -> R {
        air.length_km * collision(air, self.o2) * R::from_f64(0.21)
    }
}

#[inline(always)]
fn collision<R: Real>(air: &Air<R>, [strength, beta_k]: [R; 2]) -> R {
    let c = R::from_f64;
    let density = air.pressure_hpa / c(STANDARD_PRESSURE_HPA) * (c(273.0) / air.temperature_k);
    let warmth = (beta_k * (c(1.0 / 296.0) - R::ONE / air.temperature_k)).exp();
    c(0.1) * (density * density) * warmth * strength
}
