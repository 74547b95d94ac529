//! `isobar spectra`, with the made-up list of `data/spectra`.

#![cfg(feature = "cli")]

mod common;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use common::{data, isobar, printed, said};
use isobar::line_by_line::Source;
use isobar_launch::Device;
use isobar_spectra::lists::{ParOptions, read_par};
use isobar_spectra::{Air, Gas, Grid, Method, Options, PartitionSum};
use netcdf_reader::NcFile;
use tempfile::tempdir;

fn list() -> PathBuf {
    data().join("spectra/made-up.par")
}

/// The list with its partition sums, as words of a command.
fn sources(list: &Path) -> Vec<String> {
    let sum = data().join("spectra/made-up-q.txt");
    let mut words = vec!["--lines".to_owned(), list.display().to_string()];
    for molecule in 1..=3 {
        words.extend(["--partition".to_owned(), format!("{molecule}.1={}", sum.display())]);
    }
    words
}

/// Runs `isobar spectra` with the list, on the CPU.
fn spectra(command: &str, list: &Path, more: &str) -> Output {
    let mut words: Vec<String> = ["spectra", command].map(str::to_owned).to_vec();
    words.extend(sources(list));
    words.extend(["--device", "cpu", "--quiet"].map(str::to_owned));
    words.extend(more.split_whitespace().map(str::to_owned));
    isobar(&words)
}

fn done(output: &Output) {
    assert!(output.status.success(), "{}", said(output));
}

fn variable(path: &Path, name: &str) -> Vec<f64> {
    NcFile::open(path).unwrap().read_variable_as_f64(name).unwrap().into_iter().collect()
}

fn gas(molecule: u32) -> Gas {
    let records = read_par(&list(), ParOptions::default()).unwrap();
    Gas::from_records(&records, molecule, |_, _| PartitionSum::read(&data().join("spectra/made-up-q.txt"))).unwrap()
}

#[test]
fn info_counts_what_is_in_a_list() {
    let folder = tempdir().unwrap();
    let plot = folder.path().join("list.svg");
    let output =
        isobar(&["spectra", "info", &list().display().to_string(), "--json", "--plot", plot.to_str().unwrap()]);
    done(&output);
    let all: serde_json::Value = serde_json::from_str(&printed(&output)).unwrap();
    let found = &all[0];
    assert_eq!((&found["lines"], &found["isotopologues"][1]["lines"]), (&320.into(), &160.into()));
    let lines = gas(2);
    let sum: f64 = lines.lines().iter().map(|line| line.intensity).sum();
    let told = found["isotopologues"][1]["intensity_sum"].as_f64().unwrap();
    // Sums of 160 numbers in one order.
    assert_eq!(told, sum);
    let strong = lines.lines().iter().filter(|line| (1e-21..1e-20).contains(&line.intensity)).count();
    assert_eq!(found["isotopologues"][1]["lines_by_decade"]["-21"], strong);
    assert!(fs::read_to_string(plot).unwrap().starts_with("<svg"));
    let text = isobar(&["spectra", "info", &list().display().to_string(), "--range", "790:792"]);
    let inside = [1, 2, 3].iter().flat_map(|&molecule| gas(molecule).lines().to_vec());
    let count = inside.filter(|line| (790.0..=792.0).contains(&line.wavenumber_per_cm)).count();
    assert!(printed(&text).contains(&format!(": {count} lines\n")), "{}", printed(&text));
}

/// The command writes what the library computes, bit for bit, and the sum over gases.
#[test]
fn absorption_is_that_of_the_library() {
    let folder = tempdir().unwrap();
    let out = folder.path().join("k.nc");
    let states = "--state 500,250,CO2=4e-4,O3=1e-6 --state 10,220,CO2=4e-4";
    for (words, method) in [("--method exact", Method::Exact), ("--method tree", Method::Tree)] {
        done(&spectra("absorption", &list(), &format!("--range 790:792 {states} {words} -o {}", out.display())));
        let grid = Grid::regular(790.0, 792.0, 0.001).unwrap();
        let source = Source {
            name: "CO2".into(),
            lines: Some(gas(2)),
            options: Options { method, ..Options::default() },
            cross_sections: None,
            water_continuum: None,
        };
        let air = |pressure_hpa, temperature_k| Air { pressure_hpa, temperature_k, mole_fraction: 4e-4 };
        let airs = [air(500.0, 250.0), air(10.0, 220.0)];
        let found = source.cross_sections::<f64>(&[Device::Cpu], &grid, &airs, &|_| ()).unwrap();
        assert_eq!(variable(&out, "cross_section_co2"), found.concat());
        assert_eq!(variable(&out, "wavenumber"), grid.wavenumbers_per_cm());
        let (co2, o3) = (variable(&out, "cross_section_co2"), variable(&out, "cross_section_o3"));
        let total = variable(&out, "absorption_coefficient");
        let air = 500.0 * 1e-4 / (1.380_649e-23 * 250.0);
        for i in 0..grid.wavenumbers_per_cm().len() {
            let sum = air * (4e-4 * co2[i] + 1e-6 * o3[i]);
            // Rounding of a sum of two positive numbers.
            assert!((total[i] / sum - 1.0).abs() < 1e-14, "{i}");
        }
    }
}

/// An `.xsc`, a `.cia` and a continuum of simple values add what their formulas say.
#[test]
fn other_absorbers_are_added() {
    let folder = tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let header = |name: &str, t: f64, rows: usize| {
        format!("{name:>20}{:10.4}{:10.4}{rows:7}{t:7.2}{:6.1}{:10.3e}\n", 780.0, 800.0, 0.0, 1e-20)
    };
    let rows = "1.000E-20 1.000E-20 1.000E-20\n";
    fs::write(path("x.xsc"), header("X", 200.0, 3) + rows + &header("X", 300.0, 3) + &rows.replace('1', "3")).unwrap();
    let pair = |t: f64, k: f64| header("N2-Air", t, 2) + &format!("780.0 {k:e}\n800.0 {k:e}\n");
    fs::write(path("n2.cia"), pair(200.0, 2e-45) + &pair(300.0, 4e-45)).unwrap();
    let (xsc, cia, out) = (path("x.xsc"), path("n2.cia"), path("k.nc"));
    let words = format!("--range 790:790.1 --step 0.05 --state 500,250,X=1e-3 --xsc X={xsc} --cia {cia} -o {out}");
    let output = isobar(&format!("spectra absorption --device cpu --quiet {words}").split(' ').collect::<Vec<_>>());
    done(&output);
    let sigma = variable(Path::new(&out), "cross_section_x");
    let air = 500.0 * 1e-4 / (1.380_649e-23 * 250.0);
    let total = variable(Path::new(&out), "absorption_coefficient");
    for (sigma, total) in sigma.into_iter().zip(total) {
        assert!((sigma / 2e-20 - 1.0).abs() < 1e-14, "{sigma:e}");
        let expected = air * 1e-3 * 2e-20 + 3e-45 * air * air * 0.780_84;
        assert!((total / expected - 1.0).abs() < 1e-13, "{total:e}");
    }
}

#[test]
fn bad_input_is_refused_with_its_place() {
    let folder = tempdir().unwrap();
    let text = fs::read_to_string(list()).unwrap();
    let bad = folder.path().join("bad.par");
    let out = folder.path().join("k.nc");
    let common = format!("--range 790:792 --state 500,250 -o {}", out.display());
    let lines: Vec<&str> = text.lines().collect();
    let change = |number: usize, change: &dyn Fn(&str) -> String| {
        let changed = |(i, line): (usize, &&str)| if i + 1 == number { change(line) } else { (*line).to_owned() };
        lines.iter().enumerate().map(changed).collect::<Vec<_>>().join("\n")
    };
    let cases: [(String, &str); 6] = [
        (change(7, &|line| line[..90].to_owned()), "line 7: the record has 90 columns"),
        (change(9, &|line| format!("99{}", &line[2..])), "line 9: the molecule's number is 99"),
        (change(9, &|line| format!("{}9{}", &line[..2], &line[3..])), "line 9: the isotopologue of"),
        (change(5, &|line| format!("{}-1.000E-23{}", &line[..15], &line[25..])), "line 5: the intensity is -1e-23"),
        (change(5, &|line| format!("{}.0000{}", &line[..35], &line[40..])), "line 5: the width by air is 0"),
        (change(200, &|line| format!("{}  700.000000{}", &line[..3], &line[15..])), "line 200: the position 700 cm^-1"),
    ];
    for (content, expected) in cases {
        fs::write(&bad, content).unwrap();
        let output = spectra("absorption", &bad, &common);
        assert_eq!(output.status.code(), Some(1));
        assert!(said(&output).contains(&format!("{}, {expected}", bad.display())), "{expected}: {}", said(&output));
        assert!(!out.exists());
    }
    for (more, code, expected) in [
        ("--state 500,20", 1, "accepted is 40 to 800"),
        ("--state 500,nothing", 2, "the temperature [K] is no number"),
        ("--state 500,250,CO2=2", 2, "accepted is 0 to 1"),
        ("--cut 0", 2, "--cut 0 lies outside"),
        ("--partition 1=x", 2, "give molecule, isotopologue and file"),
        ("--xsc CO2", 2, "give gas and file"),
    ] {
        let output = spectra("absorption", &list(), &format!("{common} {more}"));
        assert_eq!(output.status.code(), Some(code), "{more}: {}", said(&output));
        assert!(said(&output).contains(expected), "{expected}: {}", said(&output));
    }
    let path = list().display().to_string();
    let words = format!("spectra absorption --device cpu --lines {path} {common}");
    let output = isobar(&words.split(' ').collect::<Vec<_>>());
    assert!(
        said(&output).contains("there is no partition sum of H2O (1H1H16O): --partition 1.1=FILE"),
        "{}",
        said(&output)
    );
    let output = spectra("absorption", &list(), &format!("{common} --step 0.01"));
    done(&output);
    assert!(said(&output).contains("larger than CO2's Doppler half width"), "{}", said(&output));
}
