//! Results that are kept as the run goes on.

use isobar_column::stages::{Forced, quantity as q};
use isobar_column::{Precision, Quantity};
use isobar_launch::Plain;

use super::blocks::Blocks;
use super::error::Error;
use super::setup::Setup;
use super::team::Member;
use super::team::share::{columns_of, join};

/// What is kept of every column.
pub(super) const KEPT: [Quantity; 50] = [
    q::POTENTIAL_TEMPERATURE,
    q::TEMPERATURE,
    q::VAPOUR,
    q::WIND_EAST,
    q::WIND_NORTH,
    q::THICKNESS,
    q::DIFFUSIVITY_HEAT,
    q::DIFFUSIVITY_MOMENTUM,
    q::HEATING,
    q::FLUX_UP,
    q::FLUX_DOWN,
    q::SHORTWAVE_HEATING,
    q::SHORTWAVE_UP,
    q::SHORTWAVE_DOWN,
    q::SHORTWAVE_DIRECT,
    q::GROUND_HEAT_FLUX,
    q::GROUND_HEAT_GAINED,
    q::COSINE_OF_ZENITH,
    q::PHOTOLYSIS_FACTOR,
    q::SURFACE_TEMPERATURE,
    q::FRICTION_VELOCITY,
    q::RICHARDSON,
    q::WIND_EAST_10M,
    q::WIND_NORTH_10M,
    q::WIND_SPEED,
    q::SENSIBLE_HEAT_FLUX,
    q::MOISTURE_FLUX,
    q::ROUGHNESS,
    q::BOUNDARY_LAYER_HEIGHT,
    q::CONVECTIVE_VELOCITY,
    q::ENTRAINMENT_DEPTH,
    q::COLUMN_HEATING,
    q::COLUMN_MOISTENING,
    q::HEAT_GAINED,
    q::WATER_GAINED,
    q::ENTHALPY,
    q::WATER_CONTENT,
    q::PRECIPITATION,
    q::CLAMPS,
    q::GEOSTROPHIC_EAST,
    q::GEOSTROPHIC_NORTH,
    q::VERTICAL_VELOCITY,
    q::PRESSURE_VELOCITY,
    q::TEMPERATURE_ADVECTION,
    q::VAPOUR_ADVECTION,
    q::WIND_EAST_ADVECTION,
    q::WIND_NORTH_ADVECTION,
    q::TRACERS,
    q::TRACERS_GAINED,
    q::TRACERS_CONTENT,
];
/// What does not change; clouds where there are some.
const CONSTANT: [Quantity; 10] = [
    q::PRESSURE,
    q::INTERFACE_PRESSURE,
    q::EXNER,
    q::LATITUDE,
    q::LONGITUDE,
    q::ROUGHNESS,
    q::ROUGHNESS_HEAT,
    q::CLOUD_FRACTION,
    q::LIQUID_PATH,
    q::ICE_PATH,
];
/// What is there without a long wave, and says nothing then.
const LONGWAVE: [Quantity; 3] = [q::HEATING, q::FLUX_UP, q::FLUX_DOWN];
/// What is there without a short wave, and says nothing then.
const SHORTWAVE: [Quantity; 4] = [q::SHORTWAVE_HEATING, q::SHORTWAVE_UP, q::SHORTWAVE_DOWN, q::SHORTWAVE_DIRECT];
/// What is there without being prescribed, and says nothing then.
const FORCED: [Forced; 8] = [
    Forced::GeostrophicEast,
    Forced::GeostrophicNorth,
    Forced::VerticalVelocity,
    Forced::PressureVelocity,
    Forced::Temperature,
    Forced::Vapour,
    Forced::WindEast,
    Forced::WindNorth,
];
/// What is there without any radiation, and says nothing then.
const RADIATION: [Quantity; 1] = [q::CLAMPS];
/// What is there over ground that is given, and says nothing then.
const SLAB: [Quantity; 2] = [q::GROUND_HEAT_FLUX, q::GROUND_HEAT_GAINED];

/// Results at some times, of some columns.
pub struct Records<R> {
    /// Since midnight at longitude 0 of the first day \[s\].
    pub times: Vec<f64>,
    /// Fields with their values, `[(time * rows + row) * columns + column]`: a row a layer, level or tracer, as the
    /// quantity's shape says, the lowest layer first.
    pub fields: Vec<(Quantity, Vec<R>)>,
    /// Fields that are the same at all times, `[row * columns + column]`.
    pub constant: Vec<(Quantity, Vec<R>)>,
}

impl<R: Precision> Records<R> {
    /// Leaves out the values of some columns, of so many.
    pub(super) fn leave_out(&mut self, which: &[usize], columns: usize) {
        for (_, values) in self.fields.iter_mut().chain(&mut self.constant) {
            for row in values.chunks_mut(columns) {
                which.iter().for_each(|&column| row[column] = R::from_f64(f64::NAN));
            }
        }
    }

    /// Nothing yet, of what columns have.
    pub(super) fn new(setup: &Setup, blocks: &Blocks<'_, R>) -> Result<Self, Error> {
        let known = blocks.quantities();
        // The revised MM5 surface layer makes the roughness of waves, and has its own roughness of heat.
        let revised = setup.revised_surface.is_some();
        let waves = revised && setup.initial.land_or_water.contains(&2.0);
        let has = |quantity: &Quantity| {
            let given = |forced: Forced| setup.forcing.iter().any(|(other, _)| *other == forced);
            // One by pressure makes an upward velocity.
            let rises = |forced: Forced| forced == Forced::VerticalVelocity && given(Forced::PressureVelocity);
            let forced = |forced: &Forced| given(*forced) || rises(*forced);
            let silent = (setup.longwave.is_none() && LONGWAVE.contains(quantity))
                || FORCED.iter().any(|other| other.quantity() == *quantity && !forced(other))
                || (setup.shortwave.is_none() && SHORTWAVE.contains(quantity))
                || (setup.ground_heat_capacity().is_none() && SLAB.contains(quantity))
                || (setup.longwave.is_none() && setup.shortwave.is_none() && RADIATION.contains(quantity));
            let silent = silent || (revised && *quantity == q::ROUGHNESS_HEAT);
            let rows = quantity.shape.per_column(setup.layers(), setup.initial.tracers);
            rows > 0 && !silent && known.contains(quantity)
        };
        let count = setup.steps.div_ceil(setup.output_every) as usize + 1;
        let room = |quantity: Quantity| {
            let of_column = quantity.shape.per_column(setup.layers(), setup.initial.tracers);
            let mut values = Vec::new();
            let values_of_all = blocks.columns().saturating_mul(of_column).saturating_mul(count);
            values.try_reserve_exact(values_of_all).map_err(|_| Error::NoRoom(quantity.name))?;
            Ok::<_, Error>((quantity, values))
        };
        let fields = KEPT
            .into_iter()
            .filter(|quantity| waves || *quantity != q::ROUGHNESS)
            .chain(setup.soil.as_ref().map(|soil| soil.layers.temperature()))
            .filter(has)
            .map(room)
            .collect::<Result<_, _>>()?;
        let read = |quantity| Ok::<_, Error>((quantity, blocks.values(quantity)?));
        Ok(Self {
            times: Vec::new(),
            fields,
            constant: CONSTANT
                .into_iter()
                .filter(|quantity| !waves || *quantity != q::ROUGHNESS)
                .filter(has)
                .map(read)
                .collect::<Result<_, _>>()?,
        })
    }

    /// The values of a field at the record of a number, `[row * columns + column]`, if it is kept.
    #[must_use]
    pub fn at(&self, quantity: Quantity, record: usize) -> Option<&[R]> {
        let (_, values) = self.fields.iter().find(|(other, _)| *other == quantity)?;
        let size = values.len() / self.times.len();
        values.get(record * size..(record + 1) * size)
    }

    /// The values of a field that stays the same.
    #[must_use]
    pub fn constant(&self, quantity: Quantity) -> Option<&[R]> {
        self.constant.iter().find(|(other, _)| *other == quantity).map(|(_, values)| &values[..])
    }

    /// The results of some columns, by their numbers in ascending order, at the first member.
    pub(super) fn of_columns(&self, member: &Member<'_>, columns: usize, wanted: &[usize]) -> Option<Self> {
        let part =
            |(quantity, values): &(Quantity, Vec<R>)| Some((*quantity, of_columns(member, columns, wanted, values)?));
        // Each of them is an exchange that all members have to come to.
        let fields: Vec<_> = self.fields.iter().map(part).collect();
        let constant: Vec<_> = self.constant.iter().map(part).collect();
        let (fields, constant) =
            (fields.into_iter().collect::<Option<_>>()?, constant.into_iter().collect::<Option<_>>()?);
        Some(Self { times: self.times.clone(), fields, constant })
    }
}

/// Some of the columns of a field, by their numbers in ascending order, at the first member.
pub(super) fn of_columns<T: Plain>(
    member: &Member<'_>,
    columns: usize,
    wanted: &[usize],
    values: &[T],
) -> Option<Vec<T>> {
    let own = member.columns(columns);
    let here: Vec<usize> =
        wanted.iter().filter(|column| own.contains(column)).map(|column| column - own.start).collect();
    let part: Vec<T> = values.chunks(own.len()).flat_map(|row| here.iter().map(|&column| row[column])).collect();
    let parts = member.gather(part)?;
    let of = |number| columns_of(columns, number, member.of());
    let width = |number| wanted.iter().filter(|&column| of(number).contains(column)).count();
    let parts = parts.into_iter().enumerate().map(|(number, part)| (width(number), part));
    Some(join(parts.filter(|(width, _)| *width > 0).collect()))
}
