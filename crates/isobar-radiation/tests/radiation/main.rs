//! The scheme against RTE+RRTMGP, ecRad and RRTMG_LW.

mod adjoint;
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
mod rrtmg;
mod species;
mod tripleclouds;
