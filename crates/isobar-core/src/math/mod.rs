//! Elementary functions with the same bits on every backend.
//!
//! Every function is written with `+ - * /`, square roots, comparisons and integer operations on bits only, all of
//! which IEEE 754 or the integers define exactly; none is fused but [`crate::Real::mul_add`] and what says that it uses
//! it. There are no tables and no branches (special cases are selects), so loops over slices vectorise, with the same
//! bits at any vector width. NaN results are always the one positive quiet NaN, [`f64::NAN`] or [`f32::NAN`], for
//! processors disagree about NaN's bits.
//!
//! [`double`] and [`single`] hold the functions of each width; with feature `std`, [`slice`](mod@slice) runs them over
//! slices with the widest vectors of the processor.
//!
//! # Accuracy
//! In units in the last place of the result; `tests/math/bounds.rs` is the table of bounds that the tests check.
//! `exp`, `exp_m1`, `ln`, `ln_1p`, `cbrt` and `sqrt` stay within 1, all others within 2; `sin`, `cos` and `tan` as far
//! as their arguments are below the bound that the functions state.
#[macro_use]
mod polynomial;

mod atan;
mod cbrt;
mod exp;
mod exp2_m1;
mod exp_m1;
mod fused;
mod inverse_sine;
mod limits;
mod ln;
mod ln_1p;
mod mul_add;
mod plain;
mod powf;
mod powi;
mod reduction;
mod sqrt;
mod tanh;
mod trigonometric;

pub mod double;
pub mod single;
#[cfg(feature = "std")]
pub mod slice;
