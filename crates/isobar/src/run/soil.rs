//! Layers of soil below a slab: the keys of `[ground.soil]`, and what they mean.

use std::fmt;

use isobar_column::stages::SoilLayers;
use serde::de::{Error as _, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use toml::Spanned;

use super::error::Error;
use super::reader::CaseFile;

/// Layers of soil, from above; nothing flows out below the lowest one.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SoilSection {
    /// 0.001 to 100 m each, up to a hundred of them.
    pub(super) thickness_m: Spanned<Vec<f64>>,
    /// A number, or one a layer, as in the next two.
    pub(super) conductivity_w_per_m_k: Spanned<Layered>,
    pub(super) heat_capacity_j_per_m3_k: Spanned<Layered>,
    /// At the start; that of the slab without.
    pub(super) temperature_k: Option<Spanned<Layered>>,
}

/// A number for all layers, or one a layer.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Layered {
    One(f64),
    Each(Vec<f64>),
}

/// Layers of soil with their temperatures at the start; without, that of each column's slab.
pub(super) struct Soil {
    pub(super) layers: SoilLayers,
    pub(super) temperature_k: Option<Vec<f64>>,
}

/// The soil of a case below ground that is a slab or not, with the conductance from one to the other.
pub(super) fn soil(file: &CaseFile, section: &SoilSection, (is_slab, conductance): (bool, f64)) -> Result<Soil, Error> {
    if !is_slab {
        return Err(file.refuse(&section.thickness_m, "layers of soil are below a slab: kind = \"slab\" of [ground]"));
    }
    let thickness = section.thickness_m.get_ref();
    if !(1..=100).contains(&thickness.len()) {
        let problem = format!("{} layers of soil are not in [1, 100]", thickness.len());
        return Err(file.refuse(&section.thickness_m, problem));
    }
    let each = |given: &Spanned<Layered>, (low, high): (f64, f64)| {
        let values = match given.get_ref() {
            Layered::One(value) => vec![*value; thickness.len()],
            Layered::Each(values) => values.clone(),
        };
        if values.len() != thickness.len() {
            let problem = format!("{} values for {} layers of soil", values.len(), thickness.len());
            return Err(file.refuse(given, problem));
        }
        match values.iter().position(|value| !(low..=high).contains(value)) {
            Some(layer) => {
                Err(file.refuse(given, format!("layer {layer}: {} is not in [{low}, {high}]", values[layer])))
            }
            None => Ok(values),
        }
    };
    if let Some(layer) = thickness.iter().position(|value| !(1e-3..=100.0).contains(value)) {
        let problem = format!("layer {layer}: {} is not in [0.001, 100]", thickness[layer]);
        return Err(file.refuse(&section.thickness_m, problem));
    }
    let conductivity = each(&section.conductivity_w_per_m_k, (1e-3, 100.0))?;
    let capacity = each(&section.heat_capacity_j_per_m3_k, (1e4, 1e7))?;
    let temperature_k = section.temperature_k.as_ref().map(|given| each(given, (150.0, 350.0))).transpose()?;
    let layers = SoilLayers::new(thickness.clone(), &conductivity, &capacity, conductance);
    let layers = layers.map_err(|error| file.refuse(&section.thickness_m, error))?;
    Ok(Soil { layers, temperature_k })
}

impl Soil {
    /// The temperatures of columns whose slabs are so warm, `[layer * columns + column]`.
    pub(super) fn at_start(&self, slab_k: &[f64]) -> Vec<f64> {
        let layer = |layer: usize| match &self.temperature_k {
            Some(values) => vec![values[layer]; slab_k.len()],
            None => slab_k.to_vec(),
        };
        (0..self.layers.count()).flat_map(layer).collect()
    }
}

impl<'de> Deserialize<'de> for Layered {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct NumberOrList;

        impl<'de> Visitor<'de> for NumberOrList {
            type Value = Layered;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number, or one for each layer of soil")
            }

            fn visit_f64<E: serde::de::Error>(self, value: f64) -> Result<Layered, E> {
                Ok(Layered::One(value))
            }

            fn visit_i64<E: serde::de::Error>(self, value: i64) -> Result<Layered, E> {
                Ok(Layered::One(value as f64))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut sequence: A) -> Result<Layered, A::Error> {
                let mut values = Vec::new();
                while let Some(value) = sequence.next_element::<f64>()? {
                    values.push(value);
                }
                if values.is_empty() {
                    return Err(A::Error::invalid_length(0, &self));
                }
                Ok(Layered::Each(values))
            }
        }

        deserializer.deserialize_any(NumberOrList)
    }
}
