//! The physics: formulas and recursions of one channel, gas or segment, in any kind of number. Nothing here knows of
//! warps or of where results are stored.
#![forbid(unsafe_code)]

pub mod cell;
pub mod channel;
pub mod continuum;
pub mod coverage;
pub mod growth;
pub mod jurassic;
pub mod law;
pub mod log_growth;
pub mod mean_path;
pub mod planck;
pub mod rule;
pub mod sun;
pub mod transfer;
