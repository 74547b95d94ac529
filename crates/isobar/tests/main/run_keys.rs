//! Keys of a case that have no effect: errors where a mistake is likely, one line otherwise.

use std::process::Command;

use netcdf_reader::NcFile;

use crate::common::run_case::{CASE, Case};
use crate::common::said;

/// What a run says that is not told to be quiet.
fn told(text: &str) -> String {
    let case = Case::new(text);
    let mut command = Command::new(env!("CARGO_BIN_EXE_isobar"));
    command.args(["run", "case.toml", "-o", "out.nc", "--device", "cpu"]).current_dir(case.path(""));
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", said(&output));
    said(&output)
}

#[test]
fn likely_mistakes_are_errors_with_their_line() {
    let bad = |from: &str, to: &str, expected: &str| {
        let said = Case::changed(from, to).fails(&[]);
        assert!(said.contains(expected), "{to}: {said}");
    };
    let slab =
        "case.toml:23: this is of a slab of ground, and its temperature is given: `kind = \"slab\"` makes it one";
    for key in
        ["heat_capacity_j_per_m2_k = 2e4", "conductance_w_per_m2_k = 6.0", "transmittance = 5.0", "albedo = -3.0"]
    {
        bad("amplitude_k = 8.0", key, slab);
    }
    // Two sections have `layers`.
    let above = "[above]\nlayers = 12\n[grid]\nlayers = 3";
    bad("[grid]\nlayers = 10", above, "case.toml:14: 3 layers are not in [4, 1000] (`layers = 3`)");
}

#[test]
fn stages_are_there_once_and_not_left_out() {
    let all = ["sun", "ground", "diagnose", "longwave", "shortwave", "surface_flux", "ysu", "advance", "chemistry"];
    let said = |stages: &[&str]| Case::changed("columns = 3", &format!("stages = {stages:?}\ncolumns = 3")).fails(&[]);
    let twice = said(&[&all[..], &["advance"]].concat());
    assert!(twice.contains("case.toml:2: the stage `advance` is there twice"), "{twice}");
    let without: Vec<&str> = all.into_iter().filter(|stage| *stage != "ground").collect();
    let without = said(&without);
    let expected = "case.toml:2: the ground's temperature is to change, and there is no stage `ground`";
    assert!(without.contains(expected), "{without}");
    Case::changed("columns = 3", &format!("stages = {all:?}\ncolumns = 3")).done("out.nc", &[]);
    // A slab would be a step behind what is told of it.
    let last: Vec<&str> = all.into_iter().filter(|stage| *stage != "ground").chain(["ground"]).collect();
    let text = CASE.replacen("mean_k = 291.0\namplitude_k = 8.0", "kind = \"slab\"\nmean_k = 291.0", 1);
    let said = Case::new(&text.replacen("columns = 3", &format!("stages = {last:?}\ncolumns = 3"), 1)).fails(&[]);
    assert!(said.contains("case.toml:2: the stage `ground` comes before `advance`"), "{said}");
}

/// Radiation that is called once is for the sun in the middle of the run, however long it would hold: 18 steps.
#[test]
fn radiation_holds_no_longer_than_the_run() {
    let fluxes = |every: &str| {
        let case = Case::changed("every = 3", &format!("every = {every}"));
        case.done("out.nc", &[]);
        let file = NcFile::open(case.path("out.nc")).unwrap();
        let name = "downwelling_shortwave_flux_in_air";
        file.read_variable_as_f64(name).unwrap().iter().copied().collect::<Vec<f64>>()
    };
    let of_run = fluxes("18");
    assert!(of_run.iter().any(|&flux| flux > 100.0), "{of_run:?}");
    for every in ["36", "1000000000000000000"] {
        assert_eq!(fluxes(every), of_run, "{every}");
    }
    assert_ne!(fluxes("17"), of_run);
}

/// Without `advance` what is computed does not reach the state; a stage has a section where it needs one.
#[test]
fn stages_that_change_nothing_are_refused() {
    let said = |stages: &[&str], from: &str, to: &str| {
        let text = CASE.replacen("columns = 3", &format!("stages = {stages:?}\ncolumns = 3"), 1).replacen(from, to, 1);
        assert!(text.contains(to), "{from}");
        Case::new(&text).fails(&[])
    };
    let all = ["sun", "ground", "diagnose", "longwave", "shortwave", "surface_flux", "ysu", "chemistry"];
    let said_of = said(&all, "", "");
    assert!(said_of.contains("case.toml:2: the stage `surface_flux` has no effect without `advance`"), "{said_of}");
    let few = said(&["sun", "ground", "diagnose", "longwave", "shortwave", "chemistry"], "", "");
    assert!(few.contains("case.toml:2: emissions have no effect without the stage `advance`"), "{few}");
    let without =
        "[chemistry]\nmechanism = \"ozone_nox.kpp\"\nevery = 2\n\n[chemistry.emission_per_cm2_s]\nNO = 5e10\n";
    let none = said(&all, without, "");
    assert!(none.contains("case.toml:2: there is a stage `chemistry` and no [chemistry]"), "{none}");
    let none = said(&["sun", "ground", "diagnose", "longwave", "shortwave"], without, "");
    assert!(none.contains("case.toml:2: nothing changes without the stage `advance`"), "{none}");
    let soil = [&all[..], &["advance", "soil", "soil_step"]].concat();
    let soil = said(&soil, "", "");
    assert!(soil.contains("case.toml:2: there is a stage `soil` and no [ground.soil]"), "{soil}");
}

#[test]
fn what_else_has_no_effect_is_said_in_one_line() {
    let said = told(CASE);
    assert!(!said.contains("without effect"), "{said}");
    let late = told(&CASE.replacen("restart_hours = 0.5", "restart_hours = 1.5", 1));
    assert!(late.contains("case.toml: without effect: [output] restart_hours (the run is over by then)\n"), "{late}");
    let line = "[ground] amplitude_k and warmest_hour (a slab has the range of its balance)\n";
    for range in ["amplitude_k = 8.0", "warmest_hour = 3.0"] {
        let slab = told(&CASE.replacen("amplitude_k = 8.0", &format!("kind = \"slab\"\n{range}"), 1));
        assert!(slab.contains(&format!("case.toml: without effect: {line}")), "{slab}");
    }
    let more =
        told(&format!("{CASE}[above]\nlayers = 0\ntemperature = \"constant\"\n[clouds]\noverlap = \"random\"\n"));
    let line = "[above] temperature (there are no layers above the top), [clouds] (there are no clouds)\n";
    assert!(more.contains(&format!("case.toml: without effect: {line}")), "{more}");
    let scatters = told(&CASE.replacen("every = 4", "every = 4\nscattering = \"two_stream\"", 1));
    let line = "case.toml: without effect: [longwave] scattering (there are no clouds)\n";
    assert!(scatters.contains(line), "{scatters}");
    let dark = told(
        "columns = 1\nhours = 0.1\nstep_s = 60.0\n[output]\nminutes = 6\n[grid]\nlayers = 6\ntop_m = 3000.0\n\
         [initial]\nkind = \"us76\"\nleast_ozone = 1e-7\n[site]\nlongitude_deg = 20.0\n\
         [above]\ntemperature = \"constant\"\n\
         [ground]\nwarmest_hour = 3.0\n"
            .replacen("columns = 1", "columns = 1\nsolar_time = \"apparent\"\nday_of_year = 80.0", 1)
            .as_str(),
    );
    let line = "[above] temperature (there is no radiation), solar_time (nothing sees the Sun), day_of_year (nothing \
                sees the Sun), [site] longitude_deg (nothing sees the Sun), [initial] least_ozone (there is neither \
                radiation nor chemistry), [ground] warmest_hour (there is no amplitude_k)\n";
    assert!(dark.contains(&format!("case.toml: without effect: {line}")), "{dark}");
    let sunny = told(&CASE.replacen("start_hour", "day_of_year = 80.0\nstart_hour", 1).replacen(
        "[site]",
        "[site]\nlongitude_deg = 20.0",
        1,
    ));
    assert!(!sunny.contains("without effect"), "{sunny}");
}

/// Nothing evaporates without fluxes.
#[test]
fn moisture_of_ground_without_fluxes_is_said() {
    let dry = CASE.replacen("[site]", "[site]\nmoisture_availability = 0.1", 1);
    let zero = told(&format!("{dry}[surface_layer]\nkind = \"revised_mm5\"\nfluxes = \"zero\"\n"));
    let line = "case.toml: without effect: [site] moisture_availability (the surface layer has no fluxes)\n";
    assert!(zero.contains(line), "{zero}");
    let computed = told(&format!("{dry}[surface_layer]\nkind = \"revised_mm5\"\n"));
    assert!(!computed.contains("without effect"), "{computed}");
}

/// Sizes of particles that no cloud has.
#[test]
fn sizes_without_effect_are_said() {
    let cloud = "[[clouds.layers]]\nbase_m = 1000.0\ntop_m = 2000.0\nliquid_path_g_per_m2 = 9.0";
    let sizes = "[clouds]\nliquid_radius_um = 5.0\nice_size_um = 30.0";
    for (section, own, line) in [
        ("", "", None),
        ("[clouds]\nliquid_radius_um = 5.0", "", None),
        (sizes, "", Some("[clouds] ice_size_um (there is no ice)\n")),
        (
            sizes,
            "liquid_radius_um = 10.0",
            Some("[clouds] liquid_radius_um (every cloud has its own), [clouds] ice_size_um (there is no ice)\n"),
        ),
        ("", "ice_size_um = 30.0", Some("[[clouds.layers]] ice_size_um (its cloud has no ice)\n")),
        (sizes, "ice_path_g_per_m2 = 1.0", None),
    ] {
        let said = told(&format!("{CASE}{section}\n{cloud}\n{own}\n"));
        match line {
            Some(line) => assert!(said.contains(&format!("case.toml: without effect: {line}")), "{line}: {said}"),
            None => assert!(!said.contains("without effect"), "{said}"),
        }
    }
}

#[test]
fn keys_with_another_meaning_than_they_seem_to_have_are_told() {
    let cloud = "[[clouds.layers]]\nbase_m = 1000.0\ntop_m = 2000.0\nliquid_path_g_per_m2 = 9.0\nfraction = [0.2, 0.8]";
    let one = format!("{}{cloud}\n", CASE.replacen("columns = 3", "columns = 1", 1));
    let line = "without effect: the second value of latitude_deg, albedo, fraction (there is one column)\n";
    let said = told(&one);
    assert!(said.contains(line), "{said}");
    let same = one.replacen("[20.0, 50.0]", "[20.0, 20.0]", 1).replacen("[0.1, 0.3]", "0.1", 1);
    let said = told(&same.replacen("[0.2, 0.8]", "[0.2, 0.2]", 1));
    assert!(!said.contains("without effect"), "{said}");
    for day in ["172.5", "0.0", "367.0"] {
        let refused = Case::changed("start_hour", &format!("day_of_year = {day}\nstart_hour")).fails(&[]);
        let day = day.trim_end_matches(".0");
        let line = format!("{day} is no whole day of [1, 366]: `start_hour` says when on it");
        assert!(refused.contains(&line), "{refused}");
    }
    let least = CASE.replacen("kind = \"us76\"", "kind = \"us76\"\nleast_ozone = 1e-7", 1);
    assert!(!told(&least).contains("without effect"));
    let given = told(&least.replacen("[shortwave]", "[chemistry.initial]\nO3 = 4e-8\n[shortwave]", 1));
    let line = "without effect: [initial] least_ozone ([chemistry.initial] gives the tracer O3)\n";
    assert!(given.contains(line), "{given}");
}

/// Profiles of the start that end below the top: the middles of six layers of 500 m lie between 250 and 2750 m.
#[test]
fn profiles_of_the_start_are_constant_beyond_their_heights_which_is_said() {
    let said = told(
        "columns = 1\nhours = 0.1\nstep_s = 60.0\n[output]\nminutes = 6\n\
         [grid]\nlayers = 6\ntop_m = 3000.0\nstretch = 1.0\n[initial]\nkind = \"profile\"\n\
         surface_pressure_pa = 1e5\npotential_temperature_k = { height_m = [0, 500], value = [290, 295] }\n\
         vapour_kg_per_kg = 0.001\nwind_east_m_per_s = { height_m = [0, 3000], value = [1, 5] }\n\
         wind_north_m_per_s = { height_m = [300, 3000], value = [1, 5] }\n",
    );
    let beyond = "and constant beyond: layers have their middles from 250.0 to 2750.0 m";
    for key in ["potential_temperature_k is given from 0 to 500 m", "wind_north_m_per_s is given from 300 to 3000 m"] {
        assert!(said.contains(&format!("case.toml: {key}, {beyond}")), "{key}: {said}");
    }
    assert!(!said.contains("vapour_kg_per_kg is") && !said.contains("wind_east_m_per_s is"), "{said}");
}
