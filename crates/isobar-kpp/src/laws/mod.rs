//! Rate laws that mechanisms call by name, and the functions of Fortran and C.

mod geos_chem;
mod intrinsics;
mod kpp;
mod remainder;

pub(crate) use geos_chem::of_temperature;
pub(crate) use intrinsics::{intrinsic, is_intrinsic};

use crate::graph::Value;

/// What laws read of a cell besides their arguments: an input from its first use on.
pub(crate) trait Air<'g> {
    /// `TEMP` \[K\]
    fn temperature(&mut self) -> Value<'g>;
    /// `CFACTOR`, of which KPP's laws take 1e6 times as the density of air.
    fn cfactor(&mut self) -> Value<'g>;
    /// GEOS-Chem's `NUMDEN` \[molecule/cm3\]
    fn number_density(&mut self) -> Value<'g>;
    /// Water vapour \[molecule/cm3\]
    fn water(&mut self) -> Value<'g>;
}

/// The names of all laws.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    kpp::NAMES.into_iter().chain(geos_chem::NAMES)
}

/// Is this the name of a law, in any case?
pub(crate) fn is_law(name: &str) -> bool {
    names().any(|law| law.eq_ignore_ascii_case(name))
}

/// Is this the name of one of GEOS-Chem's laws, in any case?
pub(crate) fn is_of_geos_chem(name: &str) -> bool {
    geos_chem::NAMES.iter().any(|law| law.eq_ignore_ascii_case(name))
}

/// A law by its name in lower case, if there is one with this number of arguments.
pub(crate) fn law<'g>(name: &str, x: &[Value<'g>], air: &mut dyn Air<'g>) -> Option<Value<'g>> {
    kpp::law(name, x, air).or_else(|| geos_chem::law(name, x, air))
}

/// `k0/(1 + r) f^(1/(1 + (log10(r)/n)^2))` with `r = k0/k1`.
fn falloff<'g>(k0: Value<'g>, k1: Value<'g>, f: Value<'g>, n: Option<Value<'g>>) -> Value<'g> {
    let ratio = k0 / k1;
    let width = n.map_or(ratio.log10(), |n| ratio.log10() / n);
    k0 / (1.0 + ratio) * f.pow(1.0 / (1.0 + width * width))
}

/// How broad IUPAC's falloff is, of the factor at its centre.
fn iupac_width(f: Value<'_>) -> Value<'_> {
    0.75 - 1.27 * f.log10()
}
