//! Small files of coefficients, and what is changed in them.

use std::path::PathBuf;

use netcdf_writer::{NcAttrValue, NcFileBuilder, NcWriteFormat, NcWriteOptions};
use tempfile::TempDir;

#[derive(Clone)]
enum Values {
    Numbers(Vec<f64>),
    Texts(Vec<String>),
}

#[derive(Clone)]
struct Variable {
    name: String,
    dimensions: Vec<String>,
    unit: Option<String>,
    values: Values,
}

/// A file in the making that can be changed.
#[derive(Clone, Default)]
pub(crate) struct Tables {
    dimensions: Vec<(String, usize)>,
    variables: Vec<Variable>,
    attributes: Vec<(String, String)>,
}

/// How long texts are, with blanks.
const LENGTH: usize = 12;

impl Tables {
    pub(crate) fn new(dimensions: &[(&str, usize)]) -> Self {
        let dimensions = dimensions.iter().map(|&(name, size)| (name.to_owned(), size)).collect();
        Self { dimensions, ..Self::default() }
    }

    fn size(&self, name: &str) -> usize {
        self.dimensions.iter().find(|(other, _)| other == name).unwrap().1
    }

    fn add(mut self, what: &str, unit: Option<&str>, values: Values) -> Self {
        let (name, dimensions) = what.trim_end_matches(')').split_once('(').unwrap_or((what, ""));
        let dimensions = dimensions.split(", ").filter(|name| !name.is_empty()).map(str::to_owned).collect();
        self.variables.push(Variable { name: name.to_owned(), dimensions, unit: unit.map(str::to_owned), values });
        self
    }

    /// `name(dimension, dimension)` with these values, of which one alone is repeated.
    pub(crate) fn with(self, what: &str, unit: &str, values: &[f64]) -> Self {
        let dimensions = what.trim_end_matches(')').split_once('(').map_or("", |(_, dimensions)| dimensions);
        let count: usize = dimensions.split(", ").filter(|name| !name.is_empty()).map(|name| self.size(name)).product();
        let values = if values.len() == 1 { vec![values[0]; count] } else { values.to_vec() };
        assert_eq!(values.len(), count, "{what}");
        self.add(what, (!unit.is_empty()).then_some(unit), Values::Numbers(values))
    }

    pub(crate) fn texts(self, what: &str, texts: &[&str]) -> Self {
        self.add(what, None, Values::Texts(texts.iter().map(|&text| text.to_owned()).collect()))
    }

    pub(crate) fn attribute(mut self, name: &str, text: &str) -> Self {
        self.attributes.retain(|(other, _)| other != name);
        self.attributes.push((name.to_owned(), text.to_owned()));
        self
    }

    fn variable(&mut self, name: &str) -> &mut Variable {
        self.variables.iter_mut().find(|variable| variable.name == name).unwrap()
    }

    /// One value changed.
    pub(crate) fn set(mut self, name: &str, index: usize, value: f64) -> Self {
        let Values::Numbers(values) = &mut self.variable(name).values else { panic!("{name} holds texts") };
        assert!(values[index].to_bits() != value.to_bits(), "nothing is changed");
        values[index] = value;
        self
    }

    /// One text changed.
    pub(crate) fn set_text(mut self, name: &str, index: usize, text: &str) -> Self {
        let Values::Texts(texts) = &mut self.variable(name).values else { panic!("{name} holds numbers") };
        assert_ne!(texts[index], text, "nothing is changed");
        text.clone_into(&mut texts[index]);
        self
    }

    pub(crate) fn unit(mut self, name: &str, unit: Option<&str>) -> Self {
        self.variable(name).unit = unit.map(str::to_owned);
        self
    }

    pub(crate) fn without(mut self, name: &str) -> Self {
        self.variable(name);
        self.variables.retain(|variable| variable.name != name);
        self
    }

    /// A dimension of one more, for all of its variables, whose last values are repeated.
    pub(crate) fn longer(mut self, name: &str) -> Self {
        let old = self.dimensions.clone();
        self.dimensions.iter_mut().find(|(other, _)| other == name).unwrap().1 += 1;
        for variable in &mut self.variables {
            let Some(position) = variable.dimensions.iter().position(|other| other == name) else { continue };
            let size = |name: &String| old.iter().find(|(other, _)| other == name).unwrap().1;
            let Values::Numbers(values) = &mut variable.values else { continue };
            let block: usize = variable.dimensions[position..].iter().map(size).product();
            let row = block / size(&variable.dimensions[position]);
            *values = values.chunks(block).flat_map(|block| [block, &block[block.len() - row..]].concat()).collect();
        }
        self
    }

    /// The dimensions of a variable, exchanged for others of the same sizes.
    pub(crate) fn along(mut self, name: &str, dimensions: &[&str]) -> Self {
        let sizes: usize = dimensions.iter().map(|name| self.size(name)).product();
        let variable = self.variable(name);
        let Values::Numbers(values) = &mut variable.values else { panic!("{name} holds texts") };
        values.resize(sizes, 0.5);
        variable.dimensions = dimensions.iter().map(|&name| name.to_owned()).collect();
        self
    }

    /// The two dimensions of a variable in the other order, with its values.
    pub(crate) fn transposed(mut self, name: &str) -> Self {
        let sizes: Vec<usize> = self.variable(name).dimensions.clone().iter().map(|name| self.size(name)).collect();
        let variable = self.variable(name);
        let Values::Numbers(values) = &mut variable.values else { panic!("{name} holds texts") };
        let (rows, columns) = (sizes[0], sizes[1]);
        *values = (0..rows * columns).map(|index| values[index % rows * columns + index / rows]).collect();
        variable.dimensions.reverse();
        self
    }

    pub(crate) fn save(&self) -> (TempDir, PathBuf) {
        let mut builder = NcFileBuilder::new();
        for (name, text) in &self.attributes {
            builder.add_attribute(name, NcAttrValue::Chars(text.clone())).unwrap();
        }
        let mut ids = Vec::new();
        for (name, size) in &self.dimensions {
            ids.push((name.clone(), builder.add_dimension(name, *size as u64).unwrap()));
        }
        let letters = builder.add_dimension("string_len", LENGTH as u64).unwrap();
        for variable in &self.variables {
            let find = |name: &String| ids.iter().find(|(other, _)| other == name).unwrap().1;
            let mut dimensions: Vec<_> = variable.dimensions.iter().map(find).collect();
            let id = match &variable.values {
                Values::Numbers(values) => {
                    let id = builder.add_variable::<f64>(&variable.name, &dimensions).unwrap();
                    builder.write_variable(id, values).unwrap();
                    id
                }
                Values::Texts(texts) => {
                    dimensions.push(letters);
                    let id = builder.add_char_variable(&variable.name, &dimensions).unwrap();
                    let bytes: Vec<u8> = texts.iter().flat_map(|text| format!("{text:LENGTH$}").into_bytes()).collect();
                    builder.write_char_variable(id, &bytes).unwrap();
                    id
                }
            };
            if let Some(unit) = &variable.unit {
                builder.add_variable_attribute(id, "units", NcAttrValue::Chars(unit.clone())).unwrap();
            }
        }
        let options = NcWriteOptions { format: NcWriteFormat::Classic };
        super::file(builder.to_vec(options).unwrap().1, "in.nc")
    }
}
