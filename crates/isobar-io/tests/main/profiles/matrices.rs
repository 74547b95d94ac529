//! Matrices in binary and NetCDF, and profiles that are added to files.

use isobar_io::{
    Label, Matrix, MatrixView, ProfileFormat, ProfileMeaning, Space, add_atmospheres_netcdf, add_matrices_netcdf,
    matrix_datasets, matrix_format, read_atmospheres_netcdf, read_matrix_binary, read_matrix_netcdf,
    write_atmospheres_netcdf, write_matrices_netcdf,
};

use super::{KEYS, atmosphere, path};
use crate::common::{control, file, message};

fn label(name: &str, i: usize) -> Label {
    Label {
        name: name.into(),
        time_s: 1e8 / 3.0,
        height_km: i as f64 / 7.0,
        longitude_deg: -10.0 / 3.0,
        latitude_deg: 26.5,
    }
}

/// A matrix of three channels by two elements, with numbers whose last bits count.
fn matrix(seed: f64) -> Matrix {
    Matrix {
        rows: (0..3).map(|i| label("792.0000", i)).collect(),
        columns: vec![label("TEMPERATURE", 1), label("O3", 2)],
        values: (0..6).map(|i| seed / (3.0 + f64::from(i))).collect(),
        columns_first: false,
    }
}

fn view(matrix: &Matrix) -> MatrixView<'_> {
    MatrixView {
        rows: (Space::Measurement, &matrix.rows),
        columns: (Space::State, &matrix.columns),
        values: &matrix.values,
        columns_first: matrix.columns_first,
    }
}

#[test]
fn matrices_keep_every_bit() {
    let (_folder, path) = path("matrix.nc");
    let (one, mut two) = (matrix(1.0), matrix(2.0));
    two.columns_first = true;
    write_matrices_netcdf(&path, &[Some(view(&one)), None, Some(view(&two))]).unwrap();
    assert_eq!(matrix_format(&path), ProfileFormat::Netcdf);
    assert_eq!(matrix_datasets(&path).unwrap(), 3);
    let spaces = [Space::Measurement, Space::State];
    assert_eq!(read_matrix_netcdf(&path, 0).unwrap(), (one.clone(), spaces));
    assert_eq!(read_matrix_netcdf(&path, 2).unwrap(), (two.clone(), spaces));
    assert_eq!(message(read_matrix_netcdf(&path, 1), &path), "matrix.nc: profile 1 has no matrix");
    let error = message(read_matrix_netcdf(&path, 3), &path);
    assert_eq!(error, "matrix.nc: there is no profile 3: the file has 3, counted from 0");
    // As they would be, had they been there at once.
    let whole = std::fs::read(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    add_matrices_netcdf(&path, &[None, None, Some(view(&two))]).unwrap();
    add_matrices_netcdf(&path, &[Some(view(&matrix(3.0)))]).unwrap();
    add_matrices_netcdf(&path, &[Some(view(&one))]).unwrap();
    assert!(std::fs::read(&path).unwrap() == whole);
    let mut other = matrix(1.0);
    other.rows.pop();
    other.values.truncate(4);
    let error = message(add_matrices_netcdf(&path, &[Some(view(&other))]), &path);
    assert_eq!(error, "matrix.nc: profiles cannot be added: dimension row is 3, theirs 2");
    let error = message(write_matrices_netcdf(&path, &[Some(view(&one)), Some(view(&other))]), &path);
    assert!(error.contains("profile 1 has a matrix of 2 x 2, profile 0 one of 3 x 2"), "{error}");
    let bytes = std::fs::read(&path).unwrap();
    for length in [bytes.len() / 3, bytes.len() - 40] {
        let (_folder, path) = file(&bytes[..length], "matrix.nc");
        assert!(message(read_matrix_netcdf(&path, 2), &path).starts_with("matrix.nc: "), "{length}");
    }
}

#[test]
fn binary_matrices_keep_every_bit() {
    let one = matrix(1.0);
    let mut bytes = Vec::new();
    view(&one).write(&mut bytes, ProfileFormat::Binary).unwrap();
    // Letters, sizes, rows of doubles.
    assert_eq!(bytes[..20], [&b"MAT1"[..], &3_u64.to_le_bytes(), &2_u64.to_le_bytes()].concat());
    assert_eq!(bytes[20..28], (1.0_f64 / 3.0).to_le_bytes());
    let read = |bytes: &[u8], rows: usize| {
        let (_folder, path) = file(bytes, "matrix.bin");
        let found = read_matrix_binary(&path, one.rows[..rows].to_vec(), one.columns.clone());
        found.map_err(|error| error.to_string().split_once("matrix.bin").unwrap().1.to_owned())
    };
    assert_eq!(read(&bytes, 3).unwrap(), one);
    assert_eq!(read(&bytes, 2).unwrap_err(), ": byte 12: the matrix has 3 rows, expected 2");
    let error = read(&bytes[..60], 3).unwrap_err();
    assert_eq!(error, ": byte 60: the file ends within matrix element 5, after 60 bytes");
    assert!(read(&[&bytes[..], &[0]].concat(), 3).unwrap_err().contains("1 bytes follow the last value"));
    assert!(read(b"MAT2", 3).unwrap_err().contains("the file does not begin with MAT1"));
}

/// Profiles of other lengths than those that are there.
#[test]
fn profiles_are_added_to_those_that_are_there() {
    let control = control(&KEYS);
    let (_folder, path) = path("atm.nc");
    let (short, long) = (atmosphere(3), atmosphere(7));
    add_atmospheres_netcdf(&path, &control, &[None, Some(&short)], ProfileMeaning::Values).unwrap();
    add_atmospheres_netcdf(&path, &control, &[None, None, None, Some(&long)], ProfileMeaning::Values).unwrap();
    add_atmospheres_netcdf(&path, &control, &[Some(&short)], ProfileMeaning::Values).unwrap();
    let found = read_atmospheres_netcdf(&path, &control, Some(&[0, 1, 3])).unwrap();
    assert_eq!(found, [short.clone(), short.clone(), long.clone()]);
    let whole = std::fs::read(&path).unwrap();
    write_atmospheres_netcdf(&path, &control, &[Some(&short), Some(&short), None, Some(&long)], ProfileMeaning::Values)
        .unwrap();
    assert!(std::fs::read(&path).unwrap() == whole);
    let other = crate::common::control(&[("NG", "1"), ("EMITTER[0]", "H2O"), ("ND", "0")]);
    let mut plain = short;
    (plain.cloud, plain.surface) = (None, None);
    let error = message(add_atmospheres_netcdf(&path, &other, &[Some(&plain)], ProfileMeaning::Values), &path);
    assert_eq!(error, "atm.nc: profiles cannot be added: variable CO2 is none of theirs");
}

/// Bytes changed one by one: a result or one error, and no panic.
#[test]
fn damaged_matrices_are_read_or_refused() {
    let (_folder, good) = path("matrix.nc");
    write_matrices_netcdf(&good, &[Some(view(&matrix(1.0))), Some(view(&matrix(2.0)))]).unwrap();
    let good = std::fs::read(good).unwrap();
    for at in (0..good.len().min(3000)).step_by(5) {
        let mut bytes = good.clone();
        bytes[at] ^= [0x80, 0x04, 0x20, 0x01][at % 4];
        let (_folder, path) = file(&bytes, "matrix.nc");
        let tried = [read_matrix_netcdf(&path, 1).map(|_| ()), add_matrices_netcdf(&path, &[Some(view(&matrix(1.0)))])];
        for error in tried.into_iter().filter_map(Result::err) {
            let message = error.to_string();
            assert!(message.contains("matrix.nc") && message.lines().count() == 1, "byte {at}: {message}");
        }
    }
}
