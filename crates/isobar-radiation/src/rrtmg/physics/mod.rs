//! The physics, a file a stage: functions of lanes that have a layer, or a g-point, each. Which thread has which lanes,
//! and where memory is, is the matter of [`crate::rrtmg::schedule`].
#![deny(unsafe_code)]

pub(crate) mod absorption;
pub(crate) mod amounts;
pub(crate) mod cloud_entries;
pub(crate) mod cloud_fractions;
pub(crate) mod clouds;
pub(crate) mod diffusivity;
pub(crate) mod gas_state;
pub(crate) mod heating;
pub(crate) mod interpolation;
pub(crate) mod minor_terms;
pub(crate) mod mixture;
pub(crate) mod optical_depth;
pub(crate) mod overlap_weights;
pub(crate) mod passage;
pub(crate) mod planck;
pub mod random;
pub(crate) mod subcolumns;
pub(crate) mod surface;
pub(crate) mod sweep;
pub(crate) mod terms;
