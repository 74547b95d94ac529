//! `sf_sfclayrev_run` of MMM-physics.

use std::path::Path;

use isobar_core::fields::OwnedInputs;
use isobar_surface::{Constants, analytic};
use serde_json::{Value, json};

use crate::fortran::{Bytes, Program, Source};
use crate::library::{self, Values, assert_same};

/// What the driver reads, in the order of the reference's files; none for what the library does not read.
const INPUTS: [Option<&str>; 25] = [
    Some("u_m_per_s"),
    Some("v_m_per_s"),
    Some("temperature_k"),
    Some("vapour_kg_per_kg"),
    Some("pressure_pa"),
    Some("thickness_m"),
    Some("surface_pressure_pa"),
    Some("boundary_layer_height_m"),
    Some("moisture_availability"),
    Some("land_or_water"),
    Some("surface_temperature_k"),
    Some("orography_deviation_m"),
    Some("grid_length_m"),
    Some("lake"),
    Some("water_depth_m"),
    Some("roughness_m"),
    Some("friction_velocity_m_per_s"),
    None,
    Some("temperature_scale_k"),
    None,
    None,
    Some("sensible_heat_flux_w_per_m2"),
    Some("moisture_flux_kg_per_m2_s"),
    Some("surface_vapour_kg_per_kg"),
    Some("friction_velocity_of_wind_m_per_s"),
];
/// What it writes.
const RESULTS: [&str; 34] = [
    "roughness_m",
    "friction_velocity_m_per_s",
    "stability",
    "temperature_scale_k",
    "inverse_obukhov_length_per_m",
    "regime",
    "sensible_heat_flux_w_per_m2",
    "moisture_flux_kg_per_m2_s",
    "surface_vapour_kg_per_kg",
    "friction_velocity_of_wind_m_per_s",
    "logarithm",
    "wind_speed_m_per_s",
    "richardson",
    "correction_momentum",
    "correction_heat",
    "profile_momentum",
    "profile_heat",
    "heat_capacity_j_per_kg_k",
    "exchange_m_per_s",
    "exchange_heat_2m_m_per_s",
    "exchange_moisture_2m_m_per_s",
    "exchange_heat_w_per_m2_k",
    "exchange_moisture_kg_per_m2_s",
    "saturation_kg_per_kg",
    "latent_heat_flux_w_per_m2",
    "u_10m_m_per_s",
    "v_10m_m_per_s",
    "theta_2m_k",
    "temperature_2m_k",
    "vapour_2m_kg_per_kg",
    "enthalpy_coefficient_10m",
    "enthalpy_coefficient",
    "drag_coefficient_10m",
    "drag_coefficient",
];
/// What the original leaves as it was, which the driver has put there.
const NOT_SET: f64 = -9999.0;

/// Flags and numbers of a call.
#[derive(Clone, Copy)]
struct Call {
    fluxes: bool,
    water: i32,
    land: i32,
    shallow: bool,
    hills: bool,
    given: bool,
    constants: Constants,
}

impl Call {
    const fn usual(constants: Constants) -> Self {
        Self { fluxes: true, water: 0, land: 0, shallow: false, hills: false, given: false, constants }
    }

    fn input(&self, fields: &[Vec<f64>]) -> Bytes {
        let Constants { cp, g, rd, karman, xlv, svp1, svp2, svp3, svpt0, p1000mb, .. } = self.constants;
        let (ep1, ep2) = (self.constants.ep1(), self.constants.ep2());
        let flags = [i32::from(self.fluxes), self.water, self.land];
        let more = [self.shallow, self.hills, self.given].map(i32::from);
        let mut bytes = Bytes::default();
        bytes.integers(&[fields[0].len() as i32]).integers(&flags).integers(&more);
        bytes.numbers(&[cp, g, rd / cp, rd, xlv, svp1, svp2, svp3, svpt0, ep1, ep2, karman, p1000mb, 2.0]);
        fields.iter().for_each(|field| {
            bytes.numbers(field);
        });
        bytes
    }

    fn options(&self, single: bool) -> Value {
        let rounded = |value: f64| if single { f64::from(value as f32) } else { value };
        let Constants { cp, g, rd, karman, xlv, svp1, svp2, svp3, svpt0, p1000mb, .. } = self.constants;
        // The host has the ratio alone, in its precision.
        let ratio = rounded(1.0 + rounded(self.constants.ep1()));
        let constants = [
            ("cp", cp),
            ("g", g),
            ("rd", rd),
            ("rv", rounded(rounded(rd) * ratio)),
            ("karman", karman),
            ("xlv", xlv),
            ("svp1", svp1),
            ("svp2", svp2),
            ("svp3", svp3),
            ("svpt0", svpt0),
            ("p1000mb", p1000mb),
        ];
        let constants: serde_json::Map<_, _> =
            constants.into_iter().map(|(name, value)| (name.to_owned(), json!(rounded(value)))).collect();
        let fluxes = if self.given { "given" } else { ["zero", "computed"][usize::from(self.fluxes)] };
        let water = ["coare", "constant", "garratt"][self.water as usize];
        let land = ["momentum", "chen_zhang", "zilitinkevich"][self.land as usize];
        json!({
            "fluxes": fluxes,
            "water_roughness": water,
            "land_roughness": land,
            "shallow_water": self.shallow,
            "form_drag": self.hills,
            "form_drag_factor": 2.0,
            "constants": constants,
        })
    }

    /// Does the original set a result?
    fn sets(&self, result: &str) -> bool {
        match result {
            "latent_heat_flux_w_per_m2" => self.fluxes && !self.given,
            "exchange_m_per_s" | "exchange_heat_2m_m_per_s" | "exchange_moisture_2m_m_per_s" => self.fluxes,
            _ => true,
        }
    }
}

fn driver(single: bool) -> Option<Program> {
    let driver = Source::File("tests/fortran/surface.f90");
    Program::of_ccpp(single, &["fortran/surface/sf_sfclayrev.f90"], driver)
}

/// Made-up columns in the order of the reference's files.
fn made_up(count: usize) -> Vec<Vec<f64>> {
    let mut columns = analytic::columns::<f64>(count);
    let mut fields = vec![vec![0.0; count]; INPUTS.len()];
    columns.each_real(&mut |declared, values| {
        let place = INPUTS.iter().position(|input| *input == Some(declared.name)).expect("an input");
        fields[place] = std::mem::take(values);
    });
    fields
}

#[test]
fn sf_sfclayrev_run_has_the_bits_of_the_library() {
    let fields = made_up(75);
    for single in [false, true] {
        let Some(program) = driver(single) else { return };
        let usual = Call::usual(Constants::mpas());
        for call in [
            usual,
            Call { water: 2, land: 1, hills: true, constants: Constants::ufs(), ..usual },
            Call { water: 1, land: 2, ..usual },
            Call { shallow: true, given: true, ..usual },
            Call { fluxes: false, ..usual },
        ] {
            let written = program.run(&call.input(&fields).0, &[]).unwrap();
            let scheme = library::scheme("surface", if single { "f32" } else { "f64" }, &json!({}));
            let unread = |name: &str| match name {
                "water_depth_m" => !call.shallow,
                "orography_deviation_m" => !call.hills,
                _ => false,
            };
            let inputs = INPUTS.into_iter().zip(&fields);
            let inputs = inputs.filter_map(|(name, values)| Some((name?, Values::Real(values.clone()))));
            let inputs = inputs.filter(|(name, _)| !unread(name)).collect();
            let expected = library::run(&*scheme, 75, &[], inputs, &call.options(single));
            for (name, got) in RESULTS.into_iter().zip(written.chunks(75)) {
                if call.sets(name) {
                    assert_same(got, &expected[name], name);
                } else {
                    assert!(got.iter().all(|&value| value == NOT_SET), "{name}");
                }
            }
        }
    }
}

/// `[field, column]` of a NumPy file.
fn fields_of(path: &Path) -> Vec<Vec<f64>> {
    let (shape, values) = isobar_golden::npy(path);
    values.chunks(shape[1]).map(<[f64]>::to_vec).collect()
}

#[test]
fn sf_sfclayrev_run_has_the_reference_s_numbers() {
    let Some(folder) = isobar_golden::find("pbl").map(|folder| folder.join("sfc")) else { return };
    let Some(program) = driver(false) else { return };
    let fields = fields_of(&folder.join("in.npy"));
    let usual = Call::usual(Constants::mpas());
    for (case, call) in [
        ("base", usual),
        ("ftc1", Call { water: 1, ..usual }),
        ("ftc2", Call { water: 2, ..usual }),
        ("iz01", Call { land: 1, ..usual }),
        ("iz02", Call { land: 2, ..usual }),
        ("noflx", Call { fluxes: false, ..usual }),
        ("scm", Call { given: true, ..usual }),
        ("shal", Call { shallow: true, ..usual }),
        ("tofd", Call { hills: true, ..usual }),
        ("base_wrfconst", Call::usual(Constants::wrf())),
        ("base_ufsconst", Call::usual(Constants::ufs())),
    ] {
        let written = program.run(&call.input(&fields).0, &[]).unwrap();
        let expected = fields_of(&folder.join(format!("out_{case}_f64.npy")));
        for ((name, got), expected) in RESULTS.into_iter().zip(written.chunks(fields[0].len())).zip(&expected) {
            for (got, expected) in got.iter().zip(expected) {
                // Differences of temperatures have fewer digits: `isobar-surface` says where.
                let error = (got - expected).abs();
                assert!(error <= 1e-9 * expected.abs(), "{case} {name}: {got:e}, not {expected:e}");
            }
        }
    }
}

/// The original reads the depth over water alone, where models have none over land.
#[test]
fn depths_over_land_are_not_read() {
    let Some(program) = driver(false) else { return };
    let mut fields = made_up(20);
    let shallow = Call { shallow: true, ..Call::usual(Constants::wrf()) };
    let run = |fields: &[Vec<f64>]| program.run(&shallow.input(fields).0, &[]);
    fields[9][4..7].copy_from_slice(&[1.0, 2.0, 1.0]);
    let usual = run(&fields).unwrap();
    (fields[14][4], fields[14][6]) = (-9999.0, 1e20);
    assert_same(&run(&fields).unwrap(), &usual, "depths over land");
    fields[14][5] = -9999.0;
    let message = run(&fields).unwrap_err();
    assert!(
        message.contains("water_depth_m at column 5 is -9999, which is not in [0, 20000] m over water"),
        "{message}"
    );
}

#[test]
fn what_is_wrong_is_said() {
    let Some(program) = driver(false) else { return };
    let mut fields = made_up(5);
    let usual = Call::usual(Constants::wrf());
    let error = |call: Call, fields: &[Vec<f64>]| program.run(&call.input(fields).0, &[]).unwrap_err();
    assert!(error(Call { water: 3, ..usual }, &fields).contains("no 3"));
    assert!(error(Call { water: -1_234_567_890, ..usual }, &fields).contains("no -1234567890"));
    assert!(error(Call { given: true, fluxes: false, ..usual }, &fields).contains("isfflx has none"));
    assert!(error(Call { shallow: true, water: 1, ..usual }, &fields).contains("water_roughness has to be coare"));
    fields[9][3] = 1.5;
    let message = error(usual, &fields);
    assert!(message.contains("land_or_water at column 3 is 1.5, which is not 1 or 2"), "{message}");
}

/// Bits that are no number, other constants, and a host's short text for messages: an error each, and no trap.
#[test]
fn constants_that_are_none_are_errors() {
    let fields = made_up(5);
    let none = "transfer([-1, -1], 1.0_kind_phys)";
    for (from, to, words) in [
        ("rovcp=c(3)", format!("rovcp={none}"), "sf_sfclayrev_run: the constant rovcp is             NaN"),
        ("ep2=c(11)", format!("ep2={none}"), "sf_sfclayrev_run: the constant ep2 is             NaN"),
        ("ep2=c(11)", "ep2=c(11) + 0.001_kind_phys".to_owned(), "sf_sfclayrev_run: the constant ep2 is"),
        ("cp=c(1)", format!("cp={none}"), "sf_sfclayrev_run: the constant cp is NaN, which is not a fin"),
        ("cp=c(1)", "cp=0 * c(1)".to_owned(), "sf_sfclayrev_run: the constant cp is 0.000000, which is"),
    ] {
        let text = Source::Text(include_str!("../fortran/surface.f90")).with(from, &to);
        let text = Source::Text(&text).with(":: path, errmsg", ":: path\n  character(60) :: errmsg");
        let modules = ["fortran/surface/sf_sfclayrev.f90"];
        let Some(program) = Program::of_ccpp(false, &modules, Source::Text(&text)) else { return };
        let error = program.run(&Call::usual(Constants::wrf()).input(&fields).0, &[]).unwrap_err();
        assert!(error.contains(words), "{error}");
    }
}
