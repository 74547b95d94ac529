//! Infrared radiances of many rays, on CPU threads and GPUs: paths, absorption and emission.
//!
//! [`Infrared`] is a setup with its tables; [`Infrared::on`] makes the model of some devices. [`InfraredModel::run`]
//! takes an atmosphere and rays and gives radiances, [`InfraredModel::jacobian`] their derivatives,
//! [`InfraredModel::jacobians`] those of many atmospheres.
//!
//! | file | what |
//! |---|---|
//! | `scheme` | the items of [`isobar_launch::Model`]: rays |
//! | `job`, `scratch`, `resident` | the kernels of some rays, their memory, and what stays on a device |
//! | `model` | atmosphere and rays in, radiances out |
//! | `jacobian`, `batch` | derivatives, and the kernels of many atmospheres |
//! | `clock`, `plain`, `ptx` | time a kernel, types on devices, kernels of GPUs |
#![allow(unsafe_code, reason = "types travel as bytes, and copies go on while the host does something else")]

mod batch;
mod clock;
mod jacobian;
mod job;
mod model;
mod plain;
mod ptx;
mod resident;
mod scheme;
mod scratch;

pub use clock::StageTimes;
pub use jacobian::{Jacobian, Jacobians};
pub use model::{InfraredError, InfraredModel, Radiances};
pub use scheme::{Infrared, Precision, PreparedAtmosphere};
