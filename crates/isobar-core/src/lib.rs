//! What every Isobar core stands on: a [`Real`] number whose elementary functions give the same bits on every backend,
//! [`Dual`] numbers that carry derivatives, [`Field`] views with two strides, brackets and interpolation, a tridiagonal
//! solver, the [`Lanes`] of a team with its one reduction order, and the [`Kernel`] contract between a physics core and
//! the launcher.
//!
//! The crate is `no_std`; with `default-features = false` it is what a GPU kernel links.
#![cfg_attr(not(any(test, feature = "std")), no_std)]
#![cfg_attr(target_arch = "nvptx64", feature(asm_experimental_arch, core_float_math, stdarch_nvptx))]

pub mod bracket;
pub mod constants;
pub mod dual;
pub mod field;
pub mod interpolate;
pub mod kernel;
pub mod lanes;
pub mod math;
pub mod near;
mod once;
pub mod real;
pub mod selftest;
mod status;
pub mod tridiagonal;
mod trusted;

pub use dual::Dual;
pub use field::{Column, ColumnMut, Field, FieldMut};
pub use kernel::{Kernel, Team};
pub use lanes::Lanes;
pub use near::Near;
pub use once::{read_table, write_once};
pub use real::Real;
pub use status::Status;
pub use trusted::Trusted;
