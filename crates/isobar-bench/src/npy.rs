//! Tables of numbers in NumPy's format, as the reference of chemistry has them.

use std::path::Path;

use isobar::program::failure::Failure;

/// Doubles of a table, a row a cell.
pub(crate) struct Table {
    pub(crate) rows: usize,
    pub(crate) columns: usize,
    values: Vec<f64>,
}

impl Table {
    /// Reads little-endian doubles in C order, of two dimensions.
    pub(crate) fn read(path: &Path) -> Result<Self, Failure> {
        let fails = |why: &str| Failure::new(format!("{}: {why}", path.display()));
        let bytes = std::fs::read(path).map_err(|error| fails(&format!("cannot read: {error}")))?;
        parse(&bytes).ok_or_else(|| fails("not a table of doubles (NumPy's `<f8`, C order, two dimensions)"))
    }

    /// The values of `count` cells, the rows again and again, turned so that the cell is the fastest index.
    pub(crate) fn cells(&self, count: usize) -> Vec<f64> {
        let at = |column: usize, cell: usize| self.values[cell % self.rows * self.columns + column];
        (0..self.columns).flat_map(|column| (0..count).map(move |cell| at(column, cell))).collect()
    }
}

fn parse(bytes: &[u8]) -> Option<Table> {
    let rest = bytes.strip_prefix(b"\x93NUMPY")?;
    let (length, start) = match *rest.first()? {
        1 => (usize::from(u16::from_le_bytes(rest.get(2..4)?.try_into().ok()?)), 4),
        _ => (u32::from_le_bytes(rest.get(2..6)?.try_into().ok()?) as usize, 6),
    };
    let header = std::str::from_utf8(rest.get(start..start + length)?).ok()?;
    if !header.contains("'<f8'") || header.contains("True") {
        return None;
    }
    let shape = header.split_once("'shape': (")?.1.split_once(')')?.0;
    let sizes: Vec<usize> = shape.split(',').filter_map(|size| size.trim().parse().ok()).collect();
    let &[rows, columns] = &sizes[..] else { return None };
    let values: Vec<f64> = rest[start + length..]
        .chunks_exact(8)
        .map(|number| f64::from_le_bytes(number.try_into().expect("eight bytes")))
        .collect();
    (rows > 0 && rows.checked_mul(columns)? == values.len()).then_some(Table { rows, columns, values })
}
