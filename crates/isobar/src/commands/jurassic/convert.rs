//! `atmfmt` and `obsfmt`: atmospheres and observations into another format.

use std::path::{Path, PathBuf};

use clap::Args;
use isobar_io::{
    Control, FilesInUse, ProfileFormat, read_atmosphere, read_atmospheres_netcdf, read_observation_and_titles,
    read_observations_netcdf, unread_of_atmosphere,
};
use isobar_raytrace::Horizontal;

use super::profile_file::ProfileFile;
use crate::inputs::case::ControlFile;
use crate::program::failure::Failure;
use crate::program::remarks::warn;

/// The options of `atmfmt` and `obsfmt`.
#[derive(Args, Debug)]
pub(crate) struct Convert {
    #[command(flatten)]
    control: ControlFile,
    /// A file to read, text, binary or NetCDF; several become profiles, in this order
    #[arg(long = "in", value_name = "FILE", required = true)]
    inputs: Vec<PathBuf>,
    #[command(flatten)]
    output: ProfileFile,
    /// This profile alone of a file in NetCDF, counted from 0
    #[arg(long)]
    profile: Option<usize>,
}

/// Reads all profiles of all inputs, or one of each.
fn profiles<T>(
    options: &Convert,
    text: impl Fn(&Path, &Control) -> Result<T, isobar_io::Error>,
    netcdf: impl Fn(&Path, &Control, Option<&[usize]>) -> Result<Vec<T>, isobar_io::Error>,
) -> Result<(Control, Vec<T>), Failure> {
    let mut files = FilesInUse::default();
    options.inputs.iter().try_for_each(|path| files.reads("an input", path))?;
    files.writes("the output", &options.output.out)?;
    let control = options.control.read(&mut files)?;
    let mut all = Vec::new();
    for path in &options.inputs {
        if isobar_io::netcdf::is_netcdf(path) {
            let profile = options.profile.map(|profile| [profile]);
            all.extend(netcdf(path, &control, profile.as_ref().map(|profile| &profile[..]))?);
        } else if options.profile.is_some_and(|profile| profile != 0) {
            return Err(Failure::usage(format!("{}: a text has profile 0 alone", path.display())));
        } else {
            all.push(text(path, &control)?);
        }
    }
    if all.len() != 1 && !options.output.is_netcdf() {
        let problem = format!("{} profiles fit into a NetCDF file alone: name one with --profile, or a .nc", all.len());
        return Err(Failure::usage(format!("{}: {problem}", options.output.out.display())));
    }
    Ok((control, all))
}

pub(super) fn atmfmt(options: &Convert) -> Result<(), Failure> {
    // What a file is counts, not what a key says.
    let text = |path: &Path, control: &Control| {
        let mut control = control.clone();
        control.atmosphere_format = ProfileFormat::Ascii;
        read_atmosphere(path, &control)
    };
    let netcdf = |path: &Path, control: &Control, profiles: Option<&[usize]>| match (control.horizontal, profiles) {
        // All profiles are one track.
        (Horizontal::Track, None) => Ok(vec![read_atmosphere(path, control)?]),
        _ => read_atmospheres_netcdf(path, control, profiles),
    };
    let (control, all) = profiles(options, text, netcdf)?;
    options.inputs.iter().filter_map(|path| unread_of_atmosphere(path, &control)).for_each(warn);
    options.output.write_atmospheres(&control, &all)
}

pub(super) fn obsfmt(options: &Convert) -> Result<(), Failure> {
    let text = |path: &Path, control: &Control| {
        let mut control = control.clone();
        control.observation_format = ProfileFormat::Ascii;
        let (observation, without) = read_observation_and_titles(path, &control)?;
        if without > 0 {
            let path = path.display();
            warn(format!("{path}: {without} rows end after the view point: radiances and transmittances are 0"));
        }
        Ok(observation)
    };
    let (control, all) = profiles(options, text, read_observations_netcdf)?;
    options.output.write_observations(&control, &all)
}
