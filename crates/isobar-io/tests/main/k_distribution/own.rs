//! Our own layout: what is written is read, and a file that somebody else wrote may have other units and orders.

use isobar_io::netcdf::Dataset;
use isobar_io::{KDistributionAttributes, read_k_distribution, write_k_distribution};
use isobar_optics::{Ecckd, EcckdDependence, EcckdGas, EcckdPlanck, EcckdSolar, EcckdSpectrum};

use super::ecckd::FILES;
use super::{read_ecckd, refused, truncated_is_refused};
use crate::common::message;
use crate::common::tables::Tables;

/// Three g-points in two bands, both sources, a gas of each kind; numbers of double precision among them.
fn small() -> Ecckd {
    let gas = |name: &str, dependence: EcckdDependence, nodes: usize| EcckdGas {
        name: name.into(),
        dependence,
        absorption: (0..nodes * 2 * 4 * 3).map(|i| f64::from(i as u32) * 0.25).collect(),
    };
    Ecckd {
        points: 3,
        pressure_pa: vec![100.0, 1e3, 1e4, 1e5],
        temperature_k: vec![180.0, 190.0, 200.0, 210.0, 200.0, 210.0, 220.0, 230.0],
        gases: vec![
            gas("rest", EcckdDependence::None, 1),
            gas("h2o", EcckdDependence::LookUp(vec![1e-6, 1e-4, 1e-2]), 3),
            gas("o3", EcckdDependence::Linear, 1),
            gas("ch4", EcckdDependence::RelativeLinear(1.8e-6), 1),
        ],
        bands: vec![[0.0, 1000.0], [1000.0, 3000.0]],
        band_of_point: vec![0, 1, 1],
        spectrum: Some(EcckdSpectrum {
            intervals: vec![[0.0, 1500.0], [1500.0, 3000.0]],
            fraction: vec![1.0, 0.0, 0.75, 0.25, 1.0 / 3.0, 2.0 / 3.0],
            solar_irradiance: Some(vec![1.0, 2.0]),
        }),
        planck: Some(EcckdPlanck { temperature_k: vec![200.0, 300.0], irradiance: vec![20.0; 6] }),
        solar: Some(EcckdSolar { irradiance: vec![1.0, 1.5, 0.5], rayleigh: vec![1e-6, 1e-7, 0.0] }),
    }
}

fn attributes() -> KDistributionAttributes {
    KDistributionAttributes {
        title: "Three g-points".into(),
        source: "a test".into(),
        license: "any".into(),
        ..Default::default()
    }
}

#[test]
fn what_is_written_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("k.nc");
    let only_long = Ecckd { solar: None, spectrum: None, ..small() };
    for model in [small(), only_long] {
        write_k_distribution(&path, &model, &attributes()).unwrap();
        assert_eq!(read_ecckd(&path), model);
    }
    let file = Dataset::open(&path).unwrap();
    assert_eq!(file.attribute("title").as_deref(), Some("Three g-points"));
    assert_eq!(file.attribute("gases").as_deref(), Some("rest h2o o3 ch4"));
    assert_eq!(file.attribute("history"), None);
    truncated_is_refused(&path, read_k_distribution);
}

#[test]
fn tables_of_ecckd_survive() {
    let Some(reference) = isobar_golden::find("rrtmgp") else { return };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("k.nc");
    for file in FILES {
        let model = read_ecckd(&reference.join(file));
        write_k_distribution(&path, &model, &attributes()).unwrap();
        assert!(read_ecckd(&path) == model, "{file}");
        // All numbers are of single precision.
        let size = std::fs::metadata(&path).unwrap().len();
        assert!(size < std::fs::metadata(reference.join(file)).unwrap().len() + 4096, "{size}");
    }
}

#[test]
fn what_makes_no_sense_is_not_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("k.nc");
    let broken = |change: &dyn Fn(&mut Ecckd)| {
        let mut model = small();
        change(&mut model);
        let message = message(write_k_distribution(&path, &model, &attributes()), &path);
        assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 0);
        message
    };
    assert_eq!(broken(&|model| model.gases.clear()), "k.nc: there is no gas");
    assert_eq!(
        broken(&|model| model.gases[2].name = "h2o".into()),
        "k.nc: gas 2 is called \"h2o\"; expected a name of its own"
    );
    assert_eq!(
        broken(&|model| model.gases[1].absorption.truncate(71)),
        "k.nc: h2o_absorption has 71 values; expected 72"
    );
    assert_eq!(
        broken(&|model| model.gases[2].absorption[5] = f64::INFINITY),
        "k.nc: o3_absorption = inf at 5 lies outside [0, 1000000000]"
    );
    assert!(broken(&|model| model.gases[2].absorption[5] = 1e10).contains("o3_absorption = 10000000000 at 5 lies out"));
    assert!(
        broken(&|model| model.solar.as_mut().unwrap().rayleigh[1] = 2.0)
            .contains("rayleigh_scattering = 2 at 1 lies outside [0, 1]")
    );
    assert_eq!(
        broken(&|model| model.band_of_point[2] = 2),
        "k.nc: band_of_g_point = 2 at g_point 2 lies outside [0, 1]"
    );
    assert_eq!(
        broken(&|model| model.planck.as_mut().unwrap().irradiance.truncate(5)),
        "k.nc: planck_irradiance has 5 values; expected 6"
    );
    assert_eq!(
        broken(&|model| model.solar.as_mut().unwrap().irradiance[0] = 3e3),
        "k.nc: solar_irradiance has 3002 W m-2 in all; expected (0, 2000]"
    );
    assert!(
        broken(&|model| model.temperature_k[3] = f64::NAN).contains("temperature = NaN at 3 lies outside (0, inf)")
    );
    assert!(broken(&|model| (model.planck, model.solar) = (None, None)).contains("neither planck_irradiance (long wa"));
}

/// One gas, written by hand.
fn by_hand() -> Tables {
    Tables::new(&[("g_point", 2), ("pressure", 2), ("temperature", 2), ("band", 1), ("planck_temperature", 2)])
        .with("pressure(pressure)", "hPa", &[1.0, 1000.0])
        .with("temperature(temperature, pressure)", "K", &[200.0, 250.0, 220.0, 270.0])
        .with("band_lower_wavenumber(band)", "cm-1", &[0.0])
        .with("band_upper_wavenumber(band)", "m-1", &[3e5])
        .with("band_of_g_point(g_point)", "1", &[0.0])
        .with("planck_temperature(planck_temperature)", "K", &[200.0, 300.0])
        .with("planck_irradiance(planck_temperature, g_point)", "W m-2", &[10.0, 20.0, 30.0, 40.0])
        .with("co2_dependence", "", &[1.0])
        .with("co2_absorption(temperature, pressure, g_point)", "cm2 mol-1", &[1.0])
}

#[test]
fn files_by_hand_have_other_units_and_orders() {
    let (_folder, path) = by_hand().transposed("temperature").transposed("planck_irradiance").save();
    let model = read_ecckd(&path);
    assert_eq!((model.pressure_pa, model.bands), (vec![100.0, 1e5], vec![[0.0, 3000.0]]));
    assert_eq!(model.temperature_k, [200.0, 250.0, 220.0, 270.0]);
    assert_eq!(model.planck.unwrap().irradiance, [10.0, 20.0, 30.0, 40.0]);
    assert_eq!((model.gases[0].name.as_str(), &model.gases[0].absorption[..]), ("co2", &[1e-4; 8][..]));
    assert_eq!((model.spectrum, model.solar), (None, None));
}

#[test]
fn mistakes_in_files_by_hand_are_said() {
    for (tables, expected) in [
        (by_hand().without("co2_dependence"), "co2_dependence is missing; the file has: "),
        (
            by_hand().unit("co2_absorption", Some("m2 kg-1")),
            "co2_absorption has units \"m2 kg-1\", which do not convert",
        ),
        (by_hand().without("planck_irradiance"), "neither planck_irradiance (long wave) nor solar_irradiance (short"),
        (by_hand().set("pressure", 1, 0.5), "expected values that rise by a constant factor"),
        (
            by_hand().set("planck_irradiance", 3, f64::NAN),
            "planck_irradiance = NaN W m-2 at planck_temperature 1, g_point 1",
        ),
    ] {
        let message = refused(&tables);
        assert!(message.starts_with("in.nc: ") && message.contains(expected), "{message}\nexpected {expected}");
    }
}
