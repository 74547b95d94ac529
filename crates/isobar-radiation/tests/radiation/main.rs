//! The scheme against RTE+RRTMGP and ecRad.

mod allsky;
mod bands;
mod ckdmip;
mod delta_scaling;
mod detail;
mod ecrad;
mod ecrad_clouds;
mod ecrad_longwave;
mod energy;
mod longwave_scattering;
mod models;
mod order;
mod overlap;
mod precision;
mod reference;
mod regions;
mod rfmip;
mod species;
mod tripleclouds;
