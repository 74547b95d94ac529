//! Blocks: functions, conditions, choices and loops.

use super::declarations::number;
use super::statements::statement;
use crate::changes::kept;
use crate::error::Fault;
use crate::expression::{Expression, Tokens};
use crate::limits::MOST_BLOCKS;
use crate::source::Span;
use crate::statement::{Beyond, Changes, Code, Function, Loop, Statement, While, is_type};
use crate::token::{Kind, Token};

/// Reads lines.
pub(super) fn read<'a>(lines: impl Iterator<Item = &'a [Token]>) -> Result<Code, Fault> {
    let mut reader = Reader { code: Code::default(), functions: vec![], open: vec![], skipping: None };
    for line in lines {
        reader.line(line)?;
    }
    reader.finish()
}

/// What a block is.
pub(super) enum Kin {
    If,
    /// `SELECT CASE` of a formula.
    Select(Expression),
    Do(Loop),
    While(Option<Expression>),
    Where,
    /// What is not understood as a whole.
    Beyond(Fault),
}

/// A block that has not ended: where it starts, what was before it, and its parts.
pub(super) struct Open {
    /// The name of a loop, in lower case.
    label: Option<String>,
    span: Span,
    before: Vec<Statement>,
    pub(super) kin: Kin,
    pub(super) arms: Vec<(Option<Expression>, Vec<Statement>)>,
}

impl Open {
    fn name(&self) -> &'static str {
        match &self.kin {
            Kin::If => "IF",
            Kin::Select(_) => "SELECT",
            Kin::Do(_) | Kin::While(_) => "DO",
            Kin::Where => "WHERE",
            Kin::Beyond(_) => "block",
        }
    }
}

pub(super) struct Reader {
    code: Code,
    /// The functions that have not ended, each within the one before; their bodies are on their way.
    functions: Vec<(Function, Scope)>,
    pub(super) open: Vec<Open>,
    /// The definition of a type, or an interface, whose lines say nothing here.
    skipping: Option<&'static str>,
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
    pub(super) fn list(&mut self) -> &mut Vec<Statement> {
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
        // Only jumps want its label.
        let line = match line {
            [Token { kind: Kind::Number(_, true), .. }, rest @ ..] if !rest.is_empty() => rest,
            _ => line,
        };
        let span = line[0].span.to(line[line.len() - 1].span);
        let mut tokens = Tokens::new(line, span);
        let (word, second) = words(line);
        let assigns = matches!(line.get(1).map(|token| &token.kind), Some(Kind::Sign("=")));
        if let Some(what) = self.skipping {
            if (word == "end" && second == what) || word.strip_prefix("end") == Some(what) {
                self.skipping = None;
            }
            return Ok(());
        }
        if assigns {
            return self.plain(&mut tokens, &word, span);
        }
        if let Some(rest) = behind_name(line) {
            let deep = self.open.len();
            self.line(rest)?;
            if let Some(open) = self.open.get_mut(deep) {
                open.label = Some(word);
            }
            return Ok(());
        }
        match (word.as_str(), second.as_str()) {
            ("endif", _) | ("end", "if") => self.end_block("IF", span),
            ("enddo", _) | ("end", "do") => self.end_block("DO", span),
            ("endselect", _) | ("end", "select") => self.end_block("SELECT", span),
            ("endwhere", _) | ("end", "where") => self.end_block("WHERE", span),
            // A module is its functions and its names.
            ("endmodule", _) | ("end", "module") => Ok(()),
            ("contains", _) => {
                if let Some((_, scope)) = self.functions.last_mut() {
                    *scope = Scope::Contains;
                }
                Ok(())
            }
            ("end" | "endfunction" | "endsubroutine", _) => self.end_function(span),
            ("else" | "elseif" | "elsewhere", _) => self.other(&mut tokens, span),
            ("if", _) => self.condition(&mut tokens, span),
            ("select" | "selectcase", _) => self.select(&mut tokens, span),
            ("case", _) => self.case(&mut tokens, span),
            ("do", _) => self.begin_loop(&mut tokens, span),
            ("where", _) => self.where_mask(&mut tokens, alone(line), span),
            ("type", _) if !matches!(line.get(1).map(|token| &token.kind), Some(Kind::Sign("("))) => {
                self.skipping = Some("type");
                Ok(())
            }
            ("interface", _) | ("abstract", "interface") => {
                self.skipping = Some("interface");
                Ok(())
            }
            _ if begins(line, "function") => self.begin_function(&mut tokens, "function", span),
            _ if begins(line, "subroutine") => self.begin_function(&mut tokens, "subroutine", span),
            _ => self.plain(&mut tokens, &word, span),
        }
    }

    fn plain(&mut self, tokens: &mut Tokens<'_>, word: &str, span: Span) -> Result<(), Fault> {
        let statement = statement(tokens, word, span);
        self.list().push(statement);
        Ok(())
    }

    /// `FUNCTION name(arguments) RESULT(k)`, `SUBROUTINE name(arguments)`
    fn begin_function(&mut self, tokens: &mut Tokens<'_>, kind: &str, span: Span) -> Result<(), Fault> {
        if let Some((function, Scope::Body)) = self.functions.last() {
            return Err(Fault::at(function.span, format!("the function `{}` does not end", function.name)));
        }
        if self.functions.len() >= MOST_BLOCKS {
            return Err(Fault::at(span, format!("blocks are nested more than {MOST_BLOCKS} deep")));
        }
        let mut typed = None;
        while !tokens.accept_word(kind) {
            if let Some(Kind::Name(word)) = tokens.peek() {
                typed = typed.or(number(&word.to_lowercase()));
            }
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
        let result = (kind == "function").then_some(result);
        let function =
            Function { name, arguments, result, number: typed, keeps: None, of_module: false, body: vec![], span };
        self.functions.push((function, Scope::Body));
        Ok(())
    }

    fn end_function(&mut self, span: Span) -> Result<(), Fault> {
        if let Some(open) = self.open.last() {
            let fault = Fault::at(open.span, format!("this {} does not end", open.name()));
            // Of a subroutine that nobody may call this is no error.
            match self.functions.last_mut() {
                Some((function, _)) if function.result.is_none() => {
                    let parts =
                        |open: Open| open.before.into_iter().chain(open.arms.into_iter().flat_map(|(_, body)| body));
                    let within = self.open.drain(..).flat_map(parts).collect();
                    function.body = vec![Statement::Beyond(Beyond { fault, changes: Changes::default(), within })];
                }
                _ => return Err(fault),
            }
        }
        match self.functions.pop() {
            Some((function, _)) => {
                let keeps = kept(&function);
                self.code.functions.push(Function { keeps, ..function });
            }
            None => {
                let (fault, changes) = (Fault::at(span, "this ends nothing"), Changes::default());
                self.code.statements.push(Statement::Beyond(Beyond { fault, changes, within: vec![] }));
            }
        }
        Ok(())
    }

    pub(super) fn begin(
        &mut self,
        span: Span,
        kin: Kin,
        arms: Vec<(Option<Expression>, Vec<Statement>)>,
    ) -> Result<(), Fault> {
        if self.open.len() >= MOST_BLOCKS {
            return Err(Fault::at(span, format!("blocks are nested more than {MOST_BLOCKS} deep")));
        }
        let before = std::mem::take(self.list());
        self.open.push(Open { label: None, span, before, kin, arms });
        Ok(())
    }

    pub(super) fn beyond(&mut self, span: Span, what: &str) -> Result<(), Fault> {
        self.begin(span, Kin::Beyond(Fault::at(span, what)), vec![])
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
            Kin::Where => Statement::Where(open.arms),
            Kin::Select(_) => {
                // What stands behind SELECT and before the first CASE is nothing, and DEFAULT may stand anywhere.
                let (cases, default): (Vec<_>, Vec<_>) = open.arms.into_iter().partition(|(test, _)| test.is_some());
                Statement::If(cases.into_iter().chain(default).collect())
            }
            Kin::Do(all) => {
                let body = open.arms.into_iter().flat_map(|(_, body)| body).collect();
                Statement::Do(Loop { name: open.label, body, ..all })
            }
            Kin::While(test) => {
                let body = open.arms.into_iter().flat_map(|(_, body)| body).collect();
                Statement::While(While { name: open.label, test, body, span: open.span })
            }
            Kin::Beyond(fault) => {
                let within = open.arms.into_iter().flat_map(|(_, body)| body).collect();
                Statement::Beyond(Beyond { fault, changes: Changes::default(), within })
            }
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

/// What of a line stands behind the name of a block, `outer: DO`.
fn behind_name(line: &[Token]) -> Option<&[Token]> {
    const BLOCKS: [&str; 5] = ["do", "if", "select", "selectcase", "where"];
    let [Token { kind: Kind::Name(_), .. }, Token { kind: Kind::Sign(":"), .. }, rest @ ..] = line else { return None };
    let first = rest.first()?;
    let begins = matches!(&first.kind, Kind::Name(word) if BLOCKS.contains(&word.to_lowercase().as_str()));
    begins.then_some(rest)
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

/// Does a line begin a function or a subroutine? A type may stand before the word.
fn begins(line: &[Token], kind: &str) -> bool {
    let is = |token: &Token, word: &str| matches!(&token.kind, Kind::Name(name) if name.eq_ignore_ascii_case(word));
    let first = matches!(&line[0].kind, Kind::Name(name) if {
        let name = name.to_lowercase();
        let marks = ["elemental", "pure", "recursive", "impure"];
        is_type(&name) || name == kind || marks.contains(&name.as_str())
    });
    let place = line.iter().take(10).position(|token| is(token, kind));
    first && place.is_some_and(|place| matches!(line.get(place + 1).map(|token| &token.kind), Some(Kind::Name(_))))
}
