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
    ("varf", "m"),
    ("dx", "m"),
    ("lakemask", "1"),
    ("water_depth", "m"),
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

/// The results are the reference's.
fn agrees(case: &Case, expected: &[Vec<f64>], which: &str) {
    for (name, unit, place, _) in RESULTS {
        for (i, (got, expected)) in output(case, (name, unit)).iter().zip(&expected[place]).enumerate() {
            // Of fluxes between air and surface that are nearly as warm, the last digits of both temperatures are left.
            let least = if ["sensible_heat_flux", "richardson"].contains(&name) { 1.0 } else { 1e-9 };
            let error = (got - expected).abs() / expected.abs().max(least);
            assert!(error < 1e-11, "{which}: {name} {i}: {got:e} for {expected:e}");
        }
    }
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
    agrees(&case, &expected, "base");

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

/// Each option by its key, in a file that has what it needs; the depth of water is missing over land.
#[test]
fn every_option_is_the_references() {
    let Some(dir) = isobar_golden::find("pbl") else { return };
    let inputs = chosen(fields(&dir.join("sfc/in.npy")));
    let mut file = columns(&inputs);
    let land: Vec<bool> = inputs[9].iter().map(|&kind| kind == 1.0).collect();
    let depth = &mut file.variable("water_depth").values;
    depth.iter_mut().zip(&land).filter(|(_, land)| **land).for_each(|(depth, _)| *depth = f64::NAN);
    let case = Case::of("pbl", &file.bytes());
    let base = chosen(fields(&dir.join("sfc/out_base_f64.npy")));
    for (which, option, constants) in [
        ("ftc1", "water_roughness=constant", "mpas"),
        ("ftc2", "water_roughness=garratt", "mpas"),
        ("iz01", "land_roughness=chen-zhang", "mpas"),
        ("iz02", "land_roughness=zilitinkevich", "mpas"),
        ("noflx", "fluxes=zero", "mpas"),
        ("scm", "fluxes=given", "mpas"),
        ("shal", "shallow_water=true", "mpas"),
        ("tofd", "form_drag=true,form_drag_factor=2", "mpas"),
        ("base_wrfconst", "root=secants", "wrf"),
        ("base_ufsconst", "root=secants", "ufs"),
    ] {
        let surface = format!("revised-mm5,{option}");
        // In a second no air leaves its range, whatever the drag of hills is.
        case.solve(&["--dt", "1", "--constants", constants, "--surface", &surface]);
        let expected = chosen(fields(&dir.join(format!("sfc/out_{which}_f64.npy"))));
        agrees(&case, &expected, which);
        // It is another one than that without the option.
        let differs =
            |place: usize| base[place].iter().zip(&expected[place]).any(|(a, b)| (a - b).abs() > 1e-7 * a.abs());
        assert!(RESULTS.iter().any(|(_, _, place, _)| differs(*place)), "{which}");
    }
}

/// What the reference does not have is what the crate computes, which its own tests hold to equations.
#[test]
fn the_root_and_the_constants_of_saturation_are_those_of_the_option() {
    let Some(dir) = isobar_golden::find("pbl") else { return };
    let case = Case::of("pbl", &columns(&chosen(fields(&dir.join("sfc/in.npy")))).bytes());
    let results = |option: &str| {
        case.solve(&["--dt", "60", "--surface", &format!("revised-mm5{option}")]);
        let read = |name: &'static str, unit: &'static str| output(&case, (name, unit));
        [read("stability", "1"), read("moisture_flux", "kg m-2 s-1"), read("theta_2m", "K")]
    };
    let [usual, fluxes, theta] = results("");
    let [converged, ..] = results(",root=converged");
    let differ = |a: &[f64], b: &[f64], least: f64| a.iter().zip(b).filter(|(a, b)| (*a - *b).abs() > least).count();
    // Secants end where their points are 0.01 apart.
    assert!(differ(&usual, &converged, 1e-6) > 100, "{}", differ(&usual, &converged, 1e-6));
    for option in ["svp1=0.6", "svp2=17.5", "svp3=30", "svpt0=273.16", "p1000mb=101325"] {
        let [_, other_fluxes, other_theta] = results(&format!(",{option}"));
        let of_theta = option.starts_with('p');
        assert_eq!(differ(&theta, &other_theta, 0.5) > 400, of_theta, "{option}");
        assert!(of_theta || differ(&fluxes, &other_fluxes, 1e-9) > 100, "{option}");
    }
}

#[test]
fn what_options_need_and_what_they_exclude_is_said() {
    let Some(dir) = isobar_golden::find("pbl") else { return };
    let file = columns(&chosen(fields(&dir.join("sfc/in.npy"))));
    for (option, missing, words) in [
        ("shallow_water=true", "water_depth", "water_depth"),
        ("form_drag=true", "varf", "orography_deviation"),
        ("fluxes=given", "hfx", "sensible_heat_flux"),
        ("fluxes=given", "qfx", "moisture_flux"),
    ] {
        let mut file = file.clone();
        file.variables.retain(|variable| variable.name != missing);
        let case = Case::of("pbl", &file.bytes());
        case.refused(&[&OPTIONS[..], &["--surface", &format!("revised-mm5,{option}")]].concat(), &[words, "missing"]);
    }
    // The depth of water counts where there is water, and has no other sign.
    let mut deep = file.clone();
    let water = deep.variable("xland").values.iter().position(|&kind| kind == 2.0).unwrap();
    deep.variable("water_depth").values[water] = -40.0;
    let words = format!("water_depth = -40 m at column {water}");
    let shallow = [&OPTIONS[..], &["--surface", "revised-mm5,shallow_water=true"]].concat();
    Case::of("pbl", &deep.bytes()).refused(&shallow, &[&words]);
    let mut given = file.clone();
    given.variables.retain(|variable| variable.name != "water_depth");
    let roughness = |file: &Classic, more: &[&str]| {
        let case = Case::of("pbl", &file.bytes());
        case.solve(&[&shallow[..], more].concat());
        output(&case, ("roughness", "m"))
    };
    let count = file.dimensions[0].1;
    let of_file = roughness(&given.clone().with("water_depth", COLUMN, "m", &vec![20.0; count]), &[]);
    assert_eq!(roughness(&given, &["--value", "water_depth=20"]), of_file);
    let both = "revised-mm5,shallow_water=true,water_roughness=garratt";
    let output = Case::of("pbl", &file.bytes()).command(&[&OPTIONS[..], &["--surface", both]].concat());
    let text = said(&output);
    assert!(!output.status.success() && text.contains("water_roughness has to be coare with shallow_water"), "{text}");
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

/// Air that becomes as warm as boiling water has no surface layer: its column is left out, and the others go on.
#[test]
fn air_that_becomes_too_warm_is_left_out() {
    let Some(dir) = isobar_golden::find("pbl") else { return };
    let few = chosen(fields(&dir.join("sfc/in.npy"))).iter().map(|field| field[..6].to_vec()).collect::<Vec<_>>();
    let mut file = columns(&few);
    file.variables.retain(|variable| !["hfx", "ust", "tsk"].contains(&variable.name));
    let mut flux = vec![0.0; 6];
    flux[3] = 1e5;
    let file = file
        .with("tsk", COLUMN, "K", &few[10])
        .with("hfx", COLUMN, "W m-2", &flux)
        .with("ust", COLUMN, "m s-1", &[0.3; 6]);
    let case = Case::of("pbl", &file.bytes());
    let given = "revised-mm5,fluxes=given";
    let options = [&OPTIONS[..], &["--surface", given, "--steps", "8"]].concat();
    let refused = said(&case.command(&options));
    assert!(refused.contains(" s: temperature_k at column 3 is ") && refused.contains("water boils"), "{refused}");
    let kept = case.command(&[&options[..], &["--keep-going"]].concat());
    assert_eq!(kept.status.code(), Some(3), "{}", said(&kept));
    let friction = output(&case, ("friction_velocity", "m s-1"));
    assert!(friction.iter().enumerate().all(|(column, value)| value.is_nan() == (column == 3)), "{friction:?}");
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
    // What the file has wins, which is said.
    let case = Case::of("pbl", &file.clone().with("dx", COLUMN, "m", &vec![30_000.0; count]).bytes());
    let output_of_both = case.command(&[&options[..], &["--grid-distance", "9"]].concat());
    let says = "--grid-distance 9 has no effect: grid_length is read, dx";
    assert!(output_of_both.status.success() && said(&output_of_both).contains(says), "{}", said(&output_of_both));
    assert_eq!(given, output(&case, ("wind_speed", "m s-1")));
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
