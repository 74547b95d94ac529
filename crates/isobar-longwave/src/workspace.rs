//! What kernels leave to each other, and how much of it there is.

use isobar_core::fields::{AnyFieldMut, Extents, LAYER, OutputSet};
use isobar_core::kernel::WARP;
use isobar_core::{FieldMut, Real};

use crate::arguments::{LayerStates, Spread};
use crate::check::is_cloudy;
use crate::fields::FluxViews;
use crate::host::options::{Options, Solver, Transmittance};
use crate::schedule::spread;
use crate::state;
use crate::tables::Tables;

/// Views of it, of as many columns as are computed at a time, or more.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Workspace<'a, R> {
    pub(crate) states: LayerStates<'a, R>,
    /// Masks, where they are generated.
    pub(crate) mask: FieldMut<'a, u32>,
    /// [`crate::clouds::Clouds::entries`], where they are read.
    pub(crate) entries: FieldMut<'a, u32>,
    /// What [`crate::CloudMask`] needs for itself.
    pub(crate) follows: FieldMut<'a, f64>,
    /// Memory of the kernels of [`crate::spread`]; without items where they are not to be taken, as on a CPU.
    pub(crate) spread: Spread<'a, R>,
    /// Results of one of several angles, of exactly the columns that are computed.
    pub(crate) slant: FluxViews<'a, R>,
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
    pub(crate) slant: [usize; FluxViews::<f32>::DECLARED.len()],
    /// The most items that a kernel has for a column.
    pub(crate) items: usize,
}

impl Rows {
    /// For columns of these sizes; do kernels generate masks, and are those of [`crate::spread`] taken where they can
    /// be?
    pub(crate) fn new<R: Real>(
        tables: &Tables<'_, R>,
        extents: &Extents,
        options: &Options,
        (generated, spread): (bool, bool),
    ) -> Self {
        let (layers, bands, cloudy) = (extents.size(LAYER), tables.band_count(), is_cloudy(extents));
        let when = |wanted: bool, rows: usize| if wanted { rows } else { 0 };
        let exact = options.transmittance == Transmittance::Exact;
        let subcolumns = options.solver == Solver::Subcolumns;
        let fast = exact && !options.band_fluxes && (!cloudy || subcolumns);
        let [spread_numbers, spread_words] =
            if spread && fast { spread::levels(tables, layers, cloudy) } else { [0; 2] };
        let mut slant = if options.slants > 1 { options.rows(extents) } else { [0; _] };
        // Of the words, the status, there is one for all angles.
        *slant.last_mut().expect("there are results") = 0;
        Self {
            values: state::VALUES * layers,
            layers,
            bands,
            mask: when(generated, layers * (tables.points as usize).div_ceil(32)),
            entries: when(cloudy && !exact && !subcolumns, layers + 1),
            follows: when(generated && options.subcolumns.overlap.is_exponential(), layers),
            spread_numbers,
            spread_words,
            slant,
            items: bands.max(tables.segments()).max(layers.div_ceil(WARP)),
        }
    }

    /// The bytes of a column.
    #[cfg(feature = "launch")]
    pub(crate) fn bytes<R: Real>(&self) -> usize {
        let Self { values, layers, bands, mask, entries, follows, spread_numbers, spread_words, slant, items } = self;
        let numbers = values + bands + 1 + spread_numbers + slant.iter().sum::<usize>();
        let words = layers + 1 + mask + entries + spread_words + items;
        numbers * size_of::<R>() + words * size_of::<u32>() + follows * size_of::<f64>()
    }
}

/// Fluxes of the parts of one memory, in the order of the declaration.
pub(crate) fn fluxes_of<'a, R: Real>(mut parts: impl Iterator<Item = FieldMut<'a, R>>) -> FluxViews<'a, R> {
    FluxViews::build(&mut |declared| match (declared.name, parts.next()) {
        ("status", _) => AnyFieldMut::Word(FieldMut::empty()),
        (_, Some(part)) if part.levels() > 0 => AnyFieldMut::Real(part),
        _ => AnyFieldMut::Real(FieldMut::empty()),
    })
}
