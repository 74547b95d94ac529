//! How a layer is copied to its place in a GPU's scratch: by all lanes of a warp in lines of 16 bytes, or, where rows
//! are not whole lines, number by number.

use isobar_core::kernel::WARP;
use isobar_core::{Near, Real};

use crate::batch::YsuArgs;
use crate::near::{STORED, come};
use crate::tile::Tile;

/// Copies a lane's own numbers of a layer.
#[inline(always)]
pub(crate) fn fetch_lane<R: Real, const W: usize>(batch: &YsuArgs<'_, R>, tile: &Tile<W>, layer: u32, place: Near<R>) {
    let air = &batch.air;
    let row = tile.row(layer as usize, air.temperature.strides());
    let above = tile.row((layer + 1) as usize, batch.interface_pressure.strides());
    // Not a loop: a GPU would keep all arguments in slow memory.
    macro_rules! fetch {
        ($($number:ident $field:expr, $row:expr;)*) => {$(
            // SAFETY: a layer of the batch, to the lane's own place.
            unsafe { place.beyond(come!(@ $number) * WARP).fetch(tile.address(&$field, $row)) };
        )*};
    }
    fetch!(
        u air.u, row;
        v air.v, row;
        temperature air.temperature, row;
        vapour air.vapour, row;
        cloud_water air.cloud_water, row;
        cloud_ice air.cloud_ice, row;
        pressure air.pressure, row;
        exner air.exner, row;
        thickness air.thickness, row;
        top_pressure batch.interface_pressure, above;
    );
}

/// The lines of 16 bytes that a lane copies for its warp: of a layer's ten rows of 32 numbers, some lanes copy each
/// one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lines<R> {
    /// Are all rows whole lines? Otherwise each lane copies its own numbers.
    pub(crate) whole: bool,
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
    pub(crate) fn new<const W: usize>(batch: &YsuArgs<'_, R>, tile: &Tile<W>) -> Self {
        let none = Self { whole: false, rows: [core::ptr::null(); 5], beyond: 0, last: false };
        // On a host no other lane copies, and a GPU has no numbers of more than 8 bytes.
        if !cfg!(target_arch = "nvptx64") || Self::ROWS < 2 {
            return none;
        }
        let air = &batch.air;
        // In the order of their numbers at a place.
        let fields: [_; STORED] = [
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
    pub(crate) fn fetch(&self, batch: &YsuArgs<'_, R>, layer: u32, place: Near<R>) {
        let offset = (layer as i32).wrapping_mul(batch.air.temperature.strides().0 as i32) as isize;
        let place = place.beyond_bytes(self.beyond as usize);
        let rounds = STORED.div_ceil(Self::ROWS);
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
