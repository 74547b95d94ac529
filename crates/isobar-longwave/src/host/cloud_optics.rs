//! Absorption of clouds for the host.

use isobar_core::{Field, Real};

use crate::clouds::{BY_SIZE, Clouds, GIVEN};
use crate::host::columns::CloudColumns;
use crate::host::options::Options;
use crate::host::table_data::TableData;

impl<R: Real> CloudColumns<R> {
    /// Absorption optical depth of the cloudy part of each layer and band (RRTMG_LW's `cldprmc`),
    /// `[(layer * bands + band) * columns + column]`, of so many columns. Sizes are valid.
    ///
    /// # Accuracy
    /// `tests/longwave/cloud_optics.rs`: within 1e-15 of RRTMG_LW's, relative, for all of its ice and liquid optics.
    #[must_use]
    pub fn optical_depths(&self, tables: &TableData<R>, options: &Options, columns: usize) -> Vec<R> {
        let (bands, layers) = (tables.bands.len(), self.fraction.len() / columns);
        let view = |values| {
            if <[R]>::is_empty(values) { Field::empty() } else { Field::item_fastest(values, layers, columns) }
        };
        let clouds = Clouds {
            input: if self.optical_depth.is_empty() { BY_SIZE } else { GIVEN },
            ice: options.ice.flag(),
            liquid: options.liquid.flag(),
            ice_path: view(&self.ice_path),
            liquid_path: view(&self.liquid_path),
            ice_size: view(&self.ice_size),
            liquid_radius: view(&self.liquid_radius),
            optical_depth: match &self.optical_depth[..] {
                [] => Field::empty(),
                values => Field::item_fastest(values, layers * bands, columns),
            },
            ..Clouds::none()
        };
        let absorption = tables.view().clouds;
        let rows = (0..layers).flat_map(|layer| (0..bands).map(move |band| (layer, band)));
        rows.flat_map(|row| (0..columns).map(move |column| (row, column)))
            .map(|((layer, band), column)| clouds.optical_depth(&absorption, (band, bands), layer, column))
            .collect()
    }
}
