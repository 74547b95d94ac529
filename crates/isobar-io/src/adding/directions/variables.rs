//! Variables of declared fields, with their dimensions here.

use isobar_adding::azimuth::ProfileViews;
use isobar_core::fields::Declared;

use crate::netcdf::{Accepted, Axis, Dimension, VariableSpec};

pub(super) const PROFILE: Axis = Axis::optional(Dimension::Profile);
pub(super) const LAYER: Axis = Axis::required(Dimension::Layer);
pub(super) const ANY_LAYER: Axis = Axis::optional(Dimension::Layer);
pub(super) const SPECIES: Axis = Axis::optional(Dimension::Tracer);

/// A variable of a declared field, with the dimensions that it may have here, and other names.
pub(super) fn declared(name: &str, axes: &'static [Axis], aliases: &'static [&'static str]) -> VariableSpec<'static> {
    let declared = Declared::named(ProfileViews::<f64>::DECLARED, name);
    VariableSpec {
        name: declared.file_name,
        aliases,
        standard_names: declared.standard_names,
        unit: declared.unit,
        axes,
        accepted: declared.accepted.into(),
    }
}

pub(super) const fn plain(name: &'static str, axes: &'static [Axis], accepted: Accepted) -> VariableSpec<'static> {
    VariableSpec { name, aliases: &[], standard_names: &[], unit: "1", axes, accepted }
}
