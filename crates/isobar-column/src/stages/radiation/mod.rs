//! Long-wave or short-wave radiation with any k-distribution.

mod memory;
mod options;

use isobar_core::fields::{AnyFieldMut, Declared, Kind, Need, OutputSet, check::complete};
use isobar_core::{Column, Field, FieldMut, Real};
use isobar_launch::{Buffer, Job, Scheme, Shape};
use isobar_radiation::constants::GRAVITY as SCHEME_GRAVITY;
use isobar_radiation::rrtmg::constants::GRAVITY as RRTMG_GRAVITY;
use isobar_radiation::{DeviceTables, FluxViews, ITEM, Memory, Options, Radiation as Spectra};

use self::memory::{Columns, Fluxes, Inputs, Uniform};
pub use self::options::{Above, LongwaveOptions, Ozone, RadiationOptions};
use super::quantity::{
    CLOUD_FRACTION, EMISSION_DERIVATIVE, EMISSION_TEMPERATURE, FLUX_DOWN, FLUX_UP, HEATING, HEATING_DERIVATIVE,
    ICE_PATH, ICE_SIZE, INTERFACE_PRESSURE, LATITUDE, LEVEL_TEMPERATURE, LIQUID_PATH, LIQUID_RADIUS, LONGITUDE, OZONE,
    PRESSURE, SHORTWAVE_DIRECT, SHORTWAVE_DOWN, SHORTWAVE_HEATING, SHORTWAVE_UP, SURFACE_ALBEDO, SURFACE_TEMPERATURE,
    TEMPERATURE, TRACERS, WATER,
};
use crate::constants::{DAY_S, GRAVITY, HEAT_CAPACITY};
use crate::sky::{CONSTANT, FromRadiation, STANDARD, ToRadiation};
use crate::sun::{Sun, nearness};
use crate::{Built, Error, Fields, Precision, Quantity, Stage, State, Step};

/// Nitrogen, which no option has \[mol/mol\].
const NITROGEN: f64 = 0.781;

/// Fluxes and heating of one spectrum, as [`isobar_radiation`] has them, with clouds where the state has them: each
/// g-point sees those of a random sub-column (McICA), others in each step, the same for both spectra; RRTMG_LW's long
/// wave has a clear sky.
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
    /// Columns with the layers above, with these rows of each quantity.
    columns: Buffer<R>,
    column_rows: Columns<usize>,
    /// Seeds of columns.
    seeds: Buffer<u32>,
    /// What comes back.
    fluxes: Buffer<R>,
    flux_rows: Fluxes<usize>,
    /// The values of [`Uniform`].
    uniform: Buffer<R>,
}

impl<R: Precision> Radiation<R> {
    /// With a k-distribution of one spectrum, for the columns of a state, with clouds if the state has them.
    ///
    /// # Errors
    /// None or two k-distributions; clouds without tables of clouds; a tracer that is not there; numbers out of range;
    /// or what the device answers.
    pub fn new(state: &State<R>, scheme: &Spectra<R>, options: &RadiationOptions) -> Result<Self, Error> {
        let (spectra, longwave) = (scheme.spectra(), scheme.spectra().has_longwave());
        if spectra.count() != 1 {
            let problem = format!("a stage has one k-distribution, not {}", spectra.count());
            return Err(Error::Stage { stage: "radiation".into(), problem });
        }
        let refuse = |problem: String| Error::Stage { stage: name(longwave).into(), problem };
        options.check(state.tracers()).map_err(refuse)?;
        let cloudy = state.position(CLOUD_FRACTION.name).is_some();
        if cloudy && spectra.is_rrtmg() {
            // Its sizes of ice are no diameters, as those of the state.
            return Err(refuse("RRTMG_LW's long wave has no clouds here".to_owned()));
        }
        let (queue, columns) = (state.queue(), state.columns());
        let layers = state.layers() + options.layers_above;
        let (column_rows, flux_rows) = (Columns::rows(layers, longwave, cloudy), Fluxes::rows(layers, longwave));
        let ([co2, n2o, co, ch4, o2], emissivity) = (options.gases.mixed_mol_per_mol, options.gases.emissivity);
        let uniform = Uniform { co2, n2o, co, ch4, o2, emissivity, n2: NITROGEN }.map(<R as Real>::from_f64);
        let uniform = queue.upload(&uniform.into_array())?;
        let room = queue.zeros(column_rows.into_array().iter().sum::<usize>() * columns)?;
        let seeds = queue.zeros(if cloudy { columns } else { 0 })?;
        let gravity = if spectra.is_rrtmg() { RRTMG_GRAVITY } else { SCHEME_GRAVITY };
        let scheme_options = Options {
            // Its heating has its own gravity.
            heat_capacity_j_per_kg_k: gravity / GRAVITY * HEAT_CAPACITY,
            derivative: longwave,
            longwave_scattering: options.longwave_scattering,
            overlap: options.overlap,
            ..Options::default()
        };
        let inputs = Inputs {
            columns: column_rows.of(&room, columns),
            seeds: seeds.item_fastest(usize::from(cloudy), seeds.len()),
            uniform: &uniform,
            surface: uniform.constant(0, 1, columns),
        };
        let views = inputs.views(&|_| true, bands(scheme), columns);
        let invalid = |error: isobar_core::fields::Error| refuse(error.to_string());
        let extents = scheme.extents(&views, &scheme_options).map_err(invalid)?;
        let views = complete(&views, &extents, ITEM, &|declared| scheme.need(declared, &scheme_options));
        let shape = Shape::new(scheme, &views.map_err(invalid)?, &extents, &scheme_options);
        <Spectra<R> as Scheme>::PTX.iter().try_for_each(|&ptx| queue.load(ptx))?;
        let tables = Scheme::tables(scheme, queue)?;
        let workspace = scheme.workspace(queue, &tables, &shape, columns)?;
        let fluxes = queue.zeros(flux_rows.into_array().iter().sum::<usize>() * columns)?;
        let (scheme, options, columns) = (scheme.clone(), *options, room);
        Ok(Self {
            scheme,
            longwave,
            cloudy,
            options,
            shape,
            tables,
            workspace,
            columns,
            column_rows,
            seeds,
            fluxes,
            flux_rows,
            uniform,
        })
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
        let cloud_fraction = cloud(CLOUD_FRACTION)?;
        let (liquid_path_g_per_m2, ice_path_g_per_m2) = (cloud(LIQUID_PATH)?, cloud(ICE_PATH)?);
        let (liquid_radius_um, ice_size_um) = (cloud(LIQUID_RADIUS)?, cloud(ICE_SIZE)?);
        let all = self.column_rows.of_mut(&mut self.columns, columns);
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
            cloud_fraction,
            liquid_path_g_per_m2,
            ice_path_g_per_m2,
            liquid_radius_um,
            ice_size_um,
            all_interface_pressure_pa: all.level_pressure_pa,
            all_pressure_pa: all.pressure_pa,
            all_temperature_k: all.temperature_k,
            all_level_temperature_k: all.level_temperature_k,
            all_water_mol_per_mol: all.h2o,
            all_ozone_mol_per_mol: all.o3,
            all_cloud_fraction: all.cloud_fraction,
            all_liquid_path_g_per_m2: all.liquid_path_g_per_m2,
            all_ice_path_g_per_m2: all.ice_path_g_per_m2,
            all_liquid_radius_um: all.liquid_radius_um,
            all_ice_size_um: all.ice_size_um,
            all_irradiance_w_per_m2: all.total_solar_irradiance_w_per_m2,
            all_seed: if cloudy { self.seeds.item_fastest_mut(1, columns) } else { FieldMut::empty() },
        };
        fields.launch_built(&Built::ToRadiation(kernel))?;
        if self.longwave {
            return Ok(());
        }
        let [tilt, angle] = self.options.solar_time.position(self.options.day_of_year, time);
        let sun = Sun {
            latitude_deg: fields.read_column(LATITUDE)?,
            longitude_deg: fields.read_column(LONGITUDE)?,
            declination_rad: real(tilt),
            hour_angle_rad: real(angle),
            cosine_of_zenith: all.cosine_zenith,
            photolysis_factor: all.photolysis_factor,
        };
        fields.launch_built(&Built::Sun(sun))
    }

    /// What the state gets of the results.
    fn give(&mut self, fields: &mut Fields<'_, R>) -> Result<(), Error> {
        let all = self.flux_rows.of(&self.fluxes, fields.columns());
        let interface_pressure_pa = fields.read(INTERFACE_PRESSURE)?;
        let none = FieldMut::empty();
        let kernel = FromRadiation {
            interface_pressure_pa,
            surface_temperature_k: Column::empty(),
            all_up_w_per_m2: all.up,
            all_down_w_per_m2: all.down,
            all_direct_w_per_m2: all.direct,
            all_derivative_w_per_m2_k: all.derivative,
            all_heating_k_per_day: all.heating,
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

fn name(longwave: bool) -> &'static str {
    if longwave { "longwave" } else { "shortwave" }
}

/// The bands of its one k-distribution.
fn bands<R: Precision>(scheme: &Spectra<R>) -> usize {
    let of_rrtmg = scheme.spectra().rrtmg_sizes().map_or(0, |[bands, _]| bands);
    of_rrtmg + scheme.spectra().gas_optics().map(|optics| optics.points_of_bands.len()).sum::<usize>()
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
        let Self { scheme, shape, tables, workspace, uniform, seeds, fluxes, .. } = self;
        let (longwave, options) = (self.longwave, &shape.options);
        let inputs = Inputs {
            columns: self.column_rows.of(&self.columns, columns),
            seeds: if self.cloudy { seeds.item_fastest(1, columns) } else { Field::empty() },
            uniform,
            surface,
        };
        let needed = |declared: &Declared| scheme.need(declared, options) != Need::Ignored;
        let inputs = inputs.views(&needed, bands(scheme), columns);
        let all = self.flux_rows.of_mut(fluxes, columns);
        let outputs = FluxViews::build(&mut |declared| match declared.kind {
            Kind::Real if declared.name.starts_with("longwave") != longwave => AnyFieldMut::Real(FieldMut::empty()),
            Kind::Real => AnyFieldMut::Real(match declared.name {
                "longwave_up_w_per_m2" | "shortwave_up_w_per_m2" => all.up,
                "longwave_down_w_per_m2" | "shortwave_down_w_per_m2" => all.down,
                "shortwave_direct_w_per_m2" => all.direct,
                "longwave_up_derivative_w_per_m2_k" => all.derivative,
                "longwave_heating_k_per_day" | "shortwave_heating_k_per_day" => all.heating,
                _ => FieldMut::empty(),
            }),
            Kind::Word => AnyFieldMut::Word(FieldMut::empty()),
        });
        let extents = shape.extents.with_items(columns);
        scheme.enqueue(Job { queue: fields.queue(), tables, workspace, options, extents, inputs, outputs })?;
        self.give(fields)
    }
}
