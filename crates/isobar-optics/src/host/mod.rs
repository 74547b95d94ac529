//! What only a host needs: tables as files have them, and how they become those of kernels.

pub(crate) mod cloud_tables;
pub(crate) mod ecckd;
pub(crate) mod rrtmgp;
