//! The text of a unit: factors with powers, joined by blanks, `.`, `*`, `/` and parentheses.
//!
//! As in UDUNITS a division holds for one factor: `W/m2 sr` is `W m-2 sr`.

use super::{Ratio, Unit, UnitError, symbols};

/// Longer texts are no units; the limit bounds the depth of parentheses too.
const LONGEST: usize = 128;
/// No unit has a higher power.
const HIGHEST: i32 = 99;

pub(super) fn parse(text: &str) -> Result<Unit, UnitError> {
    if text.len() > LONGEST {
        return Err(UnitError(format!("a unit of {} characters", text.len())));
    }
    let plain = plain(text.trim_matches(|c: char| c.is_whitespace() || c == '\0'));
    let mut parser = Parser { rest: spelled(plain.trim()), grams: false, moles: false, shares: false };
    let mut unit = parser.product()?;
    if !parser.rest.is_empty() {
        return Err(UnitError(format!("{:?} is not understood", parser.rest)));
    }
    if unit.powers.iter().all(|&power| power == 0) && unit.ratio.is_none() {
        unit.ratio = match (parser.grams, parser.moles) {
            (true, false) => Some(Ratio::Mass),
            (false, true) => Some(Ratio::Amount),
            _ => None,
        };
    }
    let is_without = |base: &str| symbols::look_up(base).is_some_and(|base| !base.shares_powers(&unit));
    unit.factor = match parser {
        Parser { shares: true, .. } => Some(Ratio::Amount),
        Parser { grams: true, .. } if is_without("g") => Some(Ratio::Mass),
        Parser { moles: true, .. } if is_without("mol") => Some(Ratio::Amount),
        _ => None,
    };
    Ok(unit)
}

/// What is written in many ways, as one that is understood: ranges of fractions are no units of their own, a degree
/// with a blank is no product, and no field of a column is an electric charge.
fn spelled(text: &str) -> &str {
    let bare: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    match bare.as_str() {
        "" | "-" | "~" | "(0-1)" | "[0-1]" | "0-1" | "(0..1)" | "[0,1]" | "Numeric" | "numeric" => "1",
        "C" | "degC" | "degreeC" | "degreesC" | "degreeCelsius" | "degreesCelsius" | "°C" => "degC",
        "mofwaterequivalent" => "m",
        "degK" | "degreeK" | "degreesK" | "degreeKelvin" | "degreesKelvin" => "K",
        _ => text,
    }
}

/// Raised digits as plain ones, and powers without braces around them.
fn plain(text: &str) -> String {
    const RAISED: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    let digit = |c: char| match RAISED.iter().position(|&raised| raised == c) {
        Some(digit) => b"0123456789"[digit] as char,
        None if c == '⁻' || c == '−' => '-',
        None if c == '·' => '.',
        None => c,
    };
    text.chars().filter(|c| !matches!(c, '{' | '}')).map(digit).collect()
}

struct Parser<'a> {
    rest: &'a str,
    /// Whether a mass and an amount were among the factors.
    grams: bool,
    moles: bool,
    /// Whether a ppb, a percentage or the like was.
    shares: bool,
}

impl Parser<'_> {
    fn product(&mut self) -> Result<Unit, UnitError> {
        let mut unit = self.factor()?;
        loop {
            let trimmed = self.rest.trim_start();
            let blank = trimmed.len() < self.rest.len();
            self.rest = trimmed;
            let factor = if self.take("/") || self.take("per ") {
                self.factor()?.inverse()
            } else if self.take(".") || self.take("*") {
                self.factor()?
            } else if self.rest.is_empty() || self.rest.starts_with(')') {
                return Ok(unit);
            } else if blank || self.rest.starts_with('(') {
                self.factor()?
            } else {
                return Err(UnitError(format!("{:?} is not understood", self.rest)));
            };
            unit = unit.times(factor).ok_or_else(|| UnitError("a number is too large".into()))?;
        }
    }

    fn factor(&mut self) -> Result<Unit, UnitError> {
        self.rest = self.rest.trim_start();
        let base = if self.take("(") {
            let inner = self.product()?;
            if !self.take(")") {
                return Err(UnitError("a parenthesis is not closed".into()));
            }
            inner
        } else if self.rest.starts_with(|c: char| c.is_ascii_digit()) {
            self.number()?
        } else {
            self.symbol()?
        };
        let raised = self.take("**") || self.take("^");
        match self.power()? {
            Some(power) => base.to_power(power).ok_or_else(|| UnitError("a power is too large".into())),
            None if raised => Err(UnitError("a power is missing".into())),
            None => Ok(base),
        }
    }

    /// A whole number with or without a sign, if there is one.
    fn power(&mut self) -> Result<Option<i32>, UnitError> {
        let sign = usize::from(self.rest.starts_with(['-', '+']));
        let digits = self.rest[sign..].bytes().take_while(u8::is_ascii_digit).count();
        if digits == 0 {
            return Ok(None);
        }
        let (text, rest) = self.rest.split_at(sign + digits);
        let power = text.parse().ok().filter(|power: &i32| power.abs() <= HIGHEST);
        self.rest = rest;
        power.map(Some).ok_or_else(|| UnitError(format!("the power {text} is too large")))
    }

    /// A decimal number as an integer and a power of ten.
    fn number(&mut self) -> Result<Unit, UnitError> {
        let bytes = self.rest.as_bytes();
        let digits_from = |start: usize| bytes[start..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        let mut end = digits_from(0);
        let mut decimals = 0;
        if bytes.get(end) == Some(&b'.') {
            decimals = digits_from(end + 1);
            // Without decimals the point is a product, but for "1.e-6", as Fortran writes it.
            let exponent = matches!(bytes.get(end + 1), Some(b'e' | b'E'))
                && bytes[end + 2..].iter().find(|byte| !matches!(byte, b'-' | b'+')).is_some_and(u8::is_ascii_digit);
            end += if decimals > 0 || exponent { decimals + 1 } else { 0 };
        }
        let mantissa: String = self.rest[..end].chars().filter(|&c| c != '.').collect();
        let mut tens = -(decimals as i32);
        if matches!(bytes.get(end), Some(b'e' | b'E')) {
            let sign = usize::from(matches!(bytes.get(end + 1), Some(b'-' | b'+')));
            let digits = bytes.get(end + 1 + sign..).map_or(0, |_| digits_from(end + 1 + sign));
            if digits > 0 {
                let stop = end + 1 + sign + digits;
                let shift: i32 = self.rest[end + 1..stop].parse().unwrap_or(i32::MAX);
                tens = tens.saturating_add(shift);
                end = stop;
            }
        }
        let text = &self.rest[..end];
        let value: f64 = mantissa.parse().unwrap_or(0.0);
        if value == 0.0 || mantissa.len() > 15 || tens.abs() >= 300 {
            return Err(UnitError(format!("the factor {text} is not accepted")));
        }
        self.rest = &self.rest[end..];
        Ok(Unit { numerator: value, tens, ..Unit::ONE })
    }

    fn symbol(&mut self) -> Result<Unit, UnitError> {
        let end =
            self.rest.find(|c: char| !(c.is_alphabetic() || matches!(c, '_' | '%' | '°'))).unwrap_or(self.rest.len());
        let (symbol, rest) = self.rest.split_at(end);
        if symbol.is_empty() {
            return Err(UnitError(format!("{:?} is not understood", self.rest)));
        }
        let unit = symbols::look_up(symbol).ok_or_else(|| UnitError(format!("{symbol:?} is not a known unit")))?;
        let is = |base: &str| symbols::look_up(base).is_some_and(|base| base.powers == unit.powers);
        self.grams |= is("g");
        self.moles |= is("mol");
        let has_dimension = unit.powers.iter().any(|&power| power != 0);
        self.shares |= !has_dimension && (unit.tens != 0 || unit.ratio.is_some());
        self.rest = rest;
        Ok(unit)
    }

    fn take(&mut self, text: &str) -> bool {
        match self.rest.strip_prefix(text) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }
}
