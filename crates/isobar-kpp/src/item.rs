//! What stands between two semicolons of a section.

use crate::error::Fault;
use crate::expression::{Expression, Tokens};
use crate::limits::MOST_STRAY_NOTES;
use crate::source::Span;
use crate::token::{Kind, Token, tokens};

/// A term of a sum: sign and factor, and the name.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Term {
    pub(crate) factor: f64,
    pub(crate) name: String,
    pub(crate) span: Span,
}

/// An equation.
#[derive(Clone, Debug)]
pub(crate) struct Equation {
    pub(crate) label: Option<(String, Span)>,
    pub(crate) left: Vec<Term>,
    pub(crate) right: Vec<Term>,
    /// The rate, or why it cannot be read.
    pub(crate) rate: Result<Expression, Fault>,
    pub(crate) rate_span: Span,
    /// Everything but the label and the rate.
    pub(crate) span: Span,
}

/// What KPP reads over in equations, but not in rates: some mechanisms have it left over from a comment or a formula.
pub(crate) const STRAY: [char; 3] = ['*', ',', ')'];

/// Notes that something is read over.
pub(crate) fn note_stray(notes: &mut Vec<Fault>, span: Span) {
    if notes.len() < MOST_STRAY_NOTES {
        notes.push(Fault::at(span, "this is read over, as KPP does"));
    }
}

/// Terms joined by + and -; an empty list where there is nothing.
pub(crate) fn terms(text: &str, span: Span) -> Result<Vec<Term>, Fault> {
    terms_of(text, span, tokens(text, span)?)
}

/// The terms of a side of an equation, where KPP reads over some signs.
fn side(text: &str, span: Span, notes: &mut Vec<Fault>) -> Result<Vec<Term>, Fault> {
    let mut all = tokens(text, span)?;
    all.retain(|token| {
        let stray = matches!(token.kind, Kind::Sign(sign) if sign.chars().all(|c| STRAY.contains(&c)));
        if stray {
            note_stray(notes, token.span);
        }
        !stray
    });
    terms_of(text, span, all)
}

fn terms_of(text: &str, span: Span, all: Vec<Token>) -> Result<Vec<Term>, Fault> {
    let mut list = Tokens::new(&all, span);
    let mut terms = vec![];
    while !list.at_end() {
        let start = list.span();
        let sign = if list.accept("-") {
            -1.0
        } else if list.accept("+") || terms.is_empty() {
            1.0
        } else {
            return Err(Fault::at(start, "`+` or `-` is missing here"));
        };
        let (factor, name, span) = term(text, &mut list)?;
        terms.push(Term { factor: sign * factor, name, span });
    }
    Ok(terms)
}

fn term(text: &str, list: &mut Tokens<'_>) -> Result<(f64, String, Span), Fault> {
    let span = list.span();
    let Some(&Kind::Number(factor, _)) = list.peek() else {
        let (name, span) = list.name("the name of a species")?;
        return Ok((1.0, name, span));
    };
    list.advance();
    if let Some(Kind::Name(_)) = list.peek() {
        let (name, span) = list.name("the name of a species")?;
        return Ok((factor, name, span));
    }
    // In `2E5` the exponent may be a name.
    let words = &text[span.start..span.end];
    let split = words.find(|c: char| c.is_ascii_alphabetic()).and_then(|place| {
        let factor = words[..place].parse::<f64>().ok()?;
        Some((factor, words[place..].to_owned(), Span { start: span.start + place, ..span }))
    });
    split.ok_or_else(|| Fault::at(list.span(), "the name of a species is missing here"))
}

/// `<label> left = right : rate`; none where all is read over.
pub(crate) fn equation(text: &str, span: Span, notes: &mut Vec<Fault>) -> Result<Option<Equation>, Fault> {
    let mut span = trimmed(text, span);
    while text[span.start..span.end].starts_with(STRAY) {
        note_stray(notes, Span { end: span.start + 1, ..span });
        span = trimmed(text, Span { start: span.start + 1, ..span });
    }
    if span.start == span.end {
        return Ok(None);
    }
    let mut label = None;
    if text[span.start..span.end].starts_with('<') {
        let place = Span { end: span.start + 1, ..span };
        let end = text[span.start..span.end]
            .find('>')
            .ok_or_else(|| Fault::at(place, "this label does not end: `>` is missing"))?;
        let inner = trimmed(text, Span { start: span.start + 1, end: span.start + end, ..span });
        let name = &text[inner.start..inner.end];
        if name.is_empty() || !name.chars().all(|c| c.is_ascii_alphanumeric() || "_-.".contains(c)) {
            let place = Span { end: span.start + end + 1, ..span };
            return Err(Fault::at(place, "a label is made of letters, digits and `_`"));
        }
        label = Some((name.to_owned(), inner));
        span = trimmed(text, Span { start: span.start + end + 1, ..span });
    }
    let words = &text[span.start..span.end];
    let here = Span { end: span.start + words.lines().next().map_or(0, str::len).max(1), ..span };
    let colon = words.find(':').ok_or_else(|| Fault::at(here, "this equation has no rate: `:` is missing"))?;
    let sides = Span { end: span.start + colon, ..span };
    let equals = words[..colon].find('=').ok_or_else(|| Fault::at(here, "this equation has no `=`"))?;
    let left = side(text, Span { end: span.start + equals, ..span }, notes)?;
    let right = side(text, Span { start: span.start + equals + 1, ..sides }, notes)?;
    if left.is_empty() {
        return Err(Fault::at(here, "this equation has no left side"));
    }
    let rate_span = trimmed(text, Span { start: span.start + colon + 1, ..span });
    let rate = formula(text, Span { start: span.start + colon + 1, ..span }, "the rate");
    Ok(Some(Equation { label, left, right, rate, rate_span, span: trimmed(text, sides) }))
}

/// A formula that takes a whole stretch.
pub(crate) fn formula(text: &str, span: Span, what: &str) -> Result<Expression, Fault> {
    let all = tokens(text, span)?;
    if all.is_empty() {
        let place = span.start.saturating_sub(1);
        return Err(Fault::at(Span { start: place, end: place + 1, ..span }, format!("{what} is missing behind this")));
    }
    Expression::all(&mut Tokens::new(&all, span))
}

/// `name = sum`, or a name alone.
pub(crate) fn declaration(text: &str, span: Span) -> Result<(String, Span, Option<Vec<Term>>), Fault> {
    let words = &text[span.start..span.end];
    let equals = words.find('=').map(|place| span.start + place);
    let (name, place) = single_name(text, Span { end: equals.unwrap_or(span.end), ..span })?;
    let sum = match equals {
        Some(equals) => {
            let sum = terms(text, Span { start: equals + 1, ..span })?;
            if sum.is_empty() {
                return Err(Fault::at(
                    Span { start: equals, end: equals + 1, ..span },
                    "what it is made of is missing behind this",
                ));
            }
            Some(sum)
        }
        None => None,
    };
    Ok((name, place, sum))
}

/// `name = value`
pub(crate) fn value(text: &str, span: Span) -> Result<(String, Span, Expression), Fault> {
    let here = trimmed(text, span);
    let words = &text[span.start..span.end];
    let equals = words.find('=').ok_or_else(|| Fault::at(here, "this value has no `=`"))?;
    let (name, place) = single_name(text, Span { end: span.start + equals, ..span })?;
    let value = formula(text, Span { start: span.start + equals + 1, ..span }, "the value")?;
    Ok((name, place, value))
}

/// Names one after the other, as in lists for output.
pub(crate) fn names(text: &str, span: Span) -> Result<Vec<(String, Span)>, Fault> {
    let name = |token: Token| match token.kind {
        Kind::Name(name) => Ok((name, token.span)),
        _ => Err(Fault::at(token.span, "this is no name")),
    };
    tokens(text, span)?.into_iter().map(name).collect()
}

/// `name : sum`
pub(crate) fn family(text: &str, span: Span) -> Result<(String, Span, Vec<Term>), Fault> {
    let here = trimmed(text, span);
    let colon = text[span.start..span.end].find(':').ok_or_else(|| Fault::at(here, "`:` is missing in this family"))?;
    let (name, place) = single_name(text, Span { end: span.start + colon, ..span })?;
    Ok((name, place, terms(text, Span { start: span.start + colon + 1, ..span })?))
}

fn single_name(text: &str, span: Span) -> Result<(String, Span), Fault> {
    let mut all = names(text, span)?.into_iter();
    let here = trimmed(text, span);
    let first = all.next().ok_or_else(|| Fault::at(here, "a name is missing here"))?;
    match all.next() {
        Some((_, place)) => Err(Fault::at(place, "one name is expected here").help("is `;` missing before it?")),
        None => Ok(first),
    }
}

/// A stretch without the blanks at its ends.
pub(crate) fn trimmed(text: &str, span: Span) -> Span {
    let words = &text[span.start..span.end];
    let start = span.start + (words.len() - words.trim_start().len());
    Span { start, end: (span.start + words.trim_end().len()).max(start), ..span }
}
