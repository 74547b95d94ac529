//! The clear-sky model: chunks, threads and layouts, surfaces with an analytic answer, sizes and ranges.

use isobar_adding::clear_sky::{Options, Output, ProfileViews, Profiles, Radiances, Reflection};
use isobar_adding::{BadItems, ClearSky, Device, RunError};
use isobar_core::fields::Error;
use isobar_core::{Column, Field, Real, Status};
use isobar_launch::with_threads;

/// Three layers of many profiles.
fn batch(profiles: usize) -> Profiles<f64> {
    let values = |count: usize, scale: f64| (0..count).map(|i| scale * (i % 7) as f64).collect::<Vec<_>>();
    Profiles {
        optical_depth: values(3 * profiles, 0.1),
        planck_radiance: values(3 * profiles, 10.0),
        surface_planck_radiance: values(profiles, 20.0),
        emissivity: values(2 * profiles, 0.1),
        cosmic_background: values(profiles, 0.5),
        ..Profiles::default()
    }
}

/// At two angles.
fn options() -> Options {
    Options::new(&[1.0, 0.6])
}

fn levels() -> Options {
    Options { output: Output::Levels, ..options() }
}

fn top(batch: &Profiles<f64>, options: &Options) -> Vec<f64> {
    ClearSky::on(&[Device::Cpu]).run(batch, options).unwrap().top_radiance
}

#[test]
fn chunks_threads_and_memory_change_no_bit() {
    let batch = isobar_core::fields::OwnedInputs::rounded::<f32>(&batch(101));
    let all = ClearSky::on(&[Device::Thread]).run(&batch, &levels()).unwrap();
    assert_eq!(all.status, [0; 101]);
    for (threads, chunk) in [(1, 1), (1, 7), (3, 33), (3, 1000)] {
        let model = ClearSky::on(&[Device::Cpu]).items_per_chunk(chunk);
        let parts = with_threads(threads, || model.run(&batch, &levels())).unwrap().unwrap();
        assert_eq!(parts, all, "{threads} threads, chunks of {chunk}");
    }
    let whole = with_threads(3, || ClearSky::on(&[Device::Cpu]).run(&batch, &levels())).unwrap().unwrap();
    assert_eq!(whole, all);
    // 20 rows of 64 profiles take more; in the place of the caller the statuses of 101 do.
    let model = ClearSky::on(&[Device::Cpu]).items_per_chunk(101).largest_allocation(3000);
    assert_eq!(model.run(&batch, &levels()).unwrap(), all);
    let model = ClearSky::on(&[Device::Cpu]).largest_allocation(500);
    assert_eq!(model.run(&batch, &levels()).unwrap(), all);
}

/// The same numbers with neighbouring levels adjacent, or from the surface up.
#[test]
fn every_layout_gives_the_same_bits() {
    let (batch, items) = (batch(70), 70);
    let expected = ClearSky::on(&[Device::Cpu]).run(&batch, &levels()).unwrap();
    let turned = |values: &[f64], rows: usize| -> Vec<f64> {
        (0..values.len()).map(|i| values[i % rows * items + i / rows]).collect()
    };
    let (depth, emissivity) = (turned(&batch.optical_depth, 3), turned(&batch.emissivity, 2));
    let surface_first: Vec<f64> = batch.planck_radiance.chunks(items).rev().flatten().copied().collect();
    let views = ProfileViews {
        optical_depth: Field::level_fastest(&depth, 3, items),
        planck_radiance: Field::item_fastest(&surface_first, 3, items).levels_reversed(),
        emissivity: Field::level_fastest(&emissivity, 2, items),
        ..ProfileViews::try_from(&batch).unwrap()
    };
    for model in [ClearSky::on(&[Device::Cpu]), ClearSky::on(&[Device::Cpu]).items_per_chunk(32)] {
        assert_eq!(model.run(views, &levels()).unwrap(), expected);
    }
}

/// A value for all layers, angles and profiles is as good as that many.
#[test]
fn one_value_stands_for_all() {
    let many = Profiles { emissivity: vec![0.9; 10], cosmic_background: vec![0.5; 5], ..batch(5) };
    let one = Profiles { emissivity: vec![0.9], cosmic_background: vec![0.5], ..many.clone() };
    assert_eq!(top(&one, &options()), top(&many, &options()));
    let single = |emissivity: Vec<f64>| Profiles { emissivity, ..batch(1) };
    assert_eq!(top(&single(vec![0.9]), &options()), top(&single(vec![0.9; 2]), &options()));
}

#[test]
fn a_batch_that_stays_is_computed_at_other_angles() {
    let (batch, model) = (batch(40), ClearSky::on(&[Device::Cpu]));
    let mut resident = model.resident(&batch, &options()).unwrap();
    let mut radiances = Radiances::default();
    for cosine in [[0.3, 0.7], [1.0, 0.6]] {
        let other = Options::new(&cosine);
        resident.compute(&other).unwrap();
        resident.results_into(&mut radiances).unwrap();
        assert_eq!(radiances, model.run(&batch, &other).unwrap());
    }
}

#[test]
fn a_lambertian_surface_mixes_the_angles_by_their_flux() {
    // Nothing but the cosmic background above: of it the surface reflects the mean of 1 - emissivity by mu w.
    let batch = Profiles {
        optical_depth: vec![0.0; 3],
        surface_planck_radiance: vec![0.0],
        cosmic_background: vec![8.0],
        emissivity: vec![0.5, 0.25],
        ..batch(1)
    };
    let options = Options { reflection: Reflection::Lambertian { weight: vec![0.3, 0.7] }, ..options() };
    let mean = (0.5 * 1.0 * 0.3 + 0.75 * 0.6 * 0.7) / (1.0 * 0.3 + 0.6 * 0.7);
    for radiance in top(&batch, &options) {
        // A few roundings.
        assert!((radiance / (8.0 * mean) - 1.0).abs() < 1e-15, "{radiance}");
    }
}

#[test]
fn sunlight_passes_down_and_up() {
    let batch = Profiles {
        planck_radiance: vec![0.0],
        surface_planck_radiance: vec![0.0; 2],
        cosmic_background: vec![0.0; 2],
        optical_depth: vec![0.2; 6],
        // The second profile has night.
        sun_cosine: vec![0.5, -0.1],
        sun_irradiance: vec![90.0; 2],
        sun_reflectivity: vec![0.1; 4],
        ..batch(2)
    };
    let top = top(&batch, &options());
    for (angle, mu) in [1.0, 0.6].into_iter().enumerate() {
        let exact = 0.1 * 0.5 * 90.0 / std::f64::consts::PI * Real::exp(-0.6 / 0.5) * Real::exp(-0.6 / mu);
        assert!((top[2 * angle] / exact - 1.0).abs() < 4e-15, "{} instead of {exact}", top[2 * angle]);
        assert_eq!(top[2 * angle + 1], 0.0);
    }
}

#[test]
fn a_wrong_value_is_named_with_its_place() {
    let refused = |change: &dyn Fn(&mut Profiles<f64>, &mut Options)| {
        let (mut batch, mut options) = (batch(5), options());
        change(&mut batch, &mut options);
        match ClearSky::on(&[Device::Cpu]).run(&batch, &options) {
            Err(RunError::Batch(error)) => error,
            other => panic!("{other:?}"),
        }
    };
    let depth = refused(&|batch, _| batch.optical_depth = [vec![0.1; 8], vec![-1.0; 7]].concat());
    assert_eq!(depth.to_string(), "optical_depth at profile 0, layer 2 is -1, which is not in [0, inf)");
    let emissivity = refused(&|batch, _| batch.emissivity[7] = 1.5);
    assert_eq!(emissivity.to_string(), "emissivity at profile 2, angle 1 is 1.5, which is not in [0, 1]");
    let cosine = refused(&|_, options| options.cosine[1] = 0.0);
    assert_eq!(cosine.to_string(), "cosine at angle 1 is 0, which is not in (0, 1]");
    assert!(refused(&|batch, _| batch.surface_planck_radiance[4] = f64::NAN).to_string().contains("profile 4 is NaN"));
    let size = refused(&|batch, _| batch.cosmic_background.truncate(2));
    assert!(matches!(size, Error::Size { variable: "cosmic_background", .. }));
    let both = refused(&|batch, _| batch.planck_radiance_level = vec![1.0; 20]);
    assert_eq!(both.to_string(), "a batch has a Planck radiance either of each layer or of each level");
    let sun = refused(&|batch, _| batch.sun_cosine = vec![0.5]);
    assert_eq!(sun.to_string(), "sunlight has a cosine, an irradiance and a reflectivity");
}

#[test]
fn bad_profiles_and_too_large_radiances_are_flagged() {
    let mut batch = isobar_core::fields::OwnedInputs::rounded::<f32>(&batch(5));
    let expected = ClearSky::on(&[Device::Cpu]).run(&batch, &options()).unwrap();
    batch.emissivity[1] = -1.0;
    // A layer that emits up and sends on as much is beyond the largest number.
    batch.planck_radiance[3] = f32::MAX;
    batch.surface_planck_radiance[3] = f32::MAX;
    batch.cosmic_background[3] = f32::MAX;
    batch.sun_cosine = vec![1.0];
    batch.sun_irradiance = vec![0.0, 0.0, 0.0, f32::MAX, 0.0];
    batch.sun_reflectivity = vec![9.0];
    batch.optical_depth[3] = 0.0;
    let model = ClearSky::on(&[Device::Cpu]).bad_items(BadItems::Flag);
    let mut radiances = Radiances::default();
    let refused = model.run_into(&batch, &options(), &mut radiances).unwrap();
    assert_eq!(refused.iter().map(Error::item).collect::<Vec<_>>(), [Some(1), Some(3)]);
    assert_eq!(refused[1].to_string(), "top_radiance at profile 3, angle 0 is inf, which is not in the range of f32");
    let status = [Status::OK, Status::OUT_OF_RANGE, Status::OK, Status::NOT_FINITE, Status::OK];
    assert_eq!(radiances.status, status.map(|status| status.0));
    for item in [0, 2, 4] {
        assert_eq!(radiances.top_radiance[item], expected.top_radiance[item]);
    }
    assert!(radiances.top_radiance[3].is_nan() && radiances.surface_downward_radiance[6].is_nan());
}

/// Views of slices alone, without a batch.
#[test]
fn plain_slices_are_enough() {
    let (depth, planck) = ([0.0, 40.0], [50.0, 80.0]);
    let views = ProfileViews {
        optical_depth: Field::item_fastest(&depth, 2, 1),
        planck_radiance: Field::item_fastest(&planck, 2, 1),
        surface_planck_radiance: Column::from(&[100.0][..]),
        emissivity: Field::constant(&1.0, 1, 1),
        cosmic_background: Column::from(&[0.0][..]),
        ..isobar_core::fields::InputSet::empty()
    };
    let radiances = ClearSky::on(&[Device::Thread]).run(views, &Options::new(&[1.0])).unwrap();
    assert_eq!(radiances.top_radiance, [80.0]);
}
