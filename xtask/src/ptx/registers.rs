//! Short names for a function's registers, which do not tell in which order the compiler met them.
//!
//! A register that one basic block alone uses is `R1`, where `r1` lives longer, and is numbered by block: most are
//! such. No block has two registers of one name, for sharing a name moves instructions in what the assembler makes of
//! them.

use std::collections::{BTreeMap, HashMap};

/// The compiler's kinds, and the letter for each: 64, 32 and 16 bits, and predicates.
const KINDS: [(&str, char); 4] = [("rd", 'd'), ("r", 'r'), ("rs", 's'), ("p", 'p')];
/// Instructions whose first operand is no result; those of `st.b32 [%rd1], %r1` are in brackets.
const WITHOUT_RESULT: [&str; 2] = ["bar", "br"];
/// Instructions that end a basic block, as labels do.
const ENDS: [&str; 4] = ["br", "ret", "exit", "trap"];

/// The names of a function's registers.
#[derive(Default)]
pub(super) struct Registers<'a> {
    names: HashMap<&'a str, String>,
    /// The highest number of each letter.
    highest: BTreeMap<char, usize>,
}

impl<'a> Registers<'a> {
    /// The registers of the function with these lines.
    pub(super) fn of(lines: &[&'a str]) -> Self {
        // The basic block of all places of a register; none if there are several, or if it is read before it is
        // written.
        let mut only: HashMap<&str, Option<usize>> = HashMap::new();
        let mut block = 0;
        let mut ordered = Vec::new();
        for line in lines {
            block += usize::from(is_label(line));
            for register in registers(line) {
                let found = only.entry(register).or_insert_with(|| {
                    ordered.push(register);
                    is_result(line, register).then_some(block)
                });
                *found = found.filter(|other| *other == block);
            }
            block += usize::from(statements(line).any(|statement| ENDS.iter().any(|end| statement.starts_with(end))));
        }
        let mut registers = Self::default();
        let mut in_block: HashMap<(usize, char), usize> = HashMap::new();
        for register in ordered {
            let Some(letter) = letter(register) else { continue };
            let (letter, number) = match only[register] {
                Some(block) => {
                    let number = in_block.entry((block, letter)).or_default();
                    *number += 1;
                    (letter.to_ascii_uppercase(), *number)
                }
                None => (letter, registers.highest.get(&letter).map_or(1, |number| number + 1)),
            };
            let highest = registers.highest.entry(letter).or_default();
            *highest = number.max(*highest);
            registers.names.insert(register, format!("{letter}{number}"));
        }
        registers
    }

    /// The line with the new names, which may be none.
    pub(super) fn rename(&self, line: &str) -> String {
        if let Some((head, letter)) = declaration(line) {
            let letters = [letter, letter.to_ascii_uppercase()];
            let declared = letters.iter().filter_map(|letter| {
                let names = self.highest.get(letter)? + 1;
                Some(format!("{head}{letter}<{names}>;"))
            });
            return declared.collect::<Vec<_>>().join(" ");
        }
        let mut text = String::with_capacity(line.len());
        let mut rest = line;
        for register in registers(line) {
            let (before, after) = rest.split_once(register).unwrap_or((rest, ""));
            text += before;
            text += self.names.get(register).map_or(register, String::as_str);
            rest = after;
        }
        text + rest
    }
}

/// `.reg .b64 %rd<9>;`: what stands before the `%`, and the letter.
fn declaration(line: &str) -> Option<(&str, char)> {
    let (head, kind) = line.split_once('%')?;
    let kind = kind.split_once('<')?.0;
    Some((head, letter_of_kind(kind).filter(|_| head.trim_start().starts_with(".reg "))?))
}

fn letter_of_kind(kind: &str) -> Option<char> {
    KINDS.iter().find(|(name, _)| *name == kind).map(|(_, letter)| *letter)
}

/// The letter of `%rd12`; none for special registers as `%tid`.
fn letter(register: &str) -> Option<char> {
    letter_of_kind(register.trim_start_matches('%').trim_end_matches(|c: char| c.is_ascii_digit()))
}

/// The numbered registers of a line, such as `%rd7`, as often as they stand there.
fn registers(line: &str) -> impl Iterator<Item = &str> {
    line.match_indices('%').filter_map(|(start, _)| {
        let word = &line[start + 1..];
        let word = &word[..word.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(word.len())];
        word.ends_with(|c: char| c.is_ascii_digit()).then(|| &line[start..start + 1 + word.len()])
    })
}

/// `$L__BB0_1:`
fn is_label(line: &str) -> bool {
    line.split_whitespace().next().is_some_and(|word| word.ends_with(':'))
}

/// The instructions of a line, without their predicates; inline assembly has several.
fn statements(line: &str) -> impl Iterator<Item = &str> {
    line.split(';').map(|statement| {
        let statement = statement.trim_start_matches(|c: char| c == '{' || c.is_whitespace());
        match statement.strip_prefix('@') {
            Some(predicated) => predicated.split_once(char::is_whitespace).map_or("", |(_, rest)| rest.trim_start()),
            None => statement,
        }
    })
}

/// Does the line write the register, whatever it was before?
fn is_result(line: &str, register: &str) -> bool {
    let mut found = false;
    let mut read = line.contains('@');
    for statement in statements(line) {
        let (operation, operands) = statement.split_once(char::is_whitespace).unwrap_or((statement, ""));
        let operands = operands.trim_start();
        let end = operands.find(if operands.starts_with('{') { '}' } else { ',' }).unwrap_or(operands.len());
        let (results, others) = operands.split_at(end);
        let has = |text: &str| registers(text).any(|other| other == register);
        let writes = has(results) && !results.starts_with('[');
        let writes = writes && !WITHOUT_RESULT.iter().any(|name| operation.starts_with(name));
        read |= has(others) || has(results) && !writes;
        found |= writes && !read;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{Registers, is_result};

    fn renamed(lines: &[&str]) -> Vec<String> {
        let registers = Registers::of(lines);
        lines.iter().map(|line| registers.rename(line)).collect()
    }

    #[test]
    fn those_of_one_block_are_numbered_by_block() {
        let lines = [
            ".reg .b64 %rd<10>;",
            "mov.b64 %rd9, %rd4;",
            "add.s64 %rd8, %rd9, 1;",
            "$L__BB0_1:",
            "add.s64 %rd7, %rd8, 1;",
            "st.b64 [%rd7], %rd8;",
        ];
        let short = [
            ".reg .b64 d<3>; .reg .b64 D<2>;",
            "mov.b64 D1, d1;",
            "add.s64 d2, D1, 1;",
            "$L__BB0_1:",
            "add.s64 D1, d2, 1;",
            "st.b64 [D1], d2;",
        ];
        assert_eq!(renamed(&lines), short);
    }

    #[test]
    fn a_branch_ends_a_block() {
        let lines = ["setp.eq.b32 %p1, %r1, 0;", "@%p1 bra $L__BB0_1;", "@!%p1 bra $L__BB0_2;"];
        assert_eq!(renamed(&lines)[0], "setp.eq.b32 p1, r1, 0;");
        assert_eq!(renamed(&lines[..2]), ["setp.eq.b32 P1, r1, 0;", "@P1 bra $L__BB0_1;"]);
    }

    #[test]
    fn what_a_loop_carries_round_lives_longer_than_its_block() {
        let lines = ["$L__BB0_1:", "add.s32 %r2, %r1, 1;", "mov.b32 %r1, %r2;", "bra.uni $L__BB0_1;"];
        assert_eq!(renamed(&lines)[1..3], ["add.s32 R1, r1, 1;", "mov.b32 r1, R1;"]);
    }

    #[test]
    fn special_registers_and_unknown_kinds_keep_their_names() {
        let lines = [".reg .b128 %rq<2>;", ".reg .b64 %SPL;", "mov.b32 %r5, %tid.x;", "mov.b128 %rq1, %clock64;"];
        assert_eq!(renamed(&lines)[..2], lines[..2]);
        assert_eq!(renamed(&lines)[2..], ["mov.b32 R1, %tid.x;", "mov.b128 %rq1, %clock64;"]);
    }

    #[test]
    fn results_are_written_and_not_read() {
        assert!(is_result("ld.v2.b64 {%rd1, %rd2}, [%rd3+8];", "%rd2"));
        assert!(!is_result("ld.v2.b64 {%rd1, %rd2}, [%rd3+8];", "%rd3"));
        assert!(is_result("{ .reg .b32 tmp; mov.b64 {tmp, %r1}, %rd5; }", "%r1"));
        assert!(is_result("{ .reg .b32 a, b; mov.b64 {a, b}, %rd5; mov.b64 %rd6, {a, b}; }", "%rd6"));
        for line in ["add.s64 %rd1, %rd1, 1;", "@%p1 mov.b64 %rd1, 0;", "st.b64 [%rd1], 0;", "brx.idx %rd1, $L_brx_0;"]
        {
            assert!(!is_result(line, "%rd1"), "{line}");
        }
    }
}
