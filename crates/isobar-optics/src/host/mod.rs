//! What only a host needs: tables as files have them, and how they become those of kernels.

pub(crate) mod aerosol_optics;
pub(crate) mod aerosol_tables;
pub(crate) mod cloud_tables;
pub(crate) mod ecckd;
mod from_ecckd;
mod from_rrtmgp;
pub(crate) mod gas_optics;
pub(crate) mod rrtmgp;
pub(crate) mod scattering;
mod spectral_weights;
pub(crate) mod table_data;
mod table_range;
