//! Rain and snow beside liquid and ice.

use isobar_core::fields::{AnyValues, OwnedInputs, OwnedOutputs};
use isobar_core::{Dual, Real};
use isobar_optics::ParticleTable;
use isobar_radiation::{
    CloudOptics, CloudSolver, ColumnViews, Columns, DeltaScaling, Device, Fluxes, LongwaveScattering, Options, Overlap,
    Precision, Radiation, Roughness, Spectra, analytic, compute,
};

use crate::delta_scaling::air;
use crate::ecrad_clouds::tables;
use crate::models::{ecckd_with, own};
use crate::reference::gas_optics;

const COUNT: usize = 9;
const LAYERS: usize = 30;
/// Sizes of rain and of snow, in the tables of the repository, of which that of snow is ice's.
const SIZES: [[f64; 2]; 2] = [[100.0, 2000.0], [50.0, 120.0]];

/// One that has kernels of its own a line.
fn each_method() -> Vec<Options> {
    let plain = Options { derivative: true, clear_sky: true, ..Options::default() };
    let triple = Options { cloud_solver: CloudSolver::Tripleclouds, ..plain.clone() };
    vec![
        plain.clone(),
        Options { overlap: Overlap::Exponential, ..plain.clone() },
        Options { band_fluxes: true, ..plain.clone() },
        Options { delta_scaling: DeltaScaling::Mixture, ..plain.clone() },
        Options { longwave_scattering: LongwaveScattering::Rescaled, ..plain.clone() },
        Options { longwave_scattering: LongwaveScattering::TwoStream, ..plain },
        Options { longwave_scattering: LongwaveScattering::TwoStream, ..triple.clone() },
        triple,
    ]
}

fn run<R: Precision>(radiation: &Radiation<R>, columns: &Columns<R>, options: &Options) -> Fluxes<R> {
    let model = radiation.clone().on(&[Device::Cpu]);
    model.run(columns, options).unwrap_or_else(|error| panic!("{error}"))
}

fn with_rain_and_snow() -> Columns<f64> {
    let mut columns = analytic::columns(COUNT, LAYERS, true);
    analytic::add_rain_and_snow(&mut columns, SIZES);
    columns
}

fn all_as_cloud<R: Precision>() -> Radiation<R> {
    ecckd_with(|clouds| CloudOptics { rain: None, snow: None, ..clouds }.rain_as_liquid().snow_as_ice())
}

/// The bits of all results.
fn bits<R: Precision>(fluxes: &Fluxes<R>) -> Vec<(&'static str, Vec<u64>)> {
    let mut all = Vec::new();
    fluxes.each(&mut |declared, values| {
        if let AnyValues::Real(values) = values {
            all.push((declared.name, values.iter().map(|value| value.value().to_bits()).collect()));
        }
    });
    all
}

/// Snow with the tables of ice is ice, and rain with those of droplets liquid.
fn is_the_same<R: Precision>() {
    let columns = analytic::columns::<R>(COUNT, LAYERS, true);
    let nothing = || vec![R::ZERO; LAYERS * COUNT];
    let mut fallen = columns.clone();
    fallen.rain_path_g_per_m2 = std::mem::replace(&mut fallen.liquid_path_g_per_m2, nothing());
    fallen.rain_radius_um = std::mem::replace(&mut fallen.liquid_radius_um, nothing());
    fallen.snow_path_g_per_m2 = std::mem::replace(&mut fallen.ice_path_g_per_m2, nothing());
    fallen.snow_size_um = std::mem::replace(&mut fallen.ice_size_um, nothing());
    for options in each_method() {
        let [cloud, fallen] = [&columns, &fallen].map(|columns| bits(&run(&all_as_cloud::<R>(), columns, &options)));
        assert!(cloud == fallen, "{} {options:?}", R::NAME);
    }
}

#[test]
fn with_the_same_tables_they_are_cloud() {
    is_the_same::<f64>();
    is_the_same::<f32>();
}

/// No rain and no snow is as if nobody had spoken of them, and what there is of them in clear layers is not seen.
#[test]
fn none_changes_nothing() {
    let columns = analytic::columns::<f64>(COUNT, LAYERS, true);
    let mut none = with_rain_and_snow();
    for (index, fraction) in none.cloud_fraction.iter().enumerate() {
        let path = if *fraction == 0.0 { 5.0 } else { 0.0 };
        (none.rain_path_g_per_m2[index], none.snow_path_g_per_m2[index]) = (path, path);
    }
    let radiation = ecckd_with::<f64>(CloudOptics::snow_as_ice);
    for options in each_method() {
        let expected = bits(&run(&radiation, &columns, &options));
        assert!(bits(&run(&radiation, &none, &options)) == expected, "{options:?}");
        // Nor do tables that nobody needs.
        let without = ecckd_with::<f64>(|clouds| CloudOptics { rain: None, snow: None, ..clouds });
        assert!(bits(&run(&without, &columns, &options)) == expected, "{options:?}");
        // Sky without clouds is what it is.
        let rainy = run(&radiation, &with_rain_and_snow(), &options);
        let plain = run(&radiation, &columns, &options);
        assert!(rainy.longwave_up_clear_w_per_m2 == plain.longwave_up_clear_w_per_m2);
        assert!(rainy.shortwave_down_clear_w_per_m2 == plain.shortwave_down_clear_w_per_m2);
    }
}

/// A part of the liquid taken for rain of the same size, and of the ice for snow, changes roundings alone: depths add
/// up.
#[test]
fn species_add_up() {
    let columns = analytic::columns::<f64>(COUNT, LAYERS, true);
    let mut shared = columns.clone();
    for (path, part, whole) in [
        (&mut shared.rain_path_g_per_m2, &mut shared.liquid_path_g_per_m2, &columns.liquid_path_g_per_m2),
        (&mut shared.snow_path_g_per_m2, &mut shared.ice_path_g_per_m2, &columns.ice_path_g_per_m2),
    ] {
        *path = whole.iter().map(|whole| 0.3 * whole).collect();
        *part = whole.iter().zip(&*path).map(|(whole, path)| whole - path).collect();
    }
    (shared.rain_radius_um, shared.snow_size_um) = (columns.liquid_radius_um.clone(), columns.ice_size_um.clone());
    // The 300 operations of each layer with 1361 W/m^2.
    let rounding = 1361.0 * f64::EPSILON * 300.0 * LAYERS as f64;
    for options in each_method() {
        let [whole, shared] = [&columns, &shared].map(|columns| run(&all_as_cloud::<f64>(), columns, &options));
        for (name, whole, shared) in [
            ("long wave up", &whole.longwave_up_w_per_m2, &shared.longwave_up_w_per_m2),
            ("long wave down", &whole.longwave_down_w_per_m2, &shared.longwave_down_w_per_m2),
            ("short wave up", &whole.shortwave_up_w_per_m2, &shared.shortwave_up_w_per_m2),
            ("beam", &whole.shortwave_direct_w_per_m2, &shared.shortwave_direct_w_per_m2),
        ] {
            let largest = whole.iter().zip(shared).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            assert!(largest < rounding, "{name}, {options:?}: {largest:e}");
        }
    }
}

/// Overcast rain and snow of a table with a slope: the beam loses their extinction but for the forward peak.
#[test]
fn the_beam_loses_what_tables_say() {
    let table = |extinction: [f64; 3], albedo: f64, asymmetry: f64| ParticleTable {
        size_um: [100.0, 500.0],
        extinction: extinction.to_vec(),
        albedo: vec![albedo; 3],
        asymmetry: vec![asymmetry; 3],
    };
    let clouds = CloudOptics {
        spectral: 1,
        by_point: false,
        liquid: table([0.0; 3], 0.0, 0.0),
        ice: table([0.0; 3], 0.0, 0.0),
        rain: Some(table([0.0015, 0.0005, 0.0002], 0.75, 0.5)),
        snow: Some(table([0.0025, 0.001, 0.0005], 0.5, 0.8)),
    };
    let radiation = Radiation::<f64>::new().with(&air(), Some(&clouds)).unwrap();
    let mut columns = analytic::columns::<f64>(COUNT, LAYERS, true);
    analytic::add_rain_and_snow(&mut columns, [[100.0, 500.0]; 2]);
    columns.cloud_fraction.fill(1.0);
    columns.liquid_radius_um.fill(100.0);
    columns.ice_size_um.fill(100.0);
    let dry = Columns { rain_path_g_per_m2: Vec::new(), snow_path_g_per_m2: Vec::new(), ..columns.clone() };
    columns.rain_radius_um.fill(200.0);
    columns.snow_size_um.fill(450.0);
    let [wet, dry] = [&columns, &dry].map(|columns| run(&radiation, columns, &Options::default()));
    let mut bright = 0;
    for column in 0..COUNT {
        let sum = |values: &[f64]| (0..LAYERS).map(|layer| values[layer * COUNT + column]).sum::<f64>();
        let rain = sum(&columns.rain_path_g_per_m2) * 0.001;
        let snow = sum(&columns.snow_path_g_per_m2) * 0.000_625;
        // What they scatter as one, layer by layer: there is no layer with both.
        let depth = rain * (1.0 - 0.75 * 0.25) + snow * (1.0 - 0.5 * 0.64);
        let part = Real::exp(-depth / columns.cosine_zenith[column]);
        let (wet, dry) = (wet.shortwave_direct_w_per_m2[column], dry.shortwave_direct_w_per_m2[column]);
        // Roundings of 30 factors, of the sun.
        assert!((wet - part * dry).abs() < 1e-12 * 1361.0, "{column}: {wet} {part} {dry}");
        assert!(part < 0.99, "{column}: {part}");
        bright += usize::from(wet > 10.0);
    }
    assert!(bright > COUNT / 2, "{bright}");
}

#[test]
fn what_is_wrong_is_said() {
    let refused = |radiation: Radiation<f64>, columns: &Columns<f64>| {
        radiation.on(&[Device::Thread]).run(columns, &Options::default()).expect_err("it is wrong").to_string()
    };
    let columns = with_rain_and_snow();
    let place =
        columns.snow_path_g_per_m2.iter().zip(&columns.cloud_fraction).position(|(path, part)| path * part > 0.0);
    let place = place.expect("it snows");
    let (layer, column) = (place / COUNT, place % COUNT);
    let [all, none] =
        [ecckd_with::<f64>(CloudOptics::snow_as_ice), ecckd_with(|clouds| CloudOptics { snow: None, ..clouds })];
    let expected = format!(
        "snow_path_g_per_m2 at column {column}, layer {layer} is {}, which is not 0 g m-2: the tables of clouds of \
         the long wave have none of snow, unless it is taken for ice (snow_as_ice, --snow-as-ice)",
        columns.snow_path_g_per_m2[place]
    );
    // There are no clouds over column 0.
    assert_eq!(column, 1);
    assert_eq!(refused(none.clone(), &columns), expected);
    let dry = |change: &dyn Fn(&mut Columns<f64>)| {
        let mut columns = columns.clone();
        change(&mut columns);
        columns
    };
    // What there is not needs no table.
    run(&none, &dry(&|columns| columns.snow_path_g_per_m2.fill(0.0)), &Options::default());
    let no_rain = ecckd_with(|clouds| CloudOptics { rain: None, ..clouds }.snow_as_ice());
    let text = refused(no_rain, &columns);
    assert!(
        text.starts_with("rain_path_g_per_m2 at column 1, layer 1 ")
            && text.contains("(rain_as_liquid, --rain-as-liquid)"),
        "{text}"
    );

    let large = dry(&|columns| columns.snow_size_um[place] = 500.0);
    let expected = format!(
        "snow_size_um at column {column}, layer {layer} is 500, which is not in [10, 120] um, for which the tables are"
    );
    assert_eq!(refused(all.clone(), &large), expected);
    // Where it does not snow, nobody looks.
    let beside = columns.snow_path_g_per_m2.iter().position(|path| *path == 0.0).expect("some layer has none");
    run(&all, &dry(&|columns| columns.snow_size_um[beside] = 500.0), &Options::default());
    let negative = refused(all.clone(), &dry(&|columns| columns.rain_path_g_per_m2[5] = -1.0));
    assert!(negative.starts_with("rain_path_g_per_m2 at column 5, layer 0 is -1"), "{negative}");
    let lacking = refused(all.clone(), &dry(&|columns| columns.rain_radius_um.clear()));
    assert!(lacking.starts_with("rain_radius_um has 0 values instead of 270"), "{lacking}");
    let clear = refused(
        all,
        &dry(&|columns| {
            for values in [
                &mut columns.cloud_fraction,
                &mut columns.liquid_path_g_per_m2,
                &mut columns.ice_path_g_per_m2,
                &mut columns.rain_path_g_per_m2,
            ] {
                values.clear();
            }
        }),
    );
    assert_eq!(clear, "clouds need a cloud_fraction");
}

/// Exact derivatives by amounts and sizes of rain and snow against differences.
#[test]
fn fluxes_differentiate() {
    const VARIABLES: usize = 4;
    let spectra = ["long", "short"].into_iter().fold(Spectra::default(), |spectra, wave| {
        let clouds = CloudOptics::new(&tables(wave), Roughness::Medium).snow_as_ice();
        spectra.with(&gas_optics(&own(wave)), Some(&clouds)).unwrap()
    });
    let mut columns = analytic::columns::<f64>(3, LAYERS, true);
    analytic::add_rain_and_snow(&mut columns, SIZES);
    // Between nodes of the tables, at which slopes change: they are 25 and 5 um apart.
    columns.rain_radius_um.fill(310.0);
    columns.snow_size_um.fill(63.0);
    let step = 1e-4;
    let options = Options { longwave_scattering: LongwaveScattering::TwoStream, ..Options::default() };
    fn inputs<T>(columns: &mut Columns<T>) -> [&mut Vec<T>; VARIABLES] {
        let Columns { rain_path_g_per_m2, snow_path_g_per_m2, rain_radius_um, snow_size_um, .. } = columns;
        [rain_path_g_per_m2, snow_path_g_per_m2, rain_radius_um, snow_size_um]
    }
    let radiation = ecckd_with::<f64>(CloudOptics::snow_as_ice);
    let plain = run(&radiation, &columns, &options);
    for variable in 0..VARIABLES {
        // One at a time: of another number of derivatives all would be compiled again.
        let mut dual = columns.rounded::<Dual<f64, 1>>();
        inputs(&mut dual)[variable].iter_mut().for_each(|value| *value *= Dual::variable(1.0, 0));
        let exact = compute(&spectra, &ColumnViews::try_from(&dual).unwrap(), &options).unwrap();
        let [less, more] = [1.0 - step, 1.0 + step].map(|factor| {
            let mut columns = columns.clone();
            inputs(&mut columns)[variable].iter_mut().for_each(|value| *value *= factor);
            run(&radiation, &columns, &options)
        });
        for (name, exact, plain, less, more) in [
            (
                "long wave",
                &exact.longwave_down_w_per_m2,
                &plain.longwave_down_w_per_m2,
                &less.longwave_down_w_per_m2,
                &more.longwave_down_w_per_m2,
            ),
            (
                "short wave",
                &exact.shortwave_up_w_per_m2,
                &plain.shortwave_up_w_per_m2,
                &less.shortwave_up_w_per_m2,
                &more.shortwave_up_w_per_m2,
            ),
        ] {
            let largest = exact.iter().map(|flux| flux.derivative[0].abs()).fold(0.0, f64::max);
            println!("{name} {variable}: {largest:.2} W/m^2");
            assert!(largest > 0.02, "{name} {variable}: {largest}");
            for index in 0..plain.len() {
                assert_eq!(exact[index].value.to_bits(), plain[index].to_bits(), "values are those of plain numbers");
                let difference = (more[index] - less[index]) / (2.0 * step);
                // The third derivative times the square of the step, and the rounding of fluxes over it: the 300
                // operations of each layer with 1361 W/m^2.
                let accepted = 1e-6 * largest + 1361.0 * f64::EPSILON * 300.0 * LAYERS as f64 / step;
                let wrong = (exact[index].derivative[0] - difference).abs();
                assert!(wrong < accepted, "{name} {variable} {index}: {wrong:e} of {largest:e}");
            }
        }
    }
}
