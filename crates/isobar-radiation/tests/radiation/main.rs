//! The scheme against RTE+RRTMGP and ecRad.

mod allsky;
mod detail;
mod ecrad;
mod ecrad_clouds;
mod ecrad_longwave;
mod reference;
mod rfmip;
