//! Conditions of the preprocessor: which lines of a text count.

use std::collections::HashMap;

/// What a line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Line {
    /// Fortran.
    Counts,
    /// The preprocessor's, or left out by it.
    LeftOut,
    /// A condition that cannot be told: it counts as one that is not so.
    Doubtful,
}

/// What the lines so far say. No names are defined but those that the text defines itself.
#[derive(Default)]
pub(super) struct Conditions<'a> {
    names: Names<'a>,
    open: Vec<Part>,
}

/// Names and their numbers, if they are numbers.
type Names<'a> = HashMap<&'a str, Option<i64>>;

/// A part of a text between conditions.
struct Part {
    /// Was it, or one of its alternatives before, so?
    taken: bool,
    left_out: bool,
}

impl<'a> Conditions<'a> {
    /// Takes the next line.
    pub(super) fn take(&mut self, line: &'a str) -> Line {
        let outside = |open: &[Part]| open.last().is_some_and(|part| part.left_out);
        let Some(rest) = line.strip_prefix('#') else {
            return if outside(&self.open) { Line::LeftOut } else { Line::Counts };
        };
        let rest = rest.trim_start();
        let (word, rest) = rest.split_at(rest.find(|c: char| !is_of_name(c)).unwrap_or(rest.len()));
        let rest = rest.split_once("/*").map_or(rest, |(rest, _)| rest).trim();
        match word {
            "if" | "ifdef" | "ifndef" => {
                let left_out = outside(&self.open);
                let so = if left_out { Some(false) } else { self.is_so(word, rest) };
                let taken = so == Some(true);
                self.open.push(Part { taken: taken || left_out, left_out: !taken });
                return told(so);
            }
            "elif" => {
                let so = self.open.last().filter(|part| !part.taken).map(|_| self.is_so("if", rest));
                if let Some(part) = self.open.last_mut() {
                    part.left_out = so.flatten() != Some(true);
                    part.taken |= !part.left_out;
                }
                return so.map_or(Line::LeftOut, told);
            }
            "else" => self.open.last_mut().into_iter().for_each(|part| {
                part.left_out = part.taken;
                part.taken = true;
            }),
            "endif" => drop(self.open.pop()),
            "define" if !outside(&self.open) => {
                let (name, value) = rest.split_at(rest.find(|c: char| !is_of_name(c)).unwrap_or(rest.len()));
                self.names.insert(name, number(value.trim()));
            }
            "undef" if !outside(&self.open) => drop(self.names.remove(rest)),
            _ => (),
        }
        Line::LeftOut
    }

    /// Whether a condition is so, if that can be told.
    fn is_so(&self, word: &str, rest: &str) -> Option<bool> {
        let name = rest.split(|c: char| !is_of_name(c)).next().unwrap_or_default();
        match word {
            "ifdef" => Some(self.names.contains_key(name)),
            "ifndef" => Some(!self.names.contains_key(name)),
            _ => Expression { rest, names: &self.names, depth: 0 }.whole().map(|value| value != 0),
        }
    }
}

fn told(so: Option<bool>) -> Line {
    if so.is_some() { Line::LeftOut } else { Line::Doubtful }
}

fn is_of_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// A whole number, with C's endings.
fn number(text: &str) -> Option<i64> {
    text.trim_end_matches(['u', 'U', 'l', 'L']).parse().ok()
}

/// A condition: numbers, names and what is `defined`, with `!`, `-`, relations, `&&`, `||` and brackets.
struct Expression<'a> {
    rest: &'a str,
    names: &'a Names<'a>,
    depth: usize,
}

/// Brackets and signs within each other.
const DEEPEST: usize = 64;

impl<'a> Expression<'a> {
    fn whole(mut self) -> Option<i64> {
        let value = self.any()?;
        self.rest.trim().is_empty().then_some(value)
    }

    fn any(&mut self) -> Option<i64> {
        let mut value = self.all()?;
        while self.eat("||") {
            let other = self.all()?;
            value = i64::from(value != 0 || other != 0);
        }
        Some(value)
    }

    fn all(&mut self) -> Option<i64> {
        let mut value = self.relation()?;
        while self.eat("&&") {
            let other = self.relation()?;
            value = i64::from(value != 0 && other != 0);
        }
        Some(value)
    }

    fn relation(&mut self) -> Option<i64> {
        type Relation = fn(&i64, &i64) -> bool;
        // Longer signs before those that they begin with.
        const ALL: [(&str, Relation); 6] =
            [("==", i64::eq), ("!=", i64::ne), ("<=", i64::le), (">=", i64::ge), ("<", i64::lt), (">", i64::gt)];
        let value = self.one()?;
        let Some((_, relation)) = ALL.iter().find(|(sign, _)| self.eat(sign)) else { return Some(value) };
        Some(i64::from(relation(&value, &self.one()?)))
    }

    fn one(&mut self) -> Option<i64> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return None;
        }
        let value = if self.eat("!") {
            self.one().map(|value| i64::from(value == 0))
        } else if self.eat("-") {
            self.one()?.checked_neg()
        } else if self.eat("(") {
            let value = self.any();
            value.filter(|_| self.eat(")"))
        } else {
            self.named()
        };
        self.depth -= 1;
        value
    }

    fn named(&mut self) -> Option<i64> {
        match self.word()? {
            "defined" => {
                let in_brackets = self.eat("(");
                let name = self.word()?;
                (!in_brackets || self.eat(")")).then(|| i64::from(self.names.contains_key(name)))
            }
            word if word.starts_with(|c: char| c.is_ascii_digit()) => number(word),
            // A macro with arguments.
            _ if self.rest.trim_start().starts_with('(') => None,
            word => self.names.get(word).copied().unwrap_or(Some(0)),
        }
    }

    fn word(&mut self) -> Option<&'a str> {
        let rest = self.rest.trim_start();
        let (word, rest) = rest.split_at(rest.find(|c: char| !is_of_name(c)).unwrap_or(rest.len()));
        self.rest = rest;
        (!word.is_empty()).then_some(word)
    }

    fn eat(&mut self, sign: &str) -> bool {
        let rest = self.rest.trim_start().strip_prefix(sign);
        rest.inspect(|rest| self.rest = rest).is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lines that count.
    fn counted(text: &str) -> String {
        let mut conditions = Conditions::default();
        text.lines().filter(|line| conditions.take(line) == Line::Counts).collect()
    }

    /// As `cpp -undef` has it.
    #[test]
    fn the_part_that_is_so_counts() {
        for (text, expected) in [
            ("a\n#ifdef X\nb\n#else\nc\n#endif\nd", "acd"),
            ("#ifndef X\na\n#elif 1\nb\n#else\nc\n#endif", "a"),
            ("#if 0\na\n#elif 0\nb\n#else\nc\n#endif", "c"),
            ("#if 0\na\n#elif 1\nb\n#elif 1\nc\n#else\nd\n#endif", "b"),
            ("#if 1\na\n#endif\n#if 0\nb\n#endif", "a"),
            ("#if !defined(X) && ! defined Y\na\n#else\nb\n#endif", "a"),
            ("#if ( WRF_CHEM == 1 ) || defined(X)\na\n#endif\n#if X < 1 /* none */\nb\n#endif", "b"),
            ("#if 1 != 2 && (3 >= 4 || -1 <= 0)\na\n#endif", "a"),
            ("#define X 2\n#if X == 2\na\n#endif\n#undef X\n#ifdef X\nb\n#endif", "a"),
            // Nothing within what is left out counts, and nothing there defines.
            ("#if 0\n#if 1\na\n#else\nb\n#endif\n#define X\n#endif\n#ifdef X\nc\n#endif\nd", "d"),
            ("# ifdef X\na\n# else\nb\n# endif\n#include \"c.h\"\n#endif\nd", "bd"),
        ] {
            assert_eq!(counted(text), expected, "{text}");
        }
    }

    #[test]
    fn what_cannot_be_told_is_not_so() {
        for condition in
            ["KIND(1.0) > 4", "X +", "", "1 2", "(1", "'a' == 97", &"(".repeat(100_000), &"!".repeat(100_000)]
        {
            let line = format!("#if {condition}");
            assert_eq!(Conditions::default().take(&line), Line::Doubtful, "{condition:.20}");
            assert_eq!(counted(&format!("{line}\na\n#else\nb\n#endif")), "b", "{condition:.20}");
        }
    }
}
