//! The arguments of the kernels: views of a batch in a device's memory.

use isobar_core::{Field, FieldMut, Real};

use crate::fields::{ColumnViews, ResultViews};
use crate::version::Parameters;

/// What the sweeps leave to each other, `(layer, column)`; nothing is read that was not written.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Workspace<'a, R> {
    /// The elimination's factors for the system of heat; on a GPU alone.
    pub heat: FieldMut<'a, R>,
    /// The elimination's factors for the system of moisture and tracers; on a GPU alone.
    pub moisture: FieldMut<'a, R>,
    /// The elimination's factors for the system of momentum; with the topographic option on a CPU, too.
    pub momentum: FieldMut<'a, R>,
    /// Flux of moisture a unit of difference at an interface, for [`MixTracers`]; without items where there are no
    /// further tracers.
    pub exchange: FieldMut<'a, R>,
    /// Reciprocal of the pivot of the system of moisture, where there are further tracers.
    pub reciprocal: FieldMut<'a, R>,
    /// The elimination's factors for the system of vapour, where towns have one.
    pub vapour: FieldMut<'a, R>,
    /// What Shin-Hong's sweeps leave to each other, a level after the other; on a GPU alone.
    pub energy: FieldMut<'a, R>,
}

/// The arguments of the kernel [`crate::YsuKernel`].
///
/// Fields of `(layer, column)` of one kind (inputs, results, workspace) have one layout; on a GPU all of them have one,
/// and items are neighbours. Each has fewer than 2^31 values; the pressure of interfaces has strides of its own. At
/// least 4 layers.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct YsuArgs<'a, R> {
    /// The options.
    pub parameters: Parameters<R>,
    /// What is read.
    pub columns: ColumnViews<'a, R>,
    /// What is written.
    pub results: ResultViews<'a, R>,
    /// What the sweeps leave to each other.
    pub workspace: Workspace<'a, R>,
}

/// One tracer of 32 neighbouring columns: an item of a kernel that comes after [`crate::YsuKernel`], and mixes any
/// number of further tracers with the system of moisture. No tracer comes through the surface.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct MixTracers<'a, R> {
    /// The options with which the diffusivities were computed.
    pub parameters: Parameters<R>,
    /// [`Workspace::exchange`], as [`crate::YsuKernel`] left it.
    pub exchange: Field<'a, R>,
    /// [`Workspace::reciprocal`].
    pub reciprocal: Field<'a, R>,
    /// Mixing ratios of `(layer * tracers + tracer, column)`, fewer than 2^31 values.
    pub tracers: Field<'a, R>,
    /// Their tendencies \[1/s times the unit\], in the same layout.
    pub tendencies: FieldMut<'a, R>,
    /// Takes [`isobar_core::Status::NOT_FINITE`] of columns with a tendency that is not.
    pub status: FieldMut<'a, u32>,
}

impl<R: Real> YsuArgs<'_, R> {
    #[inline(always)]
    pub(crate) fn count(&self) -> usize {
        self.columns.temperature_k.items()
    }

    #[inline(always)]
    pub(crate) fn layers(&self) -> usize {
        self.columns.temperature_k.levels()
    }

    /// Strides of the inputs of layers.
    #[inline(always)]
    pub(crate) fn strides(&self) -> (isize, isize) {
        self.columns.temperature_k.strides()
    }

    /// Strides of the results of layers. A GPU's are those of the inputs, so that it computes one offset.
    #[inline(always)]
    pub(crate) fn result_strides<const W: usize>(&self) -> (isize, isize) {
        if W == 1 { self.strides() } else { self.results.u_tendency_m_per_s2.strides() }
    }

    /// Strides of the workspace, on a GPU those of the inputs.
    #[inline(always)]
    pub(crate) fn workspace_strides<const W: usize>(&self) -> (isize, isize) {
        if W == 1 { self.strides() } else { self.workspace.momentum.strides() }
    }

    /// Is an option chosen that needs [`crate::YsuKernel`] with `OPTIONS`?
    #[must_use]
    pub fn has_options(&self) -> bool {
        self.parameters.top_down != 0 || self.parameters.topographic != 0
    }
}

impl<R: Real> MixTracers<'_, R> {
    /// The number of tracers.
    #[inline(always)]
    pub(crate) fn count(&self) -> usize {
        self.tracers.levels() / self.exchange.levels()
    }
}
