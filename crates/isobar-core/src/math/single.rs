//! Elementary functions of `f32`: those of [`crate::Real`], under the same names.

pub use super::atan::{single as atan, single_2 as atan2};
pub use super::cbrt::single as cbrt;
pub use super::exp::single as exp;
pub use super::exp_m1::single as exp_m1;
pub use super::exp2_m1::single as exp2_m1_products;
pub use super::fused::{
    cbrt_single as plain_cbrt, exp_single as plain_exp, ln_1p_single as plain_ln_1p, ln_single as coarse_ln,
    plain_ln_single as plain_ln,
};
pub use super::inverse_sine::{single_acos as acos, single_asin as asin};
pub use super::limits::{at_least_single as at_least, at_most_single as at_most};
pub use super::ln::single as ln;
pub use super::ln_1p::single as ln_1p;
pub use super::mul_add::single as mul_add;
pub use super::plain::{quotient_single as plain_quotient, sqrt_single as plain_sqrt};
pub use super::powf::single as powf;
pub use super::powi::single as powi;
pub use super::sqrt::single as sqrt;
pub use super::tanh::single as tanh;
pub use super::trigonometric::{single_cos as cos, single_sin as sin, single_tan as tan};
