//! From files to declarations: commands, sections, included files.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use crate::declarations::{COMMANDS, Command, Declarations, Declared, Section};
use crate::error::Fault;
use crate::limits::{MOST_BYTES, MOST_FILES, MOST_NESTED_FILES};
use crate::source::{Sources, Span};
use crate::{elements, facsimile, item, micm, scan};

/// Texts that stand for an included file.
pub(crate) struct Instead {
    pub(crate) name: &'static str,
    pub(crate) texts: Vec<(PathBuf, String)>,
}

/// Reads the files of a mechanism.
pub(crate) struct Files<'a> {
    /// Where included files are looked for, after the folder of the file that includes them.
    pub(crate) folders: &'a [PathBuf],
    /// May files be read at all?
    pub(crate) allowed: bool,
    /// Are rates given elsewhere, so that those here may be unreadable?
    rates_given: bool,
    pub(crate) sources: Sources,
    pub(crate) found: Declarations,
    /// Texts that stand for included files.
    pub(crate) instead: Vec<Instead>,
    /// Modules that were looked for, in lower case.
    pub(crate) used: HashSet<String>,
    section: Option<Section>,
    bytes: usize,
    /// The files that are being read.
    open: Vec<PathBuf>,
}

impl<'a> Files<'a> {
    pub(crate) fn new(folders: &'a [PathBuf], allowed: bool, rates_given: bool) -> Self {
        Self {
            folders,
            allowed,
            rates_given,
            sources: Sources::default(),
            found: Declarations::default(),
            instead: vec![],
            used: HashSet::new(),
            section: None,
            bytes: 0,
            open: vec![],
        }
    }

    /// Reads a file and what it includes.
    pub(crate) fn file(&mut self, path: &Path, from: Option<Span>) -> Result<(), Fault> {
        let fault = |what: String| Fault { what, span: from, help: None };
        let text = self.bytes(path, from)?;
        let own = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        if self.open.contains(&own) {
            return Err(fault(format!("{} includes itself", path.display())));
        }
        if self.open.len() >= MOST_NESTED_FILES {
            return Err(fault(format!("files include each other more than {MOST_NESTED_FILES} deep")));
        }
        self.open.push(own);
        self.sources.files.push(path.to_owned());
        self.text(path, text)?;
        self.open.pop();
        Ok(())
    }

    /// The text of a file.
    pub(crate) fn bytes(&self, path: &Path, from: Option<Span>) -> Result<String, Fault> {
        let fault = |what: String| Fault { what, span: from, help: None };
        let bytes = isobar_core::text::read(path).map_err(|error| fault(format!("{}: {error}", path.display())))?;
        if bytes.contains(&0) {
            return Err(fault(format!("{}: it is no text, but binary", path.display())));
        }
        // Names of people in comments may be in Latin-1.
        Ok(match String::from_utf8(bytes) {
            Ok(text) => text,
            Err(error) => error.into_bytes().into_iter().map(char::from).collect(),
        })
    }

    /// Keeps a text, and gives its number.
    pub(crate) fn add(&mut self, name: &Path, text: String) -> Result<usize, Fault> {
        self.bytes += text.len();
        if self.sources.len() >= MOST_FILES || self.bytes > MOST_BYTES {
            return Err(Fault::nowhere(format!(
                "{}: more than {MOST_FILES} files, or {} MiB, are included: files that include each other have no end",
                name.display(),
                MOST_BYTES >> 20
            )));
        }
        Ok(self.sources.add(name, text))
    }

    /// Reads a text and what it includes.
    pub(crate) fn text(&mut self, name: &Path, text: String) -> Result<(), Fault> {
        let number = self.add(name, text)?;
        if is_settings_of_mecca(name) {
            return self.settings_of_mecca(number, name);
        }
        if let Some(yaml) = micm::is_yaml(name) {
            return self.configuration(number, name, yaml);
        }
        if facsimile::is_facsimile(name, self.sources.text(number)) {
            facsimile::read(self.sources.text(number), number, &mut self.found)?;
            return self.functions_of_atchem(number, name);
        }
        let clean = scan::clean(number, self.sources.text(number))?;
        let folder = name.parent().map_or_else(PathBuf::new, Path::to_owned);
        for inline in clean.inlines {
            self.inlined(inline, &folder)?;
        }
        self.items(number, &clean.text, &folder)
    }

    /// Walks through a text without comments.
    fn items(&mut self, number: usize, text: &str, folder: &Path) -> Result<(), Fault> {
        let mut start = 0;
        while start < text.len() {
            let end = text[start..].find(['#', ';']).map_or(text.len(), |place| start + place);
            let span = item::trimmed(text, Span { text: number, start, end });
            if text[end..].starts_with('#') || end == text.len() {
                let stray = |c: char| c.is_whitespace() || item::STRAY.contains(&c);
                let words = &text[span.start..span.end];
                if matches!(self.section, Some(Section::Set { .. })) && span.start < span.end {
                    if !words.chars().all(|c| c == '"') {
                        self.note(span, "`;` is missing behind this list".to_owned());
                        self.item(text, span)?;
                    }
                } else if self.section == Some(Section::Equations) && words.chars().all(stray) {
                    if span.start < span.end {
                        item::note_stray(&mut self.found.notes, span);
                    }
                } else if span.start < span.end {
                    let last = text[..span.end].char_indices().next_back().map_or(span.start, |(place, _)| place);
                    let what = if self.section.is_some() {
                        "`;` is missing behind this"
                    } else {
                        "a command, as in `#EQUATIONS`, is expected"
                    };
                    let at = if self.section.is_some() { Span { start: last, ..span } } else { first_word(text, span) };
                    return Err(Fault::at(at, what));
                }
                start = if end == text.len() { end } else { self.command(number, text, end, folder)? };
                continue;
            }
            if span.start < span.end {
                self.item(text, span)?;
            }
            start = end + 1;
        }
        Ok(())
    }

    /// A command from its `#` on; gives where it ends.
    fn command(&mut self, number: usize, text: &str, hash: usize, folder: &Path) -> Result<usize, Fault> {
        let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let blanks = text[hash + 1..].find(|c: char| !(c.is_whitespace() && c != '\n')).unwrap_or(0);
        let start = hash + 1 + blanks;
        let end = start + text[start..].find(|c| !word(c)).unwrap_or(text.len() - start);
        let span = Span { text: number, start: hash, end: end.max(hash + 1) };
        let name = &text[start..end];
        let Some((name, command)) = COMMANDS.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)) else {
            let what = if name.is_empty() {
                "a command is missing behind `#`".to_owned()
            } else {
                format!("unknown command `#{name}`")
            };
            return Err(Fault::at(span, what).nearest(name, COMMANDS.iter().map(|(known, _)| *known)));
        };
        // A parameter ends with the line, or where a section's items would.
        let line = end + text[end..].find(['\n', '#', ';']).unwrap_or(text.len() - end);
        let parameter = item::trimmed(text, Span { text: number, start: end, end: line });
        let value = &text[parameter.start..parameter.end];
        match *command {
            Command::Section(section) => {
                self.section = Some(section);
                return Ok(end);
            }
            Command::LookAtAll => self.found.look_at_all = true,
            Command::CheckAll => self.found.check_all = true,
            Command::Idle => self.note(span, format!("`#{name}` has no meaning here")),
            Command::Inline => return Ok(line),
            Command::EndInline => return Err(Fault::at(span, "this `#ENDINLINE` has no `#INLINE`")),
            Command::Include => {
                if value.is_empty() {
                    return Err(Fault::at(span, "the name of a file is missing behind this"));
                }
                let file = if *name == "MODEL" { format!("{value}.def") } else { value.to_owned() };
                self.include(&file, folder, parameter)?;
                return Ok(line);
            }
            Command::Setting { note } => {
                if value.is_empty() || value.contains(char::is_whitespace) {
                    return Err(Fault::at(span, format!("`#{name}` wants one word behind it")));
                }
                if note {
                    self.note(span, format!("`#{name} {value}` has no meaning here"));
                }
                self.found.settings.push(((*name).to_owned(), value.to_owned()));
                return Ok(line);
            }
        }
        Ok(end)
    }

    fn note(&mut self, span: Span, what: String) {
        self.found.notes.push(Fault::at(span, what));
    }

    fn include(&mut self, name: &str, folder: &Path, span: Span) -> Result<(), Fault> {
        if let Some(place) = self.instead.iter().position(|instead| instead.name == name) {
            for (path, text) in self.instead.remove(place).texts {
                self.text(&path, text)?;
            }
            return Ok(());
        }
        let folders = std::iter::once(folder).chain(self.folders.iter().map(PathBuf::as_path));
        let path = folders.map(|folder| folder.join(name)).find(|path| self.allowed && path.is_file());
        match path {
            Some(path) => self.file(&path, Some(span)),
            None if elements::is_list(name) => {
                let section = self.section;
                self.text(Path::new("(the elements)"), elements::list())?;
                // What follows is a part of the list, as in a file, unless another section has begun.
                self.section = section.or(Some(Section::Atoms));
                Ok(())
            }
            // MECCA's script writes it, and it names KPP's integrator.
            None if name.ends_with("integr.kpp") => {
                self.note(span, format!("there is no file {name}, and it has no meaning here"));
                Ok(())
            }
            None => Err(Fault::at(span, format!("there is no file {name}"))),
        }
    }

    fn item(&mut self, text: &str, span: Span) -> Result<(), Fault> {
        let Some(section) = self.section else {
            return Err(Fault::at(first_word(text, span), "a command, as in `#EQUATIONS`, is expected"));
        };
        let found = &mut self.found;
        match section {
            Section::Atoms => found.atoms.push(item::declaration(text, span).map(|(name, place, _)| (name, place))?),
            // MCM's exports begin their list with one.
            Section::Species { .. } if text[span.start..span.end].starts_with('=') => {
                found.notes.push(Fault::at(span, "a species without a name is read over"));
            }
            Section::Species { fixed } => {
                let (name, span, composition) = item::declaration(text, span)?;
                found.species.push(Declared { name, span, fixed, composition });
            }
            Section::Equations => {
                let equation = item::equation(text, span, &mut found.notes)?;
                if let Some(Err(fault)) = equation.as_ref().map(|equation| &equation.rate).filter(|_| !self.rates_given)
                {
                    return Err(fault.clone());
                }
                found.equations.extend(equation);
            }
            Section::Initial => found.initial.push(item::value(text, span)?),
            Section::LookAt => found.look_at.extend(item::names(text, span)?),
            Section::Monitor => found.monitor.extend(item::names(text, span)?),
            Section::Check => found.check.extend(item::names(text, span)?),
            // Quotes that MECCA's settings leave around the list.
            Section::Set { .. } if text[span.start..span.end].trim_matches('"').trim().is_empty() => {}
            Section::Set { fixed } => {
                let quoted = text[span.start..span.end].starts_with('"');
                let span = Span { start: span.start + usize::from(quoted), ..span };
                for (start, part) in parts(&text[span.start..span.end]) {
                    let part = Span { start: span.start + start, end: span.start + start + part.len(), ..span };
                    let names = item::names(text, part)?;
                    found.set.extend(names.into_iter().map(|(name, place)| (name, place, fixed)));
                }
            }
            Section::Lump => {
                // KPP has the sum in front of the colon.
                let colon = text[span.start..span.end].find(':').map(|place| span.start + place);
                let colon = colon.ok_or_else(|| Fault::at(span, "`:` is missing in this lump"))?;
                let sum = item::terms(text, Span { end: colon, ..span })?;
                let names = item::names(text, Span { start: colon + 1, ..span })?;
                let (name, place) = names.into_iter().next().ok_or_else(|| Fault::at(span, "this lump has no name"))?;
                found.notes.push(Fault::at(place, "species of a lump are integrated one by one"));
                found.lumps.push((name, place, sum));
            }
            Section::Families => found.families.push(item::family(text, span)?),
            Section::Transport => {}
        }
        Ok(())
    }
}

/// Has a file of this name settings of MECCA?
fn is_settings_of_mecca(name: &Path) -> bool {
    name.extension().is_some_and(|end| end.eq_ignore_ascii_case("ini") || end.eq_ignore_ascii_case("bat"))
}

/// What stands between commas, and where it starts.
fn parts(words: &str) -> impl Iterator<Item = (usize, &str)> {
    words.split(',').map(|part| (part.as_ptr() as usize - words.as_ptr() as usize, part))
}

fn first_word(text: &str, span: Span) -> Span {
    let words = &text[span.start..span.end];
    Span { end: span.start + words.find(char::is_whitespace).unwrap_or(words.len()), ..span }
}
