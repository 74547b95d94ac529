//! Inlined code as statements: what rate functions and blocks of assignments are made of.

use crate::error::Fault;
use crate::expression::Expression;
use crate::source::Span;

/// Blocks may be nested so deep.
pub(crate) const MOST_BLOCKS: usize = 50;

/// A statement.
#[derive(Clone, Debug)]
pub(crate) enum Statement {
    /// A name in lower case gets a value.
    Assign { name: String, value: Expression },
    /// Statements under a condition; the last one may have none.
    If(Vec<(Option<Expression>, Vec<Statement>)>),
    /// The function is left, with a value in C.
    Return(Option<Expression>),
    /// Names without values, in lower case.
    Declare(Vec<String>),
    /// What is not understood, and why. An error where it would be run.
    Beyond(Fault),
}

/// A rate function.
#[derive(Clone, Debug)]
pub(crate) struct Function {
    /// As it stands there.
    pub(crate) name: String,
    /// Names of arguments in lower case.
    pub(crate) arguments: Vec<String>,
    /// The name of the result in lower case.
    pub(crate) result: String,
    pub(crate) body: Vec<Statement>,
    pub(crate) span: Span,
}

/// A block of inlined code.
#[derive(Clone, Debug, Default)]
pub(crate) struct Code {
    pub(crate) functions: Vec<Function>,
    pub(crate) statements: Vec<Statement>,
}
