//! What a file says.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use super::value::{Object, Value};
use crate::error::Fault;
use crate::source::Span;

/// A species.
#[derive(Default)]
pub(super) struct Species {
    /// Its name in KPP's language.
    pub(super) plain: String,
    /// Its part of the air, where that is all that its concentration is.
    pub(super) part_of_air: Option<f64>,
    /// A concentration that does not change \[molecule/cm3\].
    pub(super) constant: Option<f64>,
    /// \[kg/mol\]
    pub(super) molar_mass: Option<f64>,
    /// \[m2/s\]
    pub(super) diffusion: Option<f64>,
}

/// What a file says.
#[derive(Default)]
pub(super) struct File {
    pub(super) species: BTreeMap<String, Species>,
    /// Is it of version 0, with rate constants in molecules and cm3?
    pub(super) version_0: bool,
    /// The names in KPP's language, in lower case, and the last number behind each that stood there several times.
    pub(super) plain: HashSet<String>,
    pub(super) next: HashMap<String, usize>,
    /// Notes of names that are others in KPP's language, and of tracers.
    pub(super) notes: Vec<Fault>,
    /// Where species have an absolute tolerance.
    pub(super) tolerances: Vec<Span>,
    /// Functions of rate constants in C.
    pub(super) functions: String,
    pub(super) labels: BTreeSet<String>,
    /// What the names of inputs, in lower case, were made of.
    pub(super) inputs: BTreeMap<String, String>,
}

/// The value of a key that has to be there.
pub(super) fn required<'a>(object: &Object<'a>, key: &str, of: Value<'a>) -> Result<Value<'a>, Fault> {
    object.get(key).copied().ok_or_else(|| Fault::at(of.span(), format!("`{key}` is missing here")).of_start())
}
