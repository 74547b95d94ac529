//! What an item keeps near the arithmetic: in the shared memory of a GPU's block, or in the workspace of a CPU's
//! thread, which the caches hold from item to item.
//!
//! A GPU's shared memory has slots for layers. The lowest layers are copied there while the top of the boundary layer
//! is searched for ([`crate::schedule::prefetch`]), stay for the sweep upward, and leave their slots to their
//! eliminated rows, which wait longest for the sweep downward and would be pushed out of the caches meanwhile. The last
//! slots serve the layers above in turn. A CPU's workspace holds all rows, and its layers are read from memory.

use isobar_core::kernel::WARP;
use isobar_core::{Near, Real};

use crate::physics::implicit::Row;
use crate::physics::layer::Stored;
use crate::schedule::tile::{SCALE_AWARE, Tile, group, vector};

/// The numbers of an eliminated row.
const ROW_NUMBERS: usize = Row::COUNT;
/// The numbers of a stored layer, and of a slot. The last one, the pressure at the upper interface, outlives the
/// others.
pub(crate) const NUMBERS: usize = Stored::COUNT;
const _: () =
    assert!(ROW_NUMBERS < NUMBERS && Stored::NUMBERS.top_pressure == NUMBERS - 1, "a row takes the place of others");
/// The slots that layers above the lowest ones take in turn.
pub(crate) const IN_TURN: usize = 3;
/// The bytes of shared memory. 8 items of YSU fill an H200's multiprocessor: with more of them the other rows fall out
/// of the cache, with fewer nothing goes on while one waits. Of Shin-Hong, which computes more with each layer, 12 do.
const BYTES: usize = 220 * WARP * 4;
const BYTES_SCALE_AWARE: usize = 144 * WARP * 4;

/// The bytes of shared memory for one kind of number: numbers with derivatives, which no GPU has, need more.
pub(crate) const fn bytes<R, const F: u8>() -> usize {
    let in_doubles = size_of::<R>().div_ceil(size_of::<f64>());
    in_doubles * if F == SCALE_AWARE { BYTES_SCALE_AWARE } else { BYTES }
}

/// The slots of shared memory.
pub(crate) const fn slots<R, const F: u8>() -> usize {
    const { most_slots::<R, F>() }
}

/// The most slots with which, once the layers with slots of their own were taken, the copies of all groups have started
/// and that of the first layer with a slot in turn is complete; numbers with derivatives are never copied.
const fn most_slots<R, const F: u8>() -> usize {
    let group = group::<R, 1>();
    let mut slots = bytes::<R, F>() / (WARP * NUMBERS * size_of::<R>());
    while size_of::<R>() <= size_of::<f64>() {
        let lowest = slots - IN_TURN;
        if (slots - 1).div_ceil(group) <= (lowest - 2) / group + 2 && !(lowest - 1).is_multiple_of(group) {
            break;
        }
        slots -= 1;
    }
    slots
}

/// The layers whose rows are kept in slots or, on a CPU, in the workspace: there all.
#[inline(always)]
pub(crate) const fn kept_rows<R, const W: usize, const F: u8>() -> usize {
    if W > 1 { usize::MAX } else { slots::<R, F>() - IN_TURN }
}

/// The bytes that the rows of `layers` layers take in the workspace of a CPU's thread.
pub(crate) const fn workspace_bytes<R>(layers: usize) -> usize {
    layers * ROW_NUMBERS * vector::<R>() * size_of::<R>()
}

/// Where a layer or an eliminated row is: this thread's lane, whose neighbours' numbers follow.
///
/// Slots are made of numbers below [`slots`], and rows of layers of the batch, so that all their numbers are inside the
/// memory that the item's lanes have (the promise of [`Tile::new`]). It holds any bits at first, which are numbers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slot<R>(Near<R>);

impl<R: Real> Slot<R> {
    /// A slot of shared memory, for a layer on a GPU.
    #[inline(always)]
    pub(crate) fn of_layer<const W: usize, const F: u8>(tile: &Tile<W, F>, slot: u32) -> Self {
        debug_assert!((slot as usize) < slots::<R, F>());
        Self(tile.shared().beyond_bytes((slot * (NUMBERS * WARP * size_of::<R>()) as u32) as usize))
    }

    /// Where the eliminated row of a layer goes, one of the [`kept_rows`].
    #[inline(always)]
    fn of_row<const W: usize, const F: u8>(tile: &Tile<W, F>, layer: usize) -> Self {
        debug_assert!(layer < kept_rows::<R, W, F>());
        if W > 1 { Self(tile.workspace().beyond(layer * ROW_NUMBERS * W)) } else { Self::of_layer(tile, layer as u32) }
    }

    /// The lanes' numbers at a distance, in numbers.
    #[inline(always)]
    pub(crate) fn read<const W: usize>(self, distance: usize) -> [R; W] {
        debug_assert!(distance < NUMBERS * WARP);
        // SAFETY: inside the slot or row, which are the lanes' own.
        unsafe { self.0.beyond(distance).read() }
    }

    #[inline(always)]
    fn write<const W: usize>(self, distance: usize, values: [R; W]) {
        debug_assert!(distance < NUMBERS * WARP);
        // SAFETY: as above.
        unsafe { self.0.beyond(distance).write(values) };
    }

    /// Starts the copy of one of the lane's numbers.
    ///
    /// # Safety
    /// `from` can be read until the copy is complete.
    #[inline(always)]
    pub(crate) unsafe fn copy(self, distance: usize, from: *const R) {
        debug_assert!(distance < NUMBERS * WARP);
        // SAFETY: inside the slot; the rest is the caller's.
        unsafe { self.0.beyond(distance).fetch(from) };
    }

    /// Starts the copy of 16 bytes to `beyond` bytes past the number at this distance.
    ///
    /// # Safety
    /// They can be read until the copy is complete, and both they and the slot's bytes begin at a multiple of 16 and
    /// are inside what they belong to.
    #[inline(always)]
    pub(crate) unsafe fn copy_16_bytes(self, beyond: isize, distance: usize, from: *const R) {
        // SAFETY: the caller's.
        unsafe { self.0.beyond_bytes(beyond as usize).beyond(distance).fetch_line(from) };
    }
}

/// A layer in a slot, on a GPU.
#[inline(always)]
pub(crate) fn stored<R: Real, const W: usize>(slot: Slot<R>) -> Stored<[R; W]> {
    Stored::NUMBERS.map(|number| slot.read(number * WARP))
}

/// The pressure at the upper interface of one of the lowest layers, on a GPU: it outlives the layer in its slot.
#[inline(always)]
pub(crate) fn top_pressure<R: Real, const W: usize, const F: u8>(tile: &Tile<W, F>, layer: usize) -> [R; W] {
    Slot::of_layer(tile, layer as u32).read(Stored::NUMBERS.top_pressure * WARP)
}

/// How far the numbers of a row are from each other.
const fn apart<const W: usize>() -> usize {
    if W > 1 { W } else { WARP }
}

/// Keeps the row of a layer, one of the [`kept_rows`].
#[inline(always)]
pub(crate) fn keep<R: Real, const W: usize, const F: u8>(tile: &Tile<W, F>, layer: usize, row: &Row<[R; W]>) {
    let slot = Slot::of_row(tile, layer);
    row.each().zip(Row::NUMBERS).map(|(values, number)| slot.write(number * apart::<W>(), *values));
}

/// The row of a layer again.
#[inline(always)]
pub(crate) fn take<R: Real, const W: usize, const F: u8>(tile: &Tile<W, F>, layer: usize) -> Row<[R; W]> {
    let slot = Slot::<R>::of_row(tile, layer);
    Row::NUMBERS.map(|number| slot.read(number * apart::<W>()))
}
