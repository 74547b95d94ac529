//! Scattering batches: against the reference's radiances, and in pieces.

use std::path::Path;

use isobar_adding::scattering::{Options, ProfileViews, Profiles, Radiances, Reflection, Schedule};
use isobar_adding::{Device, Scattering};
use isobar_core::Field;
use isobar_core::fields::OwnedInputs;
use isobar_launch::with_threads;

/// One case of a reference set as a batch of one profile, and its radiances.
struct Reference {
    batch: Profiles<f64>,
    options: Options,
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
    let batch = Profiles {
        viewing_cosine: if viewing { vec![mu[n - 1]] } else { Vec::new() },
        optical_depth,
        single_scattering_albedo: albedo,
        phase_moments: moments,
        planck_radiance: array("planck"),
        surface_planck_radiance: array("planck_sfc"),
        emissivity: array("emis"),
        cosmic_background: array("cosmic"),
        ..Profiles::default()
    };
    let reflection = if diagonal { Reflection::Specular } else { Reflection::Lambertian };
    let options = Options { reflection, levels: true, crtm_limits: true, ..Options::new(nodes) };
    Reference { batch, options, top: array("toa"), up: array("level_up"), down: array("level_down") }
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
            let Reference { batch, options, top, up, down } = read(&dir.join(set), case);
            let lost = 1e-15 * batch.planck_radiance.iter().fold(0.0_f64, |a, &b| a.max(b));
            for schedule in [Schedule::Sequential, Schedule::Tree] {
                let options = Options { schedule, ..options.clone() };
                let radiances = Scattering::<f64>::on(&[Device::Cpu]).run(&batch, &options).unwrap();
                let worst = relative(&radiances.top_radiance, &top, 0.0)
                    .max(relative(&radiances.upward_radiance, &up, 0.0))
                    .max(relative(&radiances.downward_radiance, &down, lost));
                println!("{set} {case} {}: {worst:.1e}", schedule.name());
                // As in isobar-adding's tests: it is the reference's error.
                assert!(worst < 1e-10, "{set} {case} {}: {worst:e}", schedule.name());
            }
        }
    }
}

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
    for schedule in [Schedule::Auto, Schedule::Sequential] {
        let options = Options { schedule, ..options() };
        let run = |chunk: usize, threads: usize| -> Radiances<f32> {
            let model = Scattering::on(&[Device::Cpu]).items_per_chunk(chunk);
            with_threads(threads, || model.run(&batch, &options)).unwrap().unwrap()
        };
        let whole = Scattering::on(&[Device::Thread]).run(&batch, &options).unwrap();
        assert_eq!(whole.status, [0; 101]);
        assert_eq!(whole, run(101, 1));
        assert_eq!(whole, run(4, 1));
        assert_eq!(whole, run(5, 2));
        // Matrices of 64 profiles take more.
        for model in [Scattering::on(&[Device::Cpu]), Scattering::on(&[Device::Cpu]).items_per_chunk(101)] {
            assert_eq!(model.largest_allocation(6000).run(&batch, &options).unwrap(), whole);
        }
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

/// A batch that stays on its device is added in the order of its first options, and in another one that is asked for.
#[test]
fn a_batch_that_stays_is_added_in_both_orders() {
    let (batch, model) = (cloudy(7), Scattering::on(&[Device::Cpu]));
    let mut resident = model.resident(&batch, &options()).unwrap();
    for schedule in [Schedule::Auto, Schedule::Sequential, Schedule::Tree] {
        let options = Options { schedule, ..options() };
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
    assert_eq!(message, "optical_depth at profile 0, layer 2 is NaN, which is not in [0, inf)");
    let message = wrong(&|batch, _| batch.optical_depth[0] = -1.0);
    assert_eq!(message, "optical_depth at profile 0, layer 0 is -1, which is not in [0, inf)");
    let message = wrong(&|batch, _| batch.asymmetry = vec![1.0; 6]);
    assert_eq!(message, "asymmetry at profile 0, layer 0 is 1, which is not in (-1, 1)");
    let message = wrong(&|batch, _| batch.emissivity[5] = 2.0);
    assert_eq!(message, "emissivity at profile 1, stream 2 is 2, which is not in [0, 1]");
    let message = wrong(&|_, options| options.nodes = 17);
    assert_eq!(message, "nodes: a hemisphere has 1 to 16 nodes (2 to 32 streams)");
    let message = wrong(&|batch, _| batch.single_scattering_albedo.truncate(5));
    assert_eq!(message, "single_scattering_albedo has 5 values instead of 6 = 3 layers x 2 profiles");
    let message = wrong(&|batch, _| batch.phase_moments = vec![1.0; 30]);
    assert_eq!(message, "a phase function has either an asymmetry or moments");
    let message = wrong(&|batch, _| {
        batch.asymmetry.clear();
        batch.phase_moments = vec![1.0; 24];
    });
    assert_eq!(message, "phase_moments has 24 values instead of 30 = 3 layers x 5 moments x 2 profiles");
}
