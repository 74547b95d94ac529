//! Absorption of clouds for the host.

use isobar_core::{Field, Real};

use crate::ColumnViews;
use crate::host::options::Options;
use crate::rrtmg::clouds::Clouds;
use crate::rrtmg::host::table_data::TableData;
use crate::rrtmg::views;

impl<R: Real> ColumnViews<'_, R> {
    /// Absorption optical depth of the cloudy part of each layer and band (RRTMG_LW's `cldprmc`),
    /// `[(layer * bands + band) * columns + column]`. Sizes are valid.
    ///
    /// # Accuracy `tests/radiation/rrtmg/cloud_optics.rs`: within 1e-15 of RRTMG_LW's, relative, for all of its ice and
    /// liquid optics.
    #[must_use]
    pub fn cloud_absorption(&self, tables: &TableData<R>, options: &Options) -> Vec<R> {
        let (bands, layers) = (tables.bands.len(), self.layers());
        let (entries, mask) = (Field::empty(), Field::empty());
        let clouds = Clouds {
            entries,
            mask,
            words: 0,
            ice: options.rrtmg.ice.flag(),
            liquid: options.rrtmg.liquid.flag(),
            diameters: 0,
        };
        let views = views::ColumnViews::of(self);
        let absorption = tables.view().clouds;
        let rows = (0..layers).flat_map(|layer| (0..bands).map(move |band| (layer, band)));
        rows.flat_map(|row| (0..self.columns()).map(move |column| (row, column)))
            .map(|((layer, band), column)| clouds.optical_depth(&views, &absorption, (band, bands), layer, column))
            .collect()
    }
}
