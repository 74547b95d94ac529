//! `isobar radiation --samples`: columns that are drawn, with fluxes that are those of the drawn columns.

use std::path::Path;
use std::process::{Command, Output};

use crate::common::classic::Classic;
use crate::common::radiation_file::Numbers;
use crate::common::{data, said};

const LEVEL: &[&str] = &["level", "column"];
const LAYER: &[&str] = &["layer", "column"];
const COLUMN: &[&str] = &["column"];

const FLUXES: [&str; 4] =
    ["longwave_upward_flux", "longwave_downward_flux", "shortwave_upward_flux", "shortwave_downward_flux"];

/// Two columns of four layers from the top down, with a cloud in a part of a layer, and albedos of two bands or none.
fn columns(bands: bool) -> Classic {
    let twice = |values: &[f64]| values.iter().flat_map(|&value| [value, 0.99 * value]).collect::<Vec<_>>();
    let file = Classic {
        dimensions: vec![("column", 2), ("layer", 4), ("level", 5), ("shortwave_band", 32)],
        ..Classic::default()
    };
    let file = file
        .with("plev", LEVEL, "Pa", &twice(&[1e3, 2e4, 5e4, 8e4, 1e5]))
        .with("tlay", LAYER, "K", &twice(&[215.0, 240.0, 270.0, 285.0]))
        .with("tlev", LEVEL, "K", &twice(&[214.0, 222.0, 257.0, 278.0, 289.0]))
        .with("tsfc", COLUMN, "K", &[290.0, 285.0])
        .with("emis", COLUMN, "1", &[0.98, 0.96])
        .with("mu0", COLUMN, "1", &[0.7, 0.3])
        .with("h2o", LAYER, "mol mol-1", &twice(&[4e-6, 0.0003, 0.005, 0.01]))
        .with("o3", LAYER, "mol mol-1", &twice(&[4e-6, 8e-8, 4e-8, 3e-8]))
        .with("co2", &[], "1e-6", &[420.0])
        .with("ch4", &[], "1e-9", &[1900.0])
        .with("n2o", &[], "1e-9", &[335.0])
        .with("o2", &[], "1", &[0.209])
        .with("cloud_fraction", LAYER, "1", &twice(&[0.0, 0.5, 0.0, 0.0]))
        .with("ice_water_path", LAYER, "g m-2", &twice(&[0.0, 15.0, 0.0, 0.0]))
        .with("ice_radius", LAYER, "um", &twice(&[0.0, 30.0, 0.0, 0.0]))
        .with("liquid_water_path", LAYER, "g m-2", &[0.0; 8])
        .with("liquid_radius", LAYER, "um", &[10.0; 8]);
    if bands {
        let albedos: Vec<f64> = (0..64).map(|number| 0.1 + 0.01 * f64::from(number)).collect();
        file.with("albedo", &["shortwave_band", "column"], "1", &albedos)
    } else {
        file.with("albedo", COLUMN, "1", &[0.1, 0.3])
    }
}

fn isobar(folder: &Path, words: &[&str]) -> Output {
    let program =
        Command::new(env!("CARGO_BIN_EXE_isobar")).current_dir(folder).env("ISOBAR_DATA", data()).args(words).output();
    program.unwrap()
}

/// Runs `isobar radiation`, which has to go well.
fn radiation(folder: &Path, words: &[&str]) -> Numbers {
    let out = words.windows(2).find(|pair| pair[0] == "-o").unwrap()[1];
    let output = isobar(folder, &[&["radiation", "--device", "cpu"], words].concat());
    assert!(output.status.success(), "{words:?}: {}", said(&output));
    Numbers::open(&folder.join(out))
}

fn same(one: &Numbers, other: &Numbers, names: &[&str]) {
    for name in names {
        let bits = |file: &Numbers| file.all(name).iter().map(|value| value.to_bits()).collect::<Vec<_>>();
        assert_eq!(bits(one), bits(other), "{name}");
    }
}

#[test]
fn fluxes_are_those_of_the_columns_that_were_drawn() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    for bands in [false, true] {
        std::fs::write(here.join("in.nc"), columns(bands).bytes()).unwrap();
        for precision in ["f64", "f32"] {
            let gradient = ["--gradient", "toa_net", "--by", "h2o,temperature", "--precision", precision];
            let drawn = format!("drawn-{bands}-{precision}.nc");
            let vary =
                "temperature=3,h2o=0.4,surface_albedo_direct=0.5,ice_water_path=0.7,cosine_zenith=2,cloud_fraction=1";
            let draw = ["in.nc", "-o", &drawn, "--samples", "40", "--vary", vary];
            let samples = radiation(here, &[&draw[..], &gradient].concat());
            let again = radiation(here, &[&[&drawn[..], "-o", "again.nc"], &gradient[..]].concat());
            same(&samples, &again, &FLUXES);
            same(&samples, &again, &["toa_net_by_h2o", "toa_net_by_temperature", "shortwave_heating_rate", "pressure"]);
            // They differ from column to column, and between columns that were one.
            let up = samples.all("longwave_upward_flux");
            assert!((1..40).all(|column| up[column] != up[0]));
            assert!(samples.all("source_column").iter().all(|&source| [0.0, 1.0].contains(&source)));
            if bands {
                assert_eq!(samples.shape("surface_albedo_direct")[0], ("shortwave_band".to_owned(), 32));
            }
        }
    }
}

#[test]
fn nothing_changed_is_the_files_own() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    std::fs::write(here.join("in.nc"), columns(false).bytes()).unwrap();
    // Clouds of sub-columns are drawn for each sample.
    let sky = ["--solver", "tripleclouds", "--precision", "f64"];
    let own = radiation(here, &[&["in.nc", "-o", "own.nc"], &sky[..]].concat());
    let words = ["in.nc", "-o", "drawn.nc", "--samples", "9", "--vary", "temperature=0"];
    let drawn = radiation(here, &[&words, &sky[..]].concat());
    let sources = drawn.all("source_column");
    for name in FLUXES {
        let (own, drawn) = (own.all(name), drawn.all(name));
        for (number, value) in drawn.iter().enumerate() {
            assert_eq!(*value, own[number / 9 * 2 + sources[number % 9] as usize], "{name} {number}");
        }
    }
}

/// Levels without temperatures in the file follow its layers, and the drawn ones: the derivative by these has both
/// parts, and is that of a file with the drawn layers.
#[test]
fn temperatures_follow_drawn_ones_as_in_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let mut file = columns(false);
    file.variables.retain(|variable| variable.name != "tlev");
    let of = |name: &str, file: &Classic, more: &[&str]| {
        std::fs::write(here.join("in.nc"), file.bytes()).unwrap();
        let words = ["in.nc", "-o", name, "--no-clouds", "--precision", "f64"];
        radiation(here, &[&words, more].concat())
    };
    let by = ["--gradient", "toa_net", "--by", "temperature"];
    let column = |file: &Numbers, name: &str, [column, columns]: [usize; 2]| -> Vec<f64> {
        file.all(name).into_iter().skip(column).step_by(columns).collect()
    };
    let own = of("own.nc", &file, &by);
    let still = of("still.nc", &file, &[&by[..], &["--samples", "9", "--vary", "temperature=0"]].concat());
    for (sample, source) in still.all("source_column").into_iter().enumerate() {
        for name in ["toa_net_by_temperature", "longwave_upward_flux"] {
            let found = column(&still, name, [sample, 9]);
            assert_eq!(found, column(&own, name, [source as usize, 2]), "{name} {sample}");
        }
    }
    let drawn = of("drawn.nc", &file, &[&by[..], &["--samples", "9", "--vary", "temperature=5"]].concat());
    let sources = drawn.all("source_column");
    let samples = [0.0, 1.0].map(|source| sources.iter().position(|&of| of == source).unwrap());
    for (source, &sample) in samples.iter().enumerate() {
        for (layer, temperature) in column(&drawn, "temperature", [sample, 9]).into_iter().enumerate() {
            file.variable("tlay").values[2 * layer + source] = temperature;
        }
    }
    let near =
        |one: &[f64], other: &[f64]| one.iter().zip(other).all(|(a, b)| (a - b).abs() < 1e-9 * b.abs().max(1e-3));
    let again = of("again.nc", &file, &by);
    for (source, &sample) in samples.iter().enumerate() {
        for name in ["toa_net_by_temperature", "longwave_upward_flux"] {
            let [found, expected] = [column(&drawn, name, [sample, 9]), column(&again, name, [source, 2])];
            assert!(near(&found, &expected), "{name}: {found:?} {expected:?}");
        }
    }
    // What the flux at the top changes by, of each layer.
    for layer in 0..4 {
        let outgoing = [-0.01, 0.01].map(|change| {
            let mut file = file.clone();
            (0..2).for_each(|column| file.variable("tlay").values[2 * layer + column] += change);
            let changed = of("changed.nc", &file, &[]);
            let [long, short] = ["longwave_upward_flux", "shortwave_upward_flux"].map(|name| changed.all(name));
            [long[0] + short[0], long[1] + short[1]]
        });
        for (source, &sample) in samples.iter().enumerate() {
            let expected = (outgoing[0][source] - outgoing[1][source]) / 0.02;
            let found = column(&drawn, "toa_net_by_temperature", [sample, 9])[layer];
            assert!((found - expected).abs() < 2e-5 * expected.abs().max(0.1), "{layer}: {found} {expected}");
        }
    }
}

/// The other way round: layers follow the levels that a file has, and their temperatures are no inputs of it.
#[test]
fn layers_follow_drawn_levels() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let mut file = columns(false);
    file.variables.retain(|variable| variable.name != "tlay");
    std::fs::write(here.join("in.nc"), file.bytes()).unwrap();
    let words = ["in.nc", "-o", "drawn.nc", "--samples", "5", "--precision", "f64"];
    let drawn = radiation(here, &[&words[..], &["--gradient", "toa_net", "--by", "level_temperature"]].concat());
    let [levels, layers, pressures] =
        ["level_temperature", "temperature", "level_pressure"].map(|name| drawn.all(name));
    for at in 0..20 {
        let [above, below] = [at, at + 5].map(|level| pressures[level] / (pressures[at] + pressures[at + 5]));
        let mean = above * levels[at] + below * levels[at + 5];
        assert!((layers[at] - mean).abs() < 1e-10, "{at}: {} {mean}", layers[at]);
    }
    let words = ["radiation", "in.nc", "-o", "no.nc", "--samples", "5", "--gradient", "toa_net", "--by", "temperature"];
    let output = isobar(here, &words);
    let text = "the file has no temperature, which follows from level_temperature";
    assert!(output.status.code() == Some(2) && said(&output).contains(text), "{}", said(&output));
}

/// A refused command leaves nothing that keeps the corrected one from its work.
#[test]
fn what_is_refused_begins_no_list_of_parts() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    std::fs::write(here.join("in.nc"), columns(false).bytes()).unwrap();
    let longwave = data().join("radiation/ecckd-longwave-32.nc");
    let longwave = ["--kdist", longwave.to_str().unwrap()];
    let share = ["--rank", "0", "--ranks", "2"];
    let samples = ["--samples", "5"];
    for (divided, more, text) in [
        (&samples[..], &["--gradient", "toa_net", "--by", "warmth"][..], "there are no derivatives by it"),
        (&samples, &["--gradient", "toa_net", "--by", "co"], "nothing depends on it here"),
        (&samples, &["--gradient", "toa_net", "--by", "surface_pressure"], "--samples hold pressures"),
        (&samples, &[&longwave[..], &["--no-clouds", "--gradient", "toa_shortwave_up"]].concat(), "no short wave"),
        (&share, &["--gradient", "toa_net", "--by", "warmth"], "there are no derivatives by it"),
        (&share, &["--gradient", "toa_net", "--by", "surface_pressure"], "do not follow from it"),
    ] {
        let start = [&["radiation", "in.nc", "-o", "out.nc", "--device", "cpu"], divided].concat();
        let output = isobar(here, &[&start[..], more].concat());
        assert_eq!(output.status.code(), Some(2), "{more:?}: {}", said(&output));
        assert!(said(&output).contains(text), "{more:?}: {}", said(&output));
        assert!(["out.nc.parts", "out.nc.unfinished"].iter().all(|name| !here.join(name).exists()), "{more:?}");
    }
    radiation(here, &["in.nc", "-o", "out.nc", "--samples", "5", "--gradient", "toa_net", "--by", "h2o"]);
    // Inputs by other bands than fluxes, which one file cannot have.
    let banded = &["layer", "shortwave_band", "column"];
    let mut file = columns(false)
        .with("aerosol_optical_depth", banded, "1", &[0.1; 8])
        .with("aerosol_albedo", banded, "1", &[0.9; 8])
        .with("aerosol_asymmetry", banded, "1", &[0.7; 8]);
    file.dimensions.retain(|(name, _)| *name != "shortwave_band");
    file.dimensions.push(("shortwave_band", 1));
    std::fs::write(here.join("aerosol.nc"), file.bytes()).unwrap();
    let output = isobar(here, &["radiation", "aerosol.nc", "-o", "bands.nc", "--samples", "5", "--bands"]);
    assert!(output.status.code() == Some(2) && said(&output).contains("--bands: fluxes have"), "{}", said(&output));
    assert!(!here.join("bands.nc.parts").exists());
}

#[test]
fn parts_and_processes_draw_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    std::fs::write(here.join("in.nc"), columns(false).bytes()).unwrap();
    let of = |out: &str, more: &[&str]| {
        radiation(here, &[&["in.nc", "-o", out, "--samples", "25"], more].concat());
        Numbers::open(&here.join(out))
    };
    let whole = of("whole.nc", &[]);
    let names = [&FLUXES[..], &["h2o", "temperature", "level_temperature", "cosine_zenith", "source_column"]].concat();
    same(&whole, &of("parts.nc", &["--at-once", "7"]), &names);
    // One process, stopped after its part, and another that completes the file; then there is nothing left to do.
    let share = ["radiation", "in.nc", "-o", "shared.nc", "--samples", "25", "--at-once", "7", "--device", "cpu"];
    let first = isobar(here, &[&share[..], &["--rank", "0", "--ranks", "2"]].concat());
    assert!(first.status.success() && !here.join("shared.nc").exists(), "{}", said(&first));
    let second = isobar(here, &[&share[..], &["--rank", "1", "--ranks", "2"]].concat());
    assert!(second.status.success(), "{}", said(&second));
    same(&whole, &Numbers::open(&here.join("shared.nc")), &names);
    let third = isobar(here, &[&share[..], &["--rank", "1", "--ranks", "2"]].concat());
    assert!(said(&third).contains("all parts are there already"), "{}", said(&third));
    // Another seed, another spread, another correlation.
    for more in [["--seed", "2"], ["--vary", "h2o=0.1"], ["--correlation", "0.2"]] {
        let other = of(&format!("other{}.nc", more[0]), &more);
        assert_ne!(other.all("h2o"), whole.all("h2o"), "{more:?}");
    }
}

/// Each sample has sub-columns of clouds of its own, by a seed that depends on its number and on the seed of all.
#[test]
fn samples_see_clouds_of_their_own() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let mut file = columns(false);
    // Both columns in the same state, but for what no sub-column begins with.
    for name in ["plev", "tlay"] {
        let values = &mut file.variable(name).values;
        (0..values.len() / 2).for_each(|row| values[2 * row + 1] = values[2 * row]);
    }
    std::fs::write(here.join("in.nc"), file.bytes()).unwrap();
    let of = |out: &str, more: &[&str]| {
        let words = ["in.nc", "-o", out, "--vary", "emissivity=0", "--precision", "f64"];
        radiation(here, &[&words, more].concat())
    };
    let drawn = of("drawn.nc", &["--samples", "40"]);
    let distinct = |name: &str| {
        let mut values = drawn.all(name)[..40].to_vec();
        values.sort_by(f64::total_cmp);
        values.dedup();
        values.len()
    };
    assert_eq!((distinct("subcolumn_seed"), distinct("emissivity")), (40, 2));
    assert!(distinct("longwave_upward_flux") > 20, "{}", distinct("longwave_upward_flux"));
    let more = of("more.nc", &["--samples", "60", "--at-once", "7"]);
    for name in ["subcolumn_seed", "longwave_upward_flux"] {
        assert_eq!(more.all(name)[..40], drawn.all(name)[..40], "{name}");
    }
    assert_ne!(of("other.nc", &["--samples", "40", "--seed", "2"]).all("subcolumn_seed"), drawn.all("subcolumn_seed"));
    same(&drawn, &radiation(here, &["drawn.nc", "-o", "again.nc", "--precision", "f64"]), &FLUXES);
}

/// What has one band for each layer keeps it, and is read again.
#[test]
fn one_band_is_a_band() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let banded = &["layer", "shortwave_band", "column"];
    let mut file = columns(false)
        .with("aerosol_optical_depth", banded, "1", &[0.01, 0.02, 0.0, 0.0, 0.05, 0.04, 0.2, 0.1])
        .with("aerosol_albedo", banded, "1", &[0.9; 8])
        .with("aerosol_asymmetry", banded, "1", &[0.7; 8]);
    file.dimensions.retain(|(name, _)| *name != "shortwave_band");
    file.dimensions.push(("shortwave_band", 1));
    std::fs::write(here.join("in.nc"), file.bytes()).unwrap();
    let drawn = radiation(here, &["in.nc", "-o", "drawn.nc", "--samples", "5", "--precision", "f64"]);
    assert_eq!(drawn.shape("aerosol_optical_depth")[1], ("shortwave_band".to_owned(), 1));
    let again = radiation(here, &["drawn.nc", "-o", "again.nc", "--precision", "f64"]);
    same(&drawn, &again, &FLUXES);
}

/// The seed is that of samples, whatever clouds make of it.
#[test]
fn seeds_draw_samples_of_any_sky() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    std::fs::write(here.join("in.nc"), columns(false).bytes()).unwrap();
    for sky in [&["--no-clouds"][..], &["--solver", "tripleclouds"]] {
        let of = |out: &str, seed: &str| {
            radiation(here, &[&["in.nc", "-o", out, "--samples", "9", "--seed", seed], sky].concat())
        };
        let [one, again, other] = [("1.nc", "5"), ("2.nc", "5"), ("3.nc", "6")].map(|(out, seed)| of(out, seed));
        same(&one, &again, &["h2o", "longwave_upward_flux"]);
        assert_ne!(one.all("h2o"), other.all("h2o"), "{sky:?}");
        [1, 2, 3].iter().for_each(|n| {
            ["nc", "nc.parts"]
                .iter()
                .for_each(|ending| std::fs::remove_file(here.join(format!("{n}.{ending}"))).unwrap());
        });
    }
}

/// As many as `isobar radiation` of the drawn columns says, in its words, whatever parts and processes there are.
#[test]
fn what_lies_outside_of_the_tables_is_counted() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    std::fs::write(here.join("in.nc"), columns(false).bytes()).unwrap();
    let line = |words: &[&str]| {
        let output = isobar(here, &[&["radiation", "--device", "cpu", "--precision", "f64"], words].concat());
        assert!(output.status.success(), "{words:?}: {}", said(&output));
        let said = said(&output);
        let mut lines = said.lines().filter(|line| line.contains("lie outside of the tables")).map(str::to_owned);
        let first = lines.next();
        assert_eq!(lines.next(), None, "{said}");
        first
    };
    let wide = ["--samples", "40", "--vary", "temperature=60"];
    let drawn = line(&[&["in.nc", "-o", "drawn.nc"][..], &wide].concat()).unwrap();
    assert!(drawn.contains(" column ") && drawn.contains("left as they are"), "{drawn}");
    assert_eq!(line(&["drawn.nc", "-o", "again.nc"]).unwrap(), drawn);
    // In parts, of a file too, the first is that of the first part that has one.
    let count = |line: Option<String>| line.unwrap().split("; the first: ").next().unwrap().to_owned();
    let all = count(Some(drawn.clone()));
    assert_eq!(count(line(&[&["in.nc", "-o", "parts.nc", "--at-once", "7"][..], &wide].concat())), all);
    assert_eq!(count(line(&["drawn.nc", "-o", "parts-again.nc", "--at-once", "7"])), all);
    // Two processes: the one that completes the file says it of all.
    let share = [&["in.nc", "-o", "shared.nc", "--at-once", "7"][..], &wide].concat();
    assert_eq!(line(&[&share[..], &["--rank", "0", "--ranks", "2"]].concat()), None);
    assert_eq!(count(line(&[&share[..], &["--rank", "1", "--ranks", "2"]].concat())), all);
    // Brought to the ends of the tables they are the columns that are written, which lie within.
    let clamped = line(&[&["in.nc", "-o", "clamped.nc", "--outside", "clamp"][..], &wide].concat()).unwrap();
    assert_eq!(clamped, drawn.replace("left as they are", "clamped"));
    assert_eq!(line(&["clamped.nc", "-o", "clamped-again.nc"]), None);
    same(&Numbers::open(&here.join("clamped.nc")), &Numbers::open(&here.join("clamped-again.nc")), &FLUXES);
    // As little as a file's are they accepted where they are an error.
    let refused = isobar(here, &[&["radiation", "in.nc", "-o", "no.nc", "--outside", "error"][..], &wide].concat());
    assert!(!refused.status.success() && !here.join("no.nc").exists());
    assert!(said(&refused).contains("--samples: ") && said(&refused).contains("which the tables are"));
    assert_eq!(line(&["in.nc", "-o", "narrow.nc", "--samples", "9"]), None);
}

#[test]
fn columns_that_are_not_drawn_of_are_counted() {
    let folder = tempfile::tempdir().unwrap();
    let mut file = columns(false);
    file.variable("tsfc").values[1] = 9000.0;
    std::fs::write(folder.path().join("in.nc"), file.bytes()).unwrap();
    let words = ["radiation", "in.nc", "-o", "out.nc", "--samples", "9", "--keep-going", "--quiet"];
    let output = isobar(folder.path(), &words);
    let text = "1 of 2 columns cannot be computed, and none is drawn of them; the first: tsfc = 9000";
    assert!(said(&output).contains(text) && output.status.success(), "{}", said(&output));
    assert_eq!(Numbers::open(&folder.path().join("out.nc")).all("source_column"), [0.0; 9]);
}

#[test]
fn what_cannot_be_drawn_is_one_error() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    std::fs::write(here.join("in.nc"), columns(false).bytes()).unwrap();
    let refused = |words: &[&str], text: &str| {
        let output = isobar(here, &[&["radiation", "in.nc", "-o", "out.nc"], words].concat());
        assert_eq!(output.status.code(), Some(2), "{words:?}: {}", said(&output));
        assert!(said(&output).contains(text) && !here.join("out.nc").exists(), "{words:?}: {}", said(&output));
    };
    refused(&["--vary", "h2o=0.1"], "--samples");
    refused(&["--samples", "0"], "--samples");
    refused(&["--samples", "3", "--vary", "h2o"], "not of the form NAME=SPREAD");
    refused(&["--samples", "3", "--vary", "h2o=-1"], "at least 0");
    refused(&["--samples", "3", "--vary", "level_pressure=1"], "what can be: temperature,");
    refused(&["--samples", "3", "--vary", "co=1"], "--vary co: the columns have none");
    refused(&["--samples", "3", "--plot", "a.svg"], "--samples divides");
}
