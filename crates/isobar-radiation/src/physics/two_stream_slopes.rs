//! The slopes of what a layer does to sunlight ([`super::two_stream`]) in its optical depths and the sun's height.
//!
//! What a layer does depends on `k^2`, which is 0 where nothing is absorbed. Slopes through `k`, its root, are sums of
//! terms that go as `1 / k^3` and cancel, so they are written in functions that are smooth in `k^2`: with
//! `S = sinh(k tau) / k`, `C = cosh(k tau)`, `b = exp(-tau / mu)`, `y = 1 - (k mu)^2` and `D = C + gamma1 S`,
//! Meador and Weaver's Eq. 25 and Eq. 26 are `gamma2 S / D` and `1 / D`, and Eq. 14 and Eq. 15, times the albedo,
//!
//! ```text
//! up   = (alpha2 S + (gamma3 - mu alpha2) V) / D        V = (C - b - k^2 mu S) / y
//! down = ((gamma4 + mu alpha1) W - alpha1 b S) / D      W = (1 - b (C + k^2 mu S)) / y
//! ```

use isobar_core::{Real, Slopes};

use super::absorbed::absorbed;
use super::particles::Depths;
use super::two_stream::{self, Layer};
use crate::constants::roots_of_epsilon;

/// `S`, `C - 1`, `C`, the slope of `S` in `k^2`, and 1; divided by `D`.
struct Diffuse<R> {
    sinh: R,
    cosh_less_1: R,
    cosh: R,
    sinh_slope: R,
    one: R,
}

/// The functions of diffuse light. Divided by `D`, they may all have a factor: where light decays much, that of
/// `2 exp(-k tau)`.
#[inline(always)]
fn diffuse<R: Real>(depth: R, squared_k: R, k: R, lost: R, gamma1: R) -> Diffuse<R> {
    let [half, one, two] = [0.5, 1.0, 2.0].map(R::from_f64);
    // Series in q = (k tau)^2, to a rounding below 1/4: (S / tau - 1) / q, and the slope of S / tau in q.
    let q = squared_k * depth * depth;
    let term = |n: f64, factorial: f64| (R::from_f64(1.0 / factorial), R::from_f64(n / factorial));
    let (mut series, mut slope) = term(7.0, 1_307_674_368_000.0);
    for (n, factorial) in
        [(6.0, 6_227_020_800.0), (5.0, 39_916_800.0), (4.0, 362_880.0), (3.0, 5_040.0), (2.0, 120.0), (1.0, 6.0)]
    {
        let (of_series, of_slope) = term(n, factorial);
        series = of_series + q * series;
        slope = of_slope + q * slope;
    }
    let inverse_k = one.plain_quotient(k);
    let grown = lost * (two - lost) * inverse_k;
    let even = one + (one - lost) * (one - lost);
    let [sinh, cosh_less_1, cosh, sinh_slope, factor] = if q < R::from_f64(0.25) {
        let less_1 = q * (series + two * slope);
        [depth * (one + q * series), less_1, one + less_1, depth * depth * depth * slope, one]
    } else {
        let slope = half * (depth * even - grown) * inverse_k * inverse_k;
        [grown, lost * lost, even, slope, two * (one - lost)]
    };
    let inverse = one.plain_quotient(cosh + gamma1 * sinh);
    Diffuse {
        sinh: sinh * inverse,
        cosh_less_1: cosh_less_1 * inverse,
        cosh: cosh * inverse,
        sinh_slope: sinh_slope * inverse,
        one: factor * inverse,
    }
}

/// Derivatives by the optical depths of a layer and by the cosine of the sun's zenith angle, from those by what the
/// layer does, which takes the parts `lost` of diffuse light and `extinct` of the beam with this `k`.
#[inline(always)]
pub(crate) fn backward<R: Real>(
    depths: Depths<R>,
    cosine_zenith: R,
    k: R,
    [lost, extinct]: [R; 2],
    mut by: Layer<R>,
) -> (Depths<R>, R) {
    let [zero, half, one, two] = [0.0, 0.5, 1.0, 2.0].map(R::from_f64);
    let [three_quarters, five_quarters, one_and_half] = [0.75, 1.25, 1.5].map(R::from_f64);
    let [resonance, _] = roots_of_epsilon::<R>();
    // A layer of nothing: what it would do with a little, which is what little of anything does.
    let least = R::EPSILON * R::EPSILON;
    let Depths { absorption, scattering, forward } = depths;
    let absorption = if absorption + scattering < least { least } else { absorption };
    let depth = (absorption + scattering).at_most(R::from_f64(1e30));
    let inverse_depth = one.plain_quotient(depth);
    let (albedo, ahead) = (scattering * inverse_depth, forward * inverse_depth);
    let mu = cosine_zenith.at_least(resonance);
    let slowness = one.plain_quotient(mu);

    // Zdunkowski's coefficients; gamma1 - gamma2, gamma1 + gamma2, and Eq. 18 without its lower limit.
    let gamma1 = two - five_quarters * albedo - three_quarters * ahead;
    let gamma2 = three_quarters * (albedo - ahead);
    let (difference, sum) = (two * absorption * inverse_depth, two - half * albedo - one_and_half * ahead);
    let squared_k = (difference * sum).min(k * k);
    let gamma3 = half * albedo - three_quarters * mu * ahead;
    let gamma4 = albedo - gamma3;
    let (alpha1, alpha2) = (gamma1 * gamma4 + gamma2 * gamma3, gamma1 * gamma3 + gamma2 * gamma4);

    // Where `k` times the cosine is 1, V and W are 0/0.
    let y = one - squared_k * mu * mu;
    let y = if y.abs() < resonance { resonance } else { y };
    let inverse_y = one.plain_quotient(y);
    let b = one - extinct;
    let Diffuse { sinh, cosh_less_1, cosh, sinh_slope, one: transmittance } =
        diffuse(depth, squared_k, k, lost, gamma1);
    let slow = squared_k * mu * sinh;
    let v = (cosh_less_1 + transmittance * extinct - slow) * inverse_y;
    let w = (transmittance * extinct - b * (cosh_less_1 + slow)) * inverse_y;
    let (of_v, of_w) = (gamma3 - mu * alpha2, gamma4 + mu * alpha1);

    // No less than nothing and no more than the beam loses: together they do not but where one is below 0.
    let (up, down) = (alpha2 * sinh + of_v * v, of_w * w - alpha1 * b * sinh);
    let negative = up < zero || down < zero;
    if negative && down > extinct {
        by.extinct += by.down;
    }
    if negative && up > extinct {
        by.extinct += by.up;
    }
    // What is absorbed of diffuse light is what the other two leave.
    by.reflectance -= by.absorptance;
    by.transmittance -= by.absorptance;
    let inside = |value: R| !(value < zero || (negative && value > extinct));
    let by_up = if inside(up) { by.up } else { zero };
    let by_down = if inside(down) { by.down } else { zero };

    // Through `up` and `down` to V / D, W / D and S / D.
    let (by_v, by_w) = (of_v * by_up, of_w * by_down);
    let (by_of_v, by_of_w) = (v * by_up, w * by_down);
    let by_alpha2 = sinh * by_up - mu * by_of_v;
    let by_alpha1 = mu * by_of_w - b * sinh * by_down;
    let by_sinh = alpha2 * by_up - alpha1 * b * by_down + gamma2 * by.reflectance;
    // The logarithm of D.
    let by_divisor = -(transmittance * by.transmittance + v * by_v + w * by_w + sinh * by_sinh);

    // Slopes of V and W in tau, k^2 and mu.
    let (by_v, by_w) = (by_v * inverse_y, by_w * inverse_y);
    let beam_slope = depth * slowness * slowness * b;
    let through = b * transmittance;
    let later = mu * cosh;
    let by_depth = by_v * (through * slowness + squared_k * (sinh - later))
        + by_w * (y * slowness * b * cosh)
        + by_sinh * cosh
        + by_divisor * (squared_k * sinh + gamma1 * cosh)
        + slowness * b * (by.extinct + alpha1 * sinh * by_down);
    let by_squared_k = by_v * (half * (depth * (sinh - later) - mu * sinh) + mu * mu * v)
        + by_w * (mu * mu * w - half * b * (depth * (sinh + later) + mu * sinh))
        + by_sinh * sinh_slope
        + by_divisor * (half * depth * sinh + gamma1 * sinh_slope);
    let by_mu = by_v * (two * squared_k * mu * v - squared_k * sinh - beam_slope * transmittance)
        + by_w * (two * squared_k * mu * w - squared_k * b * sinh - beam_slope * (cosh + slow))
        - alpha2 * by_of_v
        + alpha1 * by_of_w
        - beam_slope * (by.extinct + alpha1 * sinh * by_down);

    // Through the coefficients.
    let by_gamma1 = gamma3 * by_alpha2 + gamma4 * by_alpha1 + sinh * by_divisor;
    let by_gamma2 = gamma4 * by_alpha2 + gamma3 * by_alpha1 + sinh * by.reflectance;
    let by_gamma4 = by_of_w + gamma2 * by_alpha2 + gamma1 * by_alpha1;
    let by_gamma3 = by_of_v + gamma1 * by_alpha2 + gamma2 * by_alpha1 - by_gamma4;
    let (by_difference, by_sum) = (sum * by_squared_k, difference * by_squared_k);
    let by_albedo =
        half * by_gamma3 + by_gamma4 - five_quarters * by_gamma1 + three_quarters * by_gamma2 - half * by_sum;
    let by_ahead = -(three_quarters * (mu * by_gamma3 + by_gamma1 + by_gamma2) + one_and_half * by_sum);
    let by_depth = by_depth - inverse_depth * (albedo * by_albedo + ahead * by_ahead + difference * by_difference);
    let by_depths = Depths {
        absorption: by_depth + two * inverse_depth * by_difference,
        scattering: by_depth + inverse_depth * by_albedo,
        forward: inverse_depth * by_ahead,
    };
    let by_cosine = by_mu - three_quarters * ahead * by_gamma3;
    (by_depths, if cosine_zenith < resonance { zero } else { by_cosine })
}

/// What a layer does, with these slopes where numbers have derivatives.
#[inline(always)]
pub(crate) fn with_slopes<R: Real>(depths: Depths<R>, cosine_zenith: R, layer: Layer<R>) -> Layer<R> {
    let Depths { absorption, scattering, forward } = depths;
    let Layer { reflectance, transmittance, extinct, up, down, absorptance } = layer;
    let values = [reflectance, transmittance, extinct, up, down, absorptance];
    let [reflectance, transmittance, extinct, up, down, absorptance] =
        R::with_slopes::<OfLayer, 4, 6>([absorption, scattering, forward, cosine_zenith], values);
    Layer { reflectance, transmittance, extinct, up, down, absorptance }
}

/// [`backward`] of the absorption, the scattering, the forward part and the cosine.
struct OfLayer;

impl Slopes<4, 6> for OfLayer {
    #[inline(always)]
    fn backward<R: Real>([absorption, scattering, forward, cosine]: [R; 4], weights: [R; 6]) -> [R; 4] {
        let depths = Depths { absorption, scattering, forward };
        let decay = two_stream::decay(depths, cosine);
        let gone = [absorbed(decay.exponent), absorbed(decay.slant)];
        let [reflectance, transmittance, extinct, up, down, absorptance] = weights;
        let by = Layer { reflectance, transmittance, extinct, up, down, absorptance };
        let (Depths { absorption, scattering, forward }, cosine) = backward(depths, cosine, decay.k, gone, by);
        [absorption, scattering, forward, cosine]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Inputs, values and slopes to 60 digits, by `two_stream.py` beside it.
    const LAYERS: &str = include_str!("../../tests/data/two_stream.txt");

    /// The largest error of a slope, as part of the largest of the layer in that input.
    fn largest_error<R: Real>() -> f64 {
        let (mut largest, mut limited) = (0.0_f64, 0);
        for line in LAYERS.lines().filter(|line| !line.starts_with('#')) {
            let numbers: Vec<f64> = line.split(' ').map(|word| word.parse().unwrap()).collect();
            let inputs: [R; 4] = core::array::from_fn(|i| R::from_f64(numbers[i]));
            let [extinct, up, down] = [numbers[6], numbers[7], numbers[8]];
            let mut exact: Vec<[f64; 4]> = numbers[9..].chunks(4).map(|row| row.try_into().unwrap()).collect();
            assert_eq!((numbers.len(), exact.len()), (29, 5), "{line}");
            let scales: [f64; 4] =
                core::array::from_fn(|input| exact.iter().map(|row| row[input].abs()).fold(0.0, f64::max));
            // What a strong forward peak would make negative is nothing, and the rest no more than the beam loses.
            if up < 0.0 {
                limited += 1;
                exact[3] = [0.0; 4];
                if down > extinct {
                    exact[4] = exact[2];
                }
            }
            for (row, exact_row) in exact.iter().enumerate() {
                let mut weights = [R::ZERO; 6];
                weights[row] = R::ONE;
                for (input, slope) in OfLayer::backward(inputs, weights).into_iter().enumerate() {
                    largest = largest.max((slope.value() - exact_row[input]).abs() / scales[input]);
                }
            }
        }
        assert!(limited > 0);
        largest
    }

    #[test]
    fn slopes_are_those_of_the_equations() {
        // A layer of optical depth 900 has numbers as small as exp(-900), of which a rounding of the exponent is 900.
        let error = largest_error::<f64>();
        assert!(error < 900.0 * 10.0 * f64::EPSILON, "{error:e}");
        let error = largest_error::<f32>();
        assert!(error < 900.0 * 10.0 * f64::from(f32::EPSILON), "{error:e}");
    }

    /// Nothing of diffuse light is lost, and a thin layer absorbs as its equation has it, to a rounding of that.
    fn absorbs_what_is_left<R: Real>() {
        let layer = |[absorption, scattering, forward, cosine]: [f64; 4]| {
            let [absorption, scattering, forward] = [absorption, scattering, forward].map(R::from_f64);
            let decay = two_stream::decay(Depths { absorption, scattering, forward }, R::from_f64(cosine));
            two_stream::layer(decay, R::from_f64(cosine), [absorbed(decay.exponent), absorbed(decay.slant)])
        };
        for line in LAYERS.lines().filter(|line| !line.starts_with('#')) {
            let numbers: Vec<f64> = line.split(' ').map(|word| word.parse().unwrap()).collect();
            let layer = layer(core::array::from_fn(|i| numbers[i]));
            let all = layer.reflectance + layer.transmittance + layer.absorptance;
            assert!((all.value() - 1.0).abs() < 8.0 * R::EPSILON.value(), "{line}: {}", all.value());
        }
        // Of a thin layer (gamma1 - gamma2) tau, which is twice its absorption.
        for absorption in [1e-7, 1e-11] {
            let absorptance = layer([absorption, 1e-7, 3e-8, 0.5]).absorptance.value();
            // The next term is of the order of the square of the depth.
            assert!((absorptance / (2.0 * absorption) - 1.0).abs() < 8.0 * R::EPSILON.value() + 1e-6, "{absorptance}");
        }
    }

    #[test]
    fn what_is_absorbed_is_what_is_left() {
        absorbs_what_is_left::<f64>();
        absorbs_what_is_left::<f32>();
    }

    #[test]
    fn dual_numbers_have_them() {
        let variable = isobar_core::Dual::<f64, 4>::variable;
        // Conservative but for a rounding: slopes through `k` would have lost all digits.
        let depths = Depths { absorption: variable(1e-15, 0), scattering: variable(0.5, 1), forward: variable(0.2, 2) };
        let cosine = variable(0.6, 3);
        let decay = two_stream::decay(depths, cosine);
        let gone = [absorbed(decay.exponent), absorbed(decay.slant)];
        let layer = with_slopes(depths, cosine, two_stream::layer(decay, cosine, gone));
        let up = OfLayer::backward([1e-15, 0.5, 0.2, 0.6], [0.0, 0.0, 0.0, 1.0, 0.0, 0.0]);
        assert_eq!(layer.up.derivative, up);
        let absorbed = OfLayer::backward([1e-15, 0.5, 0.2, 0.6], [0.0, 0.0, 0.0, 0.0, 0.0, 1.0]);
        let others = OfLayer::backward([1e-15, 0.5, 0.2, 0.6], [-1.0, -1.0, 0.0, 0.0, 0.0, 0.0]);
        assert!(layer.absorptance.derivative == absorbed && absorbed == others);
        assert!(up.iter().all(|slope| slope.abs() > 1e-3));
    }

    #[test]
    fn a_layer_of_nothing_does_what_little_of_it_would() {
        // Without scattering nothing is sent up; a little of it sends up half, but for the peak and the slant.
        let up = OfLayer::backward([0.0, 0.0, 0.0, 0.5], [0.0, 0.0, 0.0, 1.0, 0.0, 0.0]);
        let exact = [0.0, 1.0, -0.75, 0.0];
        for (slope, exact) in up.into_iter().zip(exact) {
            assert!((slope - exact).abs() < 1e-14, "{up:?}");
        }
    }
}
