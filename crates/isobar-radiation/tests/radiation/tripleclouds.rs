//! Tripleclouds against ecRad's: 32 columns from pole to pole with the clouds of the IFS, both spectra.

use isobar_radiation::constants::ECRAD_SECANT;
use isobar_radiation::{
    Angles, CloudOptics, CloudSolver, Columns, Device, Fluxes, LongwaveScattering, Options, Overlap, Radiation,
    Roughness,
};

use crate::ecrad::{COLUMNS, LONGWAVE, SHORTWAVE, columns};
use crate::ecrad_clouds::{GRAVITY, LAYERS, POINTS, tables};
use crate::reference::{Numbers, difference, gas_optics, reference, upward};

/// As ecRad's.
fn options() -> Options {
    Options {
        angles: Angles::Secant(ECRAD_SECANT),
        longwave_scattering: LongwaveScattering::TwoStream,
        clear_sky: true,
        cloud_solver: CloudSolver::Tripleclouds,
        overlap: Overlap::ExponentialRandom,
        ..Options::default()
    }
}

fn radiation() -> Radiation<f64> {
    [(LONGWAVE, "long"), (SHORTWAVE, "short")].into_iter().fold(Radiation::new(), |radiation, (name, wave)| {
        let gases = gas_optics(&reference(name).expect("the reference is there"));
        radiation.with(&gases, Some(&CloudOptics::new(&tables(wave), Roughness::Medium))).unwrap()
    })
}

/// With clouds, as ecRad sees them: none in layers of less than 1e-9 of cloud water.
fn cloudy(file: &Numbers) -> Columns<f64> {
    let up = |name: &str| upward(&file.all(name), COLUMNS);
    let (liquid, ice) = (up("q_liquid"), up("q_ice"));
    let mut columns = columns(file);
    let clouded = |(index, fraction): (usize, f64)| {
        if liquid[index] + ice[index] < 1e-9 || fraction < 1e-6 { 0.0 } else { fraction }
    };
    columns.cloud_fraction = up("cloud_fraction").into_iter().enumerate().map(clouded).collect();
    // Of the cloudy part.
    let path = |(index, amount): (usize, f64)| {
        let weight = columns.level_pressure_pa[index] - columns.level_pressure_pa[index + COLUMNS];
        let fraction = columns.cloud_fraction[index];
        if fraction > 0.0 { 1e3 * amount * weight / GRAVITY / fraction } else { 0.0 }
    };
    columns.liquid_path_g_per_m2 = liquid.into_iter().enumerate().map(path).collect();
    columns.ice_path_g_per_m2 = ice.into_iter().enumerate().map(path).collect();
    columns.liquid_radius_um = up("re_liquid").into_iter().map(|radius| 1e6 * radius).collect();
    // The size of ice is its diameter. ecRad's tables end a ten-thousandth of a step before their end.
    let ice = &tables("short").ice[0];
    let ([first, last], nodes) = (ice.size_um, ice.extinction.len() / POINTS);
    let most = last - 1e-4 * (last - first) / (nodes - 1) as f64;
    columns.ice_size_um = up("re_ice").into_iter().map(|radius| (2e6 * radius).min(most)).collect();
    columns.overlap_parameter = up("overlap_param");
    columns.fractional_standard_deviation = up("fractional_std");
    assert_eq!(columns.overlap_parameter.len(), (LAYERS - 1) * COLUMNS);
    columns
}

fn run(columns: &Columns<f64>, options: &Options) -> Fluxes<f64> {
    radiation().on(&[Device::Thread]).run(columns, options).unwrap_or_else(|error| panic!("{error}"))
}

/// In layers of an optical depth up to 1e-3, ecRad's long wave has another emission, as `ecrad` says: up to 2e-3 W/m^2,
/// with clouds and without. What clouds change is free of most of it.
#[test]
fn fluxes() {
    let Some(path) = reference("ecckd/ecrad_meridian.nc") else { return };
    let fluxes = run(&cloudy(&Numbers::open(&path)), &options());
    let file = Numbers::open(&reference("ecckd/ecrad_tripleclouds_noaer_ecckd.nc").unwrap());
    let theirs = |name: &str| upward(&file.all(name), COLUMNS);
    let none = Vec::new();
    // Radii in ecRad's tables are numbers of single precision, as in `ecrad_clouds`: 1e-7 of what clouds change, by up
    // to 933 W/m^2.
    for (name, ours, clear, accepted, of_clouds) in [
        ("flux_up_lw", &fluxes.longwave_up_w_per_m2, &fluxes.longwave_up_clear_w_per_m2, 3e-3, 1e-3),
        ("flux_dn_lw", &fluxes.longwave_down_w_per_m2, &fluxes.longwave_down_clear_w_per_m2, 3e-3, 1e-3),
        ("flux_up_sw", &fluxes.shortwave_up_w_per_m2, &fluxes.shortwave_up_clear_w_per_m2, 9e-5, 9e-5),
        ("flux_dn_sw", &fluxes.shortwave_down_w_per_m2, &fluxes.shortwave_down_clear_w_per_m2, 9e-5, 9e-5),
        ("flux_dn_direct_sw", &fluxes.shortwave_direct_w_per_m2, &none, 9e-5, 9e-5),
    ] {
        let (all, _) = difference(ours, &theirs(name));
        let mut change = 0.0;
        if !clear.is_empty() {
            let less = |all: &[f64], clear: &[f64]| -> Vec<f64> { all.iter().zip(clear).map(|(a, b)| a - b).collect() };
            (change, _) = difference(&less(ours, clear), &less(&theirs(name), &theirs(&format!("{name}_clear"))));
        }
        println!("{name}: {all:.1e}, what clouds change {change:.1e} W/m^2");
        assert!(all < accepted && change < of_clouds, "{name}: {all:e} {change:e}");
    }
}
