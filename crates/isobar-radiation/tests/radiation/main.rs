//! The scheme against RTE+RRTMGP and ecRad.

mod detail;
mod ecrad;
mod ecrad_clouds;
mod ecrad_longwave;
mod reference;
