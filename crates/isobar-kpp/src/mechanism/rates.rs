//! What formulas come to: rate constants, settings and initial values.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::{Choices, part_of_air};
use crate::declarations::Declarations;
use crate::error::{Fault, Message};
use crate::evaluate::{Context, Evaluator, Input, OF_CELLS, OpenCall, species_of_index};
use crate::expression::{Expression, Step};
use crate::functions::Functions;
use crate::graph::Graph;
use crate::inlined::{self, Inlined};
use crate::reactions;
use crate::source::{Place, Sources, Span};
use crate::statement::{Function, Statement};

/// A call in rates that cannot be read: an input of the rate program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenLaw {
    /// The function.
    pub name: String,
    /// The input that stands for the call: its words without blanks, as in `uptake(SR_MW(ind_HI),0.1_dp)`.
    pub input: String,
    /// The reactions whose rates have it, from 0.
    pub reactions: Vec<usize>,
    /// Where it stands first.
    pub place: Place,
    /// Why it cannot be read.
    pub why: Message,
}

/// What formulas came to.
pub(super) struct Rates {
    pub(super) graph: Graph,
    pub(super) nodes: Vec<u32>,
    /// What the rates read of a cell.
    pub(super) inputs: Vec<Input>,
    /// The places among them of what formulas name.
    pub(super) number_of_input: Vec<Option<u32>>,
    pub(super) open_laws: Vec<OpenLaw>,
    /// Concentrations by declared species.
    pub(super) initial: Vec<f64>,
    pub(super) cfactor: f64,
    pub(super) settings: BTreeMap<String, f64>,
    /// How many rates could not be read.
    pub(super) unread: usize,
    pub(super) notes: Vec<Fault>,
}

impl Rates {
    pub(super) fn new(
        (found, sources, inlined): (&Declarations, &Sources, &Inlined),
        (names, reacts): (&HashMap<String, usize>, &[bool]),
        Choices { own, sun_from_time, rates_given, open_laws }: Choices<'_>,
    ) -> Result<Self, Fault> {
        let mut notes = vec![];
        let Initialised { settings, concentrations, lost } = initialised((sources, inlined), (names, own), &mut notes);
        let (mut initial, cfactor) = initial((found, sources), names, own)?;
        // KPP runs inlined initialisation behind the initial values.
        concentrations.into_iter().for_each(|(species, value)| initial[species] = value);
        let graph = Graph::default();
        let context = Context { sources, species: names, functions: &inlined.functions, own };
        let mut evaluator = Evaluator::new(&graph, context);
        (evaluator.sun_from_time, evaluator.reacts) = (sun_from_time, reacts.to_vec());
        evaluator.open_laws = open_laws;
        evaluator.dummy_index = found.is_on("DUMMYINDEX");
        evaluator.defaults.insert("cfactor".to_owned(), cfactor);
        let defaults = settings.iter().filter(|(name, _)| !["cfactor", "sun", "time"].contains(&name.as_str()));
        evaluator.defaults.extend(defaults.map(|(name, &value)| (name.clone(), value)));
        let modules = inlined.modules.iter().map(|statement| (statement, true));
        let names = inlined.names.iter().map(|statement| (statement, false)).chain(modules);
        let rates = inlined.rates.iter().map(|statement| (statement, false));
        for step in names.map(Some).chain([None]).chain(rates.map(Some)) {
            let Some((statement, of_module)) = step else {
                // KPP initialises before it computes rates.
                let set = settings.iter().filter(|(name, _)| !OF_CELLS.contains(&name.as_str()));
                set.for_each(|(name, &value)| evaluator.begin_with(name, value));
                evaluator.open_all(&lost, Span::default());
                continue;
            };
            match evaluator.block(statement) {
                Ok(()) => {}
                Err(fault) if of_module || rates_given || open_laws => evaluator.pass_over(statement, fault),
                Err(fault) => return Err(fault),
            }
        }
        evaluator.after_jumps(&inlined.rates);
        let is_c = inlined::language(found) == "C";
        let (mut unread, mut first) = (0, None);
        for equation in &found.equations {
            let rate = equation.rate.clone().map(|rate| if is_c { rate.of_c() } else { rate });
            let value = rate.and_then(|rate| evaluator.rate(&rate));
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
        let nodes: Vec<u32> = evaluator.rates.iter().map(|value| value.node).collect();
        notes.append(&mut evaluator.notes);
        if evaluator.air_of_cfactor && part_of_air(cfactor) != Some(1e-6) {
            let what = format!(
                "FALL, EP2 and EP3 take 1e6 CFACTOR for the molecules of air, as KPP has them: CFACTOR is {cfactor:e}, \
                 no millionth of the air"
            );
            notes.push(Fault::nowhere(what));
        }
        // Inlined code may name what no rate reads.
        let (named, opened) = (std::mem::take(&mut evaluator.inputs), std::mem::take(&mut evaluator.opened));
        let mut read = graph.inputs_of(&nodes);
        read.append(&mut evaluator.named_by_rates);
        let angles = graph.angles(&nodes);
        let mut number_of_input = vec![None; named.len()];
        let mut inputs = vec![];
        for (old, input) in named.into_iter().enumerate().filter(|(old, _)| read.contains(&(*old as u32))) {
            number_of_input[old] = Some(inputs.len() as u32);
            inputs.push(Input { radians: angles.contains(&(old as u32)), ..input });
        }
        let open_laws = opened.into_iter().filter_map(|call| law(call, (&graph, &nodes), sources)).collect();
        Ok(Self { nodes, inputs, number_of_input, open_laws, initial, cfactor, settings, unread, notes, graph })
    }
}

/// An open law with the reactions that have it; none if no rate does.
fn law(call: OpenCall, (graph, nodes): (&Graph, &[u32]), sources: &Sources) -> Option<OpenLaw> {
    let reads = graph.reads_input(call.number);
    let reactions: Vec<usize> = (0..nodes.len()).filter(|&reaction| reads[nodes[reaction] as usize]).collect();
    (!reactions.is_empty()).then(|| OpenLaw {
        name: call.name,
        input: call.input,
        reactions,
        place: sources.place(call.span),
        why: call.fault.message(sources),
    })
}

/// What inlined initialisation sets.
#[derive(Default)]
struct Initialised {
    /// Numbers, by names in lower case.
    settings: BTreeMap<String, f64>,
    /// Concentrations, by species.
    concentrations: Vec<(usize, f64)>,
    /// Names, in lower case, that it may set to what is not known.
    lost: BTreeSet<String>,
}

/// What inlined initialisation sets. What it does besides is noted.
fn initialised(
    (sources, inlined): (&Sources, &Inlined),
    (names, own): (&HashMap<String, usize>, &Functions),
    notes: &mut Vec<Fault>,
) -> Initialised {
    let mut concentrations = vec![];
    if inlined.initial.is_empty() {
        return Initialised::default();
    }
    let (graph, species) = (Graph::default(), HashMap::new());
    let context = Context { sources, species: &species, functions: &inlined.functions, own };
    let mut evaluator = Evaluator::new(&graph, context);
    // What is wrong with these is said where rates are read.
    inlined.names.iter().chain(&inlined.modules).for_each(|statement| drop(evaluator.block(statement)));
    let declared = evaluator.names.clone();
    (evaluator.notes, evaluator.lost) = (vec![], BTreeSet::new());
    for statement in &inlined.initial {
        let done = match species_set(statement, names) {
            Some((species, formula)) => evaluator.value(formula).and_then(|value| {
                let value = value.as_constant().filter(|&value| value >= 0.0);
                let value = value.ok_or_else(|| Fault::at(formula.span, "a concentration is a number, 0 or more"));
                value.map(|value| concentrations.push((species, value)))
            }),
            None => evaluator.block(statement),
        };
        if let Err(fault) = done {
            evaluator.pass_over(statement, fault);
        }
    }
    evaluator.after_jumps(&inlined.initial);
    let mut lost = std::mem::take(&mut evaluator.lost);
    let mut set = BTreeSet::new();
    assigned(&inlined.initial, &mut set);
    let mut all = BTreeMap::new();
    for name in set {
        match evaluator.names.get(name).map(|value| value.as_constant()) {
            Some(Some(value)) => {
                // What was lost before it.
                lost.remove(name);
                all.insert(name.clone(), value);
            }
            Some(None) if declared.contains_key(name) && !lost.contains(name) => {
                lost.insert(name.clone());
                let what = format!("left out: what initialisation gives `{name}` depends on the cell");
                notes.push(Fault::nowhere(what));
            }
            _ => {}
        }
    }
    notes.append(&mut evaluator.notes);
    Initialised { settings: all, concentrations, lost }
}

/// The species whose concentration a statement sets, `VAR(ind_A) = 3.0d12`, and the formula of it.
fn species_set<'s>(statement: &'s Statement, names: &HashMap<String, usize>) -> Option<(usize, &'s Expression)> {
    const ARRAYS: [&str; 3] = ["c", "var", "fix"];
    let Statement::Element { name, index, value, .. } = statement else { return None };
    let [Expression { steps, .. }] = &index[..] else { return None };
    let [(Step::Name(index), _)] = &steps[..] else { return None };
    let species = species_of_index(index).filter(|_| ARRAYS.contains(&name.as_str()))?;
    Some((*names.get(&species.to_lowercase())?, value))
}

/// The names that statements give values.
fn assigned<'s>(statements: &'s [Statement], names: &mut BTreeSet<&'s String>) {
    for statement in statements {
        match statement {
            Statement::Assign { name, .. } => _ = names.insert(name),
            Statement::If(arms) => arms.iter().for_each(|(_, body)| assigned(body, names)),
            Statement::Do(turns) => assigned(&turns.body, names),
            Statement::While(turns) => assigned(&turns.body, names),
            _ => {}
        }
    }
}

/// Concentrations of all declared species, and CFACTOR.
fn initial(
    (found, sources): (&Declarations, &Sources),
    names: &HashMap<String, usize>,
    own: &Functions,
) -> Result<(Vec<f64>, f64), Fault> {
    let (graph, species, functions) = (Graph::default(), HashMap::new(), HashMap::<String, Function>::new());
    let mut evaluator = Evaluator::new(&graph, Context { sources, species: &species, functions: &functions, own });
    let mut cfactor = 1.0;
    let mut given: Vec<Option<f64>> = vec![None; found.species.len()];
    // Of the variable species, and of the fixed ones: for those without a value of their own, wherever it stands.
    let mut defaults = [0.0; 2];
    for (name, span, formula) in &found.initial {
        let value = evaluator.value(formula)?.as_constant();
        let value = value.ok_or_else(|| Fault::at(formula.span, "an initial value is a number"))?;
        let lower = name.to_lowercase();
        if value < 0.0 {
            return Err(Fault::at(formula.span, format!("the initial value of `{name}` is negative")));
        }
        match lower.as_str() {
            "cfactor" => cfactor = value,
            "all_spec" => defaults = [value; 2],
            "var_spec" => defaults[0] = value,
            "fix_spec" => defaults[1] = value,
            _ => {
                let species = names.get(&lower).ok_or_else(|| reactions::unknown(name, *span, &found.species))?;
                given[*species] = Some(value);
            }
        }
    }
    let values = given.into_iter().zip(&found.species);
    let all = values.map(|(given, species)| given.unwrap_or(defaults[usize::from(species.fixed)]) * cfactor);
    Ok((all.collect(), cfactor))
}
