//! Units of measurement as UDUNITS and CF write them, and conversion between them.
//!
//! A unit is a factor times a product of powers of base units. `sr` and `rad` are base units of their own, so that a
//! flux is not taken for a radiance. Factors are kept as a quotient and a power of ten: between decimal units a
//! conversion is one correctly rounded multiplication or division.

mod parse;
mod symbols;

use std::fmt;
use std::str::FromStr;

/// kg, m, s, K, mol, A, cd, rad, sr.
const BASES: usize = 9;

/// What a ratio without dimension is a ratio of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ratio {
    Mass,
    Amount,
}

/// A unit of measurement.
#[derive(Clone, Debug, PartialEq)]
pub struct Unit {
    /// One of this unit is `numerator / denominator * 10^tens` in base units.
    numerator: f64,
    denominator: f64,
    tens: i32,
    /// Added to a value before it is scaled: 273.15 for degrees Celsius.
    zero: f64,
    powers: [i32; BASES],
    ratio: Option<Ratio>,
    /// A ratio among its factors, as in `ppb h-1`, where `ratio` is that of the whole.
    factor: Option<Ratio>,
}

/// Why a text is not a unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnitError(String);

impl fmt::Display for UnitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for UnitError {}

impl FromStr for Unit {
    type Err = UnitError;

    fn from_str(text: &str) -> Result<Self, UnitError> {
        parse::parse(text)
    }
}

impl Unit {
    const ONE: Self =
        Self { numerator: 1.0, denominator: 1.0, tens: 0, zero: 0.0, powers: [0; BASES], ratio: None, factor: None };

    /// How values in this unit become values in `other`; nothing where the two measure different things, which includes
    /// a mass ratio (`kg kg-1`) and an amount ratio (`mol mol-1`, `ppmv`). A plain `1` or `ppm` is taken for either.
    #[must_use]
    pub fn conversion(&self, other: &Self) -> Option<Conversion> {
        let ratios_differ = self.ratio.is_some() && other.ratio.is_some() && self.ratio != other.ratio;
        if self.powers != other.powers || ratios_differ {
            return None;
        }
        let mut multiply = self.numerator * other.denominator;
        let mut divide = self.denominator * other.numerator;
        let tens = self.tens - other.tens;
        if tens > 0 {
            multiply *= power_of_ten(tens.unsigned_abs());
        } else {
            divide *= power_of_ten(tens.unsigned_abs());
        }
        let common = common_factor(multiply, divide);
        (multiply, divide) = (multiply / common, divide / common);
        let usable = |factor: f64| factor.is_finite() && factor > 0.0;
        if !usable(multiply) || !usable(divide) {
            return None;
        }
        let (add, subtract) =
            if multiply == divide && self.zero == other.zero { (0.0, 0.0) } else { (self.zero, other.zero) };
        Some(Conversion { add, multiply, divide, subtract })
    }

    /// Is a ratio among its factors, as a mole fraction in `ppb`, `ppb h-1` or `mol mol-1 s-1`, or a percentage?
    #[must_use]
    pub(crate) fn has_ratio(&self) -> bool {
        self.factor.is_some()
    }

    /// Is that a mole fraction, or may it be one?
    #[must_use]
    pub(crate) fn has_mole_fraction(&self) -> bool {
        self.factor == Some(Ratio::Amount)
    }

    /// Have the two a base unit in common?
    fn shares_powers(&self, other: &Self) -> bool {
        self.powers.iter().zip(other.powers).any(|(&own, other)| own != 0 && other != 0)
    }

    fn times(self, other: Self) -> Option<Self> {
        let mut powers = self.powers;
        for (power, more) in powers.iter_mut().zip(other.powers) {
            *power = power.checked_add(more)?;
        }
        let unit = Self {
            numerator: self.numerator * other.numerator,
            denominator: self.denominator * other.denominator,
            tens: self.tens.checked_add(other.tens)?,
            // A product of temperatures is one of differences.
            zero: 0.0,
            powers,
            ratio: None,
            factor: None,
        };
        (unit.numerator.is_finite() && unit.denominator.is_finite() && unit.tens.abs() < 300).then_some(unit)
    }

    fn inverse(self) -> Self {
        let powers = self.powers.map(|power| -power);
        let (numerator, denominator) = (self.denominator, self.numerator);
        Self { numerator, denominator, tens: -self.tens, zero: 0.0, powers, ratio: None, factor: None }
    }

    fn to_power(&self, power: i32) -> Option<Self> {
        let one = if power < 0 { self.clone().inverse() } else { self.clone() };
        if power == 1 {
            return Some(one);
        }
        (0..power.unsigned_abs()).try_fold(Self::ONE, |product, _| product.times(one.clone()))
    }
}

/// From one unit to another: `(value + add) * multiply / divide - subtract`, where steps that change nothing are left
/// out, so that equal units keep every bit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Conversion {
    add: f64,
    multiply: f64,
    divide: f64,
    subtract: f64,
}

impl Conversion {
    /// Values stay as they are.
    pub(crate) const NONE: Self = Self { add: 0.0, multiply: 1.0, divide: 1.0, subtract: 0.0 };

    /// Whether values stay as they are, bit for bit.
    #[must_use]
    pub fn is_identity(&self) -> bool {
        self.add == 0.0 && self.multiply == 1.0 && self.divide == 1.0 && self.subtract == 0.0
    }

    /// One value, converted.
    #[must_use]
    pub fn apply(&self, mut value: f64) -> f64 {
        if self.add != 0.0 {
            value += self.add;
        }
        if self.multiply != 1.0 {
            value *= self.multiply;
        }
        if self.divide != 1.0 {
            value /= self.divide;
        }
        if self.subtract != 0.0 {
            value -= self.subtract;
        }
        value
    }
}

fn power_of_ten(power: u32) -> f64 {
    // Exact up to 10^22.
    (0..power).fold(1.0, |product, _| product * 10.0)
}

/// The largest common factor of two whole numbers; of others, the number itself if they are equal.
fn common_factor(a: f64, b: f64) -> f64 {
    if a == b {
        return a;
    }
    let whole = |x: f64| (1.0..9e15).contains(&x) && x.fract() == 0.0;
    if !whole(a) || !whole(b) {
        return 1.0;
    }
    let (mut a, mut b) = (a, b);
    while b != 0.0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests;
