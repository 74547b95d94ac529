//! Where the viewer and the suns are.

use std::ops::Bound;

use super::super::{cosines, sun};
use super::variables::{PROFILE, declared};
use crate::error::Error;
use crate::netcdf::{Accepted, Axis, Dataset, Dimension, Field, VariableSpec};

const VIEWS: &[Axis] = &[Axis::optional(Dimension::Angle), PROFILE];
const SUNS: &[Axis] = &[Axis::optional(Dimension::Sun), PROFILE];
const AZIMUTHS: &[Axis] = &[Axis::optional(Dimension::Azimuth), PROFILE];

/// The most suns that are computed together.
const MOST_SUNS: usize = 4;

const fn degrees(
    name: &'static str,
    aliases: &'static [&'static str],
    standard_names: &'static [&'static str],
    axes: &'static [Axis],
    low: f64,
    high: Bound<f64>,
) -> VariableSpec<'static> {
    let accepted = Accepted { low: Bound::Included(low), high };
    VariableSpec { name, aliases, standard_names, unit: "degree", axes, accepted }
}

const ZENITH_ANGLE: VariableSpec = degrees(
    "zenith_angle",
    &["view_zenith_angle", "vza"],
    &["sensor_zenith_angle", "platform_zenith_angle", "zenith_angle"],
    VIEWS,
    0.0,
    Bound::Excluded(90.0),
);
const SOLAR_ZENITH_ANGLE: VariableSpec =
    degrees("solar_zenith_angle", &["sza"], &["solar_zenith_angle"], SUNS, 0.0, Bound::Included(180.0));
const RELATIVE_AZIMUTH: VariableSpec =
    degrees("relative_azimuth_angle", &["relative_azimuth", "phi"], &[], AZIMUTHS, -360.0, Bound::Included(360.0));
const SENSOR_AZIMUTH: VariableSpec = degrees(
    "sensor_azimuth_angle",
    &["vaa", "view_azimuth_angle"],
    &["sensor_azimuth_angle"],
    AZIMUTHS,
    -360.0,
    Bound::Included(360.0),
);
const SOLAR_AZIMUTH: VariableSpec =
    degrees("solar_azimuth_angle", &["saa"], &["solar_azimuth_angle"], AZIMUTHS, -360.0, Bound::Included(360.0));

/// DISORT's azimuth of the beam, from which its `PHI` counts.
const BEAM_AZIMUTH: VariableSpec = degrees("phi0", &[], &[], AZIMUTHS, -360.0, Bound::Included(360.0));

/// What the file calls the viewer's place and the suns.
pub(super) fn names(file: &Dataset) -> Vec<String> {
    let angles = [ZENITH_ANGLE, SOLAR_ZENITH_ANGLE, RELATIVE_AZIMUTH, SENSOR_AZIMUTH, SOLAR_AZIMUTH, BEAM_AZIMUTH];
    let suns = [sun_cosine(), irradiance("W m-2"), viewing_cosine()];
    angles.iter().chain(&suns).filter_map(|spec| file.name_of(spec)).collect()
}

/// Whether the file says from which azimuth it is seen.
pub(super) fn has_azimuth(file: &Dataset) -> Result<bool, Error> {
    Ok(file.has(&RELATIVE_AZIMUTH)? || file.has(&SENSOR_AZIMUTH)?)
}

fn viewing_cosine() -> VariableSpec<'static> {
    VariableSpec { name: "cosine", ..declared("viewing_cosine", VIEWS, &["mu", "umu"]) }
}

fn sun_cosine() -> VariableSpec<'static> {
    declared("sun_cosine", SUNS, &["mu0", "umu0"])
}

/// Cosines of the views' zenith angles.
pub(super) fn views(file: &mut Dataset) -> Result<Field, Error> {
    match file.read_optional(&viewing_cosine())? {
        Some(field) => Ok(field),
        None => Ok(cosines(file.read(&ZENITH_ANGLE)?)),
    }
}

/// The irradiance of suns in a unit.
pub(super) fn irradiance(unit: &'static str) -> VariableSpec<'static> {
    VariableSpec { unit, ..declared("sun_irradiance", SUNS, &["f_sun", "fbeam"]) }
}

/// Angles of one kind.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Angles {
    /// The angles \[degree\]: `[number]`, or `[number * profiles + profile]`.
    pub degrees: Vec<f64>,
    /// Has each profile its own?
    pub by_profile: bool,
}

/// Suns of a file.
pub(super) struct Suns {
    cosine: Field,
    irradiance: Field,
}

/// The suns, if the file has any.
pub(super) fn suns(
    file: &mut Dataset,
    irradiance_unit: &'static str,
    derived: &mut Vec<String>,
) -> Result<Option<Suns>, Error> {
    let cosine = sun_cosine();
    let irradiance = irradiance(irradiance_unit);
    if !file.has(&cosine)? && !file.has(&SOLAR_ZENITH_ANGLE)? && !sun::has_irradiance(file, &irradiance)? {
        return Ok(None);
    }
    let cosine = match file.read_optional(&cosine)? {
        Some(field) => field,
        None => cosines(file.read(&SOLAR_ZENITH_ANGLE)?),
    };
    let irradiance = sun::read_irradiance(file, &irradiance, &cosine, derived)?;
    let count = cosine.size(Dimension::Sun).max(irradiance.size(Dimension::Sun));
    if count > MOST_SUNS {
        let text = format!("{} has dimension sun = {count}: at most {MOST_SUNS} are computed together", cosine.name);
        return Err(file.invalid(text));
    }
    Ok(Some(Suns { cosine, irradiance }))
}

impl Suns {
    /// Zenith angles, as the file has them; one that several irradiances share is that of each.
    pub(super) fn angles(&self) -> Angles {
        let mut angles = Angles::of_cosines(&self.cosine);
        if self.cosine.size(Dimension::Sun) == 1 {
            angles.degrees = angles.degrees.repeat(self.irradiance.size(Dimension::Sun));
        }
        angles
    }

    /// Cosines and irradiances, `[sun * profiles + profile]`.
    pub(super) fn rows(self, file: &Dataset) -> (Vec<f64>, Vec<f64>) {
        (file.broadcast(self.cosine).values, file.broadcast(self.irradiance).values)
    }
}

impl Angles {
    pub(super) fn of_cosines(cosines: &Field) -> Self {
        let degrees = |cosine: &f64| isobar_core::math::double::acos(*cosine).to_degrees();
        let degrees = cosines.values.iter().map(degrees).collect();
        Self { degrees, by_profile: cosines.size(Dimension::Profile) > 1 }
    }

    pub(super) fn of_degrees(angles: &Field) -> Self {
        Self { degrees: angles.values.clone(), by_profile: angles.size(Dimension::Profile) > 1 }
    }
}

/// Azimuths between the directions in which sunbeam and light travel \[degree\], 0 forward.
pub(super) fn azimuths(file: &mut Dataset, sun: bool, derived: &mut Vec<String>) -> Result<Option<Field>, Error> {
    let relative = file.has(&RELATIVE_AZIMUTH)?;
    if !relative && !file.has(&SENSOR_AZIMUTH)? {
        if sun {
            derived.push("no relative_azimuth_angle: radiances are means over the azimuth".to_owned());
        }
        return Ok(None);
    }
    let given = file.read(if relative { &RELATIVE_AZIMUTH } else { &SENSOR_AZIMUTH })?;
    if !sun {
        let text = format!(
            "{} is given, but no Sun: solar_zenith_angle and sun_irradiance are missing, and without a Sun no light \
             depends on azimuth",
            given.name
        );
        return Err(file.invalid(text));
    }
    if relative && given.name.eq_ignore_ascii_case("phi") && file.has(&BEAM_AZIMUTH)? {
        let beam = file.read(&BEAM_AZIMUTH)?;
        derived.push(format!("relative_azimuth_angle from {} and {}", given.name, beam.name));
        return Ok(Some(less(file, given, beam, |phi, beam| phi - beam)));
    }
    if relative {
        return Ok(Some(given));
    }
    let sun = file.read(&SOLAR_AZIMUTH)?;
    derived.push(format!("relative_azimuth_angle from 180 degrees, {} and {}", given.name, sun.name));
    // The sensor looks against the light, the Sun's azimuth is where its light comes from.
    Ok(Some(less(file, given, sun, |sensor, sun| 180.0 - (sensor - sun))))
}

/// Azimuths from two, from 0 to 360 degrees.
fn less(file: &Dataset, given: Field, other: Field, of: impl Fn(f64, f64) -> f64) -> Field {
    let (given, other) = (file.broadcast(given), file.broadcast(other));
    let both = given.values.iter().zip(&other.values);
    Field { values: both.map(|(&given, &other)| of(given, other).rem_euclid(360.0)).collect(), ..given }
}
