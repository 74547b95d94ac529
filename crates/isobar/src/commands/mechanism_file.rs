//! A mechanism as commands are given it.

use std::path::PathBuf;

use clap::Args;
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

    pub(crate) fn read(&self, path: &std::path::Path) -> Result<Mechanism, Failure> {
        let reader = self.include.iter().fold(Reader::new(), |reader, folder| reader.folder(folder));
        let reader = if self.sun_from_time { reader.sun_from_time() } else { reader };
        Ok(reader.read_file(path)?)
    }
}
