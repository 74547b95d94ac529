//! Many retrievals at once: each on a thread, and together by the launches that a GPU gets.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use isobar_core::Real;
use isobar_ega::TableData;
use isobar_ega::jacobian::Geometry;
use isobar_ega::launch::{Infrared, InfraredModel};
use isobar_io::{Control, Observation, read_atmosphere, read_observation, read_setup, read_tables};
use isobar_launch::Device;
use isobar_raytrace::Atmosphere;
use isobar_retrieval::{Derivative, Estimate, Measurement, Prior, Retrieval, StateVector};
use nalgebra::{Cholesky, DVector};

const KEYS: &str = "RETT_ZMIN=10 RETT_ZMAX=30 ERR_TEMP=5 ERR_TEMP_CZ=6 ERR_TEMP_CH=1000 RETQ_ZMIN[2]=15 \
                    RETQ_ZMAX[2]=25 \
    ERR_Q[2]=20 ERR_Q_CZ[2]=-999 ERR_NOISE[*]=1e-6 ERR_FORMOD[*]=0.1 CONV_DMIN=0.01 CONV_ITMAX=20 ERR_ANA=1";

/// Bits of all that a retrieval finds.
fn bits(estimate: &Estimate) -> Vec<u64> {
    let analysis = estimate.analysis.as_ref().expect("wanted");
    let (observation, values) = (&estimate.observation, estimate.state.values(&estimate.atmosphere));
    let lists = [&estimate.costs, &observation.radiance, &observation.transmittance, &values];
    let matrices = [estimate.kernel.as_slice(), analysis.total_error.as_slice(), analysis.resolution.as_slice()];
    let heights = observation.tangent_points.iter().map(|point| point.height_km.to_bits());
    lists.into_iter().map(|list| &list[..]).chain(matrices).flatten().map(|x| x.to_bits()).chain(heights).collect()
}

/// Two profiles between which the tangent points lie.
fn track(one: &Atmosphere) -> Atmosphere {
    let at = |latitude_deg: f64| {
        let mut own = one.clone();
        own.latitude_deg.fill(latitude_deg);
        own
    };
    Atmosphere::join(&[at(23.0), at(30.0)])
}

#[test]
fn together_and_alone_are_the_same() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/limb");
    // The last: at the minimum, where one step after the other is refused.
    for changed in ["KERNEL_RECOMP=1", "KERNEL_RECOMP=3", "CONV_DMIN=1e-30 CONV_ITMAX=6"] {
        let at_minimum = changed.contains("CONV_DMIN");
        let pair = |pair: &str| pair.split_once('=').map(|(key, value)| (key.to_owned(), value.to_owned())).expect("=");
        let keys: Vec<_> = changed.split_whitespace().chain(KEYS.split_whitespace()).map(pair).collect();
        let (control, _) = Control::read(&folder.join("limb.ctl"), &keys).expect("a control file");
        let setup = read_setup(&control).expect("filters");
        let set = read_tables(&control).expect("tables");
        let tables = TableData::new(&set.tables, control.wavenumbers_per_cm.len(), false).expect("tables");
        let tables = Arc::new(tables);
        let options = control.retrieval().expect("keys");
        let atmosphere = read_atmosphere(&folder.join("atm.tab"), &control).expect("an atmosphere");
        let mut observation = read_observation(&folder.join("obs.tab"), &control).expect("rays");
        let (rays, values) = (6, 6 * control.wavenumbers_per_cm.len());
        observation.rays.truncate(rays);
        observation.tangent_points.truncate(rays);
        observation.radiance.truncate(values);
        observation.transmittance.truncate(values);
        let infrared = || Infrared::<f64>::new(&setup, tables.clone()).expect("a setup");
        let model = || infrared().on(&[Device::Cpu]);

        // Five truths that are warmer, one of them with two profiles along a track, one state that is too cold, one
        // measurement that is masked.
        let case = |number: usize| -> (Atmosphere, Observation) {
            let mut truth = if number == 3 { track(&atmosphere) } else { atmosphere.clone() };
            for (temperature_k, z) in truth.temperature_k.iter_mut().zip(&truth.height_km) {
                if (10.0..=30.0).contains(z) {
                    *temperature_k += 1.0 + number as f64;
                }
            }
            let found = model().run(&truth, &observation.rays).expect("radiances");
            let mut measured = Observation { radiance: found.radiance, ..observation.clone() };
            let mut before = atmosphere.clone();
            match number {
                2 => before.temperature_k[12] = 90.0,
                3 => before = track(&before),
                4 => measured.radiance.fill(f64::NAN),
                _ => {}
            }
            (before, measured)
        };
        let cases: Vec<_> = (0..6).map(case).collect();
        let (plain, launching) = (model(), infrared().as_on_a_gpu().on(&[Device::Cpu]));
        assert!(launching.launches_jacobians() && !plain.launches_jacobians());
        let run = |model: &InfraredModel<f64>| {
            let derivative = Derivative::Exact(Geometry::Moving);
            let done = AtomicUsize::new(0);
            let job = Retrieval { model, control: &control, options: &options, derivative };
            let found = job.run_all(&cases, &|| {
                done.fetch_add(1, Ordering::Relaxed);
            });
            assert_eq!(done.into_inner(), cases.len());
            found
        };
        for (number, (alone, together)) in run(&plain).iter().zip(&run(&launching)).enumerate() {
            match (alone, together) {
                (Ok(alone), Ok(together)) => {
                    assert!(alone.converged != at_minimum && alone.converged == together.converged);
                    assert!(alone.costs.len() > 2);
                    assert_eq!(bits(alone), bits(together), "case {number}");
                }
                (Err(alone), Err(together)) => {
                    assert_eq!(alone.to_string(), together.to_string());
                    let why = if number == 2 { "a priori TEMPERATURE 90" } else { "measured values are masked" };
                    assert!([2, 4].contains(&number) && alone.to_string().contains(why), "{number}: {alone}");
                }
                _ => panic!("case {number} fails one way only"),
            }
        }
    }
}

/// Numbers that are normally distributed, always the same.
struct Normal(u64);

impl Normal {
    fn uniform(&mut self) -> f64 {
        // Steele et al. 2014 (doi:10.1145/2660193.2660195).
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ mixed >> 31) >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn next(&mut self) -> f64 {
        let (radius, angle) = (1.0 - self.uniform(), 2.0 * core::f64::consts::PI * self.uniform());
        Real::sqrt(-2.0 * Real::ln(radius)) * Real::cos(angle)
    }
}

/// Truths drawn from what is known before, measured with noise of the errors that are given: chi-squared is on average
/// the number of values, and what is retrieved lies as far from the truth as its covariance says (Rodgers 2000, 12.3).
/// Neither knows anything of how the minimum is found.
#[test]
fn truths_lie_where_the_covariance_says() {
    const CASES: usize = 40;
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/limb");
    let pair = |pair: &str| pair.split_once('=').map(|(key, value)| (key.to_owned(), value.to_owned())).expect("=");
    // The errors before are small enough for the radiances to be nearly linear.
    let keys = "ERR_TEMP=2 ERR_Q[2]=5 KERNEL_RECOMP=1 CONV_DMIN=0.001";
    let keys: Vec<_> = keys.split_whitespace().chain(KEYS.split_whitespace()).map(pair).collect();
    let (control, _) = Control::read(&folder.join("limb.ctl"), &keys).expect("a control file");
    let set = read_tables(&control).expect("tables");
    let tables = TableData::new(&set.tables, control.wavenumbers_per_cm.len(), false).expect("tables");
    let setup = read_setup(&control).expect("filters");
    let model = Infrared::<f64>::new(&setup, tables).expect("a setup").on(&[Device::Cpu]);
    let options = control.retrieval().expect("keys");
    let before = read_atmosphere(&folder.join("atm.tab"), &control).expect("an atmosphere");
    let observation = read_observation(&folder.join("obs.tab"), &control).expect("rays");
    let state = StateVector::new(&control, &options, &before).expect("a state");
    let prior = Prior::new(&state, &state.values(&before), &options).expect("a covariance");
    let root = Cholesky::new(prior.covariance.clone()).expect("it is positive").l();
    let mut normal = Normal(35);
    let truths: Vec<DVector<f64>> =
        (0..CASES).map(|_| &prior.values + &root * DVector::from_fn(state.len(), |_, _| normal.next())).collect();
    let measured = |truth: &DVector<f64>| {
        let found = model.run(&state.put(&before, truth.as_slice()), &observation.rays).expect("radiances");
        let mut measured = Observation { radiance: found.radiance, ..observation.clone() };
        let variance = Measurement::new(&measured, &control, &options).expect("values").variance();
        for (value, variance) in measured.radiance.iter_mut().zip(variance.iter()) {
            *value += Real::sqrt(*variance) * normal.next();
        }
        (before.clone(), measured)
    };
    let cases: Vec<_> = truths.iter().map(measured).collect();
    let derivative = Derivative::Exact(Geometry::Moving);
    let job = Retrieval { model: &model, control: &control, options: &options, derivative };
    let (mut chi_squared, mut away, mut values) = (0.0, 0.0, 0);
    for (truth, found) in truths.iter().zip(job.run_all(&cases, &|| {})) {
        let found = found.expect("an estimate");
        assert!(found.converged && found.chi_squared_deviations().abs() < 5.0, "{}", found.chi_squared());
        chi_squared += found.chi_squared() / CASES as f64;
        values = found.measurement.len();
        let off = DVector::from_vec(found.state.values(&found.atmosphere)) - truth;
        // In units of the errors, for kelvins and mixing ratios are of unlike size.
        let analysis = found.analysis.expect("wanted");
        let correlation = Cholesky::new(analysis.correlation.clone()).expect("it is positive");
        let off = off.component_div(&analysis.total_error);
        away += off.dot(&correlation.solve(&off)) / CASES as f64;
    }
    // Means of all cases have a standard deviation of sqrt(2 n / cases); four of them.
    let within = |found: f64, count: usize| {
        let deviation = Real::sqrt(2.0 * count as f64 / CASES as f64);
        assert!((found - count as f64).abs() < 4.0 * deviation, "{found}, not {count} +- {deviation}");
    };
    within(chi_squared, values);
    within(away, state.len());
}
