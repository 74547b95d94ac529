//! Checksums of what a file holds, so that a bit that has changed since is no result.

use std::fmt::Write as _;

use sha2::{Digest, Sha256};

/// The attribute of a variable that has its checksum.
pub(super) const ATTRIBUTE: &str = "checksum";

/// The SHA-256 of some texts, as the checksum of a file's attributes.
#[must_use]
pub fn checksum(texts: &[&str]) -> String {
    let mut hash = Sha256::new();
    for text in texts {
        hash.update((text.len() as u64).to_le_bytes());
        hash.update(text.as_bytes());
    }
    digits(&hash.finalize())
}

/// The SHA-256 of a variable: name, dimensions with their sizes, and the values in double precision, as they are read.
/// All that are no finite numbers count as the same.
pub(super) fn of_variable<'a>(
    name: &str,
    dimensions: impl Iterator<Item = (&'a str, usize)>,
    values: impl Iterator<Item = f64>,
) -> String {
    let mut hash = Sha256::new();
    hash.update(name);
    for (dimension, size) in dimensions {
        hash.update([0]);
        hash.update(dimension);
        hash.update([0]);
        hash.update((size as u64).to_le_bytes());
    }
    hash.update([0]);
    let mut block = Vec::with_capacity(1 << 16);
    for value in values {
        let value = if value.is_finite() { value } else { f64::NAN };
        block.extend_from_slice(&value.to_bits().to_le_bytes());
        if block.len() >= 1 << 16 {
            hash.update(&block);
            block.clear();
        }
    }
    hash.update(&block);
    digits(&hash.finalize())
}

/// A hash in hexadecimal digits, with its name.
pub(super) fn digits(hash: &[u8]) -> String {
    format!("sha256:{}", in_digits(hash))
}

/// A hash in hexadecimal digits.
pub(super) fn in_digits(hash: &[u8]) -> String {
    hash.iter().fold(String::new(), |mut text, byte| {
        // A text takes everything.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_counts() {
        let of = |name: &str, dimension: &str, values: &[f64]| {
            of_variable(name, std::iter::once((dimension, values.len())), values.iter().copied())
        };
        let one = of("t", "layer", &[1.0, f64::NAN]);
        assert_eq!(one, of("t", "layer", &[1.0, f64::INFINITY]), "neither is a number");
        for other in [
            of("u", "layer", &[1.0, f64::NAN]),
            of("t", "level", &[1.0, f64::NAN]),
            of("t", "layer", &[1.0]),
            of("t", "layer", &[-1.0, f64::NAN]),
            of("t", "layer", &[f64::NAN, 1.0]),
            of("t", "layer", &[0.0, f64::NAN]),
        ] {
            assert_ne!(one, other);
        }
        assert_ne!(of("t", "layer", &[0.0]), of("t", "layer", &[-0.0]));
        assert_ne!(checksum(&["ab", "c"]), checksum(&["a", "bc"]));
        // As `printf '\x01\0\0\0\0\0\0\0a' | sha256sum` has it.
        assert_eq!(checksum(&["a"]), CHECKSUM_OF_A);
    }

    const CHECKSUM_OF_A: &str = "sha256:ae6121c88ba555f64c3d812123eb799d128015541f850c5e9bf1d54c08ad8481";
}
