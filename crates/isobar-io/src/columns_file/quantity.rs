//! What is asked of a file.

use std::ops::Bound;

use isobar_core::fields::{BAND, Declared, LAYER, LEVEL};
use isobar_radiation::{INTERFACE, LONGWAVE_BAND, SHORTWAVE_BAND};

use super::layout::Layout;
use super::per::{Bands, Per};
use crate::netcdf::{Accepted, VariableSpec};

/// A variable on whatever the columns are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Quantity {
    pub(crate) name: &'static str,
    aliases: &'static [&'static str],
    standard_names: &'static [&'static str],
    unit: &'static str,
    pub(crate) per: Per,
    accepted: Accepted,
}

impl Quantity {
    pub(crate) const fn new(
        name: &'static str,
        aliases: &'static [&'static str],
        standard_names: &'static [&'static str],
        unit: &'static str,
        per: Per,
        accepted: Accepted,
    ) -> Self {
        Self { name, aliases, standard_names, unit, per, accepted }
    }

    pub(crate) fn has_standard_name(&self, name: &str) -> bool {
        self.standard_names.contains(&name)
    }

    /// Whether it goes by a name.
    pub(crate) fn goes_by(&self, name: &str) -> bool {
        self.name == name || self.aliases.contains(&name)
    }

    /// This quantity in the unit of another, and in its range.
    pub(crate) fn like(self, other: &Self) -> Self {
        Self { unit: other.unit, accepted: other.accepted, ..self }
    }

    /// With other aliases.
    pub(crate) fn also_known_as(self, aliases: &'static [&'static str]) -> Self {
        Self { aliases, ..self }
    }

    /// With other standard names.
    pub(crate) fn by_standard_names(self, standard_names: &'static [&'static str]) -> Self {
        Self { standard_names, ..self }
    }

    /// A field of a scheme, as its crate declares it.
    pub(crate) fn declared(declared: &Declared) -> Self {
        let per = match declared.shape {
            [] => Per::Column,
            [LAYER] => Per::Layer,
            [LEVEL] => Per::Level,
            [INTERFACE] => Per::Interface,
            [LAYER, BAND] => Per::LayerAndBand(Bands::Any),
            [BAND] => Per::Band(Bands::Any),
            [LAYER, LONGWAVE_BAND] => Per::LayerAndBand(Bands::Longwave),
            [LONGWAVE_BAND] => Per::Band(Bands::Longwave),
            [LAYER, SHORTWAVE_BAND] => Per::LayerAndBand(Bands::Shortwave),
            [SHORTWAVE_BAND] => Per::Band(Bands::Shortwave),
            other => unreachable!("{}: no file has {other:?}", declared.name),
        };
        let &Declared { file_name: name, aliases, standard_names, unit, accepted, .. } = declared;
        Self { name, aliases, standard_names, unit, per, accepted: accepted.into() }
    }

    /// This quantity, of which other values are accepted.
    pub(crate) const fn within(self, accepted: Accepted) -> Self {
        Self { accepted, ..self }
    }

    /// This quantity in another unit.
    pub(crate) fn in_unit(self, unit: &'static str) -> Self {
        Self { unit, ..self }
    }

    /// This quantity, one value for each of something else.
    pub(crate) fn per(self, per: Per) -> Self {
        Self { per, ..self }
    }

    pub(crate) fn spec(&self, layout: Layout) -> VariableSpec<'static> {
        VariableSpec {
            name: self.name,
            aliases: self.aliases,
            standard_names: self.standard_names,
            unit: self.unit,
            axes: layout.axes(self.per),
            accepted: self.accepted,
        }
    }
}

pub(crate) const fn between(low: f64, high: f64) -> Accepted {
    Accepted { low: Bound::Included(low), high: Bound::Included(high) }
}
