//! Formulas, from text to a list in which operands come before their operators: nothing recursive is left of them.

use crate::error::Fault;
use crate::limits::MOST_NESTED_FORMULAS;
use crate::source::Span;
use crate::token::{Kind, Token};

/// A step of a formula, on a stack.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Step {
    /// A number; is it an integer?
    Number(f64, bool),
    /// What a name stands for.
    Name(String),
    /// A function with its number of arguments, or an element of an array; and where it ends.
    Call(String, usize, Span),
    /// An operator of one operand: `-` or `!`.
    Unary(&'static str),
    /// An operator of two.
    Binary(&'static str),
    /// `condition ? first : second`
    Choose,
    /// `first:last:step` of an index, and which of the three stand there.
    Range([bool; 3]),
    /// `SUM` and the like of a formula with arrays: its elements one after the other.
    Fold(String, Box<Expression>),
}

/// Functions of all elements of an array, which is a formula.
pub(crate) const FOLDS: [&str; 4] = ["sum", "product", "minval", "maxval"];

/// A formula.
#[derive(Clone, Debug, PartialEq, Default)]
pub(crate) struct Expression {
    pub(crate) steps: Vec<(Step, Span)>,
    pub(crate) span: Span,
}

/// Tokens that are read one by one.
#[derive(Clone, Debug)]
pub(crate) struct Tokens<'a> {
    all: &'a [Token],
    next: usize,
    /// Where the end is.
    end: Span,
}

impl<'a> Tokens<'a> {
    pub(crate) fn new(all: &'a [Token], end: Span) -> Self {
        let at = all.last().map_or(end.start, |token| token.span.end);
        Self { all, next: 0, end: Span { text: end.text, start: at, end: at + 1 } }
    }

    pub(crate) fn peek(&self) -> Option<&'a Kind> {
        self.all.get(self.next).map(|token| &token.kind)
    }

    pub(crate) fn after_next(&self) -> Option<&'a Kind> {
        self.all.get(self.next + 1).map(|token| &token.kind)
    }

    /// Is the one after the next token this sign?
    pub(crate) fn after_next_is(&self, sign: &str) -> bool {
        matches!(self.after_next(), Some(Kind::Sign(found)) if *found == sign)
    }

    /// Takes tokens up to one where `ends` is true, which is given how many parentheses are open.
    pub(crate) fn until(&mut self, ends: impl Fn(&Self, i32) -> bool) -> Self {
        let (start, mut depth) = (self.next, 0);
        while !self.at_end() && !ends(self, depth) {
            depth += i32::from(self.is("(") || self.is("[")) - i32::from(self.is(")") || self.is("]"));
            self.advance();
        }
        Self { all: &self.all[start..self.next], next: 0, end: self.span() }
    }

    /// The place of the next token, or the end.
    pub(crate) fn span(&self) -> Span {
        self.all.get(self.next).map_or(self.end, |token| token.span)
    }

    /// The place of the token before.
    pub(crate) fn last_span(&self) -> Span {
        self.next.checked_sub(1).and_then(|last| self.all.get(last)).map_or(self.end, |token| token.span)
    }

    pub(crate) fn advance(&mut self) {
        self.next += 1;
    }

    pub(crate) fn is(&self, sign: &str) -> bool {
        matches!(self.peek(), Some(Kind::Sign(found)) if *found == sign)
    }

    /// Is the next token this word, in any case?
    pub(crate) fn is_word(&self, word: &str) -> bool {
        matches!(self.peek(), Some(Kind::Name(name)) if name.eq_ignore_ascii_case(word))
    }

    pub(crate) fn accept(&mut self, sign: &str) -> bool {
        let found = self.is(sign);
        self.next += usize::from(found);
        found
    }

    pub(crate) fn accept_word(&mut self, word: &str) -> bool {
        let found = self.is_word(word);
        self.next += usize::from(found);
        found
    }

    pub(crate) fn expect(&mut self, sign: &str) -> Result<(), Fault> {
        if self.accept(sign) { Ok(()) } else { Err(Fault::at(self.span(), format!("`{sign}` is missing here"))) }
    }

    /// A name and its place.
    pub(crate) fn name(&mut self, what: &str) -> Result<(String, Span), Fault> {
        match self.peek() {
            Some(Kind::Name(name)) => {
                self.advance();
                Ok((name.clone(), self.last_span()))
            }
            _ => Err(Fault::at(self.span(), format!("{what} is missing here"))),
        }
    }

    /// The tokens from the next one on.
    pub(crate) fn rest(&self) -> &'a [Token] {
        self.all.get(self.next..).unwrap_or_default()
    }

    pub(crate) fn at_end(&self) -> bool {
        self.next >= self.all.len()
    }
}

/// How tightly an operator of two operands binds.
fn strength(sign: &str) -> Option<usize> {
    match sign {
        ".eqv." | ".neqv." => Some(1),
        "||" => Some(2),
        "&&" => Some(3),
        "==" | "!=" => Some(RELATION),
        "<" | "<=" | ">" | ">=" => Some(5),
        "+" | "-" => Some(6),
        "*" | "/" => Some(7),
        _ => None,
    }
}

/// How tightly the loosest relation binds: what follows `.not.` may be one.
const RELATION: usize = 4;

impl Expression {
    /// Reads a formula, which ends where no operator follows.
    pub(crate) fn read(tokens: &mut Tokens<'_>) -> Result<Self, Fault> {
        let start = tokens.span();
        let mut steps = vec![];
        choice(tokens, &mut steps, 0)?;
        Ok(Self { steps, span: start.to(tokens.last_span()) })
    }

    /// The same of C, whose `floor` is a real number; Fortran's is an integer.
    pub(crate) fn of_c(self) -> Self {
        let mut steps = vec![];
        for (step, span) in self.steps {
            let end = match &step {
                Step::Call(name, 1, end) if name == "floor" => Some(*end),
                _ => None,
            };
            steps.push((step, span));
            steps.extend(end.map(|end| (Step::Call("real".to_owned(), 1, end), span)));
        }
        Self { steps, ..self }
    }

    /// Reads a formula that takes all tokens.
    pub(crate) fn all(tokens: &mut Tokens<'_>) -> Result<Self, Fault> {
        let expression = Self::read(tokens)?;
        if tokens.at_end() { Ok(expression) } else { Err(unexpected(tokens)) }
    }
}

fn unexpected(tokens: &Tokens<'_>) -> Fault {
    let what = match tokens.peek() {
        Some(Kind::Sign(")")) => "this `)` closes nothing",
        Some(Kind::Sign("=")) => "`=` has no place in a formula",
        Some(_) => "an operator is missing here",
        None => "the formula ends too early",
    };
    Fault::at(tokens.span(), what)
}

type Steps = Vec<(Step, Span)>;

fn deeper(tokens: &Tokens<'_>, depth: usize) -> Result<usize, Fault> {
    if depth < MOST_NESTED_FORMULAS {
        return Ok(depth + 1);
    }
    Err(Fault::at(tokens.span(), format!("this is nested more than {MOST_NESTED_FORMULAS} deep")))
}

fn choice(tokens: &mut Tokens<'_>, steps: &mut Steps, depth: usize) -> Result<(), Fault> {
    let depth = deeper(tokens, depth)?;
    binary(tokens, steps, 1, depth)?;
    if tokens.is("?") {
        let span = tokens.span();
        tokens.advance();
        choice(tokens, steps, depth)?;
        tokens.expect(":")?;
        choice(tokens, steps, depth)?;
        steps.push((Step::Choose, span));
    }
    Ok(())
}

/// Operands and operators that bind at least so tightly, from left to right.
fn binary(tokens: &mut Tokens<'_>, steps: &mut Steps, least: usize, depth: usize) -> Result<(), Fault> {
    let depth = deeper(tokens, depth)?;
    operand(tokens, steps, depth)?;
    while let Some(&Kind::Sign(sign)) = tokens.peek() {
        let Some(strength) = strength(sign).filter(|&strength| strength >= least) else { break };
        let span = tokens.span();
        tokens.advance();
        binary(tokens, steps, strength + 1, depth)?;
        steps.push((Step::Binary(sign), span));
    }
    Ok(())
}

/// A power, or one with a sign in front.
fn operand(tokens: &mut Tokens<'_>, steps: &mut Steps, depth: usize) -> Result<(), Fault> {
    let depth = deeper(tokens, depth)?;
    let span = tokens.span();
    if tokens.accept("-") {
        // What follows a sign is a product in Fortran; behind an operator only a power makes sense.
        operand(tokens, steps, depth)?;
        steps.push((Step::Unary("-"), span));
        return Ok(());
    }
    if tokens.accept("+") {
        return operand(tokens, steps, depth);
    }
    if tokens.accept("!") {
        operand(tokens, steps, depth)?;
        steps.push((Step::Unary("!"), span));
        return Ok(());
    }
    if let Some(kind) = cast(tokens) {
        operand(tokens, steps, depth)?;
        steps.push((Step::Call(kind.to_owned(), 1, tokens.last_span()), span));
        return Ok(());
    }
    if tokens.accept(".not.") {
        binary(tokens, steps, RELATION, depth)?;
        steps.push((Step::Unary("!"), span));
        return Ok(());
    }
    primary(tokens, steps, depth)?;
    let span = tokens.span();
    if tokens.accept("**") {
        // From right to left, and the exponent may have a sign.
        operand(tokens, steps, depth)?;
        steps.push((Step::Binary("**"), span));
    }
    Ok(())
}

/// The function that C's `(double)` or `(int)` before an operand is.
fn cast(tokens: &mut Tokens<'_>) -> Option<&'static str> {
    let mut look = tokens.clone();
    if !look.accept("(") {
        return None;
    }
    let kind = if look.accept_word("double") || look.accept_word("float") {
        "real"
    } else if look.accept_word("int") || look.accept_word("long") {
        "int"
    } else {
        return None;
    };
    let operand =
        |tokens: &Tokens<'_>| matches!(tokens.peek(), Some(Kind::Number(..) | Kind::Name(_) | Kind::Sign("(")));
    if !look.accept(")") || !operand(&look) {
        return None;
    }
    *tokens = look;
    Some(kind)
}

fn primary(tokens: &mut Tokens<'_>, steps: &mut Steps, depth: usize) -> Result<(), Fault> {
    let span = tokens.span();
    match tokens.peek() {
        Some(&Kind::Number(value, integer)) => {
            tokens.advance();
            steps.push((Step::Number(value, integer), span));
        }
        Some(Kind::Name(first)) => {
            tokens.advance();
            let mut name = first.clone();
            // A component of a record is a name like others.
            while tokens.is("%") && matches!(tokens.after_next(), Some(Kind::Name(_))) {
                tokens.advance();
                name = format!("{name}%{}", tokens.name("a component")?.0);
            }
            if let Some(close) =
                [("(", ")"), ("[", "]")].iter().find(|(open, _)| tokens.accept(open)).map(|pair| pair.1)
            {
                if FOLDS.iter().any(|fold| name.eq_ignore_ascii_case(fold)) {
                    let mut inner = vec![];
                    let start = tokens.span();
                    choice(tokens, &mut inner, depth)?;
                    let formula = Expression { steps: inner, span: start.to(tokens.last_span()) };
                    tokens.expect(close)?;
                    steps.push((Step::Fold(name, Box::new(formula)), span));
                    return Ok(());
                }
                let mut count = 0;
                while !tokens.accept(close) {
                    if count > 0 {
                        tokens.expect(",")?;
                    }
                    index(tokens, steps, depth)?;
                    count += 1;
                }
                steps.push((Step::Call(name, count, tokens.last_span()), span));
            } else {
                steps.push((Step::Name(name), span));
            }
        }
        Some(Kind::Sign("(")) => {
            tokens.advance();
            choice(tokens, steps, depth)?;
            if !tokens.accept(")") {
                return Err(match tokens.peek() {
                    None => Fault::at(span, "this `(` is not closed"),
                    Some(_) => unexpected(tokens),
                });
            }
        }
        _ => return Err(Fault::at(tokens.span(), "a number, a name or `(` is missing here")),
    }
    Ok(())
}

/// An argument, or a part of an index: `2:n`, `:`, `1:9:2`.
fn index(tokens: &mut Tokens<'_>, steps: &mut Steps, depth: usize) -> Result<(), Fault> {
    let span = tokens.span();
    let mut there = [false; 3];
    for (place, there) in there.iter_mut().enumerate() {
        if !(tokens.is(":") || tokens.is(",") || tokens.is(")") || tokens.is("]")) {
            choice(tokens, steps, depth)?;
            *there = true;
        }
        if place == 0 && !tokens.is(":") {
            return if *there {
                Ok(())
            } else {
                Err(Fault::at(tokens.span(), "a number, a name or `(` is missing here"))
            };
        }
        if place < 2 && !tokens.accept(":") {
            break;
        }
    }
    steps.push((Step::Range(there), span.to(tokens.last_span())));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{Expression, Step, Tokens};
    use crate::source::Span;
    use crate::token::tokens;

    fn postfix(text: &str) -> String {
        let span = Span { text: 0, start: 0, end: text.len() };
        let list = tokens(text, span).expect("tokens");
        let expression = Expression::all(&mut Tokens::new(&list, span)).expect("a formula");
        let word = |(step, _): &(Step, Span)| match step {
            Step::Number(value, _) => value.to_string(),
            Step::Name(name) => name.clone(),
            Step::Call(name, count, _) => format!("{name}/{count}"),
            Step::Unary(sign) => format!("{sign}1"),
            Step::Binary(sign) => (*sign).to_owned(),
            Step::Choose => "?".to_owned(),
            Step::Range(there) => format!("{}:", there.iter().filter(|there| **there).count()),
            Step::Fold(name, _) => name.clone(),
        };
        expression.steps.iter().map(word).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn precedence_is_fortrans() {
        assert_eq!(postfix("a+b*c**2**d"), "a b c 2 d ** ** * +");
        assert_eq!(postfix("-a**2*b - c"), "a 2 ** -1 b * c -");
        assert_eq!(postfix("2.0d-3_dp*T**(-1.5)"), "0.002 T 1.5 -1 ** *");
        assert_eq!(postfix("6.50e-12,".trim_end_matches(',')), "0.0000000000065");
        assert_eq!(postfix("f(- 120.0e0, g(x))/3."), "120 -1 x g/1 f/2 3 /");
        assert_eq!(postfix("1.eq.2 .and. a .lt. b"), "1 2 == a b < &&");
        assert_eq!(postfix("x > 0 ? a : b + 1"), "x 0 > a b 1 + ?");
        assert_eq!(postfix("EXP(-2060./temp)"), "2060 -1 temp / EXP/1");
        assert_eq!(postfix("H%rate(2)*.TRUE."), "2 H%rate/1 1 *");
        assert_eq!(postfix(".not. a + 1 > b .and. c"), "a 1 + b > !1 c &&");
        assert_eq!(postfix("a .eqv. .not. b == 2 .or. c"), "a b 2 == !1 c || .eqv.");
    }

    #[test]
    fn c_negates_the_operand_alone() {
        assert_eq!(postfix("!x == 3 && !y + 1"), "x !1 3 == y !1 1 + &&");
        assert_eq!(postfix("!-x*2"), "x -1 !1 2 *");
    }
}
