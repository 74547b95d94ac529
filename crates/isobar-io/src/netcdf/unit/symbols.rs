//! The symbols and prefixes of units.

use std::f64::consts::PI;

use super::{BASES, Ratio, Unit};

const NONE: [i32; BASES] = [0; BASES];
const MASS: [i32; BASES] = [1, 0, 0, 0, 0, 0, 0, 0, 0];
const LENGTH: [i32; BASES] = [0, 1, 0, 0, 0, 0, 0, 0, 0];
const TIME: [i32; BASES] = [0, 0, 1, 0, 0, 0, 0, 0, 0];
const TEMPERATURE: [i32; BASES] = [0, 0, 0, 1, 0, 0, 0, 0, 0];
const AMOUNT: [i32; BASES] = [0, 0, 0, 0, 1, 0, 0, 0, 0];
const CURRENT: [i32; BASES] = [0, 0, 0, 0, 0, 1, 0, 0, 0];
const LIGHT: [i32; BASES] = [0, 0, 0, 0, 0, 0, 1, 0, 0];
const ANGLE: [i32; BASES] = [0, 0, 0, 0, 0, 0, 0, 1, 0];
const SOLID_ANGLE: [i32; BASES] = [0, 0, 0, 0, 0, 0, 0, 0, 1];
const SPEED: [i32; BASES] = [0, 1, -1, 0, 0, 0, 0, 0, 0];
const FREQUENCY: [i32; BASES] = [0, 0, -1, 0, 0, 0, 0, 0, 0];
const FORCE: [i32; BASES] = [1, 1, -2, 0, 0, 0, 0, 0, 0];
const PRESSURE: [i32; BASES] = [1, -1, -2, 0, 0, 0, 0, 0, 0];
const ENERGY: [i32; BASES] = [1, 2, -2, 0, 0, 0, 0, 0, 0];
const POWER: [i32; BASES] = [1, 2, -3, 0, 0, 0, 0, 0, 0];
const WAVENUMBER: [i32; BASES] = [0, -1, 0, 0, 0, 0, 0, 0, 0];

/// `numerator / denominator * 10^tens` base units.
const fn unit(numerator: f64, denominator: f64, tens: i32, powers: [i32; BASES]) -> Unit {
    Unit { numerator, denominator, tens, zero: 0.0, powers, ratio: None, factor: None }
}

const fn si(powers: [i32; BASES]) -> Unit {
    unit(1.0, 1.0, 0, powers)
}

const fn share(tens: i32, ratio: Option<Ratio>) -> Unit {
    Unit { numerator: 1.0, denominator: 1.0, tens, zero: 0.0, powers: NONE, ratio, factor: None }
}

/// Symbols that take the prefixes of one letter.
fn short(symbol: &str) -> Option<Unit> {
    Some(match symbol {
        "g" => unit(1.0, 1.0, -3, MASS),
        "m" => si(LENGTH),
        "s" => si(TIME),
        "K" => si(TEMPERATURE),
        "mol" => si(AMOUNT),
        "A" => si(CURRENT),
        "cd" => si(LIGHT),
        "rad" => si(ANGLE),
        "sr" => si(SOLID_ANGLE),
        "Hz" => si(FREQUENCY),
        "N" => si(FORCE),
        "Pa" => si(PRESSURE),
        "J" => si(ENERGY),
        "W" => si(POWER),
        "bar" => unit(1.0, 1.0, 5, PRESSURE),
        _ => return None,
    })
}

/// Names that take the prefixes of several letters, and a plural.
fn long(name: &str) -> Option<Unit> {
    short(match name {
        "gram" => "g",
        "meter" | "metre" => "m",
        "second" => "s",
        "kelvin" => "K",
        "mole" => "mol",
        "ampere" => "A",
        "candela" => "cd",
        "radian" => "rad",
        "steradian" => "sr",
        "hertz" => "Hz",
        "newton" => "N",
        "pascal" => "Pa",
        "joule" => "J",
        "watt" => "W",
        "bar" => "bar",
        _ => return None,
    })
}

/// Symbols and names that take no prefix.
fn fixed(symbol: &str) -> Option<Unit> {
    Some(match symbol {
        "mb" | "mbars" => unit(1.0, 1.0, 2, PRESSURE),
        "atm" | "atmosphere" => unit(101_325.0, 1.0, 0, PRESSURE),
        "degK" | "deg_K" | "degree_K" | "degrees_K" | "Kelvin" | "degree_Kelvin" | "degrees_Kelvin"
        | "degree_kelvin" | "degrees_kelvin" => si(TEMPERATURE),
        "degC" | "deg_C" | "°C" | "Celsius" | "celsius" | "degree_C" | "degrees_C" | "degree_Celsius"
        | "degrees_Celsius" | "degree_celsius" | "degrees_celsius" => Unit { zero: 273.15, ..si(TEMPERATURE) },
        "degF" | "deg_F" | "°F" | "Fahrenheit" | "fahrenheit" | "degree_Fahrenheit" | "degrees_Fahrenheit" => {
            Unit { zero: 459.67, ..unit(5.0, 9.0, 0, TEMPERATURE) }
        }
        "min" | "minute" | "minutes" => unit(60.0, 1.0, 0, TIME),
        "h" | "hr" | "hrs" | "hour" | "hours" => unit(3600.0, 1.0, 0, TIME),
        "d" | "day" | "days" => unit(86_400.0, 1.0, 0, TIME),
        "sec" | "secs" => si(TIME),
        "degree" | "degrees" | "deg" | "arc_degree" | "°" | "degree_north" | "degrees_north" | "degree_N"
        | "degrees_N" | "degree_east" | "degrees_east" | "degree_E" | "degrees_E" => unit(PI, 180.0, 0, ANGLE),
        "knot" | "knots" | "kt" | "kts" => unit(1852.0, 3600.0, 0, SPEED),
        "micron" | "microns" => unit(1.0, 1.0, -6, LENGTH),
        "kayser" | "kaysers" => unit(1.0, 1.0, 2, WAVENUMBER),
        "l" | "L" | "liter" | "litre" | "liters" | "litres" => unit(1.0, 1.0, -3, [0, 3, 0, 0, 0, 0, 0, 0, 0]),
        "molecule" | "molecules" | "molec" => unit(1.0, 6.022_140_76, -23, AMOUNT),
        "dimensionless" | "unitless" | "none" | "fraction" => share(0, None),
        "%" | "percent" => share(-2, None),
        "ppm" => share(-6, None),
        "ppb" => share(-9, None),
        "ppv" => share(0, Some(Ratio::Amount)),
        "ppmv" => share(-6, Some(Ratio::Amount)),
        "ppbv" => share(-9, Some(Ratio::Amount)),
        "pptv" => share(-12, Some(Ratio::Amount)),
        _ => return None,
    })
}

const LETTERS: [(&str, i32); 19] = [
    ("da", 1),
    ("Y", 24),
    ("Z", 21),
    ("E", 18),
    ("P", 15),
    ("T", 12),
    ("G", 9),
    ("M", 6),
    ("k", 3),
    ("h", 2),
    ("d", -1),
    ("c", -2),
    ("m", -3),
    ("u", -6),
    ("µ", -6),
    ("μ", -6),
    ("n", -9),
    ("p", -12),
    ("f", -15),
];
const WORDS: [(&str, i32); 14] = [
    ("tera", 12),
    ("giga", 9),
    ("mega", 6),
    ("kilo", 3),
    ("hecto", 2),
    ("deca", 1),
    ("deci", -1),
    ("centi", -2),
    ("milli", -3),
    ("micro", -6),
    ("nano", -9),
    ("pico", -12),
    ("femto", -15),
    ("atto", -18),
];

/// The unit of a symbol with or without a prefix. A symbol as it stands comes first: `min` is a minute, `cd` a candela.
pub(super) fn look_up(symbol: &str) -> Option<Unit> {
    let singular = symbol.strip_suffix('s').unwrap_or(symbol);
    fixed(symbol)
        .or_else(|| short(symbol))
        .or_else(|| long(singular))
        .or_else(|| prefixed(symbol, &LETTERS, short))
        .or_else(|| prefixed(singular, &WORDS, long))
}

fn prefixed(symbol: &str, prefixes: &[(&str, i32)], unit: fn(&str) -> Option<Unit>) -> Option<Unit> {
    prefixes.iter().find_map(|(prefix, tens)| {
        let mut unit = unit(symbol.strip_prefix(prefix)?)?;
        unit.tens += tens;
        Some(unit)
    })
}
