//! Cells as they are read.

use std::path::PathBuf;

use isobar_io::chemistry::gives_rate_constants;
use isobar_io::{ChemistryInput, ChemistryRequest, is_restart, read_chemistry, read_model_cells, read_restart};
use isobar_kpp::Mechanism;

use crate::program::failure::Failure;

/// Reads the cells for the mechanism: a NetCDF file, or a model's own files.
pub(super) fn read(
    paths: &[PathBuf],
    mechanism: &Mechanism,
    given: &[(String, f64)],
) -> Result<ChemistryInput, Failure> {
    let species: Vec<_> =
        mechanism.species().iter().zip(mechanism.initial()).map(|(species, &x)| (species.name.as_str(), x)).collect();
    let inputs: Vec<_> = mechanism.inputs().iter().map(|input| (input.name.as_str(), input.default)).collect();
    let (cfactor, part_of_air) = (mechanism.cfactor(), mechanism.part_of_air());
    let reactions: Vec<_> = mechanism.reactions().iter().map(|reaction| reaction.label.as_deref()).collect();
    let radians = mechanism.radians();
    let orders = mechanism.orders();
    let (inputs, radians, orders, reactions) = (&inputs[..], &radians[..], &orders[..], &reactions[..]);
    let (species, variable) = (&species[..], mechanism.variable());
    let request =
        ChemistryRequest { species, variable, cfactor, part_of_air, inputs, radians, orders, reactions, given };
    if let Some((name, _)) = given.iter().find(|(name, _)| !request.takes(name)) {
        let names: Vec<&str> = inputs.iter().map(|(name, _)| *name).take(20).collect();
        let what = format!("--set {name}: the rates have no such input, but {}", names.join(", "));
        return Err(Failure::usage(what));
    }
    request.check_given().map_err(|what| Failure::usage(format!("--set: {what}")))?;
    if gives_rate_constants(&paths[0]) && !given.is_empty() {
        return Err(Failure::usage("--set: these cells have rate constants, which read no inputs".to_owned()));
    }
    Ok(match paths {
        paths if is_restart(&paths[0]) => read_restart(paths, &request)?,
        [path] => read_chemistry(path, &request)?,
        paths => read_model_cells(paths, &request)?,
    })
}
