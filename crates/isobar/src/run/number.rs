//! Numbers of a case file with their ranges. The reader adds the line.

use std::fmt;

use serde::de::{Error, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

/// A value of the first column and one of the last, between which the others lie evenly.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Spread(pub(super) [f64; 2]);

impl Spread {
    /// Are they different values?
    pub(super) fn is_pair(&self) -> bool {
        self.0[0] != self.0[1]
    }

    /// The values of `columns` columns.
    pub(super) fn values(&self, columns: usize) -> Vec<f64> {
        let [first, last] = self.0;
        let share = |column: usize| column as f64 / columns.saturating_sub(1).max(1) as f64;
        (0..columns).map(|column| first + share(column) * (last - first)).collect()
    }
}

impl<'de> Deserialize<'de> for Spread {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct OneOrTwo;

        impl<'de> Visitor<'de> for OneOrTwo {
            type Value = Spread;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number, or a pair of the first column's and the last column's")
            }

            fn visit_f64<E: Error>(self, value: f64) -> Result<Spread, E> {
                Ok(Spread([value; 2]))
            }

            fn visit_i64<E: Error>(self, value: i64) -> Result<Spread, E> {
                Ok(Spread([value as f64; 2]))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut sequence: A) -> Result<Spread, A::Error> {
                let mut values = [0.0; 2];
                for (i, value) in values.iter_mut().enumerate() {
                    *value = sequence.next_element()?.ok_or_else(|| A::Error::invalid_length(i, &self))?;
                }
                match sequence.next_element::<f64>()? {
                    Some(_) => Err(A::Error::invalid_length(3, &self)),
                    None => Ok(Spread(values)),
                }
            }
        }

        deserializer.deserialize_any(OneOrTwo)
    }
}

macro_rules! ranges {
    ($($name:ident: $type:ty, $words:literal, $fits:expr;)*) => {$(
        pub(super) fn $name<'de, D: Deserializer<'de>>(deserializer: D) -> Result<$type, D::Error> {
            let value = <$type>::deserialize(deserializer)?;
            let fits: fn($type) -> bool = $fits;
            if fits(value) { Ok(value) } else { Err(D::Error::custom(format!("{value} is not {}", $words))) }
        }
    )*};
}

ranges! {
    positive: f64, "in (0, inf)", |x| x > 0.0 && x < f64::INFINITY;
    relative_tolerance: f64, "in (2.2e-15, 1)", |x| x > 10.0 * f64::EPSILON && x < 1.0;
    heat_capacity: f64, "in [0.001, 1e12]", |x| (1e-3..=1e12).contains(&x);
    not_negative: f64, "in [0, inf)", |x| (0.0..f64::INFINITY).contains(&x);
    fraction: f64, "in [0, 1]", |x| (0.0..=1.0).contains(&x);
    hour: f64, "in [0, 24)", |x| (0.0..24.0).contains(&x);
    stretch: f64, "in [1, 4]", |x| (1.0..=4.0).contains(&x);
    steps: u64, "a number of steps of at least 1", |x| x >= 1;
}

macro_rules! that_may_be_left_out {
    ($($name:ident: $range:ident;)*) => {$(
        pub(super) fn $name<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<f64>, D::Error> {
            $range(deserializer).map(Some)
        }
    )*};
}

that_may_be_left_out! {
    any_heat_capacity: heat_capacity;
    any_not_negative: not_negative;
    any_hour: hour;
}

#[cfg(test)]
mod tests {
    use super::Spread;

    #[test]
    fn values_lie_evenly_between_the_first_and_the_last() {
        assert_eq!(Spread([0.0, 6.0]).values(4), [0.0, 2.0, 4.0, 6.0]);
        assert_eq!(Spread([3.0, 9.0]).values(1), [3.0]);
    }
}
