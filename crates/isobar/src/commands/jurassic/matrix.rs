//! `isobar jurassic matfmt`: matrices from one format into another.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use isobar_io::{
    AtomicFile, Control, FilesInUse, Label, Matrix, MatrixView, ProfileFormat, Space, is_measured, matrix_datasets,
    matrix_format, read_atmosphere, read_matrix, read_matrix_binary, read_matrix_netcdf, read_observation,
    write_matrices_netcdf,
};
use isobar_retrieval::StateVector;

use super::profile_file::ProfileFile;
use crate::inputs::case::ControlFile;
use crate::program::failure::Failure;
use crate::program::remarks::warn;

/// The options of `matfmt`.
#[derive(Args, Debug)]
pub(crate) struct Matfmt {
    #[command(flatten)]
    control: ControlFile,
    /// A matrix to read, text, binary or NetCDF; several become datasets, in this order
    #[arg(long = "in", value_name = "FILE", required = true)]
    inputs: Vec<PathBuf>,
    #[command(flatten)]
    output: ProfileFile,
    /// This dataset alone of a file in NetCDF, counted from 0
    #[arg(long)]
    profile: Option<usize>,
    /// What the rows of a binary file are; of others they must be that
    #[arg(long, value_enum)]
    rows: Option<SpaceOption>,
    /// What the columns of a binary file are; of others they must be that
    #[arg(long, value_enum)]
    columns: Option<SpaceOption>,
    /// Rows or columns that follow each other in a text; as in the input if this is not said
    #[arg(long, value_enum)]
    sort: Option<Sort>,
    /// For elements of the state in a binary file: the atmosphere
    #[arg(long, value_name = "FILE")]
    atm: Option<PathBuf>,
    /// For the measurement in a binary file: the observation
    #[arg(long, value_name = "FILE")]
    obs: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum SpaceOption {
    /// Elements of the state
    X,
    /// The measurement
    Y,
}

impl SpaceOption {
    fn space(self) -> Space {
        if self == Self::X { Space::State } else { Space::Measurement }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Sort {
    /// Row by row
    R,
    /// Column by column
    C,
}

/// A matrix, and what its rows and columns are.
type Read = (Matrix, [Space; 2]);

pub(super) fn run(options: &Matfmt) -> Result<(), Failure> {
    let mut files = FilesInUse::default();
    options.inputs.iter().try_for_each(|path| files.reads("an input", path))?;
    options.atm.iter().try_for_each(|path| files.reads("the atmosphere", path))?;
    options.obs.iter().try_for_each(|path| files.reads("the observation", path))?;
    files.writes("the output", &options.output.out)?;
    let control = options.control.read(&mut files)?;
    let mut all: Vec<Read> = Vec::new();
    let is_binary = |path: &PathBuf| matrix_format(path) == ProfileFormat::Binary;
    if !options.inputs.iter().any(is_binary) {
        for (option, file) in [("--atm", &options.atm), ("--obs", &options.obs)] {
            if file.is_some() {
                warn(format!("{option} has no effect: it is for a binary matrix, and none is"));
            }
        }
    }
    for path in &options.inputs {
        match matrix_format(path) {
            ProfileFormat::Netcdf => match options.profile {
                Some(profile) => all.push(checked(options, path, read_matrix_netcdf(path, profile)?)?),
                None => {
                    for dataset in 0..matrix_datasets(path)? {
                        all.push(checked(options, path, read_matrix_netcdf(path, dataset)?)?);
                    }
                }
            },
            _ if options.profile.is_some_and(|profile| profile != 0) => {
                return Err(Failure::usage(format!("{}: the file has profile 0 alone", path.display())));
            }
            ProfileFormat::Binary => all.push(binary(options, &control, path)?),
            ProfileFormat::Ascii => {
                let matrix = read_matrix(path)?;
                let spaces = [Matrix::space(&matrix.rows), Matrix::space(&matrix.columns)];
                all.push(checked(options, path, (matrix, spaces))?);
            }
        }
    }
    let views: Vec<MatrixView<'_>> = all.iter().map(|read| view(read, options.sort)).collect();
    match views[..] {
        _ if options.output.is_netcdf() => {
            write_matrices_netcdf(&options.output.out, &views.iter().map(|view| Some(*view)).collect::<Vec<_>>())?;
        }
        [one] => {
            let format = if options.output.is_binary() { ProfileFormat::Binary } else { ProfileFormat::Ascii };
            AtomicFile::write_with(&options.output.out, |out| one.write(out, format))?;
        }
        _ => {
            let problem = format!("{} matrices need a .nc, or name one with --profile", views.len());
            return Err(Failure::usage(format!("{}: {problem}", options.output.out.display())));
        }
    }
    Ok(())
}

fn view<'a>((matrix, [rows, columns]): &'a Read, sort: Option<Sort>) -> MatrixView<'a> {
    MatrixView {
        rows: (*rows, &matrix.rows),
        columns: (*columns, &matrix.columns),
        values: &matrix.values,
        columns_first: sort.map_or(matrix.columns_first, |sort| sort == Sort::C),
    }
}

/// A matrix that says what its rows and columns are, where options say nothing else.
fn checked(options: &Matfmt, path: &Path, read: Read) -> Result<Read, Failure> {
    let named = [("--rows", options.rows), ("--columns", options.columns)];
    for ((option, wanted), found) in named.into_iter().zip(read.1) {
        if let Some(wanted) = wanted.filter(|wanted| wanted.space() != found) {
            let (wanted, found) = match wanted {
                SpaceOption::X => ("x", "the measurement (y)"),
                SpaceOption::Y => ("y", "elements of the state (x)"),
            };
            let problem = format!("{option} {wanted}, where the file has {found}");
            return Err(Failure::usage(format!("{}: {problem}", path.display())));
        }
    }
    Ok(read)
}

/// A binary matrix, whose rows and columns the options tell.
fn binary(options: &Matfmt, control: &Control, path: &Path) -> Result<Read, Failure> {
    let (Some(rows), Some(columns)) = (options.rows, options.columns) else {
        let problem = "a binary matrix does not say what its rows and columns are: give --rows and --columns, x or y";
        return Err(Failure::usage(format!("{}: {problem}", path.display())));
    };
    let (of_rows, of_columns) = (labels(options, control, rows)?, labels(options, control, columns)?);
    Ok((read_matrix_binary(path, of_rows, of_columns)?, [rows.space(), columns.space()]))
}

fn labels(options: &Matfmt, control: &Control, space: SpaceOption) -> Result<Vec<Label>, Failure> {
    if space == SpaceOption::X {
        let path = options.atm.as_ref().ok_or_else(|| Failure::usage("x needs the atmosphere: give --atm"))?;
        let state = StateVector::new(control, &control.retrieval()?, &read_atmosphere(path, control)?)?;
        return Ok(state.labels());
    }
    let path = options.obs.as_ref().ok_or_else(|| Failure::usage("y needs the observation: give --obs"))?;
    let observation = read_observation(path, control)?;
    let channels = &control.wavenumbers_per_cm;
    // What is masked or missing is not part of the measurement.
    let measured = (0..observation.radiance.len()).filter(|&i| is_measured(observation.radiance[i]));
    let label = |i: usize| Label::of_channel(channels[i % channels.len()], &observation.rays[i / channels.len()]);
    Ok(measured.map(label).collect())
}
