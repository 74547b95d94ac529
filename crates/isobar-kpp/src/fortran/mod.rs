//! Inlined Fortran: functions of assignments, conditions and loops, declarations. Anything else is kept as what it is,
//! and is an error only where it would be run.

mod blocks;
mod comments;
mod conditions;
mod declarations;
mod fixed_form;
mod heads;
mod statements;

use std::ops::Range;

use crate::error::Fault;
use crate::source::Span;
use crate::statement::Code;
use crate::token::{Kind, Token, lines_at};
use comments::Plain;

pub(crate) use fixed_form::is_fixed_form;

/// Reads a block.
pub(crate) fn read(text: &str, span: Span, fixed_form: bool) -> Result<Code, Fault> {
    // Other bytes than the block's keep their places.
    let code = comments::without_comments(&text[span.start..span.end], fixed_form).code;
    let all = lines_at(&code, span)?;
    let ends = |token: &Token| token.kind == Kind::Line || token.kind == Kind::Sign(";");
    blocks::read(all.split(ends).filter(|line| !line.is_empty()))
}

/// What there is to say of how a block was read.
pub(crate) fn doubts(text: &str, span: Span, fixed_form: bool) -> Vec<Fault> {
    let Plain { doubtful, beyond, .. } = comments::without_comments(&text[span.start..span.end], fixed_form);
    let at = |place: &Range<usize>| Span { start: span.start + place.start, end: span.start + place.end, ..span };
    let of_condition = |place| Fault::at(at(place), "this condition cannot be told, and counts as one that is not so");
    let mut all: Vec<Fault> = doubtful.iter().map(of_condition).collect();
    if let Some(first) = beyond.first() {
        let lines = if beyond.len() == 1 { "1 line".to_owned() } else { format!("{} lines", beyond.len()) };
        let what = format!("code beyond column 72 of {lines} in fixed form is read, the first here");
        let help = "compilers leave it out unless they are told to take long lines (-ffixed-line-length-none)";
        all.push(Fault::at(at(first), what).help(help));
    }
    all
}
