//! The clear-sky launcher: chunks and threads, surfaces with an analytic answer, sizes and ranges.

use isobar_adding::Error as BatchError;
use isobar_adding::clear_sky::{Absorption, Profiles, Reflection, Source, Sun};
use isobar_adding::launch::{AddingError, ClearSkyModel, Outputs};
use isobar_core::Real;
use isobar_launch::{Device, with_threads};

/// Three layers of many profiles at two angles.
fn batch(profiles: usize) -> Profiles {
    let values = |count: usize, scale: f64| (0..count).map(|i| scale * (i % 7) as f64).collect::<Vec<_>>();
    Profiles {
        cosine: vec![1.0, 0.6],
        absorption: Absorption::OpticalDepth(values(3 * profiles, 0.1)),
        source: Source::Isothermal(values(3 * profiles, 10.0)),
        surface_planck: values(profiles, 20.0),
        emissivity: values(2 * profiles, 0.1),
        cosmic: values(profiles, 0.5),
        reflection: Reflection::Specular,
        sun: None,
    }
}

fn top(batch: &Profiles) -> Vec<f64> {
    ClearSkyModel::new(&[Device::Cpu]).run(batch, Outputs::Ends, &|_| {}).unwrap().top
}

#[test]
fn chunks_and_threads_change_no_bit() {
    let batch = batch(101);
    let all = ClearSkyModel::new(&[Device::Cpu]).run::<f32>(&batch, Outputs::Levels, &|_| {}).unwrap();
    for (threads, chunk) in [(1, 1), (1, 7), (3, 33), (3, 1000)] {
        let model = ClearSkyModel::new(&[Device::Cpu]).profiles_per_chunk(chunk);
        let parts = with_threads(threads, || model.run::<f32>(&batch, Outputs::Levels, &|_| {})).unwrap().unwrap();
        assert_eq!(parts, all, "{threads} threads, chunks of {chunk}");
    }
}

#[test]
fn a_lambertian_surface_mixes_the_angles_by_their_flux() {
    // Nothing but the cosmic background above: of it the surface reflects the mean of 1 - emissivity by mu w.
    let mut batch = batch(1);
    batch.absorption = Absorption::OpticalDepth(vec![0.0; 3]);
    batch.surface_planck = vec![0.0];
    batch.cosmic = vec![8.0];
    batch.emissivity = vec![0.5, 0.25];
    batch.reflection = Reflection::Lambertian { weight: vec![0.3, 0.7] };
    let mean = (0.5 * 1.0 * 0.3 + 0.75 * 0.6 * 0.7) / (1.0 * 0.3 + 0.6 * 0.7);
    for radiance in top(&batch) {
        // A few roundings.
        assert!((radiance / (8.0 * mean) - 1.0).abs() < 1e-15, "{radiance}");
    }
}

#[test]
fn sunlight_passes_down_and_up() {
    let mut batch = batch(2);
    batch.source = Source::Isothermal(vec![0.0; 6]);
    batch.surface_planck = vec![0.0; 2];
    batch.cosmic = vec![0.0; 2];
    batch.absorption = Absorption::OpticalDepth(vec![0.2; 6]);
    // The second profile has night.
    batch.sun = Some(Sun { cosine: vec![0.5, -0.1], irradiance: vec![90.0; 2], reflectivity: vec![0.1; 4] });
    let top = top(&batch);
    for (angle, mu) in [1.0, 0.6].into_iter().enumerate() {
        let exact = 0.1 * 0.5 * 90.0 / std::f64::consts::PI * Real::exp(-0.6 / 0.5) * Real::exp(-0.6 / mu);
        assert!((top[2 * angle] / exact - 1.0).abs() < 4e-15, "{} instead of {exact}", top[2 * angle]);
        assert_eq!(top[2 * angle + 1], 0.0);
    }
}

#[test]
fn a_wrong_value_is_named_with_its_place() {
    let refused = |change: &dyn Fn(&mut Profiles)| {
        let mut batch = batch(5);
        change(&mut batch);
        match ClearSkyModel::new(&[Device::Cpu]).run::<f64>(&batch, Outputs::Ends, &|_| {}) {
            Err(AddingError::Batch(error)) => error,
            other => panic!("{other:?}"),
        }
    };
    let depth = refused(&|batch| batch.absorption = Absorption::OpticalDepth([vec![0.1; 8], vec![-1.0; 7]].concat()));
    assert_eq!(
        depth.to_string(),
        "optical_depth at profile 3, layer 1 is -1, which is not a finite number of at least 0"
    );
    let emissivity = refused(&|batch| batch.emissivity[7] = 1.5);
    assert_eq!(emissivity.to_string(), "emissivity at profile 2, angle 1 is 1.5, which is not in [0, 1]");
    let cosine = refused(&|batch| batch.cosine[1] = 0.0);
    assert_eq!(cosine.to_string(), "cosine at angle 1 is 0, which is not in (0, 1]");
    assert!(refused(&|batch| batch.surface_planck[4] = f64::NAN).to_string().contains("profile 4 is NaN"));
    assert!(matches!(
        refused(&|batch| batch.cosmic.truncate(2)),
        BatchError::Size { variable: "cosmic_background", .. }
    ));
}
