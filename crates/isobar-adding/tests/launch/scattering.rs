//! Scattering batches: against the reference's radiances, and in pieces.

use std::path::Path;

use isobar_adding::launch::{ScatteringModel, ScatteringRadiances, ScatteringSchedule};
use isobar_adding::scattering::batch::{PhaseFunction, Reflection, ScatteringProfiles};
use isobar_launch::{Device, with_threads};

/// One case of a reference set as a batch of one profile, and its radiances.
struct Reference {
    batch: ScatteringProfiles,
    top: Vec<f64>,
    up: Vec<f64>,
    down: Vec<f64>,
}

/// The reference has matrices, and optical depth and albedo without the forward peak.
fn read(dir: &Path, case: usize) -> Reference {
    let array = |name: &str| {
        let (shape, values) = isobar_golden::npy(&dir.join(name).with_extension("npy"));
        let size = values.len() / shape[0];
        values[case * size..][..size].to_vec()
    };
    let (mu, w, tau, omega, g) = (array("mu"), array("w"), array("tau"), array("omega"), array("g"));
    let (n, layers) = (mu.len(), tau.len());
    let viewing = w[n - 1] == 0.0;
    let nodes = n - usize::from(viewing);
    let (forward, backward, refl) = (array("ff"), array("bb"), array("refl"));
    let (mut optical_depth, mut albedo, mut moments) = (Vec::new(), Vec::new(), Vec::new());
    for layer in 0..layers {
        let matrix = layer * n * n..(layer + 1) * n * n;
        let own = phase(&forward[matrix.clone()], &backward[matrix], 2 * nodes, g[layer]);
        let peak = own[2 * nodes];
        let whole = omega[layer] / (1.0 - peak + peak * omega[layer]);
        albedo.push(whole);
        optical_depth.push(tau[layer] / (1.0 - peak * whole));
        moments.extend(own);
    }
    let diagonal = (0..n * n).all(|i| i / n == i % n || refl[i] == 0.0);
    let batch = ScatteringProfiles {
        nodes,
        viewing_cosine: viewing.then(|| vec![mu[n - 1]]),
        optical_depth,
        albedo,
        phase: PhaseFunction::Moments(moments),
        delta: true,
        planck_radiance: array("planck"),
        surface_planck: array("planck_sfc"),
        emissivity: array("emis"),
        reflection: if diagonal { Reflection::Specular } else { Reflection::Lambertian },
        cosmic: array("cosmic"),
        sun: None,
    };
    Reference { batch, top: array("toa"), up: array("level_up"), down: array("level_down") }
}

/// The Legendre moments that explain a layer's matrices: where both are the same they are isotropic or Rayleigh's,
/// otherwise Henyey and Greenstein's.
fn phase(forward: &[f64], backward: &[f64], terms: usize, g: f64) -> Vec<f64> {
    let of = |values: &[f64]| (0..=terms).map(|l| values.get(l).copied().unwrap_or(0.0)).collect::<Vec<_>>();
    let even = forward.iter().zip(backward).all(|(f, b)| (f - b).abs() < 1e-12);
    let isotropic = forward.iter().all(|f| (f - forward[0]).abs() < 1e-12);
    match (even, isotropic) {
        (true, true) => of(&[1.0]),
        (true, false) => of(&[1.0, 0.0, 0.1]),
        (false, _) => (0..=terms).map(|l| isobar_core::math::double::powi(g, l as i32)).collect(),
    }
}

fn relative(got: &[f64], expected: &[f64], lost: f64) -> f64 {
    assert_eq!(got.len(), expected.len());
    got.iter().zip(expected).fold(0.0, |worst: f64, (got, expected)| {
        let difference = ((got - expected).abs() - lost).max(0.0) / (expected.abs() + lost);
        if difference.is_nan() { f64::INFINITY } else { worst.max(difference) }
    })
}

#[test]
fn radiances_of_the_reference() {
    let Some(dir) = isobar_golden::find("adding") else { return };
    for (set, cases) in [("scat_s8", 6), ("scat_s16", 4), ("scat_s8sat", 4), ("scat_s4sat", 4)] {
        for case in 0..cases {
            let Reference { batch, top, up, down } = read(&dir.join(set), case);
            let lost = 1e-15 * batch.planck_radiance.iter().fold(0.0_f64, |a, &b| a.max(b));
            for schedule in [ScatteringSchedule::Sequential, ScatteringSchedule::Tree] {
                let model = ScatteringModel::new(&[Device::Cpu]).schedule(schedule);
                let radiances = model.run::<f64>(&batch, true, &|_| {}).unwrap();
                let worst = relative(&radiances.top, &top, 0.0)
                    .max(relative(&radiances.level_up, &up, 0.0))
                    .max(relative(&radiances.level_down, &down, lost));
                println!("{set} {case} {}: {worst:.1e}", schedule.name());
                // As in isobar-adding's tests: it is the reference's error.
                assert!(worst < 1e-10, "{set} {case} {}: {worst:e}", schedule.name());
            }
        }
    }
}

fn cloudy(profiles: usize) -> ScatteringProfiles {
    let layers = 3;
    let each = |f: &dyn Fn(usize) -> f64| (0..layers * profiles).map(f).collect::<Vec<_>>();
    ScatteringProfiles {
        nodes: 2,
        viewing_cosine: Some((0..profiles).map(|p| 1.0 / (1.0 + p as f64)).collect()),
        optical_depth: each(&|i| 0.1 * (1 + i % 7) as f64),
        albedo: each(&|i| 0.1 * (i % 10) as f64),
        phase: PhaseFunction::Asymmetry(each(&|i| 0.8 - 0.01 * (i % 11) as f64)),
        delta: true,
        planck_radiance: each(&|i| 50.0 + i as f64),
        surface_planck: vec![120.0; profiles],
        emissivity: vec![0.9; 3 * profiles],
        reflection: Reflection::Lambertian,
        cosmic: vec![0.1; profiles],
        sun: None,
    }
}

#[test]
fn chunks_and_threads_change_no_bit() {
    let batch = cloudy(21);
    for schedule in [ScatteringSchedule::Auto, ScatteringSchedule::Sequential] {
        let run = |chunk: usize, threads: usize| -> ScatteringRadiances<f32> {
            let model = ScatteringModel::new(&[Device::Cpu]).schedule(schedule).profiles_per_chunk(chunk);
            with_threads(threads, || model.run(&batch, true, &|_| {})).unwrap().unwrap()
        };
        let whole = run(21, 1);
        assert_eq!(whole, run(4, 1));
        assert_eq!(whole, run(5, 2));
    }
}

#[test]
fn progress_reaches_the_end() {
    let last = std::sync::atomic::AtomicUsize::new(0);
    let model = ScatteringModel::new(&[Device::Cpu]).profiles_per_chunk(2);
    model.run::<f64>(&cloudy(5), false, &|done| last.store(done, std::sync::atomic::Ordering::Relaxed)).unwrap();
    assert_eq!(last.into_inner(), 5);
}

#[test]
fn wrong_values_are_named() {
    let wrong = |change: &dyn Fn(&mut ScatteringProfiles)| {
        let mut batch = cloudy(2);
        change(&mut batch);
        let message = batch.validate().unwrap_err().to_string();
        let run = ScatteringModel::new(&[Device::Cpu]).run::<f64>(&batch, false, &|_| {});
        assert_eq!(run.unwrap_err().to_string(), message);
        message
    };
    let message = wrong(&|batch| batch.albedo[3] = 1.25);
    assert_eq!(message, "albedo at profile 1, layer 1 is 1.25, which is not in [0, 1]");
    let message = wrong(&|batch| batch.optical_depth[4] = f64::NAN);
    assert_eq!(message, "optical_depth at profile 0, layer 2 is NaN, which is not a finite number of at least 0");
    let message = wrong(&|batch| batch.optical_depth[0] = -1.0);
    assert_eq!(message, "optical_depth at profile 0, layer 0 is -1, which is not a finite number of at least 0");
    let message = wrong(&|batch| batch.phase = PhaseFunction::Asymmetry(vec![1.0; 6]));
    assert_eq!(message, "asymmetry at profile 0, layer 0 is 1, which is not in (-1, 1)");
    let message = wrong(&|batch| batch.emissivity[5] = 2.0);
    assert_eq!(message, "emissivity at profile 1, angle 2 is 2, which is not in [0, 1]");
    let message = wrong(&|batch| batch.nodes = 17);
    assert_eq!(message, "nodes: a hemisphere has 1 to 16 nodes (2 to 32 streams)");
    let message = wrong(&|batch| batch.albedo.truncate(5));
    assert_eq!(message, "albedo has 5 values instead of 6 = 3 layers x 2 profiles");
}
