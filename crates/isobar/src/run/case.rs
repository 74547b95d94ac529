//! A case: opened, perhaps changed, and prepared for a run.

use std::path::Path;
use std::sync::Arc;

use toml::Spanned;

use super::description::Description;
use super::error::Error;
use super::reader::CaseFile;
use super::setup::Setup;

/// A case file, TOML, with what was changed in it.
pub struct Case {
    pub(super) file: CaseFile,
    description: Description,
    setup: Option<Arc<Setup>>,
}

impl Case {
    /// Reads a case file; the files that it names are read when it is prepared.
    ///
    /// # Errors
    /// [`Error::Read`] if there is no such file, [`Error::Case`] with its line for a key that is unknown, missing or
    /// out of range.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, Error> {
        let (file, description) = CaseFile::read(path.as_ref())?;
        Ok(Self { file, description, setup: None })
    }

    /// Sets the hours of the run.
    pub fn set_hours(&mut self, hours: f64) {
        self.description.hours = hours;
        self.changed("hours", hours);
    }

    /// Sets the length of a step \[s\].
    pub fn set_step_s(&mut self, step_s: f64) {
        self.description.step_s = step_s;
        self.changed("step_s", step_s);
    }

    /// Sets the number of columns; those of a NetCDF file have their own.
    pub fn set_columns(&mut self, columns: usize) {
        self.description.columns = Some(Spanned::new(0..0, columns));
        self.changed("columns", columns);
    }

    /// Sets the minutes between results, a multiple of the step.
    pub fn set_output_minutes(&mut self, minutes: f64) {
        self.description.output.minutes = Spanned::new(0..0, minutes);
        self.changed("minutes", minutes);
    }

    /// Sets the hours since the start at which the satellite looks, which have to be times of the output; without any
    /// there is no satellite.
    pub fn set_satellite_hours(&mut self, hours: &[f64]) {
        match &mut self.description.satellite {
            Some(satellite) if !hours.is_empty() => satellite.hours = Spanned::new(0..0, hours.to_vec()),
            _ => self.description.satellite = None,
        }
        self.changed("satellite_hours", format!("{hours:?}"));
    }

    /// Output and restart files say what was changed; a changed case has to be prepared again.
    fn changed(&mut self, key: &'static str, value: impl ToString) {
        self.file.changes.insert(key, value.to_string());
        self.setup = None;
    }

    /// Reads the files that the case names and checks its numbers, unless that was done. Tells `warn` what the
    /// satellite's files leave out.
    ///
    /// # Errors
    /// [`Error::Case`] with the line of what is out of range or does not fit together, and the errors of files.
    pub fn prepare(&mut self, warn: &mut dyn FnMut(String)) -> Result<Arc<Setup>, Error> {
        if let Some(setup) = &self.setup {
            return Ok(setup.clone());
        }
        let setup = Arc::new(Setup::new(&self.file, &self.description, warn)?);
        self.setup = Some(setup.clone());
        Ok(setup)
    }
}
