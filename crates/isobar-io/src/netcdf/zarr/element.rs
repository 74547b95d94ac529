//! Types of numbers and texts that a Zarr array may have.

use std::ops::Range;

use netcdf_reader::{Error, NcType, Result};
use zarrs::array::{Array, ArrayBytes, ArraySubset, ElementOwned};
use zarrs::metadata::ArrayMetadata;
use zarrs::metadata::v2::DataTypeMetadataV2;

use super::lenient::Lenient;

/// An array that is read.
pub(super) type Stored = Array<Lenient>;

/// What the elements of an array are, if it is known here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Element {
    Bool,
    Int8,
    Int16,
    Int32,
    Int64,
    UInt8,
    UInt16,
    UInt32,
    UInt64,
    Float16,
    Float32,
    Float64,
    Text,
}

impl Element {
    /// By the name that version 3 has for it, or that of version 2 without its order of bytes.
    fn named(name: &str) -> Option<Self> {
        Some(match name {
            "bool" | "b1" => Self::Bool,
            "int8" | "i1" => Self::Int8,
            "int16" | "i2" => Self::Int16,
            "int32" | "i4" => Self::Int32,
            "int64" | "i8" => Self::Int64,
            "uint8" | "u1" => Self::UInt8,
            "uint16" | "u2" => Self::UInt16,
            "uint32" | "u4" => Self::UInt32,
            "uint64" | "u8" => Self::UInt64,
            "float16" | "f2" => Self::Float16,
            "float32" | "f4" => Self::Float32,
            "float64" | "f8" => Self::Float64,
            "string" | "fixed_length_utf32" | "O" => Self::Text,
            name if name.strip_prefix('U').is_some_and(|size| size.parse::<u32>().is_ok()) => Self::Text,
            _ => return None,
        })
    }

    pub(super) fn of(metadata: &ArrayMetadata) -> Option<Self> {
        match metadata {
            ArrayMetadata::V3(metadata) => Self::named(metadata.data_type.name()),
            ArrayMetadata::V2(metadata) => match &metadata.dtype {
                DataTypeMetadataV2::Simple(name) => Self::named(name.trim_start_matches(['<', '>', '|', '='])),
                DataTypeMetadataV2::Structured(_) => None,
            },
        }
    }

    /// The type of a NetCDF variable with the same values.
    pub(super) fn netcdf(self) -> NcType {
        match self {
            Self::Bool | Self::Int8 => NcType::Byte,
            Self::Int16 => NcType::Short,
            Self::Int32 => NcType::Int,
            Self::Int64 => NcType::Int64,
            Self::UInt8 => NcType::UByte,
            Self::UInt16 => NcType::UShort,
            Self::UInt32 => NcType::UInt,
            Self::UInt64 => NcType::UInt64,
            Self::Float16 | Self::Float32 => NcType::Float,
            Self::Float64 => NcType::Double,
            Self::Text => NcType::String,
        }
    }

    /// The number that some bytes of this machine are; nothing for texts, or as many bytes as it has not.
    pub(super) fn number(self, bytes: &[u8]) -> Option<f64> {
        macro_rules! number {
            ($type:ty) => {
                <$type>::from_ne_bytes(bytes.try_into().ok()?) as f64
            };
        }
        Some(match self {
            Self::Bool | Self::UInt8 => number!(u8),
            Self::Int8 => number!(i8),
            Self::Int16 => number!(i16),
            Self::Int32 => number!(i32),
            Self::Int64 => number!(i64),
            Self::UInt16 => number!(u16),
            Self::UInt32 => number!(u32),
            Self::UInt64 => number!(u64),
            Self::Float16 => half(u16::from_ne_bytes(bytes.try_into().ok()?)),
            Self::Float32 => number!(f32),
            Self::Float64 => return Some(f64::from_ne_bytes(bytes.try_into().ok()?)),
            Self::Text => return None,
        })
    }

    /// The numbers of an array at these indices.
    pub(super) fn numbers(self, array: &Stored, indices: &[Range<u64>]) -> Result<Vec<f64>> {
        let subset = ArraySubset::new_with_ranges(indices);
        let bytes = array.retrieve_array_subset::<ArrayBytes>(&subset).and_then(|all| Ok(all.into_fixed()?));
        let bytes = bytes.map_err(|cause| Error::InvalidData(cause.to_string()))?;
        let size = array.data_type().fixed_size().unwrap_or(1);
        let numbers: Option<Vec<f64>> = bytes.chunks_exact(size).map(|one| self.number(one)).collect();
        numbers.ok_or_else(|| Error::InvalidData("it holds texts".to_owned()))
    }
}

/// The elements of an array at these indices.
pub(super) fn retrieve<T: ElementOwned>(array: &Stored, indices: &[Range<u64>]) -> Result<Vec<T>> {
    let subset = ArraySubset::new_with_ranges(indices);
    array.retrieve_array_subset::<Vec<T>>(&subset).map_err(|cause| Error::InvalidData(cause.to_string()))
}

/// A number of half precision (IEEE 754, binary16).
fn half(bits: u16) -> f64 {
    let (exponent, fraction) = (i32::from(bits >> 10 & 31), f64::from(bits & 1023));
    let scale = |power: i32| f64::from_bits(((1023 + power) as u64) << 52);
    let size = match exponent {
        0 => fraction * scale(-24),
        31 if fraction == 0.0 => f64::INFINITY,
        31 => f64::NAN,
        exponent => (1024.0 + fraction) * scale(exponent - 25),
    };
    if bits >> 15 == 0 { size } else { -size }
}

#[cfg(test)]
mod tests {
    use super::half;

    /// Against NumPy's `np.uint16(bits).view(np.float16)`.
    #[test]
    fn halves() {
        for (bits, number) in [
            (0x3c00, 1.0),
            (0xc000, -2.0),
            (0x7bff, 65504.0),
            (0x0400, 6.103515625e-5),
            (0x0001, 5.960464477539063e-8),
            (0x3555, 0.333251953125),
            (0x8000, 0.0),
            (0x7c00, f64::INFINITY),
        ] {
            assert_eq!(half(bits), number, "{bits:x}");
        }
        assert!(half(0x7e00).is_nan() && half(0x8000).is_sign_negative());
    }
}
