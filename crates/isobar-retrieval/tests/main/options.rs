//! What happens to radiances after they are computed, and to the pressure before, differentiates, too: on the
//! demonstration's limb case.

use std::path::Path;

use isobar_ega::jacobian::Geometry;
use isobar_ega::launch::Infrared;
use isobar_ega::{FieldOfView, ForwardSetup, TableData};
use isobar_io::{Control, read_atmosphere, read_observation, read_setup, read_tables};
use isobar_launch::Device;
use isobar_raytrace::Atmosphere;

fn check(change: impl FnOnce(&mut ForwardSetup)) {
    check_in(change, Atmosphere::clone);
}

/// Three profiles along the lines of sight, which differ in temperature; the last one is from the top.
fn track(one: &Atmosphere) -> Atmosphere {
    let profile = |(latitude_deg, warmer_k): (f64, f64)| {
        let mut own = one.clone();
        own.latitude_deg.fill(latitude_deg);
        own.temperature_k.iter_mut().for_each(|value| *value += warmer_k);
        own
    };
    let mut profiles = [(15.5, 0.0), (22.5, 6.0), (30.5, -4.0)].map(profile);
    let last = &mut profiles[2];
    let own = [&mut last.height_km, &mut last.pressure_hpa, &mut last.temperature_k];
    own.into_iter().chain(&mut last.mixing_ratio).for_each(|values| values.reverse());
    Atmosphere::join(&profiles)
}

/// Exact derivatives by temperature and water vapour, and by pressure, against differences of fourth order: by the
/// levels of one profile, or along a track by those of the two between which the tangent points lie.
fn check_in(change: impl FnOnce(&mut ForwardSetup), air: impl FnOnce(&Atmosphere) -> Atmosphere) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/limb");
    let (control, _) = Control::read(&folder.join("limb.ctl"), &[]).expect("a control file");
    let mut setup = read_setup(&control).expect("filters");
    change(&mut setup);
    let tables = read_tables(&control).expect("tables").tables;
    let tables = TableData::new(&tables, control.wavenumbers_per_cm.len(), false).expect("tables");
    let atmosphere = air(&read_atmosphere(&folder.join("atm.tab"), &control).expect("an atmosphere"));
    let last = atmosphere.profiles().into_iter().next_back().expect("one");
    let before = last.start.saturating_sub(last.len());
    // The level of a height, in the last profile or in the one before.
    let level = |height_km: f64, range: core::ops::Range<usize>| {
        range.clone().find(|&i| atmosphere.height_km[i] == height_km).expect("a level")
    };
    let (here, there) = (|z: f64| level(z, last.clone()), |z: f64| level(z, before..before + last.len()));
    let mut rays = read_observation(&folder.join("obs.tab"), &control).expect("rays").rays;
    rays.truncate(4);
    let model = Infrared::<f64>::new(&setup, tables).expect("a setup").on(&[Device::Cpu]);
    let exact = model.jacobian(&atmosphere, &rays, Geometry::Moving, &|_| {}).expect("a Jacobian");
    let plain = model.run(&atmosphere, &rays).expect("radiances");
    let bits = |values: &[f64]| values.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
    assert_eq!(bits(&exact.radiance), bits(&plain.radiance), "the bits of the plain run");
    assert_eq!(bits(&exact.transmittance), bits(&plain.transmittance), "the bits of the plain run");
    let elements = exact.elements;
    let (mut kinks, mut all) = (Vec::new(), 0);
    for (what, element) in [
        ("temperature at 9 km", elements.temperature(here(9.0))),
        ("temperature at 18 km", elements.temperature(there(18.0))),
        ("H2O at 7 km", elements.mixing_ratio(1, there(7.0))),
        ("O3 at 16 km", elements.mixing_ratio(2, here(16.0))),
        ("pressure at 10 km", elements.pressure(here(10.0))),
        ("pressure at 14 km", elements.pressure(there(14.0))),
    ] {
        let value = *elements.value(&mut atmosphere.clone(), element);
        let run = |moved: f64| {
            let mut atmosphere = atmosphere.clone();
            *elements.value(&mut atmosphere, element) = value * (1.0 + moved);
            model.run(&atmosphere, &rays).expect("radiances").radiance
        };
        let slopes = |share: f64| {
            let [a, b, c, d] = [-2.0, -1.0, 1.0, 2.0].map(|steps| run(steps * share));
            (0..a.len()).map(|i| (8.0 * (c[i] - b[i]) - (d[i] - a[i])) / (12.0 * share)).collect::<Vec<_>>()
        };
        // In units of the element's own value; with two steps, whose results differ by what is wrong with either.
        let (short, long) = (slopes(2e-6), slopes(1e-5));
        let largest = short.iter().map(|slope| slope.abs()).fold(0.0, f64::max);
        for (row, (short, long)) in short.iter().zip(&long).enumerate() {
            let got = exact.derivative[row * elements.count() + element] * value;
            let doubt = 3.0 * (short - long).abs() + 1e-15 * plain.radiance[row] / 2e-6;
            let error = (got - short).abs();
            all += 1;
            if error > 1e-6 * largest + doubt {
                kinks.push(format!("{what}, row {row}: {got:e}, not {short:e} (largest {largest:e}, doubt {doubt:e})"));
                assert!(error < 1e-4 * largest, "{}", kinks[kinks.len() - 1]);
            }
        }
    }
    // A node of a table so near that both steps go over it: differences agree on a mean of two slopes, wrong by what a
    // segment adds.
    assert!(25 * kinks.len() <= all, "{}", kinks.join("\n"));
}

#[test]
fn radiances() {
    check(|_| {});
}

#[test]
fn along_a_track() {
    check_in(|_| {}, track);
    // Each profile is in balance by itself.
    check_in(|setup| setup.hydrostatic_reference_km = Some(10.0), track);
}

#[test]
fn brightness_temperatures() {
    check(|setup| setup.brightness_temperature = true);
}

#[test]
fn a_field_of_view() {
    let view = FieldOfView { offset_km: vec![-1.5, 0.0, 1.5], weight: vec![0.5, 1.0, 0.4] };
    check(|setup| setup.field_of_view = Some(view));
}

#[test]
fn hydrostatic_pressure() {
    check(|setup| setup.hydrostatic_reference_km = Some(10.0));
}

#[test]
fn all_of_it() {
    check(|setup| {
        setup.brightness_temperature = true;
        setup.hydrostatic_reference_km = Some(10.0);
        setup.field_of_view = Some(FieldOfView { offset_km: vec![-1.0, 1.0], weight: vec![1.0, 2.0] });
    });
}

#[allow(dead_code, reason = "its main is for `cargo run --example 01_temperature`")]
#[path = "../../examples/01_temperature.rs"]
mod example_01;

#[test]
fn example_01_prints_what_stands_beside_it() {
    assert_eq!(example_01::text().unwrap(), include_str!("../../examples/01_temperature.txt"));
}
