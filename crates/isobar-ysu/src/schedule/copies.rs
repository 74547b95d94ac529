//! How a layer is copied to its slot in a GPU's shared memory: by all lanes of a warp, 16 bytes each, or, where rows
//! are not made of whole 16 bytes, number by number.

use isobar_core::kernel::WARP;
use isobar_core::{Field, Real};

use crate::arguments::YsuArgs;
use crate::fields::layer_numbers;
use crate::physics::layer::Stored;
use crate::schedule::shared::{NUMBERS, Slot};
use crate::schedule::tile::{AT_A_TIME, Tile, each_level};

/// Starts the copies of a lane's own numbers of a layer.
#[inline(always)]
pub(crate) fn copy_lane<R: Real, const W: usize, const F: u8>(
    batch: &YsuArgs<'_, R>,
    tile: &Tile<W, F>,
    layer: u32,
    slot: Slot<R>,
) {
    let air = &batch.columns;
    let row = tile.offset(layer as usize, batch.strides());
    let above = tile.offset((layer + 1) as usize, air.interface_pressure_pa.strides());
    // Not a loop: a GPU would keep all arguments in slow memory.
    macro_rules! copy {
        ($($name:ident $field:ident $place:ident,)*) => {$(
            // SAFETY: the lane's column, of a layer of the batch.
            unsafe { slot.copy(Stored::NUMBERS.$name * WARP, tile.address(&air.$field, copy!(@ $place))) };
        )*};
        (@ LAYER) => { row };
        (@ ABOVE) => { above };
    }
    layer_numbers!(copy);
}

/// The most rounds, of two rows at a time.
const ROUNDS: usize = NUMBERS.div_ceil(2);
const _: () = assert!(ROUNDS <= AT_A_TIME, "rounds are written out");

/// The 16 bytes that a lane copies for its warp: of a layer's [`NUMBERS`] rows of 32 numbers, some lanes copy each one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Copies<R> {
    /// Can all rows be copied by 16 bytes? Otherwise each lane copies its own numbers.
    pub(crate) by_16_bytes: bool,
    /// The lane's first 16 bytes of layer 0 in each of the [`ROUNDS`], which copy [`Copies::ROWS`] rows.
    rows: [*const R; AT_A_TIME],
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
    pub(crate) fn new<const W: usize, const F: u8>(batch: &YsuArgs<'_, R>, tile: &Tile<W, F>) -> Self {
        let none = Self { by_16_bytes: false, rows: [core::ptr::null(); AT_A_TIME], beyond: 0, last: false };
        // On a host no other lane copies, and a GPU has no numbers of more than 8 bytes.
        if !cfg!(target_arch = "nvptx64") || Self::ROWS < 2 {
            return none;
        }
        let interfaces = batch.columns.interface_pressure_pa.strides();
        let mut starts = batch.columns.layer().map(Field::as_ptr);
        starts.top_pressure = starts.top_pressure.wrapping_offset(interfaces.0);
        let starts = starts.into_array();
        let (strides, lane) = (batch.strides(), tile.lane());
        let first = tile.warp_first();
        let mut addresses = (strides.0 as usize).wrapping_mul(size_of::<R>());
        for start in starts {
            addresses |= start as usize;
        }
        let by_16_bytes =
            addresses.is_multiple_of(16) && strides.1 == 1 && interfaces == strides && first + WARP <= batch.count();
        let (row_of_round, part) = (lane / Self::LANES, lane % Self::LANES);
        let to_part = part * 16 / size_of::<R>();
        let row = |round: usize| {
            let mut start = core::ptr::null();
            for i in 0..Self::ROWS {
                let number = round * Self::ROWS + i;
                if number < NUMBERS && i == row_of_round {
                    start = starts[number];
                }
            }
            start.wrapping_add(first + to_part)
        };
        let mut rows = none.rows;
        each_level!(ROUND < ROUNDS => { rows[ROUND] = row(ROUND); });
        Self {
            by_16_bytes,
            rows,
            beyond: (row_of_round * WARP + to_part) as isize * size_of::<R>() as isize
                - (lane * size_of::<R>()) as isize,
            last: (NUMBERS - 1) / Self::ROWS * Self::ROWS + row_of_round < NUMBERS,
        }
    }

    /// Starts the lane's copies of a layer to a slot.
    #[inline(always)]
    pub(crate) fn start(&self, batch: &YsuArgs<'_, R>, layer: u32, slot: Slot<R>) {
        let offset = (layer as i32).wrapping_mul(batch.strides().0 as i32) as isize;
        let rounds = NUMBERS.div_ceil(Self::ROWS);
        each_level!(ROUND < rounds => {
            if ROUND + 1 < rounds || self.last {
                let from = self.rows[ROUND].wrapping_offset(offset);
                // SAFETY: whole rows of the batch, to the rows of the slot, both of 16 bytes.
                unsafe { slot.copy_16_bytes(self.beyond, ROUND * Self::ROWS * WARP, from) };
            }
        });
    }
}
