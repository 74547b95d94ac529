//! MECCA's settings (`.ini`, `.bat` of CAABA) as a mechanism: equations are selected by their labels, replaced by those
//! of a replacement file, and repeated for each aerosol phase, as its script xmecca does.
//!
//! Format: MECCA's manual, and Sander and others (2019, doi:10.5194/gmd-12-1365-2019). Paths are those of its folder
//! `mecca`: the settings' own, or one above.

mod clean;
mod replace;
mod settings;
mod wanted;

use std::path::{Path, PathBuf};

use crate::error::Fault;
use crate::files::{Files, Instead};
use crate::limits::MOST_BYTES;
use crate::source::Span;
use clean::{Elements, phase, wanted_lines};
use replace::Lines;
use settings::Settings;

/// How many folders above the settings' MECCA's may be.
const MOST_ABOVE: usize = 4;
/// What MECCA holds unless settings say otherwise.
const FIXED: [&str; 3] = ["CO2", "O2", "N2"];
/// What comes before the species where `messy_mecca_kpp.kpp` is not there.
const HEAD: &str = "#INCLUDE atoms\nMin; Pls;\n#INCLUDE mecca.spc\n#INCLUDE mecca.eqn\n";

impl Files<'_> {
    /// Reads settings, and the mechanism that they choose.
    pub(crate) fn settings_of_mecca(&mut self, number: usize, name: &Path) -> Result<(), Fault> {
        let (settings, notes) = Settings::read(self.sources.text(number), number)?;
        self.found.notes.extend(notes);
        let folder = self.folder_of_mecca(number, name, &settings.equations.0)?;
        let (equations_path, equations) = self.of_mecca(&folder, &settings.equations)?;
        let (species_path, species) = self.of_mecca(&folder, &settings.species)?;
        let mut species = vec![(species_path, species)];
        let mut lines = vec![(equations_path, Lines::new(&equations))];
        if settings.phases > 0 {
            let at = settings.equations.1;
            let (path, aqueous) = self.of_mecca(&folder, &("aqueous.spc".to_owned(), at))?;
            let (equations_path, equations) = self.of_mecca(&folder, &("aqueous.eqn".to_owned(), at))?;
            if (aqueous.len() + equations.len()).saturating_mul(settings.phases) > MOST_BYTES {
                return Err(Fault::at(at, "the equations of all phases are too large"));
            }
            for number in 1..=settings.phases {
                let fixed = format!("\n#SETFIX H2O_a{number:02};\n#DEFVAR\n");
                species.push((path.clone(), phase(&aqueous, number) + &fixed));
                lines.push((equations_path.clone(), Lines::new(&phase(&equations, number))));
            }
        }
        let mut own = vec![];
        if let Some(file) = &settings.replacements {
            self.replacements(&folder, file, &mut lines, &mut own)?;
        }
        let lines = lines.into_iter().map(|(path, lines)| (path, lines.lines.concat()));
        let elements = Elements::of(species.iter().map(|(_, text)| text.as_str()));
        let usual = FIXED.into_iter().filter(|name| elements.has(name)).collect::<Vec<_>>().join("; ");
        let fixed = settings.fixed.unwrap_or(usual);
        let fixed = if fixed.is_empty() { fixed } else { format!("#SETFIX {fixed};\n") };
        let own_name = PathBuf::from(format!("{}, in KPP's language", name.display()));
        let mut texts = vec![(own_name, fixed + &of_phases(settings.phases))];
        // Older versions have labels of elements in their equations.
        let is_new = name.extension().is_some_and(|end| end.eq_ignore_ascii_case("ini"));
        let wanted = |text: &str| wanted_lines(text, &settings.wanted, Some(&elements).filter(|_| is_new));
        texts.extend(lines.chain(own).map(|(path, text)| (path, wanted(&text))));
        // The last one names KPP's integrator.
        let instead = [("mecca.spc", species), ("mecca.eqn", texts), ("integr.kpp", vec![])];
        self.instead = instead.map(|(name, texts)| Instead { name, texts }).into();
        let head = folder.join("messy_mecca_kpp.kpp");
        if head.is_file() {
            self.file(&head, None)
        } else {
            self.text(&folder.join("messy_mecca_kpp.kpp"), HEAD.to_owned())
        }
    }

    /// MECCA's folder has the equations.
    fn folder_of_mecca(&self, number: usize, name: &Path, equations: &str) -> Result<PathBuf, Fault> {
        let own = name.parent().map_or_else(PathBuf::new, Path::to_owned);
        let mut above = vec![own];
        for _ in 0..MOST_ABOVE {
            let last = above.last().map_or_else(PathBuf::new, |last| last.join(".."));
            above.push(last);
        }
        let mut all = above.into_iter().chain(self.folders.iter().cloned());
        let found = all.find(|folder| self.allowed && folder.join(equations).is_file());
        found.ok_or_else(|| {
            let span = Span { text: number, start: 0, end: 1 };
            Fault::at(span, format!("there is no file {equations} in the folder of these settings, nor above it"))
                .help("name MECCA's folder (`isobar chem --include`, `Reader::folder`)")
        })
    }

    /// A file of MECCA's folder.
    fn of_mecca(&mut self, folder: &Path, (name, span): &(String, Span)) -> Result<(PathBuf, String), Fault> {
        let path = folder.join(name);
        if !(self.allowed && path.is_file()) {
            return Err(Fault::at(*span, format!("there is no file {}", path.display())));
        }
        let text = self.bytes(&path, Some(*span))?;
        if !self.sources.files.contains(&path) {
            self.sources.files.push(path.clone());
        }
        Ok((path, text))
    }

    /// Applies a replacement file, and those that it includes, which cannot include others.
    fn replacements(
        &mut self,
        folder: &Path,
        (name, span): &(String, Span),
        equations: &mut [(PathBuf, Lines)],
        own: &mut Vec<(PathBuf, String)>,
    ) -> Result<(), Fault> {
        let file = |name: &str| format!("{}.rpl", name.trim_end_matches(".rpl"));
        let (path, text) = self.of_mecca(folder, &(format!("rpl/{}", file(name)), *span))?;
        let number = self.add(&path, text.clone())?;
        let mut parts = vec![];
        let (mut start, mut from) = (0, 0);
        for line in text.split_inclusive('\n') {
            let span = Span { text: number, start, end: start + line.trim_end().len() };
            start += line.len();
            if let Some(name) = line.trim().strip_prefix("#include ") {
                parts.push((path.clone(), number, part(&text, from, span.start)));
                let included = (format!("rpl/include/{}", file(name.trim())), span);
                let (path, text) = self.of_mecca(folder, &included)?;
                parts.push((path.clone(), self.add(&path, text.clone())?, text));
                from = start;
            }
        }
        parts.push((path, number, part(&text, from, text.len())));
        let mut looked = 0;
        if parts.iter().map(|part| part.2.len()).sum::<usize>() > MOST_BYTES {
            return Err(Fault::at(*span, "this includes too many files"));
        }
        for (path, number, text) in parts {
            let mut all: Vec<Lines> =
                equations.iter_mut().map(|(_, lines)| std::mem::replace(lines, Lines { lines: vec![] })).collect();
            let mut before: Vec<Lines> = own.iter().map(|(_, text)| Lines::new(text)).collect();
            let count = all.len();
            all.append(&mut before);
            let new = replace::apply(&text, number, &mut all, (&mut self.found.notes, &mut looked))?;
            for ((_, text), lines) in own.iter_mut().zip(all.drain(count..)) {
                *text = lines.lines.concat();
            }
            for ((_, old), lines) in equations.iter_mut().zip(all) {
                *old = lines;
            }
            own.push((path, new));
        }
        Ok(())
    }
}

/// A part of a text, with blanks for what comes before it, so that all keeps its place.
fn part(text: &str, from: usize, to: usize) -> String {
    let mut part: String = text[..from].bytes().map(|byte| if byte == b'\n' { '\n' } else { ' ' }).collect();
    part += &text[from..to];
    part
}

/// The number of aerosol phases, which inlined code reads.
fn of_phases(count: usize) -> String {
    format!("#INLINE F90_GLOBAL\n  INTEGER, PARAMETER, PUBLIC :: APN = {count}\n#ENDINLINE\n")
}
