//! Keys of what a case prescribes by time and height: a number, or a table.

use std::fmt;

use serde::de::value::MapAccessDeserializer;
use serde::de::{Error as _, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use toml::Spanned;

/// Upward fluxes through the surface by time, both as energy or both kinematic.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SurfaceFluxSection {
    pub(super) sensible_w_per_m2: Option<Spanned<Prescribed>>,
    pub(super) latent_w_per_m2: Option<Spanned<Prescribed>>,
    /// The flux of potential temperature, which is multiplied by density and heat capacity of the air at the surface.
    pub(super) kinematic_heat_k_m_per_s: Option<Spanned<Prescribed>>,
    /// The flux of the mixing ratio, which is multiplied by the density.
    pub(super) kinematic_moisture_m_per_s: Option<Spanned<Prescribed>>,
}

/// Forcing by time and height.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ForcingSection {
    /// Geostrophic wind; a component that is not given is the start's wind.
    pub(super) geostrophic_east_m_per_s: Option<Spanned<Prescribed>>,
    pub(super) geostrophic_north_m_per_s: Option<Spanned<Prescribed>>,
    /// Upward: less than 0 where air sinks.
    pub(super) vertical_velocity_m_per_s: Option<Spanned<Prescribed>>,
    /// Or the rate of change of the pressure of moving air: above 0 where it sinks.
    pub(super) pressure_velocity_pa_per_s: Option<Spanned<Prescribed>>,
    /// Advective tendencies, of temperature, not of potential temperature; of the mixing ratio; of the wind.
    pub(super) temperature_k_per_s: Option<Spanned<Prescribed>>,
    pub(super) vapour_per_s: Option<Spanned<Prescribed>>,
    pub(super) wind_east_m_per_s2: Option<Spanned<Prescribed>>,
    pub(super) wind_north_m_per_s2: Option<Spanned<Prescribed>>,
}

/// A number, or values at times, at heights, or at both.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Prescribed {
    Constant(f64),
    Table { time_s: Option<Vec<f64>>, height_m: Option<Vec<f64>>, value: Rows },
}

/// Values, or rows of them.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Rows {
    One(Vec<f64>),
    Many(Vec<Vec<f64>>),
}

impl<'de> Deserialize<'de> for Prescribed {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Keys {
            time_s: Option<Vec<f64>>,
            height_m: Option<Vec<f64>>,
            value: Rows,
        }

        struct NumberOrTable;

        impl<'de> Visitor<'de> for NumberOrTable {
            type Value = Prescribed;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number, or a table of time_s or height_m or both, and value")
            }

            fn visit_f64<E: serde::de::Error>(self, value: f64) -> Result<Prescribed, E> {
                Ok(Prescribed::Constant(value))
            }

            fn visit_i64<E: serde::de::Error>(self, value: i64) -> Result<Prescribed, E> {
                Ok(Prescribed::Constant(value as f64))
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Prescribed, A::Error> {
                let Keys { time_s, height_m, value } = Keys::deserialize(MapAccessDeserializer::new(map))?;
                Ok(Prescribed::Table { time_s, height_m, value })
            }
        }

        deserializer.deserialize_any(NumberOrTable)
    }
}

impl<'de> Deserialize<'de> for Rows {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Item;
        struct NumberOrRow(Vec<f64>, bool);

        impl<'de> Deserialize<'de> for NumberOrRow {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                deserializer.deserialize_any(Item)
            }
        }

        impl<'de> Visitor<'de> for Item {
            type Value = NumberOrRow;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number, or a row of numbers")
            }

            fn visit_f64<E: serde::de::Error>(self, value: f64) -> Result<NumberOrRow, E> {
                Ok(NumberOrRow(vec![value], false))
            }

            fn visit_i64<E: serde::de::Error>(self, value: i64) -> Result<NumberOrRow, E> {
                Ok(NumberOrRow(vec![value as f64], false))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut sequence: A) -> Result<NumberOrRow, A::Error> {
                let mut row = Vec::new();
                while let Some(value) = sequence.next_element()? {
                    row.push(value);
                }
                Ok(NumberOrRow(row, true))
            }
        }

        let items = Vec::<NumberOrRow>::deserialize(deserializer)?;
        let rows = items.iter().filter(|item| item.1).count();
        if rows > 0 && rows < items.len() {
            return Err(D::Error::custom("numbers and rows of numbers are mixed"));
        }
        let items = items.into_iter().map(|item| item.0);
        Ok(if rows > 0 { Self::Many(items.collect()) } else { Self::One(items.flatten().collect()) })
    }
}
