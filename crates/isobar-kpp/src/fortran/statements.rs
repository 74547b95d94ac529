//! A line within a block.

use super::TYPES;
use super::declarations::{data, declaration};
use crate::error::Fault;
use crate::expression::{Expression, Tokens};
use crate::source::Span;
use crate::statement::Statement;
use crate::token::Kind;

/// Words that begin a line without meaning here.
const IDLE: [&str; 15] = [
    "use",
    "implicit",
    "intrinsic",
    "external",
    "save",
    "public",
    "private",
    "common",
    "include",
    "module",
    "program",
    "interface",
    "continue",
    "import",
    "sequence",
];

pub(super) fn parenthesised(tokens: &mut Tokens<'_>) -> Result<Expression, Fault> {
    tokens.expect("(")?;
    let condition = Expression::read(tokens)?;
    tokens.expect(")")?;
    Ok(condition)
}

/// A statement that is no block; `word` is its first one in lower case.
pub(super) fn statement(tokens: &mut Tokens<'_>, word: &str, span: Span) -> Result<Statement, Fault> {
    let beyond = |what: &str| Fault::at(span, what.to_owned()).help("give the function in Rust: `Reader::function`");
    if matches!(tokens.after_next(), Some(Kind::Sign("="))) {
        let (name, _) = tokens.name("a name")?;
        tokens.advance();
        return Ok(Statement::Assign { name: name.to_lowercase(), value: Expression::all(tokens)? });
    }
    if let Some(statement) = element(tokens, span)? {
        return Ok(statement);
    }
    if IDLE.contains(&word) {
        return Ok(Statement::If(vec![]));
    }
    if TYPES.contains(&word) || word == "parameter" || word == "dimension" {
        return declaration(tokens);
    }
    match word {
        "data" => data(tokens),
        "return" => Ok(Statement::Return(None)),
        "exit" if tokens.after_next().is_none() => Ok(Statement::Exit),
        "cycle" if tokens.after_next().is_none() => Ok(Statement::Cycle),
        "call" => Err(beyond("a call of a subroutine is beyond what rates can be")),
        "where" => Err(beyond("WHERE is beyond what rates can be")),
        "goto" | "go" => Err(beyond("a jump is beyond what rates can be")),
        _ => Err(beyond("this statement is beyond what rates can be")),
    }
}

/// `name(i, j) = value`; `name(:) = value` is that of all.
fn element(tokens: &mut Tokens<'_>, span: Span) -> Result<Option<Statement>, Fault> {
    let mut look = tokens.clone();
    let Some(Kind::Name(_)) = look.peek() else { return Ok(None) };
    look.advance();
    let mut depth = 0_i32;
    loop {
        match look.peek() {
            Some(Kind::Sign("(")) => depth += 1,
            Some(Kind::Sign(")")) => depth -= 1,
            None => return Ok(None),
            _ => {}
        }
        look.advance();
        if depth == 0 {
            break;
        }
    }
    if !look.is("=") {
        return Ok(None);
    }
    let (name, _) = tokens.name("a name")?;
    let name = name.to_lowercase();
    tokens.expect("(")?;
    let (mut index, mut all) = (vec![], true);
    while !tokens.accept(")") {
        if !index.is_empty() || !all {
            tokens.expect(",")?;
        }
        if tokens.accept(":") {
            if !index.is_empty() {
                return Err(Fault::at(span, "a part of an array is beyond what rates can be"));
            }
            // Further ones may follow.
            if tokens.is(",") {
                tokens.advance();
            }
            continue;
        }
        all = false;
        index.push(Expression::read(tokens)?);
        if tokens.is(":") {
            return Err(Fault::at(span, "a part of an array is beyond what rates can be"));
        }
    }
    tokens.expect("=")?;
    let value = Expression::all(tokens)?;
    Ok(Some(if all { Statement::Assign { name, value } } else { Statement::Element { name, index, value, span } }))
}
