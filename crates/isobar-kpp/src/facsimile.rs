//! Mechanisms in FACSIMILE's language, as the Master Chemical Mechanism and AtChem have them (`.fac`).
//!
//! ```text
//! * A comment to the end of the line, or to a `;` behind which a statement begins
//! VARIABLE
//! NO NO2 O3 CH3O2 ;
//! KRO2NO = 2.7D-12*EXP(360/TEMP) ;
//! RO2 = CH3O2 ;
//! % KRO2NO*0.999 : CH3O2 + NO = CH3O + NO2 ;
//! % J<4> : NO2 = NO + O ;
//! ```
//!
//! All numbers are real, `@` is a power, the name of a species its concentration, and `J<4>` the input `J(4)`. `M`,
//! `N2` and `O2` are parts of the density of air (the input `C_M`) where nothing else defines them, as in AtChem2.
//! Format: MCM's exports, and AtChem2's manual (Sommariva and others 2020, doi:10.5194/gmd-13-169-2020).

use std::collections::HashSet;
use std::ops::Range;
use std::path::Path;

use crate::declarations::{Declarations, Declared};
use crate::error::Fault;
use crate::expression::{Expression, Step};
use crate::item::{self, Equation, Term};
use crate::source::Span;
use crate::statement::Statement;

/// Is this text, with this name, in FACSIMILE's language? KPP's never begins so.
pub(crate) fn is_facsimile(name: &Path, text: &str) -> bool {
    let named = name.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("fac"));
    named || text.trim_start().starts_with(['*', '%'])
}

/// A copy without comments, with KPP's parentheses for indices of photolysis; each byte keeps its place.
fn clean(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut comment = Comment::None;
    for line in text.split_inclusive('\n') {
        let (mut index, mut start) = (false, 0);
        if comment == Comment::Open && begins_statement(line) {
            comment = Comment::None;
        }
        // A comment stands at the beginning of a line, or behind the end of a statement.
        while start < line.len() {
            let rest = &line[start..];
            if comment != Comment::Open && !rest.trim_start().starts_with('*') {
                let end = rest.find(';').map_or(line.len(), |place| start + place + 1);
                push_code(&mut out, (line, start..end), &mut index);
                start = end;
                continue;
            }
            // MCM's comments have semicolons in them: what follows is read where it begins a statement.
            let ends = rest.match_indices(';').map(|(place, _)| start + place + 1);
            let end = ends.clone().find(|&end| begins_statement(&line[end..])).unwrap_or(line.len());
            let between = out.trim_end().ends_with(';') || out.trim_end().is_empty();
            comment = if ends.count() > 0 || !between { Comment::None } else { Comment::Open };
            out.extend(line[start..end].bytes().map(|byte| if byte == b'\n' { '\n' } else { ' ' }));
            start = end;
        }
    }
    out
}

/// Does a comment without `;` go on in the next line?
#[derive(Clone, Copy, PartialEq, Eq)]
enum Comment {
    None,
    Open,
}

/// Does a text begin as a statement or a comment does: `%`, `*`, `VARIABLE`, `NAME =`?
fn begins_statement(text: &str) -> bool {
    let text = text.trim_start();
    let end = text.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(text.len());
    let (word, rest) = text.split_at(end);
    let assigns = rest.trim_start().starts_with('=') && word.starts_with(|c: char| c.is_ascii_alphabetic());
    text.starts_with(['%', '*']) || word.eq_ignore_ascii_case("variable") || assigns
}

/// A part of a line that is no comment, with `(4)` for `<4>` behind a `J`.
fn push_code(out: &mut String, (line, part): (&str, Range<usize>), index: &mut bool) {
    for (place, c) in line[part.clone()].char_indices() {
        let before = line[..part.start + place].trim_end();
        let opens = c == '<' && before.ends_with(['J', 'j']);
        out.push(match c {
            '<' if opens => '(',
            '>' if *index => ')',
            c => c,
        });
        *index = (*index || opens) && c != '>';
    }
}

/// Reads a text.
pub(crate) fn read(text: &str, number: usize, found: &mut Declarations) -> Result<(), Fault> {
    let text = clean(text);
    let (mut equations, mut statements) = (vec![], vec![]);
    let mut species = HashSet::new();
    let mut start = 0;
    while start < text.len() {
        let end = text[start..].find(';').map_or(text.len(), |place| start + place);
        let span = item::trimmed(&text, Span { text: number, start, end });
        let words = &text[span.start..span.end];
        start = end + 1;
        if words.is_empty() {
            continue;
        }
        if end == text.len() {
            return Err(Fault::at(span, "`;` is missing behind this").of_start());
        }
        let first = words.split_whitespace().next().unwrap_or("");
        if words.starts_with('%') {
            equations.push(equation(&text, span)?);
        } else if first.eq_ignore_ascii_case("variable") {
            for (name, span) in item::names(&text, Span { start: span.start + first.len(), ..span })? {
                // MCM's lists may name one twice.
                if species.insert(name.to_lowercase()) {
                    found.species.push(Declared { name, span, fixed: false, composition: None });
                }
            }
        } else if words.contains('=') {
            statements.extend(assignment(&text, span)?);
        } else {
            let what = "FACSIMILE's `VARIABLE`, an assignment or a reaction (`% rate : A = B`) is expected";
            return Err(Fault::at(Span { end: span.start + first.len(), ..span }, what));
        }
    }
    let listed = species.len();
    for Term { name, span, .. } in equations.iter().flat_map(|equation| equation.left.iter().chain(&equation.right)) {
        if species.insert(name.to_lowercase()) {
            let (name, span) = (name.clone(), *span);
            found.species.push(Declared { name, span, fixed: false, composition: None });
        }
    }
    if listed > 0 && species.len() > listed {
        let fault = found.species[listed..].first().map(|first| {
            let more = species.len() - listed;
            Fault::at(
                first.span,
                format!("species of reactions are not in the list VARIABLE: {more}, `{}` first", first.name),
            )
        });
        found.notes.extend(fault);
    }
    for equation in &mut equations {
        if let Ok(rate) = &mut equation.rate {
            // Light drives what has a frequency of photolysis.
            let is_light = |step: &Step| matches!(step, Step::Call(name, 1, _) if name.eq_ignore_ascii_case("j"));
            if rate.steps.iter().any(|(step, _)| is_light(step)) {
                equation.left.push(Term { factor: 1.0, name: "hv".to_owned(), span: rate.span });
            }
            *rate = of_facsimile(std::mem::take(rate), &species);
        }
    }
    let own: HashSet<&str> = statements.iter().map(|(name, _)| name.as_str()).collect();
    let is_free = |name: &&str| !own.contains(*name) && !species.contains(*name);
    found
        .statements
        .extend(AIR.into_iter().filter(|(name, _)| is_free(name)).map(|(name, part)| air(name, part, number)));
    found.equations.extend(equations);
    found.statements.extend(statements.into_iter().map(|(name, value)| {
        let value = of_facsimile(value, &species);
        Statement::Assign { name, value }
    }));
    Ok(())
}

/// What AtChem2 makes of the density of air, and which part of it.
const AIR: [(&str, f64); 3] = [("m", 1.0), ("n2", 0.7809), ("o2", 0.2095)];

/// `name = part*C_M`
fn air(name: &str, part: f64, number: usize) -> Statement {
    let span = Span { text: number, start: 0, end: 1 };
    let steps = [Step::Number(part, false), Step::Name("C_M".to_owned()), Step::Binary("*")];
    let value = Expression { steps: steps.into_iter().map(|step| (step, span)).collect(), span };
    Statement::Assign { name: name.to_owned(), value }
}

/// `% rate : left = right`
fn equation(text: &str, span: Span) -> Result<Equation, Fault> {
    let words = &text[span.start..span.end];
    let here = Fault::at(span, "").of_start();
    let fault = |what: &str| Fault { what: what.to_owned(), ..here.clone() };
    let colon = words.find(':').ok_or_else(|| fault("this reaction has no `:`"))?;
    let equals = words[colon..].find('=').ok_or_else(|| fault("this reaction has no `=`"))?;
    let sides = item::trimmed(text, Span { start: span.start + colon + 1, ..span });
    let equals = span.start + colon + equals;
    let rate_span = item::trimmed(text, Span { start: span.start + 1, end: span.start + colon, ..span });
    Ok(Equation {
        label: None,
        left: item::terms(text, Span { end: equals, ..sides })?,
        right: item::terms(text, Span { start: equals + 1, ..sides })?,
        rate: item::formula(text, rate_span, "the rate"),
        rate_span,
        span: sides,
    })
}

/// `name = formula`; nothing behind the sign is nothing.
fn assignment(text: &str, span: Span) -> Result<Option<(String, Expression)>, Fault> {
    let equals = span.start + text[span.start..span.end].find('=').unwrap_or(0);
    let names = item::names(text, Span { end: equals, ..span })?;
    let [(name, _)] = &names[..] else {
        return Err(Fault::at(span, "one name is expected before `=`").of_start());
    };
    let value = item::trimmed(text, Span { start: equals + 1, ..span });
    if value.start == value.end {
        let zero = Expression { steps: vec![(Step::Number(0.0, false), span)], span };
        return Ok(Some((name.to_lowercase(), zero)));
    }
    Ok(Some((name.to_lowercase(), item::formula(text, value, "the value")?)))
}

/// A formula with real numbers, and concentrations for the names of species.
fn of_facsimile(formula: Expression, species: &HashSet<String>) -> Expression {
    let mut steps = Vec::with_capacity(formula.steps.len());
    for (place, (step, span)) in formula.steps.iter().enumerate() {
        match step {
            // The index of photolysis is a whole number still.
            Step::Number(..) if matches!(formula.steps.get(place + 1), Some((Step::Call(_, 1, _), _))) => {
                steps.push((step.clone(), *span));
            }
            Step::Number(value, _) => steps.push((Step::Number(*value, false), *span)),
            Step::Name(name) if species.contains(&name.to_lowercase()) => {
                steps.push((Step::Name(format!("ind_{name}")), *span));
                steps.push((Step::Call("C".to_owned(), 1, *span), *span));
            }
            step => steps.push((step.clone(), *span)),
        }
    }
    Expression { steps, ..formula }
}
