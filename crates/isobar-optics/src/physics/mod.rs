//! The optics themselves, as functions of one layer in one column.
#![forbid(unsafe_code)]

pub(crate) mod absorption;
pub(crate) mod adjoint;
pub(crate) mod axis;
pub(crate) mod ecckd;
pub(crate) mod layer;
pub(crate) mod planck;
pub(crate) mod rrtmgp;
