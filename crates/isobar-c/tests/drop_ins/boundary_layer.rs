//! `bl_ysu_run` of MMM-physics.

use std::collections::BTreeMap;

use isobar_ysu::analytic;
use serde_json::json;

use crate::fortran::{Bytes, Program, Source};
use crate::library::{self, Values, assert_same};

const MODULES: [&str; 2] = ["fortran/ccpp/isobar_boundary_layer.f90", "fortran/ysu/bl_ysu.f90"];
/// Inputs of layers in the order in which the driver reads them, and of the surface.
pub(crate) const LAYERS: [&str; 10] = [
    "u_m_per_s",
    "v_m_per_s",
    "temperature_k",
    "vapour_kg_per_kg",
    "cloud_water_kg_per_kg",
    "cloud_ice_kg_per_kg",
    "pressure_pa",
    "exner",
    "thickness_m",
    "radiative_heating_k_per_s",
];
pub(crate) const SURFACE: [&str; 16] = [
    "surface_pressure_pa",
    "roughness_m",
    "friction_velocity_m_per_s",
    "profile_momentum",
    "profile_heat",
    "land_or_water",
    "sensible_heat_flux_w_per_m2",
    "moisture_flux_kg_per_m2_s",
    "wind_speed_m_per_s",
    "richardson",
    "u_10m_m_per_s",
    "v_10m_m_per_s",
    "u_current_m_per_s",
    "v_current_m_per_s",
    "drag_factor",
    "wind_weight",
];
/// Results in the order in which it writes them.
const RESULTS: [&str; 18] = [
    "u_tendency_m_per_s2",
    "v_tendency_m_per_s2",
    "theta_tendency_k_per_s",
    "vapour_tendency_kg_per_kg_s",
    "cloud_water_tendency_kg_per_kg_s",
    "cloud_ice_tendency_kg_per_kg_s",
    "diffusivity_heat_m2_per_s",
    "diffusivity_momentum_m2_per_s",
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

/// Columns by name, `[row * columns + column]`.
struct Case {
    columns: usize,
    layers: usize,
    tracers: usize,
    fields: BTreeMap<&'static str, Vec<f64>>,
}

#[derive(Clone, Copy)]
struct Options {
    time_step_s: f64,
    top_down: bool,
    topographic: bool,
    /// With a town, and the constants of MPAS.
    urban: bool,
}

impl Case {
    fn input(&self, options: Options) -> Bytes {
        let Options { time_step_s, top_down, topographic, .. } = options;
        let mut bytes = Bytes::default();
        let sizes = [self.columns, self.layers, self.tracers].map(|size| size as i32);
        bytes.integers(&sizes).integers(&[i32::from(top_down), i32::from(topographic), 1]).numbers(&[time_step_s]);
        for name in LAYERS.iter().chain(["interface_pressure_pa"].iter()).chain(&SURFACE) {
            bytes.numbers(&self.fields[name]);
        }
        // The driver has a tracer after the other, the library a layer after the other.
        if let Some(tracers) = self.fields.get("tracers") {
            bytes.numbers(&by_tracer(tracers, [self.columns, self.layers, self.tracers]));
        }
        bytes
    }

    fn by_library(&self, precision: &str, options: Options) -> BTreeMap<&'static str, Vec<f64>> {
        self.by_library_with(precision, options, &json!(if options.urban { "mpas" } else { "wrf" }))
    }

    fn by_library_with(
        &self,
        precision: &str,
        options: Options,
        constants: &serde_json::Value,
    ) -> BTreeMap<&'static str, Vec<f64>> {
        let Options { time_step_s, top_down, topographic, urban } = options;
        let scheme = library::scheme("ysu", precision, &json!({}));
        let given = |(name, values): (&&'static str, &Vec<f64>)| (*name, Values::Real(values.clone()));
        let unread = |name: &str| match name {
            "tracers" => self.tracers == 0,
            "radiative_heating_k_per_s" => !top_down,
            "drag_factor" | "wind_weight" => !topographic,
            "turbulent_energy_m2_per_s2" | "grid_distance_m" | "coriolis_per_s" => true,
            name if name.starts_with("urban_") => !urban,
            _ => false,
        };
        let inputs = self.fields.iter().filter(|(name, _)| !unread(name)).map(given).collect();
        let sizes = [("layer", self.layers), ("level", self.layers + 1), ("tracer", self.tracers)];
        let options = json!({
            "time_step_s": time_step_s, "top_down": top_down, "topographic": topographic, "urban": urban,
            "constants": constants,
        });
        library::run(&*scheme, self.columns, &sizes, inputs, &options)
    }

    /// What the driver has written, by the names of the results; heat as a tendency of temperature.
    fn results<'a>(&self, mut written: &'a [f64]) -> BTreeMap<&'static str, &'a [f64]> {
        let mut take = |rows: usize| {
            let (field, rest) = written.split_at(rows * self.columns);
            written = rest;
            field
        };
        let mut results = BTreeMap::new();
        for (index, name) in RESULTS.into_iter().enumerate() {
            // Written in this order: hpbl, wstar, delta, kpbl.
            results.insert(name, take(if index < 8 { self.layers } else { 1 }));
        }
        if self.tracers > 0 {
            results.insert("tracers_tendency_per_s", take(self.layers * self.tracers));
        }
        assert!(written.is_empty());
        results
    }
}

fn made_up(columns: usize, layers: usize, tracers: usize) -> Case {
    let mut made = analytic::columns::<f64>(columns, layers, tracers);
    let mut fields = BTreeMap::new();
    isobar_core::fields::OwnedInputs::each_real(&mut made, &mut |declared, values| {
        fields.insert(declared.name, std::mem::take(values));
    });
    Case { columns, layers, tracers, fields }
}

fn driver(single: bool) -> Option<Program> {
    Program::of_ccpp(single, &MODULES, Source::File("tests/fortran/ysu.f90"))
}

/// Tendencies of temperature are those of potential temperature times the Exner function, rounded once.
pub(crate) fn of_temperature(theta: &[f64], exner: &[f64], single: bool) -> Vec<f64> {
    let product = |(&theta, &exner): (&f64, &f64)| {
        if single { f64::from(theta as f32 * exner as f32) } else { theta * exner }
    };
    theta.iter().zip(exner).map(product).collect()
}

#[test]
fn bl_ysu_run_has_the_bits_of_the_library() {
    for single in [false, true] {
        let Some(program) = driver(single) else { return };
        for (tracers, top_down, topographic) in [(0, false, false), (3, true, true)] {
            let case = made_up(37, 19, tracers);
            let options = Options { time_step_s: 60.0, top_down, topographic, urban: false };
            let written = program.run(&case.input(options).0, &[]).unwrap();
            let results = case.results(&written);
            let mut expected = case.by_library(if single { "f32" } else { "f64" }, options);
            let theta = of_temperature(&expected["theta_tendency_k_per_s"], &case.fields["exner"], single);
            expected.insert("theta_tendency_k_per_s", theta);
            for (name, got) in results {
                let turned;
                let mut expected = &expected[name];
                if name == "tracers_tendency_per_s" {
                    turned = by_tracer(expected, [37, 19, tracers]);
                    expected = &turned;
                }
                assert_same(got, expected, name);
            }
        }
    }
}

/// From `[layer][tracer][column]` to the driver's `[tracer][layer][column]`.
pub(crate) fn by_tracer(values: &[f64], [columns, layers, tracers]: [usize; 3]) -> Vec<f64> {
    let row = |tracer, layer| (layer * tracers + tracer) * columns;
    let rows = (0..tracers).flat_map(|tracer| (0..layers).map(move |layer| row(tracer, layer)));
    rows.flat_map(|row| values[row..row + columns].iter().copied()).collect()
}

#[test]
fn what_is_wrong_is_said() {
    let Some(program) = driver(false) else { return };
    let mut case = made_up(5, 9, 0);
    let options = Options { time_step_s: 60.0, top_down: false, topographic: false, urban: false };
    case.fields.get_mut("temperature_k").unwrap()[2 * 5 + 3] = 1000.0;
    let error = program.run(&case.input(options).0, &[]).unwrap_err();
    assert!(error.contains("temperature_k at column 3, layer 2 is 1000, which is not in [100, 400] K"), "{error}");
    let error = program.run(&case.input(options).0, &[("ISOBAR_DEVICES", "gpu")]).unwrap_err();
    assert!(error.contains("'gpu' is not a device"), "{error}");
    for (from, to, words) in [
        ("rovg=rd / g", "rovg=rd / 9.7", "the constant rovg is"),
        ("ep2=rd / rv", "ep2=transfer([-1, -1], g)", "the constant ep2 is"),
        (
            "cp=cp, g=g",
            "cp=transfer([-1, -1], g), g=g",
            "the constant cp is NaN, which is not a finite number other than 0",
        ),
        ("cp=cp, g=g", "cp=cp, g=0 * g", "the constant g is 0.000000, which is not a finite number other than 0"),
        ("g = 9.81_kind_phys", "g = -9.81_kind_phys", "the constant gravity_m_per_s2 (g) is -9.81, which is not in"),
        ("flag_bep=.false.", "flag_bep=.true.", "flag_bep is true, and a_u, a_v"),
    ] {
        let error = changed(false, &[(from, to)]).run(&made_up(5, 9, 0).input(options).0, &[]).unwrap_err();
        assert!(error.contains(words), "{error}");
    }
}

/// The driver with other words in it.
fn changed(single: bool, words: &[(&str, &str)]) -> Program {
    let mut text = include_str!("../fortran/ysu.f90").to_owned();
    for (from, to) in words {
        text = Source::Text(&text).with(from, to);
    }
    Program::of_ccpp(single, &MODULES, Source::Text(&text)).unwrap()
}

/// With MPAS's gravity, and a town that is denser where it is moist.
#[test]
fn bl_ysu_run_has_the_host_s_constants_and_towns() {
    if driver(false).is_none() {
        return;
    }
    let town = "flag_bep=.true., a_u=-qv, a_v=-qv, a_t=-qv, a_q=-qv, a_e=qv, b_u=qv, b_v=qv, b_t=qv, b_q=qv, b_e=qv, &
        sfk=1 - qv, vlk=1 - qv, dlu=qv, dlg=qv, frcurb=surface(:, 6) / 4, &\n";
    for (single, precision) in [(false, "f64"), (true, "f32")] {
        let program = changed(single, &[("g = 9.81_kind_phys", "g = 9.80616_kind_phys"), ("flag_bep=.false.,", town)]);
        let mut case = made_up(37, 19, 0);
        let round = |x: f64| if single { f64::from(x as f32) } else { x };
        let moist: Vec<f64> = case.fields["vapour_kg_per_kg"].iter().map(|&q| round(q)).collect();
        for name in &URBAN[..4] {
            case.fields.insert(name, moist.iter().map(|q| -q).collect());
        }
        for name in &URBAN[4..] {
            case.fields.insert(name, moist.clone());
        }
        let open: Vec<f64> = moist.iter().map(|&q| round(1.0 - q)).collect();
        case.fields.insert("urban_open_faces", open.clone());
        case.fields.insert("urban_open_volume", open);
        case.fields.insert("urban_share", case.fields["land_or_water"].iter().map(|x| x / 4.0).collect());
        let options = Options { time_step_s: 60.0, top_down: false, topographic: true, urban: true };
        let written = program.run(&case.input(options).0, &[]).unwrap();
        let expected = case.by_library(precision, options);
        let rural = case.by_library(precision, Options { urban: false, ..options });
        for name in ["u_tendency_m_per_s2", "v_tendency_m_per_s2", "vapour_tendency_kg_per_kg_s", "height_m"] {
            let got = case.results(&written)[name];
            assert_same(got, &expected[name], name);
            assert_ne!(got, rural[name], "{name}");
        }
    }
}

/// Constants that are nearly WRF's are the host's all the same, in single precision those that its numbers mean.
#[test]
fn bl_ysu_run_has_constants_close_to_wrf_s() {
    if driver(false).is_none() {
        return;
    }
    let options = Options { time_step_s: 60.0, top_down: false, topographic: false, urban: false };
    for (single, precision) in [(false, "f64"), (true, "f32")] {
        // The next number of single precision after 1004.5, and one that is nearer to WRF's than 1e-5 of it.
        let words = [("cp = 1004.5_kind_phys, g = 9.81_kind_phys", "cp = 1004.50006_kind_phys, g = 9.81005_kind_phys")];
        let case = made_up(37, 19, 0);
        let written = changed(single, &words).run(&case.input(options).0, &[]).unwrap();
        let own = json!({ "heat_capacity_j_per_kg_k": 1004.50006, "gravity_m_per_s2": 9.81005 });
        let expected = case.by_library_with(precision, options, &own);
        let of_wrf = case.by_library(precision, options);
        for name in ["u_tendency_m_per_s2", "v_tendency_m_per_s2", "vapour_tendency_kg_per_kg_s", "height_m"] {
            let got = case.results(&written)[name];
            assert_same(got, &expected[name], name);
            assert_ne!(got, of_wrf[name], "{name}");
        }
    }
}

/// The fields of layers of a town that have a rate or a source.
const URBAN: [&str; 8] = [
    "urban_u_rate_per_s",
    "urban_v_rate_per_s",
    "urban_theta_rate_per_s",
    "urban_vapour_rate_per_s",
    "urban_u_source_m_per_s2",
    "urban_v_source_m_per_s2",
    "urban_theta_source_k_per_s",
    "urban_vapour_source_per_s",
];

impl Source<'_> {
    /// A text with something else in it.
    pub(crate) fn with(&self, from: &str, to: &str) -> String {
        let Self::Text(text) = self else { panic!("a text") };
        assert!(text.contains(from));
        text.replace(from, to)
    }
}

/// `[field, column, level]` of a NumPy file as fields of `[level][column]`.
pub(crate) fn stack(path: &std::path::Path) -> Vec<Vec<f64>> {
    let (shape, values) = isobar_golden::npy(path);
    let (columns, levels) = (shape[shape.len() - 2..][0], shape[shape.len() - 1]);
    let (columns, levels) = if shape.len() == 2 { (shape[1], 1) } else { (columns, levels) };
    let turned = |field: &[f64]| (0..field.len()).map(|i| field[i % columns * levels + i / columns]).collect();
    values.chunks(columns * levels).map(turned).collect()
}

/// The error relative to the column's largest: the bounds of `isobar-ysu`, where they are derived.
const TENDENCY: f64 = 1e-9;
const DIFFUSIVITY: f64 = 1e-12;

#[test]
fn bl_ysu_run_has_the_reference_s_numbers() {
    let Some(dir) = isobar_golden::find("ysu") else { return };
    let Some(program) = driver(false) else { return };
    for (set, time_step_s) in [("l35", 72.0), ("l50", 30.0), ("l72", 150.0), ("l60", 10.0)] {
        let dir = dir.join(set);
        let layered = stack(&dir.join("in_3d.npy"));
        let (shape, _) = isobar_golden::npy(&dir.join("in_3d.npy"));
        let (shape_p, p) = isobar_golden::npy(&dir.join("in_p_int.npy"));
        let p = (0..p.len()).map(|i| p[i % shape_p[0] * shape_p[1] + i / shape_p[0]]).collect();
        let mut fields = BTreeMap::from([("interface_pressure_pa", p)]);
        // Potential temperature, the fourth field, is not given.
        let read = layered.into_iter().enumerate().filter(|(index, _)| *index != 3).map(|(_, field)| field);
        fields.extend(LAYERS.into_iter().zip(read));
        fields.extend(SURFACE.into_iter().zip(stack(&dir.join("in_2d.npy"))));
        let case = Case { columns: shape[1], layers: shape[2], tracers: 0, fields };
        for (name, top_down, topographic) in [("base", false, false), ("td", true, false), ("tdtopo", true, true)] {
            let written =
                program.run(&case.input(Options { time_step_s, top_down, topographic, urban: false }).0, &[]).unwrap();
            let results = case.results(&written);
            let of_layers = dir.join(format!("out_{name}_f64_3d.npy"));
            // With orography only winds are there.
            let expected =
                if of_layers.exists() { stack(&of_layers) } else { stack(&dir.join(format!("out_{name}_f64_uv.npy"))) };
            for (index, expected) in expected.iter().enumerate() {
                let got = results[RESULTS[index]];
                let theta: Vec<f64> = got.iter().zip(&case.fields["exner"]).map(|(t, exner)| t / exner).collect();
                let got = if index == 2 { &theta[..] } else { got };
                let bound = if index < 6 { TENDENCY } else { DIFFUSIVITY };
                for column in 0..case.columns {
                    let of =
                        |field: &[f64]| -> Vec<f64> { field[column..].iter().step_by(case.columns).copied().collect() };
                    let (got, expected) = (of(got), of(expected));
                    let largest = expected.iter().fold(0.0_f64, |largest, x| largest.max(x.abs()));
                    for (got, expected) in got.iter().zip(&expected) {
                        let error = (got - expected).abs();
                        assert!(error <= bound * largest, "{set} {name} {} column {column}: {error:e}", RESULTS[index]);
                    }
                }
            }
            let heights = &stack(&dir.join(format!("out_{name}_f64_2d.npy")))[0];
            for (got, expected) in results["height_m"].iter().zip(heights) {
                assert!((got - expected).abs() <= DIFFUSIVITY * expected, "{set} {name}: {got} m, not {expected} m");
            }
        }
    }
}
