//! Results of columns, which have the dimensions of the file that these are of.

use std::path::Path;

use super::{Layout, Per};
use crate::error::Error;
use crate::netcdf::{Axis, Dataset};

/// Opens results of columns, and says along which axes values of levels and of layers lie. `vertical` is the dimension
/// of layers, where the file does not say which is.
///
/// # Errors
/// As [`Dataset::open`]; there is no such dimension.
pub fn open_results(path: &Path, vertical: Option<&str>) -> Result<(Dataset, [&'static [Axis]; 2]), Error> {
    let mut file = Dataset::open(path)?;
    let layout = Layout::with_vertical(&mut file, vertical)?;
    Ok((file, [Per::Level, Per::Layer].map(|per| layout.axes(per))))
}
