//! Layers on their way from memory to the places of a GPU's scratch.
//!
//! The lowest ones are called for in groups, as the search for the top of the boundary layer rises, and the next group is on its way while one is searched;
//! those above one by one, as the sweep upward gives places back. On a CPU, which prefetches, layers are read when they are needed.

use isobar_core::kernel::WARP;
use isobar_core::{Near, Real};

use crate::batch::YsuArgs;
use crate::layer::Stored;
use crate::near::{self, IN_TURN};
use crate::tile::{Tile, at_a_time};

/// The layers of a group, which a search looks at together: layer 0 comes with the first group, of layers 1 to [`group`].
#[inline(always)]
pub(crate) const fn group<R, const W: usize>() -> usize {
    let half = at_a_time::<R, W>() / 2;
    if half == 0 { 1 } else { half }
}

/// Where a layer has its place, if that is known: a place of its own, one that several layers share in turn, or either.
pub(crate) const EITHER: u8 = 0;
/// One of the lowest layers.
pub(crate) const OWN: u8 = 1;
/// One above them.
pub(crate) const SHARED: u8 = 2;

/// The groups that have places.
const fn groups<R>() -> u32 {
    (near::places::<R>() - 1).div_ceil(group::<R, 1>()) as u32
}

/// Once the `lowest` layers, whose places are their own, were taken: were all groups called for, and has the first layer come that shares a place?
const fn all_called<R>(lowest: usize) -> bool {
    let group = group::<R, 1>();
    groups::<R>() as usize <= (lowest - 2) / group + 2 && !(lowest - 1).is_multiple_of(group)
}
const _: () = assert!(all_called::<f32>(near::layers::<f32, 1>()) && all_called::<f64>(near::layers::<f64, 1>()));

/// What came, and what is on its way.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Coming<R> {
    lines: Lines<R>,
    /// The groups that were called for.
    called: u32,
    /// The layers that have come.
    come: u32,
    /// The place of the next layer above the lowest ones.
    turn: u32,
}

impl<R: Real> Coming<R> {
    /// Calls for the first groups.
    #[inline(always)]
    pub(crate) fn start<const W: usize>(batch: &YsuArgs<'_, R>, tile: &Tile<W>) -> Self {
        let lowest = near::layers::<R, 1>() as u32;
        let mut coming = Self { lines: Lines::new(batch, tile), called: 0, come: 0, turn: lowest };
        if W == 1 {
            coming.call(batch, tile, 0, 0);
            coming.call_group(batch, tile);
        }
        coming
    }

    /// Calls for a layer, if there is one.
    #[inline(always)]
    fn call<const W: usize>(&self, batch: &YsuArgs<'_, R>, tile: &Tile<W>, layer: u32, place: u32) {
        if layer < batch.layers() as u32 {
            if self.lines.whole {
                self.lines.fetch(batch, layer, near::place(tile, place));
            } else {
                fetch_lane(batch, tile, layer, near::place(tile, place));
            }
        }
    }

    #[inline(always)]
    fn call_group<const W: usize>(&mut self, batch: &YsuArgs<'_, R>, tile: &Tile<W>) {
        let first = self.called * group::<R, 1>() as u32 + 1;
        let end = (near::places::<R>() as u32).min(batch.layers() as u32);
        if self.lines.whole {
            for i in 0..group::<R, 1>() as u32 {
                if first + i < end {
                    self.lines.fetch(batch, first + i, near::place(tile, first + i));
                }
            }
        } else {
            let mut layer = first;
            while layer < end.min(first + group::<R, 1>() as u32) {
                fetch_lane(batch, tile, layer, near::place(tile, layer));
                layer += 1;
            }
        }
        Near::<R>::group();
        self.called += 1;
    }

    /// Waits for a group, and calls for the next one.
    #[inline(always)]
    pub(crate) fn await_group<const W: usize>(&mut self, batch: &YsuArgs<'_, R>, tile: &Tile<W>, number: u32) {
        if self.called < number + 2 && self.called < groups::<R>() {
            self.call_group(batch, tile);
        }
        if self.called > number + 1 {
            Near::<R>::wait::<1>();
        } else {
            Near::<R>::wait::<0>();
        }
        tile.wait();
        let come = (number + 1) * group::<R, 1>() as u32 + 1;
        self.come = if come > self.come { come } else { self.come };
    }

    /// The lowest layer, which comes first.
    #[inline(always)]
    pub(crate) fn lowest<const W: usize>(&mut self, batch: &YsuArgs<'_, R>, tile: &Tile<W>) -> Stored<[R; W]> {
        if W == 1 {
            self.await_group(batch, tile, 0);
        }
        self.lowest_again(batch, tile)
    }

    /// The lowest layer after [`Coming::lowest`].
    #[inline(always)]
    pub(crate) fn lowest_again<const W: usize>(&self, batch: &YsuArgs<'_, R>, tile: &Tile<W>) -> Stored<[R; W]> {
        if W > 1 {
            return Stored::read(batch, tile, 0);
        }
        // SAFETY: it came with the first group.
        unsafe { near::stored(near::place(tile, 0)) }
    }

    /// Has this layer come to its place?
    #[inline(always)]
    pub(crate) fn has(&self, layer: u32) -> bool {
        layer < self.come && layer < near::places::<R>() as u32
    }

    /// A layer for the sweep upward, which takes one after the other from layer 1 on.
    #[inline(always)]
    pub(crate) fn take<const W: usize, const PLACE: u8>(
        &mut self,
        batch: &YsuArgs<'_, R>,
        tile: &Tile<W>,
        layer: usize,
    ) -> Stored<[R; W]> {
        if W > 1 {
            return Stored::read(batch, tile, layer);
        }
        let (layer, lowest) = (layer as u32, near::layers::<R, 1>() as u32);
        let group = group::<R, 1>() as u32;
        if PLACE == OWN || (PLACE == EITHER && layer < lowest) {
            if (layer - 1).is_multiple_of(group) {
                self.await_group(batch, tile, (layer - 1) / group);
            }
            // SAFETY: the layer's group has come.
            return unsafe { near::stored(near::place(tile, layer)) };
        }
        // The first ones come with groups, after the last of which one call may be on its way.
        if layer < lowest + IN_TURN as u32 {
            Near::<R>::wait::<1>();
        } else {
            Near::<R>::wait::<{ IN_TURN - 1 }>();
        }
        tile.wait();
        // SAFETY: the layer has come.
        let stored = unsafe { near::stored(near::place(tile, self.turn)) };
        // All lanes have read it.
        tile.wait();
        self.call(batch, tile, layer + IN_TURN as u32, self.turn);
        Near::<R>::group();
        self.turn = if self.turn + 1 == near::places::<R>() as u32 { lowest } else { self.turn + 1 };
        stored
    }
}

/// Copies a lane's own numbers of a layer.
#[inline(always)]
fn fetch_lane<R: Real, const W: usize>(batch: &YsuArgs<'_, R>, tile: &Tile<W>, layer: u32, place: Near<R>) {
    let air = &batch.air;
    let row = tile.row(layer as usize, air.temperature.strides());
    let above = tile.row((layer + 1) as usize, batch.interface_pressure.strides());
    // Not a loop: a GPU would keep all arguments in slow memory.
    macro_rules! fetch {
        ($($number:literal $field:expr, $row:expr;)*) => {$(
            // SAFETY: a layer of the batch, to the lane's own place.
            unsafe { place.beyond($number * WARP).fetch(tile.address(&$field, $row)) };
        )*};
    }
    fetch!(
        0 air.u, row;
        1 air.v, row;
        2 air.temperature, row;
        3 air.vapour, row;
        4 air.cloud_water, row;
        5 air.cloud_ice, row;
        6 air.pressure, row;
        7 air.exner, row;
        8 air.thickness, row;
        9 batch.interface_pressure, above;
    );
}

/// The lines of 16 bytes that a lane copies for its warp: of a layer's ten rows of 32 numbers, some lanes copy each one.
#[derive(Clone, Copy, Debug)]
struct Lines<R> {
    /// Are all rows whole lines? Otherwise each lane copies its own numbers.
    whole: bool,
    /// Where the lane's lines of layer 0 begin, in every so many-eth row.
    rows: [*const R; 5],
    /// How far the lane's line is from its own place, in bytes.
    beyond: isize,
    /// Does the lane have a line of the last rows?
    last: bool,
}

impl<R: Real> Lines<R> {
    /// The lanes that copy a row, and the rows that a warp copies at a time.
    const LANES: usize = WARP * size_of::<R>() / 16;
    const ROWS: usize = WARP / Self::LANES;

    #[inline(always)]
    fn new<const W: usize>(batch: &YsuArgs<'_, R>, tile: &Tile<W>) -> Self {
        let none = Self { whole: false, rows: [core::ptr::null(); 5], beyond: 0, last: false };
        // On a host no other lane copies, and a GPU has no numbers of more than 8 bytes.
        if !cfg!(target_arch = "nvptx64") || Self::ROWS < 2 {
            return none;
        }
        let air = &batch.air;
        let fields = [
            air.u.as_ptr(),
            air.v.as_ptr(),
            air.temperature.as_ptr(),
            air.vapour.as_ptr(),
            air.cloud_water.as_ptr(),
            air.cloud_ice.as_ptr(),
            air.pressure.as_ptr(),
            air.exner.as_ptr(),
            air.thickness.as_ptr(),
            batch.interface_pressure.as_ptr().wrapping_offset(batch.interface_pressure.strides().0),
        ];
        let (strides, lane) = (air.temperature.strides(), tile.lane());
        let first = tile.warp_first();
        let mut addresses = (strides.0 as usize).wrapping_mul(size_of::<R>());
        for field in fields {
            addresses |= field as usize;
        }
        let whole = addresses.is_multiple_of(16)
            && strides.1 == 1
            && batch.interface_pressure.strides() == strides
            && first + WARP <= batch.columns();
        let (number, line) = (lane / Self::LANES, lane % Self::LANES);
        let to_line = line * 16 / size_of::<R>();
        let row = |group: usize| {
            let mut start = core::ptr::null();
            for i in 0..Self::ROWS {
                let field = group * Self::ROWS + i;
                if field < fields.len() && i == number {
                    start = fields[field];
                }
            }
            start.wrapping_add(first + to_line)
        };
        Self {
            whole,
            rows: [row(0), row(1), row(2), row(3), row(4)],
            beyond: (number * WARP + to_line) as isize * size_of::<R>() as isize - (lane * size_of::<R>()) as isize,
            last: (fields.len() - 1) / Self::ROWS * Self::ROWS + number < fields.len(),
        }
    }

    /// Copies the lane's lines of a layer, whose place is the lane's own.
    #[inline(always)]
    fn fetch(&self, batch: &YsuArgs<'_, R>, layer: u32, place: Near<R>) {
        let offset = (layer as i32).wrapping_mul(batch.air.temperature.strides().0 as i32) as isize;
        let place = place.beyond_bytes(self.beyond as usize);
        let rounds = 10_usize.div_ceil(Self::ROWS);
        macro_rules! lines {
            ($($number:literal)*) => {$(
                if $number < rounds && ($number + 1 < rounds || self.last) {
                    // SAFETY: rows of the batch, whole lines each, to the places of the layer.
                    unsafe { place.beyond($number * Self::ROWS * WARP).fetch_line(self.rows[$number].wrapping_offset(offset)) };
                }
            )*};
        }
        lines!(0 1 2 3 4);
    }
}
