//! Fortran beside a mechanism: modules that inlined code USEs, and files that it includes.

use std::path::{Path, PathBuf};

use crate::error::Fault;
use crate::files::Files;
use crate::fortran::is_fixed_form;
use crate::scan::{Inline, Module};
use crate::source::Span;

/// Ends of the names of modules that KPP writes itself, behind the mechanism's: what they define is known here.
const OF_KPP: [&str; 13] = [
    "_global",
    "_parameters",
    "_precision",
    "_function",
    "_initialize",
    "_integrator",
    "_jacobian",
    "_jacobiansp",
    "_linearalgebra",
    "_model",
    "_monitor",
    "_rates",
    "_util",
];
/// What KPP writes into the head of all of its files.
const BY_KPP: &str = "symbolic chemistry Kinetics PreProcessor";
/// Modules of Fortran itself.
const OF_FORTRAN: [&str; 5] = ["iso_c_binding", "iso_fortran_env", "ieee_arithmetic", "ieee_exceptions", "omp_lib"];
/// How files of Fortran end.
const ENDS: [&str; 4] = ["F90", "f90", "F", "f"];

/// The module of constants that MECCA uses, in lower case, and what rates read of it: CODATA's values of 2010, which it
/// has, too \[1/mol, J/(mol K), Pa\].
const MESSY: &str = "messy_main_constants_mem";
const CONSTANTS: &str = "REAL(dp), PARAMETER :: N_A = 6.02214129E23_dp, R_gas = 8.3144621_dp, atm2Pa = 101325.0_dp\n\
                         REAL(dp), PARAMETER :: pi = 3.14159265358979323846_dp\n";

/// What a line of Fortran wants of another file.
enum Wanted {
    Module(Span),
    Include(Span),
}

/// What the lines of a stretch want.
fn wanted(text: &str, span: Span) -> Vec<Wanted> {
    let mut all = vec![];
    let mut start = span.start;
    for line in text[span.start..span.end].split_inclusive('\n') {
        let words = line.trim_start();
        let at = start + (line.len() - words.len());
        let here = |offset: usize, length: usize| Span { start: at + offset, end: at + offset + length, ..span };
        let word = |length: usize, word: &str| words.get(..length).is_some_and(|w| w.eq_ignore_ascii_case(word));
        let name = |c: char| c.is_ascii_alphanumeric() || c == '_';
        if word(4, "use ") || word(4, "use,") || word(4, "use:") || word(4, "use\t") {
            // `USE, INTRINSIC :: name`
            let from = words.find("::").map_or(4, |colons| colons + 2);
            let from = from + (words[from..].len() - words[from..].trim_start().len());
            let length = words[from..].find(|c| !name(c)).unwrap_or(words[from..].len());
            if length > 0 && !words[..from].to_lowercase().contains("intrinsic") {
                all.push(Wanted::Module(here(from, length)));
            }
        } else if word(8, "#include") || word(7, "include") {
            let quote = words.find(['"', '\'']);
            let length = quote.and_then(|quote| words[quote + 1..].find(['"', '\'']));
            if let (Some(quote), Some(length)) = (quote, length) {
                all.push(Wanted::Include(here(quote + 1, length)));
            }
        }
        start += line.len();
    }
    all
}

/// Has KPP written a file?
fn is_by_kpp(text: &str) -> bool {
    text.lines().take(10).any(|line| line.contains(BY_KPP))
}

impl Files<'_> {
    /// Takes an inlined block with all files that it wants.
    pub(crate) fn inlined(&mut self, inline: Inline, folder: &Path) -> Result<(), Fault> {
        let kind = self.sources.slice(inline.kind).to_uppercase();
        if kind.starts_with("F90_") || kind.starts_with("F77_") {
            let mut codes = vec![inline.code];
            while let Some(code) = codes.pop() {
                for wanted in wanted(self.sources.text(code.text), code) {
                    match wanted {
                        Wanted::Module(name) => self.module(name, folder, &mut codes)?,
                        Wanted::Include(name) => {
                            // It stands in the block's place.
                            if let Some(code) = self.included(name, folder)? {
                                codes.push(code);
                                self.found.inlines.push(Inline { kind: inline.kind, code });
                            }
                        }
                    }
                }
            }
        }
        self.found.inlines.push(inline);
        Ok(())
    }

    fn module(&mut self, span: Span, folder: &Path, codes: &mut Vec<Span>) -> Result<(), Fault> {
        let name = self.sources.slice(span).to_owned();
        let lower = name.to_lowercase();
        let root = self.sources.name().and_then(Path::file_stem).map(|stem| stem.to_string_lossy().to_lowercase());
        let of_kpp = OF_KPP.iter().find_map(|end| lower.strip_suffix(end));
        let known = OF_FORTRAN.contains(&lower.as_str()) || (of_kpp.is_some() && of_kpp == root.as_deref());
        if known || !self.used.insert(lower.clone()) {
            return Ok(());
        }
        let names = [name.clone(), lower.clone(), name.to_uppercase()];
        let files = names.iter().flat_map(|name| ENDS.map(|end| format!("{name}.{end}")));
        match self.beside(files, folder) {
            // The mechanism may have had another name there.
            Some(path) if of_kpp.is_some() && is_by_kpp(&self.bytes(&path, Some(span))?) => {}
            Some(path) => {
                let code = self.fortran(&path, span)?;
                let ends_so = path.extension().is_some_and(|end| end.eq_ignore_ascii_case("f"));
                let fixed_form = ends_so && is_fixed_form(self.sources.text(code.text));
                self.found.modules.push(Module { code, fixed_form });
                codes.push(code);
            }
            None if lower == MESSY => {
                let (path, text) = (PathBuf::from("(constants of MESSy)"), CONSTANTS.to_owned());
                let end = text.len();
                let code = Span { text: self.add(&path, text)?, start: 0, end };
                self.found.modules.push(Module { code, fixed_form: false });
                let what =
                    format!("there is no file of the module `{name}` here: N_A, R_gas, atm2Pa and pi are built in");
                self.found.notes.push(Fault::at(span, what));
            }
            None => {
                let what = format!("there is no file of the module `{name}` here ({name}.f90): its names are inputs");
                self.found.notes.push(Fault::at(span, what));
            }
        }
        Ok(())
    }

    /// The functions that AtChem2 has in a file beside a mechanism, or in the folder `configuration` there.
    pub(crate) fn functions_of_atchem(&mut self, number: usize, name: &Path) -> Result<(), Fault> {
        const FILES: [&str; 2] = ["customRateFuncs.f90", "configuration/customRateFuncs.f90"];
        let folder = name.parent().map_or_else(PathBuf::new, Path::to_owned);
        if let Some(path) = self.beside(FILES.into_iter().map(str::to_owned), &folder) {
            let code = self.fortran(&path, Span { text: number, start: 0, end: 1 })?;
            self.found.modules.push(Module { code, fixed_form: false });
        }
        Ok(())
    }

    /// The text of an included file, if there is one.
    fn included(&mut self, span: Span, folder: &Path) -> Result<Option<Span>, Fault> {
        let name = self.sources.slice(span).to_owned();
        match self.beside(std::iter::once(name.clone()), folder) {
            Some(path) if !self.sources.files.contains(&path) => Ok(Some(self.fortran(&path, span)?)),
            Some(_) => Ok(None),
            None => {
                self.found.notes.push(Fault::at(span, format!("there is no file {name} here: its names are inputs")));
                Ok(None)
            }
        }
    }

    fn fortran(&mut self, path: &Path, from: Span) -> Result<Span, Fault> {
        let text = self.bytes(path, Some(from))?;
        self.sources.files.push(path.to_owned());
        let end = text.len();
        let text = self.add(path, text)?;
        Ok(Span { text, start: 0, end })
    }

    /// The first of files that is there, beside the mechanism or in the reader's folders.
    pub(crate) fn beside(&self, mut names: impl Iterator<Item = String>, folder: &Path) -> Option<PathBuf> {
        let folders = || std::iter::once(folder).chain(self.folders.iter().map(PathBuf::as_path));
        names.find_map(|name| folders().map(|folder| folder.join(&name)).find(|path| self.allowed && path.is_file()))
    }
}
