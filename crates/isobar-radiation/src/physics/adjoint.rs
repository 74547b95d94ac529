//! Derivatives by what a layer is from those by what it does: the transposes of [`super::emission`],
//! [`super::particles`] and [`super::adding`].

use isobar_core::Real;

use super::adding::Above;
use super::emission::{Layer, Source};
use super::particles::Depths;
use crate::constants::roots_of_epsilon;

/// By the optical depth along the path and by the emission of black bodies, of a layer that absorbs this part.
#[inline(always)]
pub(crate) fn of_emission<R: Real>(depth: R, absorptance: R, source: Source<R>, by: Layer<R>) -> (R, Source<R>) {
    let [_, thin] = roots_of_epsilon::<R>();
    let Source { middle, below, above } = source;
    let (half, two, through) = (R::from_f64(0.5), R::from_f64(2.0), R::ONE - absorptance);
    // As in `emission::layer`, and their slopes.
    let divisor = depth.at_least(thin).at_most(R::from_f64(1e18));
    let share = absorptance.plain_quotient(divisor);
    let [third, eighth] = [-1.0 / 3.0, 0.125].map(R::from_f64);
    let series = depth * (half + depth * (third + depth * eighth));
    let series_slope = half + depth * (two * third + R::from_f64(3.0) * depth * eighth);
    let slope = (through - share).plain_quotient(divisor) + through;
    let [shape, shape_slope] =
        if depth > thin { [two * (share - through), two * slope] } else { [two * series, two * series_slope] };
    let by_shape = by.down * (middle - below) + by.up * (middle - above);
    let by_absorptance = by.absorptance + by.down * below + by.up * above;
    let by_source = Source {
        middle: shape * (by.down + by.up),
        below: by.down * (absorptance - shape),
        above: by.up * (absorptance - shape),
    };
    (by_absorptance * through + by_shape * shape_slope, by_source)
}

/// By optical depths before the forward peak was taken away, from those after it.
#[inline(always)]
pub(crate) fn of_delta_scaled<R: Real>(depths: Depths<R>, by: Depths<R>) -> Depths<R> {
    let asymmetry = depths.forward / depths.scattering.at_least(R::MIN_POSITIVE);
    let peak = asymmetry * asymmetry;
    Depths {
        absorption: by.absorption,
        scattering: by.scattering * (R::ONE + peak) + by.forward * peak,
        forward: by.forward * (R::ONE - asymmetry - asymmetry) - by.scattering * (asymmetry + asymmetry),
    }
}

/// By the path \[g/m^2\] and the size of particles, of these optical properties and their slopes in the size.
#[inline(always)]
pub(crate) fn of_particles<R: Real>(path: R, optics: [R; 3], slopes: [R; 3], by: &Depths<R>) -> [R; 2] {
    let sum = |depths: Depths<R>| {
        by.absorption * depths.absorption + by.scattering * depths.scattering + by.forward * depths.forward
    };
    let [extinction, co_albedo, asymmetry] = optics;
    let [more, more_co_albedo, more_asymmetry] = slopes;
    let scattering = extinction - extinction * co_albedo;
    let absorption_slope = more * co_albedo + extinction * more_co_albedo;
    let scattering_slope = more - absorption_slope;
    let by_size = Depths {
        absorption: absorption_slope,
        scattering: scattering_slope,
        forward: scattering_slope * asymmetry + scattering * more_asymmetry,
    };
    [sum(Depths::of(R::ONE, optics)), path * sum(by_size)]
}

/// By the optical depth, the single-scattering albedo and the asymmetry of aerosol.
#[inline(always)]
pub(crate) fn of_aerosol<R: Real>([depth, albedo, asymmetry]: [R; 3], by: &Depths<R>) -> [R; 3] {
    let by_scattering = by.scattering - by.absorption + by.forward * asymmetry;
    [by.absorption + albedo * by_scattering, depth * by_scattering, depth * albedo * by.forward]
}

/// Derivatives by a layer that is added to what is above it.
pub(crate) struct ByLayer<R> {
    pub(crate) reflectance: R,
    pub(crate) transmittance: R,
    /// By what it sends up and down of its own.
    pub(crate) up: R,
    pub(crate) down: R,
}

impl<R: Real> Above<R> {
    /// [`Above::add`] backward: derivatives by what is above and by the layer, from those by all that is above its
    /// lower boundary and by gain and offset.
    #[inline(always)]
    pub(crate) fn add_backward(
        self,
        [reflectance, transmittance]: [R; 2],
        up: R,
        by: Self,
        [mut by_gain, mut by_offset]: [R; 2],
    ) -> (Self, ByLayer<R>) {
        let Self { sky, glow } = self;
        let between = R::ONE.plain_quotient(R::ONE - sky * reflectance);
        let gain = transmittance * between;
        let offset = (reflectance * glow + up) * between;
        // Through Eq. 9 and Eq. 11.
        by_gain += by.sky * transmittance * sky;
        by_offset += by.glow * transmittance * sky;
        let mut by_sky = transmittance * (by.sky * gain + by.glow * offset);
        let mut by_transmittance = by.sky * sky * gain + by.glow * (sky * offset + glow);
        // Through Eq. 10.
        by_transmittance += by_gain * between;
        let by_up = by_offset * between;
        let by_between = (by_gain * gain + by_offset * offset) * between;
        by_sky += by_between * reflectance;
        (
            Self { sky: by_sky, glow: by.glow * transmittance + by_up * reflectance },
            ByLayer {
                reflectance: by.sky + by_up * glow + by_between * sky,
                transmittance: by_transmittance,
                up: by_up,
                down: by.glow,
            },
        )
    }
}
