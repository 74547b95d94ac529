//! `isobar pbl --at-once`: files that are read, computed and written part by part.

use std::path::Path;

use netcdf_reader::NcFile;

use crate::common::classic::{Case, Classic};
use crate::common::radiation_file::Numbers;
use crate::common::said;
use crate::{pbl, pbl_mesh_files, pbl_model_files};

const OPTIONS: [&str; 4] = ["--dt", "60", "--value", "roughness=0.25"];

/// All that a file has but for the command line: attributes, and the bits of all variables.
fn content(path: &Path) -> Vec<(String, Vec<u64>)> {
    let file = NcFile::open(path).unwrap();
    let attributes = file.global_attributes().unwrap().iter();
    let attributes = attributes.filter(|one| one.name != "history").map(|one| (format!("{one:?}"), Vec::new()));
    let mut all: Vec<_> = attributes.collect();
    for variable in file.variables().unwrap() {
        let values = file.read_variable_as_f64(&variable.name).unwrap();
        let bits = values.iter().map(|value| value.to_bits()).collect();
        all.push((format!("{} {:?}", variable.name, variable.attributes), bits));
    }
    all
}

/// The results of parts of these numbers of columns are those of the whole.
fn assert_same(file: &Classic, options: &[&str], columns: &[&str]) {
    let case = Case::of("pbl", &file.bytes());
    let run = |more: &[&str]| {
        let output = case.command(&[options, more].concat());
        assert!(output.status.success(), "{options:?} {more:?}: {}", said(&output));
        content(&case.out())
    };
    let whole = run(&[]);
    assert!(whole.len() > 15, "{whole:?}");
    for columns in columns {
        let parts = run(&["--at-once", columns]);
        assert!(parts == whole, "{options:?} {columns}: {parts:?}\n{whole:?}");
    }
}

#[test]
fn parts_have_the_bits_of_the_whole() {
    let surface = ["--surface", "revised-mm5", "--value", "moisture_availability=0.5"];
    let shin_hong = ["--scheme", "shinhong", "--grid-distance", "500", "--precision", "f32"];
    let (cam, _) = pbl_model_files::cam();
    for more in [&[][..], &["--steps", "3"], &surface, &[&surface[..], &["--steps", "2"]].concat(), &shin_hong] {
        assert_same(&cam, &[&OPTIONS, more].concat(), &["1", "4", "7"]);
    }
    // Winds stand on the faces of cells: of rows, of columns of a row.
    let (wrf, _) = pbl::wrf();
    for columns in [&["3"][..], &["1", "2"]] {
        assert_same(&wrf, &["--dt", "60"], columns);
    }
    let [mpas, ..] = pbl_mesh_files::mpas();
    assert_same(&mpas, &["--dt", "60"], &["1", "5"]);
}

/// Places in errors are the file's, and columns that fail have its numbers.
#[test]
fn places_are_those_of_the_whole() {
    let (mut file, _) = pbl_model_files::cam();
    let last = file.variable("TS").values.len() - 1;
    file.variable("T").values[last] = 500.0;
    let case = Case::of("pbl", &file.bytes());
    let whole = said(&case.command(&OPTIONS));
    assert!(whole.contains("T = 500 K at time 0, lev 1, lat"), "{whole}");
    let last_line = |text: &str| text.lines().last().map(str::to_owned);
    let parts = said(&case.command(&[&OPTIONS[..], &["--at-once", "1"]].concat()));
    assert_eq!(last_line(&parts), last_line(&whole));
    let output = case.command(&[&OPTIONS[..], &["--at-once", "2", "--keep-going"]].concat());
    assert!(said(&output).contains("1 of 12 columns left out") && output.status.code() == Some(3), "{}", said(&output));
    let status = Numbers::open(&case.out()).all("status");
    assert_eq!(status.iter().filter(|&&status| status != 0.0).count(), 1, "{status:?}");
    // After a step, too: the heat of a flux that no air bears.
    let (mut file, _) = pbl_model_files::cam();
    file.variable("SHFLX").values[10] = 19_000.0;
    let case = Case::of("pbl", &file.bytes());
    let options = [&OPTIONS[..2], &["--value", "roughness=0.25", "--steps", "400"]].concat();
    let whole = said(&case.command(&options));
    assert!(whole.contains("after ") && whole.contains("column 10"), "{whole}");
    assert_eq!(said(&case.command(&[&options[..], &["--at-once", "1"]].concat())), whole);
    let output = case.command(&[&OPTIONS[..], &["--at-once", "2", "--plot", "out.svg"]].concat());
    assert!(said(&output).contains("--plot: a plot shows all columns") && output.status.code() == Some(2));
}
