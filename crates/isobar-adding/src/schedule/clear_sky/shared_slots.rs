//! Elements in the shared memory of a block.

use core::marker::PhantomData;

use isobar_core::kernel::WARP;
use isobar_core::{Lanes, Real};

use crate::physics::clear_sky::element::Element;
use crate::schedule::clear_sky::elements::Elements;

/// Numbered slots, each with an element a lane of a warp.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SharedSlots<R> {
    start: *mut R,
    lane: usize,
    numbers: PhantomData<R>,
}

impl<R: Real> SharedSlots<R> {
    /// The bytes of `slots` slots.
    pub(crate) const fn bytes(slots: usize) -> usize {
        slots * 3 * WARP * size_of::<R>()
    }

    /// The slots in the scratch of the lanes' block, which holds as many as are used.
    #[inline(always)]
    pub(crate) fn new<const W: usize>(lanes: Lanes<W>) -> Self {
        Self { start: lanes.scratch(), lane: lanes.first(), numbers: PhantomData }
    }

    /// Puts an element into a slot.
    #[inline(always)]
    pub(crate) fn put<const W: usize>(&self, slot: usize, element: &Elements<R, W>) {
        for (row, values) in [element.0.transmittance, element.0.up, element.0.down].into_iter().enumerate() {
            self.write(slot, row, values);
        }
    }

    /// [`SharedSlots::put`] without the downward radiance.
    #[inline(always)]
    pub(crate) fn put_upward<const W: usize>(&self, slot: usize, element: &Elements<R, W>) {
        for (row, values) in [element.0.transmittance, element.0.up].into_iter().enumerate() {
            self.write(slot, row, values);
        }
    }

    /// The element of a slot.
    #[inline(always)]
    pub(crate) fn get<const W: usize>(&self, slot: usize) -> Elements<R, W> {
        Elements(Element { transmittance: self.read(slot, 0), up: self.read(slot, 1), down: self.read(slot, 2) })
    }

    /// [`SharedSlots::get`] of what [`SharedSlots::put_upward`] put there.
    #[inline(always)]
    pub(crate) fn get_upward<const W: usize>(&self, slot: usize) -> Elements<R, W> {
        Elements(Element { transmittance: self.read(slot, 0), up: self.read(slot, 1), down: [R::ZERO; W] })
    }

    #[inline(always)]
    fn read<const W: usize>(&self, slot: usize, row: usize) -> [R; W] {
        // SAFETY: the slot is one of the scratch's (the constructor's contract), and a row has WARP lanes.
        unsafe { self.start.add((slot * 3 + row) * WARP + self.lane).cast::<[R; W]>().read() }
    }

    #[inline(always)]
    fn write<const W: usize>(&self, slot: usize, row: usize, values: [R; W]) {
        // SAFETY: as in `read`.
        unsafe { self.start.add((slot * 3 + row) * WARP + self.lane).cast::<[R; W]>().write(values) };
    }
}
