//! Cells as they are read.

use std::path::PathBuf;

use isobar_io::{ChemistryInput, ChemistryRequest, read_chemistry, read_model_cells};
use isobar_kpp::Mechanism;

use crate::program::failure::Failure;

/// Reads the cells for the mechanism: a NetCDF file, or a model's own files.
pub(super) fn read(paths: &[PathBuf], mechanism: &Mechanism) -> Result<ChemistryInput, Failure> {
    let species: Vec<_> =
        mechanism.species().iter().zip(mechanism.initial()).map(|(species, &x)| (species.name.as_str(), x)).collect();
    let inputs: Vec<_> = mechanism.inputs().iter().map(|input| (input.name.as_str(), input.default)).collect();
    let cfactor = Some(mechanism.cfactor()).filter(|&cfactor| cfactor > 1.0);
    let reactions = mechanism.reactions().len();
    let request = ChemistryRequest { species: &species, cfactor, inputs: &inputs, reactions };
    Ok(match paths {
        [path] => read_chemistry(path, &request)?,
        paths => read_model_cells(paths, &request)?,
    })
}
