//! What statements may change that are not run, for they are not understood.

use std::collections::{BTreeSet, HashMap, HashSet};

use crate::expression::{Expression, Step};
use crate::statement::{Beyond, Changes, Function, Mark, Statement, declares, is_type};
use crate::token::{Kind, Token};

/// Functions by their names in lower case.
type Functions = HashMap<String, Function>;

/// Statements that read numbers from files: each name there may get one.
const READ: [&str; 2] = ["read", "inquire"];
/// Statements of files and of memory, which set no more than what follows these words and `=`.
pub(crate) const FILES: [&str; 13] = [
    "write",
    "print",
    "format",
    "open",
    "close",
    "flush",
    "rewind",
    "backspace",
    "endfile",
    "wait",
    "allocate",
    "deallocate",
    "nullify",
];
const SET_BY_FILES: [&str; 6] = ["iostat", "iomsg", "size", "newunit", "stat", "errmsg"];

impl Changes {
    /// What happens where which statements run is not known.
    pub(crate) fn of_jump() -> Self {
        Self { jumps: true, ..Self::default() }
    }

    /// What a line may change that is no block.
    pub(crate) fn of_line(line: &[Token]) -> Self {
        let lower = |token: &Token| match &token.kind {
            Kind::Name(name) => Some(name.to_lowercase()),
            _ => None,
        };
        let sign = |place: usize| match line.get(place).map(|token| &token.kind) {
            Some(Kind::Sign(sign)) => *sign,
            _ => "",
        };
        let is = |place: usize, wanted: &str| sign(place) == wanted;
        let word = line.first().and_then(lower);
        let names = line.iter().enumerate().filter_map(|(place, token)| Some((place, lower(token)?)));
        let names: BTreeSet<String> = match word.as_deref() {
            // A number alone is where an IF of three labels goes.
            None | Some("goto" | "go" | "assign") => return Self::of_jump(),
            Some(word) if FILES.contains(&word) => {
                let set = |place: usize| {
                    let word = place.checked_sub(2).filter(|_| is(place - 1, "=")).and_then(|word| lower(&line[word]));
                    word.is_some_and(|word| SET_BY_FILES.contains(&word.as_str()))
                };
                names.filter(|(place, _)| set(*place)).map(|(_, name)| name).collect()
            }
            Some(word) if READ.contains(&word) => names.map(|(_, name)| name).collect(),
            Some(word) if is_type(word) => {
                names.filter(|(place, _)| is(place + 1, "=") || is(place + 1, "(")).map(|(_, name)| name).collect()
            }
            Some(_) if outside(line, "=") => {
                let parts = (0..line.len()).step_by(2).take_while(|&place| place == 0 || is(place - 1, "%"));
                let parts: Vec<String> = parts.filter_map(|place| lower(&line[place])).collect();
                BTreeSet::from([parts.join("%")])
            }
            Some(_) => names.map(|(_, name)| name).collect(),
        };
        Self { names, jumps: false }
    }

    /// What statements may change, and the subroutines that they call.
    pub(crate) fn of(statements: &[Statement], functions: &Functions) -> Self {
        let mut all = Self::default();
        all.add(statements, functions, &mut HashSet::new());
        all
    }

    fn add<'m>(&mut self, statements: &'m [Statement], functions: &'m Functions, entered: &mut HashSet<&'m str>) {
        for statement in statements {
            match statement {
                Statement::Assign { name, .. } | Statement::Element { name, .. } | Statement::Part { name, .. } => {
                    self.names.insert(name.clone());
                }
                Statement::Array(array) if !array.values.is_empty() => _ = self.names.insert(array.name.clone()),
                Statement::If(arms) | Statement::Where(arms) => {
                    arms.iter().for_each(|(_, body)| self.add(body, functions, entered));
                }
                Statement::Do(turns) => {
                    self.names.insert(turns.counter.clone());
                    self.add(&turns.body, functions, entered);
                }
                Statement::While(turns) => self.add(&turns.body, functions, entered),
                Statement::Call { name, arguments, .. } => {
                    self.names.extend(arguments.iter().filter_map(changeable));
                    let Some((name, function)) = functions.get_key_value(name) else { continue };
                    if entered.insert(name) {
                        let mut own = Self::default();
                        own.add(&function.body, functions, entered);
                        self.names.extend(own.names.into_iter().filter(|name| !function.owns(name)));
                    }
                }
                Statement::Beyond(Beyond { changes, within, .. }) => {
                    self.names.extend(changes.names.iter().cloned());
                    self.jumps |= changes.jumps;
                    self.add(within, functions, entered);
                }
                Statement::Array(_)
                | Statement::Declare { .. }
                | Statement::Marked { .. }
                | Statement::Records(_)
                | Statement::Return(_)
                | Statement::Exit(_)
                | Statement::Cycle(_)
                | Statement::Stop(_) => {}
            }
        }
    }
}

/// The first name that a function sets, not only where it is declared, and that keeps its value from call to call:
/// one with the attribute `SAVE`, or one that is given a value where it is declared.
pub(crate) fn kept(function: &Function) -> Option<String> {
    let (mut saved, mut all) = (BTreeSet::new(), false);
    let mut names = BTreeSet::new();
    for statement in &function.body {
        let declaration = match statement {
            Statement::If(arms) => match &arms[..] {
                [(None, parts)] => Some(&parts[..]),
                _ => None,
            },
            Statement::Marked { .. } => Some(std::slice::from_ref(statement)),
            _ => None,
        };
        for part in declaration.unwrap_or_default() {
            match part {
                Statement::Marked { names, mark: Mark::Saved } => {
                    all |= names.is_empty();
                    saved.extend(names.iter().cloned());
                }
                // DATA
                Statement::Array(array) if array.bounds.is_empty() => _ = saved.insert(array.name.clone()),
                _ => {}
            }
        }
        if declaration.is_none() {
            names.append(&mut Changes::of(std::slice::from_ref(statement), &Functions::new()).names);
        }
    }
    let is_own = |name: &String| {
        !function.arguments.contains(name)
            && function.result.as_ref() != Some(name)
            && declares(&function.body, name, false)
    };
    names.into_iter().find(|name| saved.contains(name) || (all && is_own(name)))
}

/// The name that a subroutine may change by its argument: a variable, or an array by one of its elements.
fn changeable(argument: &Expression) -> Option<String> {
    match argument.steps.last() {
        Some((Step::Name(name), _)) if argument.steps.len() == 1 => Some(name.to_lowercase()),
        Some((Step::Call(name, ..), _)) => Some(name.to_lowercase()),
        _ => None,
    }
}

/// Does a sign stand in a line outside of parentheses?
fn outside(line: &[Token], sign: &str) -> bool {
    let mut depth = 0_i32;
    line.iter().any(|token| {
        let Kind::Sign(found) = token.kind else { return false };
        depth += i32::from(found == "(" || found == "[") - i32::from(found == ")" || found == "]");
        depth == 0 && found == sign
    })
}
