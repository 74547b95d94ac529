//! Collision-induced absorption.

use std::path::PathBuf;

use clap::Args;
use isobar::line_by_line::sources::molecules_of;
use isobar_ega::NitrogenContinuum;
use isobar_ega::continuum_data::{N2_PER_CM, O2_PER_CM};
use isobar_io::{Control, FilesInUse};
use isobar_spectra::lists::CollisionInduced;

use super::twice::refuse_twice;
use crate::program::failure::Failure;
use crate::program::remarks::warn;

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

/// Warns of pairs and of a water continuum that count beside the control file's own continua of the same.
pub(crate) fn warn_of_own_continua(control: &Control, pairs: &[CollisionInduced], has_water_continuum: bool) {
    let on = control.continua;
    for (key, gas, is_on, (first, last)) in
        [("CTM_N2", "N2", on.n2 != NitrogenContinuum::Off, N2_PER_CM), ("CTM_O2", "O2", on.o2, O2_PER_CM)]
    {
        for pair in pairs {
            let is_there = |nu: &&f64| (first..=last).contains(*nu) && pair.range_k(**nu).is_some();
            let (one, other) = molecules_of(pair);
            let has_gas = one.eq_ignore_ascii_case(gas) || other.eq_ignore_ascii_case(gas);
            if let Some(nu) = control.wavenumbers_per_cm.iter().find(is_there).filter(|_| is_on && has_gas) {
                warn(format!(
                    "--cia {} adds to the continuum of {key} at {nu} cm^-1: {key}=0 leaves it out",
                    pair.pair()
                ));
            }
        }
    }
    if has_water_continuum && on.h2o && control.emitters.iter().any(|gas| gas.eq_ignore_ascii_case("H2O")) {
        warn("--water-continuum adds to the continuum of CTM_H2O: CTM_H2O=0 leaves it out");
    }
}
