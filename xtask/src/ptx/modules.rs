//! Which entries make a module, and whose it is: those of one file of `gpu-kernels`, and of the crate that its line
//! `//! PTX of isobar-NAME.` says.

use std::fs;

const SOURCES: &str = "gpu-kernels/src";
/// The files without entries.
const OTHERS: [&str; 3] = ["lib", "device", "entry"];

/// How the line begins that says which crate has the PTX.
const OWNER: &str = "//! PTX of ";

/// A module of PTX.
#[derive(Debug, PartialEq)]
pub(super) struct Module {
    pub(super) name: String,
    /// The crate that has it, as in `isobar-ysu`.
    crate_name: String,
    pub(super) entries: Vec<String>,
}

/// The modules, by name.
pub(super) fn of_sources() -> Result<Vec<Module>, String> {
    let fail = |e| format!("{SOURCES}: {e}");
    let mut modules = Vec::new();
    for file in fs::read_dir(crate::root().join(SOURCES)).map_err(fail)? {
        let path = file.map_err(fail)?.path();
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if !OTHERS.contains(&name.as_str()) {
            let text = fs::read_to_string(&path).map_err(fail)?;
            let crate_name = owner(&text).ok_or_else(|| format!("{name}.rs of {SOURCES}: no line `{OWNER}CRATE.`"))?;
            modules.push(Module { name, crate_name: crate_name.to_owned(), entries: entries(&text) });
        }
    }
    modules.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(modules)
}

impl Module {
    /// Where its PTX is committed, from the repository's root.
    pub(super) fn folder(&self) -> String {
        format!("crates/{}/ptx", self.crate_name)
    }
}

/// The crate in `//! PTX of CRATE.`.
fn owner(source: &str) -> Option<&str> {
    source.lines().find_map(|line| line.strip_prefix(OWNER)?.strip_suffix('.'))
}

/// The names in `entry!(name: Kernel);`.
fn entries(source: &str) -> Vec<String> {
    let calls = source.lines().filter_map(|line| line.strip_prefix("entry!(")?.split_once(':'));
    calls.map(|(name, _)| name.to_owned()).collect()
}

/// Fails where the compiler wrote an entry that no module has.
pub(super) fn none_left_out(modules: &[Module], assembly: &str) -> Result<(), String> {
    let written = assembly.lines().filter_map(|line| line.strip_prefix(".visible .entry ")?.split('(').next());
    for entry in written {
        if !modules.iter().any(|module| module.entries.iter().any(|name| name == entry)) {
            return Err(format!("no line of {SOURCES} begins with `entry!({entry}:`"));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{Module, entries, none_left_out, owner};

    #[test]
    fn entries_are_found_by_their_lines() {
        let text = "use crate::entry;\n\nentry!(a_f32: A<'_, f32>);\nentry!(a_f64: A<'_, f64>);\n";
        assert_eq!(entries(text), ["a_f32", "a_f64"]);
    }

    #[test]
    fn a_module_says_whose_it_is() {
        assert_eq!(owner("//! Kernels of a.\n//!\n//! PTX of isobar-a.\n"), Some("isobar-a"));
        assert_eq!(owner("//! Kernels of a.\n"), None);
    }

    #[test]
    fn an_entry_without_a_module_is_an_error() {
        let (name, crate_name) = ("a".to_owned(), "isobar-a".to_owned());
        let modules = [Module { name, crate_name, entries: vec!["a_f32".to_owned()] }];
        assert_eq!(modules[0].folder(), "crates/isobar-a/ptx");
        assert!(none_left_out(&modules, ".visible .entry a_f32(\n").is_ok());
        assert!(none_left_out(&modules, ".visible .entry b_f32(\n").unwrap_err().contains("b_f32"));
    }
}
