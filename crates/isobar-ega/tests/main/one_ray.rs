//! One ray on the calling thread: the digits of the command's output, and of the Jacobians' radiances.

use std::path::{Path, PathBuf};

use isobar_ega::channel_data::source_functions;
use isobar_ega::jacobian::{Geometry, Model};
use isobar_ega::{Approximation, Forward, ForwardError, ForwardSetup, GroundKind, TableData, ray_radiance};
use isobar_io::{Control, Observation, read_atmosphere, read_observation, read_setup, read_tables};
use isobar_raytrace::Atmosphere;

struct Case {
    setup: ForwardSetup,
    tables: TableData,
    atmosphere: Atmosphere,
    /// What `isobar forward` wrote.
    written: Observation,
}

fn case(name: &str) -> Case {
    let folder: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data").join(name);
    let control = Control::read(&folder.join(format!("{name}.ctl")), &[]).unwrap().0;
    let tables = read_tables(&control).unwrap().tables;
    Case {
        setup: read_setup(&control).unwrap(),
        tables: TableData::new(&tables, control.wavenumbers_per_cm.len(), false).unwrap(),
        atmosphere: read_atmosphere(&folder.join("atm.tab"), &control).unwrap(),
        written: read_observation(&folder.join("rad.tab"), &control).unwrap(),
    }
}

fn bits(values: &[f64]) -> Vec<u64> {
    values.iter().map(|value| value.to_bits()).collect()
}

#[test]
fn a_ray_has_the_digits_of_the_demonstrations() {
    for name in ["limb", "nadir"] {
        let Case { setup, tables, atmosphere, written } = case(name);
        for (number, ray) in written.rays.iter().enumerate() {
            let seen = ray_radiance(&setup, &tables, &atmosphere, ray).unwrap();
            let channels = number * setup.wavenumbers_per_cm.len()..(number + 1) * setup.wavenumbers_per_cm.len();
            assert_eq!(bits(&seen.radiance), bits(&written.radiance[channels.clone()]), "{name}, ray {number}");
            assert_eq!(bits(&seen.transmittance), bits(&written.transmittance[channels]), "{name}, ray {number}");
            assert_eq!(seen.tangent_point, written.tangent_points[number], "{name}, ray {number}");
            assert!(seen.points > 0);
        }
    }
}

#[test]
fn every_approximation_has_the_bits_of_its_jacobian() {
    for name in ["limb", "nadir"] {
        let Case { mut setup, tables, atmosphere, written } = case(name);
        setup.ground = GroundKind::SkyAndSun;
        let source = source_functions(&setup.filters);
        for approximation in [Approximation::EmissivityGrowth, Approximation::CurtisGodson] {
            for jurassic_exact in [false, true] {
                (setup.approximation, setup.jurassic_exact) = (approximation, jurassic_exact);
                let forward = Forward::new(&setup, &tables, &atmosphere).unwrap();
                let model = Model::new(&setup, &tables, &source, &atmosphere, Geometry::Moving).unwrap();
                for ray in &written.rays {
                    let (seen, differentiated) = (forward.ray(ray).unwrap(), model.ray(ray).unwrap());
                    assert_eq!(bits(&seen.radiance), bits(&differentiated.radiance), "{approximation:?}");
                    assert_eq!(bits(&seen.transmittance), bits(&differentiated.transmittance), "{approximation:?}");
                }
            }
        }
    }
}

#[test]
fn what_does_not_fit_is_refused_by_name() {
    let Case { setup, tables, atmosphere, written } = case("limb");
    let refused = |setup: &ForwardSetup, atmosphere: &Atmosphere| {
        ray_radiance(setup, &tables, atmosphere, &written.rays[0]).unwrap_err().to_string()
    };
    let few = ForwardSetup { windows: vec![0], ..setup.clone() };
    assert_eq!(refused(&few, &atmosphere), "windows: 1, expected 4, one a channel");
    let one_gas = ForwardSetup { gases: vec!["CO2".into()], ..setup.clone() };
    assert_eq!(refused(&one_gas, &atmosphere), "tables: 12, expected 4, one a gas and channel");
    let mut without = atmosphere.clone();
    without.mixing_ratio.pop();
    assert_eq!(refused(&setup, &without), "gases in the atmosphere: 2, expected 3");
    let mut below = written.rays[0];
    below.observer.height_km = -1.0;
    let error = ray_radiance(&setup, &tables, &atmosphere, &below).unwrap_err();
    assert!(matches!(error, ForwardError::Atmosphere(_)), "{error}");
    assert_eq!(error.to_string(), "ray 0: the observer is below the ground");
}
