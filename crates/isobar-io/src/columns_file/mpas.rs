//! Pressure, temperature and heights in MPAS's files.

use super::pressure::ground::SURFACE_PRESSURE;
use super::wrf::{self, Air, any};
use super::{Fields, Per, Quantity, Reading};
use crate::error::Error;
use crate::netcdf::Dataset;

/// In two parts, as its restart files have it, or as a whole, as its history has it.
const PARTS: [Quantity; 2] = [any("pressure_base", "Pa", Per::Layer), any("pressure_p", "Pa", Per::Layer)];
const PRESSURE: Quantity = any("pressure", "Pa", Per::Layer);
const THETA: Quantity = any("theta", "K", Per::Layer);
const HEIGHT: Quantity = any("zgrid", "m", Per::Level);

/// Whether a file is MPAS's.
pub(crate) fn is_mpas(file: &Dataset) -> bool {
    let has = |names: &[&str]| names.iter().all(|name| file.has_name(name));
    has(&["theta", "zgrid"]) && (has(&["pressure_base", "pressure_p"]) || has(&["pressure"]))
}

/// What was read of the air.
pub(crate) struct Mpas {
    in_parts: bool,
}

impl Mpas {
    /// Reads it, and the pressure of the surface.
    pub(crate) fn read(reading: &mut Reading) -> Result<Self, Error> {
        let in_parts = PARTS.iter().all(|part| reading.file.has_name(part.name));
        reading.mask_by(&[THETA])?;
        let pressure: &[Quantity] = if in_parts { &PARTS } else { &[PRESSURE] };
        pressure.iter().chain([&THETA, &HEIGHT, &SURFACE_PRESSURE]).try_for_each(|quantity| reading.need(quantity))?;
        Ok(Self { in_parts })
    }

    /// The pressure that says which end of the layers is the surface.
    pub(crate) fn pressure(&self) -> &'static str {
        if self.in_parts { PARTS[0].name } else { PRESSURE.name }
    }

    /// What pressures and temperatures are made of.
    pub(crate) fn names(&self) -> [(&'static str, String); 2] {
        [("pressure", self.of_pressure().to_owned()), ("temperature", "theta exner".to_owned())]
    }

    fn of_pressure(&self) -> &'static str {
        if self.in_parts { "pressure_base + pressure_p" } else { PRESSURE.name }
    }

    /// How a note says where temperatures come from.
    pub(crate) fn temperature_in_words(&self) -> String {
        let pressure = if self.in_parts { format!("({})", self.of_pressure()) } else { PRESSURE.name.to_owned() };
        format!("temperature = theta ({pressure} / 1e5 Pa)^(2/7)")
    }

    /// The air, and pressures of levels \[Pa\]: the surface's, and linear in height between layers.
    pub(crate) fn take(&self, fields: &mut Fields) -> (Air, Vec<f64>) {
        let pressure = if self.in_parts { wrf::sum(fields, &PARTS) } else { fields.take(&PRESSURE) };
        let exner = wrf::exner(&pressure);
        let temperature = fields.take(&THETA).iter().zip(&exner).map(|(theta, exner)| theta * exner).collect();
        let air = Air::new(pressure, exner, temperature, fields.take(&HEIGHT));
        let levels = air.interface_pressure(&fields.take(&SURFACE_PRESSURE));
        (air, levels)
    }
}
