//! CKDMIP's 50 profiles of the present (Hogan and Matricardi 2020, doi:10.5194/gmd-13-6501-2020) with the repository's
//! k-distributions, against line-by-line fluxes. It says how good k-distributions are, and not the scheme: that ecRad
//! has the same fluxes from them does.

use isobar_optics::constants::{ECCKD_AIR, ECCKD_WATER};
use isobar_radiation::constants::ECRAD_SECANT;
use isobar_radiation::{Angles, Columns, Device, Fluxes, Options};

use crate::models::ecckd;
use crate::reference::{Numbers, difference, reference, upward};

const COLUMNS: usize = 50;
const LEVELS: usize = 55;
/// Zenith angles of the sun.
const SUNS: usize = 5;
/// CKDMIP's surface.
const ALBEDO: f64 = 0.15;
/// Its sun \[W/m^2\].
const IRRADIANCE: f64 = 1361.0;

fn columns(file: &Numbers) -> Columns<f64> {
    let up = |name: &str| upward(&file.all(name), COLUMNS);
    let (level_pressure_pa, level_temperature_k) = (up("pressure_hl"), up("temperature_hl"));
    let layers = (LEVELS - 1) * COLUMNS;
    let around = |values: &[f64], index: usize| [values[index], values[index + COLUMNS]];
    let water = up("h2o_mole_fraction_fl");
    // ecRad takes them for what it makes of amounts in a mass of moist air; ours are relative to dry air.
    let dry = |name: &str| -> Vec<f64> {
        let values = up(&format!("{name}_mole_fraction_fl")).into_iter().zip(&water);
        values.map(|(value, water)| value / (1.0 - water * (ECCKD_WATER / ECCKD_AIR))).collect()
    };
    let middle = |index: usize| {
        let ([p0, p1], [t0, t1]) = (around(&level_pressure_pa, index), around(&level_temperature_k, index));
        (t0 * p0 + t1 * p1) / (p0 + p1)
    };
    Columns {
        pressure_pa: (0..layers).map(|index| 0.5 * around(&level_pressure_pa, index).iter().sum::<f64>()).collect(),
        temperature_k: (0..layers).map(middle).collect(),
        surface_temperature_k: level_temperature_k[..COLUMNS].to_vec(),
        emissivity: vec![1.0],
        cosine_zenith: vec![0.5; COLUMNS],
        surface_albedo_direct: vec![ALBEDO],
        h2o: dry("h2o"),
        o3: dry("o3"),
        co2: dry("co2"),
        ch4: dry("ch4"),
        n2o: dry("n2o"),
        cfc11: dry("cfc11"),
        cfc12: dry("cfc12"),
        level_pressure_pa,
        level_temperature_k,
        ..Columns::default()
    }
}

fn run(columns: &Columns<f64>, angles: Angles) -> Fluxes<f64> {
    let options = Options { angles, ..Options::default() };
    ecckd::<f64>().on(&[Device::Cpu]).run(columns, &options).unwrap_or_else(|error| panic!("{error}"))
}

/// Fluxes `[column][sun][level]` of one sun, `[level][column]` from the surface up.
fn of_sun(values: &[f64], sun: usize) -> Vec<f64> {
    let columns = values.chunks(SUNS * LEVELS).map(|column| &column[sun * LEVELS..(sun + 1) * LEVELS]);
    upward(&columns.flatten().copied().collect::<Vec<_>>(), COLUMNS)
}

/// Mean error and root mean square of a level over all columns.
fn errors(ours: &[f64], theirs: &[f64], level: usize) -> [f64; 2] {
    let row = level * COLUMNS..(level + 1) * COLUMNS;
    let errors = ours[row.clone()].iter().zip(&theirs[row]).map(|(ours, theirs)| ours - theirs);
    let (sum, squares) = errors.fold((0.0, 0.0), |(sum, squares), error| (sum + error, squares + error * error));
    [sum / COLUMNS as f64, (squares / COLUMNS as f64).sqrt()]
}

/// Prints a line, and says what the errors are of what leaves at the top and of what arrives at the surface.
fn line(what: &str, [up, down]: [&[f64]; 2], [true_up, true_down]: [&[f64]; 2]) -> [f64; 2] {
    let [[top, top_rms], [surface, surface_rms]] = [errors(up, true_up, LEVELS - 1), errors(down, true_down, 0)];
    println!("{what:<28} {top:>8.3} {top_rms:>8.3} {surface:>8.3} {surface_rms:>8.3}");
    [top_rms, surface_rms]
}

const HEAD: &str = "W/m^2                         top up:      rms  surface:      rms";

/// Is it printed as `limit`, with two digits, or less?
fn within(rms: f64, limit: f64) -> bool {
    rms < limit + 0.005
}

#[test]
fn longwave() {
    let Some(path) = reference("ecckd/ckdmip_evaluation1_concentrations_present_reduced.nc") else { return };
    let columns = columns(&Numbers::open(&path));
    let file = |name: &str| Numbers::open(&reference(&format!("ecckd/{name}.nc")).unwrap());
    let [lines, ecrad] = [file("ckdmip_evaluation1_lw_fluxes_present_reduced"), file("ecrad_ckdmip_ecckd")]
        .map(|file| ["flux_up_lw", "flux_dn_lw"].map(|name| upward(&file.all(name), COLUMNS)));
    let lines = [&lines[0][..], &lines[1]];
    println!("{HEAD}");
    for angles in [Angles::Secant(ECRAD_SECANT), Angles::Gauss(1), Angles::Gauss(2), Angles::Gauss(4)] {
        let fluxes = run(&columns, angles);
        let ours = [&fluxes.longwave_up_w_per_m2[..], &fluxes.longwave_down_w_per_m2];
        let [top, surface] = line(&format!("long wave, {angles:?}"), ours, lines);
        if angles == Angles::Secant(ECRAD_SECANT) {
            // What ecRad has with this k-distribution.
            assert!(within(top, 0.14) && within(surface, 0.42), "{top} {surface}");
            let [up, down] = [0, 1].map(|which| difference(ours[which], &ecrad[which]).0);
            println!("long wave, against ecRad: up {up:.1e}, down {down:.1e} W/m^2");
            // What ecRad's thin layers emit too much (see `ecrad`).
            assert!(up.max(down) < 3e-3, "{up:e} {down:e}");
        }
    }
}

#[test]
fn shortwave() {
    let Some(path) = reference("ecckd/ckdmip_evaluation1_concentrations_present_reduced.nc") else { return };
    let mut columns = columns(&Numbers::open(&path));
    let file = |name: &str| Numbers::open(&reference(&format!("ecckd/{name}.nc")).unwrap());
    let (lines, ecrad) = (file("ckdmip_evaluation1_sw_fluxes_present_reduced"), file("ecrad_ckdmip_ecckd"));
    let cosines = lines.all("mu0");
    let true_fluxes = ["flux_up_sw", "flux_dn_sw"].map(|name| lines.all(name));
    let ecrad = ["flux_up_sw_mu0", "flux_dn_sw_mu0", "flux_dn_direct_sw_mu0"].map(|name| ecrad.all(name));
    println!("{HEAD}");
    for (sun, &cosine) in cosines.iter().enumerate() {
        let [true_up, true_down] = [0, 1].map(|which| of_sun(&true_fluxes[which], sun));
        // The file has a number of single precision.
        let cosine = (10.0 * cosine).round() / 10.0;
        columns.cosine_zenith.fill(cosine);
        columns.total_solar_irradiance_w_per_m2 = vec![IRRADIANCE];
        let (top, _) = difference(&true_down[(LEVELS - 1) * COLUMNS..], &[IRRADIANCE * cosine; COLUMNS]);
        // Line-by-line spectra end before the sun's does, and are numbers of single precision.
        assert!(top < 1e-3, "cosine {cosine}: {top} W/m^2");
        let fluxes = run(&columns, Angles::Gauss(1));
        let ours = [&fluxes.shortwave_up_w_per_m2[..], &fluxes.shortwave_down_w_per_m2];
        let [top, surface] = line(&format!("short wave, cosine {cosine:.1}"), ours, [&true_up, &true_down]);
        // What ecRad has with this k-distribution, of its five suns the worst.
        assert!(within(top, 0.53) && within(surface, 0.41), "cosine {cosine}: {top} {surface}");
        let [up, down, direct] = [0, 1, 2].map(|which| of_sun(&ecrad[which], sun));
        let (up, _) = difference(ours[0], &up);
        let (down, _) = difference(ours[1], &down);
        let (direct, _) = difference(&fluxes.shortwave_direct_w_per_m2, &direct);
        println!("against ecRad: up {up:.1e}, down {down:.1e}, direct {direct:.1e} W/m^2");
        // Near `k cos = 1` we take a k that is less by up to the root of 2^-52, 1.5e-8 of it, and ecRad takes its own:
        // so much of the 100 W/m^2 or less of a g-point.
        assert!(up.max(down) < 1.5e-6 && direct < 1e-11, "cosine {cosine}: {up:e} {down:e} {direct:e}");
    }
}
