//! Gas states of all layers: a part of a tile of 32 columns and 32 layers is an item. A CPU's thread has a layer, whose
//! columns are its lanes; a GPU's warp has a column, whose layers are its lanes. A CPU reads what lies side by side at
//! once, a GPU writes it.

use isobar_core::kernel::WARP;
use isobar_core::{Field, Lanes, PerLane, Real};

use crate::rrtmg::arguments::LayerStates;
use crate::rrtmg::constants::HPA_PER_PA;
use crate::rrtmg::physics::amounts::{broadening_column, dry_column, halocarbon_column, in_unit, present};
use crate::rrtmg::physics::interpolation::Position;
use crate::rrtmg::state;
use crate::rrtmg::tables::Tables;
use crate::rrtmg::views::ColumnViews;

/// The number of items.
pub(crate) fn items<R: Real>(columns: &ColumnViews<'_, R>) -> usize {
    columns.columns().div_ceil(WARP) * columns.temperature_k.levels().div_ceil(WARP) * WARP
}

/// The first lane's column and layer in an item, if they are in the batch.
#[inline(always)]
pub(crate) fn first_of<R: Real, const W: usize>(
    columns: &ColumnViews<'_, R>,
    index: usize,
    lanes: Lanes<W>,
) -> Option<(usize, usize)> {
    let (tile, part) = (index / WARP, index % WARP);
    let layers = columns.temperature_k.levels();
    let strips = layers.div_ceil(WARP);
    let (column, layer) = (tile / strips * WARP, tile % strips * WARP);
    let (column, layer) = if W == 1 { (column + part, layer + lanes.first()) } else { (column, layer + part) };
    (column < columns.columns() && layer < layers).then_some((column, layer))
}

impl<'a, R: Real> ColumnViews<'a, R> {
    /// Values of the lanes' columns, of which `first` is the first lane's; the last for lanes beyond it.
    #[inline(always)]
    fn read<const W: usize>(&self, field: &Field<'a, R>, level: usize, first: usize) -> [R; W] {
        let columns = self.columns();
        // SAFETY: columns are below the field's, and callers' levels, too.
        let [values] = unsafe { field.tile::<1, W>(|_| level, |lane| (first + lane).min(columns - 1), R::ZERO) };
        values
    }

    /// Pressures in hPa.
    #[inline(always)]
    fn hpa<const W: usize>(&self, field: &Field<'a, R>, level: usize, first: usize) -> [R; W] {
        let mut values = self.read(field, level, first);
        for lane in 0..W {
            values[lane] *= R::from_f64(HPA_PER_PA);
        }
        values
    }

    /// Zeros where there is no field.
    #[inline(always)]
    fn optional<const W: usize>(&self, field: &Field<'a, R>, level: usize, first: usize) -> [R; W] {
        if field.is_empty() { [R::ZERO; W] } else { self.read(field, level, first) }
    }

    /// Columns of dry air and of water in a layer.
    #[inline(always)]
    fn dry_and_water<const W: usize>(&self, layer: usize, first: usize) -> ([R; W], [R; W]) {
        let mut water = self.optional(&self.h2o, layer, first);
        if !self.dry_column_per_cm2.is_empty() {
            return (self.read(&self.dry_column_per_cm2, layer, first), water);
        }
        let below: [R; W] = self.hpa(&self.level_pressure_pa, layer, first);
        let above: [R; W] = self.hpa(&self.level_pressure_pa, layer + 1, first);
        let mut dry = [R::ZERO; W];
        for lane in 0..W {
            dry[lane] = dry_column(below[lane] - above[lane], water[lane]);
            water[lane] *= dry[lane];
        }
        (dry, water)
    }
}

/// Computes the states of the lanes' columns in a layer, of which `first` is the first lane's.
#[inline(always)]
pub(crate) fn compute<R: Real, const W: usize>(
    tables: &Tables<'_, R>,
    columns: &ColumnViews<'_, R>,
    states: &LayerStates<'_, R>,
    (first, layer): (usize, usize),
) {
    let (count, layers) = (columns.columns(), columns.temperature_k.levels());
    let pressure: [R; W] = columns.hpa(&columns.pressure_pa, layer, first);
    let temperature: [R; W] = columns.read(&columns.temperature_k, layer, first);
    let (dry, water) = columns.dry_and_water::<W>(layer, first);
    let zeros = [R::ZERO; W];
    // Each field by its name: choosing among them by a number, a GPU would keep all arguments in slow memory.
    macro_rules! amounts {
        ($([$water:ident])? $($gas:ident)*) => {
            [$($water,)? $(columns.optional(&columns.$gas, layer, first)),*]
        };
    }
    let mut gases: [[R; W]; 7] = amounts!([water] co2 o3 n2o co ch4 o2);
    let mut halocarbons: [[R; W]; 4] = amounts!(ccl4 cfc11 cfc12 cfc22);
    let mut broadening = zeros;
    if columns.dry_column_per_cm2.is_empty() {
        for lane in 0..W {
            let mut mixing_ratios = [R::ZERO; 6];
            for gas in 1..7 {
                mixing_ratios[gas - 1] = gases[gas][lane];
                gases[gas][lane] *= dry[lane];
            }
            broadening[lane] = broadening_column(dry[lane], mixing_ratios);
            for gas in 0..4 {
                halocarbons[gas][lane] = halocarbon_column(dry[lane], halocarbons[gas][lane]);
            }
        }
    } else {
        broadening = columns.read(&columns.broadening_column_per_cm2, layer, first);
    }

    let (mut ln_pressure, mut share) = (zeros, zeros);
    for lane in 0..W {
        ln_pressure[lane] = pressure[lane].ln();
        share[lane] = water[lane] / dry[lane];
    }
    let mut position = Position::<[R; W], [u32; W]>::zeros();
    for lane in 0..W {
        let pressures = [pressure[lane], ln_pressure[lane]];
        position.set(lane, Position::find(tables, pressures, temperature[lane], share[lane]));
    }
    let mut values = [zeros; state::VALUES];
    for lane in 0..W {
        let molecules = dry[lane] + water[lane];
        values[state::BROADENING][lane] = position.density[lane] * (broadening[lane] / molecules);
        for gas in 0..7 {
            // Water and oxygen may be absent; the others are divided by.
            let (column, dry) = (gases[gas][lane], dry[lane]);
            values[state::GASES + gas][lane] =
                if gas == 0 || gas == 6 { in_unit(column) } else { present(column, dry) };
        }
        values[state::GASES + 7][lane] = in_unit(broadening[lane]);
        values[state::AIR][lane] = in_unit(dry[lane]);
        let foreign = values[state::GASES][lane] * position.continuum[lane];
        values[state::FOREIGN][lane] = foreign;
        values[state::SELF][lane] = foreign * share[lane];
    }
    values[state::HALOCARBONS..state::HALOCARBONS + 4].copy_from_slice(&halocarbons);
    let weights = [position.colder, position.warmer, position.next_colder, position.next_warmer];
    values[state::WEIGHTS..state::WEIGHTS + 4].copy_from_slice(&weights);
    values[state::PRESSURE] = pressure;
    values[state::SELF_FRACTION] = position.self_fraction;
    values[state::FOREIGN_FRACTION] = position.foreign_fraction;
    values[state::MINOR_FRACTION] = position.minor_fraction;
    values[state::DENSITY] = position.density;
    for lane in 0..W {
        if first + lane < count {
            // SAFETY: the column and the layer are those of the states, which have all numbers.
            unsafe {
                for (number, value) in values.iter().enumerate() {
                    states.values.put(number * layers + layer, first + lane, value[lane]);
                }
                states.indices.put(layer, first + lane, position.indices[lane]);
            }
        }
    }
}
