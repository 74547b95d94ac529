//! Results in the host's memory.

use isobar_core::{FieldMut, Real};

use crate::arguments::LayerStates;
use crate::fluxes::Fluxes;
use crate::host::options::Options;
use crate::host::views::field_mut;
use crate::sizes::Extents;
use crate::state;

/// Results of a batch, the column the fastest index: `[layer or level * columns + column]` from the surface up.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Outputs<R> {
    /// Upward flux at the levels \[W/m^2\].
    pub up: Vec<R>,
    /// Downward flux at the levels \[W/m^2\].
    pub down: Vec<R>,
    /// Heating rate of the layers \[K/day\].
    pub heating: Vec<R>,
    /// The same three without clouds; empty if there are none.
    pub up_clear: Vec<R>,
    /// See above.
    pub down_clear: Vec<R>,
    /// See above.
    pub heating_clear: Vec<R>,
    /// Derivative of the upward flux by the temperature of the surface \[W/(m^2 K)\]; empty if not asked for.
    pub derivative: Vec<R>,
    /// The same without clouds.
    pub derivative_clear: Vec<R>,
    /// Upward flux of each band, `[(level * bands + band) * columns + column]`; empty if not asked for.
    pub band_up: Vec<R>,
    /// Downward flux of each band, likewise.
    pub band_down: Vec<R>,
    /// [`isobar_core::Status`] of each column.
    pub status: Vec<u32>,
}

/// What [`crate::Layers`] leaves for the optics.
#[derive(Debug, Clone)]
pub struct States<R> {
    /// Numbers of [`crate::state`], `[(column * VALUES + number) * layers + layer]`.
    pub values: Vec<R>,
    /// Packed indices, `[column * layers + layer]`.
    pub indices: Vec<u32>,
    /// Layers in the lower region.
    pub lower_layers: Vec<u32>,
    /// Precipitable water \[cm\].
    pub precipitable_water: Vec<R>,
    /// Secants, `[column * bands + band]`.
    pub secants: Vec<R>,
}

impl<R: Real> Outputs<R> {
    /// The levels of each field, 0 where it is not computed.
    #[must_use]
    pub fn levels(extents: &Extents, options: &Options, cloudy: bool) -> [usize; 10] {
        let (layers, levels) = (extents.layers, extents.layers + 1);
        let when = |wanted: bool, rows: usize| if wanted { rows } else { 0 };
        let bands = when(options.band_fluxes, levels * extents.bands);
        [
            levels,
            levels,
            layers,
            when(cloudy, levels),
            when(cloudy, levels),
            when(cloudy, layers),
            when(options.derivative, levels),
            when(options.derivative && cloudy, levels),
            bands,
            bands,
        ]
    }

    /// Room for the results of so many columns.
    #[must_use]
    pub fn room(extents: &Extents, options: &Options, cloudy: bool, columns: usize) -> Self {
        let mut room = Self::default();
        room.make_room(extents, options, cloudy, columns);
        room
    }

    /// Room for the results of so many columns: fields that have it keep their memory, and what is in it.
    pub fn make_room(&mut self, extents: &Extents, options: &Options, cloudy: bool, columns: usize) {
        for (field, levels) in self.fields_mut().into_iter().zip(Self::levels(extents, options, cloudy)) {
            if field.len() != levels * columns {
                *field = vec![R::ZERO; levels * columns];
            }
        }
        self.status.resize(columns, 0);
    }

    /// Views of all fields, of so many columns.
    #[must_use]
    pub fn view(&mut self, columns: usize) -> Fluxes<'_, R> {
        Fluxes::of_fields(self.fields_mut().map(|values| {
            let levels = values.len() / columns;
            field_mut(values, levels, columns)
        }))
    }

    /// All fields: fluxes and heating of all sky and of clear sky, derivatives, bands.
    pub fn fields_mut(&mut self) -> [&mut Vec<R>; 10] {
        [
            &mut self.up,
            &mut self.down,
            &mut self.heating,
            &mut self.up_clear,
            &mut self.down_clear,
            &mut self.heating_clear,
            &mut self.derivative,
            &mut self.derivative_clear,
            &mut self.band_up,
            &mut self.band_down,
        ]
    }
}

impl<R: Real> States<R> {
    /// Room for so many columns.
    #[must_use]
    pub fn room(layers: usize, count: usize, bands: usize) -> Self {
        Self {
            values: vec![R::ZERO; state::VALUES * layers * count],
            indices: vec![0; layers * count],
            lower_layers: vec![0; count],
            precipitable_water: vec![R::ZERO; count],
            secants: vec![R::ZERO; bands * count],
        }
    }

    /// Views of it.
    #[must_use]
    pub fn view(&mut self, layers: usize, count: usize) -> LayerStates<'_, R> {
        let bands = self.secants.len() / count;
        LayerStates {
            values: FieldMut::level_fastest(&mut self.values, state::VALUES * layers, count),
            indices: FieldMut::level_fastest(&mut self.indices, layers, count),
            lower_layers: FieldMut::item_fastest(&mut self.lower_layers, 1, count),
            precipitable_water: FieldMut::item_fastest(&mut self.precipitable_water, 1, count),
            secants: FieldMut::level_fastest(&mut self.secants, bands, count),
        }
    }
}
