//! Clouds of the own layout and of WRF's.

use isobar_longwave::{CloudColumns, IceOptics, LiquidOptics, Options, Overlap, Solver};

use super::LongwaveRequest;
use super::quantity as q;
use crate::columns_file::{Fields, Quantity, Reading};
use crate::error::{Error, Place};

/// Fu's generalised size over the effective radius.
const FU_SIZE: f64 = 1.0315;
/// WRF spreads a layer's water over this part of it at least.
const LEAST_FRACTION: f64 = 0.01;
/// Effective radii where WRF's file has none \[um\].
const RADII: [f64; 2] = [10.0, 30.0];

/// Reads what the own layout has of clouds; says whether there are any.
pub(super) fn read(reading: &mut Reading, request: &LongwaveRequest) -> Result<bool, Error> {
    if !request.clouds || !reading.has(&q::CLOUD_FRACTION)? {
        return Ok(false);
    }
    reading.need(&q::CLOUD_FRACTION)?;
    reading.maybe(&q::THICKNESS)?;
    if reading.has(&q::CLOUD_DEPTH)? {
        reading.need(&q::CLOUD_DEPTH)?;
        return Ok(true);
    }
    reading.maybe(&q::LIQUID_PATH)?;
    reading.maybe(&q::ICE_PATH)?;
    let (liquid, ice) = (reading.found(&q::LIQUID_PATH), reading.found(&q::ICE_PATH));
    if !liquid && !ice {
        let text =
            "there is a cloud_fraction, but neither liquid_water_path nor ice_water_path nor cloud_optical_depth";
        return Err(Error::invalid(Place::File(reading.file.path().to_owned()), text));
    }
    if liquid && request.options.liquid == LiquidOptics::HuStamnes {
        reading.need(&q::LIQUID_RADIUS)?;
    }
    if ice {
        let by_radius = !reading.has(&q::ICE_SIZE)? && reading.has(&q::ICE_RADIUS)?;
        reading.need(if by_radius { &q::ICE_RADIUS } else { &q::ICE_SIZE })?;
    }
    Ok(true)
}

/// Clouds of the own layout.
pub(super) fn take(fields: &mut Fields, options: &Options, derived: &mut Vec<String>) -> CloudColumns<f64> {
    let fraction = fields.take(&q::CLOUD_FRACTION);
    let thickness_m = fields.take(&q::THICKNESS);
    let optical_depth = fields.take(&q::CLOUD_DEPTH);
    if !optical_depth.is_empty() {
        return CloudColumns { fraction, optical_depth, thickness_m, ..CloudColumns::default() };
    }
    let mut or_none = |quantity: &Quantity| match fields.take(quantity) {
        values if values.is_empty() => vec![0.0; fraction.len()],
        values => values,
    };
    let (liquid_path, ice_path) = (or_none(&q::LIQUID_PATH), or_none(&q::ICE_PATH));
    let liquid_radius = or_none(&q::LIQUID_RADIUS);
    let mut ice_size = fields.take(&q::ICE_SIZE);
    if ice_size.is_empty() {
        ice_size = sizes(fields.take(&q::ICE_RADIUS), options, derived);
        ice_size.resize(fraction.len(), 0.0);
    }
    CloudColumns { fraction, ice_path, liquid_path, ice_size, liquid_radius, thickness_m, ..CloudColumns::default() }
}

/// Effective radii as sizes of the ice optics.
fn sizes(mut radii: Vec<f64>, options: &Options, derived: &mut Vec<String>) -> Vec<f64> {
    if options.ice == IceOptics::Fu && !radii.is_empty() {
        radii.iter_mut().for_each(|radius| *radius *= FU_SIZE);
        derived.push(format!("ice_size = {FU_SIZE} effective radius"));
    }
    radii
}

/// Reads what WRF has of clouds; says whether there are any.
pub(super) fn read_wrf(reading: &mut Reading, request: &LongwaveRequest) -> Result<bool, Error> {
    let water = reading.has(&q::CLOUD_WATER)? || reading.has(&q::CLOUD_ICE)?;
    if !request.clouds || !water || !reading.has(&q::CLOUD_FRACTION)? {
        return Ok(false);
    }
    reading.need(&q::CLOUD_FRACTION)?;
    for quantity in [&q::CLOUD_WATER, &q::CLOUD_ICE, &q::LIQUID_RADIUS, &q::ICE_RADIUS] {
        reading.maybe(quantity)?;
    }
    Ok(true)
}

/// Clouds of WRF, from mixing ratios and the masses of layers \[kg/m^2\].
pub(super) fn take_wrf(
    fields: &mut Fields,
    mass: &[f64],
    options: &Options,
    derived: &mut Vec<String>,
) -> CloudColumns<f64> {
    let fraction = fields.take(&q::CLOUD_FRACTION);
    let mut path = |quantity: &Quantity| -> Vec<f64> {
        let ratio = fields.take(quantity);
        let grams = |(i, mass): (usize, &f64)| {
            1000.0 * ratio.get(i).map_or(0.0, |x| x.max(0.0)) * mass / fraction[i].max(LEAST_FRACTION)
        };
        mass.iter().enumerate().map(grams).collect()
    };
    let (liquid_path, ice_path) = (path(&q::CLOUD_WATER), path(&q::CLOUD_ICE));
    derived.push(format!("water paths = mixing ratios, layers' mass over max(CLDFRA, {LEAST_FRACTION})"));
    let mut radii = |quantity: &Quantity, default: f64, what: &str| match fields.take(quantity) {
        radii if radii.is_empty() => {
            derived.push(format!("effective radius of {what} = {default} um"));
            vec![default; fraction.len()]
        }
        radii => radii,
    };
    let [liquid, ice] = RADII;
    let (mut liquid_radius, ice_radius) =
        (radii(&q::LIQUID_RADIUS, liquid, "droplets"), radii(&q::ICE_RADIUS, ice, "ice"));
    let mut ice_size = sizes(ice_radius, options, derived);
    for (sizes, [least, most]) in
        [(&mut liquid_radius, options.liquid.range_um()), (&mut ice_size, options.ice.range_um())]
    {
        sizes.iter_mut().for_each(|size| *size = size.clamp(least, most));
    }
    CloudColumns { fraction, ice_path, liquid_path, ice_size, liquid_radius, ..CloudColumns::default() }
}

/// Whether the thickness of layers is needed.
pub(super) fn needs_thickness(options: &Options) -> bool {
    let exponential = matches!(options.subcolumns.overlap, Overlap::Exponential | Overlap::ExponentialRandom);
    options.solver == Solver::Subcolumns && exponential
}
