//! A Zarr store that is written.

use std::io;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use serde_json::{Map, json};
use zarrs::array::codec::ZstdCodec;
use zarrs::array::{Array, ArrayBuilder, ArrayBytes, ArrayMetadataOptions, ArraySubset, DataType, data_type};
use zarrs::filesystem::FilesystemStore;
use zarrs::group::GroupBuilder;
use zarrs::metadata::v3::AdditionalFieldV3;

use super::attributes;
use crate::netcdf::header::{Definition, Header, Kind};

/// The most values of a chunk: 4 MiB of single precision.
const CHUNK: usize = 1 << 20;

/// zstd's own default, of which 3 is another name.
const LEVEL: i32 = 3;

/// A store in the making, in a folder that is there.
pub(in crate::netcdf) struct StoreWriter {
    store: Arc<FilesystemStore>,
    /// In the order of the variables.
    arrays: Vec<Array<FilesystemStore>>,
}

impl std::fmt::Debug for StoreWriter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("StoreWriter").finish_non_exhaustive()
    }
}

impl StoreWriter {
    pub(in crate::netcdf) fn new(folder: &Path) -> io::Result<Self> {
        let store = FilesystemStore::new(folder).map_err(io::Error::other)?;
        Ok(Self { store: Arc::new(store), arrays: Vec::new() })
    }

    /// Says what the store has. A chunk has as many indices along one dimension as a part.
    pub(in crate::netcdf) fn begin(&mut self, header: &Header, part: Option<(usize, usize)>) -> io::Result<()> {
        let mut metadata = Map::new();
        for variable in &header.variables {
            let array = self.array(header, variable, part).map_err(io::Error::other)?;
            array.store_metadata().map_err(io::Error::other)?;
            metadata.insert(variable.name.clone(), serde_json::to_value(array.metadata())?);
            self.arrays.push(array);
        }
        // What the arrays say of themselves, once more in one place, where xarray looks for it; in the order of the
        // variables.
        let consolidated = AdditionalFieldV3::new(json!({ "kind": "inline", "metadata": metadata }), false);
        let group = GroupBuilder::new()
            .attributes(attributes::written(&header.attributes))
            .additional_fields([("consolidated_metadata".to_owned(), consolidated)].into_iter().collect())
            .build(Arc::clone(&self.store), "/");
        group.map_err(io::Error::other)?.store_metadata().map_err(io::Error::other)
    }

    fn array(
        &self,
        header: &Header,
        variable: &Definition,
        part: Option<(usize, usize)>,
    ) -> Result<Array<FilesystemStore>, zarrs::array::ArrayCreateError> {
        let dimensions = || variable.dimensions.iter().map(|&number| &header.dimensions[number]);
        let shape: Vec<u64> = dimensions().map(|&(_, size)| size as u64).collect();
        let sizes: Vec<usize> = dimensions().map(|&(_, size)| size).collect();
        let part = part.and_then(|(along, length)| {
            Some((variable.dimensions.iter().position(|&number| number == along)?, length))
        });
        let chunk: Vec<u64> = chunk(&sizes, part).into_iter().map(|size| size as u64).collect();
        let mut builder = match variable.kind {
            Kind::Float => ArrayBuilder::new(shape, chunk, data_type::float32(), f32::NAN),
            Kind::Double => ArrayBuilder::new(shape, chunk, data_type::float64(), f64::NAN),
            Kind::Int => ArrayBuilder::new(shape, chunk, data_type::int32(), i32::MIN),
            Kind::UnsignedByte => ArrayBuilder::new(shape, chunk, data_type::uint8(), u8::MAX),
        };
        let array = builder
            .dimension_names(Some(dimensions().map(|(name, _)| name.as_str())))
            .attributes(attributes::written(&variable.attributes))
            .bytes_to_bytes_codecs(vec![Arc::new(ZstdCodec::new(LEVEL, false))])
            .build(Arc::clone(&self.store), &format!("/{}", variable.name))?;
        // Not who has written each.
        Ok(array.with_metadata_options(ArrayMetadataOptions::default().with_include_zarrs_metadata(false)))
    }

    /// Writes values, as a NetCDF file has them, of these indices of the variable of a number.
    pub(in crate::netcdf) fn put(&self, number: usize, indices: &[Range<u64>], values: &[u8]) -> io::Result<()> {
        let array = &self.arrays[number];
        let values = ArrayBytes::new_flen(of_this_machine(array.data_type(), values));
        array.store_array_subset(&ArraySubset::new_with_ranges(indices), values).map_err(io::Error::other)
    }
}

/// Numbers whose most significant byte is first, as this machine has them.
fn of_this_machine(of: &DataType, values: &[u8]) -> Vec<u8> {
    let mut bytes = values.to_vec();
    if cfg!(target_endian = "little")
        && let Some(size) = of.fixed_size()
    {
        bytes.chunks_exact_mut(size).for_each(<[u8]>::reverse);
    }
    bytes
}

/// The shape of chunks: all of an array, divided along its slowest dimensions where that is too much, but for the one
/// of the parts.
fn chunk(sizes: &[usize], part: Option<(usize, usize)>) -> Vec<usize> {
    let mut chunk = sizes.to_vec();
    if let Some((position, length)) = part {
        chunk[position] = length;
    }
    for position in 0..chunk.len() {
        let rest: usize = chunk[position + 1..].iter().product();
        let before: usize = chunk[..position].iter().product();
        if before * chunk[position] * rest <= CHUNK {
            break;
        }
        if part.is_none_or(|(of_parts, _)| of_parts != position) {
            chunk[position] = (CHUNK / (before * rest).max(1)).clamp(1, chunk[position]);
        }
    }
    chunk
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_are_of_one_part_and_not_too_large() {
        assert_eq!(chunk(&[], None), [0_usize; 0]);
        assert_eq!(chunk(&[100, 61], None), [100, 61]);
        assert_eq!(chunk(&[1_000_000, 64], None), [16_384, 64]);
        assert_eq!(chunk(&[24, 721, 1440], None), [1, 721, 1440]);
        assert_eq!(chunk(&[4, 2000, 2000], None), [1, 524, 2000]);
        assert_eq!(chunk(&[1_000_000, 61], Some((0, 4096))), [4096, 61]);
        assert_eq!(chunk(&[8, 61, 1_000_000], Some((2, 65_536))), [1, 16, 65_536]);
    }
}
