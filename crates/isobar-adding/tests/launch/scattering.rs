//! Scattering batches in pieces.

use isobar_adding::scattering::{Options, ProfileViews, Profiles, Radiances, Reflection};
use isobar_adding::{Device, Scattering};
use isobar_core::Field;
use isobar_core::fields::OwnedInputs;
use isobar_launch::with_threads;

fn cloudy(profiles: usize) -> Profiles<f64> {
    let layers = 3;
    let each = |f: &dyn Fn(usize) -> f64| (0..layers * profiles).map(f).collect::<Vec<_>>();
    Profiles {
        viewing_cosine: (0..profiles).map(|p| 1.0 / (1.0 + p as f64)).collect(),
        optical_depth: each(&|i| 0.1 * (1 + i % 7) as f64),
        single_scattering_albedo: each(&|i| 0.1 * (i % 10) as f64),
        asymmetry: each(&|i| 0.8 - 0.01 * (i % 11) as f64),
        planck_radiance: each(&|i| 50.0 + i as f64),
        surface_planck_radiance: vec![120.0; profiles],
        emissivity: vec![0.9; 3 * profiles],
        cosmic_background: vec![0.1; profiles],
        ..Profiles::default()
    }
}

fn options() -> Options {
    Options { reflection: Reflection::Lambertian, levels: true, ..Options::new(2) }
}

#[test]
fn chunks_threads_and_memory_change_no_bit() {
    let batch = cloudy(101).rounded::<f32>();
    let run = |chunk: usize, threads: usize| -> Radiances<f32> {
        let model = Scattering::on(&[Device::Cpu]).items_per_chunk(chunk);
        with_threads(threads, || model.run(&batch, &options())).unwrap().unwrap()
    };
    let whole = Scattering::on(&[Device::Thread]).run(&batch, &options()).unwrap();
    assert_eq!(whole.status, [0; 101]);
    assert_eq!(whole, run(101, 1));
    assert_eq!(whole, run(4, 1));
    assert_eq!(whole, run(5, 2));
    // Matrices of 64 profiles take more.
    for model in [Scattering::on(&[Device::Cpu]), Scattering::on(&[Device::Cpu]).items_per_chunk(101)] {
        assert_eq!(model.largest_allocation(10_000).run(&batch, &options()).unwrap(), whole);
    }
}

#[test]
fn every_layout_gives_the_same_bits() {
    let batch = cloudy(33);
    let expected = Scattering::on(&[Device::Cpu]).run(&batch, &options()).unwrap();
    let by_level: Vec<f64> = (0..99).map(|i| batch.optical_depth[i % 3 * 33 + i / 3]).collect();
    let surface_first: Vec<f64> = batch.asymmetry.chunks(33).rev().flatten().copied().collect();
    let views = ProfileViews {
        optical_depth: Field::level_fastest(&by_level, 3, 33),
        asymmetry: Field::item_fastest(&surface_first, 3, 33).levels_reversed(),
        emissivity: Field::constant(&0.9, 3, 33),
        ..ProfileViews::try_from(&batch).unwrap()
    };
    for model in [Scattering::on(&[Device::Cpu]), Scattering::on(&[Device::Cpu]).items_per_chunk(32)] {
        assert_eq!(model.run(views, &options()).unwrap(), expected);
    }
}

/// A batch that stays on its device.
#[test]
fn a_batch_that_stays_has_the_same_radiances() {
    let (batch, model) = (cloudy(7), Scattering::on(&[Device::Cpu]));
    let mut resident = model.resident(&batch, &options()).unwrap();
    for reflection in [Reflection::Lambertian, Reflection::Specular] {
        let options = Options { reflection, ..options() };
        resident.compute(&options).unwrap();
        let mut radiances = Radiances::default();
        resident.results_into(&mut radiances).unwrap();
        assert_eq!(radiances, model.run(&batch, &options).unwrap());
    }
}

#[test]
fn progress_reaches_the_end() {
    let last = std::sync::Arc::new(std::sync::atomic::AtomicUsize::new(0));
    let seen = last.clone();
    let model = Scattering::<f64>::on(&[Device::Cpu])
        .items_per_chunk(2)
        .progress(move |done| seen.store(done, std::sync::atomic::Ordering::Relaxed));
    model.run(&cloudy(5), &options()).unwrap();
    assert_eq!(last.load(std::sync::atomic::Ordering::Relaxed), 5);
}

#[test]
fn wrong_values_are_named() {
    let wrong = |change: &dyn Fn(&mut Profiles<f64>, &mut Options)| {
        let (mut batch, mut options) = (cloudy(2), options());
        change(&mut batch, &mut options);
        Scattering::on(&[Device::Cpu]).run(&batch, &options).unwrap_err().to_string()
    };
    let message = wrong(&|batch, _| batch.single_scattering_albedo[3] = 1.25);
    assert_eq!(message, "single_scattering_albedo at profile 1, layer 1 is 1.25, which is not in [0, 1]");
    let message = wrong(&|batch, _| batch.optical_depth[4] = f64::NAN);
    assert_eq!(message, "optical_depth at profile 0, layer 2 is NaN, which is not in [0, 1e30]");
    let message = wrong(&|batch, _| batch.optical_depth[0] = -1.0);
    assert_eq!(message, "optical_depth at profile 0, layer 0 is -1, which is not in [0, 1e30]");
    let message = wrong(&|batch, _| batch.asymmetry = vec![1.0; 6]);
    assert_eq!(message, "asymmetry at profile 0, layer 0 is 1, which is not in (-1, 1)");
    let message = wrong(&|batch, _| batch.emissivity[5] = 2.0);
    assert_eq!(message, "emissivity at profile 1, stream 2 is 2, which is not in [0, 1]");
    let message = wrong(&|_, options| options.nodes = 33);
    assert_eq!(message, "nodes: a hemisphere has 1 to 32 nodes (2 to 64 streams)");
    let message = wrong(&|batch, _| batch.single_scattering_albedo.truncate(5));
    assert_eq!(message, "single_scattering_albedo has 5 values instead of 6 = 3 layers x 2 profiles");
    let message = wrong(&|batch, _| batch.phase_moments = vec![1.0; 30]);
    assert_eq!(message, "a phase function has either an asymmetry or moments");
    let message = wrong(&|batch, _| {
        batch.asymmetry.clear();
        batch.phase_moments = vec![0.5; 24];
    });
    assert_eq!(
        message,
        "phase_moments at profile 0, layer 0, moment 0 is 0.5, which is not 1: phase functions are normalised"
    );
}
