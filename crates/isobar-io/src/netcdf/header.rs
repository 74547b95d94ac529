//! The header of a file in a classic format (NetCDF Users Guide, The NetCDF Classic Format Specification; CDF-5 by
//! PnetCDF), for values that are written when they are there.

use netcdf_writer::{NcAttrValue, NcWriteFormat};

/// What a file has, but for its values.
#[derive(Debug, Default)]
pub(super) struct Header {
    /// Names and sizes.
    pub(super) dimensions: Vec<(String, usize)>,
    pub(super) attributes: Vec<(String, NcAttrValue)>,
    pub(super) variables: Vec<Definition>,
}

/// A variable without its values.
#[derive(Debug)]
pub(super) struct Definition {
    pub(super) name: String,
    /// The numbers of its dimensions.
    pub(super) dimensions: Vec<usize>,
    pub(super) attributes: Vec<(String, NcAttrValue)>,
    pub(super) kind: Kind,
}

/// A type of numbers, by the code of the format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Int = 4,
    Float = 5,
    Double = 6,
    UnsignedByte = 7,
}

impl Kind {
    pub(super) fn bytes(self) -> u64 {
        match self {
            Self::UnsignedByte => 1,
            Self::Int | Self::Float => 4,
            Self::Double => 8,
        }
    }

    /// What fills bytes of values up to whole words: NetCDF's mark of a byte that is not there.
    pub(super) fn padding(self, bytes: usize) -> &'static [u8] {
        &[255; 3][..bytes.next_multiple_of(4) - bytes]
    }
}

impl Header {
    /// The values of a variable.
    pub(super) fn values(&self, variable: &Definition) -> u64 {
        variable.dimensions.iter().map(|&number| self.dimensions[number].1 as u64).product()
    }

    /// The bytes of the header, and where the values of each variable begin.
    pub(super) fn encode(&self, format: &NcWriteFormat) -> (Vec<u8>, Vec<u64>) {
        // Its length does not depend on the places that it names.
        let length = self.with_places(format, &vec![0; self.variables.len()]).len() as u64;
        let mut next = length;
        let mut places = Vec::new();
        for variable in &self.variables {
            places.push(next);
            next += self.bytes(variable);
        }
        (self.with_places(format, &places), places)
    }

    /// Bytes of a variable in the file.
    fn bytes(&self, variable: &Definition) -> u64 {
        (self.values(variable) * variable.kind.bytes()).next_multiple_of(4)
    }

    fn with_places(&self, format: &NcWriteFormat, places: &[u64]) -> Vec<u8> {
        let wide = matches!(format, NcWriteFormat::Cdf5);
        let version = if wide { 5 } else { 1 + u8::from(matches!(format, NcWriteFormat::Offset64)) };
        let mut out = Encoder { bytes: vec![b'C', b'D', b'F', version], wide };
        // No records.
        out.count(0);
        out.list(10, self.dimensions.len());
        for (name, size) in &self.dimensions {
            out.text(name);
            out.count(*size as u64);
        }
        out.attributes(&self.attributes);
        out.list(11, self.variables.len());
        for (variable, place) in self.variables.iter().zip(places) {
            out.text(&variable.name);
            out.count(variable.dimensions.len() as u64);
            variable.dimensions.iter().for_each(|&number| out.count(number as u64));
            out.attributes(&variable.attributes);
            out.word(variable.kind as u32);
            let bytes = self.bytes(variable);
            // Of what is larger readers compute the size.
            out.count(if wide { bytes } else { bytes.min(u64::from(u32::MAX)) });
            if version == 1 { out.word(*place as u32) } else { out.bytes.extend(place.to_be_bytes()) }
        }
        out.bytes
    }
}

struct Encoder {
    bytes: Vec<u8>,
    /// Whether counts have 64 bits.
    wide: bool,
}

impl Encoder {
    fn word(&mut self, word: u32) {
        self.bytes.extend(word.to_be_bytes());
    }

    fn count(&mut self, count: u64) {
        if self.wide {
            self.bytes.extend(count.to_be_bytes());
        } else {
            self.word(count as u32);
        }
    }

    /// A list's mark, if it has any entries, and their number.
    fn list(&mut self, mark: u32, entries: usize) {
        self.word(if entries == 0 { 0 } else { mark });
        self.count(entries as u64);
    }

    /// Length and bytes.
    fn text(&mut self, text: &str) {
        self.count(text.len() as u64);
        self.padded(text.bytes());
    }

    /// Bytes, filled up to whole words.
    fn padded(&mut self, bytes: impl Iterator<Item = u8>) {
        self.bytes.extend(bytes);
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
    }

    fn attributes(&mut self, attributes: &[(String, NcAttrValue)]) {
        self.list(12, attributes.len());
        for (name, value) in attributes {
            self.text(name);
            match value {
                NcAttrValue::Bytes(all) => self.numbers(1, all.len(), all.iter().map(|x| x.to_be_bytes())),
                NcAttrValue::Shorts(all) => self.numbers(3, all.len(), all.iter().map(|x| x.to_be_bytes())),
                NcAttrValue::Ints(all) => self.numbers(4, all.len(), all.iter().map(|x| x.to_be_bytes())),
                NcAttrValue::Floats(all) => self.numbers(5, all.len(), all.iter().map(|x| x.to_be_bytes())),
                NcAttrValue::Doubles(all) => self.numbers(6, all.len(), all.iter().map(|x| x.to_be_bytes())),
                other => {
                    self.word(2);
                    self.text(&other.as_string().unwrap_or_default());
                }
            }
        }
    }

    fn numbers<const BYTES: usize>(&mut self, code: u32, count: usize, all: impl Iterator<Item = [u8; BYTES]>) {
        self.word(code);
        self.count(count as u64);
        self.padded(all.flatten());
    }
}
