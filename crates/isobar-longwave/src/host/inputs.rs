//! Views of what the kernels read, wherever it is.

use std::ops::Range;

use isobar_core::{Column, Field, Real};

use crate::arguments::Air;
use crate::clouds::{BY_SIZE, Clouds, GIVEN};
use crate::host::arrays::ARRAYS;
use crate::host::options::Options;
use crate::sizes::Extents;

/// Views of columns: of the host's arrays, or of copies on a device.
#[derive(Clone, Copy, Debug)]
pub struct Inputs<'a, R> {
    /// The air.
    pub air: Air<'a, R>,
    /// See [`crate::Columns`].
    pub level_temperature: Field<'a, R>,
    /// Likewise, of one level.
    pub surface_temperature: Field<'a, R>,
    /// Likewise.
    pub emissivity: Field<'a, R>,
    /// Likewise.
    pub aerosol: Field<'a, R>,
    /// Clouds; `None` for clear sky alone.
    pub clouds: Option<Clouds<'a, R>>,
    /// Thickness of the layers and latitude, of one level, where masks are generated from them.
    pub spread: [Field<'a, R>; 2],
}

impl<'a, R: Real> Inputs<'a, R> {
    /// Inputs of the views of [`crate::Columns::arrays`]; `None` for no clouds, or views of their mask,
    /// `(layer * words + word, column)`, and of the bands of their optics ([`Clouds::entries`]), each without items
    /// where it is not there.
    #[must_use]
    pub fn new(
        views: [Field<'a, R>; ARRAYS],
        clouds: Option<[Field<'a, u32>; 2]>,
        extents: &Extents,
        options: &Options,
    ) -> Self {
        let [pressure, level_pressure, temperature, level_temperature, rest @ ..] = views;
        let [h2o, co2, o3, n2o, co, ch4, o2, ccl4, cfc11, cfc12, cfc22, dry_column, broadening_column, rest @ ..] =
            rest;
        let [surface_temperature, emissivity, aerosol, rest @ ..] = rest;
        let [fraction, ice_path, liquid_path, ice_size, liquid_radius, optical_depth, thickness, latitude, share] =
            rest;
        let air = Air {
            pressure,
            level_pressure,
            temperature,
            gases: [h2o, co2, o3, n2o, co, ch4, o2],
            halocarbons: [ccl4, cfc11, cfc12, cfc22],
            dry_column,
            broadening_column,
        };
        let clouds = clouds.map(|[mask, entries]| Clouds {
            fraction,
            entries,
            mask,
            words: extents.words() as u32,
            input: if optical_depth.is_empty() { BY_SIZE } else { GIVEN },
            ice: options.ice.flag(),
            liquid: options.liquid.flag(),
            ice_path,
            liquid_path,
            ice_size,
            liquid_radius,
            optical_depth,
            share,
        });
        let spread = [thickness, latitude];
        Self { air, level_temperature, surface_temperature, emissivity, aerosol, clouds, spread }
    }

    /// The number of columns.
    #[must_use]
    pub fn columns(&self) -> usize {
        self.air.temperature.items()
    }

    /// The number of layers.
    #[must_use]
    pub fn layers(&self) -> usize {
        self.air.temperature.levels()
    }

    /// Some of the columns.
    #[must_use]
    pub fn range(&self, columns: &Range<usize>) -> Self {
        let some = |field: &Field<'a, R>| field.range(columns.clone());
        let some_words = |field: &Field<'a, u32>| field.range(columns.clone());
        let air = Air {
            pressure: some(&self.air.pressure),
            level_pressure: some(&self.air.level_pressure),
            temperature: some(&self.air.temperature),
            gases: self.air.gases.each_ref().map(some),
            halocarbons: self.air.halocarbons.each_ref().map(some),
            dry_column: some(&self.air.dry_column),
            broadening_column: some(&self.air.broadening_column),
        };
        let clouds = self.clouds.as_ref().map(|clouds| Clouds {
            fraction: some(&clouds.fraction),
            entries: some_words(&clouds.entries),
            mask: some_words(&clouds.mask),
            ice_path: some(&clouds.ice_path),
            liquid_path: some(&clouds.liquid_path),
            ice_size: some(&clouds.ice_size),
            liquid_radius: some(&clouds.liquid_radius),
            optical_depth: some(&clouds.optical_depth),
            share: some(&clouds.share),
            ..*clouds
        });
        Self {
            air,
            level_temperature: some(&self.level_temperature),
            surface_temperature: some(&self.surface_temperature),
            emissivity: some(&self.emissivity),
            aerosol: some(&self.aerosol),
            clouds,
            spread: self.spread.each_ref().map(some),
        }
    }
}

/// A value a column.
pub(crate) fn row<'a, R: Real>(field: &Field<'a, R>) -> Column<'a, R> {
    let (_, stride) = field.strides();
    // SAFETY: the first level of the view.
    unsafe { Column::from_raw(field.as_ptr(), field.items(), stride) }
}
