//! How a mechanism is read: where files are, and which rate functions Rust gives.

use std::collections::HashMap;
use std::fmt;
use std::path::{Path, PathBuf};

use crate::error::Error;
use crate::files::Files;
use crate::graph::Value;
use crate::mechanism::Mechanism;

type RateFunction = dyn for<'g> Fn(&[Value<'g>]) -> Value<'g> + Send + Sync;

/// Rate functions that Rust gives, by names in lower case, with the number of their arguments.
#[derive(Default)]
pub(crate) struct Functions(HashMap<String, (usize, Box<RateFunction>)>);

impl Functions {
    pub(crate) fn get(&self, name: &str) -> Option<&(usize, Box<RateFunction>)> {
        self.0.get(name)
    }
}

impl fmt::Debug for Functions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.0.keys()).finish()
    }
}

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

    /// A rate function of so many arguments. It goes before those of the mechanism and KPP's. The name's case does not
    /// count.
    #[must_use]
    pub fn function(
        mut self,
        name: &str,
        arguments: usize,
        function: impl for<'g> Fn(&[Value<'g>]) -> Value<'g> + Send + Sync + 'static,
    ) -> Self {
        self.functions.0.insert(name.to_lowercase(), (arguments, Box::new(function)));
        self
    }

    /// `SUN` is KPP's function of the time of day, not an input.
    #[must_use]
    pub fn sun_from_time(mut self) -> Self {
        self.sun_from_time = true;
        self
    }

    /// Reads a file of any kind (`.kpp`, `.def`, `.eqn`, `.spc`) and what it includes.
    ///
    /// # Errors
    /// The first thing that is wrong, with its place.
    pub fn read_file(&self, path: impl AsRef<Path>) -> Result<Mechanism, Error> {
        let mut files = Files::new(&self.folders, true);
        match files.file(path.as_ref(), None) {
            Ok(()) => Mechanism::build(files.sources, files.found, &self.functions, self.sun_from_time),
            Err(fault) => Err(fault.error(&files.sources)),
        }
    }

    /// Reads a text. It may include files of the reader's folders only, and KPP's list of atoms.
    ///
    /// # Errors
    /// As [`Reader::read_file`].
    pub fn read_text(&self, name: &str, text: &str) -> Result<Mechanism, Error> {
        let mut files = Files::new(&self.folders, !self.folders.is_empty());
        match files.text(Path::new(name), text.to_owned()) {
            Ok(()) => Mechanism::build(files.sources, files.found, &self.functions, self.sun_from_time),
            Err(fault) => Err(fault.error(&files.sources)),
        }
    }
}
