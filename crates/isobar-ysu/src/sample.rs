//! The air of one layer, another one in each lane.

use isobar_core::Real;

use crate::batch::YsuArgs;
use crate::coming::Coming;
use crate::near::{self, come};
use crate::potential_temperature::{deviation, liquid_deviation, virtual_deviation};
use crate::tile::{Tile, per_lane};

per_lane! {
    /// What entrainment needs of a layer.
    struct Sample { u, v, temperature, exner, vapour, cloud_water, cloud_ice, pressure }
}

impl<R: Real> Sample<R> {
    /// Potential temperature less a reference, as the next two.
    #[inline(always)]
    pub(crate) fn deviation(&self, reference: R) -> R {
        deviation(self.temperature, self.exner, reference)
    }

    #[inline(always)]
    pub(crate) fn virtual_deviation(&self, reference: R) -> R {
        virtual_deviation(self.deviation(reference), self.vapour, reference)
    }

    #[inline(always)]
    pub(crate) fn liquid_deviation(&self, reference: R) -> R {
        liquid_deviation(self.temperature, self.cloud_water, self.cloud_ice, self.exner, reference)
    }
}

impl<R: Real, const W: usize> Sample<[R; W]> {
    /// The layers that are numbered from 0, or the uppermost.
    #[inline(always)]
    pub(crate) fn read(batch: &YsuArgs<'_, R>, tile: &Tile<W>, coming: &Coming<R>, layers: &[u32; W]) -> Self {
        let air = &batch.air;
        let mut samples = Self::ZEROS;
        // A GPU's lane takes it from where it came.
        if W == 1 {
            let layer = layers[0].min(batch.layers() as u32 - 1);
            if !tile.any(&[u32::from(!coming.has(layer)); W]) {
                // SAFETY: the layer has come.
                return unsafe {
                    come!(near::place(tile, layer) => Sample { u, v, temperature, exner, vapour, cloud_water, cloud_ice, pressure })
                };
            }
        }
        for lane in 0..W {
            let (layer, column) = ((layers[lane] as usize).min(batch.layers() - 1), tile.column(lane));
            let row = tile.place(layer, column, air.temperature.strides());
            // SAFETY: layer and column are those of the batch, all of whose fields have the temperature's layout.
            unsafe {
                samples.u[lane] = tile.value(&air.u, row);
                samples.v[lane] = tile.value(&air.v, row);
                samples.temperature[lane] = tile.value(&air.temperature, row);
                samples.exner[lane] = tile.value(&air.exner, row);
                samples.vapour[lane] = tile.value(&air.vapour, row);
                samples.cloud_water[lane] = tile.value(&air.cloud_water, row);
                samples.cloud_ice[lane] = tile.value(&air.cloud_ice, row);
                samples.pressure[lane] = tile.value(&air.pressure, row);
            }
        }
        samples
    }
}
