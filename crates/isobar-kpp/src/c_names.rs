//! Names of C, which tells small letters from capitals and has names that end with their block: here they are others.

use std::collections::{HashMap, HashSet};

use crate::token::{Kind, Token};

/// Words of types of real numbers, of integers, and what else stands before a name that is declared.
pub(crate) const REALS: [&str; 4] = ["double", "float", "kpp_real", "real"];
pub(crate) const INTEGERS: [&str; 5] = ["int", "long", "short", "signed", "unsigned"];
pub(crate) const OTHERS: [&str; 4] = ["static", "const", "inline", "void"];

fn is_type(name: &str) -> bool {
    REALS.iter().chain(&INTEGERS).chain(&OTHERS).any(|word| word.eq_ignore_ascii_case(name))
}

/// The names of functions that are open: by block, as they stand there, with what they are called here.
struct Scopes {
    /// All names, in lower case, with how they are spelt.
    spellings: HashMap<String, HashSet<String>>,
    blocks: Vec<HashMap<String, String>>,
    /// What names of this function are called, in lower case.
    used: HashSet<String>,
}

impl Scopes {
    /// Declares a name of the innermost block.
    fn declare(&mut self, name: &str) {
        let Some(block) = self.blocks.last_mut() else { return };
        let mut own = name.to_lowercase();
        if self.spellings.get(&own).is_some_and(|spellings| spellings.len() > 1) {
            // No name of C has a quote.
            own.push('\'');
        }
        while !self.used.insert(own.clone()) {
            own.push('\'');
        }
        block.insert(name.to_owned(), own);
    }

    fn of(&self, name: &str) -> Option<&String> {
        self.blocks.iter().rev().find_map(|block| block.get(name))
    }
}

/// Gives names of functions that C tells apart different spellings. Those of other code are left as they are.
pub(crate) fn tell_apart(tokens: &mut [Token]) {
    let mut spellings: HashMap<String, HashSet<String>> = HashMap::new();
    for token in tokens.iter() {
        if let Kind::Name(name) = &token.kind {
            spellings.entry(name.to_lowercase()).or_default().insert(name.clone());
        }
    }
    let mut scopes = Scopes { spellings, blocks: vec![], used: HashSet::new() };
    // Where a declaration has names, and how many parentheses are open.
    let (mut declares, mut depth, mut braces) = (false, 0_i32, 0_i32);
    for place in 0..tokens.len() {
        let next_is =
            |sign| matches!(tokens.get(place + 1).map(|token| &token.kind), Some(Kind::Sign(s)) if *s == sign);
        let after = |sign| place > 0 && matches!(&tokens[place - 1].kind, Kind::Sign(s) if *s == sign);
        match &tokens[place].kind {
            Kind::Sign("(") => depth += 1,
            Kind::Sign(")") => {
                depth -= 1;
                declares &= braces > 0;
            }
            Kind::Sign("{") => {
                // The block of a function is that of its arguments.
                if braces > 0 {
                    scopes.blocks.push(HashMap::new());
                }
                braces += 1;
            }
            Kind::Sign("}") => {
                braces -= 1;
                scopes.blocks.pop();
            }
            Kind::Sign(";") => {
                declares = false;
                if braces == 0 {
                    scopes.blocks.clear();
                }
            }
            Kind::Name(name) if is_type(name) => declares = true,
            // A function, whose arguments come.
            Kind::Name(_) if braces == 0 && next_is("(") => {
                (scopes.blocks, scopes.used) = (vec![HashMap::new()], HashSet::new());
                declares = false;
            }
            Kind::Name(name) => {
                let of_type = place > 0 && matches!(&tokens[place - 1].kind, Kind::Name(word) if is_type(word));
                // Of a list of names, those behind its commas.
                if of_type || (declares && depth == 0 && after(",")) {
                    let name = name.clone();
                    scopes.declare(&name);
                }
                if let (Kind::Name(name), Some(own)) = (&tokens[place].kind, scopes.of(name).cloned())
                    && *name != own
                {
                    tokens[place].kind = Kind::Name(own);
                }
            }
            _ => {}
        }
    }
}
