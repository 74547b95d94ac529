//! Which reactions are wanted: a condition on their labels, as in `Tr && (G || Aa) && !Hg` or `Tr and not Hg`.

use std::collections::HashSet;

use crate::error::Fault;
use crate::limits::MOST_NESTED_FORMULAS;
use crate::source::Span;

/// A step on a stack of truths.
#[derive(Clone, Debug, PartialEq)]
enum Step {
    Label(String),
    Constant(bool),
    Not,
    And,
    Or,
}

/// A condition.
#[derive(Clone, Debug)]
pub(super) struct Wanted(Vec<Step>);

struct Reader<'t> {
    words: Vec<&'t str>,
    next: usize,
    steps: Vec<Step>,
}

impl Wanted {
    /// Reads a condition.
    pub(super) fn read(text: &str, span: Span) -> Result<Self, Fault> {
        let mut reader = Reader { words: words(text), next: 0, steps: vec![] };
        match reader.or(0) {
            Ok(()) if reader.next == reader.words.len() => Ok(Self(reader.steps)),
            result => {
                let at = reader.words.get(reader.next).map_or_else(|| "the end".to_owned(), |word| format!("`{word}`"));
                let why = result.err().unwrap_or("an operator is missing");
                Err(Fault::at(span, format!("in this condition, at {at}: {why}")))
            }
        }
    }

    /// Is a reaction with these labels wanted?
    pub(super) fn fits(&self, labels: &HashSet<&str>) -> bool {
        let mut stack = vec![];
        for step in &self.0 {
            let truth = match step {
                Step::Label(label) => labels.contains(label.as_str()),
                Step::Constant(truth) => *truth,
                Step::Not => !stack.pop().unwrap_or(false),
                Step::And | Step::Or => {
                    let (right, left) = (stack.pop().unwrap_or(false), stack.pop().unwrap_or(false));
                    if *step == Step::And { left && right } else { left || right }
                }
            };
            stack.push(truth);
        }
        stack.pop().unwrap_or(false)
    }
}

fn words(text: &str) -> Vec<&str> {
    let mut all = vec![];
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let length = if first.is_alphanumeric() || first == '_' {
            rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len())
        } else if rest.starts_with("&&") || rest.starts_with("||") {
            2
        } else {
            first.len_utf8()
        };
        all.push(&rest[..length]);
        rest = rest[length..].trim_start();
    }
    all
}

impl Reader<'_> {
    fn accept(&mut self, words: [&str; 2]) -> bool {
        let found = self.words.get(self.next).is_some_and(|word| words.contains(word));
        self.next += usize::from(found);
        found
    }

    fn or(&mut self, depth: usize) -> Result<(), &'static str> {
        self.and(depth)?;
        while self.accept(["||", "or"]) {
            self.and(depth)?;
            self.steps.push(Step::Or);
        }
        Ok(())
    }

    fn and(&mut self, depth: usize) -> Result<(), &'static str> {
        self.not(depth)?;
        while self.accept(["&&", "and"]) {
            self.not(depth)?;
            self.steps.push(Step::And);
        }
        Ok(())
    }

    fn not(&mut self, depth: usize) -> Result<(), &'static str> {
        if depth >= MOST_NESTED_FORMULAS {
            return Err("this is nested too deep");
        }
        if self.accept(["!", "not"]) {
            self.not(depth + 1)?;
            self.steps.push(Step::Not);
            return Ok(());
        }
        if self.accept(["(", "("]) {
            self.or(depth + 1)?;
            return if self.accept([")", ")"]) { Ok(()) } else { Err("`)` is missing") };
        }
        let word = self.words.get(self.next).copied().unwrap_or("");
        if !word.starts_with(|c: char| c.is_ascii_alphanumeric()) || ["and", "or", "not"].contains(&word) {
            return Err("a label is missing");
        }
        self.next += 1;
        self.steps.push(match word {
            "1" | "True" => Step::Constant(true),
            "0" | "False" => Step::Constant(false),
            label => Step::Label(label.to_owned()),
        });
        Ok(())
    }
}

/// The labels of a line, which stand together in `{%StTrGN}`: a capital and small letters each; none if it has none.
pub(super) fn labels(line: &str) -> Option<HashSet<&str>> {
    let start = line.find("{%")? + 2;
    let marker = &line[start..start + line[start..].find('}')?];
    if !marker.chars().all(|c| c.is_ascii_alphanumeric()) {
        return None;
    }
    let mut all = HashSet::new();
    for (place, _) in marker.char_indices().filter(|(_, c)| c.is_ascii_uppercase()) {
        let rest = &marker[place..];
        let length = 1 + rest[1..].find(|c: char| !c.is_ascii_lowercase()).unwrap_or(rest.len() - 1);
        all.insert(&rest[..length]);
    }
    Some(all)
}

#[cfg(test)]
mod tests {
    use super::{Wanted, labels};
    use crate::source::Span;

    #[test]
    fn conditions_are_on_labels() {
        let fits = |condition: &str, line: &str| {
            Wanted::read(condition, Span::default()).expect(condition).fits(&labels(line).expect("labels"))
        };
        let line = "<G1> A = B : {%StTrAa01NJ} 1.0; {&1}";
        for (condition, wanted) in [
            ("Tr && !Hg", true),
            ("S", false),
            ("St and not (N or Q)", false),
            ("(Q || Aa) && J && N", true),
            ("Q && G || Tr", true),
            ("True", true),
            ("! St", false),
        ] {
            assert_eq!(fits(condition, line), wanted, "{condition}");
        }
        assert!(labels("<G1> A = B : 1.0;").is_none() && labels("{%a b}").is_none());
        for wrong in ["", "Tr &&", "(Tr", "Tr Hg", "Tr & Hg", "and", &"(".repeat(5000)] {
            assert!(Wanted::read(wrong, Span::default()).is_err(), "{wrong}");
        }
    }
}
