//! Stage by stage.

use isobar_radiation::rrtmg::compute_stages;
use isobar_radiation::rrtmg::state::{self, Indices};

use crate::rrtmg::case::{Set, reference, relative, spectra, views, worst};
use crate::rrtmg::tolerances::STAGE;

#[test]
fn layers_are_the_references() {
    let Some(dir) = reference() else { return };
    let spectra = spectra::<f64>();
    let mut all: f64 = 0.0;
    for name in ["std_atm", "clear", "aerosol", "cloudy"] {
        let set = Set::new(&dir, name);
        let numbers = [
            ("fac00", state::WEIGHTS),
            ("fac10", state::WEIGHTS + 1),
            ("fac01", state::WEIGHTS + 2),
            ("fac11", state::WEIGHTS + 3),
            ("colh2o", state::GASES),
            ("colco2", state::GASES + 1),
            ("colo3", state::GASES + 2),
            ("coln2o", state::GASES + 3),
            ("colco", state::GASES + 4),
            ("colch4", state::GASES + 5),
            ("colo2", state::GASES + 6),
            ("colbrd", state::GASES + 7),
            ("selffac", state::SELF),
            ("selffrac", state::SELF_FRACTION),
            ("forfac", state::FOREIGN),
            ("forfrac", state::FOREIGN_FRACTION),
            ("minorfrac", state::MINOR_FRACTION),
            ("scaleminor", state::DENSITY),
            ("scaleminorn2", state::BROADENING),
        ];
        let arrays = numbers.map(|(name, number)| (name, number, set.array(&format!("out_{name}"))));
        let indices = ["jp", "jt", "jt1", "indself", "indfor", "indminor"].map(|x| set.array(&format!("out_{x}")));
        for case in set.cases() {
            let (memory, _) = compute_stages(&spectra, &views(&case.columns), &case.options).expect("valid columns");
            let states = memory.states();
            let (layers, lower) = (states.indices.levels(), states.lower_layers.at(0, 0) as usize);
            assert_eq!(lower as f64, case.once(&set.array("out_laytrop"))[0]);
            for (name, number, array) in &arrays {
                let expected = case.layers(array);
                let got: Vec<f64> = (0..layers).map(|layer| states.values.at(number * layers + layer, 0)).collect();
                // Nothing is read of the self-broadened continuum in the upper region.
                let count = if name.starts_with("self") { lower } else { layers };
                // Weights are differences of numbers near one.
                let weight = name.contains("fac0") || name.contains("fac1") || name.ends_with("frac");
                let error = |a: f64, b: f64| if weight { (a - b).abs() } else { relative(a, b) };
                let (error, layer) = worst(&got[..count], &expected[..count], error);
                all = all.max(error);
                assert!(error < STAGE, "{} {name} layer {layer}: {error:e}", case.name);
            }
            let expected = indices.each_ref().map(|array| case.layers(array));
            for layer in 0..layers {
                let got = Indices::unpacked(states.indices.at(layer, 0));
                let got = [
                    got.level,
                    got.temperature,
                    got.next_temperature,
                    got.self_continuum,
                    got.foreign_continuum,
                    got.minor,
                ];
                let expected = expected.each_ref().map(|values| values[layer]);
                for (i, got) in got.into_iter().enumerate().filter(|&(i, _)| i != 3 || layer < lower) {
                    assert_eq!(f64::from(got + 1), expected[i], "{} layer {layer} index {i}", case.name);
                }
            }
            let water = case.once(&set.array("out_pwvcm").clone());
            let given = name == "std_atm";
            assert!(given || relative(states.precipitable_water_cm.at(0, 0), water[0]) < STAGE, "{}", case.name);
        }
    }
    println!("layers: {all:.1e}");
}

#[test]
fn optical_depths_are_the_references() {
    let Some(dir) = reference() else { return };
    let spectra = spectra::<f64>();
    let mut all: (f64, f64) = (0.0, 0.0);
    for name in ["std_atm", "clear", "aerosol"] {
        let set = Set::new(&dir, name);
        let (depths, fractions) = (set.array("out_taug"), set.array("out_fracs"));
        for mut case in set.cases() {
            // The reference's are those of gases alone.
            case.columns.aerosol_absorption_longwave.clear();
            let stages = compute_stages(&spectra, &views(&case.columns), &case.options);
            let (_, [got_depths, got_fractions]) = stages.expect("valid columns");
            let (error, place) = worst(&got_depths, &case.layers(&depths), relative);
            all.0 = all.0.max(error);
            assert!(error < STAGE, "{} layer {} g-point {}: {error:e}", case.name, place / 140, place % 140);
            let (error, place) = worst(&got_fractions, &case.layers(&fractions), relative);
            all.1 = all.1.max(error);
            assert!(error < STAGE, "{} layer {} g-point {}: {error:e}", case.name, place / 140, place % 140);
        }
    }
    println!("optical depths: {:.1e}, fractions {:.1e}", all.0, all.1);
}
