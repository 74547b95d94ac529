//! A file of profiles in the format that its name says: text, binary, or NetCDF of many.

use std::path::PathBuf;

use clap::Args;
use isobar_io::{
    AtomicFile, Control, Observation, ProfileMeaning, lost_in_binary, write_atmosphere, write_atmosphere_binary,
    write_atmospheres_netcdf, write_observation, write_observation_binary, write_observations_netcdf,
};
use isobar_raytrace::Atmosphere;

use crate::program::failure::Failure;
use crate::program::remarks::warn;

/// Where a tool writes.
#[derive(Args, Debug)]
pub(super) struct ProfileFile {
    /// The file to write: NetCDF if its name ends in .nc, binary if in .bin, otherwise text
    #[arg(short, long, value_name = "FILE")]
    pub(super) out: PathBuf,
}

impl ProfileFile {
    pub(super) fn is_netcdf(&self) -> bool {
        self.out.extension().is_some_and(|extension| extension == "nc")
    }

    pub(super) fn is_binary(&self) -> bool {
        self.out.extension().is_some_and(|extension| extension == "bin")
    }

    /// Writes atmospheres, of which only NetCDF takes several.
    pub(super) fn write_atmospheres(&self, control: &Control, all: &[Atmosphere]) -> Result<(), Failure> {
        if self.is_netcdf() {
            let all: Vec<_> = all.iter().map(Some).collect();
            write_atmospheres_netcdf(&self.out, control, &all, ProfileMeaning::Values)?;
        } else if let [one] = all {
            AtomicFile::write_with(&self.out, |out| match self.is_binary() {
                true => write_atmosphere_binary(out, one, control),
                false => write_atmosphere(out, one, control),
            })?;
            if let Some(lost) = lost_in_binary(one).filter(|_| self.is_binary()) {
                warn(format!("{}: {lost}", self.out.display()));
            }
        }
        Ok(())
    }

    /// Writes observations, of which only NetCDF takes several.
    pub(super) fn write_observations(&self, control: &Control, all: &[Observation]) -> Result<(), Failure> {
        if self.is_netcdf() {
            let all: Vec<_> = all.iter().map(Some).collect();
            write_observations_netcdf(&self.out, control, &all)?;
        } else if let [one] = all {
            AtomicFile::write_with(&self.out, |out| match self.is_binary() {
                true => write_observation_binary(out, one, control),
                false => write_observation(out, one, control),
            })?;
        }
        Ok(())
    }
}
