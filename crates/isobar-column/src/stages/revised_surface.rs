//! The revised MM5 surface layer.

use isobar_core::fields::{AnyField, AnyFieldMut, Declared, Extents, InputSet, Kind, Need, OutputSet};
use isobar_core::{Field, FieldMut, Real};
use isobar_launch::{Buffer, Job, Plain, Scheme};
use isobar_surface::{ColumnViews, Fluxes, Options, ResultViews, SurfaceLayer};

use super::quantity::{
    BOUNDARY_LAYER_HEIGHT, EXCHANGE_HEAT, EXCHANGE_MOISTURE, FRICTION_VELOCITY, LAND_OR_WATER, MOISTURE_AVAILABILITY,
    MOISTURE_FLUX, OROGRAPHY_DEVIATION, POTENTIAL_HEAT_FLUX, PRESSURE, PROFILE_HEAT, PROFILE_MOMENTUM, RICHARDSON,
    ROUGHNESS, SENSIBLE_HEAT_FLUX, SURFACE_PRESSURE, SURFACE_TEMPERATURE, TEMPERATURE, TEMPERATURE_SCALE, THICKNESS,
    VAPOUR, WATER_DEPTH, WIND_EAST, WIND_EAST_10M, WIND_NORTH, WIND_NORTH_10M, WIND_SPEED,
};
use crate::downgradient::Downgradient;
use crate::{Built, Error, Fields, Precision, Quantity, Stage, State, Step};

/// The distance of columns for which gusts are none of a grid's \[m\].
const GRID_LENGTH: f64 = 1.0;

/// What is read; of fields of layers the lowest one.
const READ: [(&str, Quantity); 11] = [
    ("u_m_per_s", WIND_EAST),
    ("v_m_per_s", WIND_NORTH),
    ("temperature_k", TEMPERATURE),
    ("vapour_kg_per_kg", VAPOUR),
    ("pressure_pa", PRESSURE),
    ("thickness_m", THICKNESS),
    ("surface_pressure_pa", SURFACE_PRESSURE),
    ("boundary_layer_height_m", BOUNDARY_LAYER_HEIGHT),
    ("moisture_availability", MOISTURE_AVAILABILITY),
    ("land_or_water", LAND_OR_WATER),
    ("surface_temperature_k", SURFACE_TEMPERATURE),
];

/// What is read with options that need it.
const BY_OPTIONS: [(&str, Quantity); 2] =
    [("water_depth_m", WATER_DEPTH), ("orography_deviation_m", OROGRAPHY_DEVIATION)];

/// What the step before left, and what is in its place now.
const CONTINUED: [(&str, Quantity); 5] = [
    ("roughness_m", ROUGHNESS),
    ("friction_velocity_m_per_s", FRICTION_VELOCITY),
    ("temperature_scale_k", TEMPERATURE_SCALE),
    // WRF's flux of heat is one of potential enthalpy: `crate::surface_flux`.
    ("sensible_heat_flux_w_per_m2", POTENTIAL_HEAT_FLUX),
    ("moisture_flux_kg_per_m2_s", MOISTURE_FLUX),
];

/// What else is written.
const WRITTEN: [(&str, Quantity); 8] = [
    ("profile_momentum", PROFILE_MOMENTUM),
    ("profile_heat", PROFILE_HEAT),
    ("wind_speed_m_per_s", WIND_SPEED),
    ("richardson", RICHARDSON),
    ("exchange_heat_w_per_m2_k", EXCHANGE_HEAT),
    ("exchange_moisture_kg_per_m2_s", EXCHANGE_MOISTURE),
    ("u_10m_m_per_s", WIND_EAST_10M),
    ("v_10m_m_per_s", WIND_NORTH_10M),
];

/// Fluxes of heat, water and momentum by the revised MM5 surface layer ([`isobar_surface`]), in place of
/// [`super::SurfaceFlux`]. Over water the roughness is that of the waves. The air at a surface of land is saturated,
/// as far as there is moisture ([`MOISTURE_AVAILABILITY`]). Fluxes go from more to less ([`crate::downgradient`]).
pub struct RevisedSurface<R: Precision + Plain> {
    options: Options,
    tables: Buffer<R>,
    grid_length: Buffer<R>,
    /// For that of saturated air.
    surface_vapour: Buffer<R>,
    statuses: Buffer<u32>,
    words: Buffer<u32>,
}

impl<R: Precision> RevisedSurface<R> {
    /// For the columns of a state; one that has no friction velocity yet starts from rest.
    ///
    /// # Errors
    /// Options that exclude each other, fluxes that are given, or what the device answers. Without the depth of water
    /// or the deviation of heights that options need, steps fail.
    pub fn new(state: &mut State<R>, options: Options) -> Result<Self, Error> {
        let refuse = |problem: String| Error::Stage { stage: NAME.into(), problem };
        options.check().map_err(|error| refuse(error.to_string()))?;
        if options.fluxes == Fluxes::Given {
            return Err(refuse("fluxes that are given are for the similarity".into()));
        }
        let real = <R as Real>::from_f64;
        state.make(FRICTION_VELOCITY, NAME)?;
        state.make(TEMPERATURE_SCALE, NAME)?;
        let (queue, columns) = (state.queue(), state.columns());
        SurfaceLayer::<R>::PTX.iter().try_for_each(|&ptx| queue.load(ptx))?;
        let tables = SurfaceLayer::<R>::scheme().tables(queue)?;
        Ok(Self {
            options,
            tables,
            grid_length: queue.upload(&vec![real(GRID_LENGTH); columns])?,
            surface_vapour: queue.zeros(columns)?,
            statuses: queue.zeros(columns)?,
            words: queue.zeros(columns)?,
        })
    }

    /// What the options need besides.
    fn by_options(&self) -> impl Iterator<Item = (&'static str, Quantity)> {
        let needed = |name: &str| self.options.need(Declared::named(ColumnViews::<f64>::DECLARED, name));
        BY_OPTIONS.into_iter().filter(move |(name, _)| needed(name) == Need::Required)
    }
}

const NAME: &str = "surface_flux";

/// The field of a name.
fn of_name(all: &[(&str, Quantity)], declared: &Declared) -> Option<usize> {
    all.iter().position(|(name, _)| *name == declared.name)
}

impl<R: Precision> Stage<R> for RevisedSurface<R> {
    fn name(&self) -> &str {
        NAME
    }

    fn reads(&self) -> Vec<Quantity> {
        READ.iter().copied().chain(self.by_options()).chain(CONTINUED).map(|(_, quantity)| quantity).collect()
    }

    fn writes(&self) -> Vec<Quantity> {
        let of_scheme = CONTINUED.iter().chain(&WRITTEN).map(|(_, quantity)| *quantity);
        of_scheme.chain([SENSIBLE_HEAT_FLUX]).collect()
    }

    fn run(&mut self, fields: &mut Fields<'_, R>, _step: &Step) -> Result<(), Error> {
        let columns = fields.columns();
        let names: Vec<_> = READ.into_iter().chain(self.by_options()).collect();
        let read = names.iter().map(|(_, quantity)| fields.read(*quantity)).collect::<Result<Vec<_>, _>>()?;
        let continued = CONTINUED.iter().map(|(_, quantity)| fields.write(*quantity)).collect::<Result<Vec<_>, _>>()?;
        let written = WRITTEN.iter().map(|(_, quantity)| fields.write(*quantity)).collect::<Result<Vec<_>, _>>()?;
        let Self { options, tables, grid_length, surface_vapour, statuses, words } = self;
        let inputs = <ColumnViews<'_, R>>::build(&mut |declared| {
            let view = if let Some(place) = of_name(&names, declared) {
                read[place]
            } else if let Some(place) = of_name(&CONTINUED, declared) {
                // SAFETY: the field's own memory. A column is read before it is written, by the thread that writes it.
                unsafe { Field::from_raw(continued[place].as_ptr(), 1, columns, columns as isize, 1) }
            } else {
                match declared.name {
                    "grid_length_m" => grid_length.item_fastest(1, columns),
                    "surface_vapour_kg_per_kg" => surface_vapour.item_fastest(1, columns),
                    _ => Field::empty(),
                }
            };
            AnyField::Real(view)
        });
        let mut words = Some(words.item_fastest_mut(1, columns));
        let outputs = <ResultViews<'_, R>>::build(&mut |declared| {
            if declared.kind == Kind::Word {
                let view = if declared.name == "status" { words.take() } else { None };
                return AnyFieldMut::Word(view.unwrap_or(FieldMut::empty()));
            }
            AnyFieldMut::Real(if let Some(place) = of_name(&CONTINUED, declared) {
                continued[place]
            } else if let Some(place) = of_name(&WRITTEN, declared) {
                written[place]
            } else {
                FieldMut::empty()
            })
        });
        let (queue, extents) = (fields.queue(), Extents::new(columns));
        SurfaceLayer::<R>::scheme().enqueue(Job {
            queue,
            tables,
            workspace: statuses,
            options,
            extents,
            inputs,
            outputs,
        })?;
        fields.next_kernel();
        let kernel = Downgradient {
            surface_pressure_pa: fields.read_column(SURFACE_PRESSURE)?,
            exchange_heat_w_per_m2_k: fields.write(EXCHANGE_HEAT)?,
            exchange_moisture_kg_per_m2_s: fields.write(EXCHANGE_MOISTURE)?,
            potential_heat_flux_w_per_m2: fields.write(POTENTIAL_HEAT_FLUX)?,
            sensible_heat_flux_w_per_m2: fields.write(SENSIBLE_HEAT_FLUX)?,
            moisture_flux_kg_per_m2_s: fields.write(MOISTURE_FLUX)?,
        };
        fields.launch_built(&Built::Downgradient(kernel))
    }
}
