//! Every option of `isobar radiation`, `longwave` and `shortwave`: it changes what comes out, or is refused or said to
//! have no effect. An option that is ignored fails here, and so does one that is in no table.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::common::classic::Classic;
use crate::common::longwave::kdist as rrtmg;
use crate::common::radiation_file::Numbers;
use crate::common::{data, printed, said};
use isobar_io::{KDistributionAttributes, read_cloud_tables, write_cloud_tables};

const LEVEL: &[&str] = &["level", "column"];
const LAYER: &[&str] = &["layer", "column"];
const COLUMN: &[&str] = &["column"];

/// Two columns of four layers, without clouds.
fn clear() -> Classic {
    let twice = |values: &[f64]| values.iter().flat_map(|&value| [value, 0.99 * value]).collect::<Vec<_>>();
    Classic { dimensions: vec![("column", 2), ("layer", 4), ("level", 5)], ..Classic::default() }
        .with("plev", LEVEL, "Pa", &twice(&[1e5, 8e4, 5e4, 2e4, 1e3]))
        .with("play", LAYER, "Pa", &twice(&[9e4, 6.4e4, 3.4e4, 9e3]))
        .with("tlay", LAYER, "K", &twice(&[285.0, 270.0, 240.0, 215.0]))
        .with("tlev", LEVEL, "K", &twice(&[289.0, 278.0, 257.0, 222.0, 214.0]))
        .with("tsfc", COLUMN, "K", &[290.0, 285.0])
        .with("emis", COLUMN, "1", &[0.98, 0.96])
        .with("mu0", COLUMN, "1", &[0.7, 0.3])
        .with("albedo", COLUMN, "1", &[0.1, 0.3])
        .with("h2o", LAYER, "mol mol-1", &twice(&[0.01, 0.005, 0.0003, 4e-6]))
        .with("o3", LAYER, "mol mol-1", &twice(&[3e-8, 4e-8, 8e-8, 4e-6]))
        .with("co2", &[], "1e-6", &[420.0])
        .with("ch4", &[], "1e-9", &[1900.0])
        .with("n2o", &[], "1e-9", &[335.0])
        .with("o2", &[], "1", &[0.209])
}

/// A value for each layer, in both columns.
fn layers(values: [f64; 4]) -> Vec<f64> {
    values.iter().flat_map(|&value| [value; 2]).collect()
}

/// With droplets in the two lower layers and ice in the third, each in part of a layer.
fn cloudy() -> Classic {
    clear()
        .with("cloud_fraction", LAYER, "1", &layers([0.4, 0.6, 0.5, 0.0]))
        .with("liquid_water_path", LAYER, "g m-2", &layers([20.0, 30.0, 0.0, 0.0]))
        .with("ice_water_path", LAYER, "g m-2", &layers([0.0, 0.0, 15.0, 0.0]))
        .with("liquid_radius", LAYER, "um", &layers([10.0; 4]))
        .with("ice_size", LAYER, "um", &layers([60.0; 4]))
}

fn without(mut file: Classic, names: &[&str]) -> Classic {
    file.variables.retain(|variable| !names.contains(&variable.name));
    file
}

fn with(mut file: Classic, name: &str, values: Vec<f64>) -> Classic {
    file.variable(name).values = values;
    file
}

/// The files of all tables below, and of options.
struct Files(tempfile::TempDir);

impl Files {
    fn new() -> Self {
        let files = Self(tempfile::tempdir().unwrap());
        let rain = |file: Classic| {
            file.with("rwp", LAYER, "g m-2", &layers([50.0, 0.0, 0.0, 0.0])).with(
                "rain_radius",
                LAYER,
                "um",
                &layers([300.0; 4]),
            )
        };
        let snow = |file: Classic| {
            file.with("swp", LAYER, "g m-2", &layers([0.0, 0.0, 20.0, 0.0])).with(
                "snow_size",
                LAYER,
                "um",
                &layers([90.0; 4]),
            )
        };
        for (name, file) in [
            ("clear", clear()),
            ("cloudy", cloudy()),
            ("overcast", with(cloudy(), "cloud_fraction", layers([0.0, 1.0, 1.0, 0.0]))),
            ("liquid", without(cloudy(), &["ice_water_path", "ice_size"])),
            ("icy", without(cloudy(), &["liquid_water_path", "liquid_radius"])),
            ("unknown", without(cloudy(), &["cloud_fraction"])),
            ("overlapping", cloudy().with("overlap_parameter", &["layer_interface", "column"], "1", &[0.3; 6])),
            ("rainy", rain(cloudy())),
            ("snowy", snow(cloudy())),
            ("lacking", without(clear(), &["n2o", "co2"])),
            ("cold", with(clear(), "tsfc", vec![100.0, 285.0])),
            ("chilly", with(clear(), "tlay", layers([285.0, 270.0, 150.0, 215.0]))),
        ] {
            let mut file = file;
            if name == "overlapping" {
                file.dimensions.push(("layer_interface", 3));
            }
            std::fs::write(files.path(&format!("{name}.nc")), file.bytes()).unwrap();
        }
        // Tables of clouds with three kinds of ice, and without rain.
        for wave in ["longwave", "shortwave"] {
            let mut tables = read_cloud_tables(Path::new(&clouds(wave))).unwrap();
            let ice = tables.ice[0].clone();
            for factor in [0.9, 0.8] {
                let mut other = ice.clone();
                other.extinction.iter_mut().for_each(|value| *value *= factor);
                tables.ice.push(other);
            }
            tables.rain = None;
            let path = files.path(&format!("{wave}-rough.nc"));
            write_cloud_tables(&path, &tables, &KDistributionAttributes::default()).unwrap();
        }
        files
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Runs a command; words `K`, `C`, `R` and `RRTMG` in options stand for files.
    fn run(&self, command: &str, file: &str, options: &str, out: &str) -> (Output, PathBuf) {
        let out = self.path(out);
        std::fs::remove_file(&out).ok();
        let wave = if command == "longwave" { "longwave" } else { "shortwave" };
        let word = |word: &str| match word {
            "K" => data().join("radiation").join(format!("ecckd-{wave}-32.nc")).to_str().unwrap().to_owned(),
            "C" => clouds(wave),
            "R" => self.path(&format!("{wave}-rough.nc")).to_str().unwrap().to_owned(),
            "RRTMG" => rrtmg(),
            other => other.to_owned(),
        };
        let output = Command::new(env!("CARGO_BIN_EXE_isobar"))
            .args([command, &format!("{file}.nc"), "--quiet", "--device", "cpu", "-o"])
            .arg(&out)
            .args(options.split_whitespace().map(word))
            .current_dir(self.0.path())
            .env("ISOBAR_DATA", data())
            .output()
            .unwrap();
        (output, out)
    }
}

/// Where the file says how clouds overlap, thicknesses of layers count for nothing: they are not read, which is said.
#[test]
fn thickness_beside_an_overlap_is_not_read() {
    let files = Files::new();
    let mut file = cloudy().with("overlap_parameter", &["layer_interface", "column"], "1", &[0.3; 6]).with(
        "thickness",
        LAYER,
        "m",
        &layers([700.0; 4]),
    );
    file.dimensions.push(("layer_interface", 3));
    std::fs::write(files.path("both.nc"), file.bytes()).unwrap();
    let run = |name: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_isobar"));
        command.args(["radiation", name, "-o", "out.nc", "--device", "cpu", "--overlap", "exponential"]);
        command.current_dir(files.0.path()).env("ISOBAR_DATA", data()).output().unwrap()
    };
    let output = run("both.nc");
    assert!(output.status.success() && said(&output).contains("not read: thickness"), "{}", said(&output));
    let up = || Numbers::open(&files.path("out.nc")).all("shortwave_upward_flux");
    let both = up();
    assert!(!said(&run("overlapping.nc")).contains("thickness"));
    assert_eq!(both, up());
}

/// Tables of clouds that come with the program.
fn clouds(wave: &str) -> String {
    data().join("radiation").join(format!("ecckd-{wave}-32-clouds.nc")).to_str().unwrap().to_owned()
}

/// What an option does.
enum Effect {
    /// This result is another one.
    Changes(&'static str),
    /// This result is there with it alone.
    Adds(&'static str),
    /// Without it the file is refused with these words.
    Permits(&'static str),
    /// A warning with these words, and results stay.
    Said(&'static str),
    /// Exit 2 with these words.
    Refused(&'static str),
}
use Effect::{Adds, Changes, Permits, Refused, Said};

const UP: &str = "shortwave_upward_flux";
const LONG: &str = "longwave_upward_flux";

/// Command, columns, options that stay, the option, its effect.
type Row = (&'static str, &'static str, &'static str, &'static str, Effect);

const OF_TABLES: &[Row] = &[
    ("shortwave", "cloudy", "--kdist K --no-clouds", "--clouds C", Said("--clouds has no effect: --no-clouds leaves")),
    ("shortwave", "cloudy", "--kdist K", "--no-clouds", Permits("no tables of clouds")),
    ("shortwave", "cloudy", "--kdist K", "--clouds C", Permits("no tables of clouds")),
    ("shortwave", "cloudy", "", "--solver tripleclouds", Changes(UP)),
    ("shortwave", "cloudy", "", "--overlap random", Changes(UP)),
    ("shortwave", "cloudy", "--overlap exponential", "--decorrelation 100", Changes(UP)),
    ("shortwave", "cloudy", "", "--seed 7", Changes(UP)),
    ("shortwave", "cloudy", "", "--delta-scaling mixture", Changes(UP)),
    ("shortwave", "cloudy", "", "--precision f32", Changes(UP)),
    ("shortwave", "cloudy", "", "--clear-sky", Adds("shortwave_upward_flux_clear")),
    ("shortwave", "clear", "", "--bands", Adds("shortwave_upward_flux_by_band")),
    ("shortwave", "clear", "", "--gas co2=8e-4", Changes(UP)),
    ("shortwave", "unknown", "", "--cloud-fraction 0.5", Changes(UP)),
    ("shortwave", "lacking", "--gas co2=4e-4", "--assume-zero", Permits("gases are missing: n2o")),
    ("shortwave", "cloudy", "--kdist K --clouds R", "--roughness rough", Changes(UP)),
    ("shortwave", "rainy", "--kdist K --clouds R", "--rain-as-liquid", Permits("have none of rain")),
    ("shortwave", "snowy", "", "--snow-as-ice", Permits("have none of snow")),
    ("shortwave", "clear", "", "--top-layer", Changes(UP)),
    ("longwave", "clear", "", "--angles 3", Changes(LONG)),
    ("longwave", "cloudy", "", "--longwave-scattering rescaled", Changes(LONG)),
    ("longwave", "clear", "", "--derivative", Adds("longwave_upward_flux_derivative")),
    ("longwave", "cold", "", "--outside clamp", Permits("tsfc = 100 at column 0 is not in [120, 350] K")),
    ("longwave", "lacking", "--gas n2o=3e-7", "--gas co2=4e-4", Permits("gases are missing: co2")),
    // Without effect: the command line tells.
    (
        "shortwave",
        "cloudy",
        "",
        "--decorrelation 100",
        Refused("--decorrelation has no effect: it is of --overlap exp"),
    ),
    ("shortwave", "cloudy", "--overlap exponential", "--decorrelation nan", Refused("not a number in (0, inf)")),
    ("shortwave", "cloudy", "--overlap exponential", "--decorrelation 0", Refused("not a number in (0, inf)")),
    ("shortwave", "cloudy", "--solver tripleclouds", "--seed 7", Refused("--seed has no effect: random numbers are")),
    ("shortwave", "cloudy", "--no-clouds", "--solver tripleclouds", Refused("--solver has no effect: --no-clouds")),
    ("shortwave", "cloudy", "--no-clouds", "--overlap exponential", Refused("--overlap has no effect: --no-clouds")),
    ("shortwave", "cloudy", "--no-clouds", "--seed 7", Refused("--seed has no effect: --no-clouds")),
    ("shortwave", "cloudy", "--no-clouds", "--roughness rough", Refused("--roughness has no effect: --no-clouds")),
    ("shortwave", "cloudy", "--no-clouds", "--rain-and-snow", Refused("--rain-and-snow has no effect: --no-clouds")),
    ("shortwave", "cloudy", "--no-clouds", "--rain-as-liquid", Refused("--rain-as-liquid has no effect: --no-clouds")),
    ("shortwave", "cloudy", "--no-clouds", "--snow-as-ice", Refused("--snow-as-ice has no effect: --no-clouds")),
    ("shortwave", "cloudy", "--no-clouds", "--cloud-fraction 0.5", Refused("cannot be used with")),
    ("shortwave", "clear", "--gas co2=4e-4", "--gas CO2=5e-4", Refused("--gas co2 is given twice")),
    // The columns tell.
    ("longwave", "clear", "", "--solver tripleclouds", Said("--solver has no effect: the sky is clear")),
    ("longwave", "clear", "", "--overlap random", Said("--overlap has no effect: the sky is clear")),
    ("longwave", "clear", "--overlap exponential", "--decorrelation 9", Said("--decorrelation has no effect: the sky")),
    ("longwave", "clear", "", "--seed 7", Said("--seed has no effect: the sky is clear")),
    ("longwave", "clear", "", "--cloud-fraction 0.5", Said("--cloud-fraction has no effect: the sky is clear")),
    ("longwave", "clear", "", "--roughness rough", Said("--roughness has no effect: the sky is clear")),
    (
        "longwave",
        "clear",
        "",
        "--rain-and-snow",
        Said("--rain-and-snow has no effect: rain and snow of a file that is"),
    ),
    ("longwave", "clear", "", "--rain-as-liquid", Said("--rain-as-liquid has no effect: there is no rain")),
    ("longwave", "clear", "", "--snow-as-ice", Said("--snow-as-ice has no effect: there is no snow")),
    ("longwave", "clear", "", "--longwave-scattering rescaled", Said("--longwave-scattering has no effect: nothing")),
    ("longwave", "clear", "--kdist K", "--clouds C", Said("--clouds has no effect: the sky is clear")),
    ("longwave", "clear", "", "--gas o2=0.2", Said("--gas o2 has no effect: no k-distribution knows this gas")),
    ("shortwave", "clear", "", "--delta-scaling mixture", Said("--delta-scaling mixture has no effect: there are no")),
    ("shortwave", "overcast", "", "--overlap random", Said("--overlap has no effect: no layer is cloudy in part")),
    ("shortwave", "overcast", "", "--seed 7", Said("--seed has no effect: no layer is cloudy in part")),
    ("shortwave", "cloudy", "", "--cloud-fraction 0.5", Said("--cloud-fraction has no effect: the file has cloud")),
    (
        "shortwave",
        "cloudy",
        "",
        "--roughness rough",
        Said("--roughness has no effect: the tables of clouds have ice of"),
    ),
    (
        "shortwave",
        "liquid",
        "--kdist K --clouds R",
        "--roughness rough",
        Said("--roughness has no effect: there is no"),
    ),
    ("shortwave", "rainy", "", "--rain-as-liquid", Said("--rain-as-liquid has no effect: the tables of clouds have")),
    (
        "shortwave",
        "overlapping",
        "--overlap exponential",
        "--decorrelation 9",
        Said("--decorrelation has no effect: the file says how clouds overlap"),
    ),
];

const OF_RRTMG: &[Row] = &[
    ("longwave", "cloudy", "", "--no-clouds", Changes(LONG)),
    ("longwave", "cloudy", "", "--solver random", Changes(LONG)),
    ("longwave", "cloudy", "", "--overlap random", Changes(LONG)),
    ("longwave", "cloudy", "--overlap exponential", "--decorrelation 100", Changes(LONG)),
    ("longwave", "cloudy", "", "--seed 7", Changes(LONG)),
    ("longwave", "cloudy", "", "--ice spheres", Changes(LONG)),
    ("longwave", "cloudy", "", "--liquid one", Changes(LONG)),
    ("longwave", "unknown", "", "--cloud-fraction 0.5", Changes(LONG)),
    ("longwave", "clear", "", "--angles 3", Changes(LONG)),
    ("longwave", "clear", "", "--rrtmg-exact", Changes(LONG)),
    ("longwave", "clear", "", "--top-layer", Changes(LONG)),
    ("longwave", "clear", "", "--precision f32", Changes(LONG)),
    ("longwave", "clear", "", "--gas co2=8e-4", Changes(LONG)),
    ("longwave", "clear", "", "--bands", Adds("longwave_upward_flux_by_band")),
    ("longwave", "clear", "", "--derivative", Adds("longwave_upward_flux_derivative")),
    ("longwave", "cloudy", "", "--clear-sky", Adds("longwave_heating_rate_clear")),
    ("longwave", "lacking", "--gas co2=4e-4", "--assume-zero", Permits("gases are missing: n2o")),
    ("longwave", "chilly", "", "--outside clamp", Changes(LONG)),
    ("longwave", "cloudy", "", "--decorrelation 100", Refused("--decorrelation has no effect: it is of --overlap exp")),
    ("longwave", "cloudy", "--overlap exponential", "--decorrelation=-1", Refused("not a number in (0, inf)")),
    ("longwave", "cloudy", "--solver random", "--seed 7", Refused("--seed has no effect: random numbers are those of")),
    (
        "longwave",
        "cloudy",
        "--solver random",
        "--overlap maximum",
        Refused("--overlap has no effect: this --solver has"),
    ),
    ("longwave", "cloudy", "--no-clouds", "--solver random", Refused("--solver has no effect: --no-clouds leaves")),
    ("longwave", "clear", "", "--solver random", Said("--solver has no effect: the sky is clear")),
    ("longwave", "clear", "", "--seed 7", Said("--seed has no effect: the sky is clear")),
    ("longwave", "clear", "", "--ice spheres", Said("--ice has no effect: there is no ice")),
    ("longwave", "icy", "", "--liquid one", Said("--liquid has no effect: there are no droplets")),
    ("longwave", "cloudy", "", "--cloud-fraction 0.5", Said("--cloud-fraction has no effect: the file has cloud")),
];

/// Options whose effect other tests see.
const ELSEWHERE: &[(&str, &str)] = &[
    ("out", "all tests"),
    ("quiet", "one_spectrum::rrtmg_is_taken_by_name"),
    ("json", "cli::summaries_of_columns_are_json"),
    ("plot", "radiation::plots_differences_and_single_precision"),
    ("compare", "radiation::plots_differences_and_single_precision"),
    ("device", "exit_codes"),
    ("threads", "none can: results have the same bits whatever the threads"),
    ("kdist", "radiation::one_k_distribution_computes_one_spectrum"),
    ("aerosols", "aerosols::rrtmgps_example_with_clouds_and_aerosols"),
    ("rain-and-snow", "rain_and_snow::wrf_has_them_if_asked_for"),
    ("gradient", "radiation_gradient::kernels_are_what_fluxes_change_by"),
    ("by", "radiation_gradient::kernels_are_what_fluxes_change_by"),
    ("samples", "radiation_samples::fluxes_are_those_of_the_columns_that_were_drawn"),
    ("vary", "radiation_samples::parts_and_processes_draw_the_same"),
    ("correlation", "radiation_samples::parts_and_processes_draw_the_same"),
    ("vertical", "model_files::a_vertical_without_a_word"),
    ("name", "model_files::names_of_ones_own"),
    ("at-once", "model_files::parts_have_the_bits_of_the_whole"),
    ("ranks", "radiation_ranks::two_processes_write_the_bytes_of_one"),
    ("rank", "radiation_ranks::two_processes_write_the_bytes_of_one"),
    ("mean-sun", "model_files::the_sun_as_a_mean"),
    ("keep-going", "radiation and longwave_bad_input, which leave bad columns out with it"),
    ("help", "clap's"),
    ("version", "clap's"),
];

/// What is wrong with a row, if anything is.
fn check(files: &Files, name: &str, (command, file, base, option, effect): &Row, rrtmg: &str) -> Result<(), String> {
    let base = format!("{rrtmg} {base}");
    let (output, out) = files.run(command, file, &format!("{base} {option}"), &format!("{name}-with.nc"));
    let (code, text) = (output.status.code(), said(&output));
    let ensure = |holds: bool, what: &str| {
        if holds { Ok(()) } else { Err(format!("{command} {file} {base} {option}: {what}; it said: {text}")) }
    };
    if let Refused(words) = effect {
        return ensure(code == Some(2) && text.contains(words) && !out.exists(), "is not refused so");
    }
    ensure(code == Some(0), "fails")?;
    let (plain, before) = files.run(command, file, &base, &format!("{name}-plain.nc"));
    let warned = said(&plain);
    if let Permits(words) = effect {
        return ensure(plain.status.code() == Some(1) && warned.contains(words), &format!("is not needed: {warned}"));
    }
    ensure(plain.status.success(), &format!("without it: {warned}"))?;
    let [found, before] = [out, before].map(|path| Numbers::open(&path));
    match effect {
        Changes(name) => {
            ensure(!text.contains("has no effect"), "is said to have no effect")?;
            ensure(found.all(name) != before.all(name), "changes nothing")
        }
        Adds(name) => ensure(found.has(name) && !before.has(name), "adds nothing"),
        Said(words) => {
            let warning = format!("isobar: warning: {words}");
            ensure(text.contains(&warning) && !warned.contains(words), "is not said to have no effect")?;
            let name = [UP, LONG].into_iter().find(|name| found.has(name)).unwrap();
            ensure(found.all(name) == before.all(name), "has an effect")
        }
        Permits(_) | Refused(_) => unreachable!("seen before"),
    }
}

/// All rows of a table, on all cores.
fn check_all(rows: &[Row], rrtmg: &str) {
    let files = Files::new();
    let next = AtomicUsize::new(0);
    let work = |thread: usize| {
        let mut wrong = Vec::new();
        while let Some(row) = rows.get(next.fetch_add(1, Ordering::Relaxed)) {
            wrong.extend(check(&files, &thread.to_string(), row, rrtmg).err());
        }
        wrong
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let wrong: Vec<String> = std::thread::scope(|scope| {
        let all: Vec<_> = (0..threads)
            .map(|thread| {
                scope.spawn({
                    let work = &work;
                    move || work(thread)
                })
            })
            .collect();
        all.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    });
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn options_of_tables_have_an_effect_or_a_word() {
    check_all(OF_TABLES, "");
}

#[test]
fn options_of_rrtmg_have_an_effect_or_a_word() {
    check_all(OF_RRTMG, "--kdist RRTMG");
}

/// Long names of options in a help text.
fn options(text: &str) -> BTreeSet<String> {
    let names = text.lines().filter_map(|line| {
        let line = line.trim_start();
        let line = line.strip_prefix("-").map_or(line, |rest| rest.split_once(", -").map_or(rest, |(_, long)| long));
        let name = line.strip_prefix('-')?;
        Some(name.split(|letter: char| !(letter.is_ascii_lowercase() || letter == '-')).next()?.to_owned())
    });
    names.filter(|name| !name.is_empty()).collect()
}

/// No option is left out of the tables.
#[test]
fn all_options_are_in_the_tables() {
    let changing = |row: &&Row| !matches!(row.4, Said(_) | Refused(_));
    let name = |row: &Row| row.3.trim_start_matches('-').split(' ').next().unwrap_or_default().to_owned();
    let mut known: BTreeSet<String> = OF_TABLES.iter().chain(OF_RRTMG).filter(changing).map(name).collect();
    known.extend(ELSEWHERE.iter().map(|(name, _)| (*name).to_owned()));
    for command in ["radiation", "longwave", "shortwave"] {
        let output = Command::new(env!("CARGO_BIN_EXE_isobar")).args([command, "--help"]).output().unwrap();
        let all = options(&printed(&output));
        assert!(all.len() > 20 && all.contains("seed") && all.contains("out"), "{all:?}");
        let lacking: Vec<_> = all.difference(&known).collect();
        assert!(lacking.is_empty(), "isobar {command}: no test sees {lacking:?}");
    }
}
