//! A line within a block.

use super::declarations::{data, declaration, index, marked, values};
use crate::changes::FILES;
use crate::error::Fault;
use crate::expression::{Expression, Tokens};
use crate::source::Span;
use crate::statement::{Beyond, Changes, Index, LoopName, Mark, Statement, Values, is_type};
use crate::token::Kind;

/// Words that begin a line without meaning here.
const IDLE: [&str; 14] = [
    "use",
    "implicit",
    "intrinsic",
    "external",
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

/// A statement that is no block, or what it may change if it is not understood; `word` is its first one in lower case.
pub(super) fn statement(tokens: &mut Tokens<'_>, word: &str, span: Span) -> Statement {
    let line = tokens.rest();
    let beyond = |fault| Statement::Beyond(Beyond { fault, changes: Changes::of_line(line), within: vec![] });
    understood(tokens, word, span).unwrap_or_else(beyond)
}

fn understood(tokens: &mut Tokens<'_>, word: &str, span: Span) -> Result<Statement, Fault> {
    let beyond = |what: &str| Fault::at(span, what.to_owned()).help("give the function in Rust: `Reader::function`");
    if let Some(statement) = element(tokens, span)? {
        return Ok(statement);
    }
    if IDLE.contains(&word) {
        return Ok(Statement::If(vec![]));
    }
    if is_type(word) || word == "parameter" || word == "dimension" {
        return declaration(tokens);
    }
    if FILES.contains(&word) && Changes::of_line(tokens.rest()).names.is_empty() {
        return Ok(Statement::If(vec![]));
    }
    match word {
        "data" => data(tokens),
        "save" => marked(tokens, Mark::Saved),
        "optional" => marked(tokens, Mark::Optional),
        "stop" | "error" => Ok(Statement::Stop(span)),
        "return" => Ok(Statement::Return(None)),
        "exit" => Ok(Statement::Exit(loop_name(tokens)?)),
        "cycle" => Ok(Statement::Cycle(loop_name(tokens)?)),
        "call" => call(tokens, span),
        "goto" | "go" => Err(beyond("a jump is beyond what rates can be")),
        _ => Err(beyond("this statement is beyond what rates can be")),
    }
}

/// The name of a loop behind `EXIT` or `CYCLE`.
fn loop_name(tokens: &mut Tokens<'_>) -> Result<Option<LoopName>, Fault> {
    tokens.advance();
    let name = if tokens.at_end() { None } else { Some(tokens.name("the name of a loop")?) };
    if tokens.at_end() {
        Ok(name.map(|(name, span)| (name.to_lowercase(), span)))
    } else {
        Err(Fault::at(tokens.span(), "a loop has one name"))
    }
}

/// `name(i, j) = value`, `name(:, 1:n) = value`, and whole arrays that get a list.
fn element(tokens: &mut Tokens<'_>, span: Span) -> Result<Option<Statement>, Fault> {
    let mut look = tokens.clone();
    let Some(Kind::Name(_)) = look.peek() else { return Ok(None) };
    while matches!(look.peek(), Some(Kind::Name(_))) && matches!(look.after_next(), Some(Kind::Sign("%"))) {
        look.advance();
        look.advance();
    }
    look.advance();
    let mut depth = 0_i32;
    while look.is("(") || depth > 0 {
        depth += i32::from(look.is("(")) - i32::from(look.is(")"));
        look.advance();
        if look.at_end() {
            return Ok(None);
        }
        if depth == 0 {
            break;
        }
    }
    if !look.is("=") {
        return Ok(None);
    }
    let mut name = tokens.name("a name")?.0.to_lowercase();
    while tokens.accept("%") {
        name = format!("{name}%{}", tokens.name("a component")?.0.to_lowercase());
    }
    let index = if tokens.is("(") { index(tokens)? } else { vec![] };
    tokens.expect("=")?;
    let (mut values, list) = values(tokens)?;
    if !tokens.at_end() {
        return Err(Fault::at(tokens.span(), "an operator is missing here"));
    }
    if list {
        return Ok(Some(Statement::Part { name, index, values: Values::List(values), span }));
    }
    let value = values.swap_remove(0);
    let ones = index.iter().map(|index| match index {
        Index::One(index) => Some(index.clone()),
        Index::Range(_) => None,
    });
    Ok(Some(match ones.collect::<Option<Vec<_>>>() {
        Some(index) if index.is_empty() => Statement::Assign { name, value },
        Some(index) => Statement::Element { name, index, value, span },
        None => Statement::Part { name, index, values: Values::Formula(value), span },
    }))
}

/// `CALL name(arguments)`
fn call(tokens: &mut Tokens<'_>, span: Span) -> Result<Statement, Fault> {
    tokens.advance();
    let name = tokens.name("the name of the subroutine")?.0.to_lowercase();
    let mut arguments = vec![];
    if tokens.accept("(") {
        while !tokens.accept(")") {
            if !arguments.is_empty() {
                tokens.expect(",")?;
            }
            arguments.push(Expression::read(tokens)?);
        }
    }
    Ok(Statement::Call { name, arguments, span })
}
