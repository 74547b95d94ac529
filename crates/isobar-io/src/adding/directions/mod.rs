//! Profiles that are seen from any direction, over a ground that reflects into any.
//!
//! A file is of this kind if it has no `emissivity`, but a variable of the ground's reflection or an azimuth.
//! Dimensions `profile`\*, `layer`, `level`, `angle`\*, `azimuth`\*, `sun`\*, `species`\*, `moment`,
//! `scattering_angle`, in any order; those with `*`, and variables with `*`, may be missing.
//!
//! | variable | dimensions | unit | also known as |
//! |---|---|---|---|
//! | `zenith_angle` | angle\*, profile\* | degree | `sensor_zenith_angle`, `platform_zenith_angle`; or `cosine`, `mu`, `umu` |
//! | `relative_azimuth_angle`\* | azimuth\*, profile\* | degree | `phi`, less `phi0` if it is there: between the directions of propagation, 0 is forward; or `sensor_azimuth_angle` and `solar_azimuth_angle` as seen from the ground |
//! | `solar_zenith_angle`\* | sun\*, profile\* | degree | `sza`; or `sun_cosine`, `mu0`, `umu0` |
//! | `sun_irradiance`\* | sun\*, profile\* | a radiance times sr | normal to the beam; `solar_irradiance`, `fbeam`; or `toa_incoming_shortwave_flux`, `rsdt`, on a horizontal surface |
//! | `optical_depth` | species\*, layer, profile\* | 1 | `tau`, `dtauc` |
//! | `single_scattering_albedo` | species\*, layer\*, profile\* | 1 | `omega`, `ssa`, `w0`, `ssalb` |
//! | `phase_moments` | species\*, layer\*, moment, profile\* | 1 | `pmom`; without the factor `2 l + 1` |
//! | or `phase_function` | species\*, layer\*, scattering_angle, profile\* | 1 | with `scattering_angle` from 0 to 180 degrees or down from there; of mean 1 |
//! | or `forward_asymmetry`, `backward_asymmetry`, `forward_fraction` | species\*, layer\*, profile\* | 1 | double Henyey and Greenstein |
//! | or `asymmetry` | species\*, layer\*, profile\* | 1 | `g`: Henyey and Greenstein |
//! | `rayleigh_optical_depth`\* | layer, profile\* | 1 | scatters beside the others; or alone |
//! | `depolarization_factor`\* | | 1 | of Rayleigh's scattering |
//! | `planck_radiance`\* | layer, profile\* | a radiance | or `planck_radiance_level`; or temperatures with a `wavenumber` |
//! | `surface_planck`\* | profile\* | a radiance | or `surface_temperature` with a `wavenumber`, also where layers emit nothing |
//! | `cosmic_background`\* | profile\* | a radiance | `cosmic`, `fisot` |
//! | the ground | profile\* | | one set of [`surface`] |

mod geometry;
mod layers;
pub mod surface;
mod variables;

use std::path::Path;

use isobar_adding::azimuth::{Profiles, Surface};

pub use geometry::Angles;
use geometry::Suns;
use variables::{LAYER, PROFILE};

use super::{
    COSMIC, Emission, LAYERS, LEVELS, RADIANCES, Radiance, SURFACE, SURFACE_TEMPERATURE, TEMPERATURE,
    TEMPERATURE_LEVEL, WAVENUMBER, sun,
};
use crate::error::Error;
use crate::netcdf::{Axis, Dataset, Dimension, Field, ItemGrid, Orientation, Remarks, VariableSpec};

/// Profiles that are seen from any direction, and how their file had them.
#[derive(Clone, Debug)]
pub struct DirectionsInput {
    /// The batch, top first.
    pub profiles: Profiles<f64>,
    /// How many profiles there are.
    pub count: usize,
    /// How the ground reflects.
    pub surface: Surface,
    /// Zenith angles of the views.
    pub views: Angles,
    /// Zenith angles of the suns, if there are any.
    pub suns: Angles,
    /// Azimuths between the directions of propagation, if the file has any.
    pub azimuths: Angles,
    /// Are radiances means over the azimuth, for the file has a Sun and no azimuth?
    pub mean: bool,
    /// Which of suns, angles and azimuths are dimensions of the file: results have them, too.
    pub dimensions: [bool; 3],
    /// Which end of its layers the file has first.
    pub orientation: Orientation,
    /// The unit of all radiances.
    pub radiance_unit: &'static str,
    /// The unit of fluxes.
    pub irradiance_unit: &'static str,
    /// The wavenumber \[cm^-1\] for which temperatures were converted.
    pub wavenumber_per_cm: Option<f64>,
    /// What was made up, a sentence each.
    pub derived: Vec<String>,
    /// What else there is to say of the file.
    pub remarks: Remarks,
    /// The dimensions of the profiles, if the file has others than `profile`.
    pub grid: ItemGrid,
}

/// Whether a file is to be seen from any direction.
///
/// # Errors
/// The file cannot be read, or two variables fit equally well.
pub fn has_directions(path: &Path) -> Result<bool, Error> {
    let file = super::open(path)?;
    if file.has(&super::clear("emissivity"))? {
        return Ok(false);
    }
    Ok(surface::find(&file)?.is_some() || geometry::has_azimuth(&file)?)
}

/// What the file calls the ground's reflection, the viewer's place and the suns.
pub(super) fn names(file: &Dataset) -> Result<Vec<String>, Error> {
    let ground = surface::find(file)?.map_or_else(Vec::new, |(surface, _)| surface::names(file, surface));
    Ok(geometry::names(file).into_iter().chain(ground).collect())
}

/// Reads and checks the profiles of a file; the source is linear in optical depth between levels if that is asked for,
/// or if the file has radiances or temperatures of levels alone.
///
/// # Errors
/// One line with file, variable, index, value and accepted range.
pub fn read_directions(path: &Path, linear_source: bool) -> Result<DirectionsInput, Error> {
    let mut file = super::open(path)?;
    let mut derived = Vec::new();
    let emission = emission(&file, linear_source)?;
    let kind = radiance(&file, emission)?;
    if let (Some(_), Some((name, _))) = (kind.wavenumber_per_cm, file.name_and_units(&WAVENUMBER)) {
        file.uses(&name);
    }
    // In this order, so that a wrong size is blamed on the variable that is read later.
    let layers = layers::Fields::read(&mut file, &mut derived)?;
    let view = geometry::views(&mut file)?;
    let suns = geometry::suns(&mut file, kind.irradiance_unit, &mut derived)?;
    let azimuth = geometry::azimuths(&mut file, suns.is_some(), &mut derived)?;
    let ground = surface::Ground::read(&mut file, &mut derived)?;
    let planck = emission.map(|emission| kind.read_as(&mut file, emission, of_any_profile)).transpose()?;
    let surface_planck = match kind.read_optional(&mut file, &SURFACE)? {
        Some(field) => Some(field),
        None if planck.is_some() || kind.wavenumber_per_cm.is_some() => Some(kind.read(&mut file, &SURFACE)?),
        None => None,
    };
    if emission.is_none() && surface_planck.is_none() && warm_ground(&file)? {
        derived.push(format!(
            "surface_temperature counts for nothing: its radiance is in {}, and other light in {}",
            RADIANCES[0].0, kind.unit
        ));
    }
    let cosmic = file.read_optional(&background(&kind))?;
    if planck.is_none() && suns.is_none() && cosmic.is_none() && surface_planck.is_none() {
        // Reading it says what is missing.
        let wanted = if file.has(&TEMPERATURE)? { WAVENUMBER } else { kind.spec(&LAYERS) };
        let missing = file.read(&wanted).err();
        return Err(missing.unwrap_or_else(|| file.invalid("there is no light: neither a Sun nor emission")));
    }
    if planck.is_none() {
        derived.push("no planck_radiance or temperature with a wavenumber: layers emit nothing".to_owned());
    }

    let orientation = file.orientation()?;
    let count = file.size(Dimension::Profile).unwrap_or(1);
    let top_first = |mut field: Field| {
        field.top_first(orientation);
        field
    };
    let rows = |field: Field| file.broadcast(field).values;
    let layers = layers.top_first(orientation).mixed(&file, &mut derived);
    let constant = |value: f64| vec![value; count];
    let linear = emission.is_some_and(|emission| emission.name == LEVELS.name);
    let planck = planck.map_or_else(Vec::new, |planck| rows(top_first(planck)));
    let (planck_radiance, planck_radiance_level) = if linear { (Vec::new(), planck) } else { (planck, Vec::new()) };
    let mean = suns.is_some() && azimuth.is_none();
    let views = Angles::of_cosines(&view);
    let azimuths = azimuth.as_ref().map_or_else(Angles::default, Angles::of_degrees);
    let sun_angles = suns.as_ref().map_or_else(Angles::default, Suns::angles);
    let (sun_cosine, sun_irradiance) = suns.map_or_else(Default::default, |suns| suns.rows(&file));
    let (surface, surface_parameters) = ground.rows(&file);
    let background = if emission.is_some() { kind.usual_background() } else { 0.0 };
    let profiles = Profiles {
        viewing_cosine: rows(view),
        relative_azimuth: azimuth.map_or_else(Vec::new, rows),
        optical_depth: layers.optical_depth,
        single_scattering_albedo: layers.single_scattering_albedo,
        asymmetry: layers.asymmetry,
        phase_moments: layers.moments,
        planck_radiance,
        planck_radiance_level,
        surface_planck_radiance: surface_planck.map_or_else(|| constant(0.0), rows),
        surface_parameters,
        cosmic_background: cosmic.map_or_else(|| constant(background), rows),
        sun_cosine,
        sun_irradiance,
    };
    let has = |dimension, angles: &Angles| file.has_dimension(dimension) && !angles.degrees.is_empty();
    let dimensions =
        [has(Dimension::Sun, &sun_angles), has(Dimension::Angle, &views), has(Dimension::Azimuth, &azimuths)];
    Ok(DirectionsInput {
        profiles,
        count,
        surface,
        views,
        suns: sun_angles,
        azimuths,
        mean,
        dimensions,
        orientation,
        radiance_unit: kind.unit,
        irradiance_unit: kind.irradiance_unit,
        wavenumber_per_cm: kind.wavenumber_per_cm,
        derived,
        remarks: Remarks::of(&file),
        grid: file.item_grid(),
    })
}

/// The same variable, which may be of all profiles alike.
fn of_any_profile(spec: VariableSpec<'static>) -> VariableSpec<'static> {
    const OF_LAYERS: &[Axis] = &[LAYER, PROFILE];
    const OF_LEVELS: &[Axis] = &[Axis::required(Dimension::Level), PROFILE];
    let axes = match spec.axes {
        [vertical, _] if vertical.dimension == Dimension::Level => OF_LEVELS,
        [_, _] => OF_LAYERS,
        _ => return spec,
    };
    VariableSpec { axes, ..spec }
}

/// What the layers emit by, if they emit.
fn emission(file: &Dataset, linear_source: bool) -> Result<Option<&'static Emission>, Error> {
    let any = Radiance { unit: RADIANCES[0].0, irradiance_unit: RADIANCES[0].1, wavenumber_per_cm: None };
    let warm = file.has(&WAVENUMBER)?;
    let has = |emission: &Emission, temperature: &VariableSpec<'_>| -> Result<bool, Error> {
        Ok(file.has(&any.spec(emission))? || (warm && file.has(temperature)?))
    };
    let (of_layers, of_levels) = (has(&LAYERS, &TEMPERATURE)?, has(&LEVELS, &TEMPERATURE_LEVEL)?);
    Ok(match (linear_source, of_layers, of_levels) {
        (true, ..) | (false, false, true) => Some(&LEVELS),
        (false, true, _) => Some(&LAYERS),
        (false, false, false) => None,
    })
}

/// Does the ground emit by a temperature?
fn warm_ground(file: &Dataset) -> Result<bool, Error> {
    let planck = Radiance { unit: RADIANCES[0].0, irradiance_unit: RADIANCES[0].1, wavenumber_per_cm: None };
    Ok(file.has(&WAVENUMBER)? && !file.has(&planck.spec(&SURFACE))? && file.has(&SURFACE_TEMPERATURE)?)
}

/// Light that enters from above, from everywhere.
fn background(kind: &Radiance) -> VariableSpec<'static> {
    VariableSpec { aliases: &["cosmic", "fisot"], ..kind.spec(&COSMIC) }
}

/// The kind of radiances of a file: as the unit of its Planck radiances says, else that of other light.
fn radiance(file: &Dataset, emission: Option<&Emission>) -> Result<Radiance, Error> {
    if let Some(emission) = emission {
        let kind = Radiance::of_emission(file, emission)?;
        if kind.wavenumber_per_cm.is_some() || file.has(&kind.spec(emission))? {
            return Ok(kind);
        }
    }
    if warm_ground(file)? {
        let kind = Radiance::of_emission(file, &SURFACE)?;
        let (sun, background) = (geometry::irradiance(kind.irradiance_unit), background(&kind));
        if (!sun::has_irradiance(file, &sun)? || sun::irradiance_converts(file, &sun)?)
            && (!file.has(&background)? || file.converts(&background)?)
        {
            return Ok(kind);
        }
    }
    for (unit, irradiance_unit) in RADIANCES.into_iter().chain([("sr-1", "1")]) {
        let kind = Radiance { unit, irradiance_unit, wavenumber_per_cm: None };
        if sun::irradiance_converts(file, &geometry::irradiance(irradiance_unit))?
            || file.converts(&background(&kind))?
            || file.converts(&kind.spec(&SURFACE))?
        {
            return Ok(kind);
        }
    }
    // Reading it says what is wrong.
    let (unit, irradiance_unit) = RADIANCES[1];
    Ok(Radiance { unit, irradiance_unit, wavenumber_per_cm: None })
}
