//! The units of what rates read: those of the mechanism, into which those of a file are converted.
//!
//! Rate formulas are in molecules, cm, s and K; MUSICA's emissions and user's constants in mol, m and s. A number
//! without unit is the mechanism's.

use super::ranges::{AMOUNTS, FRACTIONS, MOLE_FRACTION};
use super::series::{Of, Series};
use crate::netcdf::{Conversion, Unit};

const RATES: [&str; 10] = [
    "s-1",
    "molecule cm-3",
    "cm-3",
    "cm3 molecule-1 s-1",
    "cm3 s-1",
    "cm6 molecule-2 s-1",
    "cm6 s-1",
    "molecule cm-3 s-1",
    "cm-3 s-1",
    "K",
];
const MUSICA: [&str; 4] = ["s-1", "mol m-3 s-1", "m3 mol-1 s-1", "m6 mol-2 s-1"];
/// Frequencies of photolysis and losses, by what stands before the parenthesis.
const FREQUENCIES: [&str; 5] = ["j", "jx", "jval", "photo", "loss"];
/// What air consists of, as an input with these names: numbers in a volume.
const GASES: [&str; 8] = ["m", "air", "n2", "o2", "h2o", "h2", "ch4", "co2"];

/// What rates want of an input.
enum Wanted {
    /// One of these units.
    One(&'static [&'static str]),
    /// Molecules of a gas in a volume.
    Gas,
    /// One of these units, or another one that is not known.
    Maybe(&'static [&'static str]),
}

fn wanted(name: &str, radians: bool) -> Wanted {
    let lower = name.to_lowercase();
    match lower.split('(').next().unwrap_or_default() {
        _ if radians => Wanted::One(&["rad"]),
        head if FREQUENCIES.contains(&head) && head.len() < lower.len() => Wanted::One(&["s-1"]),
        "user" | "emis" if lower.contains('(') => Wanted::One(&MUSICA),
        "surf_radius" => Wanted::One(&["m"]),
        "surf_number" => Wanted::One(&["m-3"]),
        head if GASES.contains(&head.strip_prefix("c_").unwrap_or(head)) => Wanted::Gas,
        _ => Wanted::Maybe(&RATES),
    }
}

fn conversion(text: &str, to: &str) -> Option<Conversion> {
    text.parse::<Unit>().ok()?.conversion(&to.parse().ok()?)
}

/// Is it a number of whatever has no unit, and no percentage?
fn is_plain(text: &str) -> bool {
    // A ratio of one kind is not one of the other.
    ["1", "kg kg-1", "mol mol-1"].iter().all(|one| conversion(text, one).is_some_and(|how| how.is_identity()))
}

/// Values of an input, of the file's `variable` in the unit `text`, as rates read it; what is not plain is said.
///
/// # Errors
/// The unit does not convert, or a value is out of range: in words.
pub(super) fn of_rates(
    (name, radians): (&str, bool),
    (variable, text): (&str, &str),
    own: Series,
    density: Option<&Series>,
    derived: &mut Vec<String>,
) -> Result<Series, String> {
    let wanted = wanted(name, radians);
    let units: &[&'static str] = match &wanted {
        Wanted::One(units) | Wanted::Maybe(units) => units,
        Wanted::Gas => &["molecule cm-3", "cm-3"],
    };
    let found = units.iter().find_map(|unit| Some((*unit, conversion(text, unit)?)));
    let converted = found.map(|(unit, how)| {
        if !how.is_identity() {
            derived.push(format!("{variable} is converted from {text:?} to {unit}"));
        }
        own.map(|value| how.apply(value))
    });
    match (wanted, converted) {
        (Wanted::Gas, Some(values)) => in_range(values, variable, "molecule cm-3"),
        (_, Some(values)) => Ok(values),
        (Wanted::Gas, None) => gas((variable, text), own, density, derived),
        (_, None) if is_plain(text) => Ok(own),
        (Wanted::One(units), None) => {
            Err(format!("{variable} has units {text:?}, which do not convert to {}", units.join(" or ")))
        }
        (Wanted::Maybe(_), None) => {
            derived.push(format!("{variable} is taken as it is, in {text:?}: the rates' own unit of it is not known"));
            Ok(own)
        }
    }
}

/// Molecules of a gas of its part of the air. A number without unit is such a part up to 1.
fn gas(
    (variable, text): (&str, &str),
    own: Series,
    density: Option<&Series>,
    derived: &mut Vec<String>,
) -> Result<Series, String> {
    if is_plain(text) && own.values().iter().any(|&value| value > 1.0) {
        return in_range(own, variable, "molecule cm-3");
    }
    let Some(how) = conversion(text, MOLE_FRACTION) else {
        return Err(format!("{variable} has units {text:?}, which convert to neither molecule cm-3 nor mol mol-1"));
    };
    let fractions = own.map(|value| how.apply(value));
    if let Some(value) = fractions.values().iter().find(|value| !FRACTIONS.contains(**value)) {
        return Err(format!("{variable} is {value} mol mol-1, not in {FRACTIONS}"));
    }
    let Some(density) = density else {
        let needed = "number_density, or air_pressure and air_temperature, are needed with it";
        return Err(format!("{variable} is in {text:?}, a part of the air: {needed}"));
    };
    derived.push(format!("{variable}, a part of the air, times the number density"));
    Ok(fractions.with(density, Of::Product))
}

fn in_range(values: Series, variable: &str, unit: &str) -> Result<Series, String> {
    match values.values().iter().find(|value| !AMOUNTS.contains(**value)) {
        Some(value) => Err(format!("{variable} is {value:e} {unit}, not in {AMOUNTS}")),
        None => Ok(values),
    }
}

/// Refuses rate constants in a unit that is not made of molecules, cm and s. One unit stands for reactions of all
/// orders, so that nothing can be converted; a text that is no unit may say that it depends on the order.
pub(super) fn check_rate_constants(variable: &str, text: &str) -> Result<(), String> {
    let is_own = |unit: &&str| conversion(text, unit).is_some_and(|how| how.is_identity());
    let fits = RATES[..9].iter().any(is_own) || is_plain(text);
    if fits || (text.parse::<Unit>().is_err() && !has_other_time(text)) {
        return Ok(());
    }
    Err(format!("units of {variable} are {text:?}: rate constants are per second, in molecules and cm"))
}

/// Does a text have minutes or the like in it?
fn has_other_time(text: &str) -> bool {
    const OTHERS: [&str; 16] = [
        "ms", "min", "mins", "minute", "minutes", "h", "hr", "hrs", "hour", "hours", "d", "day", "days", "yr", "year",
        "years",
    ];
    let names = text.split(|c: char| !c.is_ascii_alphabetic());
    names.into_iter().any(|name| OTHERS.contains(&name.to_lowercase().as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(name: &str, radians: bool, text: &str, value: f64) -> (Result<f64, String>, Vec<String>) {
        let (mut derived, density) = (Vec::new(), Series::constant(2e19));
        let got = of_rates((name, radians), (name, text), Series::constant(value), Some(&density), &mut derived);
        (got.map(|series| series.values()[0]), derived)
    }

    #[test]
    fn what_rates_read_is_in_their_unit() {
        for (name, radians, text, value, want) in [
            ("J(1)", false, "min-1", 0.06, 1e-3),
            ("jx(ip_NO2)", false, "1", 0.06, 0.06),
            ("PHOTO(a)", false, "h-1", 3.6, 1e-3),
            ("K", false, "m3 s-1", 1e-20, 1e-14),
            ("K", false, "cm3 molecule-1 min-1", 6e-13, 1e-14),
            ("M", false, "m-3", 2e25, 2e19),
            ("H2O", false, "mol mol-1", 0.01, 2e17),
            ("c_h2o", false, "%", 1.0, 2e17),
            ("O2", false, "1", 0.21, 0.21 * 2e19),
            ("O2", false, "1", 4.2e18, 4.2e18),
            ("zenith", true, "degree", 180.0, std::f64::consts::PI),
            ("zenith", false, "degree", 30.0, 30.0),
            ("T2", false, "degC", 0.0, 273.15),
            ("EMIS(NO)", false, "mol m-3 s-1", 1e-12, 1e-12),
            ("EMIS(NO)", false, "mol m-3 h-1", 3.6, 1e-3),
            ("SURF_radius(a)", false, "um", 1.0, 1e-6),
            ("SURF_number(a)", false, "cm-3", 1.0, 1e6),
        ] {
            let (got, said) = read(name, radians, text, value);
            let got = got.unwrap_or_else(|why| panic!("{name} in {text}: {why}"));
            assert!((got - want).abs() <= 1e-14 * want, "{name} in {text}: {got} {want}");
            assert_eq!(said.is_empty(), got.to_bits() == value.to_bits() && text != "degree", "{name} {text} {said:?}");
        }
        for (name, radians, text, value, part) in [
            ("J(1)", false, "m", 1.0, "has units \"m\", which do not convert to s-1"),
            ("H2O", false, "g kg-1", 10.0, "convert to neither molecule cm-3 nor mol mol-1"),
            ("H2O", false, "%", 110.0, "H2O is 1.1 mol mol-1, not in [-1, 1]"),
            ("M", false, "1", 2e25, "M is 2e25 molecule cm-3, not in [-1e21, 1e21]"),
            ("zenith", true, "km", 1.0, "do not convert to rad"),
        ] {
            let why = read(name, radians, text, value).0.unwrap_err();
            assert!(why.contains(part), "{why}");
        }
    }

    #[test]
    fn rate_constants_are_in_molecules_cm_and_s() {
        for text in ["s-1", "1", "cm3 s-1", "cm3/molecule/s", "cm6 molec-2 s-1", "cm^3 s^-1", "by order, cm and s"] {
            assert!(check_rate_constants("k", text).is_ok(), "{text}");
        }
        for text in ["m3 s-1", "m3 molecule-1 s-1", "cm3 mol-1 s-1", "min-1", "1/day", "ppb-1 min-1", "K", "%"] {
            let why = check_rate_constants("k", text).unwrap_err();
            assert!(why.starts_with("units of k are ") && why.ends_with("in molecules and cm"), "{why}");
        }
    }
}
