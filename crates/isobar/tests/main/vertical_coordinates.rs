//! What the coordinate of a file's layers is: a pressure, or a number of which pressures follow by coefficients.

use crate::common::classic::{Case, Classic};
use crate::common::radiation_file::Numbers;
use crate::common::said;
use crate::model_files::{COLUMNS, LAYERS, OPTIONS, TOP_FIRST, cam, fluxes, ground};
use crate::pbl_model_files;

const HYBRID: &str = "standard_name=atmosphere_hybrid_sigma_pressure_coordinate";
const FIELD: [&str; 4] = ["time", "lev", "lat", "lon"];
const COLUMN: [&str; 3] = ["time", "lat", "lon"];
const NAMES: [&str; 4] =
    ["longwave_upward_flux", "shortwave_downward_flux", "longwave_heating_rate", "shortwave_heating_rate"];

fn are_the_same(found: &Numbers, expected: &Numbers) {
    NAMES.iter().for_each(|name| assert_eq!(found.all(name), expected.all(name), "{name}"));
}

/// With reference pressures as coordinates, of layers and of levels, as CAM has them; without coefficients of levels.
fn without_interfaces(mut file: Classic) -> Classic {
    let middles: Vec<f64> = {
        let mut of = |name: &str| file.variable(name).values.clone();
        of("hyam").iter().zip(of("hybm")).map(|(a, b)| 1000.0 * (a + b)).collect()
    };
    let levels: Vec<f64> = (0..=LAYERS).map(|level| 1000.0 * level as f64 / LAYERS as f64).collect();
    file.variables.retain(|one| !["hyai", "hybi"].contains(&one.name));
    let terms = "formula_terms=a: hyam b: hybm p0: P0 ps: PS";
    file.with("lev", &["lev"], "hPa", &middles)
        .says(&["positive=down", HYBRID, terms])
        .with("ilev", &["ilev"], "hPa", &levels)
        .says(&["positive=down", HYBRID])
}

/// The same with the pressures of layers as a variable.
fn with_pressures(file: &Classic) -> Classic {
    let mut file = file.clone();
    let surface = file.variable("PS").values.clone();
    let [a, b] = ["hyam", "hybm"].map(|name| file.variable(name).values.clone());
    let one = |(a, b): (&f64, &f64)| surface.iter().map(|ps| 1e5 * a + b * ps).collect::<Vec<_>>();
    let rows: Vec<f64> = a.iter().zip(&b).rev().flat_map(one).collect();
    file.variables.retain(|one| !["lev", "ilev", "hyam", "hybm"].contains(&one.name));
    file.with("pressure", &FIELD, "Pa", &TOP_FIRST.of(&rows)).says(&["positive=down"])
}

/// Layers have their own coefficients' pressures, levels the means that those of a variable have.
#[test]
fn coefficients_of_layers_are_enough() {
    let file = without_interfaces(cam().0);
    let case = Case::of("radiation", &file.bytes());
    let found = fluxes(&case, &[]);
    let expected = fluxes(&Case::of("radiation", &with_pressures(&file).bytes()), &[]);
    are_the_same(&found, &expected);
    let derived = isobar_io::netcdf::Dataset::open(&case.out()).unwrap().attribute("derived").unwrap();
    assert!(derived.contains("pressure = hyam + hybm * surface pressure; level_pressure: means of"), "{derived}");
    // By other names the coordinate says which they are.
    let mut named = file.clone();
    (named.variable("hyam").name, named.variable("hybm").name) = ("one", "other");
    named.variable("lev").attributes.pop();
    named.variable("lev").attributes.push(("formula_terms", "a: one b: other p0: P0 ps: PS"));
    are_the_same(&fluxes(&Case::of("radiation", &named.bytes()), &[]), &expected);
    // Beside them a coordinate that does not say that it is none of pressure has reference pressures.
    let mut plain = file.clone();
    for name in ["lev", "ilev"] {
        plain.variable(name).attributes = vec![("long_name", "level"), ("positive", "down")];
    }
    are_the_same(&fluxes(&Case::of("radiation", &plain.bytes()), &[]), &expected);
    // A boundary layer, too.
    let run = |file: Classic| {
        let case = Case::of("pbl", &file.bytes());
        let output = case.command(&["--dt", "60", "--value", "roughness=0.25"]);
        assert!(output.status.success(), "{}", said(&output));
        Numbers::open(&case.out())
    };
    let file = without_interfaces(pbl_model_files::cam().0);
    let (found, expected) = (run(file.clone()), run(with_pressures(&file)));
    for name in ["tendency_theta", "tendency_u"] {
        assert_eq!(found.all(name), expected.all(name), "{name}");
    }
}

#[test]
fn without_coefficients_a_hybrid_coordinate_is_refused() {
    let refused = |change: &dyn Fn(&mut Classic), said: &str| {
        let mut file = without_interfaces(cam().0);
        file.variables.retain(|one| !["hyam", "hybm"].contains(&one.name));
        change(&mut file);
        let parts = [said, "need hybrid coefficients", "hyam and hybm"];
        Case::of("radiation", &file.bytes()).refused(&OPTIONS, &parts);
    };
    let coordinate = "lev is no pressure, as its standard_name \"atmosphere_hybrid_sigma_pressure_coordinate\" says";
    refused(&|_| {}, coordinate);
    refused(&|file| file.variables.retain(|one| one.name != "PS"), coordinate);
    refused(&|file| file.variable("lev").attributes.retain(|(name, _)| *name != "standard_name"), "its formula_terms");
    let sigma = |file: &mut Classic| {
        let lev = file.variable("lev");
        lev.attributes = vec![("standard_name", "atmosphere_sigma_coordinate"), ("positive", "down")];
        (lev.units, lev.values) = (Some("1"), lev.values.iter().map(|hpa| hpa / 1000.0).collect());
    };
    refused(&sigma, "its standard_name \"atmosphere_sigma_coordinate\" says");
}

/// Columns on isobars, with the levels between them where these would be without them, or not.
fn on_isobars(surface: &[f64], with_levels: bool) -> Classic {
    let isobars: Vec<f64> = (1..=LAYERS).map(|k| 80.0 * k as f64).collect();
    let mut levels: Vec<f64> = isobars.windows(2).map(|pair| 0.5 * (pair[0] + pair[1])).collect();
    levels.insert(0, (1.5 * isobars[0] - 0.5 * isobars[1]).max(0.0));
    levels.push(1000.0);
    let (mut file, _) = cam();
    file.variables.retain(|one| !["hyai", "hybi", "hyam", "hybm", "PS", "P0"].contains(&one.name));
    file.dimensions.retain(|(name, _)| *name != "ilev");
    file = file.with("lev", &["lev"], "hPa", &isobars).with("PS", &COLUMN, "Pa", surface);
    if with_levels {
        file.dimensions.push(("lev_bounds", LAYERS + 1));
        file = file.with("lev_bounds", &["lev_bounds"], "hPa", &levels);
    }
    file
}

/// Isobars end at the ground, whether the file has the levels between them or not.
#[test]
fn isobars_with_levels_end_at_the_ground() {
    let mut surface = ground();
    (surface[2], surface[7]) = (87_000.0, 62_000.0);
    assert_eq!(surface.len(), COLUMNS);
    let run = |with_levels| {
        let case = Case::of("radiation", &on_isobars(&surface, with_levels).bytes());
        let found = fluxes(&case, &[]);
        (found, isobar_io::netcdf::Dataset::open(&case.out()).unwrap().attribute("derived").unwrap())
    };
    let ((found, derived), (expected, _)) = (run(true), run(false));
    are_the_same(&found, &expected);
    // Missing below the ground.
    assert!(found.all("longwave_upward_flux").iter().any(|value| *value > 9e36));
    assert!(derived.contains("is the coordinate of the levels, the lowest that of the surface"), "{derived}");
    assert!(derived.contains("11 layers of 6 columns lie below the ground"), "{derived}");
}

/// A surface pressure in another unit than it says is an error that names it.
#[test]
fn the_unit_of_the_surface_pressure_is_checked() {
    let hectopascals = |mut file: Classic| {
        file.variable("PS").values.iter_mut().for_each(|pressure| *pressure /= 100.0);
        file
    };
    let parts = ["PS = 1010 at time 0, lat 0, lon 0 looks like hPa, units says Pa"];
    Case::of("radiation", &hectopascals(cam().0).bytes()).refused(&OPTIONS, &parts);
    Case::of("radiation", &hectopascals(without_interfaces(cam().0)).bytes()).refused(&OPTIONS, &parts);
    Case::of("radiation", &hectopascals(on_isobars(&ground(), true)).bytes()).refused(&OPTIONS, &parts);
    let boundary_layer = hectopascals(pbl_model_files::cam().0);
    let options = ["--dt", "60", "--value", "roughness=0.25"];
    Case::of("pbl", &boundary_layer.bytes()).refused(&options, &parts);
    let mut other = cam().0;
    other.variable("PS").units = Some("hPa");
    let parts = ["PS = 101000 at time 0, lat 0, lon 0 looks like Pa, units says hPa"];
    Case::of("radiation", &other.bytes()).refused(&OPTIONS, &parts);
}

/// Coefficients without a unit are parts of the reference pressure.
#[test]
fn pressures_without_a_unit_are_no_parts() {
    let of = |units: Option<&'static str>| {
        let mut file = cam().0;
        for name in ["hyai", "hyam"] {
            let one = file.variables.iter_mut().find(|one| one.name == name);
            let Some(one) = one else { continue };
            one.values.iter_mut().for_each(|value| *value *= 1e5);
            one.units = units;
        }
        Case::of("radiation", &file.bytes())
    };
    are_the_same(&fluxes(&of(Some("Pa")), &[]), &fluxes(&Case::of("radiation", &cam().0.bytes()), &[]));
    for units in [None, Some("1")] {
        let parts = ["hyai = ", "lies outside [0, 1]: without a unit of pressure it is a part of P0", "\"Pa\""];
        of(units).refused(&OPTIONS, &parts);
    }
}
