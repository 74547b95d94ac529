//! Declarations: names, arrays and their values.

use crate::error::Fault;
use crate::expression::{Expression, Step, Tokens};
use crate::limits::MOST_ELEMENTS;
use crate::statement::{Array, Bounds, Index, Mark, Number, Statement, Values};
use crate::token::Kind;

/// The numbers that names of a type hold, by its first word in lower case.
pub(super) fn number(word: &str) -> Option<Number> {
    match word {
        "real" | "double" | "kpp_real" | "doubleprecision" => Some(Number::Real),
        "integer" => Some(Number::Integer),
        _ => None,
    }
}

/// Names, with values if they have any: `REAL(dp), PARAMETER :: a = 1.0, b(3) = (/1.0, 2.0, 3.0/)`
pub(super) fn declaration(tokens: &mut Tokens<'_>) -> Result<Statement, Fault> {
    let mut look = tokens.clone();
    let number = match look.peek() {
        Some(Kind::Name(word)) => number(&word.to_lowercase()),
        _ => None,
    };
    let record = look.is_word("type");
    let (mut constant, mut shared) = (false, vec![]);
    let (mut saved, mut optional) = (false, false);
    while !look.at_end() && !look.is("::") {
        constant |= look.is_word("parameter");
        saved |= look.is_word("save");
        optional |= look.is_word("optional");
        let dimension = look.accept_word("dimension");
        if dimension && look.is("(") {
            shared = bounds(&mut look)?;
        } else if !dimension {
            look.advance();
        }
    }
    let mut parenthesis = false;
    if look.accept("::") {
        *tokens = look;
    } else {
        // Without the colons: `PARAMETER (a = 1.0)`, or the type, a kind in parentheses, names.
        (shared, saved, optional) = (vec![], false, false);
        constant = tokens.accept_word("parameter");
        parenthesis = constant && tokens.accept("(");
        if !constant && !tokens.accept_word("dimension") {
            tokens.advance();
            tokens.accept_word("precision");
            if tokens.accept("*") {
                tokens.advance();
            }
            if tokens.is("(") {
                skip(tokens);
            }
        }
    }
    let mut all = vec![];
    while let Some(Kind::Name(_)) = tokens.peek() {
        let (name, span) = tokens.name("a name")?;
        let name = name.to_lowercase();
        let bounds = if tokens.is("(") { bounds(tokens)? } else { shared.clone() };
        let (values, list) = if tokens.accept("=") { values(tokens)? } else { (vec![], false) };
        if saved || (!values.is_empty() && !constant) {
            all.push(Statement::Marked { names: vec![name.clone()], mark: Mark::Saved });
        }
        if optional {
            all.push(Statement::Marked { names: vec![name.clone()], mark: Mark::Optional });
        }
        if record {
            all.push(Statement::Records(vec![name]));
        } else if !bounds.is_empty() {
            all.push(Statement::Array(Array { name, bounds, values, number, constant, span }));
        } else if list {
            return Err(Fault::at(span, "this is no array: it takes one value"));
        } else {
            all.push(Statement::Declare { names: vec![name.clone()], number, constant });
            all.extend(values.into_iter().map(|value| Statement::Assign { name: name.clone(), value }));
        }
        if !tokens.accept(",") {
            break;
        }
    }
    if parenthesis {
        tokens.expect(")")?;
    }
    Ok(Statement::If(vec![(None, all)]))
}

/// `SAVE`, `SAVE :: a, b`, `OPTIONAL c`
pub(super) fn marked(tokens: &mut Tokens<'_>, mark: Mark) -> Result<Statement, Fault> {
    tokens.advance();
    tokens.accept("::");
    let mut names = vec![];
    while !tokens.at_end() {
        names.push(tokens.name("a name")?.0.to_lowercase());
        if !tokens.accept(",") {
            break;
        }
    }
    Ok(Statement::Marked { names, mark })
}

/// `DATA name / 1.0, 2*0.0 /`: the values of an array, or of a part of it, one after the other.
pub(super) fn data(tokens: &mut Tokens<'_>) -> Result<Statement, Fault> {
    tokens.advance();
    let mut all = vec![];
    while let Some(Kind::Name(_)) = tokens.peek() {
        let (name, span) = tokens.name("a name")?;
        let index = if tokens.is("(") { index(tokens)? } else { vec![] };
        tokens.expect("/")?;
        let mut values = vec![];
        loop {
            let start = tokens.span();
            let mut count = 1;
            if let (Some(&Kind::Number(times, true)), true) = (tokens.peek(), tokens.after_next_is("*")) {
                count = times as usize;
                tokens.advance();
                tokens.advance();
            }
            let negative = tokens.accept("-");
            let Some(&Kind::Number(value, integer)) = tokens.peek() else {
                return Err(Fault::at(tokens.span(), "only numbers can be in DATA"));
            };
            tokens.advance();
            if count > MOST_ELEMENTS as usize || values.len() + count > MOST_ELEMENTS as usize {
                return Err(Fault::at(start, format!("this array has more than {MOST_ELEMENTS} elements")));
            }
            let mut steps = vec![(Step::Number(value, integer), start)];
            if negative {
                steps.push((Step::Unary("-"), start));
            }
            values.extend(std::iter::repeat_n(Expression { steps, span: start }, count));
            if !tokens.accept(",") {
                break;
            }
        }
        tokens.expect("/")?;
        tokens.accept(",");
        let name = name.to_lowercase();
        all.push(if index.is_empty() {
            Statement::Array(Array { name, bounds: vec![], values, number: None, constant: true, span })
        } else {
            Statement::Part { name, index, values: Values::List(values), span }
        });
    }
    if !tokens.at_end() {
        return Err(Fault::at(tokens.span(), "this DATA is beyond what rates can be"));
    }
    Ok(Statement::If(vec![(None, all)]))
}

/// `(3, 0:n, :)`
fn bounds(tokens: &mut Tokens<'_>) -> Result<Bounds, Fault> {
    tokens.expect("(")?;
    let mut all = vec![];
    loop {
        all.push(if tokens.accept(":") || tokens.accept("*") {
            None
        } else {
            let first = Expression::read(tokens)?;
            if tokens.accept(":") {
                let open = tokens.is(",") || tokens.is(")") || tokens.accept("*");
                if open { None } else { Some((Some(first), Expression::read(tokens)?)) }
            } else {
                Some((None, first))
            }
        });
        if !tokens.accept(",") {
            break;
        }
    }
    tokens.expect(")")?;
    Ok(all)
}

/// `(i, 2:n, :)`, parts of an index.
pub(super) fn index(tokens: &mut Tokens<'_>) -> Result<Vec<Index>, Fault> {
    tokens.expect("(")?;
    let mut all = vec![];
    loop {
        let here = |tokens: &Tokens<'_>| !(tokens.is(":") || tokens.is(",") || tokens.is(")"));
        let first = if here(tokens) { Some(Expression::read(tokens)?) } else { None };
        all.push(if tokens.accept(":") {
            let last = if here(tokens) { Some(Expression::read(tokens)?) } else { None };
            let step = if tokens.accept(":") { Some(Expression::read(tokens)?) } else { None };
            Index::Range([first, last, step])
        } else {
            Index::One(first.ok_or_else(|| Fault::at(tokens.span(), "a number, a name or `(` is missing here"))?)
        });
        if !tokens.accept(",") {
            break;
        }
    }
    tokens.expect(")")?;
    Ok(all)
}

/// One value, or `(/ a, b /)` or `[a, b]`; and is it a list?
pub(super) fn values(tokens: &mut Tokens<'_>) -> Result<(Vec<Expression>, bool), Fault> {
    let old = tokens.is("(") && matches!(tokens.after_next(), Some(Kind::Sign("/")));
    if !old && !tokens.is("[") {
        return Ok((vec![Expression::read(tokens)?], false));
    }
    tokens.advance();
    if old {
        tokens.advance();
    }
    let closing = if old { ["/", ")"] } else { ["]", "]"] };
    let mut all = vec![];
    loop {
        // The slash at the end would be that of a quotient.
        let mut part = tokens.until(|tokens, depth| {
            depth == 0 && (tokens.is(",") || tokens.is("]") || (tokens.is("/") && tokens.after_next_is(")")))
        });
        all.push(Expression::all(&mut part)?);
        if !tokens.accept(",") {
            break;
        }
    }
    tokens.expect(closing[0])?;
    if old {
        tokens.expect(closing[1])?;
    }
    Ok((all, true))
}

/// What stands in parentheses is read over.
fn skip(tokens: &mut Tokens<'_>) {
    let mut depth = 0_i32;
    while !tokens.at_end() {
        depth += i32::from(tokens.is("(")) - i32::from(tokens.is(")"));
        tokens.advance();
        if depth == 0 {
            return;
        }
    }
}
