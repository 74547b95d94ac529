//! What comes before all else: comments become blanks, and inlined code is set aside.

use winnow::Parser;
use winnow::ascii::{Caseless, till_line_ending};
use winnow::combinator::{alt, opt};
use winnow::error::EmptyError;
use winnow::stream::LocatingSlice;
use winnow::token::{any, take_till, take_until, take_while};

use crate::error::Fault;
use crate::source::Span;

type Input<'i> = LocatingSlice<&'i str>;

/// A block of inlined code.
#[derive(Clone, Debug)]
pub(crate) struct Inline {
    /// The kind as it stands there, as in `F90_INIT`.
    pub(crate) kind: Span,
    /// The code.
    pub(crate) code: Span,
}

/// The Fortran of a module that inlined code USEs.
#[derive(Clone, Debug)]
pub(crate) struct Module {
    pub(crate) code: Span,
    pub(crate) fixed_form: bool,
}

/// A text without comments.
#[derive(Clone, Debug)]
pub(crate) struct Clean {
    /// The text, byte for byte in its place; comments and inlined code are blanks.
    pub(crate) text: String,
    /// The inlined code.
    pub(crate) inlines: Vec<Inline>,
}

#[derive(Clone)]
enum Piece {
    /// What stays.
    Text,
    Comment,
    /// A comment or a block that does not end.
    Open(&'static str),
    /// A `}` alone.
    Stray,
    Inline(std::ops::Range<usize>, std::ops::Range<usize>),
}

fn piece(input: &mut Input<'_>) -> Result<Piece, EmptyError> {
    alt((
        ('{', take_till(0.., '}'), '}').value(Piece::Comment),
        '{'.value(Piece::Open("this comment does not end: `}` is missing")),
        '}'.value(Piece::Stray),
        ("//", till_line_ending).value(Piece::Comment),
        inline,
        take_till(1.., ['{', '}', '/', '#']).value(Piece::Text),
        any.value(Piece::Text),
    ))
    .parse_next(input)
}

/// `#INLINE kind`, code, `#ENDINLINE`.
fn inline(input: &mut Input<'_>) -> Result<Piece, EmptyError> {
    let blank = |c: char| c.is_whitespace() && c != '\n';
    let word = |c: char| c.is_alphanumeric() || c == '_';
    let start = ('#', take_while(0.., blank), Caseless("inline"), take_while(1.., blank));
    let kind = (start, take_while(0.., word).span()).map(|(_, kind)| kind).parse_next(input)?;
    till_line_ending.parse_next(input)?;
    let code = opt(code).parse_next(input)?;
    Ok(code.map_or(Piece::Open("this block does not end: `#ENDINLINE` is missing"), |code| Piece::Inline(kind, code)))
}

/// Code up to `#ENDINLINE`, which is taken, too.
fn code(input: &mut Input<'_>) -> Result<std::ops::Range<usize>, EmptyError> {
    let start = winnow::stream::Location::current_token_start(input);
    loop {
        take_until(0.., "#").parse_next(input)?;
        let end = winnow::stream::Location::current_token_start(input);
        if opt(Caseless("#endinline")).parse_next(input)?.is_some() {
            return Ok(start..end);
        }
        any.parse_next(input)?;
    }
}

/// Takes the comments out of a text.
pub(crate) fn clean(number: usize, text: &str) -> Result<Clean, Fault> {
    let mut bytes = text.as_bytes().to_vec();
    let mut inlines = vec![];
    let mut input = LocatingSlice::new(text);
    let span = |start, end| Span { text: number, start, end };
    while let Ok((piece, range)) = piece.with_span().parse_next(&mut input) {
        let blank = match piece {
            Piece::Text => continue,
            Piece::Comment => range,
            Piece::Open(why) => return Err(Fault::at(span(range.start, range.start + 1), why)),
            Piece::Stray => return Err(Fault::at(span(range.start, range.end), "this `}` closes nothing")),
            Piece::Inline(kind, code) => {
                inlines.push(Inline { kind: span(kind.start, kind.end), code: span(code.start, code.end) });
                // The command stays, for it ends what stands before it.
                kind.end..range.end
            }
        };
        for byte in &mut bytes[blank] {
            if *byte != b'\n' {
                *byte = b' ';
            }
        }
    }
    // Only whole characters became blanks.
    let text = String::from_utf8(bytes).map_err(|_| Fault::nowhere("the text is not UTF-8"))?;
    Ok(Clean { text, inlines })
}
