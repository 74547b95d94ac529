//! Which g-points see the clouds of a layer: the part of the sun's beam that gets through opaque clouds, over many
//! sub-columns, against closed forms of each overlap's cover.

use isobar_core::Real;
use isobar_optics::{Ecckd, EcckdDependence, EcckdGas, EcckdPlanck, EcckdSolar, GasOptics, ParticleTable};
use isobar_radiation::{CloudOptics, Columns, Device, Fluxes, Options, Overlap, Precision, Radiation};

/// Two warps.
const POINTS: usize = 64;
/// Columns that differ in their seed alone.
const COUNT: usize = 600;
const DECORRELATION_M: f64 = 1000.0;
/// Cloudy parts from the surface up: clouds over clouds, clear layers between them, thinner over thicker and the other
/// way round.
const CLOUDY: [f64; 10] = [0.5, 0.375, 0.0, 0.25, 0.75, 0.625, 0.0, 0.0, 0.375, 0.125];
const LAYERS: usize = CLOUDY.len();
/// All of them are as thick as a few decorrelation lengths.
const THICKNESS_M: [f64; LAYERS] = [300.0, 400.0, 500.0, 600.0, 700.0, 600.0, 500.0, 400.0, 300.0, 200.0];
/// What a black body of any temperature emits at a g-point \[W/m^2\].
const BLACK: f64 = 2.0;

const EACH: [Overlap; 5] =
    [Overlap::Random, Overlap::MaximumRandom, Overlap::Maximum, Overlap::Exponential, Overlap::ExponentialRandom];

/// Air that does nothing, of one spectrum, whose g-points are all alike.
fn transparent(longwave: bool) -> GasOptics {
    let gas = |name: &str, dependence, rows: usize| EcckdGas {
        name: name.to_owned(),
        dependence,
        absorption: vec![0.0; rows * POINTS],
    };
    let model = Ecckd {
        points: POINTS,
        pressure_pa: vec![1.0, 1.1e5],
        temperature_k: vec![150.0, 150.0, 350.0, 350.0],
        gases: vec![
            gas("composite", EcckdDependence::None, 4),
            gas("h2o", EcckdDependence::LookUp(vec![1e-6, 1e-2]), 8),
        ],
        bands: vec![[1000.0, 50_000.0]],
        band_of_point: vec![0; POINTS],
        spectrum: None,
        planck: longwave
            .then(|| EcckdPlanck { temperature_k: vec![100.0, 400.0], irradiance: vec![BLACK; 2 * POINTS] }),
        solar: (!longwave)
            .then(|| EcckdSolar { irradiance: vec![1360.0 / POINTS as f64; POINTS], rayleigh: vec![0.0; POINTS] }),
    };
    GasOptics::try_from(&model).unwrap()
}

/// Clouds that absorb, whatever their size.
fn black() -> CloudOptics {
    let particles = ParticleTable {
        size_um: [1.0, 100.0],
        extinction: vec![1.0; 2],
        albedo: vec![0.0; 2],
        asymmetry: vec![0.0; 2],
    };
    CloudOptics { spectral: 1, by_point: false, liquid: particles.clone(), ice: particles, ..CloudOptics::default() }
}

fn columns<R: Real>() -> Columns<R> {
    let rows =
        |values: &[f64]| -> Vec<R> { values.iter().flat_map(|value| vec![R::from_f64(*value); COUNT]).collect() };
    let level = |level: usize| 1e5 - 9e3 * level as f64;
    let levels: Vec<f64> = (0..=LAYERS).map(level).collect();
    let middles: Vec<f64> = (0..LAYERS).map(|layer| 0.5 * (level(layer) + level(layer + 1))).collect();
    Columns {
        level_pressure_pa: rows(&levels),
        pressure_pa: rows(&middles),
        temperature_k: rows(&[280.0; LAYERS]),
        level_temperature_k: rows(&[280.0; LAYERS + 1]),
        surface_temperature_k: rows(&[280.0]),
        emissivity: vec![R::ONE],
        cosine_zenith: rows(&[1.0]),
        surface_albedo_direct: vec![R::ZERO],
        h2o: rows(&[1e-3; LAYERS]),
        cloud_fraction: rows(&CLOUDY),
        // An optical depth of 1000, of which nothing is left in any precision.
        liquid_path_g_per_m2: rows(&[1000.0; LAYERS]),
        ice_path_g_per_m2: rows(&[0.0; LAYERS]),
        liquid_radius_um: rows(&[10.0; LAYERS]),
        ice_size_um: rows(&[10.0; LAYERS]),
        thickness_m: rows(&THICKNESS_M),
        subcolumn_seed: (0..COUNT as u32).collect(),
        ..Columns::default()
    }
}

fn run<R: Precision>(overlap: Overlap) -> Fluxes<R> {
    let radiation = [true, false]
        .into_iter()
        .fold(Radiation::new(), |radiation, longwave| radiation.with(&transparent(longwave), Some(&black())).unwrap());
    let options = Options { overlap, decorrelation_m: DECORRELATION_M, ..Options::default() };
    radiation.on(&[Device::Cpu]).run(&columns(), &options).unwrap_or_else(|error| panic!("{error}"))
}

/// At each level and column, how many g-points see no cloud above.
fn clear_points<R: Precision>(fluxes: &Fluxes<R>) -> Vec<u32> {
    let top = fluxes.shortwave_direct_w_per_m2[LAYERS * COUNT].value();
    let count = |direct: &R| {
        let points = direct.value() / top * POINTS as f64;
        // Sums of equal numbers: all but whole.
        assert!((points - points.round()).abs() < 1e-3, "{points}");
        points.round() as u32
    };
    fluxes.shortwave_direct_w_per_m2.iter().map(count).collect()
}

/// The part of g-points that see no cloud in the layers from `bottom` to the top.
fn clear(overlap: Overlap, bottom: usize) -> f64 {
    let layers: Vec<usize> = (bottom..LAYERS).rev().collect();
    let clear = |layer: usize| 1.0 - CLOUDY[layer];
    let above = |layer: usize| if layer + 1 < LAYERS { CLOUDY[layer + 1] } else { 0.0 };
    match overlap {
        Overlap::Random => layers.iter().map(|&layer| clear(layer)).product(),
        Overlap::Maximum => layers.iter().map(|&layer| clear(layer)).fold(1.0, f64::min),
        // Of what is clear in the layer above, this much is clear in this.
        Overlap::MaximumRandom => {
            let each = |&layer: &usize| clear(layer).min(1.0 - above(layer)) / (1.0 - above(layer));
            layers.iter().map(each).product()
        }
        Overlap::Exponential | Overlap::ExponentialRandom => {
            // The part that keeps its rank from the layer above.
            let alike = |layer: usize| {
                let distance = 0.5 * (THICKNESS_M[layer] + THICKNESS_M[layer + 1]);
                let parted = overlap == Overlap::ExponentialRandom && (CLOUDY[layer] == 0.0 || above(layer) == 0.0);
                if parted { 0.0 } else { Real::exp(-distance / DECORRELATION_M) }
            };
            // Runs of layers with one rank overlap as much as possible, and each run is independent of those above: the
            // sum over where the lowest run begins.
            let mut parts = vec![1.0];
            for (place, _) in layers.iter().enumerate() {
                let (mut sum, mut kept, mut least) = (0.0, 1.0, 1.0_f64);
                for start in (0..=place).rev() {
                    least = least.min(clear(layers[start]));
                    let keeps = if start == 0 { 0.0 } else { alike(layers[start]) };
                    sum += parts[start] * (1.0 - keeps) * kept * least;
                    kept *= keeps;
                }
                parts.push(sum);
            }
            parts[layers.len()]
        }
    }
}

#[test]
fn covers_are_those_of_closed_forms() {
    for overlap in EACH {
        let counts = clear_points(&run::<f64>(overlap));
        for (level, of_level) in counts.chunks(COUNT).enumerate() {
            let expected = clear(overlap, level);
            let samples = (COUNT * POINTS) as f64;
            let found = f64::from(of_level.iter().sum::<u32>()) / samples;
            // Each g-point of each column throws its own dice: a binomial distribution, and no more than four times its
            // standard error, beyond which 1 in 16,000 would be; there are 50 such numbers.
            let accepted = 4.0 * (expected * (1.0 - expected) / samples).sqrt();
            println!("{overlap:?}, level {level}: {found:.4}, {expected:.4} within {accepted:.4}");
            assert!((found - expected).abs() <= accepted, "{overlap:?}, level {level}: {found} for {expected}");
        }
    }
    // And they do differ, by more than what is accepted.
    let covers = EACH.map(|overlap| clear(overlap, 0));
    for (index, cover) in covers.iter().enumerate() {
        assert!(covers[..index].iter().all(|other| (cover - other).abs() > 0.015), "{covers:?}");
    }
}

/// A black cloud above sends down what a black body emits, and clear sky nothing.
#[test]
fn both_spectra_see_the_same_subcolumns() {
    for overlap in EACH {
        let fluxes = run::<f64>(overlap);
        let clear = clear_points(&fluxes);
        for (index, down) in fluxes.longwave_down_w_per_m2.iter().enumerate() {
            let expected = BLACK * (POINTS as u32 - clear[index]) as f64;
            assert!((down - expected).abs() < 1e-9, "{overlap:?} {index}: {down} {expected}");
        }
    }
}

#[test]
fn both_precisions_see_the_same_subcolumns() {
    for overlap in EACH {
        assert_eq!(clear_points(&run::<f32>(overlap)), clear_points(&run::<f64>(overlap)), "{overlap:?}");
    }
}
