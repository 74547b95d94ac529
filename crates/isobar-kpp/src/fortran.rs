//! Inlined Fortran: functions of assignments and conditions, declarations, assignments. Anything else is kept as what
//! it is, and is an error only where it would be run.

use crate::error::Fault;
use crate::expression::{Expression, Tokens};
use crate::source::Span;
use crate::statement::{Code, Function, MOST_BLOCKS, Statement};
use crate::token::{Kind, Token, lines_at};

/// Words that begin a declaration.
const TYPES: [&str; 7] = ["real", "double", "integer", "kpp_real", "logical", "character", "doubleprecision"];
/// Words that begin a line without meaning here.
const IDLE: [&str; 14] = [
    "use",
    "implicit",
    "intrinsic",
    "external",
    "save",
    "contains",
    "public",
    "private",
    "common",
    "dimension",
    "include",
    "module",
    "interface",
    "continue",
];

/// Blanks for comments and for the marks of continued lines.
fn without_comments(text: &str, fixed_form: bool) -> String {
    let mut out = Vec::with_capacity(text.len());
    // Ends of lines behind the last code, which are blanks if that goes on.
    let mut ends = vec![];
    let mut continues = false;
    for line in text.split_inclusive('\n') {
        let mut bytes = line.as_bytes().to_vec();
        let mut quote = 0;
        let comment = line.starts_with('#')
            || (fixed_form && line.starts_with(['c', 'C', '*']))
            || line.trim_start().starts_with('!');
        let end = bytes.iter().position(|&byte| {
            if quote == 0 && (byte == b'\'' || byte == b'"') {
                quote = byte;
            } else if byte == quote {
                quote = 0;
            }
            quote == 0 && byte == b'!'
        });
        let end = if comment { 0 } else { end.unwrap_or(bytes.len()) };
        for byte in &mut bytes[end..] {
            if *byte != b'\n' {
                *byte = b' ';
            }
        }
        let blank = bytes.iter().all(u8::is_ascii_whitespace);
        let marked =
            fixed_form && bytes.len() > 5 && bytes[..5].iter().all(|&b| b == b' ') && !b" 0\n\r".contains(&bytes[5]);
        let first = bytes.iter().position(|byte| !byte.is_ascii_whitespace());
        if marked {
            bytes[5] = b' ';
            ends.drain(..).for_each(|end: usize| out[end] = b' ');
        } else if continues && !blank {
            if let Some(first) = first.filter(|&first| bytes[first] == b'&') {
                bytes[first] = b' ';
            }
            ends.drain(..).for_each(|end| out[end] = b' ');
        }
        if !blank {
            ends.clear();
            let last = bytes.iter().rposition(|byte| !byte.is_ascii_whitespace());
            continues = last.is_some_and(|last| bytes[last] == b'&');
            if let Some(last) = last.filter(|_| continues) {
                bytes[last] = b' ';
            }
        }
        out.extend(bytes);
        if line.ends_with('\n') {
            ends.push(out.len() - 1);
        }
    }
    String::from_utf8(out).unwrap_or_else(|_| " ".repeat(text.len()))
}

/// Reads a block.
pub(crate) fn read(text: &str, span: Span, fixed_form: bool) -> Result<Code, Fault> {
    // Other bytes than the block's keep their places.
    let code = without_comments(&text[span.start..span.end], fixed_form);
    let all = lines_at(&code, span)?;
    let ends = |token: &Token| token.kind == Kind::Line || token.kind == Kind::Sign(";");
    let lines = all.split(ends).filter(|line| !line.is_empty());
    let mut reader = Reader { code: Code::default(), function: None, open: vec![], skipping: false };
    for line in lines {
        reader.line(line)?;
    }
    reader.finish()
}

/// An `IF` that has not ended: where it starts, what was before it, and its parts.
struct Open {
    span: Span,
    before: Vec<Statement>,
    arms: Vec<(Option<Expression>, Vec<Statement>)>,
}

struct Reader {
    code: Code,
    /// The function that has not ended; its body is on its way.
    function: Option<Function>,
    open: Vec<Open>,
    /// Is this a subroutine, which nobody calls?
    skipping: bool,
}

impl Reader {
    /// Where the next statement goes.
    fn list(&mut self) -> &mut Vec<Statement> {
        if let Some(open) = self.open.last_mut() {
            return &mut open.arms.last_mut().expect("an IF has a part").1;
        }
        match &mut self.function {
            Some(function) => &mut function.body,
            None => &mut self.code.statements,
        }
    }

    fn line(&mut self, line: &[Token]) -> Result<(), Fault> {
        let span = line[0].span.to(line[line.len() - 1].span);
        let mut tokens = Tokens::new(line, span);
        let word = match &line[0].kind {
            Kind::Name(name) => name.to_lowercase(),
            _ => String::new(),
        };
        let second = match line.get(1).map(|token| &token.kind) {
            Some(Kind::Name(name)) => name.to_lowercase(),
            _ => String::new(),
        };
        let assigns = matches!(line.get(1).map(|token| &token.kind), Some(Kind::Sign("=")));
        if self.skipping {
            self.skipping =
                !(word == "endsubroutine" || (word == "end" && (line.len() == 1 || second == "subroutine")));
            return Ok(());
        }
        match word.as_str() {
            "endif" => self.end_if(span),
            "end" if second == "if" => self.end_if(span),
            "end" | "endfunction" | "endmodule" if !assigns => self.end_function(span),
            "else" | "elseif" if !assigns => self.other(&mut tokens, span),
            "if" if !assigns => self.condition(&mut tokens, span),
            "subroutine" => {
                self.skipping = true;
                Ok(())
            }
            _ if is_function(line) => self.begin_function(&mut tokens, span),
            _ => {
                let statement = statement(&mut tokens, &word, span).unwrap_or_else(Statement::Beyond);
                self.list().push(statement);
                Ok(())
            }
        }
    }

    fn begin_function(&mut self, tokens: &mut Tokens<'_>, span: Span) -> Result<(), Fault> {
        if let Some(function) = &self.function {
            return Err(Fault::at(function.span, format!("the function `{}` does not end", function.name)));
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
        self.function = Some(Function { name, arguments, result, body: vec![], span });
        Ok(())
    }

    fn end_function(&mut self, span: Span) -> Result<(), Fault> {
        if let Some(open) = self.open.last() {
            return Err(Fault::at(open.span, "this IF does not end"));
        }
        match self.function.take() {
            Some(function) => self.code.functions.push(function),
            None => self.code.statements.push(Statement::Beyond(Fault::at(span, "this ends nothing"))),
        }
        Ok(())
    }

    fn condition(&mut self, tokens: &mut Tokens<'_>, span: Span) -> Result<(), Fault> {
        tokens.advance();
        let condition = parenthesised(tokens)?;
        if tokens.accept_word("then") {
            if self.open.len() >= MOST_BLOCKS {
                return Err(Fault::at(span, format!("blocks are nested more than {MOST_BLOCKS} deep")));
            }
            let before = std::mem::take(self.list());
            self.open.push(Open { span, before, arms: vec![(Some(condition), vec![])] });
            return Ok(());
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
        let joined = tokens.accept_word("elseif");
        let condition = if joined || (tokens.accept_word("else") && tokens.accept_word("if")) {
            Some(parenthesised(tokens)?)
        } else {
            None
        };
        let Some(open) = self.open.last_mut() else { return Err(Fault::at(span, "this ELSE has no IF")) };
        open.arms.push((condition, vec![]));
        Ok(())
    }

    fn end_if(&mut self, span: Span) -> Result<(), Fault> {
        let Some(open) = self.open.pop() else { return Err(Fault::at(span, "this END IF has no IF")) };
        let list = self.list();
        *list = open.before;
        list.push(Statement::If(open.arms));
        Ok(())
    }

    fn finish(self) -> Result<Code, Fault> {
        if let Some(open) = self.open.last() {
            return Err(Fault::at(open.span, "this IF does not end"));
        }
        match self.function {
            Some(function) => Err(Fault::at(function.span, format!("the function `{}` does not end", function.name))),
            None => Ok(self.code),
        }
    }
}

fn parenthesised(tokens: &mut Tokens<'_>) -> Result<Expression, Fault> {
    tokens.expect("(")?;
    let condition = Expression::read(tokens)?;
    tokens.expect(")")?;
    Ok(condition)
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

/// A line within a block.
fn statement(tokens: &mut Tokens<'_>, word: &str, span: Span) -> Result<Statement, Fault> {
    let beyond = |what: &str| Fault::at(span, what.to_owned()).help("give the function in Rust: `Reader::function`");
    if matches!(tokens.after_next(), Some(Kind::Sign("="))) {
        let (name, _) = tokens.name("a name")?;
        tokens.advance();
        return Ok(Statement::Assign { name: name.to_lowercase(), value: Expression::all(tokens)? });
    }
    if IDLE.contains(&word) {
        return Ok(Statement::Declare(vec![]));
    }
    if TYPES.contains(&word) || word == "parameter" {
        return declaration(tokens);
    }
    match word {
        "return" => Ok(Statement::Return(None)),
        "call" => Err(beyond("a call of a subroutine is beyond what rates can be")),
        "do" | "select" | "where" | "goto" | "go" => Err(beyond("only assignments and IF can be in a rate function")),
        _ => Err(beyond("this statement is beyond what rates can be")),
    }
}

/// Names, with values if they have any: `REAL(dp), PARAMETER :: a = 1.0, b`
fn declaration(tokens: &mut Tokens<'_>) -> Result<Statement, Fault> {
    let mut look = tokens.clone();
    while !look.at_end() && !look.is("::") {
        look.advance();
    }
    if look.accept("::") {
        *tokens = look;
    } else {
        // Without the colons: the type, a kind in parentheses, names.
        tokens.advance();
        tokens.accept_word("precision");
        if tokens.accept("*") {
            tokens.advance();
        }
        if tokens.is("(") {
            while !tokens.at_end() && !tokens.accept(")") {
                tokens.advance();
            }
        }
    }
    let (mut names, mut values) = (vec![], vec![]);
    while let Some(Kind::Name(_)) = tokens.peek() {
        let (name, span) = tokens.name("a name")?;
        if tokens.is("(") {
            return Err(Fault::at(span, "an array is beyond what rates can be"));
        }
        if tokens.accept("=") {
            values.push((Expression::read(tokens)?, name.to_lowercase()));
        } else {
            names.push(name.to_lowercase());
        }
        if !tokens.accept(",") {
            break;
        }
    }
    if values.is_empty() {
        return Ok(Statement::Declare(names));
    }
    let assign = |(value, name)| Statement::Assign { name, value };
    Ok(Statement::If(vec![(None, values.into_iter().map(assign).collect())]))
}
