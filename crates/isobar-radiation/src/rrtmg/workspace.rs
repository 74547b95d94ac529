//! What kernels leave to each other, and how much of it there is.

use isobar_core::fields::{Extents, LAYER, MASK_WORD};
use isobar_core::kernel::WARP;
use isobar_core::{FieldMut, Real, WorkMemory};

use crate::host::options::{CloudSolver, Options};
use crate::rrtmg::arguments::{LayerStates, Spread};
use crate::rrtmg::host::options::Transmittance;
use crate::rrtmg::schedule::spread;
use crate::rrtmg::state;
use crate::rrtmg::tables::Tables;
use crate::rrtmg::views::{FluxViews, RESULTS};

/// Views of it, of as many columns as are computed at a time, or more.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Workspace<'a, R> {
    pub(crate) states: LayerStates<'a, R>,
    /// Masks, where they are generated.
    pub(crate) mask: FieldMut<'a, u32>,
    /// [`crate::rrtmg::clouds::Clouds::entries`], where they are read.
    pub(crate) entries: FieldMut<'a, u32>,
    /// What [`crate::rrtmg::CloudMask`] needs for itself.
    pub(crate) follows: FieldMut<'a, f64>,
    /// Memory of the kernels of [`crate::rrtmg::spread`]; without items where they are not to be taken, as on a CPU.
    pub(crate) spread: Spread<'a, R>,
    /// Results of one of several angles.
    pub(crate) slant: FluxViews<'a, R>,
}

impl<R: Real> Workspace<'_, R> {
    /// The workspace of some of the columns.
    ///
    /// # Safety
    /// Views are used only while the memory lives.
    pub(crate) unsafe fn new(rows: &Rows, columns: usize, memory: &mut impl WorkMemory) -> Self {
        // SAFETY: the caller's.
        unsafe {
            Self {
                states: LayerStates {
                    values: memory.level_fastest(rows.values, columns),
                    indices: memory.level_fastest(rows.layers, columns),
                    lower_layers: memory.item_fastest(1, columns),
                    precipitable_water_cm: memory.item_fastest(1, columns),
                    secants: memory.level_fastest(rows.bands, columns),
                },
                mask: memory.item_fastest(rows.mask, columns),
                entries: memory.item_fastest(rows.entries, columns),
                follows: memory.item_fastest(rows.follows, columns),
                spread: Spread {
                    numbers: memory.level_fastest(rows.spread_numbers, columns),
                    words: memory.level_fastest(rows.spread_words, columns),
                },
                slant: FluxViews::from_results(
                    rows.slant
                        .map(|rows| if rows > 0 { memory.item_fastest(rows, columns) } else { FieldMut::empty() }),
                    FieldMut::empty(),
                ),
            }
        }
    }
}

/// What a column has of it: numbers and words, 0 of what is not needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Rows {
    pub(crate) values: usize,
    pub(crate) layers: usize,
    pub(crate) bands: usize,
    pub(crate) mask: usize,
    pub(crate) entries: usize,
    pub(crate) follows: usize,
    pub(crate) spread_numbers: usize,
    pub(crate) spread_words: usize,
    pub(crate) slant: [usize; RESULTS],
    /// The most items that a kernel has for a column.
    pub(crate) items: usize,
}

impl Rows {
    /// For columns of these sizes; do kernels generate masks, and are those of [`crate::rrtmg::spread`] taken where
    /// they can be?
    pub(crate) fn new<R: Real>(
        tables: &Tables<'_, R>,
        extents: &Extents,
        options: &Options,
        (generated, spread): (bool, bool),
    ) -> Self {
        let (layers, bands, cloudy) = (extents.size(LAYER), tables.band_count(), is_cloudy(extents));
        let when = |wanted: bool, rows: usize| if wanted { rows } else { 0 };
        let exact = options.rrtmg.transmittance == Transmittance::Exact;
        let subcolumns = options.cloud_solver == CloudSolver::McIca;
        let fast = exact && !options.band_fluxes && (!cloudy || subcolumns);
        let [spread_numbers, spread_words] =
            if spread && fast { spread::levels(tables, layers, cloudy) } else { [0; 2] };
        let several = options.slants().is_some_and(|slants| slants.len() > 1);
        let slant = if several { rows_of_results(options, cloudy, layers, bands) } else { [0; RESULTS] };
        Self {
            values: state::VALUES * layers,
            layers,
            bands,
            mask: when(generated, layers * (tables.points as usize).div_ceil(32)),
            entries: when(cloudy && !exact && !subcolumns, layers + 1),
            follows: when(generated && options.overlap.is_exponential(), layers),
            spread_numbers,
            spread_words,
            slant,
            items: bands.max(tables.segments()).max(layers.div_ceil(WARP)),
        }
    }

    /// The bytes of a column.
    #[cfg(feature = "launch")]
    pub(crate) fn bytes<R: Real>(&self) -> usize {
        let mut counted = isobar_core::CountedBytes(self.items * size_of::<u32>());
        // SAFETY: nobody uses the views.
        unsafe { Workspace::<R>::new(self, 1, &mut counted) };
        counted.0
    }
}

/// Have columns of these sizes clouds?
pub(crate) fn is_cloudy(extents: &Extents) -> bool {
    extents.size(MASK_WORD) > 0
}

/// The rows of each result, in the order of [`FluxViews::results`]; 0 where it is not computed.
fn rows_of_results(options: &Options, cloudy: bool, layers: usize, bands: usize) -> [usize; RESULTS] {
    let when = |wanted: bool, rows: usize| if wanted { rows } else { 0 };
    let (levels, clear) = (layers + 1, cloudy && options.clear_sky);
    let by_band = when(options.band_fluxes, levels * bands);
    let clear_levels = when(clear, levels);
    [
        levels,
        levels,
        layers,
        clear_levels,
        clear_levels,
        when(clear, layers),
        when(options.derivative, levels),
        when(options.derivative, clear_levels),
        by_band,
        by_band,
    ]
}
