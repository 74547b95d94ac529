//! What cells of `isobar chem` have of the air and of the file's times: densities, initial values that follow them,
//! what is fixed, and values for all cells (`--set`).

use std::fs;

use isobar_core::Real;

use crate::chem::{CELL, Case, DENSITY, cells, close};
use crate::common::classic::Classic;
use crate::common::said;

const BOLTZMANN: f64 = 1.380_649e-23;
const AT_TIMES: &[&str] = &["time", "cell"];
/// B is made of A, which is held.
const SOURCE: &str = "#DEFVAR B = IGNORE; #DEFFIX A = IGNORE; #EQUATIONS <R1> A = B + A : 1.0E-4;";

/// Air of 300 K and 50,000 Pa.
fn air() -> Classic {
    cells(1).with("air_temperature", CELL, "K", &[300.0]).with("air_pressure", CELL, "Pa", &[5e4])
}

fn density_of_air() -> f64 {
    1e-6 * 5e4 / (BOLTZMANN * 300.0)
}

/// A file with values at the start and at half an hour.
fn at_times() -> Classic {
    Classic { dimensions: vec![("cell", 1), ("time", 2)], ..Classic::default() }.with(
        "time",
        &["time"],
        "s",
        &[0.0, 1800.0],
    )
}

/// KPP's examples have initial values in parts of the air, in ppm or ppb: CFACTOR says which. EP3 is that of KPP, in
/// which 1e6 CFACTOR are the molecules of air, as they are where CFACTOR is for ppm.
#[test]
fn initial_values_follow_the_air_in_their_own_unit() {
    for (cfactor, part) in [("2.447E19", 1.0), ("2.447E13", 1e-6), ("2.55E10", 1e-9), ("2.5E7", 1e-12)] {
        let rate = 1e-4 / (1e6 * part * density_of_air());
        let mechanism = format!(
            "#DEFVAR A = IGNORE; #EQUATIONS <R1> A = PROD : EP3(0.0, 0.0, {rate:e}, 0.0);
             #INITVALUES CFACTOR = {cfactor}; A = 0.04;"
        );
        let case = Case::new(&mechanism, &air());
        case.solve(&[]);
        let got = case.read("A", DENSITY);
        close(got[0], 0.04 * part * density_of_air(), 1e-12);
        close(got[6], got[0] * Real::exp(-0.36_f64), 1e-6);
    }
    // No part of the air: the values stay what they are. Molecules in a cubic millimetre or a litre are no ppt or ppb,
    // and mol in a cubic metre no mol/mol.
    for (text, cfactor) in
        [("3.0", 3.0), ("1.0E+06", 1e6), ("1.0E+09", 1e9), ("1.0E+12", 1e12), ("1.0E8", 1e8), ("6.022E17", 6.022e17)]
    {
        let mechanism = format!(
            "#DEFVAR A = IGNORE; #EQUATIONS <R1> A = PROD : 0.0*CFACTOR; #INITVALUES CFACTOR = {text}; A = 5.0;"
        );
        let case = Case::new(&mechanism, &air());
        case.solve(&[]);
        close(case.read("A", DENSITY)[0], 5.0 * cfactor, 1e-15);
    }
    // Which part it is stands in a line.
    for (values, told) in [
        (
            "CFACTOR = 2.5E10; A = 0.04;",
            "from the mechanism's initial values, in ppb of the cell's air (CFACTOR 2.5e10)",
        ),
        (
            "CFACTOR = 2.5E19; A = 4E-8;",
            "from the mechanism's initial values, in mol/mol of the cell's air (CFACTOR 2.5e19)",
        ),
        ("CFACTOR = 6.02E17; A = 4E-8;", "from the mechanism's initial values"),
        ("CFACTOR = 2.5E19;", "at 0: nothing has another value of them"),
    ] {
        let mechanism = format!("#DEFVAR A = IGNORE; #EQUATIONS <R1> A = PROD : 0.0; #INITVALUES {values}");
        let text = crate::common::printed(&Case::new(&mechanism, &air()).command(&["--json"]));
        let json: serde_json::Value = serde_json::from_str(&text).unwrap();
        let told = format!("1 of 1 species start {told}");
        assert!(json["derived"].as_array().unwrap().iter().any(|what| *what == told), "{text}");
    }
}

/// The air's density is known: that fixed air is none of it where nothing has a value of it is said.
#[test]
fn fixed_air_that_nothing_has_is_said() {
    let mechanism = "#DEFVAR A = IGNORE; N2 = IGNORE; #DEFFIX M = IGNORE; O2 = IGNORE;
        #EQUATIONS <R1> A + M = N2 + M : 0.0; <R2> A + O2 = O2 : 0.0;";
    for values in ["", "#INITVALUES CFACTOR = 2.4E19; A = 1.0E-9;"] {
        let text = said(&Case::new(&format!("{mechanism} {values}"), &air()).command(&[]));
        for (name, part) in [("M", 1.0), ("O2", 0.2095)] {
            let density = part * density_of_air();
            let told = format!(
                "in.nc: {name} is 0 in all cells, for neither their file nor the mechanism has it, and not the \
                 {density:.3e} of their air"
            );
            assert!(text.contains(&told), "{told:?} is not in {text}");
        }
        assert!(!text.contains("N2 is 0"), "{text}");
    }
    // A file may have none of it.
    let file = air().with("M", CELL, DENSITY, &[0.0]).with("O2", CELL, DENSITY, &[0.0]);
    Case::new(mechanism, &file).solve(&[]);
}

/// The number density that a file or the command line gives, under whichever name, is that of everything.
#[test]
fn a_density_that_is_given_is_that_of_all() {
    let mechanism = "#DEFVAR A = IGNORE; B = IGNORE; #EQUATIONS <R1> A = B : 1.0E-23*C_M; <R2> B = PROD : 0.0;
        #INITVALUES CFACTOR = 2.4E19; A = 1.0E-9;";
    let with = |file: Classic| file.with("B", CELL, "mol mol-1", &[0.0]);
    for (file, set) in [
        (with(air()).with("C_M", CELL, DENSITY, &[1e19]), None),
        (with(air()).with("number_density", CELL, DENSITY, &[1e19]), None),
        (with(air()), Some("C_M=1e19")),
    ] {
        let case = Case::new(mechanism, &file);
        let output = case.command(&set.map_or(vec![], |set| vec!["--set", set]));
        // Who says it on the command line means it.
        assert_eq!(said(&output).contains("one of them is wrong"), set.is_none(), "{}", said(&output));
        let got = case.read("A", DENSITY);
        close(got[0], 1e10, 1e-12);
        close(got[6], got[0] * Real::exp(-0.36_f64), 1e-6);
        close(case.read("B", "mol mol-1")[6], 1e-9 * (1.0 - Real::exp(-0.36_f64)), 1e-6);
    }
    let case = Case::new(mechanism, &with(air()));
    case.refused(&["--set", "TEMP=-5"], &["--set: TEMP = -5 K is not in [100, 400]"]);
    case.refused(&["--set", "C_M=0"], &["--set: C_M = 0 molecule cm-3 is not in (0, 1e21]"]);
    case.refused(&["--set", "TEMP=200", "--set", "temp=210"], &["--set: temp is given twice"]);
    let rates = with(air()).with("rate_constant", &["reaction"], "s-1", &[1e-4, 0.0]);
    let rates = Classic { dimensions: vec![("cell", 1), ("reaction", 2)], ..rates };
    Case::new(mechanism, &rates).refused(&["--set", "TEMP=200"], &["--set", "rate constants"]);
}

/// What says that it is another quantity is not taken for what its name is known for.
#[test]
fn standard_names_of_other_quantities_are_refused() {
    let mechanism = "#DEFVAR A = IGNORE; #EQUATIONS <R1> A = PROD : 1.0E-6*TEMP;";
    let fraction = |says| Case::new(mechanism, &air().with("A", CELL, "1", &[1e-5]).says(&[says]));
    let case = fraction("standard_name=mole_fraction_of_ozone_in_air");
    case.solve(&[]);
    close(case.read("A", "mol mol-1")[0], 1e-5, 1e-12);
    let expected = "in.nc: A has standard_name \"mass_fraction_of_ozone_in_air\"; expected a mole fraction";
    fraction("standard_name=mass_fraction_of_ozone_in_air").refused(&[], &[expected]);
    for (name, unit, value, other) in [
        ("air_temperature", "K", 350.0, "standard_name=air_potential_temperature"),
        ("temperature", "K", 350.0, "standard_name=air_potential_temperature"),
        ("air_pressure", "Pa", 1e5, "standard_name=air_pressure_at_mean_sea_level"),
    ] {
        let mut file = air().with("A", CELL, DENSITY, &[1e9]);
        file.variables.retain(|variable| !variable.name.ends_with(name));
        let file = file.with(name, CELL, unit, &[value]);
        Case::new(mechanism, &file).solve(&[]);
        Case::new(mechanism, &file.says(&[other])).refused(&[], &[name, other.split_once('=').unwrap().1]);
    }
}

/// Temperature and pressure are also found by their standard names.
#[test]
fn the_air_is_found_by_its_standard_names() {
    let mechanism = "#DEFVAR A = IGNORE; #EQUATIONS <R1> A = PROD : 1.0E-6*TEMP;";
    let by_name =
        |name, unit, value: f64, says| cells(1).with(name, CELL, unit, &[value]).says(&[says]).variables.remove(0);
    let mut file = cells(1).with("A", CELL, "mol mol-1", &[1e-9]);
    file.variables.push(by_name("T", "K", 300.0, "standard_name=air_temperature"));
    file.variables.push(by_name("pmid", "hPa", 500.0, "standard_name=air_pressure"));
    let case = Case::new(mechanism, &file);
    case.solve(&[]);
    close(case.read("A", "mol mol-1")[6], 1e-9 * Real::exp(-1.08_f64), 1e-6);
    // Of two nobody knows which.
    file.variables.push(by_name("T2", "K", 250.0, "standard_name=air_temperature"));
    Case::new(mechanism, &file).refused(&[], &["A is in mol/mol: number_density, or air_pressure and air_temperature"]);
}

/// The pressure of ground in hPa that says Pa is said to look like it; thin air that is cold, or of a laboratory, is
/// taken.
#[test]
fn a_pressure_that_looks_like_hectopascals_is_said() {
    let mechanism = "#DEFVAR A = IGNORE; #EQUATIONS <R1> A = PROD : 0.0;";
    for (pressure, temperature, looks) in
        [(1000.0, 288.0, true), (1000.0, 230.0, false), (267.0, 298.0, false), (1e5, 288.0, false)]
    {
        let file = cells(1).with("A", CELL, "ppb", &[1.0]).with("air_temperature", CELL, "K", &[temperature]);
        let text = said(&Case::new(mechanism, &file.with("air_pressure", CELL, "Pa", &[pressure])).command(&[]));
        let told = format!("air_pressure is at most {pressure} Pa where air_temperature is up to {temperature} K");
        assert_eq!(text.contains(&told), looks, "{text}");
    }
}

/// What is fixed and below 0 is refused by its name and own value, and not said to be taken before.
#[test]
fn fixed_species_below_zero_are_refused() {
    let file = air().with("B", CELL, DENSITY, &[0.0]).with("A", CELL, "mol mol-1", &[-0.1]);
    let words = "in.nc: A is -0.1 mol mol-1 at cell 0, but is fixed";
    Case::new(SOURCE, &file).refused(&[], &[words]);
    assert!(!said(&Case::new(SOURCE, &file).command(&["--json"])).contains("taken as it is"));
}

/// Where the file has no temperature, the air is as dense as at that of the mechanism; without any this is said.
#[test]
fn a_pressure_is_of_the_mechanisms_own_temperature() {
    let said_of = |mechanism: &str| {
        let case = Case::new(mechanism, &cells(1).with("air_pressure", CELL, "Pa", &[5e4]));
        let json: serde_json::Value =
            serde_json::from_str(&crate::common::printed(&case.command(&["--json"]))).expect("it succeeds");
        (case.read("A", DENSITY)[0], json["derived"].to_string())
    };
    let mechanism = "#DEFVAR A = IGNORE; #EQUATIONS <R1> A = PROD : 1.0E-9*TEMP;
        #INITVALUES CFACTOR = 2.4E19; A = 1.0E-9; #INLINE F90_INIT
        TEMP = 300.0
        #ENDINLINE";
    let (a, derived) = said_of(mechanism);
    close(a, 1e-9 * density_of_air(), 1e-12);
    let told = ["number density from air_pressure and TEMP = 300", "TEMP = 300, as the mechanism has it"];
    assert!(told.iter().all(|part| derived.contains(part)), "{derived}");
    let (a, derived) = said_of(&mechanism.replace("*TEMP", "").replace("TEMP = 300.0", "DT = 300.0"));
    close(a, 2.4e10, 1e-12);
    assert!(derived.contains("no number density of air_pressure: air_temperature is missing"), "{derived}");
}

/// Initial values follow the air that is given, whether or not rates read it, and so does the first of these.
#[test]
fn the_airs_density_may_be_set_without_an_input_of_it() {
    let mechanism = "#DEFVAR A = IGNORE; #EQUATIONS <R1> A = PROD : 0.0; #INITVALUES CFACTOR = 2.4E10; A = 3.0;";
    let case = Case::new(mechanism, &cells(1).with("air_temperature", CELL, "K", &[300.0]));
    for set in ["number_density=1e18", "NUMDEN=1e18", "C_M=1e18", "cair=1e18", "CFACTOR=1e9"] {
        case.solve(&["--set", set]);
        close(case.read("A", DENSITY)[0], 3e9, 1e-12);
        fs::remove_file(case.path("out.nc")).unwrap();
    }
    case.refused(&["--set", "number_density=0"], &["--set: number_density = 0 molecule cm-3 is not in (0, 1e21]"]);
    case.refused(&["--set", "SUN=1"], &["--set SUN: the rates have no such input"]);
}

/// Beside a number density pressure and temperature are not used, and what contradicts them by more than 1 % is said.
#[test]
fn densities_that_contradict_the_pressure_are_said() {
    let mechanism = "#DEFVAR A = IGNORE; #EQUATIONS <R1> A = PROD : 1.0E-23*C_M;";
    let run = |factor: f64| {
        let file = air().with("number_density", CELL, DENSITY, &[factor * density_of_air()]);
        let case = Case::new(mechanism, &file.with("A", CELL, DENSITY, &[1e9]));
        let words = "chem --mechanism m.kpp --cells in.nc -o out.nc --device cpu --hours 1 --dt 600";
        let output = case.isobar(&words.split(' ').collect::<Vec<_>>());
        assert!(output.status.success(), "{}", said(&output));
        said(&output)
    };
    let not_used = "number density as it is given; that of air_pressure and air_temperature is not used";
    for (factor, contradiction) in [(2.0, Some("100.000 % above")), (0.5, Some("50.000 % below")), (1.009, None)] {
        let text = run(factor);
        assert!(text.contains(not_used), "{text}");
        let said = "the number density that is given is up to";
        assert_eq!(text.contains(said), contradiction.is_some(), "{text}");
        assert!(contradiction.is_none_or(|what| text.contains(&format!("{said} {what}"))), "{text}");
    }
}

/// Of two names for one thing the file's other one is said to be of no use.
#[test]
fn a_second_name_of_the_temperature_is_not_read() {
    let mechanism = "#DEFVAR A = IGNORE; #EQUATIONS <R1> A = PROD : 1.0E-6*TEMP;";
    let file = air().with("TEMP", CELL, "K", &[250.0]).with("A", CELL, DENSITY, &[1e9]);
    let case = Case::new(mechanism, &file);
    // Not quiet: notes are wanted.
    let cells = "chem --mechanism m.kpp --cells in.nc -o out.nc --device cpu";
    let how = "--hours 1 --dt 600 --method rodas4 --rtol 1e-8";
    let output = case.isobar(&cells.split(' ').chain(how.split(' ')).collect::<Vec<_>>());
    assert!(said(&output).contains("nothing needs TEMP"), "{}", said(&output));
    close(case.read("A", DENSITY)[6], 1e9 * Real::exp(-1.08_f64), 1e-6);
}

/// A fixed species follows the file's times as inputs do: it has its value at an interval's start within it.
#[test]
fn what_is_fixed_follows_the_files_times() {
    let file = at_times().with("A", AT_TIMES, DENSITY, &[1e6, 4e6]).with("B", CELL, DENSITY, &[0.0]);
    let case = Case::new(SOURCE, &file);
    // Intervals start at 0, 600, ... 3000 s, the last three of them behind the file's last time.
    let output = case.command(&[]);
    let text = said(&output);
    let told = "intervals start from 0 to 3000 s, and the file's times are 0 to 1800 s";
    assert!(output.status.success() && text.contains(told), "{text}");
    // Results have it as it is at their time.
    assert_eq!(case.read("A", DENSITY), [1e6, 2e6, 3e6, 4e6, 4e6, 4e6, 4e6]);
    close(case.read("B", DENSITY)[6], 600.0 * 1e-4 * 18e6, 1e-9);
    // One that follows the air does, too: here it gets colder by a third.
    let scaled = format!("{SOURCE} #INITVALUES CFACTOR = 2.4E19; A = 1.0E-9;");
    let file = at_times().with("air_temperature", AT_TIMES, "K", &[300.0, 200.0]).with("B", CELL, DENSITY, &[0.0]);
    let file = file.with("air_pressure", CELL, "Pa", &[5e4]);
    let case = Case::new(&scaled, &file);
    case.command(&[]);
    let got = case.read("A", DENSITY);
    close(got[0], 1e-9 * density_of_air(), 1e-12);
    close(got[6], 1.5e-9 * density_of_air(), 1e-12);
}

/// Air that expands to half its density takes what is in it along: mole fractions stay, whatever the unit of the start,
/// and in steps of any number.
#[test]
fn air_that_expands_takes_what_reacts_along() {
    let mechanism =
        "#DEFVAR A = IGNORE; B = IGNORE; #DEFFIX X = IGNORE; #EQUATIONS <R1> X = X + B : 0.0; <R2> A = A : 1.0;";
    let rising = |a: f64, unit| {
        let file = at_times().with("air_pressure", AT_TIMES, "Pa", &[5e4, 2.5e4]);
        let file = file.with("air_temperature", CELL, "K", &[300.0]).with("X", CELL, "mol mol-1", &[0.5]);
        file.with("A", CELL, unit, &[a]).with("B", CELL, "mol mol-1", &[1e-9])
    };
    let case = Case::new(mechanism, &rising(1e-9, "mol mol-1"));
    let output = case
        .isobar(&"chem --mechanism m.kpp --cells in.nc -o out.nc --hours 1 --dt 600".split(' ').collect::<Vec<_>>());
    assert!(
        said(&output).contains("what reacts keeps its mole fraction from interval to interval"),
        "{}",
        said(&output)
    );
    for dt in ["600", "450", "3600"] {
        case.command(&["--dt", dt]);
        for name in ["A", "B", "X"] {
            let expected = if name == "X" { 0.5 } else { 1e-9 };
            case.read(name, "mol mol-1").iter().for_each(|&x| close(x, expected, 1e-14));
        }
        fs::remove_file(case.path("out.nc")).unwrap();
    }
    // Times whose air is the same do not change it.
    let still = at_times().with("air_pressure", AT_TIMES, "Pa", &[5e4, 5e4]).with("A", CELL, DENSITY, &[1e9]);
    let still = still.with("air_temperature", CELL, "K", &[300.0]).with("B", CELL, DENSITY, &[0.0]);
    let words =
        said(&Case::new(mechanism, &still.with("X", CELL, DENSITY, &[0.0])).isobar(
            &"chem --mechanism m.kpp --cells in.nc -o out.nc --hours 1 --dt 600".split(' ').collect::<Vec<_>>(),
        ));
    assert!(!words.contains("number density changes with time"), "{words}");
    let case = Case::new(mechanism, &rising(1e9, DENSITY));
    case.command(&[]);
    let all = case.read("A", DENSITY);
    // The pressure falls for half of the hour.
    for (got, part) in all.iter().zip([1.0, 5.0 / 6.0, 4.0 / 6.0, 0.5, 0.5, 0.5, 0.5]) {
        close(*got, 1e9 * part, 1e-14);
    }
    // Stopped half-way through, a run goes on to the same bytes.
    case.command(&["--restart", "r.nc", "--restart-hours", "0.5"]);
    let whole = fs::read(case.path("out.nc")).unwrap();
    let resumed = case.command(&["--resume", "r.nc"]);
    assert!(resumed.status.success() && fs::read(case.path("out.nc")).unwrap() == whole, "{}", said(&resumed));
}

/// Between the file's times a fixed fraction is linear, and so are temperature and pressure: fractions times densities
/// of then, not a mean of densities.
#[test]
fn fractions_are_interpolated_as_fractions() {
    let mechanism = "#DEFVAR Q = IGNORE; R = IGNORE; #DEFFIX O2 = IGNORE; M = IGNORE;
        #EQUATIONS <R1> O2 = O2 + Q : 1.0E-4; <R2> M = M + R : 1.0E-23*NUMDEN;";
    let file = at_times().with("air_pressure", AT_TIMES, "Pa", &[1e5, 5e4]);
    let file = file.with("air_temperature", AT_TIMES, "K", &[280.0, 250.0]).with("M", CELL, "mol mol-1", &[1.0]);
    let file = file.with("O2", AT_TIMES, "mol mol-1", &[0.21, 0.1]).with("Q", CELL, DENSITY, &[0.0]);
    let case = Case::new(mechanism, &file.with("R", CELL, "mol mol-1", &[0.0]));
    case.command(&[]);
    let (mut q, mut r) = (0.0, 0.0);
    for (number, (o2, m)) in case.read("O2", "mol mol-1").into_iter().zip(case.read("M", "mol mol-1")).enumerate() {
        let share = (number as f64 / 3.0).min(1.0);
        let density = |share: f64| 1e-6 * (1e5 - 5e4 * share) / (BOLTZMANN * (280.0 - 30.0 * share));
        close(o2, 0.21 - 0.11 * share, 1e-13);
        close(m, 1.0, 1e-14);
        close(case.read("Q", DENSITY)[number], q, 1e-9);
        close(case.read("R", "mol mol-1")[number], r, 1e-9);
        // What an interval makes, diluted by the air of its end.
        let (now, next) = (density(share), density(((number + 1) as f64 / 3.0).min(1.0)));
        q = (q + 600.0 * 1e-4 * (0.21 - 0.11 * share) * now) * next / now;
        r += 600.0 * 1e-23 * now;
    }
}

/// What reacts starts from the file's values at the start; later ones are not read, which is said.
#[test]
fn later_values_of_what_reacts_are_said_not_to_be_read() {
    let decay = "#DEFVAR A = IGNORE; B = IGNORE; #EQUATIONS <R1> A = B : 1.0E-4; <R2> B = PROD : 0.0;";
    let file = at_times().with("A", AT_TIMES, DENSITY, &[1e9, 4e9]).with("B", CELL, DENSITY, &[0.0]);
    let case = Case::new(decay, &file);
    let output = case.command(&[]);
    let told = "A: of the file's times only the start is read";
    assert!(output.status.success() && said(&output).contains(told), "{}", said(&output));
    close(case.read("A", DENSITY)[6], 1e9 * Real::exp(-0.36_f64), 1e-6);
}

#[test]
fn a_file_of_one_time_starts_at_it() {
    let mechanism = "#DEFVAR A = IGNORE; #EQUATIONS <R1> A = PROD : 1.0E-8*TIME;";
    let file = Classic { dimensions: vec![("cell", 1), ("time", 1)], ..Classic::default() };
    let file = file.with("time", &["time"], "h", &[10.0]).with("A", AT_TIMES, DENSITY, &[1e9]);
    let case = Case::new(mechanism, &file);
    case.solve(&[]);
    assert_eq!((case.read("time", "s")[0], case.read("time", "s")[6]), (36_000.0, 39_600.0));
    // Rates are those of the starts of intervals: 600 s times 1e-8 times 36,000 + ... + 39,000 s.
    close(case.read("A", DENSITY)[6], 1e9 * Real::exp(-600.0 * 1e-8 * 225_000.0_f64), 1e-6);
}

/// What a dimension of times is called does not matter where its coordinate says what it is.
#[test]
fn times_are_known_by_their_coordinate() {
    let run = |name: &'static str, units: &'static str, times: &[f64], says: &[&'static str]| {
        let file = Classic { dimensions: vec![(name, 3), ("cell", 2)], ..Classic::default() };
        let file = file.with(name, &[name], units, times).says(says).with("A", CELL, DENSITY, &[1e6, 2e6]);
        let case = Case::new(SOURCE, &file.with("B", &[name, "cell"], DENSITY, &[0.0, 1.0, 2.0, 3.0, 4.0, 5.0]));
        case.command(&[]);
        (case.read("B", DENSITY)[..2].to_vec(), case.read("time", "s")[0])
    };
    let hours = "hours since 2020-01-01 06:00";
    for (name, units, times, says) in [
        ("valid_time", hours, [1.0, 2.0, 3.0], &["standard_name=time", "axis=T"][..]),
        ("time_counter", hours, [1.0, 2.0, 3.0], &["axis=T"]),
        ("XTIME", "minutes since 2020-02-01", [420.0, 480.0, 540.0], &[]),
        ("time", "days since 1900-01-01", [7.0 / 24.0, 8.0 / 24.0, 9.0 / 24.0], &["calendar=noleap"]),
        ("t", "h", [7.0, 8.0, 9.0], &[]),
        ("date", "s", [25_200.0, 28_800.0, 32_400.0], &["standard_name=time"]),
    ] {
        let (b, start) = run(name, units, &times, says);
        assert!(b == [0.0, 1.0] && (start - 25_200.0).abs() < 1e-5, "{name}: {b:?} at {start}");
    }
}

/// A run goes on with the values that it began with.
#[test]
fn a_run_is_resumed_with_the_same_values_for_all_cells() {
    let mechanism = "#DEFVAR A = IGNORE; #EQUATIONS <R1> A = PROD : 1.0E-6*TEMP;";
    let case = Case::new(mechanism, &cells(1).with("A", CELL, DENSITY, &[1e9]));
    let set = ["--set", "TEMP=200"];
    case.solve(&[&set[..], &["--restart-hours", "0.5", "--restart", "r.nc"]].concat());
    let whole = case.read("A", DENSITY);
    std::fs::remove_file(case.path("out.nc")).unwrap();
    for other in [&["--set", "TEMP=300"][..], &["--set", "TEMP=200.0000001"]] {
        case.refused(&[other, &["--resume", "r.nc"]].concat(), &["r.nc: the restart file of another run"]);
    }
    case.solve(&[&set[..], &["--resume", "r.nc"]].concat());
    assert_eq!(case.read("A", DENSITY), whole);
}

/// The table's lifetimes are those of the cells that did not fail.
#[test]
fn lifetimes_in_the_table_leave_out_cells_that_failed() {
    // A is infinite after 3300 s in the second cell. B decays with 10,000 s.
    let mechanism = "#DEFVAR A = IGNORE; B = IGNORE; #EQUATIONS <R1> A + A = 3 A : K; <R2> B = PROD : 1.0E-4;";
    let file = cells(2).with("A", CELL, DENSITY, &[0.0, 1e9]).with("B", CELL, DENSITY, &[1e9, 1e15]);
    let file = file.with("K", &[], "cm3 s-1", &[1.0 / (3300.0 * 1e9)]);
    let case = Case::new(mechanism, &file);
    let cells = "chem --mechanism m.kpp --cells in.nc -o out.nc --device cpu --budget B";
    let how = "--hours 1 --dt 60 --method rodas4 --rtol 1e-8 --atol 1e-3";
    let output = case.isobar(&cells.split(' ').chain(how.split(' ')).collect::<Vec<_>>());
    let table = crate::common::printed(&output);
    assert_eq!(output.status.code(), Some(3), "{}", said(&output));
    // 10,000 s; the trapezoidal rule is exact to (60/10,000)^2 / 12.
    assert!(table.contains("lifetime 2.778 h"), "{table}");
}

/// What a mechanism with CFACTOR 1 has of M and O2 is not the air of the cells: that is said with both numbers.
#[test]
fn air_of_the_mechanism_beside_that_of_the_cells_is_said() {
    let with = |m: &str, o2: &str| {
        let mechanism = format!(
            "#DEFVAR A = IGNORE; #DEFFIX M = IGNORE; O2 = IGNORE; #EQUATIONS <R1> A + M = M + O2 : 0.0;
             #INITVALUES CFACTOR = 1.; A = 5.0; M = {m}; O2 = {o2};"
        );
        said(&Case::new(&mechanism, &air()).command(&[]))
    };
    let text = with("8.120E+16", "1.697E+16");
    // 5e4 Pa and 300 K are 1.207e19 molecules/cm3.
    for (name, value, of_air) in [("M", "8.120e16", "1.207e19"), ("O2", "1.697e16", "2.529e18")] {
        let words = format!(
            "{name} is {value} molecule cm-3 in all cells, as the mechanism has it (CFACTOR 1), and not the \
             {of_air} of their air"
        );
        assert!(text.contains(&words), "{words:?} is not in {text}");
    }
    let density = density_of_air();
    let text = with(&format!("{density:E}"), &format!("{:E}", 0.2095 * density));
    assert!(!text.contains("as the mechanism has it (CFACTOR 1)"), "{text}");
}
