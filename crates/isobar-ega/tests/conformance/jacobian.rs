//! Jacobians of many atmospheres: a ray after the other on a CPU's threads, and by the launches of a GPU.

use std::sync::Arc;

use isobar_ega::jacobian::{Elements, Geometry};
use isobar_ega::launch::{Gradients, Infrared, InfraredModel, Jacobians};
use isobar_ega::{Approximation, ForwardSetup, GroundKind, Interpolation, TableData};
use isobar_golden::{Outputs, Random, same_bits_everywhere};
use isobar_launch::{Device, Error, Queue};
use isobar_raytrace::{Atmosphere, Ray};

use crate::infrared::{CHANNELS, atmosphere, rays, setup, tables};

/// The atmosphere that is refused.
const BAD: usize = 6;
/// Some of the channels: with one and two grids, with and without the third gas.
const SOME: [usize; 6] = [0, 1, 9, 19, 20, 36];

/// The setup with these channels alone.
fn some(mut setup: ForwardSetup) -> ForwardSetup {
    setup.wavenumbers_per_cm = SOME.map(|channel| setup.wavenumbers_per_cm[channel]).to_vec();
    setup.filters = SOME.map(|channel| setup.filters[channel].clone()).to_vec();
    setup.windows = SOME.map(|channel| setup.windows[channel]).to_vec();
    setup
}

fn some_tables(jurassic_exact: bool, interpolation: Interpolation) -> Arc<TableData> {
    let all = tables();
    let gases = (0..all.len()).step_by(CHANNELS);
    let chosen: Vec<_> = gases.flat_map(|gas| SOME.map(|channel| all[gas + channel].clone())).collect();
    Arc::new(TableData::packed(&chosen, SOME.len(), jurassic_exact, interpolation).expect("valid tables"))
}

/// Every approximation, with all that a radiance depends on.
fn setups() -> [ForwardSetup; 8] {
    let growth = ForwardSetup { ground: GroundKind::SkyAndSun, ..setup() };
    let means = ForwardSetup {
        approximation: Approximation::CurtisGodson,
        ground: GroundKind::Sky,
        brightness_temperature: true,
        ..setup()
    };
    let mut long_steps = ForwardSetup { jurassic_exact: true, hydrostatic_reference_km: Some(6.0), ..setup() };
    (long_steps.path.step_length_km, long_steps.path.step_height_km) = (40.0, 0.0);
    let exact_means = ForwardSetup { jurassic_exact: true, ground: GroundKind::Emission, ..means.clone() };
    let in_logarithms =
        |setup: &ForwardSetup| ForwardSetup { interpolation: Interpolation::Logarithmic, ..setup.clone() };
    let logarithms = [&growth, &means, &long_steps, &exact_means].map(in_logarithms);
    let [growth_log, means_log, long_steps_log, exact_means_log] = logarithms;
    // Hydrostatic pressures with water vapour and without.
    let growth = ForwardSetup { hydrostatic_reference_km: Some(6.0), ..growth };
    let mut means = ForwardSetup { hydrostatic_reference_km: Some(20.0), ..means };
    means.gases.iter_mut().filter(|gas| *gas == "H2O").for_each(|gas| *gas = "CH4".into());
    [growth, means, long_steps, exact_means, growth_log, means_log, long_steps_log, exact_means_log].map(some)
}

/// Random atmospheres of several shapes, and rays for each.
fn cases() -> Vec<(Atmosphere, Vec<Ray>)> {
    let (mut random, all) = (Random::new(11), rays());
    let mut case = |number: usize| {
        let mut atmosphere = atmosphere();
        let mut vary = |values: &mut Vec<f64>, share: f64| {
            values.iter_mut().for_each(|x| *x *= 1.0 + share * (random.unit() - 0.5));
        };
        vary(&mut atmosphere.pressure_hpa, 0.02);
        vary(&mut atmosphere.temperature_k, 0.1);
        atmosphere.mixing_ratio.iter_mut().for_each(|values| vary(values, 0.6));
        atmosphere.extinction_per_km.iter_mut().for_each(|values| vary(values, 0.6));
        let profiles = |atmosphere: &mut Atmosphere, change: &dyn Fn(&mut Vec<f64>)| {
            let a = atmosphere;
            let common = [&mut a.time_s, &mut a.height_km, &mut a.longitude_deg, &mut a.latitude_deg];
            let state = [&mut a.pressure_hpa, &mut a.temperature_k];
            let lists = a.mixing_ratio.iter_mut().chain(&mut a.extinction_per_km);
            common.into_iter().chain(state).chain(lists).for_each(change);
        };
        match number {
            1 => profiles(&mut atmosphere, &|values| values.truncate(33)),
            2 => atmosphere.cloud = None,
            3 => (atmosphere.surface, atmosphere.cloud) = (None, None),
            4 => profiles(&mut atmosphere, &|values| values.reverse()),
            5 => atmosphere.surface.as_mut().expect("one").temperature_k = 0.0,
            BAD => atmosphere.temperature_k[7] = f64::NAN,
            9.. => atmosphere = track(&atmosphere, number),
            _ => {}
        }
        // Limb, nadir and slant; among those of two atmospheres one that misses the atmosphere and one from below the
        // ground.
        let rays = if [3, 10].contains(&number) {
            all[9..13].to_vec()
        } else {
            all[4 * number..4 * number + 3 + number % 2].to_vec()
        };
        (atmosphere, rays)
    };
    (0..12).map(&mut case).collect()
}

/// Profiles along a track, those of two as many levels as those of three, and some from the top.
fn track(one: &Atmosphere, number: usize) -> Atmosphere {
    let profile = |place: usize, levels: usize, descends: bool| {
        let mut own = one.clone();
        own.longitude_deg.fill(3.0 * place as f64);
        own.latitude_deg.fill([2.0, 14.0, 27.0][place]);
        own.height_km.iter_mut().for_each(|height| *height *= 1.0 + 0.01 * place as f64);
        own.temperature_k.iter_mut().for_each(|value| *value += 5.0 * place as f64);
        let a = &mut own;
        let common = [&mut a.time_s, &mut a.height_km, &mut a.longitude_deg, &mut a.latitude_deg];
        let state = [&mut a.pressure_hpa, &mut a.temperature_k];
        let lists = a.mixing_ratio.iter_mut().chain(&mut a.extinction_per_km);
        for values in common.into_iter().chain(state).chain(lists) {
            // All heights, or half of them.
            *values = values.iter().copied().step_by(if levels > 21 { 1 } else { 2 }).take(levels).collect();
            if descends {
                values.reverse();
            }
        }
        own
    };
    let profiles = match number {
        9 => vec![profile(0, 41, false), profile(2, 41, false)],
        10 => vec![profile(0, 41, false), profile(1, 21, true), profile(2, 20, false)],
        _ => vec![profile(0, 41, true), profile(2, 41, false)],
    };
    Atmosphere::join(&profiles)
}

fn jacobians(model: &InfraredModel<f64>, cases: &[(Atmosphere, Vec<Ray>)], geometry: Geometry) -> Jacobians {
    let cases: Vec<(&Atmosphere, &[Ray])> = cases.iter().map(|(atmosphere, rays)| (atmosphere, &rays[..])).collect();
    model.jacobians(&cases, geometry, &|_| {}).expect("a device")
}

/// Radiances without derivatives are those with them.
fn same_radiances(model: &InfraredModel<f64>, cases: &[(Atmosphere, Vec<Ray>)], with: &Jacobians) {
    let cases: Vec<(&Atmosphere, &[Ray])> = cases.iter().map(|(atmosphere, rays)| (atmosphere, &rays[..])).collect();
    let without = model.radiances(&cases, &|_| {}).expect("a device");
    let bits = |values: &[f64]| values.iter().map(|value| value.to_bits()).collect::<Vec<u64>>();
    for (number, (with, without)) in with.cases.iter().zip(&without.cases).enumerate() {
        assert_eq!(with.is_err(), without.is_err(), "case {number}");
        let (Ok(with), Ok(without)) = (with, without) else { continue };
        assert_eq!(bits(&with.radiance), bits(&without.radiance), "case {number}");
        assert_eq!(bits(&with.transmittance), bits(&without.transmittance), "case {number}");
        assert_eq!((&with.statuses, without.derivative.len()), (&without.statuses, 0), "case {number}");
    }
}

/// Derivatives by some elements alone, by others in each atmosphere, are those columns of all.
fn same_columns(model: &InfraredModel<f64>, cases: &[(Atmosphere, Vec<Ray>)], geometry: Geometry, all: &Jacobians) {
    let lists: Vec<Vec<usize>> = (0..)
        .zip(cases)
        .map(|(number, (of, _))| (number..Elements::of(of).count()).step_by(5 + number).rev().collect())
        .collect();
    let lists: Vec<&[usize]> = lists.iter().map(|list| &list[..]).collect();
    let cases: Vec<(&Atmosphere, &[Ray])> = cases.iter().map(|(atmosphere, rays)| (atmosphere, &rays[..])).collect();
    let some = model.jacobians_by(&cases, &lists, geometry, &|_| {}).expect("a device");
    for (number, (all, some)) in all.cases.iter().zip(&some.cases).enumerate() {
        let (Ok(all), Ok(some)) = (all, some) else { continue };
        assert_eq!(some.by.as_deref(), Some(lists[number]), "case {number}");
        let of_row = |row: &[f64]| lists[number].iter().map(|&element| row[element].to_bits()).collect::<Vec<u64>>();
        let expected: Vec<u64> = all.derivative.chunks(all.columns()).flat_map(of_row).collect();
        let bits: Vec<u64> = some.derivative.iter().map(|by| by.to_bits()).collect();
        assert!(bits == expected && bits.len() > 100, "case {number}");
    }
}

/// What each radiance counts; nothing in one of three rays.
fn weights(rays: &[Ray], channels: usize) -> Vec<f64> {
    let of_ray = |ray: usize| (0..channels).map(move |channel| [1.3, -0.4, 0.0][ray % 3] * (1.0 + channel as f64));
    (0..rays.len()).flat_map(of_ray).collect()
}

/// Derivatives of weighted sums, which are those of the rows that were found. Its radiances are those, too.
fn gradients(
    model: &InfraredModel<f64>,
    cases: &[(Atmosphere, Vec<Ray>)],
    geometry: Geometry,
    rows: &Jacobians,
) -> Gradients {
    let pairs: Vec<(&Atmosphere, &[Ray])> = cases.iter().map(|(atmosphere, rays)| (atmosphere, &rays[..])).collect();
    let weights: Vec<Vec<f64>> = cases.iter().map(|(_, rays)| weights(rays, SOME.len())).collect();
    let lists: Vec<&[f64]> = weights.iter().map(|list| &list[..]).collect();
    let found = model.pullback(&pairs, &lists, geometry, &|_| {}).expect("a device");
    let bits = |values: &[f64]| values.iter().map(|value| value.to_bits()).collect::<Vec<u64>>();
    for (number, (rows, sum)) in rows.cases.iter().zip(&found.cases).enumerate() {
        assert_eq!(rows.is_err(), sum.is_err(), "case {number}");
        let (Ok(rows), Ok(sum)) = (rows, sum) else { continue };
        assert_eq!(bits(&rows.radiance), bits(&sum.radiance), "case {number}");
        assert_eq!(bits(&rows.transmittance), bits(&sum.transmittance), "case {number}");
        assert_eq!((&rows.statuses, sum.elements), (&sum.statuses, rows.elements), "case {number}");
        let (count, weights) = (rows.columns(), &weights[number]);
        let largest = |by: &dyn Fn(usize) -> f64| (0..count).map(by).fold(0.0, |a: f64, b| a.max(b.abs()));
        let expected = |sign: fn(f64) -> f64| {
            let rows = &rows;
            move |element: usize| -> f64 {
                let counts = (0..weights.len()).filter(|&row| weights[row] != 0.0);
                counts.map(|row| sign(weights[row] * rows.derivative[row * count + element])).sum()
            }
        };
        let (expected, size) = (expected(|by| by), expected(f64::abs));
        let failed = (0..weights.len()).any(|row| weights[row] != 0.0 && !rows.statuses[row / SOME.len()].is_ok());
        for element in 0..count {
            let got = sum.gradient[element];
            assert_eq!(got.is_nan(), failed, "case {number}, element {element}");
            // Some thousand terms in another order, of the level's neighbours as well.
            let near = element.saturating_sub(3)..(element + 4).min(count);
            let scale = near.map(size).fold(0.0, f64::max);
            let error = (got - expected(element)).abs();
            assert!(failed || error <= 1e-11 * scale, "case {number}, element {element}: {error:e} of {scale:e}");
        }
        assert!(failed || largest(&|element| sum.gradient[element]) > 0.0, "case {number}");
    }
    found
}

fn add(mut outputs: Outputs, found: &Jacobians) -> Outputs {
    for (number, found) in found.cases.iter().enumerate() {
        match found {
            Ok(found) => {
                let statuses: Vec<u32> = found.statuses.iter().map(|status| status.0).collect();
                let tangents = found.tangent_points.iter().map(|p| [p.height_km, p.longitude_deg, p.latitude_deg]);
                outputs = outputs
                    .reals(&format!("radiance of {number}"), &found.radiance)
                    .reals(&format!("transmittance of {number}"), &found.transmittance)
                    .reals(&format!("derivative of {number}"), &found.derivative)
                    .reals(&format!("tangent points of {number}"), &tangents.flatten().collect::<Vec<_>>())
                    .counts(&format!("statuses of {number}"), &statuses);
            }
            Err(_) => outputs = outputs.counts(&format!("refused {number}"), &[]),
        }
    }
    outputs
}

fn run(queue: &Queue, setup: &ForwardSetup, as_on_a_gpu: bool) -> Outputs {
    let tables = some_tables(setup.jurassic_exact, setup.interpolation);
    let cases = cases();
    let mut outputs = Outputs::default();
    for geometry in [Geometry::Moving, Geometry::Frozen] {
        // All at once, and few at a time.
        for chunk in [usize::MAX, 5] {
            let infrared = Infrared::<f64>::new(setup, tables.clone()).expect("a setup");
            let infrared = if as_on_a_gpu { infrared.as_on_a_gpu() } else { infrared };
            let model = infrared.on(&[queue.device()]).items_per_chunk(chunk);
            let found = jacobians(&model, &cases, geometry);
            for (number, found) in found.cases.iter().enumerate() {
                assert_eq!(found.is_err(), number == BAD, "case {number}");
            }
            outputs = add(outputs, &found);
            same_radiances(&model, &cases, &found);
            same_columns(&model, &cases, geometry, &found);
            for (number, found) in gradients(&model, &cases, geometry, &found).cases.iter().enumerate() {
                let gradient = found.as_ref().map_or(&[][..], |found| &found.gradient);
                outputs = outputs.reals(&format!("gradient of {number}"), gradient);
            }
        }
    }
    outputs
}

macro_rules! everywhere {
    ($($name:ident: $number:literal),*) => {$(
        #[test]
        fn $name() {
            same_bits_everywhere(|queue: &Queue| -> Result<Outputs, Error> {
                Ok(run(queue, &setups()[$number], false))
            });
        }
    )*};
}
everywhere!(growth: 0, means: 1, jurassic_growth: 2, jurassic_means: 3);
everywhere!(log_growth: 4, log_means: 5, jurassic_log_growth: 6, jurassic_log_means: 7);

/// The kernels that a GPU gets, on the CPU.
#[test]
fn launches_give_the_bits_of_rays_one_after_the_other() {
    let queue = Queue::new(Device::Cpu).expect("a CPU");
    for setup in setups() {
        run(&queue, &setup, false).assert_same(&run(&queue, &setup, true), "as on a GPU");
    }
}

/// Radiances are those of a plain run, and what cannot be computed says so.
#[test]
fn values_are_those_of_a_plain_run() {
    let setup = &setups()[0];
    let tables = some_tables(false, Interpolation::Linear);
    let model = Infrared::<f64>::new(setup, tables).expect("a setup").as_on_a_gpu().on(&[Device::Cpu]);
    let cases = cases();
    let found = jacobians(&model, &cases, Geometry::Moving);
    for ((atmosphere, rays), found) in cases.iter().zip(&found.cases) {
        let plain = model.run(atmosphere, rays);
        let Ok(found) = found else {
            let error = plain.expect_err("refused, too").to_string();
            assert_eq!(found.as_ref().expect_err("refused").to_string(), error);
            assert!(error.contains("temperature"), "{error}");
            continue;
        };
        let plain = plain.expect("a run");
        let bits = |values: &[f64]| values.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
        assert_eq!(bits(&found.radiance), bits(&plain.radiance));
        assert_eq!(bits(&found.transmittance), bits(&plain.transmittance));
        assert_eq!(found.statuses, plain.statuses);
        let rows = found.derivative.len() / rays.len();
        for (ray, status) in found.statuses.iter().enumerate() {
            let derivative = &found.derivative[ray * rows..(ray + 1) * rows];
            assert!(derivative.iter().all(|by| by.is_nan() != status.is_ok()));
            assert!(!status.is_ok() || found.tangent_points[ray] == plain.tangent_points[ray]);
        }
    }
    assert_eq!(cases.iter().map(|(atmosphere, _)| atmosphere.profiles().len()).max(), Some(3));
    assert!(found.cases[3].as_ref().expect("one").statuses.iter().any(|status| !status.is_ok()));
    assert!(model.jacobians(&[], Geometry::Moving, &|_| {}).expect("nothing").cases.is_empty());
}
