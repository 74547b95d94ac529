//! `isobar longwave` with RRTMG_LW's k-distribution on the reference's columns, through NetCDF files; and that beside
//! another one's short wave.

use std::path::{Path, PathBuf};

use crate::common::classic::{Case, Classic};
use crate::common::flux_file::FluxFile;
use crate::common::longwave::kdist;
use crate::common::radiation_file::Numbers;
use crate::common::{data, said};

/// As in isobar-radiation's own tests: fluxes \[W/m^2\] and heating rates \[K/day\].
const FLUX: f64 = 1e-9;
const HEATING: f64 = 1e-8;

/// What the reference calls what is written.
const OUTPUTS: [(&str, &str); 10] = [
    ("longwave_upward_flux", "flux_up"),
    ("longwave_downward_flux", "flux_dn"),
    ("longwave_net_flux", "flux_net"),
    ("longwave_upward_flux_clear", "flux_up_clr"),
    ("longwave_downward_flux_clear", "flux_dn_clr"),
    ("longwave_net_flux_clear", "flux_net_clr"),
    ("longwave_upward_flux_derivative", "dfup_dts"),
    ("longwave_upward_flux_derivative_clear", "dfup_clr_dts"),
    ("longwave_heating_rate", "hr"),
    ("longwave_heating_rate_clear", "hr_clr"),
];
const GASES: [&str; 11] = ["h2o", "co2", "o3", "n2o", "co", "ch4", "o2", "ccl4", "cfc11", "cfc12", "cfc22"];
const ICE: [&str; 4] = ["one", "ebert-curry", "spheres", "fu"];
const LIQUID: [&str; 2] = ["one", "hu-stamnes"];

/// A set of the reference: columns of different depths.
struct Set {
    dir: PathBuf,
    layers: Vec<usize>,
}

/// A column of a set: its number, and where its layers begin.
#[derive(Clone, Copy)]
struct Place {
    column: usize,
    first: usize,
}

impl Set {
    fn new(dir: &Path, name: &str) -> Self {
        let dir = dir.join(name);
        let layers = isobar_golden::npy_integers(&dir.join("nlay.npy")).1.into_iter().map(|n| n as usize).collect();
        Self { dir, layers }
    }

    fn has(&self, name: &str) -> bool {
        self.dir.join(format!("{name}.npy")).exists()
    }

    /// The values of some columns of equal depth, rows of layers, levels or nothing slowest, the column fastest.
    fn values(&self, name: &str, places: &[Place]) -> Vec<f64> {
        let (shape, values) = isobar_golden::npy(&self.dir.join(format!("{name}.npy")));
        let width: usize = shape[1..].iter().product();
        let (all, layers) = (self.layers.len(), self.layers[places[0].column]);
        let total: usize = self.layers.iter().sum();
        let rows_of = |place: &Place| match shape[0] {
            n if n == total => (place.first, layers),
            n if n == total + all => (place.first + place.column, layers + 1),
            _ => (place.column, 1),
        };
        let rows = rows_of(&places[0]).1;
        let at = |row: usize, i: usize, place: &Place| values[(rows_of(place).0 + row) * width + i];
        (0..rows)
            .flat_map(|row| (0..width).flat_map(move |i| places.iter().map(move |place| (row, i, place))))
            .map(|(row, i, place)| at(row, i, place))
            .collect()
    }

    /// Columns that can share a file: of equal depth and a key.
    fn groups<K: PartialEq>(&self, key: impl Fn(usize) -> K) -> Vec<(K, Vec<Place>)> {
        let mut groups: Vec<((usize, K), Vec<Place>)> = Vec::new();
        let mut first = 0;
        for (column, &layers) in self.layers.iter().enumerate() {
            let (key, place) = ((layers, key(column)), Place { column, first });
            match groups.iter_mut().find(|(known, _)| *known == key) {
                Some((_, places)) => places.push(place),
                None => groups.push((key, vec![place])),
            }
            first += layers;
        }
        groups.into_iter().map(|((_, key), places)| (key, places)).collect()
    }

    /// A file of some columns, without clouds.
    fn file(&self, places: &[Place]) -> Classic {
        let (layer, level) = (&["layer", "column"], &["level", "column"]);
        let layers = self.layers[places[0].column];
        let mut file = Classic {
            dimensions: vec![("column", places.len()), ("layer", layers), ("level", layers + 1), ("band", 16)],
            ..Classic::default()
        }
        .with("play", layer, "hPa", &self.values("in_play", places))
        .with("plev", level, "hPa", &self.values("in_plev", places))
        .with("tlay", layer, "K", &self.values("in_tlay", places))
        .with("tlev", level, "K", &self.values("in_tlev", places))
        .with("tsfc", &["column"], "K", &self.values("in_tsfc", places))
        .with("emis", &["band", "column"], "1", &self.values("in_emis", places));
        for gas in GASES {
            file = file.with(gas, layer, "mol mol-1", &self.values(&format!("in_vmr_{gas}"), places));
        }
        if self.has("in_tauaer") {
            file = file.with("tauaer", &["layer", "band", "column"], "1", &self.values("in_tauaer", places));
        }
        file
    }

    /// Compares with the reference's outputs of a solver.
    fn check(&self, got: &FluxFile, places: &[Place], prefix: &str) {
        for (ours, theirs) in OUTPUTS {
            let expected = self.values(&format!("out_{prefix}{theirs}"), places);
            check(
                &format!("{} {ours}", self.dir.display()),
                got.values(ours),
                &expected,
                ours.starts_with("longwave_heating"),
            );
        }
    }
}

fn check(what: &str, got: &[f64], expected: &[f64], heating: bool) {
    let tolerance = if heating { HEATING } else { FLUX };
    assert_eq!(got.len(), expected.len(), "{what}");
    for (i, (got, expected)) in got.iter().zip(expected).enumerate() {
        assert!((got - expected).abs() <= tolerance, "{what} {i}: {got} instead of {expected}");
    }
}

/// Runs the command with the reference's coefficients, as it does.
fn solve(dir: &Path, file: &Classic, more: &[&str]) -> FluxFile {
    let case = Case::of("longwave", &file.bytes());
    let coefficients = dir.join("coeff/RRTMG_LW_DATA_DBL");
    let options = ["--kdist", coefficients.to_str().unwrap(), "--rrtmg-exact", "--derivative", "--clear-sky"];
    let output = case.command(&[&options, more].concat());
    // Groups of columns without ice, droplets or clouds have nothing for which a choice of optics counts.
    let text = crate::common::said(&output);
    assert!(output.status.success() && text.lines().all(|line| line.contains("has no effect: ")), "{text}");
    FluxFile::read(&case.out())
}

#[test]
fn clear_and_hazy_columns() {
    let Some(dir) = isobar_golden::find("rrtmg_lw") else { return };
    for name in ["clear", "aerosol"] {
        let set = Set::new(&dir, name);
        for ((), places) in set.groups(|_| ()) {
            let got = solve(&dir, &set.file(&places), &["--bands"]);
            set.check(&got, &places, "");
            for (ours, theirs) in
                [("longwave_upward_flux_by_band", "band_flux_up"), ("longwave_downward_flux_by_band", "band_flux_dn")]
            {
                check(ours, got.values(ours), &set.values(&format!("out_{theirs}"), &places), false);
            }
        }
    }
}

/// The sub-columns of the reference are not the command's; fractions and everything without clouds are the same.
#[test]
fn cloudy_columns() {
    let Some(dir) = isobar_golden::find("rrtmg_lw") else { return };
    let set = Set::new(&dir, "cloudy");
    let flags = isobar_golden::npy_integers(&set.dir.join("in_flags.npy")).1;
    for (flags, places) in set.groups(|column| [0, 1, 2].map(|i| flags[3 * column + i] as usize)) {
        let layer = &["layer", "column"];
        let mut file = set.file(&places).with("cldfrac", layer, "1", &set.values("in_cldfrac", &places));
        if flags[0] == 0 {
            let depth = set.values("in_tauc_band", &places);
            file = file.with("tauc", &["layer", "band", "column"], "1", &depth);
        } else {
            for (ours, theirs, unit) in [
                ("clwp", "in_clwp", "g m-2"),
                ("ciwp", "in_ciwp", "g m-2"),
                ("reliq", "in_reliq", "um"),
                ("reice", "in_reice", "um"),
            ] {
                file = file.with(ours, layer, unit, &set.values(theirs, &places));
            }
        }
        let optics = ["--ice", ICE[flags[1]], "--liquid", LIQUID[flags[2]]];
        for (solver, prefix) in [("random", "ran_"), ("maximum-random", "mxr_")] {
            let got = solve(&dir, &file, &[&optics[..], &["--solver", solver]].concat());
            set.check(&got, &places, prefix);
        }
        let got = solve(&dir, &file, &optics);
        for (ours, theirs) in OUTPUTS.iter().filter(|(ours, _)| ours.ends_with("_clear")) {
            let expected = set.values(&format!("out_{theirs}"), &places);
            check(ours, got.values(ours), &expected, ours.starts_with("longwave_heating"));
        }
    }
}

/// The file of singles, big or little endian, gives nearly the same; the exact exponential, too.
#[test]
fn files_of_singles_and_exact_transmittances_are_near() {
    let Some(dir) = isobar_golden::find("rrtmg_lw") else { return };
    let set = Set::new(&dir, "aerosol");
    let place = [Place { column: 0, first: 0 }];
    let case = Case::of("longwave", &set.file(&place).bytes());
    let singles = dir.join("coeff/RRTMG_LW_DATA");
    case.solve(&["--kdist", singles.to_str().unwrap()]);
    let got = FluxFile::read(&case.out());
    for (got, expected) in got.values("longwave_upward_flux").iter().zip(set.values("out_flux_up", &place)) {
        assert!((got - expected).abs() < 1.1e-2, "{got} {expected}");
    }
    // The program says what it used.
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_isobar"))
        .args(["longwave", "in.nc", "-o", "said.nc", "--device", "cpu", "--kdist"])
        .arg(&singles)
        .current_dir(case.folder.path())
        .output()
        .unwrap();
    let text = said(&output);
    assert!(
        text.contains("k-distributions: RRTMG_LW, 140 g-points, ") && text.contains("layers from the surface"),
        "{text}"
    );
}

/// RRTMG_LW's long wave and ecCKD's short wave in one run: the bits that each has alone. Sizes of ice are then
/// diameters, of which Fu's optics of ice take 1.0315 halves.
#[test]
fn one_run_has_the_long_wave_of_rrtmg_and_another_short_wave() {
    let path = data().join("radiation/columns.nc");
    let shortwave = data().join("radiation/ecckd-shortwave-32.nc");
    let (rrtmg, shortwave) = (kdist(), shortwave.to_str().unwrap());
    let folder = tempfile::tempdir().unwrap();
    let out = |name: &str| folder.path().join(name);
    let run = |command: &str, columns: &Path, name: &str, more: &[&str]| {
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_isobar"))
            .args([command, columns.to_str().unwrap(), "--quiet", "--device", "cpu", "--assume-zero", "-o"])
            .arg(out(name))
            .args(more)
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", said(&output));
        Numbers::open(&out(name))
    };
    let same = |one: &Numbers, other: &Numbers, names: &[&str]| {
        for name in names {
            assert_eq!(one.all(name), other.all(name), "{name}");
        }
    };
    let (up_and_down, sun) = (
        ["longwave_upward_flux", "longwave_downward_flux", "longwave_upward_flux_derivative"],
        ["shortwave_upward_flux", "shortwave_downward_flux", "shortwave_heating_rate"],
    );
    let options = ["--derivative", "--clear-sky", "--seed", "3"];
    let both = run("radiation", &path, "both.nc", &[&["--kdist", &rrtmg, "--kdist", shortwave], &options[..]].concat());
    let long = run("longwave", &path, "long.nc", &[&["--kdist", &rrtmg], &options[..]].concat());
    let short = run("shortwave", &path, "short.nc", &["--kdist", shortwave, "--clear-sky", "--seed", "3"]);
    same(&both, &long, &up_and_down);
    same(&both, &long, &["longwave_upward_flux_clear"]);
    same(&both, &short, &sun);
    // Heating rates have the heat capacity of the run.
    let names = ["longwave_heating_rate", "longwave_heating_rate_clear"];
    for (one, other) in names.iter().flat_map(|name| both.all(name).into_iter().zip(long.all(name))) {
        assert!((one * 1004.64 - other * 1004.0).abs() <= 1e-12 * 1004.0 * other.abs().max(1.0), "{one} {other}");
    }

    // With clouds.
    let mut columns = crate::common::longwave::cloudy();
    columns.variables.retain(|variable| variable.name != "reice");
    let layer = &["layer", "column"];
    let columns = columns.with("mu0", &["column"], "1", &[0.8, 0.4, -0.1]).with("albedo", &[], "1", &[0.2]);
    let cells = crate::common::longwave::LAYERS * crate::common::longwave::COLUMNS;
    let [dei, reice] = [("dei", 60.0), ("reice", 60.0 * (0.5 * 1.0315))]
        .map(|(name, size)| columns.clone().with(name, layer, "um", &vec![size; cells]));
    let write = |name: &str, file: &Classic| {
        std::fs::write(out(name), file.bytes()).unwrap();
        out(name)
    };
    let (dei, reice) = (write("dei.nc", &dei), write("reice.nc", &reice));
    let clouds = data().join("radiation/ecckd-shortwave-32-clouds.nc");
    let clouds = ["--clouds", clouds.to_str().unwrap()];
    let of_both = [&["--kdist", &rrtmg, "--kdist", shortwave][..], &clouds, &options].concat();
    let both = run("radiation", &dei, "cloudy-both.nc", &of_both);
    let long = run("longwave", &reice, "cloudy-long.nc", &[&["--kdist", &rrtmg], &options[..]].concat());
    let of_short = [&["--kdist", shortwave][..], &clouds, &["--seed", "3"]].concat();
    let short = run("shortwave", &dei, "cloudy-short.nc", &of_short);
    same(&both, &long, &up_and_down);
    same(&both, &short, &sun);
    assert!(long.all("longwave_upward_flux") != long.all("longwave_upward_flux_clear"));
}
