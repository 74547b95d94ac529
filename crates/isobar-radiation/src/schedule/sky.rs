//! Clouds of sub-columns as the lanes of a warp see them, and what they know of the layer ahead.

use isobar_core::{PerLane, Real};
use isobar_optics::Ahead;

use crate::arguments::{ANY_SKY, CLEAR, Sweep};
use crate::physics::particles::Depths;
use crate::physics::subcolumns::{Clouds, key, rank};

/// The way of a warp's lanes through the sky of a column.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sky<const W: usize> {
    column: usize,
    key: u32,
    /// The first lane's g-point.
    point: u32,
    ranks: [f32; W],
    /// The cloudy part of the layer above.
    above: f32,
    first: bool,
    /// What a GPU's lane knows of the gases of the next layer.
    pub(super) ahead: Ahead,
}

impl<const W: usize> Sky<W> {
    /// At the top of a column.
    #[inline(always)]
    pub(crate) fn new<R: Real>(sweep: &Sweep<'_, R>, column: usize, first_point: usize, ahead: Ahead) -> Self {
        let columns = &sweep.columns;
        // SAFETY: columns are those of the views.
        let (pressure, temperature, seed) = unsafe {
            let seed = if columns.subcolumn_seed.is_empty() { 0 } else { columns.subcolumn_seed.get(column) };
            (columns.level_pressure_pa.get(0, column), columns.temperature_k.get(0, column), seed)
        };
        let (key, point) = (key(pressure, temperature, seed), first_point as u32);
        Self { column, key, point, ranks: [0.5; W], above: 0.0, first: true, ahead }
    }

    /// The cloud that lanes see in a layer, into which they come from above; none where there is none.
    #[inline(always)]
    pub(crate) fn cloud<R: Real, const KIND: u32>(
        &mut self,
        sweep: &Sweep<'_, R>,
        layer: usize,
        lane: usize,
    ) -> Option<Depths<[R; W]>> {
        let columns = &sweep.columns;
        if KIND == CLEAR || (KIND & ANY_SKY != 0 && columns.cloud_fraction.is_empty()) {
            return None;
        }
        // SAFETY: layers and columns are those of the views.
        let fraction = unsafe { columns.cloud_fraction.get(layer, self.column) }.to_f32();
        let place = (layer, self.column);
        let alike = if layer + 1 == columns.layers() {
            0.0
        } else if !columns.overlap_parameter.is_empty() {
            sweep.given_overlap(place).to_f32()
        } else if columns.thickness_m.is_empty() {
            0.0
        } else {
            // In single precision, whatever the radiation's, as everything that decides who sees the cloud: so both see
            // the same.
            Real::exp(-(sweep.distance_m(place).to_f32() / sweep.decorrelation_m))
        };
        let cloudy = self.enter(
            layer,
            Clouds { overlap: sweep.overlap, above: self.above, here: fraction, alike, first: self.first },
        );
        if fraction == 0.0 {
            return None;
        }
        let mut cloud = sweep.cloud(place, lane);
        if KIND & ANY_SKY != 0 {
            sweep.add_rain_and_snow(place, lane, &mut cloud);
        }
        for lane in 0..W {
            let all = cloud.lane(lane);
            cloud.set(lane, if cloudy[lane] { all } else { Depths::default() });
        }
        Some(cloud)
    }

    /// Goes down to a layer with these clouds: which lanes see them?
    #[inline(always)]
    fn enter(&mut self, layer: usize, clouds: Clouds) -> [bool; W] {
        let mut cloudy = [false; W];
        for lane in 0..W {
            self.ranks[lane] = rank(self.key, layer, self.point + lane as u32, self.ranks[lane], &clouds);
            cloudy[lane] = self.ranks[lane] > 1.0 - clouds.here;
        }
        (self.above, self.first) = (clouds.here, false);
        cloudy
    }
}

impl<R: Real> Sweep<'_, R> {
    /// The cloud of a layer and column at the lanes from `lane` on.
    #[inline(always)]
    pub(crate) fn cloud<const W: usize>(&self, (layer, column): (usize, usize), lane: usize) -> Depths<[R; W]> {
        let (columns, clouds) = (&self.columns, &self.clouds);
        macro_rules! at {
            ($field:ident) => {
                // SAFETY: layers and columns are those of the views.
                unsafe { columns.$field.get(layer, column) }
            };
        }
        let liquid = [at!(liquid_path_g_per_m2), at!(liquid_radius_um)];
        let ice = [at!(ice_path_g_per_m2), at!(ice_size_um)];
        let mut cloud = Depths::zeros();
        for (particles, given) in [(&clouds.liquid, liquid), (&clouds.ice, ice)] {
            particles.add(given, (lane, clouds.lanes), &mut cloud);
        }
        cloud
    }

    /// Adds rain, then snow, to the liquid and the ice of a cloud: where columns have them.
    #[inline(always)]
    pub(crate) fn add_rain_and_snow<const W: usize>(
        &self,
        (layer, column): (usize, usize),
        lane: usize,
        cloud: &mut Depths<[R; W]>,
    ) {
        let (columns, clouds) = (&self.columns, &self.clouds);
        for (particles, path, size) in [
            (&clouds.rain, &columns.rain_path_g_per_m2, &columns.rain_radius_um),
            (&clouds.snow, &columns.snow_path_g_per_m2, &columns.snow_size_um),
        ] {
            if !path.is_empty() {
                // SAFETY: layers and columns are those of the views; what has a path has a size.
                let given = unsafe { [path.get(layer, column), size.get(layer, column)] };
                particles.add(given, (lane, clouds.lanes), cloud);
            }
        }
    }

    /// How much the clouds of a layer and of that above it overlap, where it is given.
    #[inline(always)]
    pub(crate) fn given_overlap(&self, (layer, column): (usize, usize)) -> R {
        // SAFETY: there is a layer above; columns are those of the views.
        unsafe { self.columns.overlap_parameter.get(layer, column) }
    }

    /// From the middle of a layer to that of the layer above.
    #[inline(always)]
    pub(crate) fn distance_m(&self, (layer, column): (usize, usize)) -> R {
        let thickness = &self.columns.thickness_m;
        // SAFETY: as above.
        let [here, above] = unsafe { [thickness.get(layer, column), thickness.get(layer + 1, column)] };
        R::from_f64(0.5) * (here + above)
    }
}
