//! Lists of terms, Planck radiances and clouds of every layer, in some bands of a column. A lane has a layer.

use core::ops::Range;

use isobar_core::kernel::WARP;
use isobar_core::{Lanes, Real};

use crate::rrtmg::arguments::ListTerms;
use crate::rrtmg::physics::planck::Position;
use crate::rrtmg::schedule::band_list::{self, SlotStates};
use crate::rrtmg::schedule::chunk::{Chunk, Slots};
use crate::rrtmg::schedule::lists::Lists;
use crate::rrtmg::schedule::spread::memory::{ColumnMemory, Head};
use crate::rrtmg::sizes::PAIR;
use crate::rrtmg::tables::Tables;

/// Bands that a warp takes one after the other: what a layer is to all of them lies far apart in memory, and is read
/// once.
const BANDS: usize = 4;

/// The number of items.
pub(crate) fn items<R: Real>(kernel: &ListTerms<'_, R>) -> usize {
    kernel.sources.columns.temperature_k.items() * kernel.sources.tables.band_count().div_ceil(BANDS)
}

/// Writes the lists of an item.
///
/// # Safety
/// The index is below the number of items, and nobody else has it.
#[inline(always)]
pub(crate) unsafe fn compute<R: Real, const W: usize>(kernel: &ListTerms<'_, R>, index: usize, lanes: Lanes<W>) {
    let bands = kernel.sources.tables.band_count();
    let (column, share) = (index / bands.div_ceil(BANDS), index % bands.div_ceil(BANDS));
    let own = share * BANDS..bands.min((share + 1) * BANDS);
    let layers = kernel.sources.columns.temperature_k.levels();
    for strip in 0..layers.div_ceil(WARP) {
        for lane in 0..W {
            let layer = strip * WARP + lanes.first() + lane;
            if layer < layers {
                let cloudy = !kernel.clouds.mask.is_empty();
                // SAFETY: the layer and the bands are this lane's.
                let memory =
                    unsafe { ColumnMemory::new(&kernel.spread, &kernel.sources.tables, (layers, cloudy), column) };
                write(kernel, (column, memory), own.clone(), layer);
            }
        }
    }
}

/// Writes the lists of a layer in some bands.
#[inline(always)]
fn write<R: Real>(
    kernel: &ListTerms<'_, R>,
    (column, memory): (usize, ColumnMemory<R>),
    own: Range<usize>,
    layer: usize,
) {
    let (sources, tables, clouds) = (&kernel.sources, &kernel.sources.tables, &kernel.clouds);
    let cloudy = !clouds.mask.is_empty();
    let bands = tables.band_count();
    let temperatures = [
        sources.columns.temperature_k.at(layer, column),
        sources.columns.level_temperature_k.at(layer, column),
        sources.columns.level_temperature_k.at(layer + 1, column),
    ];
    let positions = temperatures.map(Position::of);
    for band in own.clone() {
        let [middle, lower, upper] = positions.map(|position| position.radiance(&tables.planck, band));
        let aerosol = &sources.columns.aerosol_optical_depth;
        let head = Head {
            aerosol: if aerosol.is_empty() { R::ZERO } else { aerosol.at(layer * bands + band, column) },
            planck: middle,
            step_down: lower - middle,
            step_up: upper - middle,
        };
        memory.set_head(layer, band, head);
    }
    if cloudy {
        let any = clouds.any(&sources.columns, layer, column);
        for band in own.clone() {
            let mut depth = R::ZERO;
            if any != 0 {
                depth = clouds.optical_depth(&sources.columns, &tables.clouds, (band, bands), layer, column);
            }
            memory.set_cloud(layer, band, depth);
        }
        if own.start == 0 {
            // The first item of a column says whether there are clouds.
            memory.set_cloudy(layer, any);
        }
    }

    let region = usize::from(layer >= sources.states.lower_layers.at(0, column) as usize);
    let slots = Slots::<1>::alone(Chunk { low: layer, count: 1, region }, column);
    let states = SlotStates::read(&sources.states, slots);
    let lists = memory.lists(layer);
    for band in own {
        band_list::write(tables, &states, band, lists);
        fill_up(tables, (band, region), lists, slots.first);
    }
}

/// Fills a list up to a multiple of [`PAIR`] terms with such as add nothing. Tables leave memory for it.
#[inline(always)]
fn fill_up<R: Real>(tables: &Tables<'_, R>, (band, region): (usize, usize), lists: Lists<R>, slot: usize) {
    let length = lists.length(band, slot);
    let first = tables.band(band).regions[region].first_term + 1;
    for term in length..length.next_multiple_of(PAIR) {
        lists.put(((first + term) as usize, slot), 0, [R::ZERO; 2]);
    }
    lists.put_length(band, slot, length.next_multiple_of(PAIR));
}
