//! What a scheme says of a field.

use core::fmt;

use super::dimension::Dimension;
use crate::Real;

/// What a field holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Numbers in the precision of the batch.
    Real,
    /// Words of 32 bits: counts, indices, statuses, masks.
    Word,
}

/// The numbers that a field accepts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Accepted {
    /// Every finite one.
    Finite,
    /// Between two numbers, these among them.
    Within(f64, f64),
    /// Above the first, and up to the second.
    Above(f64, f64),
    /// Between two numbers, without these.
    Between(f64, f64),
    /// The first alone, or what lies within the two others, these among them.
    OneOrWithin(f64, f64, f64),
    /// A few numbers alone.
    OneOf(&'static [f64]),
    /// Every pattern of bits: the scheme itself says what is wrong.
    Anything,
}

impl Accepted {
    /// The least and the largest number, as far as there are any: those between are not all accepted.
    #[must_use]
    pub fn ends(self) -> (f64, f64) {
        match self {
            Self::Within(low, high) | Self::Above(low, high) | Self::Between(low, high) => (low, high),
            Self::OneOrWithin(one, low, high) => (Real::min(one, low), Real::max(one, high)),
            Self::OneOf(numbers) => numbers.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), &number| {
                (Real::min(low, number), Real::max(high, number))
            }),
            Self::Finite | Self::Anything => (f64::NEG_INFINITY, f64::INFINITY),
        }
    }

    /// The same of numbers that are rounded to `R`, as a number at the end of a range is; what is one of a list stays.
    #[must_use]
    pub fn rounded<R: Real>(self) -> Self {
        let round = |end: f64| R::from_f64(end).value();
        match self {
            Self::Within(low, high) => Self::Within(round(low), round(high)),
            Self::Above(low, high) => Self::Above(round(low), round(high)),
            Self::Between(low, high) => Self::Between(round(low), round(high)),
            Self::OneOrWithin(one, low, high) => Self::OneOrWithin(round(one), round(low), round(high)),
            Self::Finite | Self::OneOf(_) | Self::Anything => self,
        }
    }

    /// Is it accepted? NaN never is, unless everything is.
    #[must_use]
    pub fn fits(self, value: f64) -> bool {
        match self {
            Self::Finite => value.is_finite(),
            Self::Within(low, high) => value >= low && value <= high && value.is_finite(),
            Self::Above(low, high) => value > low && value <= high && value.is_finite(),
            Self::Between(low, high) => value > low && value < high,
            Self::OneOrWithin(one, low, high) => value == one || (value >= low && value <= high),
            Self::OneOf(numbers) => numbers.contains(&value),
            Self::Anything => true,
        }
    }
}

impl fmt::Display for Accepted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let end = |high: f64| if high.is_finite() { "]" } else { ")" };
        match *self {
            Self::Finite => write!(f, "a finite number"),
            Self::Within(low, high) => write!(f, "in [{}, {}{}", Plain(low), Plain(high), end(high)),
            Self::Above(low, high) => write!(f, "in ({}, {}{}", Plain(low), Plain(high), end(high)),
            Self::Between(low, high) => write!(f, "in ({}, {})", Plain(low), Plain(high)),
            Self::OneOrWithin(one, low, high) => {
                write!(f, "{} or in [{}, {}{}", Plain(one), Plain(low), Plain(high), end(high))
            }
            Self::OneOf(numbers) => {
                for (i, &number) in numbers.iter().enumerate() {
                    write!(f, "{}{}", if i == 0 { "" } else { " or " }, Plain(number))?;
                }
                Ok(())
            }
            Self::Anything => write!(f, "anything"),
        }
    }
}

/// A number as one writes it: 0.001 and 1e-6, 400 and 1e5.
struct Plain(f64);

impl fmt::Display for Plain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(value) = *self;
        let size = if value < 0.0 { -value } else { value };
        if size == 0.0 || !value.is_finite() || (1e-3..1e5).contains(&size) {
            write!(f, "{value}")
        } else {
            write!(f, "{value:e}")
        }
    }
}

/// What a scheme makes of a field with the options of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// It has to be there.
    Required,
    /// It may be left out.
    Optional,
    /// It is not read.
    Ignored,
}

/// The unit of a field whose numbers may have any: what comes out has the same.
pub const ANY_UNIT: &str = "any unit";

/// A field of a scheme, as its `fields.rs` declares it: by [`crate::fields!`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Declared {
    /// The Rust name, with the unit.
    pub name: &'static str,
    /// What it holds.
    pub kind: Kind,
    /// Its dimensions besides the items, the slowest first; none for a value an item.
    pub shape: &'static [Dimension],
    /// The unit as `UDUNITS` writes it, or [`ANY_UNIT`].
    pub unit: &'static str,
    /// The numbers that are accepted.
    pub accepted: Accepted,
    /// CF's standard names under which files have it.
    pub standard_names: &'static [&'static str],
    /// The name in files that Isobar writes, and first of those that it reads.
    pub file_name: &'static str,
    /// Aliases under which files have it: the reference model's, WRF's.
    pub aliases: &'static [&'static str],
    /// The name in a column model's state, where it is not CF's.
    pub name_in_state: Option<&'static str>,
    /// May it be left out?
    pub optional: bool,
    /// What it is, in a line.
    pub doc: &'static str,
}

impl Declared {
    /// The field of a scheme with a name, such as `temperature_k`.
    ///
    /// # Panics
    /// There is none of this name.
    #[must_use]
    pub fn named(all: &'static [Self], name: &str) -> &'static Self {
        all.iter().find(|declared| declared.name == name).unwrap_or_else(|| panic!("no field is named {name}"))
    }

    /// The name by which a column model's state knows it: that of [`Declared::in_state`], or CF's first, or that in
    /// files.
    #[must_use]
    pub const fn state_name(&self) -> &'static str {
        match (self.name_in_state, self.standard_names) {
            (Some(name), _) => name,
            (None, [name, ..]) => name,
            (None, []) => self.file_name,
        }
    }

    /// What is made of it unless the options say otherwise.
    #[must_use]
    pub const fn need(&self) -> Need {
        if self.optional { Need::Optional } else { Need::Required }
    }

    /// A field that is needed and takes every finite number, under the Rust name.
    #[must_use]
    pub const fn new(
        name: &'static str,
        kind: Kind,
        shape: &'static [Dimension],
        unit: &'static str,
        doc: &'static str,
    ) -> Self {
        Self {
            name,
            kind,
            shape,
            unit,
            accepted: Accepted::Finite,
            standard_names: &[],
            file_name: name,
            aliases: &[],
            name_in_state: None,
            optional: false,
            doc,
        }
    }

    /// Accepts what lies between two numbers, these among them.
    #[must_use]
    pub const fn within(self, low: f64, high: f64) -> Self {
        Self { accepted: Accepted::Within(low, high), ..self }
    }

    /// Accepts what lies above the first number, and up to the second.
    #[must_use]
    pub const fn above(self, low: f64, high: f64) -> Self {
        Self { accepted: Accepted::Above(low, high), ..self }
    }

    /// Accepts what lies between two numbers, without these.
    #[must_use]
    pub const fn between(self, low: f64, high: f64) -> Self {
        Self { accepted: Accepted::Between(low, high), ..self }
    }

    /// Accepts what is said by an [`Accepted`].
    #[must_use]
    pub const fn accepts(self, accepted: Accepted) -> Self {
        Self { accepted, ..self }
    }

    /// CF's standard names.
    #[must_use]
    pub const fn cf(self, standard_names: &'static [&'static str]) -> Self {
        Self { standard_names, ..self }
    }

    /// The name in files that Isobar writes.
    #[must_use]
    pub const fn file(self, file_name: &'static str) -> Self {
        Self { file_name, ..self }
    }

    /// Adds aliases under which files have it.
    #[must_use]
    pub const fn aliases(self, aliases: &'static [&'static str]) -> Self {
        Self { aliases, ..self }
    }

    /// The name in a column model's state, where CF has none, or one that means several fields.
    #[must_use]
    pub const fn in_state(self, name: &'static str) -> Self {
        Self { name_in_state: Some(name), ..self }
    }

    /// It may be left out: without it there is no such thing.
    #[must_use]
    pub const fn optional(self) -> Self {
        Self { optional: true, ..self }
    }
}
