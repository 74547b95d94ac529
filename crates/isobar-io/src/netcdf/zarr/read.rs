//! A Zarr store that is read.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use netcdf_reader::{Error, NcDimension, NcGroup, NcType, NcVariable, Result};
use zarrs::array::Array;
use zarrs::group::Group;
use zarrs::metadata::ArrayMetadata;
use zarrs::node::NodeMetadata;

use super::attributes;
use super::element::{self, Element};
use super::lenient::Lenient;
use super::times;

/// An open store.
pub(in crate::netcdf) struct Stored {
    root: NcGroup,
    /// By their paths.
    arrays: BTreeMap<String, (NcVariable, Content)>,
}

/// What is known of an array.
enum Content {
    Known(Box<element::Stored>, Element),
    /// Why it cannot be read.
    Unknown(String),
}

impl Stored {
    /// Opens a store and reads what its groups and arrays say of themselves.
    pub(in crate::netcdf) fn open(path: &Path) -> Result<Self> {
        let store = Lenient::open(path).map_err(in_words)?;
        let store = Arc::new(store);
        let group = Group::open(Arc::clone(&store), "/").map_err(in_words)?;
        let mut nodes = group.traverse().map_err(in_words)?;
        nodes.sort_by(|(one, _), (other, _)| one.cmp(other));
        let mut root = empty("/");
        root.attributes = attributes::read(group.attributes());
        let mut arrays = BTreeMap::new();
        for (path, metadata) in nodes {
            let path = path.as_str().trim_start_matches('/').to_owned();
            let NodeMetadata::Array(metadata) = metadata else { continue };
            let (above, name) = path.rsplit_once('/').unwrap_or(("", &path));
            let (mut variable, content) = array(&store, &path, name, metadata);
            let group = above.split('/').filter(|name| !name.is_empty()).fold(&mut root, within);
            for dimension in &mut variable.dimensions {
                match group.dimensions.iter().find(|known| known.name == dimension.name) {
                    None => group.dimensions.push(dimension.clone()),
                    Some(known) if known.size == dimension.size => {}
                    Some(known) => {
                        let NcDimension { name: along, size, .. } = dimension;
                        let other = known.size;
                        let text = format!("{path} has {size} {along}, and an array beside it has {other}");
                        return Err(Error::InvalidData(text));
                    }
                }
            }
            group.variables.push(variable.clone());
            arrays.insert(path, (variable, content));
        }
        Ok(Self { root, arrays })
    }

    pub(in crate::netcdf) fn root(&self) -> &NcGroup {
        &self.root
    }

    pub(in crate::netcdf) fn variable(&self, path: &str) -> Result<&NcVariable> {
        Ok(&self.at(path)?.0)
    }

    /// Numbers as they are stored, those of some indices of each dimension, or all.
    pub(in crate::netcdf) fn numbers(&self, path: &str, indices: &[Option<Range<usize>>]) -> Result<Vec<f64>> {
        let (array, element) = self.known(path)?;
        let whole = indices.iter().map(Option::as_ref).chain(std::iter::repeat(None));
        let range = |(&size, range): (&u64, Option<&Range<usize>>)| {
            range.map_or(0..size, |range| range.start as u64..(range.end as u64).min(size))
        };
        let indices: Vec<Range<u64>> = array.shape().iter().zip(whole).map(range).collect();
        element.numbers(array, &indices)
    }

    pub(in crate::netcdf) fn strings(&self, path: &str) -> Result<Vec<String>> {
        let (array, _) = self.known(path)?;
        let all: Vec<Range<u64>> = array.shape().iter().map(|&size| 0..size).collect();
        element::retrieve(array, &all)
    }

    fn at(&self, path: &str) -> Result<&(NcVariable, Content)> {
        self.arrays.get(path.trim_start_matches('/')).ok_or_else(|| Error::VariableNotFound(path.to_owned()))
    }

    fn known(&self, path: &str) -> Result<(&element::Stored, Element)> {
        match &self.at(path)?.1 {
            Content::Known(array, element) => Ok((array, *element)),
            Content::Unknown(why) => Err(Error::UnsupportedFeature(why.clone())),
        }
    }
}

fn in_words(cause: impl std::fmt::Display) -> Error {
    Error::InvalidData(cause.to_string())
}

fn empty(name: &str) -> NcGroup {
    NcGroup {
        name: name.to_owned(),
        dimensions: Vec::new(),
        variables: Vec::new(),
        attributes: Vec::new(),
        groups: Vec::new(),
    }
}

/// The group of a name in another.
fn within<'a>(group: &'a mut NcGroup, name: &str) -> &'a mut NcGroup {
    let found = group.groups.iter().position(|inner| inner.name == name);
    let position = found.unwrap_or_else(|| {
        group.groups.push(empty(name));
        group.groups.len() - 1
    });
    &mut group.groups[position]
}

/// An array as a variable. One of a type or an encoding that is not known is a variable, too, without values.
fn array(store: &Arc<Lenient>, path: &str, name: &str, mut metadata: ArrayMetadata) -> (NcVariable, Content) {
    times::as_counts(&mut metadata);
    let dimensions = dimensions(name, &metadata);
    let element = Element::of(&metadata);
    let opened = Array::new_with_metadata(Arc::clone(store), &format!("/{path}"), metadata.clone());
    let content = match (opened, element) {
        (Ok(array), Some(element)) => Content::Known(Box::new(array), element),
        (Ok(_), None) => Content::Unknown("elements that are neither numbers nor texts".to_owned()),
        (Err(cause), _) => Content::Unknown(cause.to_string()),
    };
    let fill_value = match &content {
        Content::Known(array, element) => element.number(array.fill_value().as_ne_bytes()),
        Content::Unknown(_) => None,
    };
    let dtype = match &content {
        Content::Known(_, element) => element.netcdf(),
        Content::Unknown(why) => NcType::Opaque { size: 0, tag: why.clone() },
    };
    let variable = NcVariable {
        name: name.to_owned(),
        dimensions,
        dtype,
        attributes: attributes::of_array(&metadata, fill_value),
        // Places in a file, which has none here.
        data_offset: 0,
        _data_size: 0,
        is_record_var: false,
        record_size: 0,
    };
    (variable, content)
}

/// Names and sizes of the dimensions of an array. Where it has no names, they are its own with numbers.
fn dimensions(name: &str, metadata: &ArrayMetadata) -> Vec<NcDimension> {
    let (shape, names): (&[u64], Vec<Option<String>>) = match metadata {
        ArrayMetadata::V3(metadata) => (&metadata.shape, metadata.dimension_names.clone().unwrap_or_default()),
        ArrayMetadata::V2(metadata) => {
            let names = metadata.attributes.get(attributes::DIMENSIONS).and_then(|names| names.as_array());
            let text = |name: &serde_json::Value| name.as_str().map(str::to_owned);
            (&metadata.shape, names.map(|names| names.iter().map(text).collect()).unwrap_or_default())
        }
    };
    let mut names = names.into_iter();
    let named = |(number, &size): (usize, &u64)| NcDimension {
        name: names.next().flatten().unwrap_or_else(|| format!("{name}_{number}")),
        size,
        is_unlimited: false,
    };
    shape.iter().enumerate().map(named).collect()
}
