//! A configuration with the files that it names.

use std::path::{Path, PathBuf};

use super::{Part, Text, beside, is_yaml, parts, translated};
use crate::error::Fault;
use crate::files::Files;

impl Files<'_> {
    /// Reads a configuration of MUSICA, with the files that it names.
    pub(crate) fn configuration(&mut self, number: usize, name: &Path, yaml: bool) -> Result<(), Fault> {
        let folder = name.parent().map_or_else(PathBuf::new, Path::to_owned);
        let mut others = vec![];
        for (part, other, span) in parts(Text { text: self.sources.text(number), number, yaml })? {
            let Some(path) = self.beside(std::iter::once(other.clone()), &folder) else {
                return Err(Fault::at(span, format!("there is no file {other}")));
            };
            if part == Part::Whole {
                let notes = beside(Text { text: self.sources.text(number), number, yaml })?;
                self.found.notes.extend(notes);
                return self.file(&path, Some(span));
            }
            let text = self.bytes(&path, Some(span))?;
            self.sources.files.push(path.clone());
            let number = self.add(&path, text)?;
            others.push((part, number, is_yaml(&path) == Some(true)));
        }
        let text = |number, yaml| Text { text: self.sources.text(number), number, yaml };
        let others: Vec<_> = others.into_iter().map(|(part, number, yaml)| (part, text(number, yaml))).collect();
        let (text, notes) = translated(text(number, yaml), &others)?;
        self.found.notes.extend(notes);
        let translated = format!("{}, in KPP's language", name.display());
        self.text(Path::new(&translated), text)
    }
}
