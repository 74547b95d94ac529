//! A mechanism that was read and checked.

mod build;
mod checks;
mod orders;
mod rates;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use isobar_core::constants::AVOGADRO_PER_MOL;
use isobar_rosenbrock::{AnyTables, Compiled, RateProgram};

use crate::balance::Imbalance;
use crate::declarations::Declarations;
use crate::error::{Error, Fault, Message};
use crate::evaluate::Input;
use crate::families::Family;
use crate::functions::Functions;
use crate::reactions::Reaction;
use crate::source::{Place, Sources};
pub use rates::OpenLaw;

/// A species of the mechanism.
#[derive(Clone, Debug, PartialEq)]
pub struct Species {
    /// The name as it was declared.
    pub name: String,
    /// Does its concentration stay as it is?
    pub fixed: bool,
    /// Atoms and their numbers, if they are known.
    pub atoms: Option<Vec<(String, f64)>>,
}

/// A mechanism: species, reactions, rate program and tables.
///
/// Species that no reaction has and no rate reads are left out. Variable species come first, in the order of their
/// elimination, which is KPP's; then fixed ones as they were declared, and what rates read but no reaction has.
#[derive(Clone, Debug)]
pub struct Mechanism {
    species: Vec<Species>,
    unused: Vec<String>,
    reactions: Vec<Reaction>,
    compiled: Arc<Compiled>,
    program: Arc<RateProgram>,
    inputs: Vec<Input>,
    input_places: Vec<Place>,
    initial: Vec<f64>,
    cfactor: f64,
    settings: BTreeMap<String, f64>,
    unread_rates: usize,
    open_laws: Vec<OpenLaw>,
    look_at: Vec<String>,
    monitor: Vec<String>,
    families: Vec<Family>,
    imbalances: Vec<Imbalance>,
    notes: Vec<Message>,
    files: Vec<PathBuf>,
}

impl Mechanism {
    pub(crate) fn build(sources: Sources, found: Declarations, choices: Choices<'_>) -> Result<Self, Error> {
        build::build(&sources, found, choices).map_err(|fault| fault.of_file(&sources).error(&sources))
    }

    /// The species, variable ones first.
    #[must_use]
    pub fn species(&self) -> &[Species] {
        &self.species
    }

    /// The number of variable species.
    #[must_use]
    pub fn variable(&self) -> usize {
        self.compiled.network().variable()
    }

    /// The place of a species, in any case.
    #[must_use]
    pub fn species_index(&self, name: &str) -> Option<usize> {
        self.species.iter().position(|species| species.name.eq_ignore_ascii_case(name))
    }

    /// Species that were declared, but that no reaction has and no rate reads.
    #[must_use]
    pub fn unused(&self) -> &[String] {
        &self.unused
    }

    /// The reactions.
    #[must_use]
    pub fn reactions(&self) -> &[Reaction] {
        &self.reactions
    }

    /// The network with its factors and tables.
    #[must_use]
    pub fn compiled(&self) -> &Arc<Compiled> {
        &self.compiled
    }

    /// The tables of the core.
    #[must_use]
    pub fn tables(&self) -> &AnyTables {
        self.compiled.tables()
    }

    /// The program of rate constants.
    #[must_use]
    pub fn program(&self) -> &Arc<RateProgram> {
        &self.program
    }

    /// What the rate program reads of each cell, in its order.
    #[must_use]
    pub fn inputs(&self) -> &[Input] {
        &self.inputs
    }

    /// Names of those inputs of which rates take a sine, cosine or tangent: angles in radians.
    #[must_use]
    pub fn radians(&self) -> Vec<&str> {
        self.inputs.iter().filter(|input| input.radians).map(|input| input.name.as_str()).collect()
    }

    /// Names of those inputs that are rate constants, with the order of their reactions.
    #[must_use]
    pub fn orders(&self) -> Vec<(&str, u32)> {
        self.inputs.iter().filter_map(|input| Some((input.name.as_str(), input.order?))).collect()
    }

    /// Concentrations of `#INITVALUES`, times CFACTOR; 0 where nothing is said.
    #[must_use]
    pub fn initial(&self) -> &[f64] {
        &self.initial
    }

    /// How many rates could not be read, and are NaN in the rate program: see [`crate::Reader::rates_given`].
    #[must_use]
    pub fn unread_rates(&self) -> usize {
        self.unread_rates
    }

    /// Calls that cannot be read and are inputs: see [`crate::Reader::open_laws`].
    #[must_use]
    pub fn open_laws(&self) -> &[OpenLaw] {
        &self.open_laws
    }

    /// CFACTOR of `#INITVALUES`, or 1.
    #[must_use]
    pub fn cfactor(&self) -> f64 {
        self.cfactor
    }

    /// What part of the air 1 stands for among the initial values as they are written: 1 (mol/mol), 1e-6, 1e-9 or
    /// 1e-12. That is known where [`Self::cfactor`] is this part of what air has in a cm^3 between the ground and
    /// 20 km, or for 1 and 70 km; elsewhere the values are in another unit, which does not follow the air. The powers
    /// of ten by which cubic metres become cubic centimetres, and the like, are no parts, and neither is 6.022e17,
    /// which is for mol/m^3.
    #[must_use]
    pub fn part_of_air(&self) -> Option<f64> {
        part_of_air(self.cfactor)
    }

    /// A number that inlined initialisation sets, as in `TSTART`, `TEND`, `DT` \[s\] and `TEMP` \[K\], in any case.
    #[must_use]
    pub fn setting(&self, name: &str) -> Option<f64> {
        self.settings.get(&name.to_lowercase()).copied()
    }

    /// Species of `#LOOKAT`.
    #[must_use]
    pub fn look_at(&self) -> &[String] {
        &self.look_at
    }

    /// Species and atoms of `#MONITOR`.
    #[must_use]
    pub fn monitor(&self) -> &[String] {
        &self.monitor
    }

    /// Families of `#FAMILIES`.
    #[must_use]
    pub fn families(&self) -> &[Family] {
        &self.families
    }

    /// Reactions that make or lose atoms, among those whose species are known atom by atom.
    #[must_use]
    pub fn imbalances(&self) -> &[Imbalance] {
        &self.imbalances
    }

    /// The files that were read, the included ones behind that which includes them.
    #[must_use]
    pub fn files(&self) -> &[PathBuf] {
        &self.files
    }

    /// What was read but has no meaning here, and what may be a mistake.
    #[must_use]
    pub fn notes(&self) -> &[Message] {
        &self.notes
    }

    /// The values of all inputs for `cells` cells, `[input * cells + cell]`; `given` has one value for all cells, or
    /// one a cell. Names in any case.
    ///
    /// # Errors
    /// An input that is neither given nor has a default, with the place of its first use; a wrong number of values; a
    /// name that is no input.
    pub fn input_values(&self, given: &[(&str, &[f64])], cells: usize) -> Result<Vec<f64>, Error> {
        let is = |name: &str, input: &Input| input.name.eq_ignore_ascii_case(name);
        if let Some((name, _)) = given.iter().find(|(name, _)| !self.inputs.iter().any(|input| is(name, input))) {
            let fault = Fault::nowhere(format!("the mechanism has no input `{name}`"));
            return Err(fault
                .nearest(name, self.inputs.iter().map(|input| input.name.as_str()))
                .error(&Sources::default()));
        }
        let mut all = Vec::with_capacity(self.inputs.len() * cells);
        for (input, place) in self.inputs.iter().zip(&self.input_places) {
            let values = given.iter().find(|(name, _)| is(name, input)).map(|(_, values)| *values);
            match (values, input.default) {
                (Some(&[value]), _) | (None, Some(value)) => all.extend(std::iter::repeat_n(value, cells)),
                (Some(values), _) if values.len() == cells => all.extend(values),
                (Some(values), _) => {
                    let what = format!("input `{}` has {} values for {cells} cells", input.name, values.len());
                    return Err(Error::plain(what));
                }
                (None, None) => {
                    let what = format!("input `{}` is missing", input.name);
                    let help = "give it a value a cell, or a definition in an #INLINE block".to_owned();
                    return Err(Error::with(Message { what, place: Some(place.clone()), help: Some(help) }));
                }
            }
        }
        Ok(all)
    }
}

/// [`Mechanism::part_of_air`] of a CFACTOR.
fn part_of_air(cfactor: f64) -> Option<f64> {
    // mol/m^3 in molecules/cm^3, however many digits of it are written: no density of air, which it is at 26 km.
    if (cfactor / (1e-6 * AVOGADRO_PER_MOL) - 1.0).abs() < 1e-3 {
        return None;
    }
    const PARTS: [(f64, [f64; 2]); 4] =
        [(1.0, [1e15, 1e20]), (1e-6, [1.5e12, 4e13]), (1e-9, [1.5e9, 4e10]), (1e-12, [1.5e6, 4e7])];
    let part = PARTS.into_iter().find(|(_, [least, most])| (*least..=*most).contains(&cfactor));
    part.map(|(part, _)| part)
}

/// How a reader wants it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Choices<'a> {
    pub(crate) own: &'a Functions,
    pub(crate) sun_from_time: bool,
    pub(crate) rates_given: bool,
    pub(crate) open_laws: bool,
}
