//! The arrays of a batch in one order, for those who bring them elsewhere.

use isobar_core::Real;

use crate::host::columns::Columns;
use crate::host::options::{Options, Solver};
use crate::host::overlap::{Decorrelation, Generator};
use crate::sizes::Extents;

/// The number of arrays.
pub const ARRAYS: usize = 29;

impl Extents {
    /// The levels of each array of [`Columns::arrays`].
    #[must_use]
    pub fn levels(&self) -> [usize; ARRAYS] {
        let Self { layers, bands, points, .. } = *self;
        let mut levels = [layers; ARRAYS];
        (levels[1], levels[3]) = (layers + 1, layers + 1);
        (levels[17], levels[18], levels[19]) = (1, bands, layers * bands);
        (levels[25], levels[27], levels[28]) = (layers * bands, 1, layers * points);
        levels
    }
}

impl<R: Real> Columns<R> {
    /// What the kernels read with these options, in the order of [`crate::Inputs::new`]: values of all levels and
    /// columns, one for all of them, or none.
    #[must_use]
    pub fn arrays(&self, options: &Options) -> [&[R]; ARRAYS] {
        let generated = self.generates_masks(options);
        let spread = generated && options.subcolumns.overlap.is_exponential();
        let by_latitude = spread && matches!(options.subcolumns.decorrelation, Decorrelation::Latitude { .. });
        let with_fraction = generated || options.solver != Solver::Subcolumns;
        let mut of_clouds: [&[R]; 9] = [&[]; 9];
        if let Some(clouds) = &self.clouds {
            let when = |wanted: bool, values| if wanted { values } else { &[][..] };
            of_clouds = [
                when(with_fraction, &clouds.fraction[..]),
                &clouds.ice_path,
                &clouds.liquid_path,
                &clouds.ice_size,
                &clouds.liquid_radius,
                &clouds.optical_depth,
                when(spread, &clouds.thickness_m),
                when(by_latitude, &clouds.latitude_deg),
                &clouds.share,
            ];
        }
        let [fraction, ice_path, liquid_path, ice_size, liquid_radius, optical_depth, thickness, latitude, share] =
            of_clouds;
        let [h2o, co2, o3, n2o, co, ch4, o2] = &self.gases;
        let [ccl4, cfc11, cfc12, cfc22] = &self.halocarbons;
        [
            &self.pressure,
            &self.level_pressure,
            &self.temperature,
            &self.level_temperature,
            h2o,
            co2,
            o3,
            n2o,
            co,
            ch4,
            o2,
            ccl4,
            cfc11,
            cfc12,
            cfc22,
            &self.dry_column,
            &self.broadening_column,
            &self.surface_temperature,
            &self.emissivity,
            &self.aerosol,
            fraction,
            ice_path,
            liquid_path,
            ice_size,
            liquid_radius,
            optical_depth,
            thickness,
            latitude,
            share,
        ]
    }

    /// Does [`crate::CloudMask`] generate the masks of these columns, each for itself?
    #[must_use]
    pub fn generates_masks(&self, options: &Options) -> bool {
        options.solver == Solver::Subcolumns
            && options.subcolumns.generator == Generator::Kiss
            && self.clouds.as_ref().is_some_and(|clouds| clouds.mask.is_empty())
    }
}
