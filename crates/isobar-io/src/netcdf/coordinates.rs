//! Variables that say where and when, for a file of results on the same grid.

use netcdf_reader::{NcAttrValue, NcType, NcVariable};

use super::unread::says_where;
use super::{Dataset, attribute, values};

/// A variable that is carried over into a file of results: with its name, dimensions and attributes.
#[derive(Clone, Debug, PartialEq)]
pub struct Coordinate {
    /// Its name.
    pub name: String,
    /// Names and sizes of its dimensions, slowest first.
    pub dimensions: Vec<(String, usize)>,
    /// Its attributes, but for those of packing and missing values.
    pub(super) attributes: Vec<(String, NcAttrValue)>,
    pub(super) values: Values,
}

/// Numbers as the file has them, or as doubles if no older format has such.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Values {
    Float(Vec<f32>),
    Double(Vec<f64>),
    Int(Vec<i32>),
}

impl Coordinate {
    /// Its values.
    #[must_use]
    pub fn numbers(&self) -> Vec<f64> {
        match &self.values {
            Values::Float(values) => values.iter().map(|&value| f64::from(value)).collect(),
            Values::Double(values) => values.clone(),
            Values::Int(values) => values.iter().map(|&value| f64::from(value)).collect(),
        }
    }

    /// An attribute that is a text.
    #[must_use]
    pub fn text(&self, name: &str) -> Option<String> {
        self.attributes.iter().find(|(known, _)| known == name).and_then(|(_, value)| value.as_string())
    }
}

/// A grid of results: what says where its points are, and attributes that name this.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Coordinates {
    /// Coordinates, their bounds, and the mapping of the grid.
    pub variables: Vec<Coordinate>,
    /// `coordinates` and `grid_mapping` of what has values at all points.
    pub attributes: Vec<(String, String)>,
}

/// Attributes of what is stored, not of what is meant.
const OF_STORAGE: [&str; 12] = [
    "_FillValue",
    "missing_value",
    "scale_factor",
    "add_offset",
    "valid_min",
    "valid_max",
    "valid_range",
    "_Unsigned",
    "CLASS",
    "NAME",
    "REFERENCE_LIST",
    "DIMENSION_LIST",
];
/// Bounds have no more vertices.
const MOST_VERTICES: u64 = 8;

impl Dataset {
    /// The coordinates of these dimensions, and what they and a variable's attributes name.
    pub(crate) fn coordinates_of(&self, dimensions: &[String]) -> Coordinates {
        let runs_along = |variable: &NcVariable, spare: bool| {
            variable.dimensions.iter().all(|one| dimensions.contains(&one.name) || (spare && one.size <= MOST_VERTICES))
        };
        let mut names: Vec<String> = self
            .variables
            .iter()
            .filter(|one| runs_along(one, false) && (dimensions.contains(&one.name) || says_where(one)))
            .map(|one| one.name.clone())
            .collect();
        // What has values at all points says which of them are its coordinates.
        let named_by_fields = |attribute: &str| -> Vec<String> {
            let fields = self.variables_in(&["K", "Pa"]);
            let mut all: Vec<String> = Vec::new();
            for text in fields.filter_map(|field| attribute::of(field, attribute)) {
                let words = text.split_whitespace().filter(|word| !word.ends_with(':')).map(str::to_owned);
                all.extend(words.filter(|word| !all.contains(word)).collect::<Vec<_>>());
            }
            all
        };
        let mappings = named_by_fields("grid_mapping");
        names.extend(mappings.iter().cloned());
        for attribute in ["bounds", "climatology", "formula_terms"] {
            let named: Vec<String> = names.iter().filter_map(|name| self.text_attribute(name, attribute)).collect();
            let words = named.iter().flat_map(|text| text.split_whitespace()).filter(|word| !word.ends_with(':'));
            names.extend(words.map(str::to_owned).collect::<Vec<_>>());
        }
        let mut variables: Vec<Coordinate> = Vec::new();
        for name in names {
            let found = self.variables.iter().find(|one| one.name == name && runs_along(one, true));
            if let Some(coordinate) = found.and_then(|variable| self.carried_over(variable))
                && variables.iter().all(|other| other.name != name)
            {
                variables.push(coordinate);
            }
        }
        let has = |name: &String| variables.iter().any(|one| one.name == *name);
        let auxiliary = variables
            .iter()
            .filter(|one| !dimensions.contains(&one.name) && !one.dimensions.is_empty() && is_a_place(&one.attributes));
        let mut auxiliary: Vec<String> = auxiliary.map(|one| one.name.clone()).collect();
        auxiliary.extend(named_by_fields("coordinates").into_iter().filter(&has));
        auxiliary.sort();
        auxiliary.dedup();
        let mappings: Vec<String> = mappings.into_iter().filter(has).collect();
        let attributes = [("coordinates", auxiliary), ("grid_mapping", mappings)];
        let attributes = attributes.into_iter().filter(|(_, names)| !names.is_empty());
        Coordinates {
            attributes: attributes.map(|(name, names)| (name.to_owned(), names.join(" "))).collect(),
            variables,
        }
    }

    /// A variable as it is, if it holds numbers.
    fn carried_over(&self, variable: &NcVariable) -> Option<Coordinate> {
        use NcType::{Byte, Double, Float, Int, Int64, Short, UByte, UInt, UInt64, UShort};
        let whole = matches!(variable.dtype, Byte | UByte | Short | UShort | Int | UInt | Int64 | UInt64);
        if !whole && !matches!(variable.dtype, Float | Double) {
            return None;
        }
        let numbers = values::unpacked(self.files.of(&variable.name), variable)?;
        let fits = |value: &f64| value.fract() == 0.0 && value.abs() <= f64::from(i32::MAX);
        let values = if whole && numbers.iter().all(fits) {
            Values::Int(numbers.iter().map(|&value| value as i32).collect())
        } else if variable.dtype == Float {
            Values::Float(numbers.iter().map(|&value| value as f32).collect())
        } else {
            Values::Double(numbers)
        };
        let attributes = variable.attributes.iter().filter(|one| !OF_STORAGE.contains(&one.name.as_str()));
        Some(Coordinate {
            name: variable.name.clone(),
            dimensions: variable.dimensions.iter().map(|one| (one.name.clone(), one.size as usize)).collect(),
            attributes: attributes.filter_map(|one| Some((one.name.clone(), writable(&one.value)?))).collect(),
            values,
        })
    }
}

/// Latitudes and longitudes.
fn is_a_place(attributes: &[(String, NcAttrValue)]) -> bool {
    attributes.iter().any(|(name, value)| {
        let text = value.as_string().unwrap_or_default();
        match name.as_str() {
            "standard_name" => ["latitude", "longitude"].contains(&text.as_str()),
            "units" => text.starts_with("degrees_") || text.starts_with("degree_"),
            _ => false,
        }
    })
}

/// A value that the oldest formats can hold.
fn writable(value: &NcAttrValue) -> Option<NcAttrValue> {
    Some(match value {
        NcAttrValue::Strings(_) => NcAttrValue::Chars(value.as_string()?),
        NcAttrValue::Chars(_)
        | NcAttrValue::Bytes(_)
        | NcAttrValue::Shorts(_)
        | NcAttrValue::Ints(_)
        | NcAttrValue::Floats(_)
        | NcAttrValue::Doubles(_) => value.clone(),
        NcAttrValue::UBytes(all) => whole(all.iter().map(|&value| value.into())),
        NcAttrValue::UShorts(all) => whole(all.iter().map(|&value| value.into())),
        NcAttrValue::UInts(all) => whole(all.iter().map(|&value| value.into())),
        NcAttrValue::Int64s(all) => whole(all.iter().map(|&value| value.into())),
        NcAttrValue::UInt64s(all) => whole(all.iter().map(|&value| value.into())),
        NcAttrValue::UserDefined { .. } => return None,
    })
}

/// Whole numbers as words of 32 bits, or where one is larger as doubles.
fn whole(all: impl Iterator<Item = i128> + Clone) -> NcAttrValue {
    let words: Option<Vec<i32>> = all.clone().map(|value| i32::try_from(value).ok()).collect();
    words.map_or_else(|| NcAttrValue::Doubles(all.map(|value| value as f64).collect()), NcAttrValue::Ints)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_of_any_size_are_written() {
        assert_eq!(writable(&NcAttrValue::Int64s(vec![90, -45])), Some(NcAttrValue::Ints(vec![90, -45])));
        let large = 1_i64 << 40;
        assert_eq!(writable(&NcAttrValue::Int64s(vec![large])), Some(NcAttrValue::Doubles(vec![large as f64])));
        assert_eq!(writable(&NcAttrValue::UBytes(vec![255])), Some(NcAttrValue::Ints(vec![255])));
    }
}
