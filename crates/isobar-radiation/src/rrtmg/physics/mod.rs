//! The physics, a file a stage: functions of one layer, and of a g-point. Which thread has which, and where memory is,
//! is the matter of [`crate::rrtmg::schedule`].
#![forbid(unsafe_code)]

pub(crate) mod absorption;
pub(crate) mod amounts;
pub(crate) mod cloud_entries;
pub(crate) mod cloud_fractions;
pub(crate) mod clouds;
pub(crate) mod diffusivity;
pub(crate) mod heating;
pub(crate) mod interpolation;
pub(crate) mod lesser_gases;
pub(crate) mod mixture;
pub(crate) mod overlap_weights;
pub(crate) mod passage;
pub(crate) mod planck;
pub(crate) mod random;
pub(crate) mod subcolumns;
pub(crate) mod surface;
