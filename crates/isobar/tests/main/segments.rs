//! The cores along single paths against JURASSIC, segment by segment: what no output of the command shows.

use std::path::Path;

use isobar_ega::channel_data::{channels, source_functions};
use isobar_ega::constants::SOURCE_NODES;
use isobar_ega::continuum::Air;
use isobar_ega::growth::Growth;
use isobar_ega::jurassic::{JurassicGrowth, JurassicMeanPath};
use isobar_ega::mean_path::MeanPath;
use isobar_ega::rule::{Rule, Segment};
use isobar_ega::{ChannelSetup, TableData};
use isobar_golden::{find, json, npy, numbers};
use isobar_io::{Control, read_atmosphere, read_filters, read_tables};
use isobar_raytrace::{Path as RayPath, PathOptions, Position, Ray, trace_ray};

/// Transmittances from slopes in double precision, where the reference has single precision: absolute.
const TRANSMITTANCE: f64 = 2e-7;
/// Transmittances from the reference's own arithmetic: absolute.
const TRANSMITTANCE_EXACT: f64 = 1e-11;
/// Continuum and extinction per length, and source functions: relative. The points of a path lie within 1e-9 of the
/// reference's.
const SMOOTH: f64 = 1e-8;
/// Where a gas becomes opaque hangs on a last bit: there nothing is compared.
const OPAQUE: f64 = 1e-8;

#[test]
fn emissivity_growth() {
    for ray in ["limb_3km", "limb_10km", "limb_30km", "nadir_60deg"] {
        compare::<Growth<f64>>("ega", ray, TRANSMITTANCE);
        compare::<JurassicGrowth<f64>>("ega", ray, TRANSMITTANCE_EXACT);
    }
}

#[test]
fn curtis_godson_means() {
    for ray in ["limb_3km", "limb_10km"] {
        compare::<MeanPath<f64>>("cga", ray, TRANSMITTANCE);
        compare::<JurassicMeanPath<f64>>("cga", ray, TRANSMITTANCE_EXACT);
    }
}

/// Follows a rule along a ray and compares every segment of every channel.
fn compare<A: Rule<f64>>(rule: &str, ray: &str, tolerance: f64) {
    let Some(reference) = find("jurassic") else { return };
    let inputs = reference.join("inputs");
    let (control, _) = Control::read(&inputs.join(format!("seg_{rule}.ctl")), &[]).unwrap();
    let atmosphere = read_atmosphere(&inputs.join("atm_base.tab"), &control).unwrap();
    let steps = PathOptions { step_height_km: control.step_height_km, ..PathOptions::default() };
    let path = trace_ray(&atmosphere, &geometry(&inputs, ray), &steps).unwrap();
    let (gases, nu) = (control.emitters.len(), &control.wavenumbers_per_cm);
    let set = read_tables(&control).unwrap();
    let data = TableData::new(&set.tables, nu.len(), A::JURASSIC).unwrap();
    let filters: Vec<_> = read_filters(&control).unwrap().into_iter().map(Into::into).collect();
    let source = source_functions::<f64>(&filters);
    let setup = ChannelSetup { windows: vec![0; nu.len()], ..ChannelSetup::default() };
    let channels = channels::<f64>(nu, &setup, &atmosphere);
    let channels = isobar_ega::channel::Channels {
        channels: isobar_core::Column::from(channels.as_slice()),
        source: isobar_core::Field::item_fastest(&source, SOURCE_NODES, nu.len()),
    };

    let (shape, values) = npy(&reference.join(format!("forward/seg_{rule}__{ray}.npy")));
    assert_eq!(shape, [path.points.len(), nu.len(), gases + 3]);
    for channel in 0..nu.len() {
        let followed: Vec<_> = (0..gases).map(|gas| follow::<A>(&data, gas * nu.len() + channel, gas, &path)).collect();
        for (i, point) in path.points.iter().enumerate() {
            let want = &values[(i * nu.len() + channel) * (gases + 3)..][..gases + 3];
            let place = format!("{rule} {ray}, segment {i}, channel {channel}");
            let mut segment = 1.0;
            for (gas, followed) in followed.iter().enumerate() {
                let (after, emissivity) = followed[i];
                assert!((after - want[gas]).abs() <= tolerance, "{place}, gas {gas}: {after} is not {}", want[gas]);
                segment *= 1.0 - emissivity;
            }
            if want[..gases].iter().all(|&passed| passed > OPAQUE) {
                // A quotient of path transmittances: their deviation counts as many times as they are small.
                let least = want[..gases].iter().copied().fold(1.0, f64::min);
                let deviation = (segment - want[gases]).abs();
                assert!(deviation <= tolerance / least, "{place}: {segment} is not {}", want[gases]);
            }
            let air = Air {
                pressure_hpa: point.pressure_hpa,
                temperature_k: point.temperature_k,
                length_km: point.length_km,
                co2_per_cm2: point.gases[0].column_per_cm2,
                h2o_per_cm2: point.gases[1].column_per_cm2,
                h2o_mixing_ratio: point.gases[1].mixing_ratio,
            };
            let extinction = channels.channels.at(channel).continuum.optical_depth(&air) / point.length_km;
            let emission = channels.source(channel, point.temperature_k);
            for (got, want) in [(extinction + point.extinction_per_km[0], want[gases + 1]), (emission, want[gases + 2])]
            {
                assert!((got - want).abs() <= SMOOTH * want.abs(), "{place}: {got} is not {want}");
            }
        }
    }
}

/// The transmittance after each segment of a path, and the segment's emissivity, by one table.
fn follow<A: Rule<f64>>(data: &TableData, table: usize, gas: usize, path: &RayPath) -> Vec<(f64, f64)> {
    let tables = data.view();
    let head = tables.tables.at(table);
    let grid = tables.grids.at(head.grid as usize);
    let (mut rule, mut near, mut passed) = (A::start(), [0; 3], 1.0);
    let mut next = |point: &isobar_raytrace::one_ray::PathPoint| {
        let (pressure_hpa, temperature_k) = (point.pressure_hpa, point.temperature_k);
        let cell = tables.locate(&grid, pressure_hpa, temperature_k, &mut near, A::JURASSIC, A::LOGARITHMIC);
        let column_per_cm2 = point.gases[gas].column_per_cm2;
        let emissivity = rule.add(&tables, &head, &Segment { pressure_hpa, temperature_k, column_per_cm2, cell });
        passed *= 1.0 - emissivity;
        (passed, emissivity)
    };
    path.points.iter().map(&mut next).collect()
}

fn geometry(inputs: &Path, name: &str) -> Ray {
    let all = json(&inputs.join("rays.json"));
    let ray = all["rays"].as_array().unwrap().iter().find(|ray| ray["name"] == name).unwrap();
    let position = |point: &str| {
        let [height_km, longitude_deg, latitude_deg] = numbers(&ray[point])[..] else { panic!("three numbers") };
        Position { height_km, longitude_deg, latitude_deg }
    };
    Ray { time_s: ray["time"].as_f64().unwrap(), observer: position("obs"), view_point: position("vp") }
}
