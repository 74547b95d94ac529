//! The optics themselves, as functions of one layer.

pub(crate) mod axis;
pub(crate) mod ecckd;
pub(crate) mod layer;
pub(crate) mod planck;
pub(crate) mod point;
pub(crate) mod rrtmgp;
pub(crate) mod sum;
