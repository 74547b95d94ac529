//! How a mechanism is read: where files are, and which rate functions Rust gives.

use std::path::{Path, PathBuf};

use crate::error::Error;
use crate::files::Files;
use crate::functions::Functions;
use crate::graph::Value;
use crate::mechanism::{Choices, Mechanism};

/// Reads mechanisms.
///
/// ```
/// let text = "#DEFVAR A = IGNORE; B = IGNORE; #EQUATIONS <R1> A = B : mine(TEMP);";
/// let reader = isobar_kpp::Reader::new().function("mine", 1, |x| 1e-3 * (-500.0 / x[0]).exp());
/// let mechanism = reader.read_text("two.eqn", text)?;
/// assert_eq!(mechanism.inputs()[0].name, "TEMP");
/// # Ok::<(), isobar_kpp::Error>(())
/// ```
#[derive(Debug, Default)]
pub struct Reader {
    folders: Vec<PathBuf>,
    functions: Functions,
    sun_from_time: bool,
    rates_given: bool,
    open_laws: bool,
}

impl Reader {
    /// A reader that looks for included files beside the file that includes them.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Looks for included files here, too: KPP's folder `models`, for instance.
    #[must_use]
    pub fn folder(mut self, folder: impl Into<PathBuf>) -> Self {
        self.folders.push(folder.into());
        self
    }

    /// Adds a rate function with its number of arguments. It takes precedence over those of the mechanism and KPP's.
    /// The case of its name does not matter.
    #[must_use]
    pub fn function(
        mut self,
        name: &str,
        arguments: usize,
        function: impl for<'g> Fn(&[Value<'g>]) -> Value<'g> + Send + Sync + 'static,
    ) -> Self {
        self.functions.insert(name, arguments, function);
        self
    }

    /// `SUN` is KPP's function of the time of day, not an input.
    #[must_use]
    pub fn sun_from_time(mut self) -> Self {
        self.sun_from_time = true;
        self
    }

    /// Rate constants are going to be given with the cells: rates that cannot be read are no error, but a note, and
    /// the rate program has NaN for them.
    #[must_use]
    pub fn rates_given(mut self) -> Self {
        self.rates_given = true;
        self
    }

    /// Calls in rates of functions that are not known, or that are beyond what can be read, are no error but inputs,
    /// whose names are the calls without blanks: [`Mechanism::open_laws`].
    #[must_use]
    pub fn open_laws(mut self) -> Self {
        self.open_laws = true;
        self
    }

    /// Reads a file of any kind (`.kpp`, `.def`, `.eqn`, `.spc`; `.fac` of MCM, `.json` and `.yaml` of MUSICA,
    /// `.ini` and `.bat` of MECCA) and what it includes: other files of these kinds, and files of Fortran whose modules
    /// inlined code USEs.
    ///
    /// # Errors
    /// The first thing that is wrong, with its place.
    pub fn read_file(&self, path: impl AsRef<Path>) -> Result<Mechanism, Error> {
        let mut files = Files::new(&self.folders, true, self.rates_given);
        match files.file(path.as_ref(), None) {
            Ok(()) => Mechanism::build(files.sources, files.found, self.choices()),
            Err(fault) => Err(fault.error(&files.sources)),
        }
    }

    fn choices(&self) -> Choices<'_> {
        Choices {
            own: &self.functions,
            sun_from_time: self.sun_from_time,
            rates_given: self.rates_given,
            open_laws: self.open_laws,
        }
    }

    /// Reads a text. It may include files of the reader's folders only, and KPP's list of atoms.
    ///
    /// # Errors
    /// As [`Reader::read_file`].
    pub fn read_text(&self, name: &str, text: &str) -> Result<Mechanism, Error> {
        let mut files = Files::new(&self.folders, !self.folders.is_empty(), self.rates_given);
        match files.text(Path::new(name), text.to_owned()) {
            Ok(()) => Mechanism::build(files.sources, files.found, self.choices()),
            Err(fault) => Err(fault.error(&files.sources)),
        }
    }
}

impl Mechanism {
    /// Reads a file: [`Reader::read_file`] of a plain [`Reader`].
    ///
    /// # Errors
    /// The first thing that is wrong, with its place.
    pub fn from_file(path: impl AsRef<Path>) -> Result<Self, Error> {
        Reader::new().read_file(path)
    }
}
