//! The air of a layer, whichever the tables.

use crate::gases::ABSORBERS;

/// A layer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Layer<'x, R> {
    pub(crate) pressure_pa: R,
    pub(crate) temperature_k: R,
    /// What the air weighs, as a difference of pressure \[Pa\].
    pub(crate) weight_pa: R,
    /// Mixing ratios relative to dry air, that of dry air last.
    pub(crate) mixing_ratios: &'x [R; ABSORBERS],
}
