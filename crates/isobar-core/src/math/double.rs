//! Elementary functions of `f64`: those of [`crate::Real`], under the same names.

pub use super::atan::{double as atan, double_2 as atan2};
pub use super::cbrt::double as cbrt;
pub use super::exp::double as exp;
pub use super::exp_m1::double as exp_m1;
pub use super::exp2_m1::double as exp2_m1_products;
pub use super::fused::{
    cbrt_double as plain_cbrt, exp_double as plain_exp, ln_1p_double as plain_ln_1p, ln_double as coarse_ln,
    plain_ln_double as plain_ln,
};
pub use super::inverse_sine::{double_acos as acos, double_asin as asin};
pub use super::limits::{at_least_double as at_least, at_most_double as at_most};
pub use super::ln::double as ln;
pub use super::ln_1p::double as ln_1p;
pub use super::mul_add::double as mul_add;
pub use super::plain::{quotient_double as plain_quotient, sqrt_double as plain_sqrt};
pub use super::powf::double as powf;
pub use super::powi::double as powi;
pub use super::sqrt::double as sqrt;
pub use super::tanh::double as tanh;
pub use super::trigonometric::{double_cos as cos, double_sin as sin, double_tan as tan};
