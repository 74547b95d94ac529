//! Long-wave or short-wave radiation with any k-distribution of `isobar-optics`.

use isobar_core::fields::{AnyField, AnyFieldMut, Declared, InputSet, Kind, Need, OutputSet, check::complete};
use isobar_core::{Column, Field, FieldMut, Real};
use isobar_launch::{Buffer, Job, Scheme, Shape};
use isobar_radiation::constants::GRAVITY as SCHEME_GRAVITY;
use isobar_radiation::{
    ColumnViews, DeviceTables, FluxViews, ITEM, LongwaveScattering, Memory, Options, Overlap, Radiation as Spectra,
};

use super::longwave::{LongwaveOptions, Ozone};
use super::quantity::{
    CLOUD_FRACTION, EMISSION_DERIVATIVE, EMISSION_TEMPERATURE, FLUX_DOWN, FLUX_UP, HEATING, HEATING_DERIVATIVE,
    ICE_PATH, ICE_SIZE, INTERFACE_PRESSURE, LATITUDE, LEVEL_TEMPERATURE, LIQUID_PATH, LIQUID_RADIUS, LONGITUDE, OZONE,
    PRESSURE, SHORTWAVE_DIRECT, SHORTWAVE_DOWN, SHORTWAVE_HEATING, SHORTWAVE_UP, SURFACE_ALBEDO, SURFACE_TEMPERATURE,
    TEMPERATURE, TRACERS, WATER,
};
use crate::constants::{DAY_S, GRAVITY, HEAT_CAPACITY};
use crate::ground::SOLAR_CONSTANT;
use crate::sky::{CONSTANT, FromRadiation, STANDARD, ToRadiation};
use crate::sun::{Sun, declination, hour_angle, nearness};
use crate::{Built, Error, Fields, Precision, Quantity, Stage, State, Step};

/// The temperature of the layers above the model's top.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Above {
    /// That of the model's uppermost layer.
    Constant,
    /// It goes over to that of the US Standard Atmosphere.
    #[default]
    Standard,
}

/// What a spectrum needs besides the columns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RadiationOptions {
    /// Gases that are mixed well, nitrogen aside, ozone, and the emissivity of the ground.
    pub gases: LongwaveOptions,
    /// Layers above the model's top, for radiation alone ([`crate::sky`]), up to 1000.
    pub layers_above: usize,
    /// Their temperature.
    pub above: Above,
    /// Do clouds scatter the long wave?
    pub longwave_scattering: LongwaveScattering,
    /// How clouds of different layers overlap: not less with distance.
    pub overlap: Overlap,
    /// Day of the year at time 0, as of [`super::Sun`].
    pub day_of_year: f64,
    /// The sun's irradiance at its mean distance \[W/m^2\].
    pub total_solar_irradiance_w_per_m2: f64,
}

/// Ten layers above, the Standard Atmosphere's; the first of January.
impl Default for RadiationOptions {
    fn default() -> Self {
        Self {
            gases: LongwaveOptions::default(),
            layers_above: 10,
            above: Above::default(),
            longwave_scattering: LongwaveScattering::default(),
            overlap: Overlap::default(),
            day_of_year: 1.0,
            total_solar_irradiance_w_per_m2: SOLAR_CONSTANT,
        }
    }
}

/// Fluxes and heating of one spectrum, as [`isobar_radiation`] has them, with clouds where the state has them: each
/// g-point sees those of a random sub-column (McICA), others in each step, the same for both spectra.
///
/// Heat capacity and gravity are the column model's, so that the heating is the divergence of the fluxes there. The
/// long wave leaves how its fluxes and heating follow the ground's temperature. The sun is that in the middle of the
/// time for which the fluxes hold. Temperatures and sizes of particles are not compared with the ranges of the tables:
/// beyond, ecCKD's hold the values of their ends, RRTMGP's go on in a line.
pub struct Radiation<R: Precision> {
    scheme: Spectra<R>,
    longwave: bool,
    cloudy: bool,
    options: RadiationOptions,
    shape: Shape<Spectra<R>>,
    tables: DeviceTables<R>,
    workspace: Memory<R>,
    rows: Rows,
    /// Columns with the layers above, part by part as [`Rows::columns`] says.
    columns: Buffer<R>,
    /// Seeds of columns.
    seeds: Buffer<u32>,
    /// What comes back, as [`Rows::fluxes`] says.
    fluxes: Buffer<R>,
    /// The values of [`ONES`].
    ones: Buffer<R>,
}

/// What has one value for all.
const ONES: [&str; 7] = ["co2", "n2o", "co", "ch4", "o2", "emissivity", "n2"];
/// The rest of the air \[mol/mol\].
const NITROGEN: f64 = 0.781;

/// The names of the parts of columns as the scheme has them.
const COLUMNS: [&str; 13] = [
    "level_pressure_pa",
    "pressure_pa",
    "temperature_k",
    "level_temperature_k",
    "h2o",
    "o3",
    "cloud_fraction",
    "liquid_path_g_per_m2",
    "ice_path_g_per_m2",
    "liquid_radius_um",
    "ice_size_um",
    "total_solar_irradiance_w_per_m2",
    "cosine_zenith",
];

/// The rows of what the stage keeps, layers above included.
#[derive(Clone, Copy, Debug)]
struct Rows {
    /// Of [`COLUMNS`], and of the photolysis factor, which nobody reads.
    columns: [usize; COLUMNS.len() + 1],
    /// Upward, downward, direct, derivative, heating.
    fluxes: [usize; 5],
}

impl Rows {
    fn new(layers: usize, longwave: bool, cloudy: bool) -> Self {
        let levels = layers + 1;
        let (cloud, sun) = (if cloudy { layers } else { 0 }, usize::from(!longwave));
        let warmth = if longwave { levels } else { 0 };
        Self {
            columns: [levels, layers, layers, levels, layers, layers, cloud, cloud, cloud, cloud, cloud, sun, sun, sun],
            fluxes: [levels, levels, levels - warmth, warmth, layers],
        }
    }
}

/// Views of parts of a buffer, without items where a part has no rows.
fn parts<'b, R: Precision, const N: usize>(
    buffer: &'b Buffer<R>,
    rows: &[usize; N],
    columns: usize,
) -> [Field<'b, R>; N] {
    let mut views = buffer.parts(rows, columns);
    rows.map(|rows| {
        let view = views.next().expect("as many as rows");
        if rows == 0 { Field::empty() } else { view }
    })
}

/// The same, to write.
fn parts_mut<'b, R: Precision, const N: usize>(
    buffer: &'b mut Buffer<R>,
    rows: &[usize; N],
    columns: usize,
) -> [FieldMut<'b, R>; N] {
    let mut views = buffer.parts_mut(rows, columns);
    rows.map(|rows| {
        let view = views.next().expect("as many as rows");
        if rows == 0 { FieldMut::empty() } else { view }
    })
}

impl<R: Precision> Radiation<R> {
    /// With a k-distribution of one spectrum, for the columns of a state, with clouds if the state has them.
    ///
    /// # Errors
    /// None or two k-distributions; clouds without tables of clouds; a tracer that is not there; numbers out of range;
    /// or what the device answers.
    pub fn new(state: &State<R>, scheme: &Spectra<R>, options: &RadiationOptions) -> Result<Self, Error> {
        let spectra: Vec<bool> = scheme.spectra().gas_optics().map(|optics| optics.is_longwave()).collect();
        let [longwave] = spectra[..] else {
            let problem = format!("a stage has one k-distribution, not {}", spectra.len());
            return Err(Error::Stage { stage: "radiation".into(), problem });
        };
        let refuse = |problem: String| Error::Stage { stage: name(longwave).into(), problem };
        options.check(state.tracers()).map_err(refuse)?;
        let cloudy = state.position(CLOUD_FRACTION.name).is_some();
        let (queue, columns) = (state.queue(), state.columns());
        let rows = Rows::new(state.layers() + options.layers_above, longwave, cloudy);
        let ones = options.gases.mixed_mol_per_mol.into_iter().chain([options.gases.emissivity, NITROGEN]);
        let ones: Vec<R> = ones.map(<R as Real>::from_f64).collect();
        let (ones, room) = (queue.upload(&ones)?, queue.zeros(rows.columns.iter().sum::<usize>() * columns)?);
        let seeds = queue.zeros(if cloudy { columns } else { 0 })?;
        let scheme_options = Options {
            // Its heating has its own gravity.
            heat_capacity_j_per_kg_k: SCHEME_GRAVITY / GRAVITY * HEAT_CAPACITY,
            derivative: longwave,
            longwave_scattering: options.longwave_scattering,
            overlap: options.overlap,
            ..Options::default()
        };
        let inputs = Inputs {
            columns: parts(&room, &rows.columns, columns),
            seeds: seeds.item_fastest(usize::from(cloudy), seeds.len()),
            ones: &ones,
            surface: ones.constant(0, 1, columns),
        };
        let views = inputs.views(&|_| true, bands(scheme), columns);
        let invalid = |error: isobar_core::fields::Error| refuse(error.to_string());
        let extents = scheme.extents(&views, &scheme_options).map_err(invalid)?;
        let views = complete(&views, &extents, ITEM, &|declared| scheme.need(declared, &scheme_options));
        let shape = Shape::new(scheme, &views.map_err(invalid)?, &extents, &scheme_options);
        <Spectra<R> as Scheme>::PTX.iter().try_for_each(|&ptx| queue.load(ptx))?;
        let tables = Scheme::tables(scheme, queue)?;
        let workspace = scheme.workspace(queue, &tables, &shape, columns)?;
        let fluxes = queue.zeros(rows.fluxes.iter().sum::<usize>() * columns)?;
        let (scheme, options, columns) = (scheme.clone(), *options, room);
        Ok(Self { scheme, longwave, cloudy, options, shape, tables, workspace, rows, columns, seeds, fluxes, ones })
    }

    /// Columns with layers above for the scheme.
    fn fill(&mut self, fields: &mut Fields<'_, R>, step: &Step) -> Result<(), Error> {
        let columns = fields.columns();
        let time = step.middle_s();
        let day = self.options.day_of_year + time / DAY_S;
        let real = <R as Real>::from_f64;
        let ozone = match self.options.gases.ozone {
            Ozone::Field => fields.read(OZONE)?,
            Ozone::Tracer(number) => fields.read(TRACERS)?.range(number * columns..(number + 1) * columns),
        };
        let cloudy = self.cloudy;
        let mut cloud = |quantity| if cloudy { fields.read(quantity) } else { Ok(Field::empty()) };
        let clouds =
            [cloud(CLOUD_FRACTION)?, cloud(LIQUID_PATH)?, cloud(ICE_PATH)?, cloud(LIQUID_RADIUS)?, cloud(ICE_SIZE)?];
        let [
            all_interface_pressure_pa,
            all_pressure_pa,
            all_temperature_k,
            all_level_temperature_k,
            all_water_mol_per_mol,
            all_ozone_mol_per_mol,
            all_cloud_fraction,
            all_liquid_path_g_per_m2,
            all_ice_path_g_per_m2,
            all_liquid_radius_um,
            all_ice_size_um,
            all_irradiance_w_per_m2,
            cosine_of_zenith,
            photolysis_factor,
        ] = parts_mut(&mut self.columns, &self.rows.columns, columns);
        let factor: f64 = nearness(day);
        let kernel = ToRadiation {
            above: if self.options.above == Above::Constant { CONSTANT } else { STANDARD },
            // It begins anew after 2^32 steps.
            seed: step.number as u32,
            irradiance_w_per_m2: real(self.options.total_solar_irradiance_w_per_m2 * factor),
            interface_pressure_pa: fields.read(INTERFACE_PRESSURE)?,
            pressure_pa: fields.read(PRESSURE)?,
            temperature_k: fields.read(TEMPERATURE)?,
            level_temperature_k: fields.read(LEVEL_TEMPERATURE)?,
            water_mol_per_mol: fields.read(WATER)?,
            ozone_mol_per_mol: ozone,
            cloud_fraction: clouds[0],
            liquid_path_g_per_m2: clouds[1],
            ice_path_g_per_m2: clouds[2],
            liquid_radius_um: clouds[3],
            ice_size_um: clouds[4],
            all_interface_pressure_pa,
            all_pressure_pa,
            all_temperature_k,
            all_level_temperature_k,
            all_water_mol_per_mol,
            all_ozone_mol_per_mol,
            all_cloud_fraction,
            all_liquid_path_g_per_m2,
            all_ice_path_g_per_m2,
            all_liquid_radius_um,
            all_ice_size_um,
            all_irradiance_w_per_m2,
            all_seed: if cloudy { self.seeds.item_fastest_mut(1, columns) } else { FieldMut::empty() },
        };
        fields.launch_built(&Built::ToRadiation(kernel))?;
        if self.longwave {
            return Ok(());
        }
        let tilt: f64 = declination(day);
        let sun = Sun {
            latitude_deg: fields.read_column(LATITUDE)?,
            longitude_deg: fields.read_column(LONGITUDE)?,
            declination_rad: real(tilt),
            hour_angle_rad: real(hour_angle(time)),
            cosine_of_zenith,
            photolysis_factor,
        };
        fields.launch_built(&Built::Sun(sun))
    }

    /// What the state gets of the results.
    fn give(&mut self, fields: &mut Fields<'_, R>) -> Result<(), Error> {
        let [up, down, direct, derivative, heating] = parts(&self.fluxes, &self.rows.fluxes, fields.columns());
        let interface_pressure_pa = fields.read(INTERFACE_PRESSURE)?;
        let none = FieldMut::empty();
        let kernel = FromRadiation {
            interface_pressure_pa,
            surface_temperature_k: Column::empty(),
            all_up_w_per_m2: up,
            all_down_w_per_m2: down,
            all_direct_w_per_m2: direct,
            all_derivative_w_per_m2_k: derivative,
            all_heating_k_per_day: heating,
            up_w_per_m2: fields.write(if self.longwave { FLUX_UP } else { SHORTWAVE_UP })?,
            down_w_per_m2: fields.write(if self.longwave { FLUX_DOWN } else { SHORTWAVE_DOWN })?,
            direct_w_per_m2: none,
            heating_k_per_day: fields.write(if self.longwave { HEATING } else { SHORTWAVE_HEATING })?,
            heating_derivative_per_day: none,
            emission_derivative_w_per_m2_k: none,
            emission_temperature_k: none,
        };
        let kernel = if self.longwave {
            FromRadiation {
                surface_temperature_k: fields.read_column(SURFACE_TEMPERATURE)?,
                heating_derivative_per_day: fields.write(HEATING_DERIVATIVE)?,
                emission_derivative_w_per_m2_k: fields.write(EMISSION_DERIVATIVE)?,
                emission_temperature_k: fields.write(EMISSION_TEMPERATURE)?,
                ..kernel
            }
        } else {
            FromRadiation { direct_w_per_m2: fields.write(SHORTWAVE_DIRECT)?, ..kernel }
        };
        fields.launch_built(&Built::FromRadiation(kernel))
    }
}

impl RadiationOptions {
    fn check(&self, tracers: usize) -> Result<(), String> {
        if let Ozone::Tracer(number) = self.gases.ozone
            && number >= tracers
        {
            return Err(format!("there is no tracer {number}: there are {tracers}"));
        }
        let ones = self.gases.mixed_mol_per_mol.iter().chain([&self.gases.emissivity]);
        if let Some(value) = ones.copied().find(|value| !(0.0..=1.0).contains(value)) {
            return Err(format!("{value} is no mole fraction or emissivity in [0, 1]"));
        }
        if self.overlap.is_exponential() {
            return Err("clouds whose overlap is less with distance are not there".to_owned());
        }
        if self.layers_above > 1000 {
            return Err(format!("{} layers above the top are not in [0, 1000]", self.layers_above));
        }
        let irradiance = self.total_solar_irradiance_w_per_m2;
        if !(0.0..=9000.0).contains(&irradiance) {
            return Err(format!("an irradiance of {irradiance} W/m^2 is not in [0, 9000]"));
        }
        Ok(())
    }
}

fn name(longwave: bool) -> &'static str {
    if longwave { "longwave" } else { "shortwave" }
}

/// The bands of its one k-distribution.
fn bands<R: Precision>(scheme: &Spectra<R>) -> usize {
    scheme.spectra().gas_optics().map(|optics| optics.points_of_bands.len()).sum()
}

/// What the scheme reads.
struct Inputs<'v, R: Precision> {
    columns: [Field<'v, R>; COLUMNS.len() + 1],
    seeds: Field<'v, u32>,
    ones: &'v Buffer<R>,
    /// The ground's temperature or albedo.
    surface: Field<'v, R>,
}

impl<'v, R: Precision> Inputs<'v, R> {
    fn views(&self, needed: &dyn Fn(&Declared) -> bool, bands: usize, columns: usize) -> ColumnViews<'v, R> {
        ColumnViews::build(&mut |declared| {
            let one = ONES.iter().position(|&name| name == declared.name);
            let part = COLUMNS.iter().position(|&name| name == declared.name);
            match (declared.kind, declared.name) {
                (Kind::Word, _) => AnyField::Word(self.seeds),
                _ if !needed(declared) => AnyField::Real(Field::empty()),
                (_, "surface_temperature_k") => AnyField::Real(self.surface),
                (_, "surface_albedo_direct" | "surface_albedo_diffuse") => {
                    // SAFETY: the one row is that of each band.
                    let view =
                        unsafe { Field::from_raw(self.surface.as_ptr(), bands, columns, 0, self.surface.strides().1) };
                    AnyField::Real(view)
                }
                (_, "emissivity") => AnyField::Real(self.ones.constant(one.expect("it is there"), bands, columns)),
                _ => AnyField::Real(match (part, one) {
                    (Some(part), _) => self.columns[part],
                    (_, Some(one)) => self.ones.constant(one, self.columns[1].levels(), columns),
                    _ => Field::empty(),
                }),
            }
        })
    }
}

impl<R: Precision> Stage<R> for Radiation<R> {
    fn name(&self) -> &str {
        name(self.longwave)
    }

    fn reads(&self) -> Vec<Quantity> {
        let ozone = if self.options.gases.ozone == Ozone::Field { OZONE } else { TRACERS };
        let air = [INTERFACE_PRESSURE, PRESSURE, TEMPERATURE, LEVEL_TEMPERATURE, WATER, ozone];
        let ground = if self.longwave { &[SURFACE_TEMPERATURE][..] } else { &[SURFACE_ALBEDO, LATITUDE, LONGITUDE] };
        let clouds = [CLOUD_FRACTION, LIQUID_PATH, ICE_PATH, LIQUID_RADIUS, ICE_SIZE];
        [&air[..], ground, if self.cloudy { &clouds } else { &[] }].concat()
    }

    fn writes(&self) -> Vec<Quantity> {
        if self.longwave {
            vec![FLUX_UP, FLUX_DOWN, HEATING, HEATING_DERIVATIVE, EMISSION_DERIVATIVE, EMISSION_TEMPERATURE]
        } else {
            vec![SHORTWAVE_UP, SHORTWAVE_DOWN, SHORTWAVE_DIRECT, SHORTWAVE_HEATING]
        }
    }

    fn run(&mut self, fields: &mut Fields<'_, R>, step: &Step) -> Result<(), Error> {
        self.fill(fields, step)?;
        let columns = fields.columns();
        let surface = fields.read(if self.longwave { SURFACE_TEMPERATURE } else { SURFACE_ALBEDO })?;
        let Self { scheme, shape, tables, workspace, rows, ones, seeds, fluxes, .. } = self;
        let (longwave, options) = (self.longwave, &shape.options);
        let inputs = Inputs {
            columns: parts(&self.columns, &rows.columns, columns),
            seeds: if self.cloudy { seeds.item_fastest(1, columns) } else { Field::empty() },
            ones,
            surface,
        };
        let needed = |declared: &Declared| scheme.need(declared, options) != Need::Ignored;
        let inputs = inputs.views(&needed, bands(scheme), columns);
        let [up, down, direct, derivative, heating] = parts_mut(fluxes, &rows.fluxes, columns);
        let outputs = FluxViews::build(&mut |declared| match declared.kind {
            Kind::Real if declared.name.starts_with("longwave") != longwave => AnyFieldMut::Real(FieldMut::empty()),
            Kind::Real => AnyFieldMut::Real(match declared.name {
                "longwave_up_w_per_m2" | "shortwave_up_w_per_m2" => up,
                "longwave_down_w_per_m2" | "shortwave_down_w_per_m2" => down,
                "shortwave_direct_w_per_m2" => direct,
                "longwave_up_derivative_w_per_m2_k" => derivative,
                "longwave_heating_k_per_day" | "shortwave_heating_k_per_day" => heating,
                _ => FieldMut::empty(),
            }),
            Kind::Word => AnyFieldMut::Word(FieldMut::empty()),
        });
        let extents = shape.extents.with_items(columns);
        scheme.enqueue(Job { queue: fields.queue(), tables, workspace, options, extents, inputs, outputs })?;
        self.give(fields)
    }
}
