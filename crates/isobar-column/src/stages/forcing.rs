//! What is prescribed by time and height.

use isobar_core::Real;
use isobar_launch::{Buffer, Plain};

use super::quantity::{
    EXNER, GEOSTROPHIC_EAST, GEOSTROPHIC_NORTH, HEAT_GAINED, INTERFACE_PRESSURE, POTENTIAL_TEMPERATURE,
    POTENTIAL_TEMPERATURE_TENDENCY, PRESSURE_VELOCITY, TEMPERATURE_ADVECTION, THICKNESS, TRACERS, TRACERS_TENDENCY,
    VAPOUR, VAPOUR_ADVECTION, VAPOUR_TENDENCY, VERTICAL_VELOCITY, WATER_GAINED, WIND_EAST, WIND_EAST_ADVECTION,
    WIND_EAST_TENDENCY, WIND_NORTH, WIND_NORTH_ADVECTION, WIND_NORTH_TENDENCY,
};
use crate::forcing::{Force, Prescribe, Rise};
use crate::{Built, Error, Fields, Precision, Quantity, Stage, State, Step, Table};

/// What may be prescribed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Forced {
    /// Eastward geostrophic wind \[m/s\]; without, the start's wind.
    GeostrophicEast,
    /// Northward geostrophic wind \[m/s\]; likewise.
    GeostrophicNorth,
    /// Upward velocity \[m/s\]; this and the rest are 0 without.
    VerticalVelocity,
    /// Rate of change of the pressure of moving air \[Pa/s\], above 0 where it sinks: the upward velocity follows.
    PressureVelocity,
    /// Advective tendency of temperature \[K/s\].
    Temperature,
    /// Of water vapour \[kg/(kg s)\].
    Vapour,
    /// Of the eastward wind \[m/s^2\].
    WindEast,
    /// Of the northward wind \[m/s^2\].
    WindNorth,
}

impl Forced {
    /// The field that has it.
    #[must_use]
    pub fn quantity(self) -> Quantity {
        match self {
            Self::GeostrophicEast => GEOSTROPHIC_EAST,
            Self::GeostrophicNorth => GEOSTROPHIC_NORTH,
            Self::VerticalVelocity => VERTICAL_VELOCITY,
            Self::PressureVelocity => PRESSURE_VELOCITY,
            Self::Temperature => TEMPERATURE_ADVECTION,
            Self::Vapour => VAPOUR_ADVECTION,
            Self::WindEast => WIND_EAST_ADVECTION,
            Self::WindNorth => WIND_NORTH_ADVECTION,
        }
    }
}

/// Geostrophic wind, subsidence and advective tendencies by the time since the start and the height, the same for all
/// columns: [`crate::forcing`]. They are those in the middle of a step. The stage comes after what gives tendencies and
/// before [`super::Advance`].
pub struct Forcing<R: Real + Plain> {
    prescribed: Vec<Prescribed<R>>,
}

const NAME: &str = "forcing";

/// One table, and it on the device.
struct Prescribed<R: Real + Plain> {
    quantity: Quantity,
    table: Table,
    heights: Buffer<R>,
    values: Buffer<R>,
}

impl<R: Precision> Forcing<R> {
    /// On the device of a state, which gets fields of 0 for what is not prescribed. Of an upward velocity and one by
    /// pressure the latter counts.
    ///
    /// # Errors
    /// What the device answers.
    pub fn new(state: &mut State<R>, tables: &[(Forced, Table)]) -> Result<Self, Error> {
        let fields =
            [VERTICAL_VELOCITY, TEMPERATURE_ADVECTION, VAPOUR_ADVECTION, WIND_EAST_ADVECTION, WIND_NORTH_ADVECTION];
        fields.into_iter().try_for_each(|quantity| state.make(quantity, NAME))?;
        if by_pressure(tables.iter().map(|(forced, _)| forced.quantity())) {
            state.make(PRESSURE_VELOCITY, NAME)?;
        }
        let queue = state.queue();
        let upload = |values: &[f64]| {
            queue.upload(&values.iter().map(|&value| <R as Real>::from_f64(value)).collect::<Vec<R>>())
        };
        let prescribed = |(forced, table): &(Forced, Table)| {
            let (heights, values) = (upload(table.heights_m())?, upload(table.values())?);
            Ok(Prescribed { quantity: forced.quantity(), table: table.clone(), heights, values })
        };
        Ok(Self { prescribed: tables.iter().map(prescribed).collect::<Result<_, Error>>()? })
    }
}

impl<R: Real + Plain> Forcing<R> {
    fn by_pressure(&self) -> bool {
        by_pressure(self.prescribed.iter().map(|prescribed| prescribed.quantity))
    }
}

impl<R: Precision> Prescribed<R> {
    fn launch(&self, fields: &mut Fields<'_, R>, step: &Step) -> Result<(), Error> {
        let (before, after, passed) = self.table.times_around(step.since_start_s(0.5));
        let (before, after, passed) = (before as u32, after as u32, <R as Real>::from_f64(passed));
        let heights_m = self.heights.column();
        let table = self.values.item_fastest(self.table.times_s().len(), self.table.heights_m().len());
        let (thickness_m, values) = (fields.read(THICKNESS)?, fields.write(self.quantity)?);
        let kernel = Prescribe { before, after, passed, heights_m, table, thickness_m, values };
        fields.launch_built(&Built::Prescribe(kernel))?;
        fields.next_kernel();
        Ok(())
    }
}

/// Is the upward velocity given by pressure?
fn by_pressure(mut quantities: impl Iterator<Item = Quantity>) -> bool {
    quantities.any(|quantity| quantity == PRESSURE_VELOCITY)
}

kernel_fields!(rise: Rise {} {
    read thickness_m: THICKNESS,
    read interface_pressure_pa: INTERFACE_PRESSURE,
    read pressure_velocity_pa_per_s: PRESSURE_VELOCITY,
    write vertical_velocity_m_per_s: VERTICAL_VELOCITY,
});
kernel_fields!(force: Force { step_s: R } {
    read thickness_m: THICKNESS,
    read exner: EXNER,
    read interface_pressure_pa: INTERFACE_PRESSURE,
    read vertical_velocity_m_per_s: VERTICAL_VELOCITY,
    read temperature_advection_k_per_s: TEMPERATURE_ADVECTION,
    read vapour_advection_per_s: VAPOUR_ADVECTION,
    read u_advection_m_per_s2: WIND_EAST_ADVECTION,
    read v_advection_m_per_s2: WIND_NORTH_ADVECTION,
    read u_m_per_s: WIND_EAST,
    read v_m_per_s: WIND_NORTH,
    read theta_k: POTENTIAL_TEMPERATURE,
    read vapour_kg_per_kg: VAPOUR,
    read tracers: TRACERS,
    update u_tendency_m_per_s2: WIND_EAST_TENDENCY,
    update v_tendency_m_per_s2: WIND_NORTH_TENDENCY,
    update theta_tendency_k_per_s: POTENTIAL_TEMPERATURE_TENDENCY,
    update vapour_tendency_per_s: VAPOUR_TENDENCY,
    update tracer_tendencies_per_s: TRACERS_TENDENCY,
    update heat_gained_j_per_m2: HEAT_GAINED,
    update water_gained_kg_per_m2: WATER_GAINED,
});

impl<R: Precision> Stage<R> for Forcing<R> {
    fn name(&self) -> &str {
        NAME
    }

    fn reads(&self) -> Vec<Quantity> {
        let mut reads = force::reads();
        if self.by_pressure() {
            reads.extend(rise::reads());
        }
        reads
    }

    fn writes(&self) -> Vec<Quantity> {
        let mut writes = force::writes();
        writes.extend(self.prescribed.iter().map(|prescribed| prescribed.quantity));
        if self.by_pressure() {
            writes.extend(rise::writes());
        }
        writes
    }

    fn run(&mut self, fields: &mut Fields<'_, R>, step: &Step) -> Result<(), Error> {
        self.prescribed.iter().try_for_each(|prescribed| prescribed.launch(fields, step))?;
        if self.by_pressure() {
            let kernel = rise::kernel(fields)?;
            fields.launch_built(&Built::Rise(kernel))?;
            fields.next_kernel();
        }
        let kernel = force::kernel(fields, <R as Real>::from_f64(step.length_s))?;
        fields.launch_built(&Built::Force(kernel))
    }
}
