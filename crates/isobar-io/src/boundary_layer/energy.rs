//! Turbulent energy, which the scheme has at the lower interface of each layer, and files of WRF at all interfaces.

use isobar_core::fields::{Declared, Need};
use isobar_ysu::{Chosen, ColumnViews};

use super::quantity::field;
use crate::columns_file::{Per, Reading};
use crate::error::Error;

pub(super) const ENERGY: &str = "turbulent_energy_m2_per_s2";

/// Reads it where it is wanted and there; what was read at all interfaces has a row more than layers, the uppermost.
pub(super) fn read(reading: &mut Reading, options: &impl Chosen) -> Result<(), Error> {
    if options.need(Declared::named(ColumnViews::<f64>::DECLARED, ENERGY)) == Need::Ignored {
        return Ok(());
    }
    let of_layers = field(ENERGY);
    let of_levels = of_layers.per(Per::Level);
    let at_all = !reading.fits(&of_layers)? && reading.fits(&of_levels)?;
    reading.maybe(if at_all { &of_levels } else { &of_layers })
}
