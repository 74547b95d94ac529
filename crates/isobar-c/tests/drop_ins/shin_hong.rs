//! `bl_shinhong_run` of MMM-physics.

use std::collections::BTreeMap;
use std::path::Path;

use isobar_core::fields::OwnedInputs;
use isobar_ysu::analytic;
use serde_json::json;

use crate::boundary_layer::{LAYERS, SURFACE, by_tracer, of_temperature, stack};
use crate::fortran::{Bytes, Program, Source};
use crate::library::{self, Values, assert_same};

/// What it has besides YSU, behind its fields of layers and of the surface.
const ENERGY: &str = "turbulent_energy_m2_per_s2";
const GRID: [&str; 2] = ["coriolis_per_s", "grid_distance_m"];
/// Results of layers in the order in which the driver writes them, and of columns.
const OF_LAYERS: [&str; 10] = [
    "u_tendency_m_per_s2",
    "v_tendency_m_per_s2",
    "theta_tendency_k_per_s",
    "vapour_tendency_kg_per_kg_s",
    "cloud_water_tendency_kg_per_kg_s",
    "cloud_ice_tendency_kg_per_kg_s",
    "diffusivity_heat_m2_per_s",
    "diffusivity_momentum_m2_per_s",
    ENERGY,
    "mixing_length_m",
];
const OF_COLUMNS: [&str; 10] = [
    "height_m",
    "convective_velocity_m_per_s",
    "entrainment_depth_m",
    "level",
    "u_10m_m_per_s",
    "v_10m_m_per_s",
    "stress_u_n_per_m2",
    "stress_v_n_per_m2",
    "heat_w_per_m2",
    "latent_heat_w_per_m2",
];

/// Columns by name, `[row * columns + column]`, and what is chosen.
struct Case {
    /// Columns, layers, tracers.
    sizes: [usize; 3],
    fields: BTreeMap<&'static str, Vec<f64>>,
    time_step_s: f64,
    gravity: f64,
    chosen: Chosen,
}

#[derive(Clone, Copy)]
struct Chosen {
    nonlocal_flux: bool,
    cloud_mixing: bool,
    dissipative_heating: bool,
    topographic: bool,
    clouds: bool,
}

/// The default of hosts.
const USUAL: Chosen =
    Chosen { nonlocal_flux: true, cloud_mixing: false, dissipative_heating: false, topographic: false, clouds: true };

impl Case {
    fn made_up(tracers: usize, chosen: Chosen) -> Self {
        let mut made = analytic::columns::<f64>(37, 19, tracers);
        let mut fields = BTreeMap::new();
        made.each_real(&mut |declared, values| {
            fields.insert(declared.name, std::mem::take(values));
        });
        Self { sizes: [37, 19, tracers], fields, time_step_s: 60.0, gravity: 9.81, chosen }
    }

    fn input(&self) -> Vec<u8> {
        let Chosen { nonlocal_flux, cloud_mixing, dissipative_heating, topographic, clouds } = self.chosen;
        let flags = [nonlocal_flux, cloud_mixing, dissipative_heating, topographic, clouds].map(i32::from);
        let mut bytes = Bytes::default();
        bytes.integers(&self.sizes.map(|size| size as i32)).integers(&flags);
        bytes.numbers(&[self.time_step_s, self.gravity]);
        for name in LAYERS.iter().chain(&[ENERGY, "interface_pressure_pa"]).chain(&SURFACE).chain(&GRID) {
            bytes.numbers(&self.fields[name]);
        }
        if let Some(tracers) = self.fields.get("tracers") {
            bytes.numbers(&by_tracer(tracers, self.sizes));
        }
        bytes.0
    }

    fn by_library(&self, precision: &str) -> BTreeMap<&'static str, Vec<f64>> {
        let Chosen { nonlocal_flux, cloud_mixing, dissipative_heating, topographic, clouds } = self.chosen;
        let scheme = library::scheme("shin_hong", precision, &json!({}));
        let read = |name: &str| match name {
            "tracers" => self.sizes[2] > 0,
            "radiative_heating_k_per_s" => cloud_mixing,
            "drag_factor" | "wind_weight" => topographic,
            name => !name.starts_with("urban_"),
        };
        let given = |(name, values): (&&'static str, &Vec<f64>)| {
            let none = !clouds && name.starts_with("cloud_");
            (*name, Values::Real(if none { vec![0.0; values.len()] } else { values.clone() }))
        };
        let inputs = self.fields.iter().filter(|(name, _)| read(name)).map(given).collect();
        let [columns, layers, tracers] = self.sizes;
        let options = json!({
            "time_step_s": self.time_step_s, "nonlocal_flux": nonlocal_flux, "cloud_mixing": cloud_mixing,
            "dissipative_heating": dissipative_heating, "topographic": topographic,
            "constants": if self.gravity == 9.81 { "wrf" } else { "mpas" },
        });
        library::run(
            &*scheme,
            columns,
            &[("layer", layers), ("level", layers + 1), ("tracer", tracers)],
            inputs,
            &options,
        )
    }

    /// What the driver has written, by the names of the results; heat as a tendency of temperature.
    fn results<'a>(&self, mut written: &'a [f64]) -> BTreeMap<&'static str, &'a [f64]> {
        let [columns, layers, tracers] = self.sizes;
        let names = OF_LAYERS.map(|name| (name, layers)).into_iter().chain(OF_COLUMNS.map(|name| (name, 1)));
        let more = (tracers > 0).then_some(("tracers_tendency_per_s", layers * tracers));
        let mut results = BTreeMap::new();
        for (name, rows) in names.chain(more) {
            let (field, rest) = written.split_at(rows * columns);
            written = rest;
            results.insert(name, field);
        }
        assert!(written.is_empty());
        results
    }
}

fn driver(single: bool, words: &[(&str, &str)]) -> Option<Program> {
    let modules = ["fortran/ccpp/isobar_boundary_layer.f90", "fortran/shin_hong/bl_shinhong.f90"];
    let mut text = include_str!("../fortran/shin_hong.f90").to_owned();
    for (from, to) in words {
        text = Source::Text(&text).with(from, to);
    }
    Program::of_ccpp(single, &modules, Source::Text(&text))
}

#[test]
fn bl_shinhong_run_has_the_bits_of_the_library() {
    for single in [false, true] {
        let Some(program) = driver(single, &[]) else { return };
        let all = Chosen { cloud_mixing: true, dissipative_heating: true, topographic: true, ..USUAL };
        let of_ysu = Chosen { nonlocal_flux: false, clouds: false, ..USUAL };
        for (tracers, gravity, chosen) in [(0, 9.81, USUAL), (3, 9.80616, all), (0, 9.81, of_ysu)] {
            let case = Case { gravity, ..Case::made_up(tracers, chosen) };
            let written = program.run(&case.input(), &[]).unwrap();
            let mut expected = case.by_library(if single { "f32" } else { "f64" });
            let theta = of_temperature(&expected["theta_tendency_k_per_s"], &case.fields["exner"], single);
            expected.insert("theta_tendency_k_per_s", theta);
            for (name, got) in case.results(&written) {
                match name {
                    "tracers_tendency_per_s" => assert_same(got, &by_tracer(&expected[name], case.sizes), name),
                    name if !chosen.clouds && name.starts_with("cloud_") => {
                        assert!(got.iter().all(|&tendency| tendency == 0.0), "{name} is not 0");
                    }
                    _ => assert_same(got, &expected[name], name),
                }
            }
        }
    }
}

#[test]
fn what_is_wrong_is_said() {
    let Some(program) = driver(false, &[]) else { return };
    let mut case = Case::made_up(0, USUAL);
    case.fields.get_mut(ENERGY).unwrap()[2 * 37 + 3] = -1.0;
    let error = program.run(&case.input(), &[]).unwrap_err();
    assert!(error.contains("turbulent_energy_m2_per_s2 at column 3, layer 2 is -1"), "{error}");
    let case = Case::made_up(0, USUAL);
    for (from, to, words) in [
        ("ep1=rv / rd - 1", "ep1=rv / rd", "bl_shinhong_run: the constant ep1 is"),
        ("rovcp=rd / cp", "rovcp=transfer([-1, -1], g)", "bl_shinhong_run: the constant rovcp is"),
        ("p2di=p_int", "p2di=p_int(:, :layers)", "p2di has to have kte + 1 interfaces"),
        ("flag_bep=.false.", "flag_bep=.true.", "flag_bep is true, and urban canopies"),
    ] {
        let error = driver(false, &[(from, to)]).unwrap().run(&case.input(), &[]).unwrap_err();
        assert!(error.contains(words), "{error}");
    }
}

/// The cases of the reference, and what they choose.
const CASES: [(&str, Chosen); 5] = [
    ("ysu", Chosen { nonlocal_flux: false, ..USUAL }),
    ("nl", USUAL),
    ("scu", Chosen { nonlocal_flux: false, cloud_mixing: true, ..USUAL }),
    ("nlscu", Chosen { cloud_mixing: true, ..USUAL }),
    ("dis", Chosen { dissipative_heating: true, topographic: true, ..USUAL }),
];
/// The bounds of `isobar-ysu`, where they are derived.
const TENDENCY: f64 = 1e-9;
const DIFFUSIVITY: f64 = 1e-11;

/// A set of the reference in its order: fields of layers, interfaces, the surface, and energy.
fn read(dir: &Path, time_step_s: f64, chosen: Chosen) -> Case {
    let (shape, _) = isobar_golden::npy(&dir.join("in_3d.npy"));
    let mut fields = BTreeMap::new();
    fields.extend(LAYERS.into_iter().zip(stack(&dir.join("in_3d.npy"))));
    // The share of a town stands between.
    let names = SURFACE.into_iter().chain(["urban_share"]).chain(GRID);
    fields.extend(names.zip(stack(&dir.join("in_2d.npy"))));
    for (name, file) in [("interface_pressure_pa", "in_p_int.npy"), (ENERGY, "in_tke.npy")] {
        let (shape, values) = isobar_golden::npy(&dir.join(file));
        fields.insert(name, (0..values.len()).map(|i| values[i % shape[0] * shape[1] + i / shape[0]]).collect());
    }
    Case { sizes: [shape[1], shape[2], 0], fields, time_step_s, gravity: 9.80616, chosen }
}

#[test]
fn bl_shinhong_run_has_the_reference_s_numbers() {
    let Some(dir) = isobar_golden::find("pbl").map(|dir| dir.join("columns")) else { return };
    let Some(program) = driver(false, &[]) else { return };
    let mut compared = 0;
    for (set, time_step_s) in [("l35", 60.0), ("l50", 30.0), ("l72", 120.0), ("l100", 300.0), ("l60", 10.0)] {
        let dir = dir.join(set);
        for (name, chosen) in CASES {
            let path = |end: &str| dir.join(format!("sh_{name}_f64_{end}.npy"));
            if !path("3d").exists() {
                continue;
            }
            let case = read(&dir, time_step_s, chosen);
            let written = program.run(&case.input(), &[]).unwrap();
            let results = case.results(&written);
            let exner = &case.fields["exner"];
            let mut expected: Vec<_> = OF_LAYERS.into_iter().zip(stack(&path("3d"))).collect();
            // In the order of the file; sums over columns have budgets of their own in `isobar-ysu`.
            let values = ["height_m", "level", "convective_velocity_m_per_s", "entrainment_depth_m"];
            let winds = ["u_10m_m_per_s", "v_10m_m_per_s"];
            expected.extend(values.into_iter().chain(winds).zip(stack(&path("2d"))));
            for column in 0..case.sizes[0] {
                let of =
                    |field: &[f64]| -> Vec<f64> { field[column..].iter().step_by(case.sizes[0]).copied().collect() };
                // Where the reference took what it had not set, there is no number.
                if expected.iter().any(|(_, field)| of(field).iter().any(|x| x.is_nan())) {
                    continue;
                }
                for (name, expected) in &expected {
                    let (mut got, mut expected) = (of(results[name]), of(expected));
                    let of_theta =
                        |field: &mut Vec<f64>| field.iter_mut().zip(of(exner)).for_each(|(t, exner)| *t /= exner);
                    if *name == "theta_tendency_k_per_s" {
                        of_theta(&mut got);
                        of_theta(&mut expected);
                    }
                    let largest = expected.iter().fold(0.0_f64, |largest, x| largest.max(x.abs()));
                    for (got, expected) in got.iter().zip(&expected) {
                        let bound = match *name {
                            "level" => 0.0,
                            name if name.contains("tendency") => TENDENCY * largest,
                            ENERGY | "mixing_length_m" => TENDENCY * expected.abs(),
                            _ => DIFFUSIVITY * expected.abs(),
                        };
                        let error = (got - expected).abs();
                        assert!(error <= bound, "{set} {name} column {column}: {got:e}, not {expected:e}");
                    }
                }
                compared += 1;
            }
        }
    }
    assert!(compared > 2000, "{compared} columns");
}
