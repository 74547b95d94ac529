//! The case of the benchmark: a limb scan through a mid-latitude atmosphere, with tables from a band model.
//!
//! 32 channels from 1122 to 1153 cm^-1 and 13 gases, tables of 41 pressures x 29 temperatures with about 190 column
//! densities a curve: the size of the case for which JURASSIC-GPU was published.

use crate::random::Random;
use isobar::core::{Column, Real, bracket, interpolate};
use isobar::ega::band_model::{Band, TableGrid};
use isobar::ega::{EmissivityTable, Filter, ForwardSetup};
use isobar::raytrace::{Atmosphere, PathOptions, Position, Ray};
use rayon::prelude::*;

/// The gases: name; strength \[cm^2/molecule\] and how it varies from channel to channel (decades, period, phase);
/// Lorentz and Doppler width; lower state energy \[cm^-1\]; mixing ratio at the ground and above 20 km \[mol/mol\].
#[rustfmt::skip]
#[allow(clippy::type_complexity, reason = "a table, explained above")]
const GASES: [(&str, f64, [f64; 3], [f64; 2], f64, [f64; 2]); 13] = [
    ("CO2",  3.0e-26, [0.6,  9.0, 0.3], [0.05, 5e-4], 900.0, [3.7e-4, 3.7e-4]),
    ("H2O",  5.0e-24, [1.2, 11.0, 1.1], [0.03, 3e-4], 800.0, [1.2e-2, 4.5e-6]),
    ("O3",   6.0e-21, [0.5, 17.0, 2.0], [0.40, 3e-3], 250.0, [2.5e-8, 5.0e-6]),
    ("CH4",  2.0e-22, [0.9,  7.0, 0.7], [0.06, 6e-4], 500.0, [1.8e-6, 1.0e-6]),
    ("N2O",  1.5e-21, [0.7, 13.0, 2.9], [0.08, 6e-4], 300.0, [3.2e-7, 1.5e-7]),
    ("HNO3", 4.0e-22, [0.4, 19.0, 0.2], [0.60, 4e-3], 300.0, [1.8e-10, 6.0e-9]),
    ("SO2",  3.0e-19, [0.5, 15.0, 1.7], [0.50, 3e-3], 250.0, [1.0e-10, 1.0e-11]),
    ("F12",  2.0e-18, [0.6, 23.0, 0.9], [2.00, 2e-2], 150.0, [5.4e-10, 2.0e-10]),
    ("F22",  1.5e-18, [0.5, 21.0, 2.4], [2.00, 2e-2], 150.0, [1.4e-10, 8.0e-11]),
    ("ClO",  2.0e-21, [0.6,  8.0, 1.3], [0.20, 2e-3], 300.0, [1.0e-14, 3.0e-10]),
    ("H2O2", 8.0e-22, [0.5, 12.0, 0.1], [0.30, 2e-3], 300.0, [5.0e-10, 2.0e-11]),
    ("HOCl", 5.0e-21, [0.6, 10.0, 2.2], [0.30, 2e-3], 300.0, [1.0e-12, 1.5e-10]),
    ("COF2", 2.0e-20, [0.4, 14.0, 1.9], [0.30, 2e-3], 300.0, [1.0e-13, 2.0e-10]),
];

/// Everything that a forward run takes.
pub(crate) struct BenchCase {
    pub(crate) setup: ForwardSetup,
    pub(crate) tables: Vec<Option<EmissivityTable>>,
    pub(crate) atmosphere: Atmosphere,
}

/// The case with `gases` gases (at most 13) and `channels` channels.
pub(crate) fn case(gases: usize, channels: usize) -> BenchCase {
    let gases = &GASES[..gases.min(GASES.len())];
    let atmosphere = atmosphere(gases.len());
    let grid = grid(&atmosphere);
    let wavenumbers: Vec<f64> = (0..channels).map(|i| 1122.0 + i as f64).collect();
    let band = |gas: usize, nu: f64| {
        let (_, strength, [decades, period, phase], [lorentz, doppler], energy_per_cm, _) = gases[gas];
        let wave = Real::sin(2.0 * core::f64::consts::PI * (nu - 1122.0) / period + phase);
        Band { strength: strength * Real::powf(10.0, decades * wave), lorentz, doppler, energy_per_cm }
    };
    let tables = (0..gases.len() * channels)
        .into_par_iter()
        .map(|i| Some(band(i / channels, wavenumbers[i % channels]).table(&grid)))
        .collect();
    let filter = |nu: &f64| Filter {
        wavenumber_per_cm: (-50..=50).map(|i| nu + 0.01 * f64::from(i)).collect(),
        transmission: vec![1.0; 101],
    };
    let setup = ForwardSetup {
        gases: gases.iter().map(|gas| gas.0.to_owned()).collect(),
        filters: wavenumbers.iter().map(filter).collect(),
        windows: vec![0; channels],
        wavenumbers_per_cm: wavenumbers,
        path: PathOptions { step_length_km: 10.0, step_height_km: 0.5, ..PathOptions::default() },
        ..ForwardSetup::default()
    };
    BenchCase { setup, tables, atmosphere }
}

/// Rays of a scan: tangent heights of a limb scan, angles of a nadir scan.
pub(crate) const SCAN: usize = 66;

/// A scan, again and again until there are `rays`: limb from 780 km with tangent heights from 3 to 68 km, or nadir from
/// 700 km to both sides.
pub(crate) fn scan(nadir: bool, rays: usize) -> Vec<Ray> {
    let position = |height_km, latitude_deg| Position { height_km, longitude_deg: 0.0, latitude_deg };
    let ray = |i: usize| {
        let step = (i % SCAN) as f64;
        if nadir {
            let across_deg = -8.0 + 16.0 * step / (SCAN - 1) as f64;
            return Ray { time_s: 0.0, observer: position(700.0, 0.0), view_point: position(0.0, across_deg) };
        }
        let radius = isobar::raytrace::constants::EARTH_RADIUS_KM;
        let angle = Real::acos((radius + 3.0 + step) / (radius + 780.0));
        Ray { time_s: 0.0, observer: position(780.0, 0.0), view_point: position(3.0 + step, angle.to_degrees()) }
    };
    (0..rays).map(ray).collect()
}

/// Limb, nadir and slant rays from many places, the same for the same number: for comparisons between devices.
pub(crate) fn random_rays(rays: usize) -> Vec<Ray> {
    let mut random = Random::new(0x9e37_79b9_7f4a_7c15);
    let mut uniform = |low: f64, high: f64| low + random.unit() * (high - low);
    let mut ray = |i: usize| {
        let (latitude, longitude) = (uniform(-80.0, 80.0), uniform(-180.0, 180.0));
        let (observer_km, view_km, away) = match i % 4 {
            0 => (780.0, uniform(-2.0, 70.0), 26.5),
            1 => (uniform(400.0, 900.0), 0.0, uniform(0.0, 12.0)),
            2 => (uniform(5.0, 30.0), uniform(0.0, 40.0), uniform(0.5, 5.0)),
            _ => (uniform(0.1, 85.0), uniform(60.0, 80.0), uniform(0.0, 10.0)),
        };
        Ray {
            time_s: uniform(0.0, 8e8),
            observer: Position { height_km: observer_km, longitude_deg: longitude, latitude_deg: latitude },
            view_point: Position {
                height_km: view_km,
                longitude_deg: longitude + uniform(-1.0, 1.0),
                latitude_deg: (latitude + away * if latitude > 0.0 { -1.0 } else { 1.0 }).clamp(-90.0, 90.0),
            },
        }
    };
    (0..rays).map(&mut ray).collect()
}

/// US Standard Atmosphere 1976 in temperature, hydrostatic, with smooth profiles of the gases, 0 to 90 km.
fn atmosphere(gases: usize) -> Atmosphere {
    // Geopotential nodes of the standard atmosphere (NASA TM-X-74335), taken as heights.
    let nodes = [
        (0.0, 288.15),
        (11.0, 216.65),
        (20.0, 216.65),
        (32.0, 228.65),
        (47.0, 270.65),
        (51.0, 270.65),
        (71.0, 214.65),
        (86.0, 186.87),
        (90.0, 186.87),
    ];
    let (z, t): (Vec<f64>, Vec<f64>) = nodes.into_iter().unzip();
    let height_km: Vec<f64> = (0..=90).map(f64::from).collect();
    let temperature = |&height: &f64| {
        let i = bracket::ascending(Column::from(z.as_slice()), height);
        interpolate::linear(z[i], t[i], z[i + 1], t[i + 1], height)
    };
    let mixing_ratio = |gas: usize| {
        let [ground, above] = GASES[gas].5;
        let decay = Real::ln(above / ground);
        height_km.iter().map(|z| ground * Real::exp(decay * (z / 20.0).min(1.0))).collect()
    };
    let mut atmosphere = Atmosphere {
        time_s: vec![0.0; height_km.len()],
        longitude_deg: vec![0.0; height_km.len()],
        latitude_deg: vec![0.0; height_km.len()],
        pressure_hpa: vec![1013.25; height_km.len()],
        temperature_k: height_km.iter().map(temperature).collect(),
        mixing_ratio: (0..gases).map(mixing_ratio).collect(),
        extinction_per_km: vec![vec![0.0; height_km.len()]],
        height_km,
        ..Atmosphere::default()
    };
    atmosphere.make_hydrostatic(0.0, (gases > 1).then_some(1));
    atmosphere
}

/// Every second height up to 80 km, and temperatures within 70 K of the atmosphere's.
fn grid(atmosphere: &Atmosphere) -> TableGrid {
    let levels = (0..=80).rev().step_by(2);
    let around = |i: usize| (-14..=14).map(|j| atmosphere.temperature_k[i] + 5.0 * f64::from(j)).collect();
    TableGrid {
        pressures_hpa: levels.clone().map(|i| atmosphere.pressure_hpa[i]).collect(),
        temperatures_k: levels.map(around).collect(),
        column_factor: 1.122,
        emissivities: (1e-6, 0.9999),
    }
}
