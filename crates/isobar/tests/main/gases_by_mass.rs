//! Gases that a file has by mass, and what says so: the unit, or the standard name where the unit says nothing.

use crate::common::classic::{Case, Classic};
use crate::common::radiation_file::difference;
use crate::model_files::{OPTIONS, cam, fluxes};

/// Molar masses of ozone and of dry air \[g/mol\].
const OZONE_OVER_AIR: f64 = 47.998 / 28.964;

/// Ozone by mass in a mass of moist air, in this unit.
fn by_mass(units: &'static str, standard: &'static str, factor: f64) -> Classic {
    let (mut file, _) = cam();
    let humidity = file.variable("Q").values.clone();
    let ozone = file.variable("O3");
    ozone.units = Some(units);
    ozone.attributes.push(("standard_name", standard));
    // Moles in a mole of dry air, the mass of which is less by the vapour.
    let mass = |(ratio, q): (&f64, &f64)| factor * OZONE_OVER_AIR * ratio * (1.0 - q);
    ozone.values = ozone.values.iter().zip(&humidity).map(mass).collect();
    file
}

#[test]
fn a_standard_name_says_what_a_plain_number_is() {
    let run = |file: &Classic| fluxes(&Case::of("radiation", &file.bytes()), &[]);
    let expected = run(&cam().0);
    let mass = "mass_fraction_of_ozone_in_air";
    for (units, factor) in [("kg kg-1", 1.0), ("1", 1.0), ("", 1.0), ("1e-6", 1e6), ("mg kg-1", 1e6)] {
        let found = run(&by_mass(units, mass, factor));
        for name in ["longwave_upward_flux", "shortwave_downward_flux"] {
            let error = difference(&found.all(name), &expected.all(name));
            assert!(error < 1e-6, "{units}: {name} {error}");
        }
    }
    // What is by moles stays so.
    let mut moles = cam().0;
    moles.variable("O3").units = Some("1");
    moles.variable("O3").attributes.push(("standard_name", "mole_fraction_of_ozone_in_air"));
    assert_eq!(run(&moles).all("longwave_upward_flux"), expected.all("longwave_upward_flux"));
}

/// One value of water vapour, of the file or asked for, makes air as moist as the same value in all layers.
#[test]
fn one_value_of_water_is_that_of_all_layers() {
    let moist = 0.03;
    let mass = "mass_fraction_of_ozone_in_air";
    let mut file = by_mass("kg kg-1", mass, 1.0);
    let humidity = file.variable("Q").clone();
    file.variables.retain(|variable| variable.name != "Q");
    let everywhere = vec![moist; humidity.values.len()];
    let full = file.clone().with("h2o", &humidity.dimensions, "mol mol-1", &everywhere);
    let one = file.clone().with("h2o", &[], "mol mol-1", &[moist]);
    let run = |file: &Classic, more: &[&str]| fluxes(&Case::of("radiation", &file.bytes()), more);
    let expected = run(&full, &[]);
    for (found, how) in [(run(&one, &[]), "one value"), (run(&file, &["--gas", "h2o=0.03"]), "--gas")] {
        for name in ["longwave_upward_flux", "shortwave_downward_flux"] {
            assert!(difference(&found.all(name), &expected.all(name)) < 1e-9, "{how}: {name}");
        }
    }
    // It counts: ozone without the vapour's part of the mass is another.
    let mut dry = one;
    dry.variable("O3").attributes.retain(|(name, _)| *name != "standard_name");
    let name = "shortwave_downward_flux";
    assert!(difference(&run(&dry, &[]).all(name), &expected.all(name)) > 1e-3);
}

#[test]
fn units_that_contradict_the_name_are_refused() {
    for (units, standard) in [
        ("kg kg-1", "mole_fraction_of_ozone_in_air"),
        ("mol mol-1", "mass_fraction_of_ozone_in_air"),
        ("ppmv", "mass_fraction_of_ozone_in_air"),
    ] {
        let said = format!("O3 has standard_name {standard:?}, but units {units:?}: it is one or the other");
        Case::of("radiation", &by_mass(units, standard, 1.0).bytes()).refused(&OPTIONS, &[&said]);
    }
}
