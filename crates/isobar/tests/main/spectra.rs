//! `isobar spectra`, with the made-up list of `data/spectra`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use crate::common::{Case, data, isobar, numbers, printed, said};
use isobar::line_by_line::curves::Nodes;
use isobar::line_by_line::k_distribution::{Column, Wanted, make};
use isobar::line_by_line::{Band, Curves, FilterOnGrid, Source};
use isobar_core::Real;
use isobar_io::netcdf::{DatasetWriter, OutputVariable};
use isobar_io::table::read_tables_netcdf;
use isobar_io::{Control, Shape, TableFile, read_table, read_table_file};
use isobar_launch::Device;
use isobar_spectra::lists::{ExoMol, ParOptions, read_exomol, read_par};
use isobar_spectra::{Air, Constants, Gas, Grid, Method, Options, PartitionSum};
use netcdf_reader::NcFile;
use tempfile::tempdir;

pub(crate) fn list() -> PathBuf {
    data().join("spectra/made-up.par")
}

/// The list with its partition sums, as words of a command.
pub(crate) fn sources(list: &Path) -> Vec<String> {
    let sum = data().join("spectra/made-up-q.txt");
    let mut words = vec!["--lines".to_owned(), list.display().to_string()];
    for molecule in 1..=3 {
        words.extend(["--partition".to_owned(), format!("{molecule}.1={}", sum.display())]);
    }
    words
}

/// Runs `isobar spectra` with the list, on the CPU.
pub(crate) fn spectra(command: &str, list: &Path, more: &str) -> Output {
    let mut words: Vec<String> = ["spectra", command].map(str::to_owned).to_vec();
    words.extend(sources(list));
    words.extend(["--device", "cpu", "--quiet"].map(str::to_owned));
    words.extend(more.split_whitespace().map(str::to_owned));
    isobar(&words)
}

pub(crate) fn done(output: &Output) {
    assert!(output.status.success(), "{}", said(output));
}

pub(crate) fn variable(path: &Path, name: &str) -> Vec<f64> {
    NcFile::open(path).unwrap().read_variable_as_f64(name).unwrap().into_iter().collect()
}

fn gas(molecule: u32) -> Gas {
    let (records, _) = read_par(&list(), ParOptions::default()).unwrap();
    Gas::from_records(&records, molecule, |_, _| PartitionSum::read(&data().join("spectra/made-up-q.txt"))).unwrap()
}

/// HITRAN has -1 where the energy of the lower state is unknown.
#[test]
fn lines_of_unknown_energy_are_left_out_if_asked_for() {
    let folder = tempdir().unwrap();
    let unknown = folder.path().join("unknown.par");
    let text = fs::read_to_string(list()).unwrap();
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let strongest = (0..lines.len()).max_by(|&a, &b| {
        let intensity = |i: usize| lines[i][15..25].trim().parse::<f64>().unwrap();
        intensity(a).total_cmp(&intensity(b))
    });
    let strongest = strongest.unwrap();
    lines[strongest].replace_range(45..55, "   -1.0000");
    fs::write(&unknown, lines.join("\n") + "\n").unwrap();
    let position: f64 = lines[strongest][3..15].trim().parse().unwrap();
    let (out, plain) = (folder.path().join("k.nc"), folder.path().join("plain.nc"));
    let words = |out: &Path| {
        let range = format!("{}:{}", position - 1.0, position + 1.0);
        format!("--range {range} --state 500,250,CO2=4e-4,H2O=1e-3,O3=1e-6 -o {}", out.display())
    };
    let refused = spectra("absorption", &unknown, &words(&out));
    assert!(refused.status.code() == Some(1) && said(&refused).contains("lower"), "{}", said(&refused));
    done(&spectra("absorption", &unknown, &(words(&out) + " --skip-unknown-energies")));
    done(&spectra("absorption", &list(), &words(&plain)));
    let largest = |path: &Path| variable(path, "absorption_coefficient").into_iter().fold(0.0, f64::max);
    assert!(largest(&out) < 0.9 * largest(&plain));
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

/// A list that is read window by window: the bits of the list that is read at once, of grids that need five and six
/// windows, with lines of three gases that end before and begin after it.
#[test]
fn windows_of_a_list_have_the_bits_of_the_list() {
    let folder = tempdir().unwrap();
    let out = folder.path().join("k.nc");
    let air = Air { pressure_hpa: 300.0, temperature_k: 250.0, mole_fraction: 0.0 };
    for (words, method, last) in
        [("--precision f64", Method::Tree, 802.0), ("--precision f32 --method exact", Method::Exact, 795.0)]
    {
        let grid = Grid::regular(778.0, last, 6.25e-5).unwrap();
        let words = format!("--range 778:{last} {words} --cut 2 --step 6.25e-5 --state 300,250 -o {}", out.display());
        done(&spectra("absorption", &list(), &words));
        for (molecule, name) in [(1, "h2o"), (2, "co2"), (3, "o3")] {
            let source = lines_of(molecule, Options { method, cut_per_cm: 2.0, ..Options::default() });
            let found = variable(&out, &format!("cross_section_{name}"));
            assert!(found.len() > 4 << 16);
            let at_once = match method {
                Method::Tree => source.cross_sections::<f64>(&[Device::Cpu], &grid, &[air], &|_| ()),
                Method::Exact => source.cross_sections::<f32>(&[Device::Cpu], &grid, &[air], &|_| ()),
            };
            assert!(found == at_once.unwrap()[0], "{name} {method:?}");
        }
    }
}

/// Lists of ExoMol in the commands: the lines of the library, two isotopologues with their abundances, and one error
/// with its place for what is wrong.
#[test]
fn lists_of_exomol_serve_the_commands() {
    let folder = tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    // All lines begin in the ground state: 787.25 cm^-1 and on in steps of 2.
    let above = (0..39).map(|i| format!("{} {}.25 {} {i}\n", i + 2, 787 + 2 * i, 2 * i + 1));
    let states = "1 0.0 1 0\n".to_owned() + &above.collect::<String>();
    for (stem, mass) in [("1A__B", 28.0), ("2A__B", 29.0)] {
        fs::write(path(&format!("{stem}.states")), &states).unwrap();
        fs::write(path(&format!("{stem}.pf")), "  100.0 34.0\n  296.0 100.0\n  400.0 136.0\n").unwrap();
        let def = format!(
            "EXOMOL.def # ID\n{mass} 4.6E-26 # Isotopologue mass (Da) and (kg)\n0.07 # Default value of Lorentzian \
             half-width for all lines (cm-1/bar)\n0.5 # Default value of temperature exponent for all lines\n"
        );
        fs::write(path(&format!("{stem}.def")), def).unwrap();
        // The second file ends at 700 cm^-1, and is not looked at for what lies above.
        let lines = |range: std::ops::Range<usize>| range.map(|i| format!("{i} 1 1.5\n")).collect::<String>();
        fs::write(path(&format!("{stem}__00750-01600.trans")), lines(2..41)).unwrap();
        fs::write(path(&format!("{stem}__00000-00700.trans")), "no number").unwrap();
    }
    fs::write(path("air.broad"), "a0 0.0800 0.60 0\na0 0.0500 0.40 30\n").unwrap();
    let stem = |stem: &str| path(stem).display().to_string();
    let both = format!("--exomol CO={} --exomol CO={},0.01", stem("1A__B"), stem("2A__B"));
    let broad = format!("--broad CO={}", stem("air.broad"));
    let run = |command: &str, more: &str| {
        let words = format!("spectra {command} --device cpu --quiet {more}");
        isobar(&words.split_whitespace().collect::<Vec<_>>())
    };
    let out = path("k.nc");
    let range = format!("--range 825:830 --state 500,250,CO=1e-3 -o {}", out.display());
    done(&run("absorption", &format!("{both} {broad} {range}")));
    let list = |name: &str, abundance| {
        let list = ExoMol::open("CO", &path(name)).unwrap();
        assert_eq!((list.default_width, list.transitions.len()), ((0.07, 0.5), 2));
        // What reaches the spectrum, and no more: groups of lines are summed together.
        let range_per_cm = (799.999, 855.001);
        read_exomol(&ExoMol { abundance, range_per_cm, broadening: Some(path("air.broad")), ..list }).unwrap().0
    };
    let gas = list("1A__B", 1.0).with(list("2A__B", 0.01));
    assert_eq!(gas.lines().len(), 2 * 27);
    let lines = Some(gas);
    let source =
        Source { name: "CO".into(), lines, options: Options::default(), cross_sections: None, water_continuum: None };
    let air = Air { pressure_hpa: 500.0, temperature_k: 250.0, mole_fraction: 1e-3 };
    let grid = Grid::regular(825.0, 830.0, 0.001).unwrap();
    let found = source.cross_sections::<f64>(&[Device::Cpu], &grid, &[air], &|_| ()).unwrap();
    assert!(found[0].iter().all(|sigma| *sigma > 0.0));
    assert!(variable(&out, "cross_section_co") == found[0]);
    let base = path("own").display().to_string();
    let tables = "--gas CO --nu 828 --pressures 10:1000:2 --temperatures 200:300:2 --step 0.001";
    done(&run("tables", &format!("{both} {tables} --base {base}")));
    assert_eq!(read_tables_netcdf(Path::new(&format!("{base}_CO.nc")), "CO").unwrap()[0].1.table.pressures.len(), 2);
    let info =
        isobar(&["spectra", "info", "--exomol", &format!("CO={}", stem("1A__B")), "--range", "800:2000", "--json"]);
    let told: serde_json::Value = serde_json::from_str(&printed(&info)).unwrap();
    assert_eq!((&told[0]["lines"], &told[0]["isotopologues"][0]["name"]), (&32.into(), &"CO (1A__B)".into()));
    fs::write(path("2A__B__00750-01600.trans"), "22 21 1.0\n23 99 1.0\n").unwrap();
    for (more, code, expected) in [
        (format!("{both} {range}"), 1, "2A__B__00750-01600.trans, line 2: the lower state '99' is not in"),
        (format!("--exomol CO={} {range} --state 500,900", stem("1A__B")), 1, "[K] is 900; accepted is 100 to 400"),
        (format!("--exomol CO={} {range}", stem("3A__B")), 1, "3A__B.def: No such file"),
        (format!("--exomol CO={},2 {range}", stem("1A__B")), 2, "the abundance is 2; accepted is (0, 1]"),
        (format!("--exomol CO={} --broad O3=x {range}", stem("1A__B")), 2, "there is no --exomol of this gas"),
    ] {
        let output = run("absorption", &more);
        assert_eq!(output.status.code(), Some(code), "{more}: {}", said(&output));
        assert!(said(&output).contains(expected), "{expected}: {}", said(&output));
    }
}

/// HITRANonline's table of the made-up CO2 lines gives the spectrum of the records, bit for bit; with line mixing,
/// where asked for, that of the library.
#[test]
fn tables_of_hitranonline_serve_as_lists() {
    let folder = tempdir().unwrap();
    let (path, out) = (folder.path().join("list.txt"), folder.path().join("k.nc"));
    let co2 = gas(2);
    let row = |line: &isobar_spectra::Line<f64>| {
        let isobar_spectra::Line { wavenumber_per_cm: nu, intensity, lower_energy_per_cm: energy, .. } = *line;
        let (air, own, n) = (line.air_width_per_cm_atm, line.self_width_per_cm_atm, line.air_exponent);
        let shift = line.air_shift_per_cm_atm;
        format!("2,1,{nu},{intensity:e},{air},{own},{energy},{n},{shift},0.05\n")
    };
    let names = "molec_id,local_iso_id,nu,sw,gamma_air,gamma_self,elower,n_air,delta_air,y_air\n";
    fs::write(&path, names.to_owned() + &co2.lines().iter().map(row).collect::<String>()).unwrap();
    let run = |more: &str| {
        let words = format!("--range 791:792 --state 500,250,CO2=4e-4 {more} -o {}", out.display());
        done(&spectra("absorption", &path, &words));
        variable(&out, "cross_section_co2")
    };
    let grid = Grid::regular(791.0, 792.0, 0.001).unwrap();
    let air = Air { pressure_hpa: 500.0, temperature_k: 250.0, mole_fraction: 4e-4 };
    let library = |gas: Gas, options: Options| {
        let source =
            Source { name: "CO2".into(), lines: Some(gas), options, cross_sections: None, water_continuum: None };
        source.cross_sections::<f64>(&[Device::Cpu], &grid, &[air], &|_| ()).unwrap().remove(0)
    };
    let plain = library(co2.clone(), Options::default());
    assert!(run("") == plain);
    let mixed = co2.lines().iter().map(|line| (isobar_spectra::Line { mixing_per_atm: 0.05, ..*line }, 0)).collect();
    let mixed = Gas::new("CO2", mixed, co2.isotopologues().to_vec()).unwrap();
    let mixed = library(mixed, Options { mixing: true, ..Options::default() });
    assert!(run("--line-mixing") == mixed && mixed != plain);
    let words = format!("--range 791:792 --state 500,250,CO2=4e-4 --line-mixing -o {}", out.display());
    let output = spectra("absorption", &path, &words);
    assert!(!said(&output).contains("line mixing"), "{}", said(&output));
    assert!(!said(&output).contains("--line-mixing has no effect"), "{}", said(&output));
    let output = spectra("absorption", &path, &words.replace("--line-mixing", ""));
    assert!(said(&output).contains("line mixing (column y_air), which counts only with --line-mixing"));
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
    assert_eq!(said(&output), "");
    // Beyond 200 and 300 K the nearest measurement counts: said, with a count.
    let absorption = |more: &str| {
        let words = format!("spectra absorption --device cpu --quiet --range 790:790.1 --step 0.05 -o {out} {more}");
        isobar(&words.split(' ').collect::<Vec<_>>())
    };
    let states = "--state 500,150,X=1e-3 --state 500,250,X=1e-3 --state 500,310,X=1e-3";
    let output = absorption(&format!("{states} --xsc X={xsc} --cia {cia}"));
    done(&output);
    let words = "2 of 3 temperatures (150.00 to 310.00 K) lie outside the 200 to 300 K measured from 790 to";
    assert_eq!(said(&output).matches(words).count(), 2, "{}", said(&output));
    assert!(["--xsc X: 2", "--cia N2-Air: 2"].iter().all(|what| said(&output).contains(what)), "{}", said(&output));
    // Headers of another gas: told where it may be another name, else refused.
    let output = absorption(&format!("--state 500,250,CFC-11=1e-3 --xsc CFC-11={xsc}"));
    done(&output);
    assert!(said(&output).contains("x.xsc: its header names X, whose cross-sections count as CFC-11's"));
    fs::write(path("o3.xsc"), header("CCl3F", 250.0, 3) + rows).unwrap();
    let file = path("o3.xsc");
    let output = absorption(&format!("--state 500,250,CFC-11=1e-3 --xsc CFC-11={file}"));
    assert_eq!(said(&output), "", "two names of one gas");
    fs::write(path("o3.xsc"), header("CO2", 250.0, 3) + rows).unwrap();
    let output = absorption(&format!("--state 500,250,O3=1e-3 --xsc O3={file}"));
    assert!(output.status.code() == Some(1) && said(&output).contains("o3.xsc: its header names CO2"));
}

/// A file of the water continuum with coefficients that are equal everywhere: the formula at each wavenumber, but for
/// the cubic through nodes of 10 cm^-1, whose error is that of nu tanh(c2 nu / 2 T), below 1e-9 here.
#[test]
fn a_water_continuum_of_the_user_is_added() {
    let folder = tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let write = |to: &Path, nodes: &[f64], texp: usize| {
        let mut file = DatasetWriter::create(to).unwrap();
        file.dimension("wavenumbers", nodes.len()).unwrap();
        file.dimension("other", texp).unwrap();
        let mut put = |name: &str, dimension: &str, values: &[f64]| {
            let variable = OutputVariable {
                name,
                dimensions: &[dimension],
                units: "1",
                long_name: name,
                standard_name: None,
                reference_name: None,
            };
            file.variable(&variable, values).unwrap();
        };
        put("wavenumbers", "wavenumbers", nodes);
        put("self_absco_ref", "wavenumbers", &vec![3e-24; nodes.len()]);
        put("for_absco_ref", "wavenumbers", &vec![2e-26; nodes.len()]);
        put("self_texp", "other", &vec![4.5; texp]);
        file.commit().unwrap();
    };
    let nodes: Vec<f64> = (-2..=100).map(|i| 10.0 * f64::from(i)).collect();
    write(&path("mt.nc"), &nodes, nodes.len());
    let with = |continuum: &str, out: &str| {
        let words = "--range 700:701 --step 0.1 --state 800,260,H2O=0.02";
        let files = format!("--water-continuum {} -o {}", path(continuum).display(), path(out).display());
        spectra("absorption", &list(), &format!("{words} {files}"))
    };
    done(&with("mt.nc", "k.nc"));
    let c2 = 1.438_776_877;
    for (i, got) in variable(&path("k.nc"), "cross_section_h2o").into_iter().enumerate() {
        // Made-up lines lie beyond 755 cm^-1.
        let nu = 700.0 + 0.1 * i as f64;
        let density = 800.0 / 1013.0 * (296.0 / 260.0);
        let both = 0.02 * 3e-24 * Real::powf(296.0 / 260.0, 4.5) + 0.98 * 2e-26;
        let expected = nu * Real::tanh(c2 * nu / 520.0) * density * both;
        assert!((got / expected - 1.0).abs() < 1e-8, "{nu}: {got:e} {expected:e}");
    }
    write(&path("short.nc"), &nodes, 7);
    assert!(said(&with("short.nc", "no.nc")).contains("short.nc: self_texp has 7 values, wavenumbers has 103"));
    let uneven: Vec<f64> = nodes.iter().map(|nu| if *nu == 50.0 { 51.0 } else { *nu }).collect();
    write(&path("uneven.nc"), &uneven, uneven.len());
    assert!(said(&with("uneven.nc", "no.nc")).contains("wavenumbers: 51 cm^-1 at index 7 is not equidistant"));
    fs::write(path("text.nc"), "no NetCDF").unwrap();
    assert!(said(&with("text.nc", "no.nc")).contains("text.nc: not a NetCDF file that can be read"));
    assert!(!path("no.nc").exists());
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
    // One odd record of 320 is said and left out, here and where the range lies elsewhere.
    let odd: [(String, &str); 3] = [
        (change(9, &|line| format!("99{}", &line[2..])), "1 line of an unknown molecule is left out"),
        (change(9, &|line| format!("{}9{}", &line[..2], &line[3..])), "1 line of an unknown molecule is left out"),
        (
            change(5, &|line| format!("{}-1.000E-23{}", &line[..15], &line[25..])),
            "1 line of negative intensity is left",
        ),
    ];
    for (content, expected) in odd {
        fs::write(&bad, content).unwrap();
        let output = spectra("absorption", &bad, &format!("{common} --json"));
        done(&output);
        assert!(said(&output).contains(expected), "{expected}: {}", said(&output));
        let told: serde_json::Value = serde_json::from_str(&printed(&output)).unwrap();
        let warnings = told["warnings"].as_array().unwrap();
        assert!(warnings.iter().any(|warning| warning.as_str().unwrap().starts_with(expected)), "{told}");
        let info = isobar(&["spectra", "info", bad.to_str().unwrap(), "--json"]);
        let told: serde_json::Value = serde_json::from_str(&printed(&info)).unwrap();
        assert!(told[0]["lines"] == 319 && told[0]["odd"][0].as_str().unwrap().starts_with(expected), "{told}");
        fs::remove_file(&out).unwrap();
    }
    let doppler = change(5, &|line| format!("{}.0000.0000{}", &line[..35], &line[45..]));
    fs::write(&bad, doppler).unwrap();
    let output = spectra("absorption", &bad, &common);
    done(&output);
    assert!(said(&output).contains("1 line without a width by air is taken as a Doppler line"), "{}", said(&output));
    fs::remove_file(&out).unwrap();
    let every = |from: usize, what: &str| {
        let changed = lines.iter().map(|line| format!("{}{what}{}", &line[..from], &line[from + what.len()..]));
        changed.collect::<Vec<_>>().join("\n")
    };
    let cases: [(String, &str); 4] = [
        (change(7, &|line| line[..90].to_owned()), "line 7: the record has 90 columns"),
        (every(0, "99"), "line 1: the molecule's number is 99"),
        (every(15, "-1.000E-23"), "line 1: the intensity is -1e-23"),
        (change(200, &|line| format!("{}  700.000000{}", &line[..3], &line[15..])), "line 200: the position 700 cm^-1"),
    ];
    for (content, expected) in cases {
        fs::write(&bad, content).unwrap();
        let output = spectra("absorption", &bad, &common);
        assert_eq!(output.status.code(), Some(1));
        assert!(said(&output).contains(&format!("{}, {expected}", bad.display())), "{expected}: {}", said(&output));
        assert!(!out.exists());
        let info = isobar(&["spectra", "info", bad.to_str().unwrap()]);
        assert_eq!(info.status.code(), Some(1));
        assert!(said(&info).contains(&format!("{}, {expected}", bad.display())), "{expected}: {}", said(&info));
    }
    let tables = |more: &str| {
        let words = format!("--gas CO2 --nu 791 --pressures 10:1000:2 --base {}", out.display());
        spectra("tables", &list(), &format!("{words} {more}"))
    };
    for (more, code, expected) in [
        ("--temperatures 200:900:2", 1, "[K] is 900; accepted is 40 to 800"),
        ("--least 0.9 --most 0.95", 2, "--most 0.95 lies outside [--factor x --least, 1)"),
        ("--factor 1", 2, "--factor 1 lies outside [1.0001, inf)"),
        ("--step 2", 1, "the step [cm^-1] is 2; accepted is one with a multiple from 790.5 to 791.5"),
    ] {
        let output = tables(more);
        assert_eq!(output.status.code(), Some(code), "{more}: {}", said(&output));
        assert!(said(&output).contains(expected), "{expected}: {}", said(&output));
    }
    for (more, code, expected) in [
        ("--state 500,20", 1, "accepted is 40 to 800"),
        ("--state 500,900", 1, "[K] is 900; accepted is 40 to 800"),
        ("--state 500,nothing", 2, "the temperature [K] is no number"),
        ("--state=-1,250", 2, "the pressure is -1 hPa; accepted is 0 or more"),
        ("--state 500,nan", 2, "the temperature is NaN K; accepted is more than 0"),
        ("--state 500,250,CO2=2", 2, "accepted is 0 to 1"),
        ("--cut 0", 2, "--cut 0 lies outside"),
        ("--state 500,250,C02=4e-4", 2, "no file has a gas C02; did you mean CO2?"),
        ("--state 500,250,CO2=4e-4,co2=1e-3", 2, "co2 is given twice"),
        ("--state 500,250,CO2=0.6,H2O=0.6", 2, "the mole fractions add up to 1.2; accepted is 0 to 1"),
        ("--partition 3.1=q.txt", 2, "--partition 3.1=q.txt: 3.1 is given twice"),
        ("--partition 2.40=q.txt", 2, "--partition 2.40=q.txt: the isotopologue of CO2 is 40; accepted is 1 to 12"),
        ("--partition 1=x", 2, "give molecule, isotopologue and file"),
        ("--xsc CO2", 2, "give gas and file"),
    ] {
        let output = spectra("absorption", &list(), &format!("{common} {more}"));
        assert_eq!(output.status.code(), Some(code), "{more}: {}", said(&output));
        assert!(said(&output).contains(expected), "{expected}: {}", said(&output));
    }
    // Ten tenths are 1, whatever their sum rounds to.
    let tenths = "--state 500,250,CO2=0.1,H2O=0.2,O3=0.7";
    done(&spectra("absorption", &list(), &format!("{common} {tenths}")));
    let path = list().display().to_string();
    let twice = spectra(
        "absorption",
        &list(),
        &format!("{common} --lines {}/../spectra/made-up.par", data().join("limb").display()),
    );
    assert_eq!(twice.status.code(), Some(2));
    assert!(said(&twice).contains("it is named twice, and would count twice"), "{}", said(&twice));
    let both = tables("--temperatures 200:300:2 --width 2 --filters x");
    assert!(both.status.code() == Some(2) && said(&both).contains("cannot be used with '--filters"), "{}", said(&both));
    // Options that change nothing are said.
    let q = data().join("spectra/made-up-q.txt");
    let idle = format!("{common} --line-mixing --partition 5.1={} --state 500,250,CH4=1e-6", q.display());
    let output = spectra("absorption", &list(), &idle);
    done(&output);
    for expected in [
        "--line-mixing has no effect: no list has it (HITRANonline's column y_air)",
        "--partition 5.1=",
        "CH4 absorbs nothing: no file has anything of it that counts from 790 to 792 cm^-1",
    ] {
        assert!(said(&output).contains(expected), "{expected}: {}", said(&output));
    }
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

/// Tables in every format hold the same numbers: those of the plain sum over the spectrum, within 1e-5 of the classes
/// and single precision, and in thinned ones what is left out lies within the stated error of the line.
#[test]
fn tables_in_every_format_hold_the_plain_sum() {
    let folder = tempdir().unwrap();
    let base = |name: &str| folder.path().join(name);
    // The third channel is too far away to have a spectrum with the others.
    let words = "--gas co2 --nu 791.5,792.5,799 --pressures 0.1:1000:5 --temperatures 200:300:3 --step 0.001";
    let make = |name: &str, more: &str| {
        let output = spectra("tables", &list(), &format!("{words} --base {} {more}", base(name).display()));
        done(&output);
        assert!(!base(&format!("{name}_co2.unfinished")).exists());
    };
    make("tab", "--format tab --rtol 0");
    make("bin", "--format bin --rtol 0");
    make("packed", "--format packed --rtol 0");
    make("nc", "--format nc --rtol 0");
    make("thin", "--format tab --rtol 1e-3");
    make("one", "--format bin --rtol 0 --threads 1");
    make("three", "--format bin --rtol 0 --threads 3");
    let in_file = read_tables_netcdf(&base("nc_co2.nc"), "co2").unwrap();
    for (number, nu) in [791.5, 792.5, 799.0].into_iter().enumerate() {
        let name = |kind: &str, ending: &str| base(&format!("{kind}_{nu:.4}_co2.{ending}"));
        let (whole, _) = read_table(&name("tab", "tab")).unwrap();
        assert_eq!(read_table(&name("bin", "bin")).unwrap().0, whole);
        // The same bits with any number of threads.
        let bytes = ["bin", "one", "three"].map(|kind| fs::read(name(kind, "bin")).unwrap());
        assert!(bytes[1] == bytes[0] && bytes[2] == bytes[0]);
        let TableFile { table, filter, .. } = read_table_file(&name("packed", "bin"), true).unwrap();
        assert_eq!((&in_file[number].1.table, Some(&in_file[number].1.filter)), (&table, filter.as_ref()));
        let shape = Shape { x: vec![nu - 0.5, nu + 0.5], y: vec![1.0, 1.0] };
        assert_eq!(filter, Some(shape.clone()));
        let filter = FilterOnGrid::new(&shape, 0.001).unwrap();
        let source = Source {
            name: "CO2".into(),
            lines: Some(gas(2)),
            options: Options::default(),
            cross_sections: None,
            water_continuum: None,
        };
        let (thin, _) = read_table(&name("thin", "tab")).unwrap();
        assert_eq!(whole.pressures.len(), 5);
        for (level, thin) in whole.pressures.iter().zip(&thin.pressures) {
            assert_eq!(level.curves.len(), 3);
            for (curve, thin) in level.curves.iter().zip(&thin.curves) {
                let air =
                    Air { pressure_hpa: level.pressure_hpa, temperature_k: curve.temperature_k, mole_fraction: 0.0 };
                let sigma = source.cross_sections::<f64>(&[Device::Cpu], &filter.grid, &[air], &|_| ()).unwrap();
                for (&u, &emissivity) in curve.column_per_cm2.iter().zip(&curve.emissivity) {
                    let each: Vec<f64> = sigma[0].iter().map(|sigma| -Real::exp_m1(-sigma * f64::from(u))).collect();
                    // The ends of a boxcar stand for half a step each.
                    let ends = 0.5 * (each[0] + each[each.len() - 1]);
                    let sum = (each.iter().sum::<f64>() - ends) / (each.len() - 1) as f64;
                    assert!((f64::from(emissivity) / sum - 1.0).abs() < 1e-5, "{air:?} {u:e}: {emissivity} {sum}");
                }
                assert!(thin.emissivity.len() * 2 < curve.emissivity.len(), "{}", thin.emissivity.len());
                let mut right = 1;
                for (&u, &emissivity) in curve.column_per_cm2.iter().zip(&curve.emissivity) {
                    while thin.column_per_cm2[right] < u {
                        right += 1;
                    }
                    let ln = |x: f32| Real::ln(f64::from(x));
                    let (x0, x1) = (ln(thin.column_per_cm2[right - 1]), ln(thin.column_per_cm2[right]));
                    let (y0, y1) = (ln(thin.emissivity[right - 1]), ln(thin.emissivity[right]));
                    let line = Real::exp(y0 + (y1 - y0) * (ln(u) - x0) / (x1 - x0));
                    // Logarithms in single precision are 2e-6 off at 40.
                    assert!((line / f64::from(emissivity) - 1.0).abs() < 1e-3 + 1e-5, "{air:?} {u:e}");
                }
            }
        }
    }
}

/// What is finished is not computed again, and only with the same options.
#[test]
fn tables_go_on_where_they_were_stopped() {
    let folder = tempdir().unwrap();
    let base = folder.path().join("own");
    let words = "--gas CO2 --nu 791.5 --pressures 1:1000:3 --temperatures 250:250:1 --step 0.001 --format tab --rtol 0";
    let run = |more: &str| spectra("tables", &list(), &format!("{words} --base {} {more}", base.display()));
    let nothing = run("--resume");
    assert!(said(&nothing).contains("nothing to go on with"), "{}", said(&nothing));
    // A folder in the way of the filter fails at the end, when all levels are kept.
    let filter = folder.path().join("own_791.5000.filt");
    fs::create_dir(&filter).unwrap();
    assert!(!run("").status.success());
    let kept = folder.path().join("own_CO2.unfinished");
    // The last emissivity of the second pressure becomes one that no spectrum gives.
    let level = kept.join("0_1.bin");
    let mut bytes = fs::read(&level).unwrap();
    let last = bytes.len() - 4;
    bytes[last..].copy_from_slice(&0.999_999_9_f32.to_le_bytes());
    fs::write(&level, bytes).unwrap();
    fs::remove_dir(&filter).unwrap();
    let other = run("--resume --fraction 0.1");
    assert!(said(&other).contains("of other files or options"), "{}", said(&other));
    done(&run("--resume"));
    assert!(!kept.exists());
    let (table, _) = read_table(&folder.path().join("own_791.5000_CO2.tab")).unwrap();
    assert_eq!(table.pressures[1].curves[0].emissivity.last(), Some(&0.999_999_9));
    assert!(table.pressures[2].curves[0].emissivity.last() < Some(&0.999_999_9));
}

/// Against the reference's tables, whose spectra are sums of profiles of 1e-13: 1e-4 of the emissivity.
#[test]
fn golden_tables() {
    let Some(root) = isobar_golden::find("spectra") else { return };
    let constants = Constants {
        second_radiation_cm_k: 1.438_802_849_664_225_7,
        boltzmann_j_per_k: 1.380_648_813e-23,
        light_m_per_s: 2.997_924_58e8,
        atomic_mass_kg: 1.660_538_73e-27,
    };
    let text = fs::read_to_string(root.join("partition_sums.txt")).unwrap();
    let names: Vec<&str> = text.lines().next().unwrap().split_whitespace().skip(1).collect();
    let sum = |molecule: u32, isotopologue: u32| {
        let column = names.iter().position(|name| *name == format!("Q_{molecule}_{isotopologue}")).unwrap();
        let rows = isobar_golden::rows(&root.join("partition_sums.txt"));
        PartitionSum::new("Q", &rows.iter().map(|row| (row[0], row[column])).collect::<Vec<_>>())
    };
    for (folder, molecule, list) in [("co2", 2, "co2_2380_2400.par"), ("h2o", 1, "h2o_2000_2100.par")] {
        let path = root.join("lines").join(list);
        let Ok((records, _)) = read_par(&path, ParOptions::default()) else { panic!("{}", path.display()) };
        let gas = Gas::from_records(&records, molecule, sum).unwrap();
        let name = gas.name().to_owned();
        let source = Source {
            name: name.clone(),
            lines: Some(gas),
            options: Options { constants, ..Options::default() },
            cross_sections: None,
            water_continuum: None,
        };
        let mut files = fs::read_dir(root.join(folder)).unwrap().map(|entry| entry.unwrap().path());
        let table = files.find(|path| path.extension().is_some_and(|ending| ending == "tab")).unwrap();
        let rows = isobar_golden::rows(&table);
        let text = table.to_str().unwrap().replace(&format!("_{name}.tab"), ".filt");
        let shape = isobar_io::read_shape(Path::new(&text)).unwrap();
        let filter = FilterOnGrid::new(&shape, 0.001).unwrap();
        let mut largest = 0.0_f64;
        for curve in rows.chunk_by(|a, b| a[..2] == b[..2]).step_by(7) {
            let air = Air { pressure_hpa: curve[0][0], temperature_k: curve[0][1], mole_fraction: 0.0 };
            let sigma = source.cross_sections::<f64>(&[Device::Cpu], &filter.grid, &[air], &|_| ()).unwrap();
            let band = Band::new(&filter, &sigma[0]);
            for row in curve {
                let got = band.emissivity(row[2]);
                largest = largest.max((got / row[3] - 1.0).abs());
                assert!((got / row[3] - 1.0).abs() < 1e-4, "{name} {air:?} {:e}: {got} {}", row[2], row[3]);
            }
            // The command's own nodes: the same curve.
            let curves = Curves::new(Nodes::default());
            let own = curves.curve(&curves.band(&filter.weights, &sigma[0]), air.temperature_k).unwrap();
            assert!(own.emissivity.len().abs_diff(curve.len()) <= 1, "{} {}", own.emissivity.len(), curve.len());
        }
        println!("{name}: the largest relative difference of an emissivity is {largest:.2e}");
    }
}

/// Makes tables of all gases for 792 cm^-1 beside a case and computes radiances by them and line by line: what they
/// are, `[ray]`, and transmittances.
fn both(case: &Case, folder: &str, temperatures: &str, keys: &str) -> [(Vec<f64>, Vec<f64>); 2] {
    let base = case.path("own");
    for gas in ["CO2", "H2O", "O3"] {
        let words = "--nu 792 --pressures 0.0103181:1017:21 --step 0.001 --rtol 0 --temperatures";
        let words = format!("--gas {gas} {words} {temperatures} --base {}", base.display());
        done(&spectra("tables", &list(), &words));
    }
    let file = |name: &str| case.path(&format!("{folder}/{name}")).display().to_string();
    let keys = format!("ND=1 TBLFMT=3 TBLBASE={} RAYDZ=1 RAYDS=20 {keys}", base.display());
    let (ctl, atm, obs) = (file(&format!("{folder}.ctl")), file("atm.tab"), file("obs.tab"));
    let case = format!("--ctl {ctl} --atm {atm} --obs {obs} --quiet --device cpu {keys}");
    let words = |text: String| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    done(&isobar(&words(format!("forward {case} -o {}", file("ega.tab")))));
    let own = sources(&list()).join(" ");
    let more = format!("--against {} --spectrum {}", file("ega.tab"), file("s.nc"));
    let output = isobar(&words(format!("lbl {case} {own} --step 0.001 {more} -o {}", file("lbl.tab"))));
    done(&output);
    assert!(printed(&output).contains("792.0000"), "{}", printed(&output));
    ["lbl.tab", "ega.tab"].map(|name| {
        let rows = isobar_golden::rows(Path::new(&file(name)));
        (rows.iter().map(|row| row[10]).collect(), rows.iter().map(|row| row[11]).collect())
    })
}

/// The repository's nadir case beside the limb case.
fn cases() -> Case {
    let case = Case::limb();
    fs::create_dir(case.path("nadir")).unwrap();
    for name in ["nadir.ctl", "atm.tab", "obs.tab"] {
        fs::copy(data().join("nadir").join(name), case.path(&format!("nadir/{name}"))).unwrap();
    }
    case
}

/// EGA with own tables against own radiances line by line: its error is as large as its authors report for real gases,
/// medians of up to 1.3 %, and no smaller than an approximation's.
#[test]
fn emissivity_growth_against_line_by_line() {
    let case = cases();
    for folder in ["limb", "nadir"] {
        let [(exact, _), (grown, _)] = both(&case, folder, "180:300:13", "");
        let most = exact.iter().copied().fold(0.0, f64::max);
        let mut errors: Vec<f64> = exact.iter().zip(&grown).map(|(a, b)| (b - a).abs() / most).collect();
        errors.sort_by(f64::total_cmp);
        let (median, largest) = (errors[errors.len() / 2], errors[errors.len() - 1]);
        assert!(median < 0.013 && largest > 1e-4, "{folder}: {median} {largest}");
        // The spectra's means by the filter, a boxcar, are the radiances: points at its ends stand for half a step.
        let spectra = variable(&case.path(&format!("{folder}/s.nc")), "radiance_792_0000");
        let points = spectra.len() / exact.len();
        assert_eq!(variable(&case.path(&format!("{folder}/s.nc")), "filter_792_0000"), vec![1.0; points]);
        for (ray, spectrum) in spectra.chunks(points).enumerate() {
            let ends = 0.5 * (spectrum[0] + spectrum[points - 1]);
            let mean = (spectrum.iter().sum::<f64>() - ends) / (points - 1) as f64;
            assert!((mean / exact[ray] - 1.0).abs() < 1e-13, "{folder} {ray}");
        }
    }
}

/// With thin gases of one temperature nothing is left to approximate but the tables' interpolation in pressure: EGA and
/// line by line agree. So do radiance and transmittance of a body of one temperature.
#[test]
fn thin_isothermal_gases_leave_nothing_to_approximate() {
    let case = cases();
    case.edit("limb/atm.tab", |text| {
        let row = |line: &str| {
            let words: Vec<&str> = line.split(' ').collect();
            if line.starts_with('#') || words.len() < 10 {
                return line.to_owned();
            }
            let thin = |word: &str| format!("{:e}", 1e-6 * word.parse::<f64>().unwrap());
            let [co2, h2o, o3] = [6, 7, 8].map(|i| thin(words[i]));
            format!("{} 250 {co2} {h2o} {o3} 0", words[..5].join(" "))
        };
        text.lines().map(row).collect::<Vec<_>>().join("\n") + "\n"
    });
    let continua = "CTM_CO2=0 CTM_H2O=0 CTM_N2=0 CTM_O2=0";
    let [(exact, passed), (grown, _)] = both(&case, "limb", "240:260:3", continua);
    let black = isobar_ega::planck::radiance(250.0, 792.0);
    for ((exact, grown), passed) in exact.iter().zip(&grown).zip(&passed) {
        assert!((grown / exact - 1.0).abs() < 2e-3, "{grown} {exact}");
        // Planck's function changes by 0.12 % to either end of the channel.
        assert!((exact / black / (1.0 - passed) - 1.0).abs() < 1.2e-3, "{exact} {passed}");
    }
}

/// A source of lines alone.
fn lines_of(molecule: u32, options: Options) -> Source {
    let gas = gas(molecule);
    Source { name: gas.name().into(), lines: Some(gas), options, cross_sections: None, water_continuum: None }
}

/// With a g-point for each wavenumber nothing is lost; with fewer the error is what is accepted; g-points emit together
/// what black bodies emit in the band, and the fluxes of the gases' absence are theirs.
#[test]
fn g_points_become_line_by_line() {
    let path = |name: &str| data().join("limb").join(name);
    let (control, _) = Control::read(&path("limb.ctl"), &[]).unwrap();
    let atmosphere = isobar_io::read_atmosphere(&path("atm.tab"), &control).unwrap();
    let column = Column::of(&atmosphere, Some(1));
    let sources: Vec<Source> = [2, 1, 3].map(|molecule| lines_of(molecule, Options::default())).into();
    let wanted = Wanted {
        bands: vec![[788.0, 792.0]],
        step_per_cm: 0.08,
        error_w_per_m2: 0.0,
        most: 1000,
        pressures_pa: vec![1e2, 1e3, 1e4, 1e5],
        temperatures_k: vec![200.0, 250.0, 300.0],
        water: vec![1e-4, 1e-2],
    };
    let make = |wanted: &Wanted| make::<f64>(&sources, &column, wanted, &[Device::Cpu], &|_| ()).unwrap();
    let (model, of) = make(&wanted);
    // Rounding of sums of 50 numbers, of 1.5 W/m^2 in all.
    assert!(of[0].points == 50 && of[0].error_w_per_m2 < 1e-13, "{} {}", of[0].points, of[0].error_w_per_m2);
    let planck = model.planck.unwrap();
    for (row, &t) in planck.irradiance.chunks(50).zip(&planck.temperature_k).step_by(40) {
        let nu = |i: u32| 788.0 + 0.08 * (f64::from(i) + 0.5);
        let black: f64 = (0..50).map(|i| isobar_ega::planck::radiance(t, nu(i)) * 0.08 * std::f64::consts::PI).sum();
        assert!((row.iter().sum::<f64>() / black - 1.0).abs() < 1e-12, "{t} K");
    }
    let mut before = f64::INFINITY;
    for (error_w_per_m2, least) in [(0.1, 2), (0.01, 5), (0.001, 10)] {
        let (model, of) = make(&Wanted { error_w_per_m2, ..wanted.clone() });
        assert!(of[0].error_w_per_m2 <= error_w_per_m2 && of[0].error_w_per_m2 < before, "{}", of[0].error_w_per_m2);
        assert!((least..50).contains(&of[0].points), "{}", of[0].points);
        assert_eq!((model.points, model.gases[1].absorption.len()), (of[0].points, 2 * 3 * 4 * of[0].points));
        before = of[0].error_w_per_m2;
    }
    let nothing = Column { mixing_ratio: vec![vec![0.0; 80]; 3], ..column.clone() };
    assert_eq!(nothing.pressure_pa.len(), 80);
    let (_, of) =
        isobar::line_by_line::k_distribution::make::<f64>(&sources, &nothing, &wanted, &[Device::Cpu], &|_| ())
            .unwrap();
    let up = &of[0].line_by_line.up;
    assert!(of[0].line_by_line.down.iter().all(|down| *down == 0.0) && up.iter().all(|flux| *flux == up[0]));
}

/// The file is one that `isobar longwave` reads, and its fluxes are those line by line but for the g-points' error and
/// that of tables which are linear in ln p and T.
#[test]
fn a_k_distribution_serves_the_long_wave() {
    let folder = tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let case = |name: &str| data().join("limb").join(name).display().to_string();
    let atmosphere = format!("--ctl {} --atm {}", case("limb.ctl"), case("atm.tab"));
    let run = |more: &str| spectra("kdist", &list(), &format!("{atmosphere} --step 0.005 -o {} {more}", path("k.nc")));
    let loud = |more: &str| {
        let mut all: Vec<String> = ["spectra", "kdist", "--device", "cpu"].map(str::to_owned).to_vec();
        all.extend(sources(&list()));
        all.extend(format!("{atmosphere} --step 0.005 -o {} {more}", path("k.nc")).split(' ').map(str::to_owned));
        let output = isobar(&all);
        done(&output);
        let text = printed(&output);
        let (_, after) = text.split_once("off by ").unwrap_or_else(|| panic!("{text}"));
        after.split(' ').next().unwrap().parse::<f64>().unwrap()
    };
    let fine = loud("--bands 788:790,790:792 --error 0.004 --most 64");
    // Both bands together, and tables: 1e-3 of 1.5 W/m^2.
    assert!(fine < 0.008 + 0.0015, "{fine}");
    let columns = data().join("radiation/columns.nc").display().to_string();
    let words = format!("longwave --kdist {} {columns} -o {} --device cpu --quiet", path("k.nc"), path("lw.nc"));
    done(&isobar(&words.split(' ').collect::<Vec<_>>()));
    assert!(variable(Path::new(&path("lw.nc")), "longwave_upward_flux").iter().all(|flux| *flux > 0.0 && *flux < 3.0));
    let coarse = loud("--bands 788:790,790:792 --error 0.004 --most 1");
    assert!(coarse > 5.0 * fine, "{coarse} {fine}");
    for (more, expected) in [
        ("--bands 792:788", "give two wavenumbers that ascend"),
        ("--bands 790:792,788:790", "they begin above 0 cm^-1 and ascend"),
        ("--bands 788:792 --most 0", "--most 0 lies outside"),
        ("--bands 788:792 --temperatures 200:300:1", "give the first, the last and how many"),
    ] {
        let output = run(more);
        assert_eq!(output.status.code(), Some(2), "{more}");
        assert!(said(&output).contains(expected), "{}", said(&output));
    }
}

/// Where no file has a gas it is transparent, and said to be; and what does not go together is refused.
#[test]
fn a_case_without_lines_is_transparent() {
    let case = Case::limb();
    let file = |name: &str| case.path(&format!("limb/{name}")).display().to_string();
    let continua = "CTM_CO2=0 CTM_H2O=0 CTM_N2=0 CTM_O2=0";
    let lbl = |more: &str| {
        let all = format!("--ctl {} --atm {} --obs {}", file("limb.ctl"), file("atm.tab"), file("obs.tab"));
        let all =
            format!("lbl {} {all} --device cpu --quiet -o {} {more}", sources(&list()).join(" "), file("lbl.tab"));
        isobar(&all.split(' ').collect::<Vec<_>>())
    };
    let output = lbl(&format!("ND=1 NU[0]=1043 --step 0.1 {continua}"));
    done(&output);
    assert!(said(&output).contains("no line that counts from"), "{}", said(&output));
    for gas in ["CO2", "H2O", "O3"] {
        let expected = format!("{gas} counts as transparent at 1043 cm^-1, for which no file has it");
        assert!(said(&output).contains(&expected), "{}", said(&output));
    }
    let rows = isobar_golden::rows(Path::new(&file("lbl.tab")));
    assert_eq!(rows.len(), 14);
    assert!(rows.iter().all(|row| row[10] == 0.0 && row[11] == 1.0));
    fs::remove_file(file("lbl.tab")).unwrap();
    let text = fs::read_to_string(file("obs.tab")).unwrap();
    let text: Vec<&str> = text.lines().filter(|line| !line.starts_with('#')).collect();
    let text = text.join("\n");
    let against = |name: &str, text: &str, expected: &str| {
        fs::write(file(name), text).unwrap();
        let output = lbl(&format!("ND=1 --step 0.1 --against {}", file(name)));
        assert!(output.status.code() == Some(1) && said(&output).contains(expected), "{name}: {}", said(&output));
    };
    let row = |height: f64, title: &str| {
        let rows = numbers(&text).into_iter().enumerate().map(|(i, row)| {
            let mut row = [&row[..7], &[row[4], row[5], row[6], 0.1, 0.5]].concat();
            row[4] += if i == 3 { height } else { 0.0 };
            row.iter().map(f64::to_string).collect::<Vec<_>>().join(" ")
        });
        format!("{title}\n{}\n", rows.collect::<Vec<_>>().join("\n"))
    };
    let all = row(0.0, "");
    let fewer = all.trim_end().rsplit_once('\n').unwrap().0;
    // Fewer rays, geometry alone, another ray, and what the header calls brightness temperatures.
    against("fewer.tab", fewer, "fewer.tab: --against: it has 13 rays, --obs has 14");
    let words = |line: &str| line.split_whitespace().take(7).collect::<Vec<_>>().join(" ");
    let geometry: Vec<String> = text.lines().map(words).collect();
    against("geometry.tab", &geometry.join("\n"), "column 8 (tangent point altitude) is missing");
    against("other.tab", &row(1.0, ""), "other.tab:5: --against: ray 3 is another: its view point altitude [km] is");
    let title = "# $11 = brightness temperature (792.0000 cm^-1) [K]";
    against("bright.tab", &row(0.0, title), "which WRITE_BBT = 0 does not ask for");
    let output = lbl(&format!("ND=1 --step 0.1 --spectrum {}", file("atm.tab")));
    assert!(said(&output).contains("would overwrite"), "{}", said(&output));
    let output = lbl("ND=1 --step 0");
    assert!(said(&output).contains("the step [cm^-1]"), "{}", said(&output));
    assert!(!Path::new(&file("lbl.tab")).exists());
}
