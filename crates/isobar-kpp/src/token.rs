//! Words, numbers and signs, as Fortran, C and KPP write them.

use winnow::Parser;
use winnow::ascii::{Caseless, alpha1, digit0, digit1};
use winnow::combinator::{alt, not, opt};
use winnow::error::EmptyError;
use winnow::stream::LocatingSlice;
use winnow::token::{one_of, take_while};

use crate::error::Fault;
use crate::source::Span;

type Input<'i> = LocatingSlice<&'i str>;

/// What a token is.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Kind {
    /// A number; is it an integer by its form?
    Number(f64, bool),
    /// A name, as it stands there.
    Name(String),
    /// An operator or another sign, in one spelling: `.lt.` is `<`, `.and.` is `&&`.
    Sign(&'static str),
    /// The end of a line; only where they count.
    Line,
    /// What stands in quotes, which no rate needs.
    Text,
}

/// A token with its place.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Token {
    pub(crate) kind: Kind,
    pub(crate) span: Span,
}

/// Digits, a fraction, an exponent with e or d, and a kind, as in `1.2d-3_dp`.
fn number(input: &mut Input<'_>) -> Result<Option<(f64, bool)>, EmptyError> {
    // In `1.eq.2` the point belongs to the operator.
    let point = || (not(('.', alpha1, '.')), '.');
    let exponent = || (one_of(['e', 'E', 'd', 'D']), opt(one_of(['+', '-'])), digit1);
    let fraction = alt(((digit1, opt((point(), digit0))).void(), ('.', digit1).void()));
    let digits = (fraction, opt(exponent())).take();
    let suffix = opt(('_', take_while(1.., |c: char| c.is_alphanumeric() || c == '_')));
    let (digits, _) = (digits, suffix).parse_next(input)?;
    let integer = digits.bytes().all(|byte| byte.is_ascii_digit());
    let value = digits.replace(['d', 'D'], "e").parse::<f64>().ok().filter(|value| value.is_finite());
    Ok(value.map(|value| (value, integer)))
}

fn name<'i>(input: &mut Input<'i>) -> Result<&'i str, EmptyError> {
    let first = |c: char| c.is_ascii_alphabetic() || c == '_';
    (one_of(first), take_while(0.., |c: char| c.is_ascii_alphanumeric() || c == '_')).take().parse_next(input)
}

/// `.true.` is 1, and `.false.` 0.
fn logical(input: &mut Input<'_>) -> Result<Kind, EmptyError> {
    let value = alt((Caseless(".true.").value(1.0), Caseless(".false.").value(0.0)));
    (value, opt(('_', take_while(1.., |c: char| c.is_alphanumeric() || c == '_'))))
        .map(|(value, _)| Kind::Number(value, false))
        .parse_next(input)
}

fn sign(input: &mut Input<'_>) -> Result<&'static str, EmptyError> {
    let words = alt((
        Caseless(".lt.").value("<"),
        Caseless(".le.").value("<="),
        Caseless(".gt.").value(">"),
        Caseless(".ge.").value(">="),
        Caseless(".eq.").value("=="),
        Caseless(".ne.").value("!="),
        Caseless(".and.").value("&&"),
        Caseless(".or.").value("||"),
        // C's `!` binds tighter.
        alt((Caseless(".not.").value(".not."), Caseless(".eqv.").value(".eqv."), Caseless(".neqv.").value(".neqv."))),
    ));
    let long = alt((
        "**".value("**"),
        "==".value("=="),
        "/=".value("!="),
        "!=".value("!="),
        "<=".value("<="),
        ">=".value(">="),
        "&&".value("&&"),
        "||".value("||"),
        "::".value("::"),
    ));
    let short = alt((
        alt(('+'.value("+"), '-'.value("-"), '*'.value("*"), '/'.value("/"), '('.value("("), ')'.value(")"))),
        alt((','.value(","), '='.value("="), '<'.value("<"), '>'.value(">"), '!'.value("!"), '?'.value("?"))),
        alt((':'.value(":"), ';'.value(";"), '{'.value("{"), '}'.value("}"), '&'.value("&"), '%'.value("%"))),
        // FACSIMILE's power is the last one.
        alt(('['.value("["), ']'.value("]"), '@'.value("**"))),
    ));
    alt((words, long, short)).parse_next(input)
}

/// The tokens of a stretch of a text.
pub(crate) fn tokens(text: &str, span: Span) -> Result<Vec<Token>, Fault> {
    read(&text[span.start..span.end], span, false)
}

/// The tokens of a copy of a stretch.
pub(crate) fn tokens_at(code: &str, span: Span) -> Result<Vec<Token>, Fault> {
    read(code, span, false)
}

/// The tokens of a copy of a stretch, with the ends of lines.
pub(crate) fn lines_at(code: &str, span: Span) -> Result<Vec<Token>, Fault> {
    read(code, span, true)
}

fn read(code: &str, span: Span, lines: bool) -> Result<Vec<Token>, Fault> {
    let mut all = vec![];
    let mut start = 0;
    while start < code.len() {
        let rest = &code[start..];
        let first = rest.chars().next().unwrap_or(' ');
        let place = |length| Span { text: span.text, start: span.start + start, end: span.start + start + length };
        if first.is_whitespace() {
            if lines && first == '\n' {
                all.push(Token { kind: Kind::Line, span: place(1) });
            }
            start += first.len_utf8();
            continue;
        }
        let mut input = LocatingSlice::new(rest);
        let kind = if first.is_ascii_digit() || (first == '.' && rest[1..].starts_with(|c: char| c.is_ascii_digit())) {
            match number(&mut input) {
                Ok(Some((value, integer))) => Some(Kind::Number(value, integer)),
                Ok(None) => return Err(Fault::at(place(1), "this number is too large")),
                Err(_) => None,
            }
        } else if first == '\'' || first == '"' {
            let end = rest[1..].find(first).ok_or_else(|| Fault::at(place(1), "this text does not end"))?;
            all.push(Token { kind: Kind::Text, span: place(end + 2) });
            start += end + 2;
            continue;
        } else {
            let name = name.map(|name| Kind::Name(name.to_owned()));
            alt((name, logical, sign.map(Kind::Sign))).parse_next(&mut input).ok()
        };
        let Some(kind) = kind else {
            return Err(Fault::at(
                place(first.len_utf8()),
                format!("`{}` has no meaning here", first.escape_default()),
            ));
        };
        let length = rest.len() - input.len();
        all.push(Token { kind, span: place(length) });
        start += length;
    }
    Ok(all)
}
