//! Inlined C: functions of declarations, assignments, conditions and returns; assignments.

use crate::c_names::{INTEGERS, OTHERS, REALS, tell_apart};
use crate::error::Fault;
use crate::expression::{Expression, Step, Tokens};
use crate::limits::MOST_BLOCKS;
use crate::source::Span;
use crate::statement::{Code, Function, Number, Statement};
use crate::token::{Kind, Token, tokens_at};

/// What functions return; no name of C has a blank.
pub(crate) const RESULT: &str = " result";

/// Blanks for comments and lines of the preprocessor.
fn without_comments(text: &str) -> String {
    let mut bytes = text.as_bytes().to_vec();
    let mut next = 0;
    while next < bytes.len() {
        let rest = &text.as_bytes()[next..];
        let line_start = next == 0 || bytes[next - 1] == b'\n';
        let length = if rest.starts_with(b"/*") {
            text.as_bytes()[next + 2..].windows(2).position(|pair| pair == b"*/").map_or(rest.len(), |end| end + 4)
        } else if rest.starts_with(b"//") || (line_start && rest[0] == b'#') {
            rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len())
        } else {
            next += 1;
            continue;
        };
        for byte in &mut bytes[next..next + length] {
            if *byte != b'\n' {
                *byte = b' ';
            }
        }
        next += length;
    }
    String::from_utf8(bytes).unwrap_or_default()
}

/// Without the letter of `1.0f`.
fn without_suffixes(all: &mut Vec<Token>) {
    let mut number_ends = None;
    all.retain(|token| {
        let suffix = matches!(&token.kind, Kind::Name(name) if ["f", "F", "l", "L"].contains(&name.as_str()));
        let follows = number_ends == Some(token.span.start);
        number_ends = matches!(token.kind, Kind::Number(..)).then_some(token.span.end);
        !(suffix && follows)
    });
}

/// Reads a block.
pub(crate) fn read(text: &str, span: Span) -> Result<Code, Fault> {
    let code = without_comments(&text[span.start..span.end]);
    let mut all = tokens_at(&code, span)?;
    without_suffixes(&mut all);
    tell_apart(&mut all);
    let mut tokens = Tokens::new(&all, span);
    let mut code = Code::default();
    while !tokens.at_end() {
        match types(&mut tokens) {
            Some(number) if matches!(tokens.after_next(), Some(Kind::Sign("("))) => {
                code.functions.extend(function(&mut tokens, number)?);
            }
            Some(number) => code.statements.push(declaration(&mut tokens, number)?),
            None => code.statements.push(statement(&mut tokens, 0)?),
        }
    }
    Ok(code)
}

/// Words of a type, if any stand here, and what numbers it has.
fn types(tokens: &mut Tokens<'_>) -> Option<Option<Number>> {
    let mut found = None;
    loop {
        let mut accept = |words: &[&str]| words.iter().any(|word| tokens.accept_word(word));
        found = if accept(&REALS) {
            Some(Some(Number::Real))
        } else if accept(&INTEGERS) {
            Some(found.flatten().or(Some(Number::Integer)))
        } else if accept(&OTHERS) {
            found.or(Some(None))
        } else {
            return found;
        };
    }
}

/// A formula.
fn formula(tokens: &mut Tokens<'_>) -> Result<Expression, Fault> {
    Expression::read(tokens).map(Expression::of_c)
}

/// A function, or nothing for the announcement of one.
fn function(tokens: &mut Tokens<'_>, number: Option<Number>) -> Result<Option<Function>, Fault> {
    let (name, span) = tokens.name("the name of the function")?;
    tokens.expect("(")?;
    let (mut arguments, mut body) = (vec![], vec![]);
    while !tokens.accept(")") {
        if !arguments.is_empty() {
            tokens.expect(",")?;
        }
        let number = types(tokens);
        if number.is_some() && (tokens.is(")") || tokens.is(",")) {
            continue;
        }
        let name = tokens.name("an argument")?.0.to_lowercase();
        body.push(Statement::Declare { names: vec![name.clone()], number: number.flatten(), constant: false });
        arguments.push(name);
    }
    if tokens.accept(";") {
        return Ok(None);
    }
    tokens.expect("{")?;
    body.extend(block(tokens, 0)?);
    let result = Some(RESULT.to_owned());
    Ok(Some(Function { name, arguments, result, number, keeps: None, of_module: false, body, span }))
}

/// Statements up to the closing brace.
fn block(tokens: &mut Tokens<'_>, depth: usize) -> Result<Vec<Statement>, Fault> {
    let mut all = vec![];
    while !tokens.accept("}") {
        if tokens.at_end() {
            return Err(Fault::at(tokens.span(), "`}` is missing here"));
        }
        all.push(match types(tokens) {
            Some(number) => declaration(tokens, number)?,
            None => statement(tokens, depth)?,
        });
    }
    Ok(all)
}

fn declaration(tokens: &mut Tokens<'_>, number: Option<Number>) -> Result<Statement, Fault> {
    let mut all = vec![];
    loop {
        let (name, _) = tokens.name("a name")?;
        let name = name.to_lowercase();
        all.push(Statement::Declare { names: vec![name.clone()], number, constant: false });
        if tokens.accept("=") {
            all.push(Statement::Assign { name, value: formula(tokens)? });
        }
        if tokens.accept(";") {
            return Ok(Statement::If(vec![(None, all)]));
        }
        tokens.expect(",")?;
    }
}

fn statement(tokens: &mut Tokens<'_>, depth: usize) -> Result<Statement, Fault> {
    let span = tokens.span();
    if depth >= MOST_BLOCKS {
        return Err(Fault::at(span, format!("blocks are nested more than {MOST_BLOCKS} deep")));
    }
    if tokens.accept(";") {
        return Ok(Statement::If(vec![]));
    }
    if tokens.accept("{") {
        return Ok(Statement::If(vec![(None, block(tokens, depth + 1)?)]));
    }
    if tokens.accept_word("if") {
        let mut arms = vec![];
        tokens.expect("(")?;
        let condition = formula(tokens)?;
        tokens.expect(")")?;
        arms.push((Some(condition), vec![statement(tokens, depth + 1)?]));
        if tokens.accept_word("else") {
            arms.push((None, vec![statement(tokens, depth + 1)?]));
        }
        return Ok(Statement::If(arms));
    }
    if tokens.accept_word("return") {
        let value = if tokens.is(";") { None } else { Some(formula(tokens)?) };
        tokens.expect(";")?;
        return Ok(Statement::Return(value));
    }
    assignment(tokens)
}

/// `x = value;`, `x += value;`
fn assignment(tokens: &mut Tokens<'_>) -> Result<Statement, Fault> {
    let (name, span) = tokens.name("a statement")?;
    let beyond = || Fault::at(span, "only assignments, conditions and returns can be in a rate function");
    // To Fortran, `/=` is a comparison.
    let operator = ["+", "-", "*", "/", "!="].into_iter().find(|sign| tokens.accept(sign));
    if operator != Some("!=") && !tokens.accept("=") {
        return Err(beyond().help("give the function in Rust: `Reader::function`"));
    }
    let mut value = formula(tokens)?;
    if let Some(operator) = operator {
        value.steps.insert(0, (Step::Name(name.clone()), span));
        value.steps.push((Step::Binary(if operator == "!=" { "/" } else { operator }), span));
    }
    tokens.expect(";")?;
    Ok(Statement::Assign { name: name.to_lowercase(), value })
}
