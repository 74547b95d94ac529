//! Makes the compiler's PTX a function of the source alone.
//!
//! Mangled names carry a hash of the checkout's path, and the order of functions and constants follows the names. So
//! everything that is not an entry is renamed and put into the order in which the entries, sorted by name, need it: a
//! function after what it calls. Registers are numbered as they appear (`registers.rs`). Comments go, and what else the
//! assembler does not read: a third of the text.

use std::collections::{BTreeMap, HashMap};

use super::directives;
use super::numbers::shorten;
use super::registers::Registers;

/// A kernel's parameters are at most this many bytes, for every GPU and driver.
const PARAMETER_BYTES: usize = 4096;

/// One entry, function or constant.
#[derive(Debug)]
struct Item<'a> {
    name: &'a str,
    entry: bool,
    lines: Vec<&'a str>,
}

/// The normalised text of the module that has these entries.
pub(super) fn normalise(assembly: &str, entries: &[&str]) -> Result<String, String> {
    let (preamble, items) = parse(assembly)?;
    let missing = entries.iter().find(|name| !items.iter().any(|item| item.entry && item.name == **name));
    if let Some(name) = missing {
        return Err(format!("gpu-kernels has no entry {name}"));
    }
    let ordered = order(&items, entries)?;
    let names = rename(&ordered);
    let mut text = String::new();
    for line in preamble {
        text += line;
        text.push('\n');
    }
    for item in ordered {
        text.push('\n');
        let registers = Registers::of(&item.lines);
        for line in &item.lines {
            if item.entry && *line == "{" {
                for directive in directives::of(item.name) {
                    text += directive;
                    text.push('\n');
                }
            }
            if item.entry {
                check_parameters(line)?;
            }
            let line = registers.rename(line);
            if !line.is_empty() {
                replace_names(&shorten(&without_blanks(&line)), &names, &mut text);
                text.push('\n');
            }
        }
    }
    Ok(text)
}

/// Splits the text into the first directives and the items.
fn parse(assembly: &str) -> Result<(Vec<&str>, Vec<Item<'_>>), String> {
    let mut preamble = Vec::new();
    let mut items = Vec::new();
    let mut lines = assembly.lines().map(without_comment).filter(|line| !line.is_empty());
    while let Some(first) = lines.next() {
        if [".version", ".target", ".address_size"].iter().any(|word| first.starts_with(word)) {
            preamble.push(first);
            continue;
        }
        let mut item = vec![first];
        let mut last = first;
        // A constant ends with `;`, so does a declaration; a function with a `}` in the first column.
        while !(last == "}" || last.ends_with(';') && !item.contains(&"{")) {
            last = lines.next().ok_or_else(|| format!("the PTX ends inside of '{first}'"))?;
            item.push(last);
        }
        if first.split_whitespace().any(|word| word == ".extern") {
            return Err(format!("the kernels need something that no GPU has: {first}"));
        }
        let function = [".func", ".entry"].iter().any(|kind| first.split_whitespace().any(|word| word == *kind));
        if function && last != "}" {
            // A declaration: not needed in the order that we choose.
            continue;
        }
        let name = if function { function_name(&item) } else { constant_name(first) };
        let name = name.ok_or_else(|| format!("this is no PTX that I know: {first}"))?;
        items.push(Item { name, entry: first.contains(".entry"), lines: item });
    }
    Ok((preamble, items))
}

fn without_comment(line: &str) -> &str {
    line.split("//").next().unwrap_or_default().trim_end()
}

/// `.visible .entry NAME(`, or `.func  (.param .b32 func_retval0) NAME(`.
fn function_name<'a>(lines: &[&'a str]) -> Option<&'a str> {
    let head = lines.first()?;
    let head = match head.find(") ") {
        Some(returned) => &head[returned + 2..],
        None => head,
    };
    head.split('(').next()?.split_whitespace().last()
}

/// `.global .align 4 .b8 NAME[2760] = {...};`
fn constant_name(line: &str) -> Option<&str> {
    let declaration = line.split('=').next()?.trim_end_matches([';', ' ']);
    declaration.split_whitespace().last()?.split('[').next()
}

/// The items that the entries need, in the order in which they need them.
fn order<'i, 'a>(items: &'i [Item<'a>], entries: &[&str]) -> Result<Vec<&'i Item<'a>>, String> {
    let by_name: HashMap<&str, &Item> = items.iter().map(|item| (item.name, item)).collect();
    let entries: BTreeMap<&str, &Item> =
        items.iter().filter(|item| item.entry && entries.contains(&item.name)).map(|item| (item.name, item)).collect();
    let mut search = Search { by_name, states: HashMap::new(), ordered: Vec::new() };
    for entry in entries.into_values() {
        search.visit(entry)?;
    }
    Ok(search.ordered)
}

struct Search<'i, 'a> {
    by_name: HashMap<&'a str, &'i Item<'a>>,
    /// Is the item in the list (true), or on the way there (false)?
    states: HashMap<&'a str, bool>,
    ordered: Vec<&'i Item<'a>>,
}

impl<'i, 'a> Search<'i, 'a> {
    fn visit(&mut self, item: &'i Item<'a>) -> Result<(), String> {
        match self.states.get(item.name) {
            Some(true) => return Ok(()),
            Some(false) => {
                return Err(format!("{} calls itself, and a GPU core does not recurse", item.name));
            }
            None => self.states.insert(item.name, false),
        };
        for word in item.lines.iter().flat_map(|line| words(line)) {
            match self.by_name.get(word) {
                Some(needed) if word != item.name => self.visit(needed)?,
                _ => {}
            }
        }
        self.states.insert(item.name, true);
        self.ordered.push(item);
        Ok(())
    }
}

/// New names in the order of the items; entries keep theirs.
fn rename<'a>(ordered: &[&Item<'a>]) -> HashMap<&'a str, String> {
    let hidden = ordered.iter().filter(|item| !item.entry);
    hidden.enumerate().map(|(number, item)| (item.name, format!("internal_{number}"))).collect()
}

/// The identifiers of a line.
fn words(line: &str) -> impl Iterator<Item = &str> {
    line.split(|c: char| !is_name(c)).filter(|word| !word.is_empty())
}

fn is_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || c == '$'
}

/// The line without the blanks that part nothing. A jump without a condition is uniform whether it says so or not.
fn without_blanks(line: &str) -> String {
    let line = line.split_whitespace().collect::<Vec<_>>().join(" ");
    [("bra.uni ", "bra "), (", ", ","), ("; ", ";"), ("{ ", "{"), (" }", "}")]
        .iter()
        .fold(line, |line, (long, short)| line.replace(long, short))
}

/// Appends the line, with new names.
fn replace_names(line: &str, names: &HashMap<&str, String>, text: &mut String) {
    let mut rest = line;
    while let Some(start) = rest.find(is_name) {
        text.push_str(&rest[..start]);
        rest = &rest[start..];
        let end = rest.find(|c| !is_name(c)).unwrap_or(rest.len());
        text.push_str(&new_name(&rest[..end], names));
        rest = &rest[end..];
    }
    text.push_str(rest);
}

/// The new name of a symbol, of a parameter (`NAME_param_0`), of a label or of a stack frame, which are numbered by
/// function.
fn new_name(word: &str, names: &HashMap<&str, String>) -> String {
    if let Some(name) = names.get(word) {
        return name.clone();
    }
    let is_number = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
    if let Some((_, number)) = word.rsplit_once("_param_")
        && is_number(number)
    {
        return format!("a{number}");
    }
    if let Some((_, block)) = word.strip_prefix("$L__BB").and_then(|label| label.split_once('_')) {
        return format!("${block}");
    }
    if word.strip_prefix("__local_depot").is_some_and(is_number) {
        return "__local_depot".to_owned();
    }
    word.to_owned()
}

/// `.param .align 8 .b8 NAME_param_0[80],` is not too large.
fn check_parameters(line: &str) -> Result<(), String> {
    let size = line.trim_start().strip_prefix(".param").and_then(|p| p.split_once('['));
    let size = size.and_then(|(_, rest)| rest.split(']').next()?.parse::<usize>().ok());
    match size {
        // Beside the kernel there is the address of the statuses.
        Some(bytes) if bytes + 8 > PARAMETER_BYTES => {
            Err(format!("a kernel has more than {PARAMETER_BYTES} bytes of parameters: {}", line.trim()))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::{normalise, without_blanks};

    /// Two compilations of one source, with other hashes and so another order.
    const FIRST: &str = "\
//
// Generated by LLVM
.version 7.0
.target sm_80
.address_size 64

\t// .globl\tb_f64
.func  (.param .b32 func_retval0) _RNaaa_helper
(
\t.param .b32 _RNaaa_helper_param_0
)
;
.global .align 4 .b8 anon_$_1[4] = {1, 2, 3, 4};
.global .align 4 .b8 anon_$_2[4] = {5, 6, 7, 8};
.visible .entry b_f64(
\t.param .align 8 .b8 b_f64_param_0[16]
)
{
\t.local .align 8 .b8 \t__local_depot0[32];
\tmov.b64 \t%rd1, anon_$_2;
$L__BB0_1:
\tcall.uni (retval0), _RNaaa_helper, (param0);
\tbra.uni \t$L__BB0_1;
}
.visible .entry a_f64()
{
\tmov.b64 \t%rd1, anon_$_1;
\tret;
}
.func  (.param .b32 func_retval0) _RNaaa_helper(
\t.param .b32 _RNaaa_helper_param_0
)
{
\t.reg .b32 \t%r<2>;
\tld.param.b32 \t%r1, [_RNaaa_helper_param_0];
$L__BB2_1:\t// a loop
\tret;
}
";

    const BOTH: [&str; 2] = ["a_f64", "b_f64"];

    #[test]
    fn a_module_has_what_its_entries_need() {
        let text = normalise(FIRST, &["a_f64"]).unwrap();
        assert!(text.contains(".entry a_f64") && !text.contains("b_f64") && !text.contains(".func"), "{text}");
        assert!(normalise(FIRST, &["c_f64"]).unwrap_err().contains("c_f64"));
    }

    #[test]
    fn hashes_and_their_order_leave_no_trace() {
        let helper = FIRST.rfind(".func").unwrap();
        let entries = FIRST.find(".visible").unwrap();
        let renamed = format!("{}{}{}", &FIRST[..entries], &FIRST[helper..], &FIRST[entries..helper]);
        let renamed = renamed.replace("_RNaaa", "_RNzzz").replace("anon_$_2", "anon_$_0");
        let renamed = renamed.replace("BB2_", "BB0_").replace("depot0", "depot1");
        assert_eq!(normalise(FIRST, &BOTH).unwrap(), normalise(&renamed, &BOTH).unwrap());
    }

    #[test]
    fn what_is_called_comes_first_and_entries_keep_their_names() {
        let text = normalise(FIRST, &BOTH).unwrap();
        assert!(text.starts_with(".version 7.0\n.target sm_80\n"), "{text}");
        let place = |word: &str| text.find(word).unwrap_or_else(|| panic!("no {word} in {text}"));
        assert!(place("anon_$_1".replace("anon_$_1", "internal_0[4]").as_str()) < place(".entry a_f64"));
        assert!(place("ld.param.b32 R1,[a0];") < place(".entry b_f64"));
        assert!(text.contains(".maxntid 128, 1, 1\n{"), "{text}");
        assert!(!text.contains("//") && !text.contains("anon"), "{text}");
    }

    #[test]
    fn blanks_that_part_nothing_go() {
        assert_eq!(without_blanks("\tmov.b32 \tr1, a;"), "mov.b32 r1,a;");
        assert_eq!(without_blanks("\tbra.uni \t$L_1;"), "bra $L_1;");
        assert_eq!(without_blanks("{ .reg .b32 x; mov.b64 {x, r1}, d1; }"), "{.reg .b32 x;mov.b64 {x,r1},d1;}");
    }

    #[test]
    fn an_unresolved_function_is_an_error() {
        let text = ".version 7.0\n.extern .func memcpy(\n)\n;\n";
        assert!(normalise(text, &[]).unwrap_err().contains("memcpy"));
    }

    #[test]
    fn too_many_parameters_are_an_error() {
        let text = ".visible .entry a(\n\t.param .align 8 .b8 a_param_0[5000]\n)\n{\n\tret;\n}\n";
        assert!(normalise(text, &["a"]).unwrap_err().contains("4096"));
    }
}
