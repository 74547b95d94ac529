//! The kernel of lists: terms, Planck radiances and clouds of every layer, in some bands of a column. A lane has a
//! layer.

use core::ops::Range;

use isobar_core::kernel::WARP;
use isobar_core::{Kernel, Lanes, Real, Status, Team};

use crate::chunk::{Chunk, Slots};
use crate::clouds::Clouds;
use crate::lists::{Lists, Weights};
use crate::optics::PAIR;
use crate::prepare::Sources;
use crate::spread::{Head, Place, Spread};
use crate::tables::Tables;
use crate::terms;

/// Bands that a warp takes one after the other: what a layer is to all of them lies far apart in memory, and is read
/// once.
const BANDS: usize = 4;

/// The layers of a column in some neighbouring bands: an item.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct ListTerms<'a, R> {
    /// Layers and tables.
    pub sources: Sources<'a, R>,
    /// Clouds; without mask where there are none.
    pub clouds: Clouds<'a, R>,
    /// Where the lists go.
    pub spread: Spread<'a, R>,
}

// SAFETY: an item writes the lists of its own column and bands.
unsafe impl<R: Real> Kernel for ListTerms<'_, R> {
    const NAME: &'static str = "longwave_lists";
    const PRECISION: &'static str = R::NAME;
    const TEAM: Team = Team::Warp;
    const ON_CPU: bool = false;

    fn items(&self) -> usize {
        self.sources.temperature.items() * self.sources.tables.band_count().div_ceil(BANDS)
    }

    #[inline(always)]
    unsafe fn item<const W: usize>(&self, index: usize, lanes: Lanes<W>) -> Status {
        let bands = self.sources.tables.band_count();
        let (column, share) = (index / bands.div_ceil(BANDS), index % bands.div_ceil(BANDS));
        let own = share * BANDS..bands.min((share + 1) * BANDS);
        let layers = self.sources.temperature.levels();
        for strip in 0..layers.div_ceil(WARP) {
            for lane in 0..W {
                let layer = strip * WARP + lanes.first() + lane;
                if layer < layers {
                    self.write(column, own.clone(), layer);
                }
            }
        }
        Status::OK
    }
}

impl<R: Real> ListTerms<'_, R> {
    #[inline(always)]
    fn write(&self, column: usize, own: Range<usize>, layer: usize) {
        let (sources, tables, clouds) = (&self.sources, &self.sources.tables, &self.clouds);
        let cloudy = !clouds.mask.is_empty();
        let place = Place::new(&self.spread, tables, (sources.temperature.levels(), cloudy), column);
        let bands = tables.band_count();
        let temperatures = [
            sources.temperature.at(layer, column),
            sources.level_temperature.at(layer, column),
            sources.level_temperature.at(layer + 1, column),
        ];
        let places = temperatures.map(Tables::planck_place);
        for band in own.clone() {
            let [middle, lower, upper] = places.map(|place| tables.planck_at(&tables.planck, band, place));
            let aerosol = &sources.aerosol;
            let head = Head {
                aerosol: if aerosol.is_empty() { R::ZERO } else { aerosol.at(layer * bands + band, column) },
                planck: middle,
                step_down: lower - middle,
                step_up: upper - middle,
            };
            // SAFETY: the places are the layer's and the band's.
            unsafe { place.head(layer, band).write(head) };
        }
        if cloudy {
            let any = clouds.any(layer, column);
            for band in own.clone() {
                let depth =
                    if any != 0 { clouds.optical_depth(&tables.clouds, (band, bands), layer, column) } else { R::ZERO };
                // SAFETY: as above.
                unsafe { place.cloud(layer, band).write(depth) };
            }
            if own.start == 0 {
                // SAFETY: as above; the first item of a column says whether there are clouds.
                unsafe { place.cloudy(layer).write(any) };
            }
        }

        let region = usize::from(layer >= sources.states.lower_layers.at(0, column) as usize);
        let slots = Slots::<1>::alone(Chunk { low: layer, count: 1, region }, column);
        let states = terms::Layers::read(&sources.states, slots);
        let lists = place.lists(layer);
        for band in own {
            // SAFETY: the column's memory has room for the band's list, which is this item's.
            unsafe {
                terms::write(tables, &states, (band, tables.band(band)), lists);
                fill_up(tables, (band, region), lists, slots.first);
            }
        }
    }
}

/// Fills a list up to a multiple of [`PAIR`] terms with such as add nothing.
///
/// # Safety
/// The list was written and is this item's.
#[inline(always)]
unsafe fn fill_up<R: Real>(tables: &Tables<'_, R>, (band, region): (usize, usize), lists: Lists<R>, slot: usize) {
    // SAFETY: tables leave room for it.
    unsafe {
        let length = lists.length(band, slot);
        let first = tables.band(band).regions[region].first_term + 1;
        for term in length..length.next_multiple_of(PAIR) {
            let nothing = Weights { first: R::ZERO, second: R::ZERO };
            lists.put(((first + term) as usize, slot), 0, nothing);
        }
        (*lists.lengths.add(band))[slot] = length.next_multiple_of(PAIR);
    }
}
