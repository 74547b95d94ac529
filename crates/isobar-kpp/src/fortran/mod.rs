//! Inlined Fortran: functions of assignments, conditions and loops, declarations. Anything else is kept as what it is,
//! and is an error only where it would be run.

mod blocks;
mod comments;
mod declarations;
mod heads;
mod statements;

use crate::error::Fault;
use crate::source::Span;
use crate::statement::Code;
use crate::token::{Kind, Token, lines_at};

/// Words that begin a declaration.
const TYPES: [&str; 8] = ["real", "double", "integer", "kpp_real", "logical", "character", "doubleprecision", "type"];

/// Reads a block.
pub(crate) fn read(text: &str, span: Span, fixed_form: bool) -> Result<Code, Fault> {
    // Other bytes than the block's keep their places.
    let code = comments::without_comments(&text[span.start..span.end], fixed_form);
    let all = lines_at(&code, span)?;
    let ends = |token: &Token| token.kind == Kind::Line || token.kind == Kind::Sign(";");
    blocks::read(all.split(ends).filter(|line| !line.is_empty()))
}
