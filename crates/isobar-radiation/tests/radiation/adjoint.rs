//! Derivatives by columns from those by fluxes against the tangent linear model, which dual numbers are, and against
//! differences.

use isobar_core::fields::{OwnedInputs, OwnedOutputs};
use isobar_core::{Dual, Real, Status};
use isobar_radiation::{
    Angles, CloudOptics, CloudSolver, ColumnViews, Columns, Cotangents, DeltaScaling, Device, Fluxes, Gradients,
    LongwaveScattering, Options, Radiation, Roughness, Spectra, analytic, compute,
};

use crate::ecrad_clouds::tables;
use crate::models::own;
use crate::reference::{cloud_optics, gas_optics, reference};

/// Numbers in [0, 1), spread evenly.
struct Random(f64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = (self.0 + 0.754_877_666_246_692_8).fract();
        (self.0 * 7919.0).fract()
    }
}

type Tangent = Dual<f64, 1>;

const LAYERS: usize = 40;
const COLUMNS: usize = 6;
const POINTS: usize = 32;

fn ecckd() -> (Radiation<f64>, Spectra<Tangent>) {
    ["long", "short"].into_iter().fold((Radiation::new(), Spectra::default()), |(radiation, spectra), wave| {
        let gases = gas_optics(&own(wave));
        let clouds = CloudOptics::new(&tables(wave), Roughness::Medium).snow_as_ice();
        (radiation.with(&gases, Some(&clouds)).unwrap(), spectra.with(&gases, Some(&clouds)).unwrap())
    })
}

/// What a tangent is by, times the scale of the input: all that there are derivatives by.
fn directions(columns: &Columns<f64>, random: &mut Random) -> (Columns<Tangent>, Vec<(&'static str, Vec<f64>)>) {
    let mut dual = columns.rounded::<Tangent>();
    let mut all = Vec::new();
    dual.each_real(&mut |declared, values| {
        let held = ["cloud_fraction", "overlap_parameter", "thickness_m", "latitude_deg"].contains(&declared.name);
        let direction: Vec<f64> = values
            .iter()
            .map(|value| if held { 0.0 } else { value.value.abs().max(1e-9) * (random.next() - 0.5) })
            .collect();
        for (value, &slope) in values.iter_mut().zip(&direction) {
            value.derivative = [slope];
        }
        all.push((declared.name, direction));
    });
    (dual, all)
}

fn cotangents(fluxes: &mut Fluxes<f64>, random: &mut Random) -> Cotangents<f64> {
    let mut cotangents = Cotangents::default();
    let mut sizes = Vec::new();
    fluxes.each_real(&mut |declared, values| sizes.push((declared.name, values.len())));
    cotangents.each_real(&mut |declared, values| {
        let (_, size) = sizes.iter().find(|(name, _)| *name == declared.name).unwrap();
        values.extend((0..*size).map(|_| random.next() - 0.5));
    });
    cotangents
}

/// The product of cotangents and tangents of fluxes, and that of gradients and directions, each by its terms.
fn products(
    cotangents: &mut Cotangents<f64>,
    tangents: &mut Fluxes<Tangent>,
    gradients: &mut Gradients<f64>,
    directions: &[(&'static str, Vec<f64>)],
    item: usize,
) -> [f64; 3] {
    let mut of_fluxes = Vec::new();
    tangents.each_real(&mut |declared, values| {
        of_fluxes.push((declared.name, values.iter().map(|value| value.derivative[0]).collect::<Vec<_>>()));
    });
    let [mut forward, mut backward, mut scale] = [0.0; 3];
    cotangents.each_real(&mut |declared, values| {
        let (_, tangents) = of_fluxes.iter().find(|(name, _)| *name == declared.name).unwrap();
        for at in (item..values.len()).step_by(COLUMNS) {
            forward += values[at] * tangents[at];
            scale += (values[at] * tangents[at]).abs();
        }
    });
    gradients.each_real(&mut |declared, values| {
        let (_, direction) = directions.iter().find(|(name, _)| *name == declared.name).unwrap();
        if direction.is_empty() {
            return;
        }
        for at in (item..values.len()).step_by(COLUMNS) {
            // One value may be all that a field has.
            let product = values[at] * if direction.len() == 1 { direction[0] } else { direction[at] };
            backward += product;
            scale += product.abs();
        }
    });
    [forward, backward, scale]
}

/// Adjoint and tangent are the same matrix, from both sides.
fn agree(
    what: &str,
    radiation: Radiation<f64>,
    spectra: &Spectra<Tangent>,
    columns: &Columns<f64>,
    options: &Options,
    accepted: f64,
) {
    let mut random = Random(0.3);
    let (dual, directions) = directions(columns, &mut random);
    let mut tangents = compute(spectra, &ColumnViews::try_from(&dual).unwrap(), options).unwrap();
    let mut fluxes = radiation.clone().on(&[Device::Thread]).run(columns, options).unwrap();
    let mut cotangents = cotangents(&mut fluxes, &mut random);
    let adjoint = radiation.adjoint().on(&[Device::Thread]);
    let mut gradients = adjoint.run((columns, &cotangents), options).unwrap();
    for item in 0..COLUMNS {
        let [forward, backward, scale] = products(&mut cotangents, &mut tangents, &mut gradients, &directions, item);
        let difference = (forward - backward).abs() / scale;
        println!("{what}, column {item}: {forward:.6e} {backward:.6e}, {difference:.1e} of {scale:.2e}");
        assert!(forward.is_finite() && scale > 0.0);
        assert!(difference < accepted, "{what}, column {item}: {forward} {backward}");
    }
}

fn cloudy() -> Columns<f64> {
    let mut columns = analytic::columns::<f64>(COLUMNS, LAYERS, true);
    analytic::add_rain_and_snow(&mut columns, [[100.0, 2000.0], [50.0, 120.0]]);
    columns
}

#[test]
fn adjoint_is_the_tangents_transpose() {
    let (radiation, spectra) = ecckd();
    let clear = analytic::columns::<f64>(COLUMNS, LAYERS, false);
    agree("clear", radiation.clone(), &spectra, &clear, &Options::default(), 1e-12);
    agree("cloudy", radiation, &spectra, &cloudy(), &Options::default(), 1e-12);
}

/// Aerosol and a surface by g-point.
fn with_aerosol(mut columns: Columns<f64>, by_extinction: bool) -> Columns<f64> {
    let mut random = Random(0.1);
    let mut values = |size: usize, least: f64, most: f64| -> Vec<f64> {
        (0..size).map(|_| least + (most - least) * random.next()).collect()
    };
    let surface = POINTS * COLUMNS;
    let all = surface * LAYERS;
    columns.aerosol_optical_depth = values(all, 0.0, 0.05);
    columns.aerosol_albedo = values(all, 0.7, 1.0);
    columns.aerosol_asymmetry = values(all, 0.3, 0.8);
    columns.surface_albedo_direct = values(surface, 0.0, 1.0);
    columns.surface_albedo_diffuse = values(surface, 0.0, 1.0);
    columns.emissivity = values(surface, 0.5, 1.0);
    if by_extinction {
        columns.aerosol_optical_depth_longwave = values(all, 0.0, 0.05);
        columns.aerosol_albedo_longwave = values(all, 0.0, 0.6);
        columns.aerosol_asymmetry_longwave = values(all, 0.0, 0.6);
    } else {
        columns.aerosol_absorption_longwave = values(all, 0.0, 0.05);
    }
    columns
}

#[test]
fn of_aerosol_and_diffuse_albedo() {
    let (radiation, spectra) = ecckd();
    for by_extinction in [false, true] {
        let columns = with_aerosol(cloudy(), by_extinction);
        let what = if by_extinction { "aerosol's extinction" } else { "aerosol's absorption" };
        agree(what, radiation.clone(), &spectra, &columns, &Options::default(), 1e-12);
        let mixture = Options { delta_scaling: DeltaScaling::Mixture, ..Options::default() };
        agree(what, radiation.clone(), &spectra, &columns, &mixture, 1e-12);
    }
}

/// Of columns of all kinds: night and a level sun, overcast and with thin and thick clouds, black and white surfaces.
#[test]
fn of_many_columns() {
    let (radiation, spectra) = ecckd();
    let mut random = Random(0.9);
    for round in 0..12 {
        let mut columns = with_aerosol(cloudy(), round % 2 == 0);
        let mut vary = |values: &mut Vec<f64>, change: &dyn Fn(f64, f64) -> f64| {
            values.iter_mut().for_each(|value| *value = change(*value, random.next()));
        };
        vary(&mut columns.cosine_zenith, &|_, x| if x < 0.2 { -x } else { (x - 0.2) * (x - 0.2) * x });
        vary(&mut columns.cloud_fraction, &|value, x| if x < 0.1 { 1.0 } else { value });
        vary(&mut columns.liquid_path_g_per_m2, &|value, x| value * Real::exp(3.5 - 21.0 * x));
        vary(&mut columns.ice_path_g_per_m2, &|value, x| if x < 0.2 { 0.0 } else { value * x });
        vary(&mut columns.h2o, &|value, x| value * (0.1 + x));
        vary(&mut columns.surface_albedo_direct, &|_, x| (1.5 * x - 0.25).clamp(0.0, 1.0));
        agree(&format!("round {round}"), radiation.clone(), &spectra, &columns, &Options::default(), 1e-12);
        columns.aerosol_albedo.iter_mut().for_each(|value| *value = 1.0);
        let what = format!("round {round}, conservative");
        agree(&what, radiation.clone(), &spectra, &columns, &Options::default(), 1e-12);
    }
}

/// Derivatives by each kind of input against differences of fluxes in f64, and in single precision against these: by
/// air without clouds, for pressures and temperatures draw the sub-columns.
#[test]
fn of_differences_and_single_precision() {
    let mut clear = analytic::columns::<f64>(COLUMNS, LAYERS, false);
    // Not so near to whole kelvins, the nodes of the tables of black bodies, that the differences go beyond them.
    for values in [&mut clear.level_temperature_k, &mut clear.surface_temperature_k] {
        values.iter_mut().for_each(|value| *value = value.floor() + 0.05 + 0.9 * value.fract());
    }
    let mut hazy = with_aerosol(clear, true);
    // Not beyond 1 by the differences.
    hazy.aerosol_albedo.iter_mut().for_each(|value| *value = value.min(0.99));
    differences_and_single_precision(&hazy, false);
    // Between nodes of the tables, at which slopes change.
    let mut cloudy = cloudy();
    cloudy.rain_radius_um.fill(310.0);
    cloudy.snow_size_um.fill(63.0);
    differences_and_single_precision(&cloudy, true);
}

fn differences_and_single_precision(columns: &Columns<f64>, by_clouds: bool) {
    let (radiation, _) = ecckd();
    let options = Options::default();
    let mut random = Random(0.2);
    let mut fluxes = radiation.clone().on(&[Device::Thread]).run(columns, &options).unwrap();
    let mut cotangents = cotangents(&mut fluxes, &mut random);
    let adjoint = radiation.clone().adjoint().on(&[Device::Thread]);
    let mut gradients = adjoint.run((columns, &cotangents), &options).unwrap();
    let mut single = {
        let (columns, cotangents) = (columns.rounded::<f32>(), cotangents.rounded::<f32>());
        let radiation = ["long", "short"].into_iter().fold(Radiation::<f32>::new(), |radiation, wave| {
            let clouds = CloudOptics::new(&tables(wave), Roughness::Medium).snow_as_ice();
            radiation.with(&gas_optics(&own(wave)), Some(&clouds)).unwrap()
        });
        radiation.adjoint().on(&[Device::Thread]).run((&columns, &cotangents), &options).unwrap()
    };
    let mut of_single = Vec::new();
    single.each_real(&mut |declared, values| of_single.push((declared.name, values.clone())));
    let mut value = |columns: &Columns<f64>| -> Vec<f64> {
        let mut fluxes = radiation.clone().on(&[Device::Thread]).run(columns, &options).unwrap();
        let mut found = Vec::new();
        fluxes.each_real(&mut |declared, values| found.push((declared.name, values.clone())));
        let mut sums = vec![0.0; 2 * COLUMNS];
        cotangents.each_real(&mut |declared, values| {
            let (_, fluxes) = found.iter().find(|(name, _)| *name == declared.name).unwrap();
            for (at, (by, flux)) in values.iter().zip(fluxes).enumerate() {
                sums[at % COLUMNS] += by * flux;
                sums[COLUMNS + at % COLUMNS] += (by * flux).abs();
            }
        });
        sums
    };
    let step = 1e-5;
    gradients.each_real(&mut |declared, gradient| {
        if by_clouds && !["path", "radius", "ice_size", "snow_size"].iter().any(|name| declared.name.contains(name)) {
            return;
        }
        let (_, single) = of_single.iter().find(|(name, _)| *name == declared.name).unwrap();
        // All values of the field by the same part, up and down.
        let scaled = |factor: f64| {
            let mut columns = columns.clone();
            let mut size = 0;
            columns.each_real(&mut |input, values| {
                if input.name == declared.name {
                    values.iter_mut().for_each(|value| *value *= factor);
                    size = values.len();
                }
            });
            (columns, size)
        };
        let [(less, size), (more, _)] = [1.0 - step, 1.0 + step].map(scaled);
        if size == 0 || gradient.is_empty() {
            return;
        }
        let mut inputs = columns.clone();
        let (mut exact, mut rounded, mut scale) = ([0.0; COLUMNS], [0.0; COLUMNS], [0.0; COLUMNS]);
        inputs.each_real(&mut |input, values| {
            if input.name == declared.name {
                for at in 0..gradient.len() {
                    let value = values[if size == 1 { 0 } else { at }];
                    exact[at % COLUMNS] += gradient[at] * value;
                    rounded[at % COLUMNS] += f64::from(single[at]) * value;
                    scale[at % COLUMNS] += (gradient[at] * value).abs();
                }
            }
        });
        let [less, more] = [&less, &more].map(&mut value);
        for item in 0..COLUMNS {
            let difference = (more[item] - less[item]) / (2.0 * step);
            println!(
                "{} {item}: {:.3e} {difference:.3e} {:.3e} of {:.3e}",
                declared.name, exact[item], rounded[item], scale[item]
            );
            // Third derivatives times the square of the step, and the rounding of fluxes, some 1e-12, over it.
            assert!((exact[item] - difference).abs() < 1e-6 * scale[item] + 1e-6, "{} {item}", declared.name);
            // A thousand operations of single precision, of the derivatives' terms and of those of fluxes.
            let accepted = 1e3 * f64::from(f32::EPSILON) * (10.0 * scale[item] + 0.01 * less[COLUMNS + item]);
            assert!((exact[item] - rounded[item]).abs() < accepted, "{} {item}", declared.name);
        }
    });
}

#[test]
fn of_rrtmgp() {
    let mut both = (Radiation::new(), Spectra::default());
    for (wave, points) in [("lw", "g128"), ("sw", "g112")] {
        let files = [format!("coeff/{wave}-{points}.nc"), format!("cloud/rrtmgp-clouds-{wave}-bnd.nc")];
        let [Some(gases), Some(clouds)] = files.map(|file| reference(&file)) else {
            println!("SKIPPED: RRTMGP's k-distributions are not there");
            return;
        };
        let (gases, clouds) = (gas_optics(&gases), cloud_optics(&clouds));
        both = (both.0.with(&gases, Some(&clouds)).unwrap(), both.1.with(&gases, Some(&clouds)).unwrap());
    }
    let (radiation, spectra) = both;
    let clear = analytic::columns::<f64>(COLUMNS, LAYERS, false);
    agree("RRTMGP", radiation.clone(), &spectra, &clear, &Options::default(), 1e-12);
    let cloudy = analytic::columns::<f64>(COLUMNS, LAYERS, true);
    agree("RRTMGP, cloudy", radiation.clone(), &spectra, &cloudy, &Options::default(), 1e-12);
    let options = Options { angles: Angles::Best, ..Options::default() };
    agree("RRTMGP, best secants", radiation, &spectra, &clear, &options, 1e-12);
}

#[test]
fn of_each_option() {
    let (radiation, spectra) = ecckd();
    let columns = cloudy();
    for (what, options) in [
        ("four angles", Options { angles: Angles::Gauss(4), ..Options::default() }),
        ("mixture", Options { delta_scaling: DeltaScaling::Mixture, ..Options::default() }),
        ("one secant", Options { angles: Angles::Secant(1.9), ..Options::default() }),
        ("heat capacity", Options { heat_capacity_j_per_kg_k: 2000.0, ..Options::default() }),
    ] {
        agree(what, radiation.clone(), &spectra, &columns, &options, 1e-12);
    }
}

/// Columns have the same bits whatever the chunks and threads, and single values for all of them are read as such.
#[test]
fn of_parts_of_a_batch() {
    let (radiation, _) = ecckd();
    let columns = cloudy();
    let cotangents =
        Cotangents { longwave_up_w_per_m2: vec![1.0], shortwave_down_w_per_m2: vec![0.5], ..<_>::default() };
    let options = Options::default();
    let whole = radiation.clone().adjoint().on(&[Device::Thread]).run((&columns, &cotangents), &options).unwrap();
    let parts = radiation.adjoint().on(&[Device::Cpu]).items_per_chunk(2).run((&columns, &cotangents), &options);
    assert_eq!(whole, parts.unwrap());
    assert_eq!(whole.temperature_k.len(), LAYERS * COLUMNS);
    assert!(whole.aerosol_albedo.is_empty() && whole.surface_albedo_diffuse.is_empty(), "there is none");
    assert_eq!(whole.rain_path_g_per_m2.len(), LAYERS * COLUMNS);
}

#[test]
fn what_it_does_not_have() {
    let (radiation, _) = ecckd();
    let (columns, cotangents) = (cloudy(), Cotangents { longwave_up_w_per_m2: vec![1.0], ..Cotangents::default() });
    let adjoint = radiation.adjoint().on(&[Device::Thread]);
    for (options, why) in [
        (
            Options { longwave_scattering: LongwaveScattering::TwoStream, ..Options::default() },
            "the adjoint has no long wave that scatters",
        ),
        (
            Options { cloud_solver: CloudSolver::Tripleclouds, ..Options::default() },
            "the adjoint has clouds by random sub-columns (McICA) alone",
        ),
    ] {
        assert_eq!(adjoint.run((&columns, &cotangents), &options).unwrap_err().to_string(), why);
    }
    let mut short = Cotangents { longwave_up_w_per_m2: vec![1.0; 5], ..Cotangents::default() };
    let error = adjoint.run((&columns, &short), &Options::default()).unwrap_err();
    assert!(error.to_string().starts_with("longwave_up_w_per_m2 has 5 values"), "{error}");
    short.longwave_up_w_per_m2 = vec![f64::NAN];
    let error = adjoint.run((&columns, &short), &Options::default()).unwrap_err();
    assert!(error.to_string().starts_with("longwave_up_w_per_m2 at column 0, level 0 is NaN"), "{error}");
    // What overflows has a status, as in the forward run.
    let status = |short: &Cotangents<f64>| adjoint.run((&columns, short), &Options::default()).unwrap().status;
    short.longwave_up_w_per_m2 = vec![f64::MAX];
    assert_eq!(status(&short), [Status::NOT_FINITE.0; COLUMNS]);
    short.longwave_up_w_per_m2 = vec![1.0];
    assert_eq!(status(&short), [Status::OK.0; COLUMNS]);
}
