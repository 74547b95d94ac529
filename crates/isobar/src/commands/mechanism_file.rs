//! A mechanism as commands are given it.

use std::path::{Path, PathBuf};

use clap::Args;
use isobar_io::chemistry::gives_rate_constants;
use isobar_kpp::{Mechanism, Reader};

use super::Failure;

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

    pub(crate) fn read(&self, path: &Path) -> Result<Mechanism, Failure> {
        Ok(self.reader()?.read_file(path)?)
    }

    /// The same where `cells`, if they have rate constants, make up for rates that cannot be read.
    pub(crate) fn read_for(&self, path: &Path, cells: Option<&Path>) -> Result<Mechanism, Failure> {
        match (self.read(path), cells) {
            (Err(_), Some(cells)) if gives_rate_constants(cells) => Ok(self.reader()?.rates_given().read_file(path)?),
            (result, _) => result,
        }
    }

    fn reader(&self) -> Result<Reader, Failure> {
        if let Some(folder) = self.include.iter().find(|folder| !folder.is_dir()) {
            return Err(Failure::usage(format!("--include: there is no folder {}", folder.display())));
        }
        let reader = self.include.iter().fold(Reader::new(), |reader, folder| reader.folder(folder));
        Ok(if self.sun_from_time { reader.sun_from_time() } else { reader })
    }
}
