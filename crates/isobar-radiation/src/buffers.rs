//! What kernels leave to each other in the memory of a device.

use isobar_core::Real;
use isobar_launch::{Allocations, Buffer, DeviceMemory, Error, Queue};

use crate::order::{Rows, Workspace};
use crate::rrtmg;

/// Memory for the spectra of a run.
pub struct Memory<R: Real> {
    /// Of all k-distributions but RRTMG_LW's.
    pub(crate) spectra: Option<SpectraMemory<R>>,
    pub(crate) rrtmg: Option<rrtmg::Buffers<R>>,
}

/// Memory for some columns.
pub(crate) struct SpectraMemory<R: Real> {
    pub(crate) columns: usize,
    workspace: Workspace<'static, R>,
    /// Statuses of launches, which nobody looks at: a column that was checked is computed.
    statuses: Buffer<u32>,
    _parts: Allocations,
}

impl<R: Real> SpectraMemory<R> {
    pub(crate) fn new(queue: &Queue, rows: &Rows, columns: usize) -> Result<Self, Error> {
        let mut parts = DeviceMemory::new(queue);
        // SAFETY: the parts live as long as the views, and nobody gets these for longer.
        let workspace = unsafe { Workspace::new(rows, columns, &mut parts) };
        let statuses = queue.zeros(rows.items * columns.div_ceil(32))?;
        Ok(Self { columns, workspace, statuses, _parts: parts.end()? })
    }

    pub(crate) fn views(&mut self) -> (Workspace<'_, R>, &mut Buffer<u32>) {
        (self.workspace, &mut self.statuses)
    }
}
