//! Which inlined blocks count, and what they say.

use std::collections::HashMap;

use crate::declarations::Declarations;
use crate::error::Fault;
use crate::source::{Sources, Span};
use crate::statement::{Code, Function, Statement};
use crate::{c_code, fortran};

/// What blocks are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Purpose {
    Initial,
    Names,
    Functions,
    Rates,
    Nothing,
}

/// A language and its prefix.
const LANGUAGES: [&str; 3] = ["F90", "C", "F77"];

/// What all blocks that count say.
#[derive(Debug, Default)]
pub(crate) struct Inlined {
    /// Start, end and step of the model, and its temperature.
    pub(crate) initial: Vec<Statement>,
    /// Constants.
    pub(crate) names: Vec<Statement>,
    /// Constants of modules beside the mechanism.
    pub(crate) modules: Vec<Statement>,
    /// What is computed before the rate constants.
    pub(crate) rates: Vec<Statement>,
    /// Functions by names in lower case.
    pub(crate) functions: HashMap<String, Function>,
    pub(crate) notes: Vec<Fault>,
}

fn purpose(kind: &str) -> Option<(&'static str, Purpose)> {
    let (prefix, rest) = kind.split_once('_')?;
    if prefix.eq_ignore_ascii_case("matlab") {
        return Some(("matlab", Purpose::Nothing));
    }
    let language = LANGUAGES.into_iter().find(|language| language.eq_ignore_ascii_case(prefix))?;
    let purpose = match rest.to_uppercase().as_str() {
        "INIT" => Purpose::Initial,
        "GLOBAL" | "DATA" => Purpose::Names,
        "RATES" | "UTIL" => Purpose::Functions,
        "RCONST" => Purpose::Rates,
        "RCONST_USE" => Purpose::Nothing,
        _ => return None,
    };
    Some((language, purpose))
}

/// The language that the mechanism wants first.
pub(crate) fn language(found: &Declarations) -> &'static str {
    let language =
        found.settings.iter().rev().find(|(name, _)| name == "LANGUAGE").map(|(_, value)| value.to_lowercase());
    match language.as_deref() {
        Some("c") => "C",
        Some("fortran77" | "f77") => "F77",
        _ => "F90",
    }
}

/// Reads the blocks of each purpose in the language that the mechanism wants, or else in another one.
///
/// Where rates are given, code that cannot be read is left out.
pub(crate) fn read(found: &Declarations, sources: &Sources, rates_given: bool) -> Result<Inlined, Fault> {
    let mut all = Inlined::default();
    let mut blocks: Vec<(&'static str, Purpose, Span)> = vec![];
    for inline in &found.inlines {
        match purpose(sources.slice(inline.kind)) {
            Some((language, purpose)) => blocks.push((language, purpose, inline.code)),
            None => {
                let what = format!("inlined code of the unknown kind `{}` is left out", sources.slice(inline.kind));
                all.notes.push(Fault::at(inline.kind, what));
            }
        }
    }
    let first = language(found);
    for purpose in [Purpose::Initial, Purpose::Names, Purpose::Functions, Purpose::Rates] {
        let mut languages = std::iter::once(first).chain(LANGUAGES);
        let has = |language: &str| blocks.iter().any(|block| block.0 == language && block.1 == purpose);
        let Some(language) = languages.find(|language| has(language)) else { continue };
        for &(_, _, span) in blocks.iter().filter(|block| block.0 == language && block.1 == purpose) {
            let text = sources.text(span.text);
            let fixed_form = language == "F77";
            let code = if language == "C" {
                c_code::read(text, span)
            } else {
                all.notes.extend(fortran::doubts(text, span, fixed_form));
                fortran::read(text, span, fixed_form)
            };
            match code {
                Ok(code) => all.add(purpose, code)?,
                Err(fault) if matches!(purpose, Purpose::Functions | Purpose::Rates) && !rates_given => {
                    return Err(fault);
                }
                Err(fault) => {
                    all.notes.push(Fault { what: format!("inlined code is left out: {}", fault.what), ..fault })
                }
            }
        }
    }
    all.rates.extend(found.statements.iter().cloned());
    for module in &found.modules {
        let text = sources.text(module.code.text);
        all.notes.extend(fortran::doubts(text, module.code, module.fixed_form));
        match fortran::read(text, module.code, module.fixed_form) {
            Ok(code) => all.add_module(code),
            Err(fault) => {
                all.notes.push(Fault { what: format!("the module is left out: {}", fault.what), ..fault });
            }
        }
    }
    Ok(all)
}

impl Inlined {
    /// Takes a module's code; what the mechanism itself defines counts before it.
    fn add_module(&mut self, code: Code) {
        for function in code.functions {
            let function = Function { of_module: true, ..function };
            self.functions.entry(function.name.to_lowercase()).or_insert(function);
        }
        self.modules.extend(code.statements);
    }

    fn add(&mut self, purpose: Purpose, code: Code) -> Result<(), Fault> {
        for function in code.functions {
            let span = function.span;
            if self.functions.insert(function.name.to_lowercase(), function.clone()).is_some() {
                return Err(Fault::at(span, format!("the function `{}` is defined twice", function.name)));
            }
        }
        match purpose {
            Purpose::Initial => self.initial.extend(code.statements),
            Purpose::Names | Purpose::Functions => self.names.extend(code.statements),
            Purpose::Rates => self.rates.extend(code.statements),
            Purpose::Nothing => {}
        }
        Ok(())
    }
}
