//! Blocks: functions, conditions, choices and loops.

use super::TYPES;
use super::statements::{parenthesised, statement};
use crate::error::Fault;
use crate::expression::{Expression, Step, Tokens};
use crate::limits::MOST_BLOCKS;
use crate::source::Span;
use crate::statement::{Code, Function, Loop, Statement};
use crate::token::{Kind, Token};

/// Reads lines.
pub(super) fn read<'a>(lines: impl Iterator<Item = &'a [Token]>) -> Result<Code, Fault> {
    let mut reader = Reader { code: Code::default(), functions: vec![], open: vec![], skipping: false };
    for line in lines {
        reader.line(line)?;
    }
    reader.finish()
}

/// What a block is.
enum Kin {
    If,
    /// `SELECT CASE` of a formula.
    Select(Expression),
    Do(Loop),
    /// What is not understood as a whole.
    Beyond(Fault),
}

/// A block that has not ended: where it starts, what was before it, and its parts.
struct Open {
    span: Span,
    before: Vec<Statement>,
    kin: Kin,
    arms: Vec<(Option<Expression>, Vec<Statement>)>,
}

impl Open {
    fn name(&self) -> &'static str {
        match &self.kin {
            Kin::If => "IF",
            Kin::Select(_) => "SELECT",
            Kin::Do(_) => "DO",
            Kin::Beyond(_) => "block",
        }
    }
}

struct Reader {
    code: Code,
    /// The functions that have not ended, each within the one before; their bodies are on their way.
    functions: Vec<(Function, Scope)>,
    open: Vec<Open>,
    /// Is this a subroutine, which nobody calls?
    skipping: bool,
}

/// How far a function has come.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Scope {
    Body,
    /// Behind `CONTAINS`.
    Contains,
}

/// The first two words of a line, in lower case.
fn words(line: &[Token]) -> (String, String) {
    let word = |place: usize| match line.get(place).map(|token| &token.kind) {
        Some(Kind::Name(name)) => name.to_lowercase(),
        _ => String::new(),
    };
    (word(0), word(1))
}

impl Reader {
    /// Where the next statement goes.
    fn list(&mut self) -> &mut Vec<Statement> {
        if let Some(open) = self.open.last_mut() {
            if open.arms.is_empty() {
                open.arms.push((None, vec![]));
            }
            return &mut open.arms.last_mut().expect("a block has a part").1;
        }
        match self.functions.last_mut() {
            Some((function, _)) => &mut function.body,
            None => &mut self.code.statements,
        }
    }

    fn line(&mut self, line: &[Token]) -> Result<(), Fault> {
        let span = line[0].span.to(line[line.len() - 1].span);
        let mut tokens = Tokens::new(line, span);
        let (word, second) = words(line);
        let assigns = matches!(line.get(1).map(|token| &token.kind), Some(Kind::Sign("=")));
        if self.skipping {
            self.skipping =
                !(word == "endsubroutine" || (word == "end" && (line.len() == 1 || second == "subroutine")));
            return Ok(());
        }
        if assigns {
            return self.plain(&mut tokens, &word, span);
        }
        match (word.as_str(), second.as_str()) {
            ("endif", _) | ("end", "if") => self.end_block("IF", span),
            ("enddo", _) | ("end", "do") => self.end_block("DO", span),
            ("endselect", _) | ("end", "select") => self.end_block("SELECT", span),
            ("endwhere" | "endtype" | "endinterface", _) | ("end", "where" | "type" | "interface") => {
                self.end_block("block", span)
            }
            // A module is its functions and its names.
            ("endmodule", _) | ("end", "module") => Ok(()),
            ("contains", _) => {
                if let Some((_, scope)) = self.functions.last_mut() {
                    *scope = Scope::Contains;
                }
                Ok(())
            }
            ("end" | "endfunction", _) => self.end_function(span),
            ("else" | "elseif", _) => self.other(&mut tokens, span),
            ("if", _) => self.condition(&mut tokens, span),
            ("select" | "selectcase", _) => self.select(&mut tokens, span),
            ("case", _) => self.case(&mut tokens, span),
            ("do", _) => self.begin_loop(&mut tokens, span),
            ("where", _) if alone(line) => self.beyond(span, "WHERE is beyond what rates can be"),
            ("type", _) if !matches!(line.get(1).map(|token| &token.kind), Some(Kind::Sign("("))) => {
                self.beyond(span, "a TYPE is beyond what rates can be")
            }
            ("interface", _) => self.beyond(span, "an INTERFACE is beyond what rates can be"),
            ("subroutine", _) => {
                self.skipping = true;
                Ok(())
            }
            _ if is_function(line) => self.begin_function(&mut tokens, span),
            _ => self.plain(&mut tokens, &word, span),
        }
    }

    fn plain(&mut self, tokens: &mut Tokens<'_>, word: &str, span: Span) -> Result<(), Fault> {
        let statement = statement(tokens, word, span).unwrap_or_else(Statement::Beyond);
        self.list().push(statement);
        Ok(())
    }

    fn begin_function(&mut self, tokens: &mut Tokens<'_>, span: Span) -> Result<(), Fault> {
        if let Some((function, Scope::Body)) = self.functions.last() {
            return Err(Fault::at(function.span, format!("the function `{}` does not end", function.name)));
        }
        if self.functions.len() >= MOST_BLOCKS {
            return Err(Fault::at(span, format!("blocks are nested more than {MOST_BLOCKS} deep")));
        }
        while !tokens.accept_word("function") {
            tokens.advance();
        }
        let (name, _) = tokens.name("the name of the function")?;
        let mut arguments = vec![];
        if tokens.accept("(") {
            while !tokens.accept(")") {
                if !arguments.is_empty() {
                    tokens.expect(",")?;
                }
                arguments.push(tokens.name("an argument")?.0.to_lowercase());
            }
        }
        let mut result = name.to_lowercase();
        if tokens.accept_word("result") {
            tokens.expect("(")?;
            result = tokens.name("the result")?.0.to_lowercase();
            tokens.expect(")")?;
        }
        self.functions.push((Function { name, arguments, result, body: vec![], span }, Scope::Body));
        Ok(())
    }

    fn end_function(&mut self, span: Span) -> Result<(), Fault> {
        if let Some(open) = self.open.last() {
            return Err(Fault::at(open.span, format!("this {} does not end", open.name())));
        }
        match self.functions.pop() {
            Some((function, _)) => self.code.functions.push(function),
            None => self.code.statements.push(Statement::Beyond(Fault::at(span, "this ends nothing"))),
        }
        Ok(())
    }

    fn begin(&mut self, span: Span, kin: Kin, arms: Vec<(Option<Expression>, Vec<Statement>)>) -> Result<(), Fault> {
        if self.open.len() >= MOST_BLOCKS {
            return Err(Fault::at(span, format!("blocks are nested more than {MOST_BLOCKS} deep")));
        }
        let before = std::mem::take(self.list());
        self.open.push(Open { span, before, kin, arms });
        Ok(())
    }

    fn beyond(&mut self, span: Span, what: &str) -> Result<(), Fault> {
        self.begin(span, Kin::Beyond(Fault::at(span, what)), vec![])
    }

    fn condition(&mut self, tokens: &mut Tokens<'_>, span: Span) -> Result<(), Fault> {
        tokens.advance();
        let condition = parenthesised(tokens)?;
        if tokens.accept_word("then") {
            return self.begin(span, Kin::If, vec![(Some(condition), vec![])]);
        }
        let word = match tokens.peek() {
            Some(Kind::Name(name)) => name.to_lowercase(),
            _ => String::new(),
        };
        let inner = statement(tokens, &word, span).unwrap_or_else(Statement::Beyond);
        self.list().push(Statement::If(vec![(Some(condition), vec![inner])]));
        Ok(())
    }

    /// `ELSE`, `ELSE IF (...) THEN`
    fn other(&mut self, tokens: &mut Tokens<'_>, span: Span) -> Result<(), Fault> {
        // That of WHERE.
        if matches!(self.open.last(), Some(Open { kin: Kin::Beyond(_), .. })) {
            return Ok(());
        }
        let joined = tokens.accept_word("elseif");
        let condition = if joined || (tokens.accept_word("else") && tokens.accept_word("if")) {
            Some(parenthesised(tokens)?)
        } else {
            None
        };
        match self.open.last_mut() {
            Some(open) if matches!(open.kin, Kin::If) => open.arms.push((condition, vec![])),
            _ => return Err(Fault::at(span, "this ELSE has no IF")),
        }
        Ok(())
    }

    /// `SELECT CASE (x)`
    fn select(&mut self, tokens: &mut Tokens<'_>, span: Span) -> Result<(), Fault> {
        if !tokens.accept_word("selectcase") {
            tokens.advance();
            if !tokens.accept_word("case") {
                return self.beyond(span, "SELECT TYPE is beyond what rates can be");
            }
        }
        let selector = parenthesised(tokens)?;
        self.begin(span, Kin::Select(selector), vec![])
    }

    /// `CASE (1, 3:5)`, `CASE DEFAULT`
    fn case(&mut self, tokens: &mut Tokens<'_>, span: Span) -> Result<(), Fault> {
        tokens.advance();
        let Some(Open { kin: Kin::Select(selector), arms, .. }) = self.open.last_mut() else {
            return Err(Fault::at(span, "this CASE has no SELECT"));
        };
        if tokens.accept_word("default") {
            arms.push((None, vec![]));
            return Ok(());
        }
        tokens.expect("(")?;
        let mut steps = vec![];
        let compare = |value: Expression, sign: &'static str| {
            let mut steps = selector.steps.clone();
            steps.extend(value.steps);
            steps.push((Step::Binary(sign), span));
            steps
        };
        loop {
            let first = if tokens.is(":") { None } else { Some(Expression::read(tokens)?) };
            let range = tokens.accept(":");
            let last = if range && !tokens.is(",") && !tokens.is(")") { Some(Expression::read(tokens)?) } else { None };
            let any = !steps.is_empty();
            match (first, last) {
                (Some(first), Some(last)) => {
                    steps.extend(compare(first, ">="));
                    steps.extend(compare(last, "<="));
                    steps.push((Step::Binary("&&"), span));
                }
                (Some(first), None) => steps.extend(compare(first, if range { ">=" } else { "==" })),
                (None, Some(last)) => steps.extend(compare(last, "<=")),
                (None, None) => return Err(Fault::at(tokens.span(), "a value is missing here")),
            }
            if any {
                steps.push((Step::Binary("||"), span));
            }
            if !tokens.accept(",") {
                break;
            }
        }
        tokens.expect(")")?;
        arms.push((Some(Expression { steps, span }), vec![]));
        Ok(())
    }

    /// `DO i = 1, n`
    fn begin_loop(&mut self, tokens: &mut Tokens<'_>, span: Span) -> Result<(), Fault> {
        tokens.advance();
        if !matches!(tokens.after_next(), Some(Kind::Sign("="))) {
            let labelled = matches!(tokens.peek(), Some(Kind::Number(..)));
            let what = "only loops over a counter can be in a rate function";
            if labelled {
                // It ends with its label.
                self.list().push(Statement::Beyond(Fault::at(span, what)));
                return Ok(());
            }
            return self.beyond(span, what);
        }
        let (counter, _) = tokens.name("the counter")?;
        tokens.advance();
        let first = Expression::read(tokens)?;
        tokens.expect(",")?;
        let last = Expression::read(tokens)?;
        let step = if tokens.accept(",") { Some(Expression::read(tokens)?) } else { None };
        let counter = counter.to_lowercase();
        self.begin(span, Kin::Do(Loop { counter, first, last, step, body: vec![], span }), vec![])
    }

    fn end_block(&mut self, name: &str, span: Span) -> Result<(), Fault> {
        let fits = self.open.last().is_some_and(|open| open.name() == name || matches!(open.kin, Kin::Beyond(_)));
        if !fits {
            return match self.open.last() {
                Some(open) => Err(Fault::at(open.span, format!("this {} does not end", open.name()))),
                None => Err(Fault::at(span, format!("this END {name} has no {name}"))),
            };
        }
        let Some(open) = self.open.pop() else { return Ok(()) };
        let list = self.list();
        *list = open.before;
        list.push(match open.kin {
            Kin::If => Statement::If(open.arms),
            Kin::Select(_) => {
                // What stands behind SELECT and before the first CASE is nothing, and DEFAULT may stand anywhere.
                let (cases, default): (Vec<_>, Vec<_>) = open.arms.into_iter().partition(|(test, _)| test.is_some());
                Statement::If(cases.into_iter().chain(default).collect())
            }
            Kin::Do(all) => {
                let body = open.arms.into_iter().flat_map(|(_, body)| body).collect();
                Statement::Do(Loop { body, ..all })
            }
            Kin::Beyond(fault) => Statement::Beyond(fault),
        });
        Ok(())
    }

    fn finish(self) -> Result<Code, Fault> {
        if let Some(open) = self.open.last() {
            return Err(Fault::at(open.span, format!("this {} does not end", open.name())));
        }
        match self.functions.last() {
            Some((function, _)) => {
                Err(Fault::at(function.span, format!("the function `{}` does not end", function.name)))
            }
            None => Ok(self.code),
        }
    }
}

/// Does a line end with the parenthesis that its second token opens?
fn alone(line: &[Token]) -> bool {
    let mut depth = 0_i32;
    for (place, token) in line.iter().enumerate().skip(1) {
        match &token.kind {
            Kind::Sign("(") => depth += 1,
            Kind::Sign(")") => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return place + 1 == line.len();
        }
    }
    false
}

/// Does a line begin a function? Its type may stand before the word.
fn is_function(line: &[Token]) -> bool {
    let is = |token: &Token, word: &str| matches!(&token.kind, Kind::Name(name) if name.eq_ignore_ascii_case(word));
    let first = matches!(&line[0].kind, Kind::Name(name) if {
        let name = name.to_lowercase();
        TYPES.contains(&name.as_str()) || ["function", "elemental", "pure", "recursive"].contains(&name.as_str())
    });
    let place = line.iter().take(10).position(|token| is(token, "function"));
    first && place.is_some_and(|place| matches!(line.get(place + 1).map(|token| &token.kind), Some(Kind::Name(_))))
}
