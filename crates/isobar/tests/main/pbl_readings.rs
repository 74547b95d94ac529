//! What `isobar pbl` makes of what a file says of itself: signs of fluxes, axes of winds, grids, what contradicts what.

use isobar_io::netcdf::Dataset;

use crate::common::classic::{Case, Classic};
use crate::common::radiation_file::Numbers;
use crate::common::{isobar, printed, said};
use crate::model_files::{COLUMNS, LAYERS, by_coefficients, ground, hybrid, means};
use crate::pbl::wrf;
use crate::pbl_mesh_files::mpas;
use crate::pbl_model_files::World;

const PLANE: [&str; 3] = ["Time", "south_north", "west_east"];
const SHIN_HONG: [&str; 4] = ["--dt", "60", "--scheme", "shinhong"];

fn world() -> World {
    let levels = by_coefficients(&hybrid(LAYERS), &ground());
    World::new(levels.clone(), means(&levels))
}

/// Results, and what is derived.
fn run(file: &Classic, options: &[&str]) -> (Numbers, String) {
    let case = Case::of("pbl", &file.bytes());
    let output = case.command(options);
    assert!(output.status.success(), "{options:?}: {}", said(&output));
    let derived = Dataset::open(&case.out()).unwrap().attribute("derived").unwrap_or_default();
    (Numbers::open(&case.out()), derived)
}

/// What is said of a run that succeeds.
fn warned(file: &Classic, options: &[&str]) -> String {
    let output = Case::of("pbl", &file.bytes()).command(options);
    assert!(output.status.success(), "{options:?}: {}", said(&output));
    said(&output)
}

fn same(one: &Numbers, other: &Numbers) {
    for name in ["tendency_u", "tendency_theta", "tendency_vapour", "heat", "boundary_layer_height"] {
        assert_eq!(one.all(name), other.all(name), "{name}");
    }
}

/// A flux that is named by its caller counts downward where its own name or attributes say so.
#[test]
fn named_fluxes_keep_their_sign() {
    let world = world();
    let own = world.own();
    let (expected, _) = run(&own, &["--dt", "60"]);
    let down: Vec<f64> = world.heat.iter().map(|flux| -flux).collect();
    let called = |name: &'static str, attributes: &[&'static str]| {
        let mut file = own.clone();
        file.variables.retain(|one| one.name != "hfx");
        file.with(name, &["column"], "W m-2", &down).says(attributes)
    };
    let known = "sensible_heat_flux = -ishf: it counts downward, as its name is known for";
    let standard = "sensible_heat_flux = -flux: it counts downward, as its standard_name \
                    surface_downward_sensible_heat_flux says";
    let positive = "sensible_heat_flux = -flux: it counts downward, as its attribute positive says";
    for (name, attributes, words) in [
        ("ishf", &[][..], known),
        ("flux", &["standard_name=surface_downward_sensible_heat_flux"], standard),
        ("flux", &["positive=down"], positive),
    ] {
        let named = format!("sensible_heat_flux={name}");
        let (found, derived) = run(&called(name, attributes), &["--dt", "60", "--name", &named]);
        same(&found, &expected);
        assert!(derived.contains(words), "{derived}");
    }
    let (found, derived) = run(&called("hfx", &["positive=down"]), &["--dt", "60"]);
    same(&found, &expected);
    assert!(derived.contains("sensible_heat_flux = -hfx: it counts downward"), "{derived}");
    // Latent heat, by a name of upward ones.
    let mut latent = own.clone();
    let variable = latent.variable("qfx");
    (variable.name, variable.units) = ("mslhf", Some("W m-2"));
    variable.values.iter_mut().for_each(|flux| *flux *= -2.5e6);
    let (found, _) = run(&latent, &["--dt", "60"]);
    let (named, _) = run(&latent, &["--dt", "60", "--name", "latent_heat_flux=mslhf"]);
    same(&named, &found);
}

/// So do those that the step before left, of which a surface layer that is computed begins.
#[test]
fn fluxes_of_the_step_before_keep_their_sign() {
    let world = world();
    let column = &["column"];
    let own = world
        .own()
        .with("tsk", column, "K", &world.surface_temperature)
        .with("mavail", column, "1", &[0.3; COLUMNS])
        .with("ust", column, "m s-1", &[0.3; COLUMNS]);
    let options = ["--dt", "60", "--surface", "revised-mm5"];
    let results = ["wind_speed", "friction_velocity", "boundary_layer_height"];
    let (expected, _) = run(&own, &options);
    let mut down = own.clone();
    for (name, says) in [("hfx", &["positive=down"][..]), ("qfx", &["positive=down"])] {
        down.variable(name).values.iter_mut().for_each(|flux| *flux = -*flux);
        for text in says {
            down.variable(name).attributes.push(text.split_once('=').unwrap());
        }
    }
    let (found, derived) = run(&down, &options);
    results.iter().for_each(|name| assert_eq!(found.all(name), expected.all(name), "{name}"));
    for (ours, theirs) in [("sensible_heat_flux", "hfx"), ("moisture_flux", "qfx")] {
        let words = format!("{ours} = -{theirs}: it counts downward, as its attribute positive says");
        assert!(derived.contains(&words), "{derived}");
    }
    // By ECMWF's names, which count more than a standard name of upward fluxes.
    for (before, name, standard) in
        [("hfx", "ishf", "surface_upward_sensible_heat_flux"), ("qfx", "ie", "water_evapotranspiration_flux")]
    {
        let variable = down.variable(before);
        variable.name = name;
        variable.attributes = vec![("standard_name", standard)];
    }
    let (found, derived) = run(&down, &options);
    results.iter().for_each(|name| assert_eq!(found.all(name), expected.all(name), "{name}"));
    assert!(derived.contains("sensible_heat_flux = -ishf: it counts downward, as its name is known for"), "{derived}");
    down.variable("ishf").attributes.clear();
    let (found, _) = run(&down, &[&options[..], &["--name", "sensible_heat_flux=ishf"]].concat());
    results.iter().for_each(|name| assert_eq!(found.all(name), expected.all(name), "{name}"));
    // Against the sign the results are others.
    down.variable("ishf").name = "hfx";
    let (found, _) = run(&down, &options);
    assert_ne!(found.all("wind_speed"), expected.all("wind_speed"));
}

/// A number that stands for a missing flux, and is not said to, is no flux.
#[test]
fn fluxes_beyond_all_heat_are_refused() {
    let file = world().own();
    for (name, words) in [
        ("hfx", ["hfx = 1", " W m-2 at column 3", "[-1000000, 1000000]"]),
        ("qfx", ["qfx = 1", " kg m-2 s-1 at column 3", "[-1, 1]"]),
    ] {
        let mut file = file.clone();
        file.variable(name).values[3] = 1e20;
        Case::of("pbl", &file.bytes()).refused(&["--dt", "60"], &words);
    }
}

/// Towns of WRF's files are those of a plain file, and what of them is missing is named.
#[test]
fn towns_of_wrf_are_read() {
    let (file, plain) = wrf();
    let count = 6 * 6;
    let (mut town, mut plain_town) = (file.clone(), plain);
    let all = ["a_u", "a_v", "a_t", "a_q", "b_u", "b_v", "b_t", "b_q", "sfk", "vlk"];
    for (number, name) in all.into_iter().enumerate() {
        let (units, base) = match name {
            "b_u" | "b_v" => ("m s-2", 1e-4),
            "b_t" => ("K s-1", 1e-4),
            "b_q" => ("s-1", 1e-8),
            "sfk" | "vlk" => ("1", 0.9),
            _ => ("s-1", -1e-3),
        };
        let values: Vec<f64> = (0..count).map(|i| base * (1.0 - 0.01 * (i + number) as f64)).collect();
        town = town.with(name, &["Time", "bottom_top", "south_north", "west_east"], units, &values);
        plain_town = plain_town.with(name, &["layer", "column"], units, &values);
    }
    let options = ["--dt", "60", "--urban"];
    let (found, _) = run(&town, &options);
    let (expected, _) = run(&plain_town, &options);
    same(&found, &expected);
    assert_ne!(found.all("tendency_u"), run(&town, &options[..2]).0.all("tendency_u"));
    Case::of("pbl", &file.bytes()).refused(&options, &["urban_u_rate_per_s", "is missing; also accepted: a_u"]);
}

/// What is made of other variables takes neither a constant nor a name, and a name beside a constant counts for
/// nothing.
#[test]
fn names_and_constants_without_effect_are_said() {
    let (file, _) = wrf();
    let named = file.clone().with("MYT", &["Time", "bottom_top", "south_north", "west_east"], "K", &[280.0; 36]);
    let [_, mpas, _] = mpas();
    let own = world().own();
    let roughness = ["--value", "roughness=0.1", "--name", "roughness=hfx"];
    for (file, options, words) in [
        (&file, &["--value", "temperature=280"][..], "--value temperature=280 has no effect: temperature is (T + 300"),
        (&file, &["--value", "pressure=50000"], "--value pressure=50000 has no effect: pressure is P + PB"),
        (&named, &["--name", "temperature=MYT"], "--name temperature=MYT has no effect: temperature is (T + 300 K)"),
        (&mpas, &["--value", "temperature=280"], "--value temperature=280 has no effect: temperature is theta exner"),
        (&own, &roughness, "--name roughness=hfx has no effect: roughness is given as a constant, which wins"),
    ] {
        let says = warned(file, &[&["--dt", "60"][..], options].concat());
        assert!(says.contains(words), "{options:?}: {says}");
    }
    for options in [&roughness[..2], &["--name", "roughness=znt"], &["--value", "temperature=280"]] {
        let says = warned(&own, &[&["--dt", "60"][..], options].concat());
        assert!(!says.contains("no effect"), "{options:?}: {says}");
    }
}

/// Results of winds along a grid are not called eastward and northward.
#[test]
fn winds_along_a_grid_stay_along_it() {
    let mut file = world().own();
    file.variable("u").attributes.push(("standard_name", "x_wind"));
    file.variable("v").attributes.push(("standard_name", "y_wind"));
    let (found, derived) = run(&file, &["--dt", "60", "--steps", "1"]);
    assert!(derived.contains("u, v: along the axes of the grid"), "{derived}");
    assert_eq!(found.attribute("u", "standard_name").as_deref(), Some("x_wind"));
    assert_eq!(found.attribute("v_10m", "standard_name").as_deref(), Some("y_wind"));
    assert_eq!(found.attribute("tendency_u", "standard_name"), None);
}

/// WRF's turbulent energy is that of all interfaces, of which the scheme has those below its layers.
#[test]
fn energy_of_all_interfaces_is_that_below_layers() {
    let (file, plain) = wrf();
    let energy: Vec<f64> = (0..7 * 6).map(|i| 0.1 + 0.013 * f64::from(i)).collect();
    let levels = ["Time", "bottom_top_stag", "south_north", "west_east"];
    let file = file.with("TKE_PBL", &levels, "m2 s-2", &energy);
    let options = [&SHIN_HONG[..], &["--grid-distance", "3000"]].concat();
    let (found, derived) = run(&file, &options);
    assert!(!derived.contains("turbulent_energy"), "{derived}");
    for (dimension, values) in [("layer", &energy[..6 * 6]), ("level", &energy)] {
        let plain = plain.clone().with("tke", &[dimension, "column"], "m2 s-2", values);
        let (expected, _) = run(&plain, &options);
        for name in ["turbulent_energy", "tendency_theta", "diffusivity_heat"] {
            assert_eq!(found.all(name), expected.all(name), "{name}");
        }
    }
}

/// The grid has one distance, for the scheme and the surface layer: WRF's attribute, a name, or a number.
#[test]
fn the_grid_has_one_distance() {
    let (file, _) = wrf();
    let of_surface = |file: Classic| {
        let file = file.with("TSK", &PLANE, "K", &[292.0, 296.0, 288.0, 291.0, 294.0, 285.0]);
        file.with("MAVAIL", &PLANE, "1", &[0.3; 6])
    };
    let file = of_surface(file);
    let both = [&SHIN_HONG[..], &["--surface", "revised-mm5"]].concat();
    let (expected, _) = run(&file, &[&both[..], &["--grid-distance", "20000"]].concat());
    let gusts = |out: &Numbers| out.all("wind_speed");
    let mut of_wrf = file.clone();
    of_wrf.numbers = vec![("DX", 20_000.0)];
    let cell = file.clone().with("cell", &PLANE, "m", &[20_000.0; 6]);
    let given = "grid_distance = 20000, as asked for";
    for (file, more, says) in [
        (&of_wrf, &[][..], "grid_distance = 20000 m, the file's attribute DX"),
        (&cell, &["--name", "grid_distance=cell"], ""),
        (&cell, &["--name", "grid_length=cell"], ""),
        (&file, &["--value", "grid_distance=20000"], given),
        (&file, &["--value", "grid_distance=20000", "--value", "grid_length=20000"], given),
        (&of_wrf, &["--value", "grid_distance=20000"], given),
    ] {
        let (found, derived) = run(file, &[&both[..], more].concat());
        same(&found, &expected);
        assert_eq!(gusts(&found), gusts(&expected), "{more:?}");
        assert!(derived.contains(says) && !derived.contains("5000 m"), "{more:?}: {derived}");
    }
    // Gusts of 0.32 (dx / 5000 - 1)^0.33 m/s beside those of thermals (Mahrt and Sun 1995).
    let options = ["--dt", "60", "--surface", "revised-mm5"];
    let [(coarse, _), (fine, _)] = [&of_wrf, &file].map(|file| run(file, &options));
    let gust = 0.32 * isobar_core::Real::powf(20_000.0_f64 / 5000.0 - 1.0, 0.33);
    // Over land the wind of thermals is that of the step before, the same in both.
    for (coarse, fine) in gusts(&coarse).into_iter().zip(gusts(&fine)).take(3) {
        assert!(coarse > fine && coarse * coarse < fine * fine + 1.01 * gust * gust, "{coarse} {fine} {gust}");
    }
    // Shin-Hong has it without a surface layer, too.
    let (found, _) = run(&of_wrf, &SHIN_HONG);
    let (expected, _) = run(&file, &[&SHIN_HONG[..], &["--grid-distance", "20000"]].concat());
    same(&found, &expected);
    let two = ["--value", "grid_distance=20000", "--value", "grid_length=3000"];
    let words = ["grid_distance = 20000 m, but grid_length = 3000 m: the grid has one distance"];
    Case::of("pbl", &file.bytes()).refused(&[&both[..], &two].concat(), &words);
    of_wrf.numbers = vec![("DX", -1.0)];
    Case::of("pbl", &of_wrf.bytes()).refused(&SHIN_HONG, &["attribute DX = -1 m lies outside [1, 10000000]"]);
    let says = warned(&cell, &[&SHIN_HONG[..], &["--name", "grid_distance=cell", "--grid-distance", "500"]].concat());
    assert!(says.contains("--grid-distance 500 has no effect: grid_distance is read, cell"), "{says}");
}

/// Each of several files says what it has: nothing of the first one's stands for the others.
#[test]
fn files_that_contradict_each_other_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let refused = |files: [&Classic; 2], options: &[&str]| {
        let paths = ["one.nc", "two.nc"].map(|name| folder.path().join(name));
        paths.iter().zip(files).for_each(|(path, file)| std::fs::write(path, file.bytes()).unwrap());
        let out = folder.path().join("out.nc");
        let [one, two, out] = [&paths[0], &paths[1], &out].map(|path| path.to_str().unwrap());
        let output = isobar(&[&["pbl", one, two, "-o", out, "--device", "cpu", "--dt", "60"], options].concat());
        assert!(!output.status.success(), "{}", said(&output));
        said(&output)
    };
    // Winds in a file of their own, upside down.
    let is_wind = |name: &str| ["u", "v"].contains(&name);
    let (mut air, mut winds) = (world().own(), world().own());
    air.variables.retain(|variable| !is_wind(variable.name));
    winds.variables.retain(|variable| is_wind(variable.name));
    winds.attributes = vec![("orientation", "top_first")];
    let says = refused([&air, &winds], &[]);
    assert!(
        says.contains("attribute orientation = \"bottom_first\" of ") && says.contains("two.nc says that"),
        "{says}"
    );
    let [mut one, mut two] = [wrf().0, wrf().0];
    one.variables.retain(|variable| variable.name != "U");
    two.variables.retain(|variable| variable.name == "U");
    (one.numbers, two.numbers) = (vec![("DX", 3000.0)], vec![("DX", 500.0)]);
    let says = refused([&one, &two], &["--scheme", "shinhong"]);
    assert!(says.contains("attribute DX is 3000 in ") && says.contains("one.nc and 500 in "), "{says}");
}

/// Without shear relative to the water there is none above it: Shin-Hong's and YSU's winds at 10 m are the water's.
#[test]
fn winds_at_10_m_follow_the_current() {
    let mut file = world().own();
    for (name, value) in [("u", 2.0), ("v", -1.0)] {
        file.variable(name).values.fill(value);
    }
    let file =
        file.with("uoce", &["column"], "m s-1", &[2.0; COLUMNS]).with("voce", &["column"], "m s-1", &[-1.0; COLUMNS]);
    let (found, derived) = run(&file, &["--dt", "60"]);
    assert!(derived.contains("u_10m, v_10m"), "{derived}");
    assert_eq!((found.all("u_10m"), found.all("v_10m")), (vec![2.0; COLUMNS], vec![-1.0; COLUMNS]));
}

/// What no result follows from is not read: neither used nor in the way.
#[test]
fn what_nothing_follows_from_is_not_in_the_way() {
    let file = world().own();
    let (expected, _) = run(&file, &["--dt", "60"]);
    let with = |values: &[f64]| file.clone().with("latitude", &["column"], "", values);
    same(&run(&with(&[f64::NAN; COLUMNS]), &["--dt", "60"]).0, &expected);
    Case::of("pbl", &with(&[f64::NAN; COLUMNS]).bytes()).refused(&SHIN_HONG, &["latitude"]);
    let says = warned(&file, &["--dt", "60", "--value", "latitude=45"]);
    assert!(says.contains("--value latitude=45 has no effect: nothing is read as latitude"), "{says}");
    // The height of the boundary layer counts where the wind speed is missing.
    let mut windy = file.clone().with("wspd", &["column"], "m s-1", &[5.0; COLUMNS]);
    let (expected, _) = run(&windy, &["--dt", "60"]);
    windy.variable("hpbl").values.fill(f64::NAN);
    same(&run(&windy, &["--dt", "60"]).0, &expected);
}

/// One of two values would count, and nobody could say which.
#[test]
fn what_is_given_twice_is_refused() {
    let file = world().own();
    let twice = ["--dt", "60", "--value", "roughness=0.1", "--value", "roughness=0.5"];
    Case::of("pbl", &file.bytes()).refused(&twice, &["roughness is given twice, as 0.1 and as 0.5"]);
    let output = Case::of("pbl", &file.bytes()).command(&["--dt", "60", "--constants", "g=9.8,g=1.0"]);
    assert!(output.status.code() == Some(2) && said(&output).contains("g is given twice"), "{}", said(&output));
}

/// Half a cell of land is neither; what is given is named by what it is.
#[test]
fn a_surface_is_land_or_water() {
    let world = world();
    let column = &["column"];
    let file =
        world.own().with("tsk", column, "K", &world.surface_temperature).with("mavail", column, "1", &[0.4; COLUMNS]);
    for surface in ["given", "revised-mm5"] {
        let options = ["--dt", "60", "--surface", surface, "--value", "land_or_water=1.5"];
        Case::of("pbl", &file.bytes()).refused(&options, &["land_or_water = 1.5 at column 0 is not 1 or 2"]);
    }
    let (_, derived) = run(&file, &["--dt", "60", "--surface", "revised-mm5"]);
    assert!(derived.contains("lake = 0: all water is salty"), "{derived}");
    let lakes = file.with("lakemask", column, "1", &[1.0; COLUMNS]);
    let (_, derived) = run(&lakes, &["--dt", "60", "--surface", "revised-mm5"]);
    assert!(!derived.contains("salty"), "{derived}");
}

/// What a file says twice and otherwise is said, with the place of the largest difference.
#[test]
fn contradictions_are_said() {
    let world = world();
    let (layer, column) = (&["layer", "column"], &["column"]);
    let file = world.own();
    let loud = |file: &Classic| {
        let case = Case::of("pbl", &file.bytes());
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_isobar"))
            .args(["pbl", "in.nc", "-o", "out.nc", "--device", "cpu", "--dt", "60"])
            .current_dir(case.folder.path())
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", said(&output));
        said(&output)
    };
    assert!(!loud(&file).contains("contradict"), "{}", loud(&file));
    let mut pressure = world.level_pressure[..COLUMNS].to_vec();
    pressure[5] *= 0.9;
    let says = loud(&file.clone().with("psfc", column, "Pa", &pressure));
    assert!(says.contains("surface_pressure = ") && says.contains("at column 5, but the interface_pressure"), "{says}");
    assert!(says.contains(&format!("in 1 of {COLUMNS} columns")), "{says}");
    let case = Case::of("pbl", &file.clone().with("psfc", column, "Pa", &pressure).bytes());
    let path = case.folder.path().join("in.nc");
    let checked = printed(&isobar(&["check", path.to_str().unwrap(), "--for", "pbl"]));
    assert!(checked.contains("surface_pressure = ") && checked.contains("contradict each other in 1 of"), "{checked}");
    let exner: Vec<f64> = world.pressure.iter().map(|p| 0.9 * isobar_core::Real::powf(p / 1e5, 2.0 / 7.0)).collect();
    let says = loud(&file.clone().with("exner", layer, "1", &exner));
    assert!(says.contains("exner = ") && says.contains(&format!("in {COLUMNS} of {COLUMNS} columns")), "{says}");
    let says = loud(&file.with("dz", layer, "m", &[3000.0; LAYERS * COLUMNS]));
    assert!(says.contains("thickness = 3000 at layer "), "{says}");
}

/// Vapour of moist air beside clouds that do not say what they are of.
#[test]
fn clouds_without_a_standard_name_are_said() {
    let world = world();
    let mut file = world.own();
    let vapour = file.variable("qv");
    vapour.values.clone_from(&world.humidity);
    vapour.attributes.push(("standard_name", "specific_humidity"));
    let (found, derived) = run(&file, &["--dt", "60"]);
    same(&found, &run(&world.own(), &["--dt", "60"]).0);
    for name in ["cloud_water = qc", "cloud_ice = qi"] {
        let says = format!("{name}, a mass in a mass of dry air, as no standard_name says otherwise");
        assert!(derived.contains(&says), "{derived}");
    }
}

/// WRF's `dtsfc` is the integral of the tendency of potential temperature, and its name says so.
#[test]
fn heat_is_that_of_potential_enthalpy() {
    let world = world();
    let (found, _) = run(&world.own(), &["--dt", "60"]);
    let (theta, heat) = (found.all("tendency_theta"), found.all("heat"));
    for column in 0..COLUMNS {
        let of = |layer: usize| {
            theta[layer * COLUMNS + column]
                * (world.level_pressure[layer * COLUMNS + column]
                    - world.level_pressure[(layer + 1) * COLUMNS + column])
        };
        let sum: f64 = (0..LAYERS).map(of).sum();
        let expected = 7.0 * 287.0 / 2.0 / 9.81 * sum;
        assert!((heat[column] / expected - 1.0).abs() < 1e-9, "{column}: {} {expected}", heat[column]);
    }
    let says = found.attribute("heat", "long_name").unwrap();
    assert!(says.contains("potential temperature"), "{says}");
}
