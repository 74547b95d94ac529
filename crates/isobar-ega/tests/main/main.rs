//! Tests of radiances, a module for each question.

mod beyond;
mod jacobian;
#[cfg(feature = "launch")]
mod launch;
mod logarithms;
mod one_ray;
mod opaque;
mod sunlight;
mod units;
