//! Covariances: what they are, and when they are refused.

use isobar_core::Real;
use isobar_io::{Control, Observation};
use isobar_raytrace::{Atmosphere, CloudLayer, Position, Ray, SurfaceLayer};
use isobar_retrieval::{Error, Measurement, Prior, Quantity, StateVector};

fn control(text: &str) -> Control {
    let all = format!("NG = 1\nEMITTER[0] = O3\nND = 2\nNU[0] = 792\nNU[1] = 832\n{text}");
    let pair = |line: &str| line.split_once(" = ").map(|(key, value)| (key.to_owned(), value.to_owned()));
    Control::from_pairs(&all.lines().filter_map(pair).collect::<Vec<_>>()).expect("a control").0
}

fn atmosphere() -> Atmosphere {
    let height_km: Vec<f64> = (0..6).map(|i| 4.0 * f64::from(i)).collect();
    let pressure_hpa = height_km.iter().map(|z| 1000.0 * Real::exp(-z / 7.0)).collect();
    let mut atmosphere = Atmosphere::new(height_km, pressure_hpa, vec![250.0; 6]).expect("valid");
    atmosphere.mixing_ratio = vec![vec![1e-6; 6]];
    atmosphere.extinction_per_km = vec![vec![0.0; 6]];
    atmosphere
}

fn prior(text: &str) -> Result<(StateVector, Prior), Error> {
    let (control, atmosphere) = (control(text), atmosphere());
    let options = control.retrieval()?;
    let state = StateVector::new(&control, &options, &atmosphere)?;
    let prior = Prior::new(&state, &state.values(&atmosphere), &options)?;
    Ok((state, prior))
}

#[test]
fn correlations_fall_with_height_within_a_quantity() {
    let text = "RETT_ZMIN = 4\nRETT_ZMAX = 12\nERR_TEMP = 5\nERR_TEMP_CZ = 8\nERR_TEMP_CH = 100\nRETQ_ZMIN[0] = \
                8\nRETQ_ZMAX[0] = 12\nERR_Q[0] = 30\n";
    let (state, prior) = prior(text).expect("a covariance");
    let quantities: Vec<Quantity> = state.elements.iter().map(|element| element.quantity).collect();
    assert_eq!(quantities, [[Quantity::Temperature; 3].as_slice(), &[Quantity::Gas(0); 2]].concat());
    let c = &prior.covariance;
    assert_eq!((c[(0, 0)], c[(3, 4)], c[(0, 3)]), (25.0, 0.0, 0.0));
    assert!((c[(0, 2)] - 25.0 * Real::exp(-1.0_f64)).abs() < 1e-12);
    assert!((c[(3, 3)] - 0.3e-6 * 0.3e-6).abs() < 1e-27);
    // Of a matrix of condition 10 or so.
    let unit = &prior.inverse * c;
    assert!((0..5).all(|i| (0..5).all(|j| (unit[(i, j)] - f64::from(i == j)).abs() < 1e-12)));
}

#[test]
fn a_covariance_that_cannot_be_inverted_is_refused_with_the_element() {
    let refused = |text: &str| prior(text).expect_err("singular").to_string();
    assert_eq!(
        refused("RETT_ZMIN = 4\nRETT_ZMAX = 12\n"),
        "command line: the a priori covariance is singular at TEMPERATURE at 4 km: its standard deviation is 0, which \
         must be above 0"
    );
    // Correlations of 1 to the last bit.
    let text = "RETT_ZMIN = 4\nRETT_ZMAX = 12\nERR_TEMP = 5\nERR_TEMP_CZ = 1e30\nERR_TEMP_CH = 1\n";
    assert!(
        refused(text).contains("singular at TEMPERATURE at 8 km: it follows from the elements before it"),
        "{}",
        refused(text)
    );
    assert!(refused("").starts_with("nothing is to be retrieved"));
}

#[test]
fn measurements_are_masked_and_weighed() {
    let control = control("ERR_NOISE[*] = 0.1\nERR_FORMOD[1] = 10\n");
    let ray = Ray { time_s: 0.0, observer: Position::default(), view_point: Position::default() };
    let observed = |radiance: [f64; 4]| Observation {
        rays: vec![ray; 2],
        tangent_points: vec![Position::default(); 2],
        radiance: radiance.to_vec(),
        transmittance: vec![0.0; 4],
    };
    let options = control.retrieval().expect("keys");
    let measurement = Measurement::new(&observed([1.0, 3.0, f64::NAN, 5.0]), &control, &options).expect("one");
    assert_eq!(measurement.indices, [0, 1, 3]);
    let deviation = |i: usize| Real::sqrt(measurement.variance()[i]);
    assert!((deviation(0) - 0.1).abs() < 1e-15 && (deviation(2) - Real::sqrt(0.01 + 0.25)).abs() < 1e-15);
    assert_eq!(measurement.labels[2].name, "832.0000");
    let masked = Measurement::new(&observed([f64::NAN; 4]), &control, &options).expect_err("nothing is left");
    let nothing = "all of the 4 measured values are masked or missing: nothing can be retrieved from them";
    assert_eq!(masked.to_string(), nothing);
    // What instruments' files have where there is no value.
    let filled = Measurement::new(&observed([1.0, -999.0, -9999.0, 5.0]), &control, &options).expect("one");
    assert_eq!(filled.indices, [0, 3]);
    let error = Measurement::new(&observed([1.0, 3.0, -1e200, 5.0]), &control, &options).expect_err("no misfit");
    let words = "channel 0 (792 cm^-1) of ray 1 was measured as -1e200: the square of its misfit is not finite";
    assert_eq!(error.to_string(), words);
    let silent = isobar_io::RetrievalControl { noise: vec![0.1, 0.0], forward_error_percent: vec![0.0; 2], ..options };
    let error = Measurement::new(&observed([1.0; 4]), &control, &silent).expect_err("no error").to_string();
    assert!(error.starts_with("channel 1 (832 cm^-1) of ray 0 has no error: set ERR_NOISE[1]"), "{error}");
}

#[test]
fn values_go_into_an_atmosphere_within_their_limits() {
    let control = control("RETT_ZMIN = 4\nRETT_ZMAX = 8\nRETQ_ZMIN[0] = 4\nRETQ_ZMAX[0] = 4\n");
    let before = atmosphere();
    let state = StateVector::new(&control, &control.retrieval().expect("keys"), &before).expect("a state");
    let after = state.put(&before, &[90.0, 260.0, -1e-7]);
    assert_eq!((after.temperature_k[1], after.temperature_k[2], after.mixing_ratio[0][1]), (100.0, 260.0, 0.0));
    assert_eq!(state.values(&after), [100.0, 260.0, 0.0]);
    assert_eq!(after.temperature_k[3], before.temperature_k[3]);
    let mut cold = before.clone();
    cold.temperature_k[2] = 99.0;
    let error = state.check(&cold).expect_err("too cold").to_string();
    assert_eq!(error, "a priori TEMPERATURE 99 at 8 km (level 2) lies outside [100, 400]");
    let errors = state.alone(&before, &[1.0, 2.0, 3.0]);
    assert_eq!((errors.temperature_k[2], errors.temperature_k[3], errors.mixing_ratio[0][1]), (2.0, 0.0, 3.0));
}

/// JURASSIC keeps heights of cloud and surface, and the pressure there, at 0 at least.
#[test]
fn clouds_and_ground_stay_above_the_sea() {
    let keys = "NCL = 2\nCLNU[0] = 700\nCLNU[1] = 900\nNSF = 2\nSFNU[0] = 700\nSFNU[1] = 900\n\
                RET_CLZ = 1\nRET_SFZ = 1\nRET_SFP = 1\n";
    let control = control(keys);
    let mut before = atmosphere();
    before.cloud = Some(CloudLayer { height_km: 8.0, depth_km: 1.0, extinction_per_km: vec![0.1; 2] });
    before.surface =
        Some(SurfaceLayer { height_km: 0.2, pressure_hpa: 990.0, temperature_k: 290.0, emissivity: vec![0.9; 2] });
    let state = StateVector::new(&control, &control.retrieval().expect("keys"), &before).expect("a state");
    assert_eq!(state.values(&before), [8.0, 0.2, 990.0]);
    assert_eq!(state.values(&state.put(&before, &[-1.0, -1.0, -1.0])), [0.0; 3]);
    assert_eq!(state.values(&state.put(&before, &[20.0, 2.0, 800.0])), [20.0, 2.0, 800.0]);
}
