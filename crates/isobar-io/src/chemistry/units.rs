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
/// Those of rate constants by the order of their reactions, in molecules and cm.
const OF_ORDER: [&[&str]; 4] = [
    &["molecule cm-3 s-1", "cm-3 s-1"],
    &["s-1"],
    &["cm3 molecule-1 s-1", "cm3 s-1"],
    &["cm6 molecule-2 s-1", "cm6 s-1"],
];
/// The same in mol and m.
const OF_ORDER_IN_MOL: [&[&str]; 4] = [&["mol m-3 s-1"], &["s-1"], &["m3 mol-1 s-1"], &["m6 mol-2 s-1"]];
/// Frequencies of photolysis and losses, by what stands before the parenthesis.
const FREQUENCIES: [&str; 5] = ["j", "jx", "jval", "photo", "loss"];
/// What air consists of, as an input with these names: numbers in a volume.
const GASES: [&str; 8] = ["m", "air", "n2", "o2", "h2o", "h2", "ch4", "co2"];

/// What rates want of an input.
enum Wanted {
    /// One of these units of what is made of nothing, or so much of the air in a time.
    Source(&'static [&'static str]),
    /// One of these units.
    One(&'static [&'static str]),
    /// Molecules of a gas in a volume.
    Gas,
    /// One of these units, or another one that is not known.
    Maybe(&'static [&'static str]),
}

/// An input as rates have it.
#[derive(Clone, Copy, Debug)]
pub(super) struct RateInput<'a> {
    pub(super) name: &'a str,
    /// Is it an angle in radians?
    pub(super) radians: bool,
    /// The order of the reactions whose rate constant it is.
    pub(super) order: Option<u32>,
}

fn wanted(RateInput { name, radians, order }: RateInput<'_>) -> Wanted {
    let of_order = |units: [&'static [&'static str]; 4]| match order {
        Some(0) => Some(Wanted::Source(units[0])),
        Some(order) => units.get(order as usize).copied().map(Wanted::One),
        None => None,
    };
    let lower = name.to_lowercase();
    match lower.split('(').next().unwrap_or_default() {
        _ if radians => Wanted::One(&["rad"]),
        head if FREQUENCIES.contains(&head) && head.len() < lower.len() => Wanted::One(&["s-1"]),
        "emis" if lower.contains('(') => Wanted::Source(OF_ORDER_IN_MOL[0]),
        "user" if lower.contains('(') => of_order(OF_ORDER_IN_MOL).unwrap_or(Wanted::One(&MUSICA)),
        "surf_radius" => Wanted::One(&["m"]),
        "surf_number" => Wanted::One(&["m-3"]),
        head if GASES.contains(&head.strip_prefix("c_").unwrap_or(head)) => Wanted::Gas,
        _ => of_order(OF_ORDER).unwrap_or(Wanted::Maybe(&RATES)),
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
    input: RateInput<'_>,
    (variable, text): (&str, &str),
    own: Series,
    density: Option<&Series>,
    derived: &mut Vec<String>,
) -> Result<Series, String> {
    let wanted = wanted(input);
    let units: &[&'static str] = match &wanted {
        Wanted::One(units) | Wanted::Source(units) | Wanted::Maybe(units) => units,
        Wanted::Gas => &["molecule cm-3", "cm-3"],
    };
    // A part of the air is no number without dimension: 1 ppb h-1 is not 1e-9 h-1.
    let has_ratio = text.parse::<Unit>().is_ok_and(|unit| unit.has_ratio());
    let found = units.iter().filter(|_| !has_ratio).find_map(|unit| Some((*unit, conversion(text, unit)?)));
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
        (Wanted::Source(units), None) if parts_per_second(text).is_some() => {
            source((variable, text), own, units[0], density, derived)
        }
        (Wanted::One(units) | Wanted::Source(units), None) => {
            let order = input.order.map(|order| format!(", the unit of a rate constant of order {order}"));
            let (units, order) = (units.join(" or "), order.unwrap_or_default());
            Err(format!("{variable} has units {text:?}, which do not convert to {units}{order}"))
        }
        (Wanted::Maybe(_), None) => {
            derived.push(format!("{variable} is taken as it is, in {text:?}: the rates' own unit of it is not known"));
            Ok(own)
        }
    }
}

/// How a unit of so much of the air in a time becomes mol mol-1 s-1.
fn parts_per_second(text: &str) -> Option<Conversion> {
    conversion(text, "s-1").filter(|_| text.parse::<Unit>().is_ok_and(|unit| unit.has_mole_fraction()))
}

/// What is made of nothing, of so much of the air in a time: in molecules and cm, or mol and m.
fn source(
    (variable, text): (&str, &str),
    own: Series,
    unit: &str,
    density: Option<&Series>,
    derived: &mut Vec<String>,
) -> Result<Series, String> {
    let Some(density) = density else { return Err(needs_air(variable, text)) };
    let (Some(parts), Some(of_air)) = (parts_per_second(text), conversion("molecule cm-3 s-1", unit)) else {
        return Err(format!("{variable} has units {text:?}, which do not convert to {unit}"));
    };
    derived.push(format!("{variable} is converted from {text:?} to {unit} by the number density of the air"));
    Ok(own.map(|value| of_air.apply(parts.apply(value))).with(density, Of::Product))
}

fn needs_air(variable: &str, text: &str) -> String {
    let needed = "number_density, or air_pressure and air_temperature, are needed with it";
    format!("{variable} is in {text:?}, a part of the air: {needed}")
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
    let Some(density) = density else { return Err(needs_air(variable, text)) };
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
        read_of((name, radians, None), text, value)
    }

    fn read_of(
        (name, radians, order): (&str, bool, Option<u32>),
        text: &str,
        value: f64,
    ) -> (Result<f64, String>, Vec<String>) {
        let (mut derived, density) = (Vec::new(), Series::constant(2e19));
        let input = RateInput { name, radians, order };
        let got = of_rates(input, (name, text), Series::constant(value), Some(&density), &mut derived);
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

    /// The order of its reactions says in which unit an input that is their rate constant is.
    #[test]
    fn rate_constants_have_the_unit_of_their_order() {
        const AVOGADRO: f64 = 6.022_140_76e23;
        for (name, order, text, value, want) in [
            ("E", 0, "molecule cm-3 h-1", 3.6e9, 1e6),
            ("E", 0, "mol m-3 s-1", 1e-12, 1e-18 * AVOGADRO),
            ("E", 0, "ppb h-1", 3.6, 2e7),
            ("E", 0, "nmol mol-1 h-1", 3.6, 2e7),
            ("E", 0, "mol mol-1 s-1", 1e-12, 2e7),
            ("E", 0, "1", 5.0, 5.0),
            ("K", 1, "min-1", 6.0, 0.1),
            ("K", 1, "1e-9 h-1", 3.6, 1e-12),
            ("K", 2, "m3 mol-1 s-1", 1.0, 1e6 / AVOGADRO),
            ("K", 2, "cm3 s-1", 1e-14, 1e-14),
            ("K", 3, "m6 s-1", 1e-44, 1e-32),
            ("EMIS(a)", 0, "ppb h-1", 3.6, 2e13 / AVOGADRO),
            ("USER(a)", 2, "cm3 molecule-1 s-1", 1e-14, 1e-20 * AVOGADRO),
            ("USER(a)", 1, "min-1", 6.0, 0.1),
        ] {
            let got = read_of((name, false, Some(order)), text, value).0;
            let got = got.unwrap_or_else(|why| panic!("{name} in {text}: {why}"));
            assert!((got - want).abs() <= 1e-14 * want, "{name} in {text}: {got} {want}");
        }
        for (name, order, text) in [
            ("E", 0, "s-1"),
            ("E", 0, "ug m-3 h-1"),
            ("E", 0, "ppb"),
            ("E", 0, "kg kg-1 s-1"),
            ("K", 1, "ppb h-1"),
            ("K", 1, "%"),
            ("K", 1, "cm3 s-1"),
            ("K", 2, "ppb-1 s-1"),
            ("K", 2, "s-1"),
            ("EMIS(a)", 0, "s-1"),
            ("EMIS(a)", 0, "cm3 molecule-1 s-1"),
            ("USER(a)", 2, "s-1"),
            ("USER(a)", 2, "ppb-1 s-1"),
        ] {
            let why = read_of((name, false, Some(order)), text, 1.0).0.unwrap_err();
            let words = format!("{name} has units {text:?}, which do not convert to ");
            assert!(why.starts_with(&words) && why.ends_with(&format!("of order {order}")), "{why}");
        }
        // In a formula of its own a unit is not known: a part of the air is no number without dimension.
        for text in ["ppb h-1", "mol mol-1 s-1", "ppb-1 s-1", "kg kg-1 s-1"] {
            let (got, said) = read("K", false, text, 3.0);
            assert!(got == Ok(3.0) && said[0].contains("is taken as it is, in"), "{text}: {got:?} {said:?}");
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
