//! What begins and divides blocks: conditions, masks, choices, loops.

use super::blocks::{Kin, Open, Reader};
use super::statements::{parenthesised, statement};
use crate::error::Fault;
use crate::expression::{Expression, Step, Tokens};
use crate::source::Span;
use crate::statement::{Beyond, Changes, Loop, Statement};
use crate::token::Kind;

impl Reader {
    pub(super) fn condition(&mut self, tokens: &mut Tokens<'_>, span: Span) -> Result<(), Fault> {
        tokens.advance();
        let condition = parenthesised(tokens)?;
        if tokens.accept_word("then") {
            return self.begin(span, Kin::If, vec![(Some(condition), vec![])]);
        }
        let word = match tokens.peek() {
            Some(Kind::Name(name)) => name.to_lowercase(),
            _ => String::new(),
        };
        let inner = statement(tokens, &word, span);
        self.list().push(Statement::If(vec![(Some(condition), vec![inner])]));
        Ok(())
    }

    /// `WHERE (mask)` before a block, or one assignment.
    pub(super) fn where_mask(&mut self, tokens: &mut Tokens<'_>, alone: bool, span: Span) -> Result<(), Fault> {
        tokens.advance();
        let mask = parenthesised(tokens)?;
        if alone {
            return self.begin(span, Kin::Where, vec![(Some(mask), vec![])]);
        }
        let inner = statement(tokens, "", span);
        self.list().push(Statement::Where(vec![(Some(mask), vec![inner])]));
        Ok(())
    }

    /// `ELSE`, `ELSE IF (...) THEN`, `ELSEWHERE (...)`
    pub(super) fn other(&mut self, tokens: &mut Tokens<'_>, span: Span) -> Result<(), Fault> {
        // That of what is not read.
        if matches!(self.open.last(), Some(Open { kin: Kin::Beyond(_), .. })) {
            return Ok(());
        }
        if !tokens.accept_word("elseif") && !tokens.accept_word("elsewhere") {
            tokens.advance();
            let _ = tokens.accept_word("if") || tokens.accept_word("where");
        }
        let condition = if tokens.is("(") { Some(parenthesised(tokens)?) } else { None };
        match self.open.last_mut() {
            Some(open) if matches!(open.kin, Kin::If | Kin::Where) => open.arms.push((condition, vec![])),
            _ => return Err(Fault::at(span, "this ELSE has no IF")),
        }
        Ok(())
    }

    /// `SELECT CASE (x)`
    pub(super) fn select(&mut self, tokens: &mut Tokens<'_>, span: Span) -> Result<(), Fault> {
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
    pub(super) fn case(&mut self, tokens: &mut Tokens<'_>, span: Span) -> Result<(), Fault> {
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

    /// `DO i = 1, n`, `DO WHILE (test)`, `DO`
    pub(super) fn begin_loop(&mut self, tokens: &mut Tokens<'_>, span: Span) -> Result<(), Fault> {
        tokens.advance();
        if tokens.accept_word("while") {
            tokens.expect("(")?;
            let test = Expression::read(tokens)?;
            tokens.expect(")")?;
            return self.begin(span, Kin::While(Some(test)), vec![]);
        }
        if tokens.peek().is_none() {
            return self.begin(span, Kin::While(None), vec![]);
        }
        if !matches!(tokens.after_next(), Some(Kind::Sign("="))) {
            let labelled = matches!(tokens.peek(), Some(Kind::Number(..)));
            let what = "only loops over a counter, or while a condition holds, can be in a rate function";
            if labelled {
                // It ends with its label: how often what follows runs is not known.
                let (fault, changes) = (Fault::at(span, what), Changes::of_jump());
                self.list().push(Statement::Beyond(Beyond { fault, changes, within: vec![] }));
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
        self.begin(span, Kin::Do(Loop { name: None, counter, first, last, step, body: vec![], span }), vec![])
    }
}
