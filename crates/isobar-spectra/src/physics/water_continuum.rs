//! Water vapour's continuum after MT_CKD (Mlawer et al., 2012, doi:10.1098/rsta.2011.0295; 2023, file
//! `absco-ref_wv-mt-ckd.nc` of the user), for lines that end at 25 cm^-1 without their pedestals:
//!
//! ```text
//! k = nu tanh(c2 nu / (2 T)) rho [q self (296/T)^texp + (1 - q) foreign],     rho = (p / 1013 hPa) (296 K / T)
//! ```
//!
//! on the file's grid of 10 cm^-1, then a cubic through four nodes.

use isobar_core::{Column, FastMath, Real};

/// The pressure and temperature of the file's coefficients \[hPa, K\].
pub const REFERENCE: (f64, f64) = (1013.0, 296.0);

/// The coefficients at the nodes of a file, wavenumbers equidistant.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Coefficients<'a> {
    /// The first wavenumber \[cm^-1\].
    pub first_per_cm: f64,
    /// From one to the next \[cm^-1\].
    pub step_per_cm: f64,
    /// By water vapour itself \[cm^2/molecule / cm^-1\].
    pub own: Column<'a, f64>,
    /// By the other gases \[cm^2/molecule / cm^-1\].
    pub foreign: Column<'a, f64>,
    /// The exponent of the temperature in the first.
    pub exponent: Column<'a, f64>,
}

impl Coefficients<'_> {
    /// The cross-section \[cm^2/molecule\] at one node.
    #[inline(always)]
    #[must_use]
    pub fn node<R: Real>(&self, node: usize, pressure_hpa: R, temperature_k: R, mole_fraction: R, c2: f64) -> R {
        let nu = self.first_per_cm + self.step_per_cm * node as f64;
        let cold = R::from_f64(REFERENCE.1) / temperature_k;
        let density = pressure_hpa / R::from_f64(REFERENCE.0) * cold;
        let own = R::from_f64(self.own.at(node)) * (R::from_f64(self.exponent.at(node)) * cold.ln()).exp();
        let foreign = R::from_f64(self.foreign.at(node));
        let both = mole_fraction * own + (R::ONE - mole_fraction) * foreign;
        R::from_f64(nu) * (R::from_f64(0.5 * c2 * nu) / temperature_k).tanh() * density * both
    }

    /// The cross-section \[cm^2/molecule\] at a wavenumber; 0 beyond the file's last nodes but one.
    #[inline(always)]
    #[must_use]
    pub fn at<R: Real>(
        &self,
        wavenumber_per_cm: f64,
        pressure_hpa: R,
        temperature_k: R,
        mole_fraction: R,
        c2: f64,
    ) -> R {
        let place = (wavenumber_per_cm - self.first_per_cm) / self.step_per_cm;
        let nodes = self.own.len();
        if nodes < 4 || place < 1.0 || place > (nodes - 2) as f64 {
            return R::ZERO;
        }
        let i = place.index(1, nodes as i32 - 3) as usize;
        let t = place - i as f64;
        let weights = [
            -t * (t - 1.0) * (t - 2.0) / 6.0,
            (t + 1.0) * (t - 1.0) * (t - 2.0) / 2.0,
            -(t + 1.0) * t * (t - 2.0) / 2.0,
            (t + 1.0) * t * (t - 1.0) / 6.0,
        ];
        let mut sum = R::ZERO;
        for (k, weight) in weights.into_iter().enumerate() {
            sum += R::from_f64(weight) * self.node(i + k - 1, pressure_hpa, temperature_k, mole_fraction, c2);
        }
        sum
    }
}
