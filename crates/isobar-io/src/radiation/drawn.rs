//! Columns that were drawn from those of a file.

use std::ops::Range;

use isobar_radiation::Columns;

use super::check::find_outside;
use super::{RadiationInput, RadiationRequest, temperature_slopes};
use crate::columns_file::{Described, Pressures, Temperatures};

impl Temperatures {
    /// The temperatures that follow from others, as columns call them; nothing where none do.
    #[must_use]
    pub fn follower(&self) -> Option<&'static str> {
        match self {
            Self::Both => None,
            Self::Levels(_) => Some("temperature_k"),
            Self::Layers(_) | Self::LayersByPressure | Self::LayersByLogarithm => Some("level_temperature_k"),
        }
    }

    /// Those of columns that were drawn from these, which have this number of columns.
    #[must_use]
    pub fn of_drawn(&self, sources: &[usize], count: usize) -> Self {
        match self {
            Self::Layers(weights) => {
                let rows = weights.chunks(count);
                Self::Layers(rows.flat_map(|row| sources.iter().map(|&source| row[source])).collect())
            }
            other => other.clone(),
        }
    }
}

impl RadiationInput {
    /// Changes of the temperatures that follow from others in the file ([`Temperatures::follower`]), by the changes of
    /// these \[K\], with the pressures of the columns; nothing where none follow.
    #[must_use]
    pub fn following_changes(&self, changes: &[f64]) -> Option<Vec<f64>> {
        temperature_slopes::follow(&self.temperatures, &self.columns, changes)
    }

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
