//! JURASSIC's binary files of atmospheres and observations (`ATMFMT`, `OBSFMT` 2): four letters, sizes, and one list of
//! doubles after the other, in the byte order of little-endian machines.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;

use crate::column::Column;
use crate::error::{Error, Place};
use crate::text::read_bytes;

/// Letters, four sizes and a count of an atmosphere \[bytes\].
const HEAD: usize = 4 + 4 * size_of::<i32>() + size_of::<u64>();

/// Does a file begin with these letters?
pub(crate) fn begins_with(path: &Path, letters: [u8; 4]) -> bool {
    let mut begin = [0; 4];
    File::open(path).and_then(|mut file| file.read_exact(&mut begin)).is_ok() && begin == letters
}

/// A file that is read from its beginning to its end.
pub(crate) struct BinaryFile<'a> {
    path: &'a Path,
    bytes: Vec<u8>,
    at: usize,
}

impl<'a> BinaryFile<'a> {
    /// Reads a file and checks its letters and sizes, which the control file names by its keys.
    pub(crate) fn open(path: &'a Path, letters: [u8; 4], sizes: &[(&str, usize)]) -> Result<Self, Error> {
        let mut this = Self { path, bytes: read_bytes(path)?, at: 0 };
        if !this.bytes.starts_with(&letters) {
            let letters = String::from_utf8_lossy(&letters).into_owned();
            return Err(this.wrong(format!("the file does not begin with {letters}")));
        }
        this.at = letters.len();
        for &(key, wanted) in sizes {
            let found = i32::from_le_bytes(this.take(key)?);
            if usize::try_from(found) != Ok(wanted) {
                this.at -= size_of::<i32>();
                return Err(this.wrong(format!("{key} is {found}, the control file has {wanted}")));
            }
        }
        Ok(this)
    }

    fn place(&self) -> Place {
        Place::Byte(self.path.to_owned(), self.at as u64)
    }

    /// Where the heights of an atmosphere are, the second of its lists.
    pub(crate) fn place_of_heights(&self, count: usize) -> Place {
        Place::Byte(self.path.to_owned(), (HEAD + count * size_of::<f64>()) as u64)
    }

    pub(crate) fn wrong(&self, problem: String) -> Error {
        Error::invalid(self.place(), problem)
    }

    fn take<const N: usize>(&mut self, name: &str) -> Result<[u8; N], Error> {
        let bytes = self.bytes.get(self.at..self.at + N);
        let Some(bytes) = bytes.and_then(|bytes| bytes.try_into().ok()) else {
            return Err(self.wrong(format!("the file ends within {name}, after {} bytes", self.bytes.len())));
        };
        self.at += N;
        Ok(bytes)
    }

    /// The number of levels or rays, which the rest of the file can hold.
    pub(crate) fn count(&mut self, name: &str) -> Result<usize, Error> {
        let count = u64::from_le_bytes(self.take(name)?);
        match usize::try_from(count) {
            Ok(found) if found > 0 && found <= self.bytes.len() / size_of::<f64>() => Ok(found),
            _ => {
                self.at -= size_of::<u64>();
                Err(self.wrong(format!("{count} {name} in a file of {} bytes", self.bytes.len())))
            }
        }
    }

    /// The values of a column, checked.
    pub(crate) fn column(&mut self, column: &Column, count: usize, item: &str) -> Result<Vec<f64>, Error> {
        let mut values = Vec::with_capacity(count);
        for index in 0..count {
            let place = self.place();
            let value = f64::from_le_bytes(self.take(&format!("{}, {item} {index}", column.name))?);
            column.check(value, item, index).map_err(|(what, range)| Error::OutOfRange { place, what, range })?;
            values.push(value);
        }
        Ok(values)
    }

    /// A size of 64 bits.
    pub(crate) fn size(&mut self, name: &str) -> Result<u64, Error> {
        self.take(name).map(u64::from_le_bytes)
    }

    /// The next `count` doubles, of any value.
    pub(crate) fn values(&mut self, name: &str, count: usize) -> Result<Vec<f64>, Error> {
        (0..count).map(|index| self.take(&format!("{name} {index}")).map(f64::from_le_bytes)).collect()
    }

    /// Refuses what comes after the last list.
    pub(crate) fn end(&self) -> Result<(), Error> {
        match self.bytes.len() - self.at {
            0 => Ok(()),
            more => Err(self.wrong(format!("{more} bytes follow the last value"))),
        }
    }
}

/// Writes letters, sizes and the number of levels or rays.
pub(crate) fn write_head(out: &mut impl Write, letters: [u8; 4], sizes: &[usize], count: usize) -> io::Result<()> {
    out.write_all(&letters)?;
    for &size in sizes {
        let size = i32::try_from(size).map_err(|_| crate::text::unwritable(format!("{size} is too large a size")))?;
        out.write_all(&size.to_le_bytes())?;
    }
    out.write_all(&(count as u64).to_le_bytes())
}

/// Writes doubles.
pub(crate) fn write_values(out: &mut impl Write, values: impl IntoIterator<Item = f64>) -> io::Result<()> {
    values.into_iter().try_for_each(|value| out.write_all(&value.to_le_bytes()))
}
