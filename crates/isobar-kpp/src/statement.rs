//! Inlined code as statements: what rate functions and blocks of assignments are made of.

use std::collections::BTreeSet;

use crate::error::Fault;
use crate::expression::Expression;
use crate::source::Span;

/// What a declared name holds, whatever it is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Number {
    Real,
    /// Whatever has a fraction is cut.
    Integer,
}

/// A statement. Names are in lower case.
#[derive(Clone, Debug)]
pub(crate) enum Statement {
    /// A name gets a value; all elements of an array do.
    Assign { name: String, value: Expression },
    /// An element of an array gets a value.
    Element { name: String, index: Vec<Expression>, value: Expression, span: Span },
    /// Elements of a part of an array get values; of the whole if there is no index.
    Part { name: String, index: Vec<Index>, values: Values, span: Span },
    /// Assignments to parts of arrays, of each element under the first condition that it fulfils; the last may have
    /// none (`WHERE`, `ELSEWHERE`).
    Where(Vec<(Option<Expression>, Vec<Statement>)>),
    /// A subroutine runs.
    Call { name: String, arguments: Vec<Expression>, span: Span },
    /// Statements under a condition; the last one may have none.
    If(Vec<(Option<Expression>, Vec<Statement>)>),
    /// Statements for each value of a counter.
    Do(Loop),
    /// Statements while a condition holds; without one, until they leave the loop.
    While(While),
    /// The loop, or that of the name, ends (`EXIT`).
    Exit(Option<LoopName>),
    /// The next turn of the loop, or of that of the name, begins (`CYCLE`).
    Cycle(Option<LoopName>),
    /// The function is left, with a value in C.
    Return(Option<Expression>),
    /// Names that are declared, with the numbers that they hold; none of what is no number. Can nothing change them?
    Declare { names: Vec<String>, number: Option<Number>, constant: bool },
    /// Names with an attribute; all that are declared if there is none.
    Marked { names: Vec<String>, mark: Mark },
    /// Names that stand for records of the host model.
    Records(Vec<String>),
    /// An array, with the values of its elements if they stand there.
    Array(Array),
    /// The program ends (`STOP`).
    Stop(Span),
    /// What is not understood. An error where a function would run it; passed over outside of functions.
    Beyond(Beyond),
}

/// What statements may change.
#[derive(Clone, Debug, Default)]
pub(crate) struct Changes {
    /// Names, in lower case.
    pub(crate) names: BTreeSet<String>,
    /// May statements behind or before be passed over or run again?
    pub(crate) jumps: bool,
}

/// An attribute of names of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mark {
    /// They keep their values from call to call.
    Saved,
    /// Calls may lack these arguments.
    Optional,
}

/// What is not understood.
#[derive(Clone, Debug)]
pub(crate) struct Beyond {
    /// Why.
    pub(crate) fault: Fault,
    /// What it may change.
    pub(crate) changes: Changes,
    /// Its parts that are understood.
    pub(crate) within: Vec<Statement>,
}

/// The name of a loop in lower case, and where it stands.
pub(crate) type LoopName = (String, Span);

/// `name: DO counter = first, last, step`
#[derive(Clone, Debug)]
pub(crate) struct Loop {
    pub(crate) name: Option<String>,
    pub(crate) counter: String,
    pub(crate) first: Expression,
    pub(crate) last: Expression,
    pub(crate) step: Option<Expression>,
    pub(crate) body: Vec<Statement>,
    pub(crate) span: Span,
}

/// `name: DO WHILE (test)`, or `DO`
#[derive(Clone, Debug)]
pub(crate) struct While {
    pub(crate) name: Option<String>,
    pub(crate) test: Option<Expression>,
    pub(crate) body: Vec<Statement>,
    pub(crate) span: Span,
}

/// A part of an array's index.
#[derive(Clone, Debug)]
pub(crate) enum Index {
    One(Expression),
    /// First, last and step, as far as they stand there.
    Range([Option<Expression>; 3]),
}

/// What elements get.
#[derive(Clone, Debug)]
pub(crate) enum Values {
    /// A formula, in which arrays and their parts are the elements in the same places.
    Formula(Expression),
    /// One value an element.
    List(Vec<Expression>),
}

/// The first and the last index of each dimension; none where the caller says.
pub(crate) type Bounds = Vec<Option<(Option<Expression>, Expression)>>;

/// A declared array.
#[derive(Clone, Debug)]
pub(crate) struct Array {
    pub(crate) name: String,
    /// None if this is not its declaration, but its values.
    pub(crate) bounds: Bounds,
    /// One value, or one an element.
    pub(crate) values: Vec<Expression>,
    /// What its elements are, if this says so.
    pub(crate) number: Option<Number>,
    /// Can nothing change it?
    pub(crate) constant: bool,
    pub(crate) span: Span,
}

/// A rate function, or a subroutine.
#[derive(Clone, Debug)]
pub(crate) struct Function {
    /// As it stands there.
    pub(crate) name: String,
    /// Names of arguments in lower case.
    pub(crate) arguments: Vec<String>,
    /// The name of the result in lower case; none of a subroutine.
    pub(crate) result: Option<String>,
    /// What the result is, if the head says so.
    pub(crate) number: Option<Number>,
    /// A name in lower case that it sets and that keeps its value from call to call.
    pub(crate) keeps: Option<String>,
    /// Does it stand in a module beside the mechanism?
    pub(crate) of_module: bool,
    pub(crate) body: Vec<Statement>,
    pub(crate) span: Span,
}

impl Function {
    /// Is a name, in lower case, its own: an argument, its result, or declared within it?
    pub(crate) fn owns(&self, name: &str) -> bool {
        self.result.as_deref() == Some(name)
            || self.arguments.iter().any(|argument| argument == name)
            || declares(&self.body, name, false)
    }
}

/// A block of inlined code.
#[derive(Clone, Debug, Default)]
pub(crate) struct Code {
    pub(crate) functions: Vec<Function>,
    pub(crate) statements: Vec<Statement>,
}

/// Does a body declare a name; as an array or a record?
pub(crate) fn declares(body: &[Statement], name: &str, whole: bool) -> bool {
    body.iter().any(|statement| match statement {
        Statement::Array(array) => array.name == name,
        Statement::Records(names) => names.iter().any(|known| known == name),
        Statement::Declare { names, .. } => !whole && names.iter().any(|known| known == name),
        Statement::If(arms) => arms.iter().any(|(test, body)| test.is_none() && declares(body, name, whole)),
        _ => false,
    })
}

/// Words that begin a declaration.
const TYPES: [&str; 8] = ["real", "double", "integer", "kpp_real", "logical", "character", "doubleprecision", "type"];

/// Does this word, in lower case, begin a declaration?
pub(crate) fn is_type(word: &str) -> bool {
    TYPES.contains(&word)
}
