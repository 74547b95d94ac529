//! Single formulas against JURASSIC's: Planck's law, source functions, continua, table look-ups, geometry and the Sun.

use std::fs;
use std::path::Path;

use isobar_core::{Column, Field};
use isobar_ega::channel::Channels;
use isobar_ega::channel_data::{channels, source_functions};
use isobar_ega::constants::SOURCE_NODES;
use isobar_ega::continuum::{Air, Continuum};
use isobar_ega::growth::Growth;
use isobar_ega::jurassic::JurassicGrowth;
use isobar_ega::rule::{Rule, Segment};
use isobar_ega::tables::Cell;
use isobar_ega::{
    ChannelSetup, Continua, Curve, EmissivityTable, Filter, NitrogenContinuum, PressureLevel, TableData, planck, sun,
};
use isobar_golden::{Value, find, json, numbers};
use isobar_raytrace::Atmosphere;
use isobar_raytrace::geodesy::{from_cartesian, to_cartesian};

/// Relative, unless the unit says otherwise.
#[rustfmt::skip]
mod tolerance {
    /// A few rounding errors of exp_m1 and a division.
    pub(crate) const PLANCK: f64 = 1e-13;
    /// Sums over some hundred filter samples in the same order, then an interpolation that cancels where it
    /// extrapolates.
    pub(crate) const SOURCE: f64 = 1e-12;
    /// Products of a dozen factors; the quadratic of CO2 cancels digits between its nodes.
    pub(crate) const CONTINUUM: f64 = 1e-12;
    /// Absolute, for equal arithmetic on one table: a 1 - (1 - E) costs the digits of a small E.
    pub(crate) const LOOK_UP_EXACT: f64 = 2e-15;
    /// The reference forms slopes in single precision.
    pub(crate) const LOOK_UP: f64 = 2e-7;
    /// Coordinates of 7000 km, degrees of 180: absolute.
    pub(crate) const GEO: f64 = 1e-11;
    /// Degrees: thousands of turns of the Earth are taken off an angle.
    pub(crate) const SUN_DEG: f64 = 1e-8;
}

/// A part of the reference's `units.json`; the folder with it.
fn reference(part: &str) -> Option<(std::path::PathBuf, Value)> {
    let folder = find("jurassic")?;
    let mut all = json(&folder.join("units/units.json"));
    Some((folder, all[part].take()))
}

fn rows(part: &Value) -> Vec<Vec<f64>> {
    part["rows"].as_array().unwrap().iter().map(numbers).collect()
}

#[track_caller]
fn close(got: f64, want: f64, relative: f64) {
    assert!((got - want).abs() <= relative * want.abs(), "{got} is not {want} within {relative:.0e}");
}

#[test]
fn planck_and_brightness() {
    let Some((_, part)) = reference("planck") else { return };
    for row in rows(&part) {
        let [t, nu, radiance, brightness] = row[..] else { panic!("four columns") };
        close(planck::radiance(t, nu), radiance, tolerance::PLANCK);
        close(planck::brightness_temperature(radiance, nu), brightness, tolerance::PLANCK);
    }
}

#[test]
fn source_function() {
    let Some((folder, part)) = reference("source_function") else { return };
    let nu = numbers(&part["nu"]);
    let filter = |nu: &f64| {
        let rows = isobar_golden::rows(&folder.join(format!("small_tables/syn_{nu:.4}.filt")));
        let (wavenumber_per_cm, transmission) = rows.into_iter().map(|row| (row[0], row[1])).unzip();
        Filter { wavenumber_per_cm, transmission }
    };
    let filters: Vec<Filter> = nu.iter().map(filter).collect();
    let source = source_functions::<f64>(&filters);
    let channels = channels::<f64>(&nu, &ChannelSetup::default(), &Atmosphere::default());
    let channels = Channels {
        channels: Column::from(channels.as_slice()),
        source: Field::item_fastest(&source, SOURCE_NODES, nu.len()),
    };
    for (t, values) in numbers(&part["T"]).into_iter().zip(part["B"].as_array().unwrap()) {
        for (channel, want) in numbers(values).into_iter().enumerate() {
            close(channels.source(channel, t), want, tolerance::SOURCE);
        }
    }
}

#[test]
fn continua() {
    let Some((_, part)) = reference("continua") else { return };
    let none = Continua { co2: false, h2o: false, n2: NitrogenContinuum::Off, o2: false };
    let only = [
        ("co2", Continua { co2: true, ..none }),
        ("h2o", Continua { h2o: true, ..none }),
        ("n2", Continua { n2: NitrogenContinuum::Jurassic, ..none }),
        ("o2", Continua { o2: true, ..none }),
    ];
    for (name, continua) in only {
        for row in rows(&part[name]) {
            // nu, p, T; then u, or q and u; then the optical depth, of 1 km where there is no u.
            let (&want, values) = row.split_last().unwrap();
            let column = if values.len() > 3 { values[values.len() - 1] } else { 0.0 };
            let air = Air {
                pressure_hpa: values[1],
                temperature_k: values[2],
                length_km: 1.0,
                co2_per_cm2: column,
                h2o_per_cm2: column,
                h2o_mixing_ratio: if values.len() > 4 { values[3] } else { 0.0 },
            };
            close(Continuum::at(values[0], continua).optical_depth(&air), want, tolerance::CONTINUUM);
        }
    }
}

/// What a rule makes of segments of one curve, one after the other: the fraction absorbed in the end.
fn absorbed<A: Rule<f64>>(data: &TableData, node: u32, columns: &[f64]) -> f64 {
    let tables = data.view();
    let head = tables.tables.at(0);
    // The neighbouring curve has no weight; JURASSIC wants two.
    let cell = Cell {
        nodes: [node, node ^ 1, node, node ^ 1],
        temperature_weight: [0.0; 2],
        pressure_weight: 0.0,
        unused: 0.0,
    };
    let mut rule = A::start();
    let mut left = 1.0;
    for &column_per_cm2 in columns {
        let segment = Segment { pressure_hpa: 1.0, temperature_k: 250.0, column_per_cm2, cell };
        left -= left * rule.add(&tables, &head, &segment);
    }
    1.0 - left
}

#[test]
fn table_look_ups() {
    let Some((folder, part)) = reference("table_lookup") else { return };
    let (gases, nu) = (part["emitters"].as_array().unwrap(), numbers(&part["nu"]));
    for row in rows(&part) {
        let [channel, gas, pressure, temperature] = [0, 1, 2, 3].map(|i| row[i] as usize);
        let [u_in, eps_out, eps_in, u_out] = [4, 5, 6, 7].map(|i| row[i]);
        let file = format!("small_tables/syn_{:.4}_{}.bin", nu[channel], gases[gas].as_str().unwrap());
        let table = read_table(&folder.join(file));
        let curve = table.pressures[pressure].curves[temperature].clone();
        // The curve twice, as two temperatures of each of 30 equal levels: JURASSIC ignores smaller tables.
        let curves = [200.0, 300.0].map(|temperature_k| Curve { temperature_k, ..curve.clone() }).to_vec();
        let level = |i: u32| PressureLevel { pressure_hpa: f64::from(i + 1), curves: curves.clone() };
        let alone = EmissivityTable { pressures: (0..30).map(level).collect() };

        let exact = TableData::new(&[Some(alone.clone())], 1, true).unwrap();
        let got = absorbed::<JurassicGrowth<f64>>(&exact, 0, &[u_in]);
        assert!((got - eps_out).abs() <= tolerance::LOOK_UP_EXACT, "{got} is not {eps_out}");
        let data = TableData::new(&[Some(alone)], 1, false).unwrap();
        assert!((absorbed::<Growth<f64>>(&data, 0, &[u_in]) - eps_out).abs() <= tolerance::LOOK_UP * eps_out);

        // The inverse: a path that has absorbed eps_in goes on from u_out.
        close(absorbed::<JurassicGrowth<f64>>(&exact, 0, &[u_out]), eps_in, tolerance::LOOK_UP);
        for more in [0.01 * u_out, u_out] {
            let at_once = absorbed::<Growth<f64>>(&data, 0, &[u_out + more]);
            close(absorbed::<Growth<f64>>(&data, 0, &[u_out, more]), at_once, tolerance::LOOK_UP);
            close(absorbed::<JurassicGrowth<f64>>(&exact, 0, &[u_out, more]), at_once, tolerance::LOOK_UP);
        }
    }
}

#[test]
fn coordinates() {
    let Some((_, part)) = reference("geo") else { return };
    let near = |got: f64, want: f64| assert!((got - want).abs() <= tolerance::GEO, "{got} is not {want}");
    for row in rows(&part) {
        let x = to_cartesian(row[0], row[1], row[2]);
        (0..3).for_each(|axis| near(x[axis], row[3 + axis]));
        let (height, longitude, latitude) = from_cartesian(x);
        near(height, row[6]);
        near(longitude, row[7]);
        near(latitude, row[8]);
    }
}

#[test]
fn solar_zenith_angle() {
    let Some((_, part)) = reference("sza") else { return };
    for row in rows(&part) {
        let got = sun::zenith_deg(row[0], row[1], row[2]);
        assert!((got - row[3]).abs() <= tolerance::SUN_DEG, "{got} is not {}", row[3]);
    }
}

/// JURASSIC's binary table, little endian. The reader of `isobar-io` depends on this crate.
fn read_table(path: &Path) -> EmissivityTable {
    let bytes = fs::read(path).unwrap();
    let mut rest = &bytes[..];
    let mut take = |n: usize| {
        let (taken, left) = rest.split_at(n);
        rest = left;
        taken.to_vec()
    };
    let count = |bytes: Vec<u8>| i32::from_le_bytes(bytes.try_into().unwrap()) as usize;
    let doubles = |bytes: Vec<u8>| bytes.as_chunks().0.iter().map(|&b| f64::from_le_bytes(b)).collect::<Vec<f64>>();
    let singles = |bytes: Vec<u8>| bytes.as_chunks().0.iter().map(|&b| f32::from_le_bytes(b)).collect::<Vec<f32>>();
    let mut table = EmissivityTable::default();
    let levels = count(take(4));
    for pressure_hpa in doubles(take(8 * levels)) {
        let temperatures = count(take(4));
        let mut curves = Vec::new();
        for temperature_k in doubles(take(8 * temperatures)) {
            let nodes = count(take(4));
            let (column_per_cm2, emissivity) = (singles(take(4 * nodes)), singles(take(4 * nodes)));
            curves.push(Curve { temperature_k, column_per_cm2, emissivity, ..Curve::default() });
        }
        table.pressures.push(PressureLevel { pressure_hpa, curves });
    }
    table
}

#[allow(dead_code, reason = "its main is for `cargo run --example 01_emissivity_growth`")]
#[path = "../../examples/01_emissivity_growth.rs"]
mod example_01;

#[test]
fn example_01_prints_what_stands_beside_it() {
    assert_eq!(example_01::text().unwrap(), include_str!("../../examples/01_emissivity_growth.txt"));
}
