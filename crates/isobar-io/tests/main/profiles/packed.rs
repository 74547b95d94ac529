//! Numbers that are packed or marked as missing, and dimensions in another order: as netCDF's conventions have them.

use netcdf_writer::{NcAttrValue, NcFileBuilder, NcWriteFormat, NcWriteOptions};

use super::without_cloud;
use crate::common::{file, message};
use isobar_io::{read_atmosphere, read_water_continuum};

/// Temperatures of three profiles of three levels as they are stored, with attributes, along these dimensions.
fn of(
    stored: &[i16; 9],
    attributes: &[(&str, NcAttrValue)],
    order: [usize; 2],
) -> (tempfile::TempDir, std::path::PathBuf) {
    let mut builder = NcFileBuilder::new();
    let dimensions = [builder.add_dimension("profile", 3).unwrap(), builder.add_dimension("level", 3).unwrap()];
    let count = builder.add_variable::<i32>("nlev", &dimensions[..1]).unwrap();
    builder.write_variable(count, &[3i32; 3]).unwrap();
    for (name, values) in [
        ("time", [0.0; 3]),
        ("z", [0.0, 20.0, 80.0]),
        ("lon", [0.0; 3]),
        ("lat", [0.0; 3]),
        ("p", [1000.0, 50.0, 0.01]),
        ("CO2", [4e-4; 3]),
        ("ext_win_0", [0.0; 3]),
    ] {
        let variable = builder.add_variable::<f64>(name, &dimensions).unwrap();
        builder.write_variable(variable, &values.repeat(3)).unwrap();
    }
    let variable = builder.add_variable::<i16>("t", &order.map(|i| dimensions[i])).unwrap();
    for (name, value) in attributes {
        builder.add_variable_attribute(variable, *name, value.clone()).unwrap();
    }
    builder.write_variable(variable, stored).unwrap();
    for (name, value) in [("srf_t", 290.0), ("srf_eps_600.0000", 0.9), ("srf_eps_900.0000", 0.8)] {
        let variable = builder.add_variable::<f64>(name, &dimensions[..1]).unwrap();
        builder.write_variable(variable, &[value; 3]).unwrap();
    }
    file(builder.to_vec(NcWriteOptions { format: NcWriteFormat::Nc4 }).unwrap().1, "a.nc")
}

fn packing() -> [(&'static str, NcAttrValue); 3] {
    [
        ("scale_factor", NcAttrValue::Doubles(vec![0.25])),
        ("add_offset", NcAttrValue::Doubles(vec![200.0])),
        ("_FillValue", NcAttrValue::Shorts(vec![-9])),
    ]
}

/// `stored * scale_factor + add_offset`, and what is marked is missing before it is unpacked.
#[test]
fn packed_numbers_are_unpacked() {
    let control = without_cloud();
    let (_folder, path) = of(&[320, 80, 160, 0, 0, 0, 0, 0, 0], &packing(), [0, 1]);
    assert_eq!(read_atmosphere(&path, &control).unwrap().temperature_k, [280.0, 220.0, 240.0]);
    let (_folder, path) = of(&[320, -9, 160, 0, 0, 0, 0, 0, 0], &packing(), [0, 1]);
    let refused = message(read_atmosphere(&path, &control), &path);
    assert_eq!(refused, "a.nc: t, profile 0: temperature NaN K of level 1 lies outside (0, 1000]");
}

/// Three profiles of three levels: names alone tell the dimensions apart.
#[test]
fn dimensions_count_by_name() {
    let control = without_cloud();
    let (_folder, path) = of(&[280, 1, 2, 220, 3, 4, 240, 5, 6], &[], [1, 0]);
    assert_eq!(read_atmosphere(&path, &control).unwrap().temperature_k, [280.0, 220.0, 240.0]);
    let (_folder, path) = of(&[280, 220, 240, 1, 2, 3, 4, 5, 6], &[], [0, 1]);
    assert_eq!(read_atmosphere(&path, &control).unwrap().temperature_k, [280.0, 220.0, 240.0]);
}

/// The coefficients of water vapour, with one packed and one marked.
#[test]
fn a_continuum_is_unpacked() {
    let written = |marked: bool| {
        let mut builder = NcFileBuilder::new();
        let dimension = builder.add_dimension("wavenumbers", 4).unwrap();
        for name in ["wavenumbers", "for_absco_ref", "self_texp"] {
            let variable = builder.add_variable::<f64>(name, &[dimension]).unwrap();
            builder.write_variable(variable, &[10.0, 20.0, 30.0, 40.0]).unwrap();
        }
        let variable = builder.add_variable::<i16>("self_absco_ref", &[dimension]).unwrap();
        for (name, value) in packing() {
            builder.add_variable_attribute(variable, name, value).unwrap();
        }
        builder.write_variable(variable, &[0i16, 4, if marked { -9 } else { 8 }, 12]).unwrap();
        file(builder.to_vec(NcWriteOptions { format: NcWriteFormat::Nc4 }).unwrap().1, "w.nc")
    };
    let (_folder, path) = written(false);
    assert_eq!(read_water_continuum(&path).unwrap().own, [200.0, 201.0, 202.0, 203.0]);
    let (_folder, path) = written(true);
    let refused = message(read_water_continuum(&path), &path);
    assert_eq!(refused, "w.nc: self_absco_ref: NaN at 30 cm^-1 lies outside [0, inf)");
}
