//! Phase functions as Legendre moments: closed forms, tables over the scattering angle, mixtures.
//!
//! `P(cos) = sum_l (2 l + 1) chi_l P_l(cos)` has the mean 1 over the sphere, so that `chi_0` is 1.

use isobar_core::fields::Error;
use isobar_core::math::double::{cos, sin};

use crate::physics::azimuth::quadrature::Quadrature;

/// `count` moments of Henyey and Greenstein's phase function (1941, doi:10.1086/144246): `chi_l = g^l`.
///
/// ```
/// use isobar_adding::azimuth::phase_function::henyey_greenstein;
///
/// assert_eq!(henyey_greenstein(0.5, 4), [1.0, 0.5, 0.25, 0.125]);
/// ```
#[must_use]
pub fn henyey_greenstein(asymmetry: f64, count: usize) -> Vec<f64> {
    (0..count).map(|l| isobar_core::math::double::powi(asymmetry, l as i32)).collect()
}

/// `count` moments of two of Henyey and Greenstein's phase functions: the share `share` has the asymmetry `forward`,
/// the rest `backward`, which is usually negative.
#[must_use]
pub fn double_henyey_greenstein(forward: f64, backward: f64, share: f64, count: usize) -> Vec<f64> {
    let rest = henyey_greenstein(backward, count);
    let both = henyey_greenstein(forward, count).into_iter().zip(rest);
    both.map(|(forward, rest)| share * forward + (1.0 - share) * rest).collect()
}

/// The three moments of Rayleigh's phase function, `1, 0, (1 - rho)/(5 (2 + rho))`, with the depolarization factor
/// `rho` of unpolarized light, 0 to 1: 0.0279 for air in the visible (Young 1980, doi:10.1364/AO.19.003427).
///
/// ```
/// use isobar_adding::azimuth::phase_function::rayleigh;
///
/// assert_eq!(rayleigh(0.0), [1.0, 0.0, 0.1]);
/// ```
#[must_use]
pub fn rayleigh(depolarization: f64) -> [f64; 3] {
    [1.0, 0.0, (1.0 - depolarization) / (5.0 * (2.0 + depolarization))]
}

/// How far from 1 the mean of a table may be: coarse tables have that error, other normalisations have more.
const MEAN_TOLERANCE: f64 = 0.01;
/// Points of a segment beyond those that its waves need: Gauss and Legendre's rule of `n` points has an error of
/// `(e k/(4 n))^(2 n)` for `exp(i k x)`, with `n = k + 10` less than 1e-16.
const MORE_POINTS: f64 = 10.0;

/// Moments of tables over certain scattering angles.
///
/// Between the angles a phase function is taken as linear in the cosine of the angle. Moments are the integrals of that
/// times Legendre polynomials, which Gauss and Legendre's rule has to rounding in each segment: they are sums over the
/// table with weights that depend on the angles alone.
///
/// ```
/// use isobar_adding::azimuth::phase_function::{ScatteringAngles, henyey_greenstein};
///
/// let degrees: Vec<f64> = (0..=1800).map(|i| 0.1 * f64::from(i)).collect();
/// let table: Vec<f64> = degrees.iter().map(|angle| 0.75 / (1.25 - angle.to_radians().cos()).powf(1.5)).collect();
/// let found = ScatteringAngles::new(&degrees, 8)?.moments(&table)?;
/// for (found, expected) in found.moments.iter().zip(henyey_greenstein(0.5, 8)) {
///     assert!((found - expected).abs() < 1e-5);
/// }
/// # Ok::<(), isobar_core::fields::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct ScatteringAngles {
    degrees: Vec<f64>,
    /// `[moment * angles + angle]`.
    weights: Vec<f64>,
}

/// Moments of a table.
#[derive(Clone, Debug, PartialEq)]
pub struct TabulatedMoments {
    /// The moments, the first 1: those of the table over its mean.
    pub moments: Vec<f64>,
    /// The mean of the table over the sphere, which it was divided by.
    pub mean: f64,
}

impl ScatteringAngles {
    /// Prepares `count` moments of tables over these angles \[degrees\], from 0 to 180 or from 180 to 0.
    ///
    /// # Errors
    /// Angles that neither ascend from 0 to 180 nor descend from there, or no moment.
    pub fn new(degrees: &[f64], count: usize) -> Result<Self, Error> {
        if count == 0 {
            return Err(Error::Setup("phase functions have at least one moment".to_owned()));
        }
        if degrees.first() > degrees.last() {
            return Self::descending(degrees, count);
        }
        if let Some(i) = (1..degrees.len()).find(|&i| degrees[i].partial_cmp(&degrees[i - 1]).is_none_or(|o| o.is_le()))
        {
            let accepted = format!("more than the angle before it, {}", degrees[i - 1]);
            return Err(bad("scattering_angle", i, degrees[i], &accepted, "degree"));
        }
        for (index, end) in [(0, 0.0), (degrees.len().max(1) - 1, 180.0)] {
            let found = degrees.get(index).copied().unwrap_or(f64::NAN);
            if found != end {
                let accepted = format!("{end}: a phase function is known from 0 to 180 degrees");
                // The unit stands among the words.
                return Err(bad("scattering_angle", index, found, &accepted, "1"));
            }
        }
        let angles = degrees.len();
        let mut weights = vec![0.0; count * angles];
        // As many points as a product of a Legendre polynomial and a line needs are exact.
        let exact = count / 2 + 1;
        let mut rules: Vec<Option<Quadrature>> = vec![None; exact + 1];
        for (i, ends) in degrees.windows(2).enumerate() {
            let (middle, half) = (0.5 * (ends[0] + ends[1]).to_radians(), 0.5 * (ends[1] - ends[0]).to_radians());
            let points = exact.min((count as f64 * half + MORE_POINTS) as usize);
            let rule = rules[points].get_or_insert_with(|| Quadrature::double_gauss(points));
            // Cosines of the middle and of half the segment, of numbers that do not cancel.
            let (centre, reach) = (cos(middle) * cos(half), sin(middle) * sin(half));
            for (&share, &weight) in rule.cosine.iter().zip(&rule.weight) {
                let x = centre + (2.0 * share - 1.0) * reach;
                let weight = weight * reach;
                let (mut before, mut now) = (0.0, 1.0);
                for l in 0..count {
                    weights[l * angles + i] += weight * share * now;
                    weights[l * angles + i + 1] += weight * (1.0 - share) * now;
                    let number = l as f64;
                    let next = ((2.0 * number + 1.0) * x * now - number * before) / (number + 1.0);
                    (before, now) = (now, next);
                }
            }
        }
        Ok(Self { degrees: degrees.to_vec(), weights })
    }

    /// The same of angles that descend: tables have their values in that order.
    fn descending(degrees: &[f64], count: usize) -> Result<Self, Error> {
        let last = degrees.len() - 1;
        if let Some(i) = (1..=last).find(|&i| degrees[i].partial_cmp(&degrees[i - 1]).is_none_or(|o| o.is_ge())) {
            let accepted = format!("less than the angle before it, {}", degrees[i - 1]);
            return Err(bad("scattering_angle", i, degrees[i], &accepted, "degree"));
        }
        for (index, end) in [(0, 180.0), (last, 0.0)] {
            if degrees[index] != end {
                let accepted = format!("{end}: a phase function is known from 180 to 0 degrees");
                return Err(bad("scattering_angle", index, degrees[index], &accepted, "1"));
            }
        }
        let ascending: Vec<f64> = degrees.iter().rev().copied().collect();
        let mut angles = Self::new(&ascending, count)?;
        angles.weights.chunks_mut(degrees.len()).for_each(<[f64]>::reverse);
        angles.degrees.reverse();
        Ok(angles)
    }

    /// The moments of a table with a value for each angle.
    ///
    /// # Errors
    /// Another number of values; values that are negative or no numbers; a mean that is not 1 within 1 %.
    pub fn moments(&self, table: &[f64]) -> Result<TabulatedMoments, Error> {
        let angles = self.degrees.len();
        if table.len() != angles {
            let text = format!("phase_function: {} values, but {angles} scattering angles", table.len());
            return Err(Error::Setup(text));
        }
        if let Some(i) = table.iter().position(|value| !(0.0..f64::INFINITY).contains(value)) {
            return Err(bad("phase_function", i, table[i], "0 or more", "1"));
        }
        let sum = |weights: &[f64]| weights.iter().zip(table).map(|(weight, value)| weight * value).sum::<f64>();
        let mut moments: Vec<f64> = self.weights.chunks(angles).map(sum).collect();
        let mean = moments[0];
        if !mean.is_finite() || (mean - 1.0).abs() > MEAN_TOLERANCE {
            return Err(Error::Setup(format!(
                "phase_function: its mean over the sphere is {mean}, which is not 1 within {MEAN_TOLERANCE}: phase \
                 functions are normalised"
            )));
        }
        for moment in &mut moments {
            *moment /= mean;
        }
        Ok(TabulatedMoments { moments, mean })
    }
}

fn bad(variable: &'static str, index: usize, value: f64, accepted: &str, unit: &'static str) -> Error {
    Error::Value {
        variable,
        item_name: "phase function",
        item: 0,
        place: vec![("scattering_angle", index)],
        value,
        accepted: accepted.to_owned(),
        unit,
    }
}

/// What one of several species adds to a layer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Part<'a> {
    /// Its optical depth.
    pub optical_depth: f64,
    /// Its single-scattering albedo.
    pub single_scattering_albedo: f64,
    /// Its moments; those that are not there are 0.
    pub moments: &'a [f64],
}

/// A layer of several species.
#[derive(Clone, Debug, PartialEq)]
pub struct Mixture {
    /// The sum of the optical depths.
    pub optical_depth: f64,
    /// The mean by optical depth.
    pub single_scattering_albedo: f64,
    /// The means by what each species scatters; of isotropic scattering where none does.
    pub moments: Vec<f64>,
}

/// Mixes species: `tau = sum tau_s`, `omega = sum omega_s tau_s / tau`, and `count` moments
/// `chi_l = sum omega_s tau_s chi_sl / sum omega_s tau_s`.
///
/// ```
/// use isobar_adding::azimuth::phase_function::{Part, henyey_greenstein, mixture, rayleigh};
///
/// let (air, haze) = (rayleigh(0.0), henyey_greenstein(0.7, 4));
/// let air = Part { optical_depth: 0.1, single_scattering_albedo: 1.0, moments: &air };
/// let haze = Part { optical_depth: 0.4, single_scattering_albedo: 0.75, moments: &haze };
/// let layer = mixture(&[air, haze], 4);
/// assert_eq!((layer.optical_depth, layer.single_scattering_albedo), (0.5, 0.8));
/// assert!((layer.moments[1] - 0.75 * 0.7).abs() < 1e-15);
/// ```
#[must_use]
pub fn mixture(parts: &[Part<'_>], count: usize) -> Mixture {
    let sum = |f: &dyn Fn(&Part<'_>) -> f64| parts.iter().map(f).sum::<f64>();
    let depth = sum(&|part| part.optical_depth);
    let scattered = sum(&|part| part.optical_depth * part.single_scattering_albedo);
    let share = |part: f64, whole: f64| if whole > 0.0 { part / whole } else { 0.0 };
    let moment = |l: usize| {
        let of = |part: &Part<'_>| part.moments.get(l).copied().unwrap_or(0.0);
        share(sum(&|part| part.optical_depth * part.single_scattering_albedo * of(part)), scattered)
    };
    // Exactly 1, whatever the roundings of the sums.
    let moments = (0..count).map(|l| if l == 0 { 1.0 } else { moment(l).clamp(-1.0, 1.0) }).collect();
    Mixture { optical_depth: depth, single_scattering_albedo: share(scattered, depth).min(1.0), moments }
}

/// What a phase function may be short of somewhere, as a part of its mean, where its moments end.
const MAY_BE_SHORT_OF: f64 = 0.1;

/// Does a phase function whose last moment is this one, number `l`, end too early for light that is scattered once by
/// the whole of it? A moment has a share of `2 l + 1` times itself straight on.
#[must_use]
pub fn ends_early(l: usize, moment: f64) -> bool {
    moment.abs() * (2 * l + 1) as f64 > MAY_BE_SHORT_OF
}

/// The moments of Henyey and Greenstein's phase function of which the next is less than `left`, at most `most`.
#[must_use]
pub fn moments_until(asymmetry: f64, left: f64, most: usize) -> usize {
    let size = asymmetry.abs();
    (0..most).find(|&l| isobar_core::math::double::powi(size, l as i32) < left).unwrap_or(most)
}
