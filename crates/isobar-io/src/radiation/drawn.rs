//! Columns that were drawn from those of a file.

use std::ops::Range;

use isobar_radiation::Columns;

use super::check::find_outside;
use super::{RadiationInput, RadiationRequest};
use crate::columns_file::{Described, Pressures};

impl RadiationInput {
    /// Looks for pressures, temperatures, water vapour and sizes of particles outside of the tables anew, as a reader
    /// does, in columns that have changed since they were read: [`outside`](crate::ColumnsInput::outside) has how many
    /// there are, and the first of them by its number, of which the columns have these. With
    /// [`Outside::Clamp`](super::Outside::Clamp) they are brought to the end of the tables; they are no error here.
    pub fn find_outside(&mut self, numbers: Range<usize>, request: &RadiationRequest) {
        let (outliers, notes) = find_outside(request, &mut self.columns);
        self.notes.extend(notes);
        let kind = (self.columns.layers(), self.orientation);
        let described = Described::of_columns(&numbers, kind, Columns::<f64>::DECLARED);
        self.outside = (outliers.count, outliers.first.map(|first| described.text(&first, &[])));
    }
}
