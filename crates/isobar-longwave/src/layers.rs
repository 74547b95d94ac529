//! The kernel of layers: amounts of gases, indices and weights, once a layer for all bands. [`crate::slants`] sums over
//! them.

use isobar_core::kernel::WARP;
use isobar_core::{Field, FieldMut, Kernel, Lanes, Real, Status, Team};

use crate::amounts::dry_column;
use crate::constants::{COLUMN_UNIT, HPA_PER_PA, NO_GAS};
use crate::interpolation::Places;
use crate::state;
use crate::tables::Tables;

/// The air of `(layer or level, column)`, from the surface up.
///
/// A field of one value for all layers has strides of zero.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Air<'a, R> {
    /// Pressure of the layers \[Pa\].
    pub pressure: Field<'a, R>,
    /// Pressure of the levels between them, one more \[Pa\].
    pub level_pressure: Field<'a, R>,
    /// Temperature of the layers \[K\].
    pub temperature: Field<'a, R>,
    /// Mixing ratios of the [`crate::band::GASES`] relative to dry air \[mol/mol\]; or their columns \[molecules/cm^2\]
    /// where those of dry air are given.
    pub gases: [Field<'a, R>; 7],
    /// The same of the [`crate::band::HALOCARBONS`]; without items where there are none. Columns in 1e20
    /// molecules/cm^2.
    pub halocarbons: [Field<'a, R>; 4],
    /// Columns of dry air \[molecules/cm^2\]; without items where they follow from the levels' pressure.
    pub dry_column: Field<'a, R>,
    /// Columns of what broadens lines besides the gases, likewise.
    pub broadening_column: Field<'a, R>,
}

/// What the optics need, of every column.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct LayerStates<'a, R> {
    /// The numbers of [`crate::state`], `(number * layers + layer, column)`.
    pub values: FieldMut<'a, R>,
    /// [`crate::state::Indices`] of `(layer, column)`.
    pub indices: FieldMut<'a, u32>,
    /// The number of layers in the lower region.
    pub lower_layers: FieldMut<'a, u32>,
    /// Precipitable water \[cm\].
    pub precipitable_water: FieldMut<'a, R>,
    /// Secant of the mean slant in each `(band, column)`.
    pub secants: FieldMut<'a, R>,
}

/// A part of a tile of 32 columns and 32 layers, which has 32 items: a layer each, whose columns the lanes of a CPU's
/// thread have, or a column each, whose layers a GPU's lanes have. A CPU reads what lies side by side at once, a GPU
/// writes it.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Layers<'a, R> {
    /// The tables.
    pub tables: Tables<'a, R>,
    /// The air.
    pub air: Air<'a, R>,
    /// Where the results go.
    pub states: LayerStates<'a, R>,
}

// SAFETY: an item writes the states of its own layers and columns and reads none.
unsafe impl<R: Real> Kernel for Layers<'_, R> {
    const NAME: &'static str = "longwave_layers";
    const PRECISION: &'static str = R::NAME;
    const TEAM: Team = Team::Warp;

    fn items(&self) -> usize {
        self.air.columns().div_ceil(WARP) * self.air.temperature.levels().div_ceil(WARP) * WARP
    }

    #[inline(always)]
    unsafe fn item<const W: usize>(&self, index: usize, lanes: Lanes<W>) -> Status {
        let (tile, part) = (index / WARP, index % WARP);
        let layers = self.air.temperature.levels();
        let strips = layers.div_ceil(WARP);
        let (column, layer) = (tile / strips * WARP, tile % strips * WARP);
        let (column, layer) = if W == 1 { (column + part, layer + lanes.first()) } else { (column, layer + part) };
        if column < self.air.columns() && layer < layers {
            self.run::<W>(column, layer);
        }
        Status::OK
    }
}

impl<'a, R: Real> Air<'a, R> {
    #[inline(always)]
    pub(crate) fn columns(&self) -> usize {
        self.temperature.items()
    }

    /// Values of the lanes' columns, of which `first` is the first lane's; the last for lanes beyond it.
    #[inline(always)]
    pub(crate) fn read<const W: usize>(&self, field: &Field<'a, R>, level: usize, first: usize) -> [R; W] {
        let columns = self.columns();
        // SAFETY: columns are below the field's, and callers' levels, too.
        let [values] = unsafe { field.tile::<1, W>(|_| level, |lane| (first + lane).min(columns - 1), R::ZERO) };
        values
    }

    /// Pressures in hPa.
    #[inline(always)]
    pub(crate) fn hpa<const W: usize>(&self, field: &Field<'a, R>, level: usize, first: usize) -> [R; W] {
        let mut values = self.read(field, level, first);
        for lane in 0..W {
            values[lane] *= R::from_f64(HPA_PER_PA);
        }
        values
    }

    /// Zeros where there is no field.
    #[inline(always)]
    pub(crate) fn optional<const W: usize>(&self, field: &Field<'a, R>, level: usize, first: usize) -> [R; W] {
        if field.is_empty() { [R::ZERO; W] } else { self.read(field, level, first) }
    }

    /// Columns of dry air and of water in a layer.
    #[inline(always)]
    pub(crate) fn dry_and_water<const W: usize>(&self, layer: usize, first: usize) -> ([R; W], [R; W]) {
        let mut water = self.optional(&self.gases[0], layer, first);
        if !self.dry_column.is_empty() {
            return (self.read(&self.dry_column, layer, first), water);
        }
        let below: [R; W] = self.hpa(&self.level_pressure, layer, first);
        let above: [R; W] = self.hpa(&self.level_pressure, layer + 1, first);
        let mut dry = [R::ZERO; W];
        for lane in 0..W {
            dry[lane] = dry_column(below[lane] - above[lane], water[lane]);
            water[lane] *= dry[lane];
        }
        (dry, water)
    }
}

impl<R: Real> Layers<'_, R> {
    #[inline(always)]
    fn run<const W: usize>(&self, first: usize, layer: usize) {
        let (air, columns) = (&self.air, self.air.columns());
        let layers = air.temperature.levels();
        let pressure: [R; W] = air.hpa(&air.pressure, layer, first);
        let temperature: [R; W] = air.read(&air.temperature, layer, first);
        let (dry, water) = air.dry_and_water::<W>(layer, first);
        let mut gases = [[R::ZERO; W]; 7];
        let mut halocarbons = [[R::ZERO; W]; 4];
        for gas in 1..7 {
            gases[gas] = air.optional(&air.gases[gas], layer, first);
        }
        for gas in 0..4 {
            halocarbons[gas] = air.optional(&air.halocarbons[gas], layer, first);
        }
        let mut broadening = [R::ZERO; W];
        if air.dry_column.is_empty() {
            for lane in 0..W {
                let mut rest = R::ZERO;
                for gas in 1..7 {
                    rest += gases[gas][lane];
                }
                broadening[lane] = dry[lane] * (R::ONE - rest);
                for gas in 1..7 {
                    gases[gas][lane] *= dry[lane];
                }
                for gas in 0..4 {
                    halocarbons[gas][lane] *= dry[lane] * R::from_f64(1.0 / COLUMN_UNIT);
                }
            }
        } else {
            broadening = air.read(&air.broadening_column, layer, first);
        }
        gases[0] = water;

        let mut share = [R::ZERO; W];
        for lane in 0..W {
            share[lane] = gases[0][lane] / dry[lane];
        }
        let places = Places::find(&self.tables, &pressure, &temperature, &share);
        let unit = R::from_f64(1.0 / COLUMN_UNIT);
        let mut values = [[R::ZERO; W]; state::VALUES];
        for lane in 0..W {
            let molecules = dry[lane] + gases[0][lane];
            values[state::BROADENING][lane] = places.density[lane] * (broadening[lane] / molecules);
            for gas in 0..7 {
                let column = unit * gases[gas][lane];
                // Water and oxygen may be absent; the others are divided by.
                let absent = gas != 0 && gas != 6 && gases[gas][lane] == R::ZERO;
                let floor = R::from_f64(NO_GAS) * dry[lane];
                values[state::GASES + gas][lane] = if absent { floor } else { column };
            }
            values[state::GASES + 7][lane] = unit * broadening[lane];
            values[state::AIR][lane] = unit * dry[lane];
            let foreign = values[state::GASES][lane] * places.continuum[lane];
            values[state::FOREIGN][lane] = foreign;
            values[state::SELF][lane] = foreign * share[lane];
        }
        values[state::HALOCARBONS..state::HALOCARBONS + 4].copy_from_slice(&halocarbons);
        values[state::WEIGHTS..state::WEIGHTS + 4].copy_from_slice(&places.weights);
        values[state::PRESSURE] = pressure;
        values[state::SELF_FRACTION] = places.self_fraction;
        values[state::FOREIGN_FRACTION] = places.foreign_fraction;
        values[state::MINOR_FRACTION] = places.minor_fraction;
        values[state::DENSITY] = places.density;
        for lane in 0..W {
            if first + lane < columns {
                // SAFETY: the column and the layer are those of the states, which have all numbers.
                unsafe {
                    for (number, value) in values.iter().enumerate() {
                        self.states.values.put(number * layers + layer, first + lane, value[lane]);
                    }
                    self.states.indices.put(layer, first + lane, places.indices[lane]);
                }
            }
        }
    }
}
