//! The infrared path: every approximation and every kind of ground, through tables with and without common grids.

use std::sync::Arc;

use isobar_core::Real;
use isobar_ega::band_model::{Band, TableGrid};
use isobar_ega::launch::{Infrared, Precision, Radiances};
use isobar_ega::{Approximation, EmissivityTable, Filter, ForwardSetup, GroundKind, Interpolation, TableData};
use isobar_golden::{Outputs, conformance, numbers_of_all_magnitudes as numbers};
use isobar_launch::{Error, Queue};
use isobar_raytrace::{Atmosphere, CloudLayer, PathOptions, Position, Ray, SurfaceLayer};

/// More than one block of lanes, the second one not full.
pub(crate) const CHANNELS: usize = 37;
const GASES: [&str; 3] = ["CO2", "H2O", "O3"];

conformance!(growth, mean_path, logarithms, jurassic, track);

fn growth<R: Precision>(queue: &Queue) -> Result<Outputs, Error> {
    let mut outputs = Outputs::default();
    for ground in [GroundKind::None, GroundKind::Emission, GroundKind::Sky, GroundKind::SkyAndSun] {
        outputs = run::<R>(queue, outputs, &ForwardSetup { ground, ..setup() });
    }
    Ok(outputs)
}

fn mean_path<R: Precision>(queue: &Queue) -> Result<Outputs, Error> {
    let mut outputs = Outputs::default();
    for brightness_temperature in [false, true] {
        let approximation = Approximation::CurtisGodson;
        outputs = run::<R>(queue, outputs, &ForwardSetup { approximation, brightness_temperature, ..setup() });
    }
    Ok(outputs)
}

/// Both approximations with tables of logarithms.
fn logarithms<R: Precision>(queue: &Queue) -> Result<Outputs, Error> {
    let mut outputs = Outputs::default();
    for approximation in [Approximation::EmissivityGrowth, Approximation::CurtisGodson] {
        let interpolation = Interpolation::Logarithmic;
        outputs = run::<R>(queue, outputs, &ForwardSetup { approximation, interpolation, ..setup() });
    }
    Ok(outputs)
}

/// JURASSIC's arithmetic is double, and refused in single precision.
fn jurassic<R: Precision>(queue: &Queue) -> Result<Outputs, Error> {
    let mut outputs = Outputs::default();
    for (approximation, interpolation) in [
        (Approximation::EmissivityGrowth, Interpolation::Linear),
        (Approximation::CurtisGodson, Interpolation::Linear),
        (Approximation::EmissivityGrowth, Interpolation::Logarithmic),
        (Approximation::CurtisGodson, Interpolation::Logarithmic),
    ] {
        let setup = ForwardSetup { approximation, interpolation, jurassic_exact: true, ..setup() };
        let none = vec![None; GASES.len() * CHANNELS];
        let none = TableData::packed(&none, CHANNELS, true, interpolation).expect("no tables");
        if Infrared::<R>::new(&setup, none).is_ok() {
            outputs = run::<R>(queue, outputs, &setup);
        } else {
            assert_eq!(R::NAME, "f32");
        }
    }
    Ok(outputs)
}

/// Three profiles, of which the second goes downwards and has other heights.
fn track<R: Precision>(queue: &Queue) -> Result<Outputs, Error> {
    let profile = |latitude_deg: f64, warmer_k: f64| {
        let mut one = atmosphere();
        one.longitude_deg.fill(0.5 * latitude_deg);
        one.latitude_deg.fill(latitude_deg);
        one.temperature_k.iter_mut().for_each(|value| *value += warmer_k);
        one
    };
    let mut between = profile(14.0, -5.0);
    between.height_km.iter_mut().for_each(|height| *height = 0.25 + 0.99 * *height);
    let lists = between.mixing_ratio.iter_mut().chain(&mut between.extinction_per_km);
    let own = [&mut between.height_km, &mut between.pressure_hpa, &mut between.temperature_k];
    lists.chain(own).for_each(|values| values.reverse());
    let atmosphere = Atmosphere::join(&[profile(2.0, 0.0), between, profile(27.0, 4.0)]);
    assert!(atmosphere.varies());
    Ok(through::<R>(queue, Outputs::default(), &setup(), &atmosphere))
}

fn run<R: Precision>(queue: &Queue, outputs: Outputs, setup: &ForwardSetup) -> Outputs {
    through::<R>(queue, outputs, setup, &atmosphere())
}

fn through<R: Precision>(
    queue: &Queue,
    mut outputs: Outputs,
    setup: &ForwardSetup,
    atmosphere: &Atmosphere,
) -> Outputs {
    let packed = TableData::packed(&tables(), CHANNELS, setup.jurassic_exact, setup.interpolation);
    let tables = Arc::new(packed.expect("valid tables"));
    let rays = rays();
    let infrared = || Infrared::<R>::new(setup, tables.clone()).expect("a setup that fits");
    for chunk in [1, 13, rays.len()] {
        let run = |infrared: Infrared<R>| {
            infrared.on(&[queue.device()]).items_per_chunk(chunk).run(atmosphere, &rays).expect("a run")
        };
        let result = run(infrared());
        if queue.device().is_cpu() {
            same_bits(&run(infrared().as_on_a_gpu()), &result);
        }
        let points = result.points.iter().map(|&n| u64::from(n)).collect::<Vec<_>>();
        assert!(points.iter().sum::<u64>() > 1000, "the rays meet the atmosphere");
        let statuses: Vec<u32> = result.statuses.iter().map(|status| status.0).collect();
        outputs = outputs
            .reals("radiance", &result.radiance)
            .reals("transmittance", &result.transmittance)
            .counts("points", &result.points)
            .counts("statuses", &statuses);
    }
    outputs
}

fn same_bits(found: &Radiances, expected: &Radiances) {
    let bits = |values: &[f64]| values.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
    assert_eq!(bits(&found.radiance), bits(&expected.radiance));
    assert_eq!(bits(&found.transmittance), bits(&expected.transmittance));
    assert_eq!((&found.points, &found.statuses), (&expected.points, &expected.statuses));
    assert_eq!((&found.outside, found.cut_short), (&expected.outside, expected.cut_short));
}

pub(crate) fn setup() -> ForwardSetup {
    let wavenumbers_per_cm: Vec<f64> = (0..CHANNELS).map(|i| 700.0 + 45.0 * i as f64).collect();
    let filter =
        |&nu: &f64| Filter { wavenumber_per_cm: vec![nu - 0.5, nu, nu + 0.5], transmission: vec![0.5, 1.0, 0.5] };
    ForwardSetup {
        gases: GASES.map(str::to_owned).to_vec(),
        filters: wavenumbers_per_cm.iter().map(filter).collect(),
        windows: (0..CHANNELS).map(|i| i % 2).collect(),
        wavenumbers_per_cm,
        path: PathOptions { step_length_km: 10.0, step_height_km: 1.0, ..PathOptions::default() },
        cloud_wavenumbers_per_cm: vec![600.0, 2500.0],
        surface_wavenumbers_per_cm: vec![600.0, 2500.0],
        ..ForwardSetup::default()
    }
}

/// CO2 on one grid in all channels, H2O on two, O3 in some channels only and on an irregular grid of columns.
pub(crate) fn tables() -> Vec<Option<EmissivityTable>> {
    let grid = |shift: f64, column_factor: f64| TableGrid {
        pressures_hpa: (0..32).map(|i| 0.02 * Real::exp(0.35 * f64::from(i))).collect(),
        temperatures_k: (0..32).map(|_| (0..5).map(|j| 170.0 + shift + 30.0 * f64::from(j)).collect()).collect(),
        column_factor,
        emissivities: (1e-6, 0.9999),
    };
    let table = |gas: usize, channel: usize| {
        let strength = 1e-22 * Real::powf(10.0, 2.0 * Real::sin((gas * 7 + channel) as f64));
        let band = Band { strength, lorentz: 0.1, doppler: 1e-3, energy_per_cm: 400.0 };
        match gas {
            0 => Some(band.table(&grid(0.0, 1.3))),
            1 => Some(band.table(&grid(if channel < 20 { 0.0 } else { 5.0 }, 1.4))),
            _ if channel.is_multiple_of(3) => None,
            _ => {
                let mut table = band.table(&grid(2.0, 1.5));
                for curve in table.pressures.iter_mut().flat_map(|level| &mut level.curves) {
                    curve.column_per_cm2.remove(2);
                    curve.emissivity.remove(2);
                }
                Some(table)
            }
        }
    };
    (0..GASES.len() * CHANNELS).map(|i| table(i / CHANNELS, i % CHANNELS)).collect()
}

pub(crate) fn atmosphere() -> Atmosphere {
    let height_km: Vec<f64> = (0..=40).map(|i| 2.0 * f64::from(i)).collect();
    let profile = |f: &dyn Fn(f64) -> f64| height_km.iter().map(|&z| f(z)).collect::<Vec<f64>>();
    Atmosphere {
        horizontal: isobar_raytrace::Horizontal::Uniform,
        time_s: profile(&|_| 0.0),
        longitude_deg: profile(&|_| 0.0),
        latitude_deg: profile(&|_| 0.0),
        pressure_hpa: profile(&|z| 1013.25 * Real::exp(-z / 7.0)),
        temperature_k: profile(&|z| 240.0 + 40.0 * Real::cos(z / 8.0)),
        mixing_ratio: vec![
            profile(&|_| 4e-4),
            profile(&|z| 5e-6 + 1e-2 * Real::exp(-z / 2.0)),
            profile(&|z| 8e-6 * Real::exp(-(z - 30.0) * (z - 30.0) / 200.0)),
        ],
        extinction_per_km: vec![profile(&|z| 1e-5 * Real::exp(-z / 5.0)), profile(&|_| 0.0)],
        cloud: Some(CloudLayer { height_km: 9.0, depth_km: 1.5, extinction_per_km: vec![1e-3, 2e-3] }),
        surface: Some(SurfaceLayer {
            height_km: 0.3,
            pressure_hpa: 990.0,
            temperature_k: 291.0,
            emissivity: vec![0.92, 0.97],
        }),
        height_km,
    }
}

/// Limb, nadir and slant rays, one that misses the atmosphere and one whose observer is below the ground.
pub(crate) fn rays() -> Vec<Ray> {
    let random = numbers::<f64>(4 * 60, 7);
    let unit = |x: f64| if x.is_finite() { (x - x.floor()).clamp(0.0, 1.0) } else { 0.5 };
    let position = |height_km, longitude_deg, latitude_deg| Position { height_km, longitude_deg, latitude_deg };
    let ray = |(i, x): (usize, &[f64])| {
        let [a, b, c, d] = [unit(x[0]), unit(x[1]), unit(x[2]), unit(x[3])];
        let (observer, view_point) = match i % 3 {
            0 => (position(780.0, 10.0, 0.0), position(1.0 + 60.0 * a, 10.0 + b, 24.0 + 3.0 * c)),
            1 => (position(700.0, 0.0, 40.0 * d), position(0.0, a, 40.0 * d + 8.0 * b)),
            _ => (position(5.0 + 30.0 * a, 0.0, 0.0), position(70.0 * b, 1.0 + c, 3.0 * d)),
        };
        Ray { time_s: 7e8 * a, observer, view_point }
    };
    let mut rays: Vec<Ray> = random.chunks(4).enumerate().map(ray).collect();
    rays[10].view_point.height_km = 200.0;
    rays[11].observer = position(-1.0, 0.0, 0.0);
    rays
}
