//! Values on their way to a file: all at the end, or part by part along a dimension, each as soon as it is there.

use std::io::{self, Write};

use netcdf_writer::{NcAttrValue, NcWriteFormat};

use super::header::{Definition, Header, Kind};
use crate::output::AtomicFile;

/// A file's values, all of them or a part at a time.
#[derive(Debug, Default)]
pub(super) struct Parts {
    /// The dimension along which they come part by part, and its size.
    pub(super) along: Option<(String, usize)>,
    /// The first index of this part.
    start: usize,
    /// What the file has, known at the end of the first part.
    header: Header,
    /// Where the values of each variable begin, once the header is written; of a Zarr store nowhere.
    places: Option<Vec<u64>>,
    /// What was put of this part, in the order of the variables.
    values: Vec<Vec<u8>>,
}

impl Parts {
    pub(super) fn has_header(&self) -> bool {
        self.places.is_some()
    }

    pub(super) fn begin(&mut self, start: usize) {
        self.start = start;
        self.values.clear();
    }

    pub(super) fn dimension(&mut self, name: &str, size: usize) {
        self.header.dimensions.push((name.to_owned(), size));
    }

    pub(super) fn attribute(&mut self, name: &str, value: NcAttrValue) {
        self.header.attributes.push((name.to_owned(), value));
    }

    /// An attribute of the variable that was defined last.
    pub(super) fn annotate(&mut self, name: &str, value: NcAttrValue) {
        if let Some(variable) = self.header.variables.last_mut() {
            variable.attributes.push((name.to_owned(), value));
        }
    }

    pub(super) fn define(&mut self, name: &str, dimensions: Vec<usize>, kind: Kind) {
        self.header.variables.push(Definition { name: name.to_owned(), dimensions, attributes: Vec::new(), kind });
    }

    /// Whether the next variable of this part has this name.
    pub(super) fn is_next(&self, name: &str) -> bool {
        self.header.variables.get(self.values.len()).is_some_and(|variable| variable.name == name)
    }

    /// Takes the values of the next variable.
    pub(super) fn put(&mut self, values: Vec<u8>) {
        self.values.push(values);
    }

    /// Writes all values behind the header, from the front to the back: what cannot seek takes them, too.
    pub(super) fn write_whole(self, format: &NcWriteFormat, file: &mut impl Write) -> io::Result<()> {
        file.write_all(&self.header.encode(format).0)?;
        for (variable, values) in self.header.variables.iter().zip(self.values) {
            file.write_all(&values)?;
            file.write_all(variable.kind.padding(values.len()))?;
        }
        Ok(())
    }

    /// Writes the values of this part to their places; with the first part, the header.
    pub(super) fn write(&mut self, format: &NcWriteFormat, file: &mut AtomicFile) -> io::Result<()> {
        if self.places.is_none() {
            let (header, places) = self.header.encode(format);
            file.write_at(0, &header)?;
            self.places = Some(places);
        }
        let places = self.places.iter().flatten();
        for ((variable, &place), values) in self.header.variables.iter().zip(places).zip(&self.values) {
            let sizes: Vec<usize> =
                variable.dimensions.iter().map(|&number| self.header.dimensions[number].1).collect();
            let size_along = |&number: &usize| match &self.along {
                Some((name, size)) if *name == self.header.dimensions[number].0 => Some(*size),
                _ => None,
            };
            let along = variable.dimensions.iter().enumerate().find_map(|(at, number)| Some((at, size_along(number)?)));
            let Some((position, size)) = along else {
                // What the parts have in common was written with the first.
                if self.start == 0 {
                    file.write_at(place, values)?;
                }
                continue;
            };
            let [before, behind] =
                [&sizes[..position], &sizes[position + 1..]].map(|sizes| sizes.iter().product::<usize>());
            let run = (values.len() / before.max(1)).max(1);
            for (index, values) in values.chunks_exact(run).enumerate() {
                let first = ((index * size + self.start) * behind) as u64;
                file.write_at(place + first * variable.kind.bytes(), values)?;
            }
        }
        self.values.clear();
        Ok(())
    }

    /// Stores the values of this part; with the first part, what the store has.
    #[cfg(feature = "zarr")]
    pub(super) fn store(&mut self, writer: &mut super::zarr::StoreWriter) -> io::Result<()> {
        let along = self.along.as_ref();
        let along = along.and_then(|(name, _)| self.header.dimensions.iter().position(|(known, _)| known == name));
        let lengths = self.header.variables.iter().zip(&self.values);
        // How many indices of the dimension of the parts a variable has in this part.
        let length = |(variable, values): (&Definition, &Vec<u8>)| {
            let others = variable.dimensions.iter().filter(|&&number| Some(number) != along);
            let others: usize = others.map(|&number| self.header.dimensions[number].1).product();
            let values = values.len() / variable.kind.bytes() as usize;
            variable.dimensions.iter().any(|&number| Some(number) == along).then(|| values / others.max(1))
        };
        let lengths: Vec<Option<usize>> = lengths.map(length).collect();
        if self.places.is_none() {
            let part = along.zip(lengths.iter().find_map(|&length| length));
            writer.begin(&self.header, part)?;
            self.places = Some(Vec::new());
        }
        for (number, (variable, length)) in self.header.variables.iter().zip(lengths).enumerate() {
            // What the parts have in common was written with the first.
            if length.is_none() && self.start > 0 {
                continue;
            }
            let range = |&dimension: &usize| match length {
                Some(length) if Some(dimension) == along => self.start as u64..(self.start + length) as u64,
                _ => 0..self.header.dimensions[dimension].1 as u64,
            };
            let indices: Vec<_> = variable.dimensions.iter().map(range).collect();
            writer.put(number, &indices, &self.values[number])?;
        }
        self.values.clear();
        Ok(())
    }
}
