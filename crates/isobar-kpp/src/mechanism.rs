//! A mechanism that was read and checked.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::PathBuf;
use std::sync::Arc;

use isobar_rosenbrock::{AnyTables, Compiled, Network, RateProgram, elimination_order};

use crate::balance::{self, Imbalance};
use crate::declarations::Declarations;
use crate::error::{Error, Fault, Message};
use crate::evaluate::{Evaluator, Input};
use crate::families::{self, Family};
use crate::functions::Functions;
use crate::graph::Graph;
use crate::inlined::{self, Inlined};
use crate::lower;
use crate::reactions::{self, Reaction, Resolved};
use crate::slopes;
use crate::source::{Place, Sources};
use crate::statement::{Function, Statement};

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
    look_at: Vec<String>,
    monitor: Vec<String>,
    families: Vec<Family>,
    imbalances: Vec<Imbalance>,
    notes: Vec<Message>,
    files: Vec<PathBuf>,
}

impl Mechanism {
    pub(crate) fn build(sources: Sources, found: Declarations, choices: Choices<'_>) -> Result<Self, Error> {
        build(&sources, found, choices).map_err(|fault| fault.of_file(&sources).error(&sources))
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

    /// CFACTOR of `#INITVALUES`, or 1.
    #[must_use]
    pub fn cfactor(&self) -> f64 {
        self.cfactor
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

    /// The values of all inputs for so many cells, `[input * cells + cell]`; `given` has one value for all cells, or
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

/// How a reader wants it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Choices<'a> {
    pub(crate) own: &'a Functions,
    pub(crate) sun_from_time: bool,
    pub(crate) rates_given: bool,
}

/// So many notes are kept, for places take time to find.
const MOST_NOTES: usize = 200;

fn build(sources: &Sources, mut found: Declarations, choices: Choices<'_>) -> Result<Mechanism, Fault> {
    let mut names = reactions::names(&found, sources)?;
    let mut set = vec![];
    for (name, span, fixed) in &found.set {
        let lower = name.to_lowercase();
        let species = names.get(&lower).ok_or_else(|| reactions::unknown(name, *span, &found.species))?;
        set.push((*species, *fixed));
    }
    set.into_iter().for_each(|(species, fixed)| found.species[species].fixed = fixed);
    if found.equations.is_empty() {
        return Err(Fault::nowhere("the mechanism has no reactions").help("equations stand behind `#EQUATIONS`"));
    }
    labels(&found, sources)?;
    let resolve = |equation| reactions::resolve(equation, &names, &found.species);
    let mut equations = found.equations.iter().map(resolve).collect::<Result<Vec<_>, _>>()?;
    let mut compositions = balance::compositions(&found)?;
    let imbalances = balance::imbalances(&found, &compositions, &equations);
    let families = families::add(&mut found, &mut names, &mut equations)?;
    compositions.resize(found.species.len(), None);
    checked_atoms(&mut found, &imbalances, &names)?;
    duplicates(&mut found, &equations);

    let inlined = inlined::read(&found, sources, choices.rates_given)?;
    let used = used(&found, &equations);
    let mut rates = Rates::new(&found, &inlined, (&names, &used), choices)?;
    let (order, variable) = places(&found, &equations, &used, &rates.graph.species_of(&rates.nodes))?;
    let mut place = vec![None; found.species.len()];
    order.iter().enumerate().for_each(|(new, &old)| place[old] = Some(new));
    let reactions = listed(&found, &equations, &place, variable, sources);
    let network = |reaction: &Reaction| isobar_rosenbrock::Reaction {
        reactants: reaction.reactants.clone(),
        net: reaction.net.clone(),
    };
    let wrong = |error: isobar_rosenbrock::Error| Fault::nowhere(error.to_string());
    let network =
        Network::new(variable, order.len() - variable, reactions.iter().map(network).collect()).map_err(wrong)?;
    let compiled = Compiled::new(network).map_err(wrong)?;
    let slopes = slopes::slopes(&rates.graph, &rates.nodes, &place, variable).unwrap_or_else(|slopes::TooLarge| {
        let what = "the Jacobian leaves out how rates depend on concentrations: their formulas are too large";
        rates.notes.push(Fault::nowhere(what));
        None
    });
    let program = lower::program(&rates.graph, &rates.nodes, slopes, &place, rates.inputs.len(), order.len());
    let program = program.map_err(|error| Fault::nowhere(error.to_string()))?;
    let (initial, cfactor) = (rates.initial, rates.cfactor);
    let species = |&old: &usize| Species {
        name: found.species[old].name.clone(),
        fixed: place[old].is_some_and(|place| place >= variable),
        atoms: compositions[old]
            .as_ref()
            .map(|atoms| atoms.iter().map(|&(atom, count)| (found.atoms[atom].0.clone(), count)).collect()),
    };
    let unused = (0..found.species.len()).filter(|&old| place[old].is_none());
    let named = |list: &[(String, crate::source::Span)]| list.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>();
    let all_names = || order.iter().map(|&old| found.species[old].name.clone()).collect();
    let notes: Vec<&Fault> = found.notes.iter().chain(&inlined.notes).chain(&rates.notes).collect();
    let more = notes.len().saturating_sub(MOST_NOTES);
    let more = (more > 0).then(|| Fault::nowhere(format!("and {more} notes more")));
    Ok(Mechanism {
        species: order.iter().map(species).collect(),
        unused: unused.map(|old| found.species[old].name.clone()).collect(),
        reactions,
        compiled: Arc::new(compiled),
        program: Arc::new(program),
        input_places: rates.inputs.iter().map(|input| sources.place(input.span)).collect(),
        inputs: rates.inputs,
        initial: order.iter().map(|&old| initial[old]).collect(),
        cfactor,
        settings: rates.settings,
        unread_rates: rates.unread,
        look_at: if found.look_at_all { all_names() } else { named(&found.look_at) },
        monitor: named(&found.monitor),
        families,
        imbalances,
        notes: notes.into_iter().take(MOST_NOTES).cloned().chain(more).map(|fault| fault.message(sources)).collect(),
        files: sources.files.clone(),
    })
}

/// No label twice.
fn labels(found: &Declarations, sources: &Sources) -> Result<(), Fault> {
    let mut known = HashMap::new();
    for (label, span) in found.equations.iter().filter_map(|equation| equation.label.as_ref()) {
        if let Some(first) = known.insert(label.to_lowercase(), *span) {
            let place = sources.place(first);
            let fault = Fault::at(*span, format!("label `{label}` stands twice"));
            return Err(fault.help(format!("first in {}, line {}", place.file.display(), place.line)));
        }
    }
    Ok(())
}

/// Notes for imbalances of the atoms that `#CHECK` names, and for names there and in lists that are unknown.
fn checked_atoms(
    found: &mut Declarations,
    imbalances: &[Imbalance],
    names: &HashMap<String, usize>,
) -> Result<(), Fault> {
    let is_atom = |name: &str| found.atoms.iter().any(|(atom, _)| atom.eq_ignore_ascii_case(name));
    if let Some((name, span)) = found.check.iter().find(|(name, _)| !is_atom(name)) {
        let fault = Fault::at(*span, format!("unknown atom `{name}`"));
        return Err(fault.nearest(name, found.atoms.iter().map(|(atom, _)| atom.as_str())));
    }
    for (name, span) in found.look_at.iter().chain(&found.monitor) {
        if !names.contains_key(&name.to_lowercase()) && !is_atom(name) {
            return Err(reactions::unknown(name, *span, &found.species));
        }
    }
    let checked = |atom: &str| found.check_all || found.check.iter().any(|(name, _)| name.eq_ignore_ascii_case(atom));
    let notes =
        imbalances.iter().filter(|imbalance| checked(&imbalance.atom)).map(|Imbalance { reaction, atom, change }| {
            let what =
                format!("this reaction {} {} of {atom}", if *change < 0.0 { "loses" } else { "makes" }, change.abs());
            Fault::at(found.equations[*reaction].span, what)
        });
    let notes: Vec<Fault> = notes.collect();
    found.notes.extend(notes);
    Ok(())
}

/// Notes for equations that stand twice.
fn duplicates(found: &mut Declarations, equations: &[Resolved]) {
    let mut known = std::collections::HashSet::new();
    for (equation, resolved) in found.equations.iter().zip(equations) {
        let sorted = |side: &reactions::Side| {
            let mut side: Vec<(usize, u64)> =
                side.iter().map(|&(species, factor)| (species, factor.to_bits())).collect();
            side.sort_unstable();
            side
        };
        if !known.insert((sorted(&resolved.left), sorted(&resolved.right), resolved.photolysis)) {
            found.notes.push(Fault::at(equation.span, "this equation stands twice"));
        }
    }
}

/// Which declared species stand in an equation.
fn used(found: &Declarations, equations: &[Resolved]) -> Vec<bool> {
    let mut used = vec![false; found.species.len()];
    for &(species, _) in equations.iter().flat_map(|equation| equation.left.iter().chain(&equation.right)) {
        used[species] = true;
    }
    used
}

/// The declared species that are used, in their final order, and how many of them are variable. What rates read and no
/// reaction has stands at the end: nothing changes it.
fn places(
    found: &Declarations,
    equations: &[Resolved],
    used: &[bool],
    read: &BTreeSet<usize>,
) -> Result<(Vec<usize>, usize), Fault> {
    let of = |fixed: bool| (0..used.len()).filter(move |&s| found.species[s].fixed == fixed).filter(|&s| used[s]);
    let variable: Vec<usize> = of(false).collect();
    if variable.is_empty() {
        return Err(Fault::nowhere("no reaction has a variable species").help("they are declared in `#DEFVAR`"));
    }
    let mut place = vec![usize::MAX; used.len()];
    variable.iter().enumerate().for_each(|(new, &old)| place[old] = new);
    let plain: Vec<isobar_rosenbrock::Reaction> = equations
        .iter()
        .map(|equation| isobar_rosenbrock::Reaction {
            reactants: equation.powers().into_iter().map(|(s, power)| (place[s], power)).collect(),
            net: equation.net().into_iter().map(|(s, net)| (place[s], net)).collect(),
        })
        .collect();
    let order = elimination_order(variable.len(), &plain);
    let held = of(true).chain(read.iter().copied().filter(|&species| !used[species]));
    Ok((order.into_iter().map(|place| variable[place]).chain(held).collect(), variable.len()))
}

fn listed(
    found: &Declarations,
    equations: &[Resolved],
    place: &[Option<usize>],
    variable: usize,
    sources: &Sources,
) -> Vec<Reaction> {
    let words = |span| sources.slice(span).split_whitespace().collect::<Vec<_>>().join(" ");
    let at = |species: usize| place[species].expect("a species of a reaction is used");
    let list = found.equations.iter().zip(equations).map(|(equation, resolved)| Reaction {
        label: equation.label.as_ref().map(|(label, _)| label.clone()),
        equation: words(equation.span),
        rate: words(equation.rate_span),
        photolysis: resolved.photolysis,
        reactants: resolved.powers().into_iter().map(|(s, power)| (at(s), power)).collect(),
        net: resolved.net().into_iter().map(|(s, net)| (at(s), net)).filter(|&(s, _)| s < variable).collect(),
    });
    list.collect()
}

/// What formulas came to.
struct Rates {
    graph: Graph,
    nodes: Vec<u32>,
    inputs: Vec<Input>,
    /// Concentrations by declared species.
    initial: Vec<f64>,
    cfactor: f64,
    settings: BTreeMap<String, f64>,
    /// How many rates could not be read.
    unread: usize,
    notes: Vec<Fault>,
}

impl Rates {
    fn new(
        found: &Declarations,
        inlined: &Inlined,
        (names, reacts): (&HashMap<String, usize>, &[bool]),
        Choices { own, sun_from_time, rates_given }: Choices<'_>,
    ) -> Result<Self, Fault> {
        let mut notes = vec![];
        let settings = settings(inlined, own, &mut notes);
        let (initial, cfactor) = initial(found, names, own)?;
        let graph = Graph::default();
        let mut evaluator = Evaluator::new(&graph, names, &inlined.functions, own);
        (evaluator.sun_from_time, evaluator.reacts) = (sun_from_time, reacts.to_vec());
        evaluator.defaults.insert("cfactor".to_owned(), cfactor);
        for name in ["temp", "press"] {
            if let Some(&value) = settings.get(name) {
                evaluator.defaults.insert(name.to_owned(), value);
            }
        }
        for statement in inlined.names.iter().chain(&inlined.rates) {
            match statement {
                Statement::Beyond(fault) => {
                    notes.push(Fault { what: format!("left out: {}", fault.what), ..fault.clone() });
                }
                statement => match evaluator.block(statement) {
                    Err(fault) if rates_given => {
                        notes.push(Fault { what: format!("left out: {}", fault.what), ..fault });
                    }
                    result => result?,
                },
            }
        }
        let (mut unread, mut first) = (0, None);
        for equation in &found.equations {
            let value = equation.rate.clone().and_then(|rate| evaluator.value(&rate));
            let value = match value {
                Err(fault) if rates_given => {
                    unread += 1;
                    first.get_or_insert(fault);
                    graph.constant(f64::NAN)
                }
                value => value?,
            };
            evaluator.rates.push(value);
        }
        if let Some(fault) = first {
            let what = format!("{unread} rates are not read, for rate constants are given; the first: {}", fault.what);
            notes.push(Fault { what, ..fault });
        }
        let nodes = evaluator.rates.iter().map(|value| value.node).collect();
        notes.append(&mut evaluator.notes);
        let inputs = std::mem::take(&mut evaluator.inputs);
        Ok(Self { nodes, inputs, initial, cfactor, settings, unread, notes, graph })
    }
}

/// The numbers that inlined initialisation sets. What it does besides is noted.
fn settings(inlined: &Inlined, own: &Functions, notes: &mut Vec<Fault>) -> BTreeMap<String, f64> {
    let (graph, species, functions) = (Graph::default(), HashMap::new(), HashMap::<String, Function>::new());
    let mut evaluator = Evaluator::new(&graph, &species, &functions, own);
    for statement in &inlined.initial {
        let result = match statement {
            Statement::Beyond(fault) => Err(fault.clone()),
            statement => evaluator.block(statement),
        };
        if let Err(fault) = result {
            notes.push(Fault { what: format!("left out: {}", fault.what), ..fault });
        }
    }
    let constants = evaluator.names.iter().filter_map(|(name, value)| Some((name.clone(), value.as_constant()?)));
    constants.collect()
}

/// Concentrations of all declared species, and CFACTOR.
fn initial(found: &Declarations, names: &HashMap<String, usize>, own: &Functions) -> Result<(Vec<f64>, f64), Fault> {
    let (graph, species, functions) = (Graph::default(), HashMap::new(), HashMap::<String, Function>::new());
    let mut evaluator = Evaluator::new(&graph, &species, &functions, own);
    let mut cfactor = 1.0;
    let mut all = vec![0.0; found.species.len()];
    for (name, span, formula) in &found.initial {
        let value = evaluator.value(formula)?.as_constant();
        let value = value.ok_or_else(|| Fault::at(formula.span, "an initial value is a number"))?;
        let lower = name.to_lowercase();
        if value < 0.0 {
            return Err(Fault::at(formula.span, format!("the initial value of `{name}` is negative")));
        }
        match lower.as_str() {
            "cfactor" => cfactor = value,
            "all_spec" => all.fill(value),
            "var_spec" | "fix_spec" => {
                let fixed = lower == "fix_spec";
                let chosen = all.iter_mut().zip(&found.species).filter(|(_, species)| species.fixed == fixed);
                chosen.for_each(|(all, _)| *all = value);
            }
            _ => {
                let species = names.get(&lower).ok_or_else(|| reactions::unknown(name, *span, &found.species))?;
                all[*species] = value;
            }
        }
    }
    all.iter_mut().for_each(|value| *value *= cfactor);
    Ok((all, cfactor))
}
