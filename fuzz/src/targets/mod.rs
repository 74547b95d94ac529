//! The targets: what takes any bytes, and must neither panic nor read them as what they do not say.

mod atmosphere;
mod case;
mod cell_file;
mod columns;
mod control;
mod k_distribution;
mod kpp;
mod netcdf;
mod observation;
mod restart;
mod shape;
mod tables;

/// The function of the target of this name.
#[must_use]
pub fn by_name(name: &str) -> Option<fn(&[u8])> {
    Some(match name {
        "adding" => columns::adding,
        "atmosphere" => atmosphere::target,
        "boundary_layer" => columns::boundary_layer,
        "case" => case::target,
        "cell_file" => cell_file::target,
        "chemistry" => columns::chemistry,
        "control" => control::target,
        "k_distribution" => k_distribution::target,
        "kpp" => kpp::target,
        "longwave" => columns::longwave,
        "netcdf" => netcdf::target,
        "observation" => observation::target,
        "restart" => restart::target,
        "shape" => shape::target,
        "table_ascii" => tables::ascii,
        "table_binary" => tables::binary,
        _ => return None,
    })
}
