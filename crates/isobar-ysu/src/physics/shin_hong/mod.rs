//! What Shin-Hong adds to the stages of YSU (Shin and Hong 2013 and 2015): shares of what a grid does not resolve, a
//! profile of the nonlocal heat flux, turbulent energy with its mixing length, and the heat of its dissipation.

pub(crate) mod dissipation;
pub(crate) mod energy;
pub(crate) mod length;
pub(crate) mod nonlocal;
pub(crate) mod partition;
pub(crate) mod scaled;
pub(crate) mod shares;
pub(crate) mod transport;
