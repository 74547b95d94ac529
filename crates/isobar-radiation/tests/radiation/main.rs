//! The scheme against RTE+RRTMGP and ecRad.

mod detail;
mod ecrad;
mod reference;
