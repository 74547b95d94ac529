//! What the chemistry of `isobar run` has of the column's air: vapour, molecules of air under all of their names,
//! starts in molecules; and what it says of the rest.

use std::fs;

use isobar_core::Real;
use isobar_core::constants::BOLTZMANN_J_PER_K;
use netcdf_reader::NcFile;

use crate::common::run_case::Case;

/// Air that stays as it is, but for its chemistry: a quarter of an hour.
const CASE: &str = r#"
columns = 2
hours = 0.25
step_s = 60.0
stages = ["sun", "diagnose", "chemistry"]
[output]
minutes = 15
[grid]
layers = 6
top_m = 9000.0
[initial]
kind = "rcemip"
[site]
latitude_deg = [10.0, 20.0]
[chemistry]
mechanism = "m.kpp"
every = 5
relative_tolerance = 1e-8
absolute_tolerance = 1e-3
"#;
const LAYERS: usize = 6;
const COLUMNS: usize = 2;

fn case(mechanism: &str, more: &str) -> Case {
    let case = Case::new(&format!("{CASE}{more}"));
    fs::write(case.path("m.kpp"), mechanism).unwrap();
    case
}

fn values(case: &Case, name: &str) -> Vec<f64> {
    let file = NcFile::open(case.path("out.nc")).unwrap();
    file.read_variable_as_f64(name).unwrap().iter().copied().collect()
}

/// A variable at the start and at the end, by layer and column.
fn ends(case: &Case, name: &str) -> [Vec<f64>; 2] {
    let (all, size) = (values(case, name), LAYERS * COLUMNS);
    assert_eq!(all.len(), 2 * size, "{name}");
    [all[..size].to_vec(), all[size..].to_vec()]
}

fn close(got: &[f64], expected: impl Iterator<Item = f64>, error: f64) {
    for (number, (got, expected)) in got.iter().zip(expected).enumerate() {
        assert!((got / expected - 1.0).abs() < error, "{number}: {got:e} instead of {expected:e}");
    }
}

/// Molecules of air in a cm3 of each layer, by the gas law.
fn density(case: &Case) -> Vec<f64> {
    // Pressure is the coordinate, and has no times.
    let [temperature, pressure] = ["air_temperature", "air_pressure"].map(|name| values(case, name));
    pressure.iter().zip(&temperature).map(|(p, t)| 1e-6 * p / (BOLTZMANN_J_PER_K * t)).collect()
}

/// Mole fraction of vapour of all molecules, by the mixing ratio.
fn vapour(case: &Case) -> Vec<f64> {
    let of_dry = |ratio: &f64| ratio * 28.966 / 18.016;
    ends(case, "humidity_mixing_ratio")[0].iter().map(of_dry).map(|water| water / (1.0 + water)).collect()
}

/// Q is made of water at 1e-6 a second.
fn source(kinds: [&str; 2]) -> String {
    let [variable, fixed] = kinds;
    format!(
        "#DEFVAR Q; {variable} #DEFFIX N2; {fixed} #EQUATIONS H2O = H2O + Q : 1.0E-6; N2 = N2 + Q : 0.0;
         #INITVALUES CFACTOR = 2.4E19; H2O = 0.01; N2 = 0.78; Q = 0.0;"
    )
}

#[test]
fn fixed_water_is_the_columns_vapour() {
    let fixed = case(&source(["", "H2O;"]), "");
    let line = "H2O of the mechanism, which is fixed, is the column's water vapour\n";
    assert!(fixed.told().contains(line), "{}", fixed.told());
    let vapour = vapour(&fixed);
    assert!(vapour[0] > 0.02 && vapour[0] > 5.0 * vapour[vapour.len() - 1], "{vapour:?}");
    close(&ends(&fixed, "Q")[1], vapour.iter().map(|water| 900.0 * 1e-6 * water), 1e-7);
    // The case's own number, and water that reacts.
    let own = case(&source(["", "H2O;"]), "initial = { h2o = 0.003 }\n");
    assert!(own.told().contains("H2O of the mechanism is 0.003, not the column's water vapour\n"));
    close(&ends(&own, "Q")[1], std::iter::repeat_n(900.0 * 1e-6 * 0.003, LAYERS * COLUMNS), 1e-7);
    let reacts = case(&source(["H2O;", ""]), "");
    assert!(reacts.told().contains("H2O reacts: a tracer that starts as the column's water vapour, and goes its own"));
    close(&ends(&reacts, "H2O")[0], vapour.iter().copied(), 1e-12);
    let given = case(&source(["H2O;", ""]), "initial = { H2O = 0.003 }\n");
    assert!(given.told().contains("H2O reacts: a tracer that starts with 0.003, not the column's water vapour\n"));
}

/// Three names of the molecules of air in one mechanism, one of them a billionth of it.
#[test]
fn the_molecules_of_air_have_several_names() {
    let mechanism =
        "#DEFVAR A; B; C; D; #EQUATIONS A = D : 1.0E-23*NUMDEN; B = D : 1.0E-23*C_M; C = D : 1.0E-14*CFACTOR;
        #INITVALUES CFACTOR = 2.4E10; A = 1.0; B = 1.0; C = 1.0; D = 0.0;";
    let case = case(mechanism, "");
    case.done("out.nc", &[]);
    let left: Vec<f64> = density(&case).iter().map(|n| 1e-9 * Real::exp(-900.0 * 1e-23 * n)).collect();
    assert!(left[0] < 0.9e-9, "{left:?}");
    for name in ["A", "B", "C"] {
        close(&ends(&case, name)[0], std::iter::repeat_n(1e-9, LAYERS * COLUMNS), 1e-12);
        close(&ends(&case, name)[1], left.iter().copied(), 1e-6);
    }
}

#[test]
fn starts_in_molecules_are_a_part_of_each_layers_air() {
    let mechanism = |a: &str| {
        format!(
            "#DEFVAR A; B; #EQUATIONS A = B : 0.0*H2OVAP*M; #INITVALUES CFACTOR = 1.0; A = {a}; B = 0.0;
                 #INLINE F90_INIT\n H2OVAP = 2.0\n M = 1.0\n TEMP = 270.0\n#ENDINLINE\n"
        )
    };
    let fits = case(&mechanism("2.5E10"), "");
    let told = fits.told();
    let line = "the mechanism's molecules in a cm3, over the air of each layer, are the start of A\n";
    assert!(told.contains(line), "{told}");
    // What the mechanism has of its inputs, which a column does not have, is said.
    assert!(told.contains("inputs of rates as the mechanism has them: H2OVAP = 2, M = 1\n"), "{told}");
    close(&ends(&fits, "A")[0], density(&fits).into_iter().map(|n| 2.5e10 / n), 1e-12);
    let said = case(&mechanism("2.5E20"), "").fails(&[]);
    let why = "the mechanism has 2.5e20 molecules of A in a cm3, but there are ";
    assert!(said.contains("case.toml:16: ") && said.contains(why) && said.contains("in layer 0 of column 0"), "{said}");
    // What is fixed has one mole fraction for all layers, which the case has to give.
    let fixed = "#DEFVAR A; #DEFFIX X; #EQUATIONS X = X + A : 0.0; #INITVALUES CFACTOR = 1.0; X = 1.0E10; A = 0.0;";
    let said = case(fixed, "").fails(&[]);
    assert!(said.contains("CFACTOR is no part of the air: give the mole fraction of X in initial"), "{said}");
}

#[test]
fn names_of_species_count_once_and_what_is_fixed_is_not_emitted() {
    let said = case(&source(["", "H2O;"]), "initial = { Q = 1e-10, q = 5e-10 }\n").fails(&[]);
    assert!(said.contains("case.toml:20: `Q` stands here twice: the case of letters does not count"), "{said}");
    let said = case(&source(["", "H2O;"]), "emission_per_cm2_s = { Q = 1e10, q = 1e9 }\n").fails(&[]);
    assert!(said.contains("case.toml:20: `Q` stands here twice"), "{said}");
    let said = case(&source(["", "H2O;"]), "emission_per_cm2_s = { n2 = 1e10 }\n").fails(&[]);
    assert!(said.contains("case.toml:20: `N2` is fixed in the mechanism: emissions would not change it"), "{said}");
    let said = case(&source(["", "H2O;"]), "emission_per_cm2_s = { Q = 1e10 }\n").fails(&[]);
    assert!(said.contains("case.toml:5: emissions have no effect without the stage `advance`"), "{said}");
}

/// A species that no reaction has is no tracer, and that is said.
#[test]
fn species_without_reactions_are_left_out_aloud() {
    let mechanism = source(["H2O;", ""]).replace("#DEFVAR Q;", "#DEFVAR Q; Tr;");
    let said = case(&mechanism, "").told();
    assert!(said.contains("no reaction has Tr: left out, no tracers"), "{said}");
    let said = case(&mechanism, "[chemistry.initial]\nTR = 1e-9\n").fails(&[]);
    assert!(said.contains("no reaction of the mechanism has `Tr`: it is left out"), "{said}");
}
