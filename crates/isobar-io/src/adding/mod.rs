//! Profiles for the adding method from a NetCDF file.
//!
//! Dimensions `profile`, `layer`, `level`, `angle`, in any order and by their usual aliases. Others of layers and
//! surfaces, as `time`, `lat` and `lon`, make up the profiles, in whose place results have them; a variable that lacks
//! one of them holds for all of it. `*` may be missing.
//!
//! | variable | dimensions | unit | also known as |
//! |---|---|---|---|
//! | `cosine` | angle | 1 | `mu`; or `zenith_angle` in degrees |
//! | `optical_depth` | layer, profile | 1 | `tau`; or `transmittance` (layer, angle, profile), `layer_trans` |
//! | `planck_radiance` | layer, profile | a radiance | `planck`; or `temperature` with a scalar `wavenumber` |
//! | `planck_radiance_level` | level, profile | a radiance | or `temperature_level`; for a linear source |
//! | `surface_planck` | profile | a radiance | `planck_sfc`; or `surface_temperature` |
//! | `emissivity` | angle\*, profile\* | 1 | `emis`, `surface_longwave_emissivity` |
//! | `cosmic_background`\* | profile\* | a radiance | `cosmic` |
//! | `weight`\* | angle | 1 | `w`; for a Lambertian surface |
//! | `sun_cosine`\* | profile\* | 1 | or `solar_zenith_angle` in degrees |
//! | `sun_irradiance`\* | profile\* | a radiance times sr | `solar_irradiance`; or `toa_incoming_shortwave_flux`, `rsdt`, on a horizontal surface |
//! | `sun_reflectivity`\* | angle\*, profile\* | 1 | `refl_direct` |
//! | `single_scattering_albedo`\* | layer, profile | 1 | `omega`, `ssa`: with it the layers scatter |
//! | `asymmetry` | layer, profile | 1 | `g`; or `phase_moments` (layer, moment, profile), the first of them 1 |
//!
//! Where temperatures stand for the layers' radiances they do so for the surface, too, and only there.
//!
//! A file with how the ground reflects into other directions in the place of `emissivity` has more: [`directions`].
//!
//! A radiance is an intensity over the whole channel or per wavenumber, wavelength or frequency: all of a file's are of
//! one kind.

pub mod directions;
mod scattering;
mod sun;

use std::ops::Bound;
use std::path::Path;

use isobar_adding::clear_sky::{Options, ProfileViews, Profiles, Reflection};
use isobar_core::Real;
use isobar_core::fields::{self, ANY_UNIT, Declared, Extents};
use isobar_ega::planck;

pub use directions::{DirectionsInput, has_directions, read_directions};
pub use scattering::{Phase, Scattering};

use crate::error::{Error, Place};
use crate::netcdf::{Accepted, Axis, Dataset, Dimension, Field, ItemGrid, Orientation, Remarks, VariableSpec};

/// What the reader is asked for besides the file.
#[derive(Clone, Copy, Debug, Default)]
pub struct AddingOptions {
    /// How the surface reflects.
    pub surface: SurfaceKind,
    /// Is the source linear in optical depth between levels?
    pub linear_source: bool,
}

/// How a surface reflects what it does not emit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SurfaceKind {
    /// Not at all.
    Black,
    /// Each angle into itself.
    #[default]
    Specular,
    /// Into all angles alike.
    Lambertian,
}

/// Profiles and how their file had them.
#[derive(Clone, Debug)]
pub struct AddingInput {
    /// The batch, top first.
    pub profiles: Profiles<f64>,
    /// The file's angles, and how the surface reflects.
    pub options: Options,
    /// The sizes of the batch.
    pub extents: Extents,
    /// Which end of its layers the file has first.
    pub orientation: Orientation,
    /// The unit of all radiances.
    pub radiance_unit: &'static str,
    /// The wavenumber \[cm^-1\] for which temperatures were converted.
    pub wavenumber_per_cm: Option<f64>,
    /// How the layers scatter, if the file says that they do.
    pub scattering: Option<Scattering>,
    /// What was made up, a sentence each.
    pub derived: Vec<String>,
    /// What else there is to say of the file.
    pub remarks: Remarks,
    /// The dimensions of the profiles, if the file has others than `profile`.
    pub grid: ItemGrid,
}

const PROFILE: Axis = Axis::required(Dimension::Profile);
const ANY_PROFILE: Axis = Axis::optional(Dimension::Profile);
const LAYER: Axis = Axis::required(Dimension::Layer);
const LEVEL: Axis = Axis::required(Dimension::Level);
const MOMENT: Axis = Axis::required(Dimension::Moment);
const ANGLE: Axis = Axis::required(Dimension::Angle);
const ANY_ANGLE: Axis = Axis::optional(Dimension::Angle);

const fn spec(
    name: &'static str,
    aliases: &'static [&'static str],
    standard_names: &'static [&'static str],
    unit: &'static str,
    axes: &'static [Axis],
    accepted: Accepted,
) -> VariableSpec<'static> {
    VariableSpec { name, aliases, standard_names, unit, axes, accepted }
}

const fn between(low: f64, high: f64) -> Accepted {
    Accepted { low: Bound::Included(low), high: Bound::Included(high) }
}

/// The range of the other schemes.
const KELVIN: Accepted = between(100.0, 400.0);
const COSINE: VariableSpec = spec("cosine", &["mu"], &[], "1", &[ANGLE], Accepted::COSINE);
const ZENITH_ANGLE: VariableSpec = spec(
    "zenith_angle",
    &["view_zenith_angle"],
    &["sensor_zenith_angle", "platform_zenith_angle", "zenith_angle"],
    "degree",
    &[ANGLE],
    Accepted { low: Bound::Included(0.0), high: Bound::Excluded(90.0) },
);
const TEMPERATURE: VariableSpec =
    spec("temperature", &["T", "t_lay"], &["air_temperature"], "K", &[LAYER, PROFILE], KELVIN);
const TEMPERATURE_LEVEL: VariableSpec =
    spec("temperature_level", &["t_lev"], &["air_temperature"], "K", &[LEVEL, PROFILE], KELVIN);
const SURFACE_TEMPERATURE: VariableSpec =
    spec("surface_temperature", &["t_sfc", "TSK"], &["surface_temperature"], "K", &[ANY_PROFILE], KELVIN);
const WAVENUMBER: VariableSpec = spec(
    "wavenumber",
    &["nu"],
    &["radiation_wavenumber", "sensor_band_central_radiation_wavenumber"],
    "cm-1",
    &[],
    Accepted::POSITIVE,
);
const WEIGHT: VariableSpec = spec("weight", &["w"], &[], "1", &[ANGLE], Accepted::NOT_NEGATIVE);
const SOLAR_ZENITH_ANGLE: VariableSpec =
    spec("solar_zenith_angle", &["sza"], &["solar_zenith_angle"], "degree", &[ANY_PROFILE], between(0.0, 180.0));
/// The variable of a declared field, in this unit where it may have any. What has no layers may leave out profiles and
/// angles, along which it is repeated then.
fn variable(declared: &'static Declared, any_unit: &'static str) -> VariableSpec<'static> {
    let axes: &[Axis] = match declared.shape {
        [] => &[ANY_PROFILE],
        [fields::LAYER] => &[LAYER, PROFILE],
        [fields::LEVEL] => &[LEVEL, PROFILE],
        [fields::LAYER, fields::ANGLE] => &[LAYER, ANGLE, PROFILE],
        [fields::LAYER, fields::MOMENT] => &[LAYER, MOMENT, PROFILE],
        _ => &[ANY_ANGLE, ANY_PROFILE],
    };
    VariableSpec {
        name: declared.file_name,
        aliases: declared.aliases,
        standard_names: declared.standard_names,
        unit: if declared.unit == ANY_UNIT { any_unit } else { declared.unit },
        axes,
        accepted: declared.accepted.into(),
    }
}

/// The variable of a field of clear-sky profiles that has a unit.
fn clear(name: &str) -> VariableSpec<'static> {
    variable(Declared::named(ProfileViews::<f64>::DECLARED, name), ANY_UNIT)
}

/// Opens a file of profiles: all dimensions of its layers and surfaces that are not the scheme's own are those of
/// profiles.
fn open(path: &Path) -> Result<Dataset, Error> {
    let mut file = Dataset::open(path)?;
    file.clamp_rounding();
    file.take_vertical_of(&["K", "Pa", "1"]);
    file.take_levels_for_layers();
    let planck = Radiance { unit: RADIANCES[0].0, irradiance_unit: RADIANCES[0].1, wavenumber_per_cm: None };
    let specs = [
        clear("optical_depth"),
        clear("transmittance"),
        clear("emissivity"),
        TEMPERATURE,
        TEMPERATURE_LEVEL,
        SURFACE_TEMPERATURE,
        planck.spec(&LAYERS),
        planck.spec(&LEVELS),
        planck.spec(&SURFACE),
    ];
    let more = ["dtauc", "rayleigh_optical_depth"].map(str::to_owned);
    let mut names: Vec<String> = specs.iter().filter_map(|spec| file.name_of(spec)).chain(more).collect();
    if !file.has(&clear("emissivity"))? {
        names.extend(directions::names(&file)?);
    }
    file.merge_items(Dimension::Profile, |role| !role.is_of_items(), |variable| names.contains(&variable.name))?;
    Ok(file)
}

/// The kinds of radiance that a file may hold; the first is that which temperatures give.
const RADIANCES: [(&str, &str); 4] = [
    ("mW m-2 sr-1 cm", "mW m-2 cm"),
    ("W m-2 sr-1", "W m-2"),
    ("W m-2 sr-1 um-1", "W m-2 um-1"),
    ("W m-2 sr-1 Hz-1", "W m-2 Hz-1"),
];

/// Reads and checks the profiles of a file.
///
/// # Errors
/// One line with file, variable, index, value and accepted range.
pub fn read_adding(path: &Path, options: &AddingOptions) -> Result<AddingInput, Error> {
    let mut file = open(path)?;
    let invalid = |text: String| Error::invalid(Place::File(path.to_owned()), text);
    let given = !file.has(&clear("optical_depth"))? && file.has(&clear("transmittance"))?;
    let kind = Radiance::of(&file, options)?;
    if let (Some(_), Some((name, _))) = (kind.wavenumber_per_cm, file.name_and_units(&WAVENUMBER)) {
        file.uses(&name);
    }

    // In this order, so that a wrong size is blamed on the variable that is read later.
    let mut absorption = file.read(&clear(if given { "transmittance" } else { "optical_depth" }))?;
    let cosine = match file.read_optional(&COSINE)? {
        Some(cosine) => cosine.values,
        None if file.has(&ZENITH_ANGLE)? => cosines(file.read(&ZENITH_ANGLE)?).values,
        // The message names the cosine.
        None => file.read(&COSINE)?.values,
    };
    let mut planck = kind.read(&mut file, if options.linear_source { &LEVELS } else { &LAYERS })?;
    let surface = kind.read(&mut file, &SURFACE)?;
    let emissivity = file.read(&clear("emissivity"))?;
    let cosmic = kind.read_optional(&mut file, &COSMIC)?;
    let mut derived = Vec::new();
    let sun = read_sun(&mut file, &kind, &mut derived)?;
    let scattering = scattering::Fields::read(&mut file)?;
    if scattering.is_some() {
        let unfit = [
            (given, "layers that scatter need an optical_depth; a transmittance is not enough"),
            (options.linear_source, "layers that scatter have one source each; it cannot be linear in optical depth"),
            (options.surface == SurfaceKind::Black, "below layers that scatter the surface is specular or lambertian"),
        ];
        if let Some((_, why)) = unfit.iter().find(|(unfit, _)| *unfit) {
            return Err(invalid((*why).to_owned()));
        }
        let by_angle: Vec<&Field> = std::iter::once(&emissivity).chain(sun.iter().map(|[.., last]| last)).collect();
        derived.extend(scattering::along_streams(&cosine, &by_angle));
    }
    // Layers that scatter have a quadrature of their own.
    let lambertian = options.surface == SurfaceKind::Lambertian;
    let weight = match (lambertian, &scattering) {
        (true, None) => Some(file.read(&WEIGHT)?.values),
        (true, Some(_)) => Some(vec![1.0; cosine.len()]),
        (false, _) => None,
    };

    let orientation = file.orientation()?;
    absorption.top_first(orientation);
    planck.top_first(orientation);
    let full = |field: Field| file.broadcast(field).values;
    let profiles = file.size(Dimension::Profile).unwrap_or(1);
    let [sun_cosine, sun_irradiance, sun_reflectivity] = sun.map_or_else(Default::default, |sun| sun.map(full));
    let mut profiles = Profiles {
        surface_planck_radiance: full(surface),
        emissivity: full(emissivity),
        cosmic_background: cosmic.map_or_else(|| vec![kind.usual_background(); profiles], full),
        sun_cosine,
        sun_irradiance,
        sun_reflectivity,
        ..Profiles::default()
    };
    *(if given { &mut profiles.transmittance } else { &mut profiles.optical_depth }) = absorption.values;
    let source =
        if options.linear_source { &mut profiles.planck_radiance_level } else { &mut profiles.planck_radiance };
    *source = planck.values;
    let reflection = match weight {
        Some(weight) => Reflection::Lambertian { weight },
        None if options.surface == SurfaceKind::Specular => Reflection::Specular,
        None => Reflection::None,
    };
    let options = Options { reflection, ..Options::new(&cosine) };
    let views = ProfileViews::try_from(&profiles).map_err(|problem| invalid(problem.to_string()))?;
    let extents = options.extents(&views).map_err(|problem| invalid(problem.to_string()))?;
    let scattering = scattering.map(|scattering| scattering.top_first(orientation));
    Ok(AddingInput {
        profiles,
        options,
        extents,
        orientation,
        radiance_unit: kind.unit,
        wavenumber_per_cm: kind.wavenumber_per_cm,
        scattering,
        derived,
        remarks: Remarks::of(&file),
        grid: file.item_grid(),
    })
}

/// The cosines of angles in degrees.
fn cosines(mut degrees: Field) -> Field {
    degrees.values.iter_mut().for_each(|angle| *angle = Real::cos(angle.to_radians()));
    degrees
}

/// Cosine, irradiance and reflectivity of sunlight, if the file has any of them.
fn read_sun(file: &mut Dataset, kind: &Radiance, derived: &mut Vec<String>) -> Result<Option<[Field; 3]>, Error> {
    let irradiance = variable(Declared::named(ProfileViews::<f64>::DECLARED, "sun_irradiance"), kind.irradiance_unit);
    if !sun::has_irradiance(file, &irradiance)? {
        return Ok(None);
    }
    let cosine = match file.read_optional(&clear("sun_cosine"))? {
        Some(cosine) => cosine,
        None if file.has(&SOLAR_ZENITH_ANGLE)? => cosines(file.read(&SOLAR_ZENITH_ANGLE)?),
        None => file.read(&clear("sun_cosine"))?,
    };
    let irradiance = sun::read_irradiance(file, &irradiance, &cosine, derived)?;
    Ok(Some([cosine, irradiance, file.read(&clear("sun_reflectivity"))?]))
}

/// A radiance and the temperature that may stand for it.
struct Emission {
    name: &'static str,
    temperature: Option<&'static VariableSpec<'static>>,
}

const LAYERS: Emission = Emission { name: "planck_radiance", temperature: Some(&TEMPERATURE) };
const LEVELS: Emission = Emission { name: "planck_radiance_level", temperature: Some(&TEMPERATURE_LEVEL) };
const SURFACE: Emission = Emission { name: "surface_planck_radiance", temperature: Some(&SURFACE_TEMPERATURE) };
const COSMIC: Emission = Emission { name: "cosmic_background", temperature: None };

/// What kind of radiances a file has.
struct Radiance {
    unit: &'static str,
    irradiance_unit: &'static str,
    /// Where temperatures stand for them.
    wavenumber_per_cm: Option<f64>,
}

impl Radiance {
    /// As the unit of the layers' (or levels') Planck radiance says.
    fn of(file: &Dataset, options: &AddingOptions) -> Result<Self, Error> {
        Self::of_emission(file, if options.linear_source { &LEVELS } else { &LAYERS })
    }

    fn of_emission(file: &Dataset, emission: &Emission) -> Result<Self, Error> {
        let (unit, irradiance_unit) = RADIANCES[0];
        let planck = Self { unit, irradiance_unit, wavenumber_per_cm: None };
        if !file.has(&planck.spec(emission))?
            && let Some(temperature) = emission.temperature
            && file.has(temperature)?
        {
            let mut again = Dataset::open(file.path())?;
            let wavenumber = again.read(&WAVENUMBER)?.values[0];
            return Ok(Self { wavenumber_per_cm: Some(wavenumber), ..planck });
        }
        for (unit, irradiance_unit) in RADIANCES {
            let kind = Self { unit, irradiance_unit, wavenumber_per_cm: None };
            if file.converts(&kind.spec(emission))? {
                return Ok(kind);
            }
        }
        // Reading it says what is wrong.
        Ok(planck)
    }

    fn spec(&self, emission: &Emission) -> VariableSpec<'static> {
        variable(Declared::named(ProfileViews::<f64>::DECLARED, emission.name), self.unit)
    }

    fn read(&self, file: &mut Dataset, emission: &Emission) -> Result<Field, Error> {
        self.read_as(file, emission, |spec| spec)
    }

    /// As [`Self::read`], of variables that may have other dimensions.
    fn read_as<'a>(
        &self,
        file: &mut Dataset,
        emission: &Emission,
        other: impl Fn(VariableSpec<'static>) -> VariableSpec<'a>,
    ) -> Result<Field, Error> {
        let spec = other(self.spec(emission));
        match (file.read_optional(&spec)?, emission.temperature, self.wavenumber_per_cm) {
            (Some(field), ..) => Ok(field),
            (None, Some(temperature), Some(wavenumber)) => {
                let mut field = file.read(&other(*temperature))?;
                // In mW, as the unit says.
                field.values.iter_mut().for_each(|t| *t = 1e3 * planck::radiance(*t, wavenumber));
                Ok(field)
            }
            (None, ..) => file.read(&spec),
        }
    }

    fn read_optional(&self, file: &mut Dataset, emission: &Emission) -> Result<Option<Field>, Error> {
        file.read_optional(&self.spec(emission))
    }

    /// The background where the file says nothing: that of 2.7255 K where it can be known, else none.
    fn usual_background(&self) -> f64 {
        self.wavenumber_per_cm.map_or(0.0, |wavenumber| 1e3 * planck::radiance(2.7255, wavenumber))
    }
}
