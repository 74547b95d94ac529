//! `isobar pbl --surface revised-mm5`: the surface layer of the shared code of WRF and MPAS, then the boundary layer
//! with its fluxes and profiles.

use std::path::Path;

use crate::common::classic::{Case, Classic};
use crate::common::said;
use crate::pbl::output;

const LAYERS: usize = 6;
const COLUMN: &[&str] = &["column"];

/// Fields of the reference's points: their names in files, units; where there are none they are not for the file.
const INPUTS: [(&str, &str); 25] = [
    ("u", "m s-1"),
    ("v", "m s-1"),
    ("t", "K"),
    ("qv", "kg kg-1"),
    ("p", "Pa"),
    ("dz", "m"),
    ("psfc", "Pa"),
    ("pblh", "m"),
    ("mavail", "1"),
    ("xland", "1"),
    ("tsk", "K"),
    ("varf", ""),
    ("dx", "m"),
    ("lakemask", "1"),
    ("depth", ""),
    ("znt", "m"),
    ("ust", "m s-1"),
    ("zol", ""),
    ("mol", "K"),
    ("rmol", ""),
    ("regime", ""),
    ("hfx", "W m-2"),
    ("qfx", "kg m-2 s-1"),
    ("qsfc", "kg kg-1"),
    ("ustm", "m s-1"),
];

/// Results with their place among the reference's, and what the boundary layer calls them.
const RESULTS: [(&str, &str, usize, &str); 9] = [
    ("roughness", "m", 0, "znt"),
    ("friction_velocity", "m s-1", 1, "ust"),
    ("sensible_heat_flux", "W m-2", 6, "hfx"),
    ("moisture_flux", "kg m-2 s-1", 7, "qfx"),
    ("wind_speed", "m s-1", 11, "wspd"),
    ("richardson", "1", 12, "br"),
    ("profile_momentum", "1", 15, "psim"),
    ("profile_heat", "1", 16, "psih"),
    ("temperature_2m", "K", 28, ""),
];

fn fields(path: &Path) -> Vec<Vec<f64>> {
    let (shape, values) = isobar_golden::npy(path);
    values.chunks(shape[1]).map(<[f64]>::to_vec).collect()
}

/// The reference's points as the lowest layers of columns, of which the rest is calm, dry and made up.
fn columns(inputs: &[Vec<f64>]) -> Classic {
    let count = inputs[0].len();
    let dimensions = vec![("column", count), ("layer", LAYERS), ("level", LAYERS + 1)];
    let mut file = Classic { dimensions, ..Classic::default() };
    let (pressure, surface_pressure) = (&inputs[4], &inputs[6]);
    // A layer ends where the next begins, its middle half-way in the logarithm of pressure.
    let level = |level: usize, column: usize| {
        let ratio = pressure[column] / surface_pressure[column];
        (0..2 * level).fold(surface_pressure[column], |pressure, _| pressure * ratio)
    };
    let above = |values: &[f64], change: &dyn Fn(usize, f64) -> f64| -> Vec<f64> {
        (0..LAYERS * count).map(|i| change(i / count, values[i % count])).collect()
    };
    for ((name, units), values) in INPUTS.iter().zip(inputs).take(6).filter(|((name, _), _)| *name != "p") {
        let values = above(values, &|layer, value| match *name {
            "t" => value - 0.2 * layer as f64,
            "qv" => value / (1.0 + layer as f64),
            _ => value,
        });
        file = file.with(name, &["layer", "column"], units, &values);
    }
    let middles: Vec<f64> = (0..LAYERS * count)
        .map(|i| (i / count, i % count))
        .map(|(layer, i)| if layer == 0 { pressure[i] } else { (level(layer, i) * level(layer + 1, i)).sqrt() })
        .collect();
    let levels: Vec<f64> = (0..(LAYERS + 1) * count).map(|i| level(i / count, i % count)).collect();
    file = file.with("p", &["layer", "column"], "Pa", &middles).with("p_int", &["level", "column"], "Pa", &levels);
    for ((name, units), values) in INPUTS.iter().zip(inputs).skip(6).filter(|((_, units), _)| !units.is_empty()) {
        file = file.with(name, COLUMN, units, values);
    }
    file
}

/// Every fifth of the reference's points; the boundary layer does not take those without any friction.
fn chosen(fields: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    fields.into_iter().map(|values| values.into_iter().step_by(5).collect()).collect()
}

const OPTIONS: [&str; 4] = ["--dt", "60", "--constants", "mpas"];

#[test]
fn the_surface_layer_is_the_references() {
    let Some(dir) = isobar_golden::find("pbl") else { return };
    let inputs = chosen(fields(&dir.join("sfc/in.npy")));
    let expected = chosen(fields(&dir.join("sfc/out_base_f64.npy")));
    let file = columns(&inputs);
    let case = Case::of("pbl", &file.bytes());
    case.solve(&[&OPTIONS[..], &["--surface", "revised-mm5"]].concat());
    for (name, unit, place, _) in RESULTS {
        for (i, (got, expected)) in output(&case, (name, unit)).iter().zip(&expected[place]).enumerate() {
            // Of fluxes between air and surface that are nearly as warm, the last digits of both temperatures are left.
            let least = if ["sensible_heat_flux", "richardson"].contains(&name) { 1.0 } else { 1e-9 };
            let error = (got - expected).abs() / expected.abs().max(least);
            assert!(error < 1e-11, "{name} {i}: {got:e} for {expected:e}");
        }
    }

    // The boundary layer is that of a file that has these fluxes and profiles.
    let results = [("tendency_u", "m s-2"), ("tendency_theta", "K s-1"), ("boundary_layer_height", "m")];
    let computed = results.map(|(name, unit)| output(&case, (name, unit)));
    let mut given = file.clone();
    let own = ["ust", "hfx", "qfx", "znt"];
    given.variables.retain(|variable| !own.contains(&variable.name));
    for (name, unit, _, reference) in RESULTS.into_iter().filter(|(.., reference)| !reference.is_empty()) {
        given = given.with(reference, COLUMN, unit, &output(&case, (name, unit)));
    }
    for (name, unit) in [("u10", "u_10m"), ("v10", "v_10m")] {
        given = given.with(name, COLUMN, "m s-1", &output(&case, (unit, "m s-1")));
    }
    let case = Case::of("pbl", &given.bytes());
    case.solve(&OPTIONS);
    for ((name, unit), computed) in results.into_iter().zip(computed) {
        assert_eq!(output(&case, (name, unit)), computed, "{name}");
    }
}

/// Without a step before, the layer is a steady one: another step from it changes nothing.
#[test]
fn without_a_step_before_the_layer_is_steady() {
    let Some(dir) = isobar_golden::find("pbl") else { return };
    let inputs = chosen(fields(&dir.join("sfc/in.npy")));
    let mut file = columns(&inputs);
    let before = ["ust", "ustm", "mol", "hfx", "qfx"];
    file.variables.retain(|variable| !before.contains(&variable.name));
    let steady = Case::of("pbl", &file.bytes());
    let options = [&OPTIONS[..], &["--surface", "revised-mm5"]].concat();
    steady.solve(&options);
    let friction = output(&steady, ("friction_velocity", "m s-1"));
    file.variables.retain(|variable| variable.name != "znt");
    for (name, unit, result) in [
        ("znt", "m", "roughness"),
        ("ust", "m s-1", "friction_velocity"),
        ("mol", "K", "temperature_scale"),
        ("hfx", "W m-2", "sensible_heat_flux"),
        ("qfx", "kg m-2 s-1", "moisture_flux"),
    ] {
        file = file.with(name, COLUMN, unit, &output(&steady, (result, unit)));
    }
    let again = Case::of("pbl", &file.bytes());
    again.solve(&options);
    for (i, (steady, again)) in friction.iter().zip(output(&again, ("friction_velocity", "m s-1"))).enumerate() {
        assert!((steady - again).abs() < 1e-6 * again, "{i}: {steady:e}, then {again:e}");
    }
}

/// A bad surface is left out, and the others are what they are alone, over many steps.
#[test]
fn bad_surfaces_are_left_out_and_the_rest_is_the_same() {
    let Some(dir) = isobar_golden::find("pbl") else { return };
    let file =
        columns(&chosen(fields(&dir.join("sfc/in.npy"))).iter().map(|field| field[..6].to_vec()).collect::<Vec<_>>());
    let options = [&OPTIONS[..], &["--surface", "revised-mm5", "--steps", "5", "--keep-going"]].concat();
    let whole = Case::of("pbl", &file.bytes());
    whole.solve(&options);
    let mut file = file;
    file.variable("tsk").values[2] = f64::NAN;
    let bad = Case::of("pbl", &file.bytes());
    let refused = bad.command(&options);
    let text = said(&refused);
    assert!(refused.status.code() != Some(0) && text.contains("tsk = NaN K at column 2"), "{text}");
    for (name, unit) in [("sensible_heat_flux", "W m-2"), ("boundary_layer_height", "m")] {
        let (whole, bad) = (output(&whole, (name, unit)), output(&bad, (name, unit)));
        assert!(bad[2].is_nan() && whole[2].is_finite());
        for column in (0..6).filter(|&column| column != 2) {
            assert_eq!(whole[column], bad[column], "{name} {column}");
        }
    }
}

/// Where a file has no length of the grid, the option gives it, and without either there are no gusts of the grid.
#[test]
fn the_option_gives_the_length_of_the_grid() {
    let Some(dir) = isobar_golden::find("pbl") else { return };
    let mut file = columns(&chosen(fields(&dir.join("sfc/in.npy"))));
    file.variables.retain(|variable| variable.name != "dx");
    let count = file.dimensions[0].1;
    let options = [&OPTIONS[..], &["--surface", "revised-mm5"]].concat();
    let wind = |file: &Classic, more: &[&str]| {
        let case = Case::of("pbl", &file.bytes());
        case.solve(&[&options[..], more].concat());
        output(&case, ("wind_speed", "m s-1"))
    };
    let given = wind(&file, &["--grid-distance", "30000"]);
    assert_eq!(given, wind(&file.clone().with("dx", COLUMN, "m", &vec![30_000.0; count]), &[]));
    assert_eq!(given, wind(&file.clone().with("dx", COLUMN, "m", &vec![30_000.0; count]), &["--grid-distance", "9"]));
    let without = wind(&file, &[]);
    assert!(given.iter().zip(&without).any(|(given, without)| given > without));
    assert_eq!(without, wind(&file.clone().with("dx", COLUMN, "m", &vec![1000.0; count]), &[]));
}

#[test]
fn what_is_missing_is_said() {
    let Some(dir) = isobar_golden::find("pbl") else { return };
    let file = columns(&chosen(fields(&dir.join("sfc/in.npy"))));
    for (missing, words) in
        [("tsk", "surface_temperature"), ("mavail", "moisture_availability (mavail) is missing, which land needs")]
    {
        let mut file = file.clone();
        file.variables.retain(|variable| variable.name != missing);
        let case = Case::of("pbl", &file.bytes());
        case.refused(&[&OPTIONS[..], &["--surface", "revised-mm5"]].concat(), &[words]);
    }
}
