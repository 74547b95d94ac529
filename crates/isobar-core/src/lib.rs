//! What every Isobar core stands on: a [`Real`] number whose elementary functions give the same bits on every backend,
//! [`Dual`] numbers that carry derivatives, [`Field`] views with two strides, brackets and interpolation, a tridiagonal
//! solver, the [`Lanes`] of a team with its one reduction order, and the [`Kernel`] contract between a physics core and
//! the launcher.
//!
//! The files in the order of the data:
//!
//! | file | what |
//! |---|---|
//! | [`math`] | elementary functions, on plain `f32` and `f64` |
//! | [`Real`], [`FastMath`] | the number that a core computes with, and what it has for speed alone |
//! | [`dual`] | numbers that carry derivatives |
//! | [`constants`], [`mod@bracket`], [`interpolate`], [`tridiagonal`] | what several cores need |
//! | [`mod@column`], [`field`], [`Trusted`] | views of columns; views whose indices one place vouches for |
//! | [`by_name!`] | structs of one type of field |
//! | [`per_lane!`], [`PerLane`] | such structs of one lane, for formulas, and of a tile of lanes, for schedules |
//! | [`Status`] | what became of an item |
//! | [`Row`] | a row of a matrix, which a CPU has whole and a lane of a GPU one number of |
//! | [`lanes`] | the lanes of a team, how they exchange values and are summed |
//! | [`near`], [`read_table`], [`write_once`] | shared memory, and reads and writes with a hint |
//! | [`out_of_line`] | parts of kernels that a CPU has once |
//! | [`kernel`] | the contract between a core and whatever runs it |
//! | [`selftest`] | kernels that show whether a device computes the host's bits |
//! | [`mod@text`] | text files that users write, of bounded size |
//!
//! The crate is `no_std`; with `default-features = false` it is what a GPU kernel links.
#![cfg_attr(not(any(test, feature = "std")), no_std)]
#![cfg_attr(target_arch = "nvptx64", feature(asm_experimental_arch, core_float_math, stdarch_nvptx))]

pub mod bracket;
mod by_name;
pub mod column;
pub mod constants;
pub mod dual;
mod fast_math;
pub mod field;
mod field_mut;
pub mod fields;
pub mod gpu;
pub mod interpolate;
pub mod kernel;
pub mod lanes;
pub mod math;
mod memory;
#[cfg(feature = "ndarray")]
mod ndarray;
pub mod near;
mod once;
mod out_of_line;
mod per_lane;
mod plain;
pub mod real;
mod row;
mod sealed;
pub mod selftest;
mod status;
#[cfg(feature = "std")]
pub mod text;
pub mod tridiagonal;
mod trusted;

/// For [`fields!`], which makes vectors in crates without `std` of their own, too.
#[cfg(feature = "std")]
#[doc(hidden)]
pub use std as __std;

pub use column::{Column, ColumnMut};
pub use dual::Dual;
pub use fast_math::FastMath;
pub use field::{Field, FieldMut};
pub use kernel::{Kernel, Team};
pub use lanes::Lanes;
pub use memory::{CountedBytes, HostMemory, TableMemory, WorkMemory};
pub use near::Near;
pub use once::{read_table, write_once};
pub use out_of_line::out_of_line;
pub use per_lane::PerLane;
pub use plain::Plain;
pub use real::{Real, Slopes};
pub use row::{Row, any_of_warp};
pub use status::Status;
pub use trusted::Trusted;
