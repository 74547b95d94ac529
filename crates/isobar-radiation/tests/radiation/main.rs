//! The scheme against RTE+RRTMGP and ecRad.

mod detail;
mod reference;
