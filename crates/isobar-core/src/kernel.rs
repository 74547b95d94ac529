//! The contract between a physics core and whatever runs it.

use crate::{Lanes, Status};

/// The lanes that work together on one item: a warp of a GPU.
pub const WARP: usize = 32;

/// The arguments of a kernel, which know how to compute one item.
///
/// The implementing struct is `repr(C)` and `Copy`, holds views and parameters only, and is the
/// whole ABI of the GPU entry: it travels by value. The same [`Kernel::item`] serves the CPU loop
/// and the GPU entry.
///
/// # Safety
/// `item` may be called for every index below `items()`, each once, in any order and from any
/// thread. An implementation must therefore write only to storage that belongs to the item and
/// read nothing that another item of the same launch writes.
pub unsafe trait Kernel: Copy + Send + Sync {
    /// The name of the GPU entry without the precision, as in `trace` of `trace_f64`.
    const NAME: &'static str;
    /// The precision, as in `f64` of `trace_f64`: [`crate::Real::NAME`].
    const PRECISION: &'static str;
    /// Does a warp of [`WARP`] lanes share one item? Otherwise each thread has its own.
    const TEAM: bool;

    /// The number of independent items.
    fn items(&self) -> usize;

    /// Computes one item with `W` of its lanes.
    ///
    /// A CPU calls it once an item with all lanes (`W` = [`WARP`] for a team kernel, 1 otherwise); a GPU
    /// calls it from every thread with `W = 1`.
    ///
    /// # Safety
    /// The views in the arguments are valid on this device, and `index < self.items()`.
    unsafe fn item<const W: usize>(&self, index: usize, lanes: Lanes<W>) -> Status;
}
