//! Matrices in NetCDF, as JURASSIC of 2026 has them: `matrix(dataset, row, col)`.

use std::path::Path;

use netcdf_reader::{NcFile, NcVariable};

use super::{Label, Matrix, MatrixView, Space};
use crate::error::Error;
use crate::netcdf::{Sample, numbers as unpacked, open};
use crate::profiles::{Cells, RecordDimension, RecordFile, RecordVariable, invalid, letters};

/// Letters of a name.
const NAME: usize = 100;
/// Numbers of a file: 16 GiB of them.
const MOST: usize = 1 << 31;
const SIDES: [(&str, &str); 2] = [("row", "row"), ("col", "column")];

/// The letter of a space.
fn letter(space: Space) -> u8 {
    match space {
        Space::State => b'x',
        Space::Measurement => b'y',
    }
}

/// Writes matrices of equal sizes as the datasets of a file, in their order; where there is none, the dataset stays
/// empty.
///
/// # Errors
/// A file that cannot be written; no matrix; matrices of different sizes; not one value a row and column.
pub fn write_matrices_netcdf(path: &Path, matrices: &[Option<MatrixView<'_>>]) -> Result<(), Error> {
    records(path, matrices)?.write(path)
}

/// Adds matrices to a file, whose datasets stay where there is no new one.
///
/// # Errors
/// As [`write_matrices_netcdf`]; a file of other matrices.
pub fn add_matrices_netcdf(path: &Path, matrices: &[Option<MatrixView<'_>>]) -> Result<(), Error> {
    records(path, matrices)?.add(path)
}

pub(super) fn bytes(matrices: &[Option<MatrixView<'_>>]) -> Result<Vec<u8>, Error> {
    let nowhere = Path::new("matrix");
    records(nowhere, matrices)?.bytes(nowhere)
}

/// Rows or columns.
fn labels_of<'a>(matrix: &MatrixView<'a>, side: usize) -> (Space, &'a [Label]) {
    if side == 0 { matrix.rows } else { matrix.columns }
}

fn records(path: &Path, matrices: &[Option<MatrixView<'_>>]) -> Result<RecordFile, Error> {
    let Some((first, one)) = matrices.iter().enumerate().find_map(|(i, matrix)| matrix.map(|matrix| (i, matrix)))
    else {
        return Err(invalid(path, "there is no matrix to write".into()));
    };
    let (rows, columns) = (one.rows.1.len(), one.columns.1.len());
    for (dataset, matrix) in matrices.iter().enumerate().filter_map(|(i, matrix)| Some((i, matrix.as_ref()?))) {
        matrix.check().map_err(|problem| invalid(path, format!("profile {dataset}: {problem}")))?;
        let (other_rows, other_columns) = (matrix.rows.1.len(), matrix.columns.1.len());
        if (other_rows, other_columns) != (rows, columns) {
            let text = format!(
                "profile {dataset} has a matrix of {other_rows} x {other_columns}, profile {first} one of {rows} x \
                 {columns}: matrices of one file have one size"
            );
            return Err(invalid(path, text));
        }
        for label in matrix.rows.1.iter().chain(matrix.columns.1) {
            if label.name.len() > NAME {
                return Err(invalid(path, format!("{} has more than {NAME} letters", label.name)));
            }
        }
    }
    let mut variables = Vec::new();
    let mut add = |name: String, units, long_name: String, dimensions: &[&'static str], cells| {
        variables.push(RecordVariable { name, units, long_name, dimensions: dimensions.to_vec(), cells });
    };
    let elements = |matrix: &Option<MatrixView<'_>>| match matrix {
        Some(matrix) => matrix.values.to_vec(),
        None => vec![f64::FILL; rows * columns],
    };
    let both = ["row", "col"];
    add(
        "matrix".into(),
        "1",
        "matrix element".into(),
        &both,
        Cells::Numbers(matrices.iter().flat_map(elements).collect()),
    );
    let selector = |f: &dyn Fn(&MatrixView<'_>) -> u8| {
        Cells::Letters(matrices.iter().map(|matrix| matrix.as_ref().map_or(0, f)).collect())
    };
    for (name, long_name, cells) in [
        ("rowspace", "row space selector", selector(&|matrix| letter(matrix.rows.0))),
        ("colspace", "column space selector", selector(&|matrix| letter(matrix.columns.0))),
        ("sort", "matrix sort selector", selector(&|matrix| if matrix.columns_first { b'c' } else { b'r' })),
    ] {
        add(name.into(), "1", long_name.into(), &[], cells);
    }
    for (side, (name, words)) in SIDES.into_iter().enumerate() {
        let count = [rows, columns][side];
        let dimension = both[side];
        let numbers = |f: &dyn Fn(Space, &Label) -> f64| {
            let one = |matrix: &Option<MatrixView<'_>>| match matrix.as_ref().map(|matrix| labels_of(matrix, side)) {
                Some((space, labels)) => labels.iter().map(|label| f(space, label)).collect(),
                None => vec![f64::FILL; count],
            };
            Cells::Numbers(matrices.iter().flat_map(one).collect())
        };
        let wavenumber = |space, label: &Label| match space {
            Space::State => f64::NAN,
            Space::Measurement => label.name.parse().unwrap_or(f64::NAN),
        };
        for (variable, units, long_name, cells) in [
            ("nu", "cm^-1", "channel wavenumber", numbers(&wavenumber)),
            ("time", "s", "time since 2000-01-01T00:00Z", numbers(&|_, label| label.time_s)),
            ("z", "km", "altitude", numbers(&|_, label| label.height_km)),
            ("lon", "degrees_east", "longitude", numbers(&|_, label| label.longitude_deg)),
            ("lat", "degrees_north", "latitude", numbers(&|_, label| label.latitude_deg)),
        ] {
            add(format!("{name}_{variable}"), units, format!("{words} {long_name}"), &[dimension], cells);
        }
        let names = |matrix: &Option<MatrixView<'_>>| -> Vec<u8> {
            let mut letters = Vec::with_capacity(count * NAME);
            if let Some((Space::State, labels)) = matrix.as_ref().map(|matrix| labels_of(matrix, side)) {
                for (i, label) in labels.iter().enumerate() {
                    letters.extend(label.name.bytes());
                    letters.resize((i + 1) * NAME, 0);
                }
            }
            letters.resize(count * NAME, 0);
            letters
        };
        let cells = Cells::Letters(matrices.iter().flat_map(names).collect());
        let long_name = format!("{words} state quantity name");
        add(format!("{name}_quantity"), "1", long_name, &[dimension, "name_strlen"], cells);
    }
    let size = |name, size| RecordDimension { name, size, varies: false };
    Ok(RecordFile {
        record: "dataset",
        filled: matrices.iter().map(Option::is_some).collect(),
        dimensions: vec![size("row", rows), size("col", columns), size("name_strlen", NAME)],
        variables,
    })
}

/// Reads the matrix of a dataset, and what its rows and columns are.
///
/// # Errors
/// A file that cannot be read or is no NetCDF; a dataset that it has not, or that is empty; a variable that is missing
/// or has other dimensions.
pub fn read_matrix_netcdf(path: &Path, dataset: usize) -> Result<(Matrix, [Space; 2]), Error> {
    let file = open(path)?;
    let size = |name: &str| {
        let found = file.dimension(name).map_err(|_| invalid(path, format!("there is no dimension {name}")))?;
        Ok::<_, Error>(found.size as usize)
    };
    let (datasets, rows, columns) = (size("dataset")?, size("row")?, size("col")?);
    if dataset >= datasets {
        return Err(invalid(path, format!("there is no profile {dataset}: the file has {datasets}, counted from 0")));
    }
    let most = datasets.max(1).saturating_mul(rows.max(columns).max(1)).saturating_mul(rows.min(columns).max(NAME));
    if most > MOST {
        let text = format!("{datasets} matrices of {rows} x {columns} are more than a file is read of");
        return Err(invalid(path, text));
    }
    let variable = |name: &str, shape: &[usize]| -> Result<NcVariable, Error> {
        let found = file.variable(name).map_err(|_| invalid(path, format!("variable {name} is missing")))?;
        let sizes: Vec<usize> = found.dimensions.iter().map(|dimension| dimension.size as usize).collect();
        // Of a square matrix the names of dimensions alone say which is which.
        let along = |name: &str| found.dimensions.iter().position(|dimension| dimension.name == name);
        let in_order = match (along("row"), along("col")) {
            (Some(row), Some(column)) => row < column,
            _ => true,
        };
        match sizes.split_first() {
            Some((&first, rest)) if first == datasets && rest == shape && in_order => Ok(found.clone()),
            _ => {
                let names: Vec<&str> = found.dimensions.iter().map(|dimension| dimension.name.as_str()).collect();
                let names = names.join(", ");
                let expected = format!("[{datasets}] and {shape:?}, rows before columns");
                Err(invalid(path, format!("{name} has dimensions ({names}) of {sizes:?}, expected {expected}")))
            }
        }
    };
    let numbers = |name: &str, shape: &[usize]| {
        let run: usize = shape.iter().product();
        let values = unpacked(&file, &variable(name, shape)?);
        let values = values.map_err(|cause| invalid(path, format!("{name}: cannot be read: {cause}")))?;
        let values: Vec<f64> = values.into_iter().skip(dataset * run).take(run).collect();
        match values.len() == run {
            true => Ok(values),
            false => Err(invalid(path, format!("{name} ends within profile {dataset}"))),
        }
    };
    let text = |name: &str, shape: &[usize]| {
        let run: usize = shape.iter().product();
        let all = letters(&file, &variable(name, shape)?, path)?;
        Ok::<_, Error>(all[dataset * run..(dataset + 1) * run].to_vec())
    };
    let space = |name: &str| match text(name, &[])?[..] {
        [b'x'] => Ok(Space::State),
        [b'y'] => Ok(Space::Measurement),
        [0] => Err(invalid(path, format!("profile {dataset} has no matrix"))),
        _ => Err(invalid(path, format!("{name} of profile {dataset} is neither x nor y"))),
    };
    let spaces = [space("rowspace")?, space("colspace")?];
    let columns_first = match text("sort", &[])?[..] {
        [b'r'] => false,
        [b'c'] => true,
        _ => return Err(invalid(path, format!("sort of profile {dataset} is neither r nor c"))),
    };
    let values = numbers("matrix", &[rows, columns])?;
    let labels = |side: usize| -> Result<Vec<Label>, Error> {
        let (name, count) = (SIDES[side].0, [rows, columns][side]);
        let of = |variable: &str| numbers(&format!("{name}_{variable}"), &[count]);
        let (nu, time, z, lon, lat) = (of("nu")?, of("time")?, of("z")?, of("lon")?, of("lat")?);
        let quantities = match spaces[side] {
            Space::State => text(&format!("{name}_quantity"), &[count, size("name_strlen")?])?,
            Space::Measurement => Vec::new(),
        };
        let letters = quantities.len() / count.max(1);
        let one = |i: usize| Label {
            name: match spaces[side] {
                Space::State => {
                    let name = &quantities[i * letters..(i + 1) * letters];
                    String::from_utf8_lossy(name.split(|&letter| letter == 0).next().unwrap_or_default()).into_owned()
                }
                Space::Measurement => format!("{:.4}", nu[i]),
            },
            time_s: time[i],
            height_km: z[i],
            longitude_deg: lon[i],
            latitude_deg: lat[i],
        };
        Ok((0..count).map(one).collect())
    };
    Ok((Matrix { rows: labels(0)?, columns: labels(1)?, values, columns_first }, spaces))
}

/// The datasets of a file, empty ones counted.
///
/// # Errors
/// A file that cannot be read or has none.
pub fn matrix_datasets(path: &Path) -> Result<usize, Error> {
    let file = NcFile::open(path).map_err(|cause| invalid(path, format!("cannot be read: {cause}")))?;
    let found = file.dimension("dataset").map_err(|_| invalid(path, "there is no dimension dataset".into()))?;
    Ok(found.size as usize)
}
