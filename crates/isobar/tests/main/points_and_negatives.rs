//! Files of a single point keep their dimensions, and water below zero is said.

use std::fs;
use std::process::Command;

use isobar_io::netcdf::Dataset;

use crate::common::classic::{Case, Classic};
use crate::common::{data, printed, said};
use crate::model_files::{COLUMNS, LATITUDES, LONGITUDES, OPTIONS, cam, fluxes};
use crate::pbl_model_files;

/// The first of some dimensions.
fn first_of(mut file: Classic, dimensions: &[&str]) -> Classic {
    let sizes = file.dimensions.clone();
    let size = |name: &str| sizes.iter().find(|(known, _)| *known == name).unwrap().1;
    for variable in &mut file.variables {
        let count = variable.values.len();
        let kept = (0..count).filter(|&index| {
            let mut rest = index;
            variable.dimensions.iter().rev().all(|name| {
                let at = rest % size(name);
                rest /= size(name);
                at == 0 || !dimensions.contains(name)
            })
        });
        variable.values = kept.map(|index| variable.values[index]).collect();
    }
    file.dimensions.iter_mut().filter(|(name, _)| dimensions.contains(name)).for_each(|(_, size)| *size = 1);
    file
}

/// The results of a point are those that it has in its grid, with its place and time.
#[test]
fn a_point_keeps_its_dimensions() {
    let (file, _) = cam();
    let whole = fluxes(&Case::of("radiation", &file.bytes()), &[]).all("longwave_upward_flux");
    let levels = whole.len() / COLUMNS;
    for (dimensions, times) in [(&["lat", "lon"][..], 2), (&["time", "lat", "lon"], 1)] {
        let found = fluxes(&Case::of("radiation", &first_of(file.clone(), dimensions).bytes()), &[]);
        let shape = found.shape("longwave_upward_flux");
        let names: Vec<&str> = shape.iter().map(|(name, _)| &**name).collect();
        assert_eq!(names, ["time", "ilev", "lat", "lon"]);
        assert_eq!((found.all("lat")[0], found.all("lon")[0]), (LATITUDES[0], LONGITUDES[0]));
        let expected: Vec<f64> = (0..times * levels).map(|row| whole[row * COLUMNS / 2]).collect();
        assert_eq!(found.all("longwave_upward_flux"), expected);
    }
    let (file, _) = pbl_model_files::cam();
    let case = Case::of("pbl", &first_of(file, &["lat", "lon"]).bytes());
    let output = case.command(&["--dt", "60", "--value", "roughness=0.25"]);
    assert!(output.status.success(), "{}", said(&output));
    let found = crate::common::radiation_file::Numbers::open(&case.out());
    assert_eq!(pbl_model_files::names(&found, "tendency_u"), ["time", "lev", "lat", "lon"]);
}

/// What advection and spectral models leave below zero is taken for 0, which is said.
#[test]
fn water_below_zero_is_counted() {
    let (mut file, _) = cam();
    let clean = file.clone();
    let names = ["Q", "CLDLIQ", "CLDICE"];
    for (name, count) in names.into_iter().zip(1..) {
        file.variable(name).values[..count].iter_mut().for_each(|value| *value = -5e-6 / count as f64);
    }
    let mut zero = clean.clone();
    for (name, count) in names.into_iter().zip(1..) {
        zero.variable(name).values[..count].fill(0.0);
    }
    let all = clean.variables.iter().find(|one| one.name == "Q").unwrap().values.len();
    let lines = [
        format!("Q: 1 of {all} values is below 0, the least -5e-6 kg/kg, and taken for 0"),
        format!("CLDLIQ: 2 of {all} values are below 0, the least -2.5e-6 kg/kg, and taken for 0"),
        format!("CLDICE: 3 of {all} values are below 0"),
    ];
    let case = Case::of("radiation", &file.bytes());
    let found = fluxes(&case, &[]).all("longwave_upward_flux");
    assert_eq!(found, fluxes(&Case::of("radiation", &zero.bytes()), &[]).all("longwave_upward_flux"));
    let derived = Dataset::open(&case.out()).unwrap().attribute("derived").unwrap();
    let path = case.folder.path().join("in.nc");
    let check = Command::new(env!("CARGO_BIN_EXE_isobar"))
        .args(["check", path.to_str().unwrap()])
        .args(OPTIONS)
        .env("ISOBAR_DATA", data())
        .output()
        .unwrap();
    for line in &lines {
        assert!(derived.contains(line), "{line} is not in {derived}");
        assert!(printed(&check).contains(line), "{line} is not in {}{}", printed(&check), said(&check));
    }
    fs::write(&path, clean.bytes()).unwrap();
    fluxes(&case, &[]);
    let derived = Dataset::open(&case.out()).unwrap().attribute("derived").unwrap();
    assert!(!derived.contains("below 0"), "{derived}");
}
