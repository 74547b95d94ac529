//! The air of a layer, whichever the tables.

use isobar_core::Real;

use crate::gases::ABSORBERS;

/// A layer of `L` neighbouring columns.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Layer<R, const L: usize> {
    pub(crate) pressure_pa: [R; L],
    pub(crate) temperature_k: [R; L],
    /// What the air weighs, as a difference of pressure \[Pa\].
    pub(crate) weight_pa: [R; L],
    /// Mixing ratios relative to dry air, that of dry air last.
    pub(crate) mixing_ratios: [[R; L]; ABSORBERS],
}

/// What a function gives for each column.
#[inline(always)]
pub(crate) fn each<R: Real, const L: usize>(value: impl Fn(usize) -> R) -> [R; L] {
    let mut values = [R::ZERO; L];
    for (column, each) in values.iter_mut().enumerate() {
        *each = value(column);
    }
    values
}
