//! Files that complete each other, read as one: levels in one and the surface in another, or a variable in each.

use std::path::{Path, PathBuf};

use netcdf_reader::{NcFile, NcVariable};

use super::part::Source;
use super::{Dataset, values};
use crate::error::{Error, Place};

impl Dataset {
    /// Opens files that complete each other. What several of them have, as coordinates, has to be the same in all.
    ///
    /// # Errors
    /// As [`Dataset::open`]; there is no file; a dimension has another size in another file, or a variable other
    /// values.
    pub fn open_all<P: AsRef<Path>>(paths: &[P]) -> Result<Self, Error> {
        let Some((first, others)) = paths.split_first() else {
            return Err(Error::invalid(Place::File(PathBuf::new()), "no file was given"));
        };
        let mut this = Self::open(first.as_ref())?;
        for path in others {
            this.complete_by(Self::open(path.as_ref())?)?;
        }
        Ok(this)
    }

    /// Takes what another file has besides.
    fn complete_by(&mut self, other: Self) -> Result<(), Error> {
        let Self { path, files, dimensions, variables, .. } = other;
        let refuse = |problem: String| Err(Error::invalid(Place::File(path.clone()), problem));
        for dimension in dimensions {
            match self.dimensions.iter().find(|known| known.name == dimension.name) {
                Some(known) if known.size != dimension.size => {
                    let (name, here, there) = (&dimension.name, dimension.size, known.size);
                    let problem = format!(
                        "dimension {name} = {here}, but {there} in {}: files that are read together have one grid",
                        self.path.display()
                    );
                    return refuse(problem);
                }
                Some(_) => {}
                None => self.dimensions.push(dimension),
            }
        }
        let number = self.files.all.len();
        for variable in variables {
            match self.variables.iter().find(|known| known.name == variable.name) {
                Some(known) if !self.is_same(known, files.first(), &variable) => {
                    let (name, there) = (&variable.name, self.files.path_of(&variable.name).display());
                    let problem = format!(
                        "{name} is not that of {there}: files that are read together complete each other; others are \
                         read one by one"
                    );
                    return refuse(problem);
                }
                Some(_) => {}
                None => {
                    self.files.owners.push((variable.name.clone(), number));
                    self.variables.push(variable);
                }
            }
        }
        self.files.all.extend(files.all);
        Ok(())
    }

    /// Whether a variable has the dimensions and values of one of another file.
    fn is_same(&self, known: &NcVariable, other: &NcFile, variable: &NcVariable) -> bool {
        let dimensions = |variable: &NcVariable| -> Vec<String> {
            variable.dimensions.iter().map(|dimension| dimension.name.clone()).collect()
        };
        let (file, other) = (self.files.of(&known.name), Source { file: other, part: None });
        let texts = |source: Source| source.file.read_variable_as_strings(&known.name).ok();
        let same = match (values::unpacked(file, known), values::unpacked(other, variable)) {
            (Some(here), Some(there)) => {
                here.len() == there.len() && here.iter().zip(&there).all(|(a, b)| a.to_bits() == b.to_bits())
            }
            (None, None) => texts(file) == texts(other),
            _ => false,
        };
        same && dimensions(known) == dimensions(variable)
    }
}
