//! Monochromatic radiative transfer along a path: the equation that `isobar forward` solves for the means of channels,
//! at each wavenumber.
//!
//! ```text
//! L = sum_i B(T_i) (1 - exp(-tau_i)) t_i + L_ground t_end,    t_(i+1) = t_i exp(-tau_i),    t_0 = 1
//! ```

use isobar_core::Real;
use isobar_ega::planck;
use rayon::prelude::*;

/// The ground at the end of a path.
#[derive(Clone, Copy, Debug)]
pub struct Ground {
    /// Its temperature \[K\].
    pub temperature_k: f64,
    /// Its emissivity.
    pub emissivity: f64,
    /// Does it mirror the sky?
    pub mirrors: bool,
}

/// A path: its segments from the observer outwards.
#[derive(Clone, Debug, Default)]
pub struct Segments<'a> {
    /// Temperature of each \[K\].
    pub temperature_k: Vec<f64>,
    /// Column density of each gas in each segment \[molecules/cm^2\], `segment * gases + gas`.
    pub columns_per_cm2: Vec<f64>,
    /// The spectrum of each gas's cross-section in each segment \[cm^2/molecule\], `segment * gases + gas`.
    pub cross_sections: Vec<&'a [f64]>,
    /// Optical depth of what has no spectrum: continua, aerosol, clouds.
    pub smooth: Vec<f64>,
    /// Optical depths with a spectrum besides the gases'; nothing, or one a segment.
    pub more: Vec<Vec<f64>>,
}

/// Radiance \[W/(m^2 sr cm^-1)\] and transmittance at each wavenumber \[cm^-1\]; the same bits whatever threads there
/// are.
#[must_use]
pub fn transfer(wavenumbers_per_cm: &[f64], path: &Segments<'_>, ground: Option<Ground>) -> Vec<(f64, f64)> {
    let segments = path.temperature_k.len();
    let gases = path.columns_per_cm2.len().checked_div(segments).unwrap_or(0);
    let at = |point: usize| {
        let nu = wavenumbers_per_cm[point];
        let segment = |i: usize| {
            let gas = |g: usize| path.columns_per_cm2[i * gases + g] * path.cross_sections[i * gases + g][point];
            let depth =
                path.smooth[i] + path.more.get(i).map_or(0.0, |more| more[point]) + (0..gases).map(gas).sum::<f64>();
            (planck::radiance(path.temperature_k[i], nu), -Real::exp_m1(-depth))
        };
        let (mut radiance, mut passed) = (0.0, 1.0);
        for i in 0..segments {
            let (source, emissivity) = segment(i);
            radiance += source * emissivity * passed;
            passed *= 1.0 - emissivity;
        }
        if let Some(ground) = ground {
            radiance += ground.emissivity * planck::radiance(ground.temperature_k, nu) * passed;
            let reflected = 1.0 - ground.emissivity;
            if ground.mirrors && reflected > 0.0 {
                let mut down = 1.0;
                for i in (0..segments).rev() {
                    let (source, emissivity) = segment(i);
                    radiance += source * emissivity * down * passed * reflected;
                    down *= 1.0 - emissivity;
                }
            }
        }
        (radiance, passed)
    };
    (0..wavenumbers_per_cm.len()).into_par_iter().map(at).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Segments of one temperature: `B (1 - t)` and `t`, whatever their order and number; with a black ground of the
    /// same temperature, `B`.
    #[test]
    fn an_isothermal_path_is_a_grey_body() {
        let nu = [700.0, 700.5];
        let (weak, strong) = ([1e-22, 1e-20], [3e-21, 5e-22]);
        let path = Segments {
            temperature_k: vec![250.0; 3],
            columns_per_cm2: vec![1e20, 2e20, 3e20],
            cross_sections: vec![&weak, &strong, &weak],
            smooth: vec![0.01, 0.02, 0.0],
            more: Vec::new(),
        };
        let seen = transfer(&nu, &path, None);
        let grounded = transfer(&nu, &path, Some(Ground { temperature_k: 250.0, emissivity: 0.4, mirrors: true }));
        for (i, &nu) in nu.iter().enumerate() {
            let depth = 4e20 * weak[i] + 2e20 * strong[i] + 0.03;
            let black = planck::radiance(250.0, nu);
            // Rounding of three products.
            assert!((seen[i].1 - Real::exp(-depth)).abs() < 1e-15);
            assert!((seen[i].0 / black - (1.0 - seen[i].1)).abs() < 1e-14);
            let mirrored = 0.4 * seen[i].1 + 0.6 * seen[i].1 * (1.0 - seen[i].1);
            assert!((grounded[i].0 / black - (1.0 - seen[i].1) - mirrored).abs() < 1e-14);
        }
    }
}
