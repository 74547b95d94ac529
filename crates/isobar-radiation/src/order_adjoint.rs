//! Which kernels run to go back from fluxes to columns, and what they leave to each other.

use isobar_core::{FieldMut, Real, WorkMemory};
use isobar_optics::tables::{GasTables, Model};
use isobar_optics::{GasStates, GasStatesAdjoint};

use crate::fields_adjoint::{AdjointViews, GradientViews};
use crate::host::options::{DeltaScaling, Options};
use crate::order::{Launcher, Tables, Workspace};
use crate::schedule::adjoint::backward::{Backward, SpectrumCotangents};
use crate::schedule::adjoint::cotangents;
use crate::schedule::adjoint::longwave::LongwaveAdjoint;
use crate::schedule::adjoint::shortwave::ShortwaveAdjoint;

/// What a column has of the memory that kernels share.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct AdjointRows {
    numbers: usize,
    words: usize,
    levels: usize,
}

impl AdjointRows {
    /// For a spectrum and columns of `layers` layers.
    pub(crate) fn new<R: Real>(tables: &GasTables<'_, R>, layers: usize) -> Self {
        let layout = GasStates::layout(tables, layers);
        Self { numbers: layout.numbers(), words: layout.words(), levels: (layers + 1) * cotangents::ROWS }
    }

    /// For either of two.
    pub(crate) fn either(self, other: Self) -> Self {
        Self {
            numbers: self.numbers.max(other.numbers),
            words: self.words.max(other.words),
            levels: self.levels.max(other.levels),
        }
    }
}

/// Views of that memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AdjointMemory<'a, R> {
    workspace: Workspace<'a, R>,
    by_states: FieldMut<'a, R>,
    levels: FieldMut<'a, R>,
}

impl<R: Real> AdjointMemory<'_, R> {
    /// That of some columns.
    ///
    /// # Safety
    /// Views are used only while the memory lives.
    pub(crate) unsafe fn new(rows: &AdjointRows, columns: usize, memory: &mut impl WorkMemory) -> Self {
        let forward = crate::order::Rows { numbers: rows.numbers, words: rows.words, ..Default::default() };
        // SAFETY: the caller's.
        unsafe {
            Self {
                workspace: Workspace::new(&forward, columns, memory),
                by_states: memory.level_fastest(rows.numbers, columns),
                levels: memory.level_fastest(rows.levels, columns),
            }
        }
    }
}

/// Columns, derivatives by their fluxes, and where those by the columns go.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AdjointWork<'a, R> {
    pub(crate) inputs: AdjointViews<'a, R>,
    pub(crate) gradients: GradientViews<'a, R>,
    pub(crate) memory: AdjointMemory<'a, R>,
}

impl<'a, R: Real> AdjointWork<'a, R> {
    /// Adds one spectrum of all columns, after zeroing what is there if it is the first.
    pub(crate) fn compute<L: Launcher>(
        &self,
        tables: &Tables<'a, R>,
        options: &Options,
        is_first: bool,
        launcher: &mut L,
    ) -> Result<(), L::Error> {
        let Self { inputs: AdjointViews { columns, cotangents }, gradients, memory } = *self;
        let is_longwave = tables.gases.is_longwave();
        let forward =
            GasStates { tables: tables.gases, atmosphere: columns.atmosphere(), states: memory.workspace.states };
        launcher.launch(&forward)?;
        let backward = Backward {
            sweep: columns.sweep(tables, options, memory.workspace, (columns.is_cloudy(), false)),
            gases: GasStatesAdjoint { forward, by_states: memory.by_states, gradients: gradients.atmosphere() },
            cotangents: SpectrumCotangents::new(&cotangents, is_longwave),
            levels: memory.levels,
            heating_factor: options.heating_factor(),
            gradients,
            is_first: u32::from(is_first),
        };
        if is_longwave {
            let (angles, angle_count) = options.angles(tables.gases.model == Model::Ecckd as u32);
            launcher.launch(&LongwaveAdjoint { backward, angles, angle_count })
        } else {
            launcher.launch(&ShortwaveAdjoint {
                backward,
                irradiance_w_per_m2: R::from_f64(tables.irradiance_w_per_m2),
                scales_mixture: u32::from(options.delta_scaling == DeltaScaling::Mixture),
            })
        }
    }
}
