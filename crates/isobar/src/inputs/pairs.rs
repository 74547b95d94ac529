//! Collision-induced absorption.

use std::path::PathBuf;

use clap::Args;
use isobar_io::FilesInUse;
use isobar_spectra::lists::CollisionInduced;

use super::twice::refuse_twice;
use crate::program::failure::Failure;

/// Files of pairs of molecules.
#[derive(Args, Debug)]
pub(crate) struct PairFiles {
    /// Collision-induced absorption, HITRAN's .cia; may be given more than once
    #[arg(long, value_name = "FILE")]
    pub(crate) cia: Vec<PathBuf>,
}

impl PairFiles {
    /// None of the files may be written.
    pub(crate) fn protect(&self, files: &mut FilesInUse) -> Result<(), Failure> {
        Ok(self.cia.iter().try_for_each(|path| files.reads("collision-induced absorption", path))?)
    }

    pub(crate) fn read(&self) -> Result<Vec<CollisionInduced>, Failure> {
        refuse_twice("--cia", self.cia.iter())?;
        self.cia.iter().map(|path| Ok(CollisionInduced::read(path)?)).collect()
    }
}
