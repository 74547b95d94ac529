//! Columns in the host's memory.

use isobar_core::Real;
use isobar_core::fields::{Error, Extents, LAYER, OwnedInputs};

use crate::fields::{ColumnViews, Columns};

/// As many columns as there are zenith angles, of as many layers as there are temperatures of each.
impl<'a, R: Real> TryFrom<&'a Columns<R>> for ColumnViews<'a, R> {
    type Error = Error;

    fn try_from(columns: &'a Columns<R>) -> Result<Self, Error> {
        let count = columns.cosine_of_zenith.len();
        if count == 0 {
            return Err(Error::Setup("a batch needs at least one column, and a zenith angle of each".to_owned()));
        }
        let layers = columns.temperature_k.len().div_ceil(count);
        columns.views(&Extents::new(count).with(LAYER, layers), "column")
    }
}
