//! Infrared radiances of many rays, on CPU threads and GPUs: paths, absorption and emission.
//!
//! [`Infrared`] is a setup with its tables; [`Infrared::on`] makes the model of some devices. [`InfraredModel::run`]
//! takes an atmosphere and rays and gives radiances, [`InfraredModel::jacobian`] their derivatives,
//! [`InfraredModel::jacobians`] those of many atmospheres.
//!
//! | file | what |
//! |---|---|
//! | `infrared` | a setup with its tables, and atmospheres for it |
//! | `job`, `scratch`, `resident` | the kernels of some rays, their memory, and what stays on a device |
//! | `scheme` | the items of [`isobar_launch::Model`]: rays |
//! | `model` | atmosphere and rays in, radiances out |
//! | `outside` | where paths leave the tables, without radiances |
//! | `jacobian`, `derivatives` | derivatives, and how they are computed: exactly or by differences |
//! | `gradient` | derivatives of weighted sums of radiances |
//! | `batch`, `slot` | the kernels of many atmospheres, and their memory |
//! | `clock`, `plain`, `ptx` | time a kernel, types on devices, kernels of GPUs |
#![allow(unsafe_code, reason = "types travel as bytes, and copies go on while the host does something else")]

mod batch;
mod clock;
mod derivatives;
mod gradient;
mod in_words;
mod infrared;
mod jacobian;
mod job;
mod model;
mod outside;
mod plain;
mod ptx;
mod resident;
mod scheme;
mod scratch;
mod slot;

pub use clock::StageTimes;
pub use gradient::{Gradient, Gradients};
pub use infrared::{Infrared, PreparedAtmosphere};
pub use jacobian::{Jacobian, Jacobians};
pub use model::{InfraredError, InfraredModel, Radiances};
pub use scheme::Precision;
