//! How a layer is copied to its slot in a GPU's shared memory: by all lanes of a warp, 16 bytes each, or, where rows
//! are not made of whole 16 bytes, number by number.

use isobar_core::Real;
use isobar_core::kernel::WARP;

use crate::arguments::YsuArgs;
use crate::schedule::shared::{NUMBERS, Slot, from_slot};
use crate::schedule::tile::Tile;

/// Starts the copies of a lane's own numbers of a layer.
#[inline(always)]
pub(crate) fn copy_lane<R: Real, const W: usize>(batch: &YsuArgs<'_, R>, tile: &Tile<W>, layer: u32, slot: Slot<R>) {
    let air = &batch.columns;
    let row = tile.offset(layer as usize, batch.strides());
    let above = tile.offset((layer + 1) as usize, batch.columns.interface_pressure_pa.strides());
    // Not a loop: a GPU would keep all arguments in slow memory.
    macro_rules! copy {
        ($($number:ident $field:expr, $row:expr;)*) => {$(
            // SAFETY: the lane's column, of a layer of the batch.
            unsafe { slot.copy(from_slot!(@ $number) * WARP, tile.address(&$field, $row)) };
        )*};
    }
    copy!(
        u air.u_m_per_s, row;
        v air.v_m_per_s, row;
        temperature air.temperature_k, row;
        vapour air.vapour_kg_per_kg, row;
        cloud_water air.cloud_water_kg_per_kg, row;
        cloud_ice air.cloud_ice_kg_per_kg, row;
        pressure air.pressure_pa, row;
        exner air.exner, row;
        thickness air.thickness_m, row;
        top_pressure batch.columns.interface_pressure_pa, above;
    );
}

/// The 16 bytes that a lane copies for its warp: of a layer's ten rows of 32 numbers, some lanes copy each one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Copies<R> {
    /// Can all rows be copied by 16 bytes? Otherwise each lane copies its own numbers.
    pub(crate) by_16_bytes: bool,
    /// The lane's first 16 bytes of layer 0 in each round: a round copies [`Copies::ROWS`] rows.
    rows: [*const R; 5],
    /// How far these are from the lane's own number in a slot, in bytes.
    beyond: isize,
    /// Has the lane a row to copy in the last round?
    last: bool,
}

impl<R: Real> Copies<R> {
    /// The lanes that copy a row, and the rows that a warp copies at a time.
    const LANES: usize = WARP * size_of::<R>() / 16;
    const ROWS: usize = WARP / Self::LANES;

    #[inline(always)]
    pub(crate) fn new<const W: usize>(batch: &YsuArgs<'_, R>, tile: &Tile<W>) -> Self {
        let none = Self { by_16_bytes: false, rows: [core::ptr::null(); 5], beyond: 0, last: false };
        // On a host no other lane copies, and a GPU has no numbers of more than 8 bytes.
        if !cfg!(target_arch = "nvptx64") || Self::ROWS < 2 {
            return none;
        }
        let air = &batch.columns;
        // In the order of their numbers in a slot.
        let fields: [_; NUMBERS] = [
            air.u_m_per_s.as_ptr(),
            air.v_m_per_s.as_ptr(),
            air.temperature_k.as_ptr(),
            air.vapour_kg_per_kg.as_ptr(),
            air.cloud_water_kg_per_kg.as_ptr(),
            air.cloud_ice_kg_per_kg.as_ptr(),
            air.pressure_pa.as_ptr(),
            air.exner.as_ptr(),
            air.thickness_m.as_ptr(),
            batch
                .columns
                .interface_pressure_pa
                .as_ptr()
                .wrapping_offset(batch.columns.interface_pressure_pa.strides().0),
        ];
        let (strides, lane) = (batch.strides(), tile.lane());
        let first = tile.warp_first();
        let mut addresses = (strides.0 as usize).wrapping_mul(size_of::<R>());
        for field in fields {
            addresses |= field as usize;
        }
        let by_16_bytes = addresses.is_multiple_of(16)
            && strides.1 == 1
            && batch.columns.interface_pressure_pa.strides() == strides
            && first + WARP <= batch.count();
        let (row_of_round, part) = (lane / Self::LANES, lane % Self::LANES);
        let to_part = part * 16 / size_of::<R>();
        let row = |round: usize| {
            let mut start = core::ptr::null();
            for i in 0..Self::ROWS {
                let field = round * Self::ROWS + i;
                if field < fields.len() && i == row_of_round {
                    start = fields[field];
                }
            }
            start.wrapping_add(first + to_part)
        };
        Self {
            by_16_bytes,
            rows: [row(0), row(1), row(2), row(3), row(4)],
            beyond: (row_of_round * WARP + to_part) as isize * size_of::<R>() as isize
                - (lane * size_of::<R>()) as isize,
            last: (fields.len() - 1) / Self::ROWS * Self::ROWS + row_of_round < fields.len(),
        }
    }

    /// Starts the lane's copies of a layer to a slot.
    #[inline(always)]
    pub(crate) fn start(&self, batch: &YsuArgs<'_, R>, layer: u32, slot: Slot<R>) {
        let offset = (layer as i32).wrapping_mul(batch.strides().0 as i32) as isize;
        let rounds = NUMBERS.div_ceil(Self::ROWS);
        macro_rules! copy {
            ($($round:literal)*) => {$(
                if $round < rounds && ($round + 1 < rounds || self.last) {
                    let from = self.rows[$round].wrapping_offset(offset);
                    // SAFETY: whole rows of the batch, to the rows of the slot, both of 16 bytes.
                    unsafe { slot.copy_16_bytes(self.beyond, $round * Self::ROWS * WARP, from) };
                }
            )*};
        }
        copy!(0 1 2 3 4);
    }
}
