//! ecCKD's layout.

use isobar_io::read_k_distribution;
use isobar_optics::EcckdDependence;

use super::{close, read_ecckd, refused, truncated_is_refused};
use crate::common::tables::Tables;

pub(crate) const FILES: [&str; 3] = [
    "ecckd/ecckd-1.0_lw_climate_fsck-32b_ckd-definition.nc",
    "ecckd/ecckd-1.0_sw_climate_rgb-32b_ckd-definition.nc",
    "ecckd/ecckd-1.4_sw_climate_rgb-32b_ckd-definition.nc",
];

/// Totals that SciPy reads, in double precision.
#[test]
fn all_three_files_are_read() {
    let Some(folder) = isobar_golden::find("rrtmgp") else { return };
    let water = [8_897_694.768_159_376, 197_971.527_834_550_45, 199_671.827_659_940_4];
    // At mole fraction 7, temperature 3, pressure 40, g-point 10.
    let one = [6.312_528e-4_f32, 2.604_489_2e-5, 2.606_072e-5];
    for ((file, total), one) in FILES.iter().zip(water).zip(one) {
        let model = read_ecckd(&folder.join(file));
        assert_eq!((model.points, model.pressure_pa.len(), model.temperature_k.len()), (32, 53, 6 * 53));
        assert_eq!((model.pressure_pa[0], model.pressure_pa[52]), (f64::from(0.694_053_05_f32), 110_000.0));
        close(model.temperature_k.iter().sum(), 72_302.585_266_113_28);
        let names: Vec<_> = model.gases.iter().map(|gas| gas.name.as_str()).collect();
        let halocarbons: &[&str] = if model.planck.is_some() { &["cfc11", "cfc12"] } else { &[] };
        assert_eq!(names, [&["composite", "h2o", "o3", "co2", "ch4", "n2o"], halocarbons].concat());
        let [composite, h2o, o3, _, ch4, ..] = &model.gases[..] else { panic!("{names:?}") };
        assert_eq!((&composite.dependence, &o3.dependence), (&EcckdDependence::None, &EcckdDependence::Linear));
        assert_eq!(ch4.dependence, EcckdDependence::RelativeLinear(1.920_999_920_912_436e-6));
        assert!(matches!(&h2o.dependence, EcckdDependence::LookUp(fractions) if fractions.len() == 12));
        close(h2o.absorption.iter().sum(), total);
        assert_eq!(h2o.absorption[((7 * 6 + 3) * 53 + 40) * 32 + 10], f64::from(one));
        let spectrum = model.spectrum.unwrap();
        assert_eq!(spectrum.fraction.len(), 32 * spectrum.intervals.len());
        assert_eq!(spectrum.solar_irradiance.is_some(), file.contains("1.4"));
        assert_eq!((model.planck.is_some(), model.solar.is_some()), (model.bands.len() == 1, model.bands.len() == 5));
    }
}

#[test]
fn sources_and_bands_are_read() {
    let Some(folder) = isobar_golden::find("rrtmgp") else { return };
    let [long, first, second] = FILES.map(|file| read_ecckd(&folder.join(file)));
    let planck = long.planck.unwrap();
    assert_eq!((planck.temperature_k[0], planck.temperature_k[168], planck.temperature_k[230]), (120.0, 288.0, 350.0));
    close(planck.irradiance.iter().sum(), 59_700.834_755_976_5);
    close(planck.irradiance[168 * 32..169 * 32].iter().sum(), 390.080_437_032_505_87);
    assert_eq!(long.band_of_point, [0; 32]);
    for model in [first, second] {
        let mut bands = vec![0; 25];
        bands.extend([1, 2, 3, 4, 4, 4, 4]);
        assert_eq!((&model.band_of_point, model.bands[4]), (&bands, [25_000.0, 49_999.0]));
        let solar = model.solar.unwrap();
        close(solar.irradiance.iter().sum(), 1_361.000_014_737_248_4);
        close(solar.rayleigh.iter().sum(), 1.626_589_799_845_479_2e-5);
        let spectrum = model.spectrum.unwrap();
        assert_eq!((spectrum.intervals[0], spectrum.intervals.len()), ([250.0, 300.0], 995));
        if let Some(solar) = spectrum.solar_irradiance {
            close(solar.iter().sum(), 1_361.000_000_547_384_8);
        }
    }
}

#[test]
fn truncated_files_are_refused() {
    let Some(folder) = isobar_golden::find("rrtmgp") else { return };
    truncated_is_refused(&folder.join(FILES[0]), read_k_distribution);
}

/// Two g-points, one of each kind of gas.
fn small() -> Tables {
    let grid = "temperature, pressure, g_point";
    Tables::new(&[
        ("g_point", 2),
        ("pressure", 3),
        ("temperature", 2),
        ("band", 1),
        ("wavenumber", 2),
        ("temperature_planck", 3),
        ("h2o_mole_fraction", 2),
    ])
    .attribute("constituent_id", "composite h2o o3 ch4")
    .with("pressure(pressure)", "Pa", &[10.0, 1e3, 1e5])
    .with("temperature(temperature, pressure)", "K", &[180.0, 200.0, 220.0, 200.0, 220.0, 240.0])
    .with("wavenumber1_band(band)", "cm-1", &[0.0])
    .with("wavenumber2_band(band)", "cm-1", &[3260.0])
    .with("band_number(g_point)", "", &[0.0])
    .with("wavenumber1(wavenumber)", "cm-1", &[0.0, 1000.0])
    .with("wavenumber2(wavenumber)", "cm-1", &[1000.0, 3260.0])
    .with("gpoint_fraction(g_point, wavenumber)", "", &[0.25, 0.75, 0.5, 0.5])
    .with("temperature_planck(temperature_planck)", "K", &[200.0, 250.0, 300.0])
    .with("planck_function(temperature_planck, g_point)", "W m-2", &[40.0])
    .with("composite_conc_dependence_code", "", &[0.0])
    .with(&format!("composite_molar_absorption_coeff({grid})"), "m2 mol-1", &[1e-6])
    .with("h2o_conc_dependence_code", "", &[2.0])
    .with("h2o_mole_fraction(h2o_mole_fraction)", "1", &[1e-6, 1e-3])
    .with(&format!("h2o_molar_absorption_coeff(h2o_mole_fraction, {grid})"), "m2 mol-1", &[1e-3])
    .with("ch4_conc_dependence_code", "", &[3.0])
    .with("ch4_reference_mole_fraction", "1", &[1.8e-6])
    .with(&format!("ch4_molar_absorption_coeff({grid})"), "m2 mol-1", &[0.1])
    .with("o3_conc_dependence_code", "", &[1.0])
    .with(&format!("o3_molar_absorption_coeff({grid})"), "m2 mol-1", &[0.2])
}

#[test]
fn gases_come_as_the_attribute_has_them() {
    let (_folder, path) = small().save();
    let names: Vec<_> = read_ecckd(&path).gases.into_iter().map(|gas| gas.name).collect();
    assert_eq!(names, ["composite", "h2o", "o3", "ch4"]);
}

#[test]
fn what_is_damaged_is_refused() {
    for (tables, expected) in [
        (small().without("pressure"), "pressure(pressure) is missing; the file has: temperature, "),
        (small().without("h2o_mole_fraction"), "h2o_mole_fraction(h2o_mole_fraction) is missing"),
        (small().without("ch4_conc_dependence_code"), "ch4_conc_dependence_code is missing"),
        (small().without("o3_molar_absorption_coeff"), "o3_molar_absorption_coeff(temperature, pressure, g_point) is"),
        (small().without("planck_function"), "neither planck_function (long wave) nor solar_irradiance (short wave)"),
        (small().attribute("constituent_id", "composite h2o o3"), "lacks \"ch4\", which has absorption"),
        (small().set("o3_conc_dependence_code", 0, 2.0), "o3_mole_fraction(o3_mole_fraction) is missing"),
        (small().set("o3_conc_dependence_code", 0, 4.0), "o3_conc_dependence_code = 4 lies outside [0, 3]"),
        (
            small().set("h2o_molar_absorption_coeff", 13, f64::NAN),
            "h2o_molar_absorption_coeff = NaN m2 mol-1 at h2o_mole_fraction 1, temperature 0, pressure 0, g_point 1 \
             lies outside [0, 1",
        ),
        (
            small().set("h2o_molar_absorption_coeff", 13, 1e12),
            "h2o_mole_fraction 1, temperature 0, pressure 0, g_point 1 lies outside [0, 1",
        ),
        (small().set("o3_molar_absorption_coeff", 0, -0.5), "= -0.5 m2 mol-1 at temperature 0, pressure 0, g_point 0"),
        (small().set("band_number", 1, 1.0), "band_number = 1 at g_point 1 lies outside [0, 0]"),
        (
            small().set("pressure", 1, 2e3),
            "pressure = 2000 at pressure 1 follows 10; expected values that rise by a con",
        ),
        (small().set("temperature", 4, 221.0), "temperature rises by 21 K at pressure 1; expected 20 K, as at"),
        (small().set("h2o_mole_fraction", 1, 1e-7), "expected values that rise by a constant factor"),
        (
            small().set("gpoint_fraction", 0, 0.5),
            "gpoint_fraction of g_point 0 is 1.25 in all; expected 1 within 0.001",
        ),
        (small().set("wavenumber2", 0, 0.0), "wavenumber1 to wavenumber2: 0 is from 0 to 0 cm-1"),
        (
            small().set("planck_function", 0, 80.0),
            "planck_function has 120 W m-2 in all at 200 K; expected (0, 90.7260], a black body's",
        ),
        (
            small().along("composite_molar_absorption_coeff", &["temperature", "temperature_planck", "g_point"]),
            "composite_molar_absorption_coeff has dimensions (temperature = 2, temperature_planck = 3, g_point = 2); \
             expected (temperature, pressure, g_point)",
        ),
        (small().unit("pressure", None), "pressure has no attribute \"units\"; expected \"Pa\""),
        (small().unit("pressure", Some("K")), "pressure has units \"K\", which do not convert to \"Pa\""),
    ] {
        let message = refused(&tables);
        assert!(message.starts_with("in.nc: ") && message.contains(expected), "{message}\nexpected {expected}");
    }
}
