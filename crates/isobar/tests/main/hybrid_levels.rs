//! Hybrid coefficients beside layers: which belongs to which, however each lies, and whatever the coordinate says.

use std::fs;

use isobar_core::Real;

use crate::common::classic::{Case, Classic};
use crate::common::{printed, said};
use crate::model_files::{BOTTOM_FIRST, LAYERS, OPTIONS, TOP_FIRST, World, cam, fluxes, is_read};

/// With coefficients on dimensions of their own, as CDO has them.
fn apart() -> (Classic, World) {
    let (mut file, world) = cam();
    file.dimensions.retain(|(name, _)| *name != "ilev");
    file.dimensions.extend([("nhyi", LAYERS + 1), ("nhym", LAYERS)]);
    for (names, dimension) in [(["hyai", "hybi"], "nhyi"), (["hyam", "hybm"], "nhym")] {
        names.into_iter().for_each(|name| file.variable(name).dimensions = vec![dimension]);
    }
    (file, world)
}

/// With its layers upside down.
fn turned(mut file: Classic) -> Classic {
    for variable in &mut file.variables {
        if variable.dimensions.contains(&"lev") && variable.dimensions.len() > 1 {
            let layers = |block: &[f64]| block.chunks(6).rev().flatten().copied().collect::<Vec<f64>>();
            variable.values = variable.values.chunks(6 * LAYERS).flat_map(layers).collect();
        }
    }
    file
}

fn numbered(file: Classic, falls: bool) -> Classic {
    let mut numbers: Vec<f64> = (1..=LAYERS).map(|number| number as f64).collect();
    if falls {
        numbers.reverse();
    }
    file.with("lev", &["lev"], "1", &numbers)
}

fn turn_coefficients(mut file: Classic) -> Classic {
    ["hyai", "hybi", "hyam", "hybm"].into_iter().for_each(|name| file.variable(name).values.reverse());
    file
}

/// The layer of number n has the coefficients of number n: tools turn layers with their numbers, not coefficients.
#[test]
fn numbers_of_layers_say_which_coefficients_they_have() {
    let (file, world) = apart();
    is_read(&numbered(file.clone(), false), TOP_FIRST, &world, true);
    let upside_down = numbered(turned(file.clone()), true);
    is_read(&upside_down, BOTTOM_FIRST, &world, true);
    is_read(&upside_down.clone().says(&["positive=down"]), BOTTOM_FIRST, &world, true);
    // Coefficients alone upside down, and all together.
    is_read(&numbered(turn_coefficients(turned(file.clone())), false), BOTTOM_FIRST, &world, true);
    let both = turn_coefficients(upside_down);
    is_read(&both.clone().says(&["positive=down"]), BOTTOM_FIRST, &world, true);
    let parts = ["lev counts down and hyam begins at the surface", "its attribute positive does"];
    Case::of("radiation", &both.bytes()).refused(&OPTIONS, &parts);
    // Numbers that count upwards are not those of coefficients that begin at the top.
    let up = numbered(file, false).says(&["positive=up"]);
    Case::of("radiation", &up.bytes())
        .refused(&OPTIONS, &["positive = \"up\"", "pressures are those of the other order"]);
}

/// Without numbers a coordinate says it otherwise, or nothing does, and this is said.
#[test]
fn without_numbers_layers_lie_as_their_coefficients() {
    let (file, world) = apart();
    is_read(&file, TOP_FIRST, &world, true);
    let output = Case::of("radiation", &file.bytes()).command(&[&OPTIONS[..], &["--json"]].concat());
    let json: serde_json::Value = serde_json::from_str(&printed(&output)).unwrap();
    let expected = "nothing says in which order lev runs: as hyam does, from the top";
    assert!(json["notes"].to_string().contains(expected), "{}", json["notes"]);
    let hectopascals: Vec<f64> = (1..=LAYERS).rev().map(|k| 80.0 * k as f64).collect();
    let file = turned(file).with("lev", &["lev"], "level", &hectopascals).says(&["positive=down"]);
    is_read(&file, BOTTOM_FIRST, &world, true);
}

/// Coefficients of layers upside down beside those of their levels are no order.
#[test]
fn layers_and_levels_have_one_order() {
    let mut file = turned(cam().0);
    ["hyam", "hybm"].into_iter().for_each(|name| file.variable(name).values.reverse());
    Case::of("radiation", &file.bytes()).refused(&OPTIONS, &["hyam and hyai run in opposite directions"]);
}

/// Bounds that were rounded each on its own way are those of neighbours.
#[test]
fn bounds_that_differ_by_rounding_are_one() {
    let (mut file, world) = cam();
    file.dimensions.push(("bnds", 2));
    let [a, b] = ["hyai", "hybi"].map(|name| file.variable(name).values.clone());
    let bounds = |levels: &[f64], part: f64| -> Vec<f64> {
        levels.windows(2).flat_map(|pair| [pair[0], pair[1] * (1.0 + part)]).collect()
    };
    file.variables.retain(|one| !["hyai", "hybi"].contains(&one.name));
    file.variable("hyam").name = "a";
    file.variable("hybm").name = "b";
    let with = |part: f64| {
        file.clone().with("a_bnds", &["lev", "bnds"], "1", &bounds(&a, part)).with(
            "b_bnds",
            &["lev", "bnds"],
            "1",
            &bounds(&b, part),
        )
    };
    is_read(&with(0.0), TOP_FIRST, &world, true);
    // Samples of clouds follow the last bits of pressure.
    let clear = |part: f64| fluxes(&Case::of("radiation", &with(part).bytes()), &["--no-clouds"]);
    let exact = clear(0.0);
    for part in [1e-13, 6e-8] {
        let found = clear(part);
        for name in ["longwave_upward_flux", "shortwave_downward_flux"] {
            let pairs = found.all(name).into_iter().zip(exact.all(name));
            pairs.for_each(|(found, exact)| assert!((found - exact).abs() < 1e-3, "{name}: {found} {exact}"));
        }
    }
    Case::of("radiation", &with(1e-4).bytes()).refused(&OPTIONS, &["a_bnds: layers do not begin where"]);
}

/// GFDL's `pk` and `bk` win over the reference pressures that its coordinates have.
#[test]
fn coefficients_of_gfdl_are_read() {
    let (mut file, _) = cam();
    file.variables.retain(|one| !["hyam", "hybm"].contains(&one.name));
    let expected = fluxes(&Case::of("radiation", &file.bytes()), &[]);
    for variable in &mut file.variables {
        for dimension in &mut variable.dimensions {
            *dimension = match *dimension {
                "lev" => "pfull",
                "ilev" => "phalf",
                other => other,
            };
        }
    }
    file.dimensions.retain(|(name, _)| !["lev", "ilev"].contains(name));
    file.dimensions.extend([("pfull", LAYERS), ("phalf", LAYERS + 1)]);
    let a = file.variable("hyai");
    (a.name, a.units) = ("pk", Some("pascal"));
    a.values.iter_mut().for_each(|value| *value *= 1e5);
    let a = a.values.clone();
    let b = file.variable("hybi");
    (b.name, b.units) = ("bk", Some("none"));
    let levels: Vec<f64> = a.iter().zip(&b.values).map(|(a, b)| a / 100.0 + 1000.0 * b).collect();
    let middles: Vec<f64> = levels.windows(2).map(|pair| 0.5 * (pair[0] + pair[1])).collect();
    let surface = file.variable("PS");
    (surface.name, surface.units) = ("ps", Some("pascals"));
    file.variables.retain(|one| one.name != "P0");
    let file = file
        .with("pfull", &["pfull"], "hPa", &middles)
        .says(&["axis=Z", "positive=down", "edges=phalf"])
        .with("phalf", &["phalf"], "hPa", &levels)
        .says(&["axis=Z", "positive=down"]);
    let found = fluxes(&Case::of("radiation", &file.bytes()), &[]);
    for name in ["longwave_upward_flux", "shortwave_downward_flux", "longwave_heating_rate"] {
        assert_eq!(found.all(name), expected.all(name), "{name}");
    }
    let names: Vec<String> = found.shape("longwave_upward_flux").into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["time", "phalf", "lat", "lon"]);
}

/// ECMWF's logarithm of the ground's pressure stands on the only level of a file of its own.
#[test]
fn one_level_of_another_file_is_the_ground() {
    let (mut file, _) = apart();
    let surface = file.variable("PS").values.clone();
    let logarithm: Vec<f64> = surface.iter().map(|&pressure| Real::ln(pressure)).collect();
    file.variables.retain(|one| one.name != "PS");
    let levels = numbered(file, false).says(&["positive=down"]);
    let whole = levels.clone().with("lnsp", &["time", "lat", "lon"], "~", &logarithm);
    let whole = fluxes(&Case::of("radiation", &whole.bytes()), &[]);
    let mut ground = levels.clone();
    ground.variables.retain(|one| ["time", "lat", "lon"].contains(&one.name));
    ground.dimensions.retain(|(name, _)| ["time", "lat", "lon"].contains(name));
    ground.dimensions.push(("lev", 1));
    let ground =
        ground.with("lev", &["lev"], "1", &[1.0]).with("lnsp", &["time", "lev", "lat", "lon"], "~", &logarithm);
    for (first, second) in [(&levels, &ground), (&ground, &levels)] {
        let case = Case::of("radiation", &first.bytes());
        fs::write(case.folder.path().join("more.nc"), second.bytes()).unwrap();
        for more in [&["more.nc"][..], &["more.nc", "--at-once", "6"], &["more.nc", "--at-once", "1"]] {
            let found = fluxes(&case, more);
            for name in ["longwave_upward_flux", "shortwave_downward_flux"] {
                assert_eq!(
                    (found.shape(name), found.all(name)),
                    (whole.shape(name), whole.all(name)),
                    "{name} {more:?}"
                );
            }
        }
    }
    // What else stands there may be of a layer.
    let other = ground.with("OTHER", &["time", "lev", "lat", "lon"], "K", &[250.0; 12]);
    let case = Case::of("radiation", &levels.bytes());
    fs::write(case.folder.path().join("more.nc"), other.bytes()).unwrap();
    let text = said(&case.command(&[&OPTIONS[..], &["more.nc"]].concat()));
    assert!(text.contains("dimension lev = 1, but 12 in in.nc") && text.contains("ncwa -a lev"), "{text}");
}
