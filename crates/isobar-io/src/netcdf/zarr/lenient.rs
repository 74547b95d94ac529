//! A folder whose JSON may have Python's words for numbers that are not finite, which JSON has not.

use std::path::Path;

use zarrs::filesystem::{FilesystemStore, FilesystemStoreCreateError};
use zarrs::storage::byte_range::ByteRangeIterator;
use zarrs::storage::{
    Bytes, ListableStorageTraits, MaybeBytes, MaybeBytesIterator, ReadableStorageTraits, StorageError, StoreKey,
    StoreKeys, StoreKeysPrefixes, StorePrefix,
};

use super::attributes::NOT_FINITE;

/// What describes groups and arrays.
const METADATA: [&str; 4] = ["zarr.json", ".zgroup", ".zarray", ".zattrs"];

#[derive(Debug)]
pub(super) struct Lenient(FilesystemStore);

impl Lenient {
    pub(super) fn open(path: &Path) -> Result<Self, FilesystemStoreCreateError> {
        FilesystemStore::new(path).map(Self)
    }
}

impl ReadableStorageTraits for Lenient {
    fn get(&self, key: &StoreKey) -> Result<MaybeBytes, StorageError> {
        let found = self.0.get(key)?;
        let is_metadata = key.as_str().rsplit('/').next().is_some_and(|name| METADATA.contains(&name));
        Ok(if is_metadata { found.map(quoted) } else { found })
    }

    fn get_partial_many<'a>(
        &'a self,
        key: &StoreKey,
        byte_ranges: ByteRangeIterator<'a>,
    ) -> Result<MaybeBytesIterator<'a>, StorageError> {
        self.0.get_partial_many(key, byte_ranges)
    }

    fn size_key(&self, key: &StoreKey) -> Result<Option<u64>, StorageError> {
        self.0.size_key(key)
    }

    fn supports_get_partial(&self) -> bool {
        self.0.supports_get_partial()
    }
}

impl ListableStorageTraits for Lenient {
    fn list(&self) -> Result<StoreKeys, StorageError> {
        self.0.list()
    }

    fn list_prefix(&self, prefix: &StorePrefix) -> Result<StoreKeys, StorageError> {
        self.0.list_prefix(prefix)
    }

    fn list_dir(&self, prefix: &StorePrefix) -> Result<StoreKeysPrefixes, StorageError> {
        self.0.list_dir(prefix)
    }

    fn size_prefix(&self, prefix: &StorePrefix) -> Result<u64, StorageError> {
        self.0.size_prefix(prefix)
    }
}

/// JSON with quotes around such words, where they stand outside of texts.
fn quoted(json: Bytes) -> Bytes {
    let mut out = Vec::with_capacity(json.len());
    let (mut rest, mut in_text) = (&json[..], false);
    while let Some(&byte) = rest.first() {
        let word = NOT_FINITE.iter().map(|(word, _)| word.as_bytes()).find(|word| rest.starts_with(word));
        let taken = match (in_text, byte, word) {
            (true, b'\\', _) => 2.min(rest.len()),
            (false, _, Some(word)) => {
                out.push(b'"');
                out.extend(word);
                out.push(b'"');
                rest = &rest[word.len()..];
                continue;
            }
            (_, b'"', _) => {
                in_text = !in_text;
                1
            }
            _ => 1,
        };
        out.extend(&rest[..taken]);
        rest = &rest[taken..];
    }
    out.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_outside_of_texts_are_quoted() {
        let text = r#"{"a": NaN, "NaN": [-Infinity,Infinity, 1], "b": "is NaN \" Infinity", "c\\": NaN}"#;
        let expected = r#"{"a": "NaN", "NaN": ["-Infinity","Infinity", 1], "b": "is NaN \" Infinity", "c\\": "NaN"}"#;
        assert_eq!(quoted(Bytes::from_static(text.as_bytes())), expected.as_bytes());
    }
}
