//! A mechanism as commands are given it.

use std::path::{Path, PathBuf};

use clap::Args;
use isobar_io::chemistry::{gives_inputs, gives_rate_constants};
use isobar_kpp::{Mechanism, Reader};

use crate::program::failure::Failure;

/// How a mechanism is read.
#[derive(Args, Debug)]
pub(crate) struct Reading {
    /// Look for included files in this folder, too
    #[arg(long, value_name = "FOLDER")]
    include: Vec<PathBuf>,
    /// SUN is KPP's function of the time of day, not an input
    #[arg(long)]
    sun_from_time: bool,
}

impl Reading {
    /// Is sunlight a function of the time?
    pub(crate) fn has_sun(&self) -> bool {
        self.sun_from_time
    }

    /// Reads the mechanism; calls in rates that cannot be read are inputs.
    pub(crate) fn read_open(&self, path: &Path) -> Result<Mechanism, Failure> {
        match self.reader()?.read_file(path) {
            Ok(mechanism) => Ok(mechanism),
            // What is wrong besides is said as ever.
            Err(error) => Ok(self.reader()?.open_laws().read_file(path).map_err(|_| error)?),
        }
    }

    /// Reads the mechanism; rate constants of `cells`, if they have them, make up for rates that cannot be read, and so
    /// do inputs for calls in them. Without cells that is left to who reads inputs.
    pub(crate) fn read_for(&self, path: &Path, cells: Option<&Path>) -> Result<Mechanism, Failure> {
        let Some(cells) = cells else { return self.read_open(path) };
        let error = match self.reader()?.read_file(path) {
            Ok(mechanism) => return Ok(mechanism),
            Err(error) => error,
        };
        if gives_rate_constants(cells) {
            return Ok(self.reader()?.rates_given().read_file(path)?);
        }
        let Ok(mechanism) = self.reader()?.open_laws().read_file(path) else { return Err(error.into()) };
        let open: Vec<&str> = mechanism.open_laws().iter().map(|law| law.input.as_str()).collect();
        if gives_inputs(cells, &open) { Ok(mechanism) } else { Err(error.into()) }
    }

    fn reader(&self) -> Result<Reader, Failure> {
        if let Some(folder) = self.include.iter().find(|folder| !folder.is_dir()) {
            return Err(Failure::usage(format!("--include: there is no folder {}", folder.display())));
        }
        let reader = self.include.iter().fold(Reader::new(), |reader, folder| reader.folder(folder));
        Ok(if self.sun_from_time { reader.sun_from_time() } else { reader })
    }
}
