//! Eight layers of a column, and which of them a lane has.

use isobar_core::{Field, FieldMut, Lanes, Real};

use crate::rrtmg::schedule::lane_groups::layer_lanes;
use crate::rrtmg::sizes::CHUNK;
use crate::rrtmg::state::VALUES;

/// Up to eight neighbouring layers of a column in one region.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Chunk {
    /// The lowest layer.
    pub(crate) low: usize,
    /// The number of layers.
    pub(crate) count: usize,
    /// 0 for the lower, 1 for the upper region.
    pub(crate) region: usize,
}

/// How a column is cut into chunks, none of which lies in both regions.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Chunks {
    layers: usize,
    lower: usize,
}

impl Chunks {
    #[inline(always)]
    pub(crate) fn new(layers: usize, lower_layers: u32) -> Self {
        Self { layers, lower: (lower_layers as usize).min(layers) }
    }

    /// The number of chunks.
    #[inline(always)]
    pub(crate) fn count(&self) -> usize {
        self.lower.div_ceil(CHUNK) + (self.layers - self.lower).div_ceil(CHUNK)
    }

    /// A chunk, counted from the lowest.
    #[inline(always)]
    pub(crate) fn get(&self, index: usize) -> Chunk {
        let below = self.lower.div_ceil(CHUNK);
        let (region, low, end) = if index < below {
            (0, index * CHUNK, self.lower)
        } else {
            (1, self.lower + (index - below) * CHUNK, self.layers)
        };
        Chunk { low, count: (end - low).min(CHUNK), region }
    }
}

/// The layers of a chunk that a group of `L` lanes of a thread has: the lane's number in its group of eight is that of
/// the layer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slots<const L: usize> {
    pub(crate) chunk: Chunk,
    /// The first lane's layer in the chunk.
    pub(crate) first: usize,
    pub(crate) column: usize,
}

impl<const L: usize> Slots<L> {
    /// Those of a thread with `W` lanes.
    #[inline(always)]
    pub(crate) fn new<const W: usize>(chunk: Chunk, lanes: Lanes<W>, column: usize) -> Self {
        debug_assert_eq!(L, layer_lanes::<W>());
        Self { chunk, first: lanes.first() % CHUNK, column }
    }

    /// One layer in the lists of its group of eight.
    #[inline(always)]
    pub(crate) fn alone(chunk: Chunk, column: usize) -> Self {
        Self { chunk, first: chunk.low % CHUNK, column }
    }

    /// The layer of a lane; the chunk's last for lanes beyond it.
    #[inline(always)]
    pub(crate) fn layer(&self, lane: usize) -> usize {
        self.chunk.low + (self.first + lane).min(self.chunk.count - 1)
    }

    /// Values at the lanes' layers, where the field's levels begin `offset` before them.
    #[inline(always)]
    pub(crate) fn read<T: Copy>(&self, field: &Field<'_, T>, offset: usize, zero: T) -> [T; L] {
        let mut values = [zero; L];
        for lane in 0..L {
            // SAFETY: the layer is one of the field's, and so is the column.
            values[lane] = unsafe { field.get(offset + self.layer(lane), self.column) };
        }
        values
    }

    /// Packed indices of the lanes' layers.
    #[inline(always)]
    pub(crate) fn packed_indices(&self, indices: &FieldMut<'_, u32>) -> [u32; L] {
        let mut packed = [0; L];
        for lane in 0..L {
            // SAFETY: the layer is one of the column's.
            packed[lane] = unsafe { indices.get(self.layer(lane), self.column) };
        }
        packed
    }

    /// All numbers of [`crate::rrtmg::state`], for a thread with a whole chunk: asked once whether they lie side by
    /// side.
    #[inline(always)]
    pub(crate) fn states<R: Real>(&self, values: &FieldMut<'_, R>, these: &mut [[R; L]; VALUES]) {
        let (stride, item_stride) = values.strides();
        let layers = values.levels() / VALUES;
        // Behind the last number's layers nothing may be read.
        let whole = if stride == 1 { (VALUES + 1).saturating_sub((self.chunk.low + L).div_ceil(layers)) } else { 0 };
        let mut start =
            values.as_ptr().wrapping_offset(self.column as isize * item_stride).wrapping_add(self.chunk.low);
        for number in 0..whole {
            // SAFETY: eight numbers of the column, of which the chunk's layers are the first.
            let (eight, last) = unsafe { (start.cast::<[R; L]>().read(), start.add(self.chunk.count - 1).read()) };
            for lane in 0..L {
                these[number][lane] = if lane < self.chunk.count { eight[lane] } else { last };
            }
            start = start.wrapping_add(layers);
        }
        for number in whole..VALUES {
            these[number] = self.state(values, number);
        }
    }

    /// A number of [`crate::rrtmg::state`].
    #[inline(always)]
    pub(crate) fn state<R: Real>(&self, values: &FieldMut<'_, R>, number: usize) -> [R; L] {
        let (stride, item_stride) = values.strides();
        let layers = values.levels() / VALUES;
        let start = values.as_ptr().wrapping_offset(self.column as isize * item_stride);
        // A field has fewer values than 2^31: a GPU multiplies 32 bits at once.
        let at = |lane: usize| {
            start.wrapping_offset(((number as i32 * layers as i32 + self.layer(lane) as i32) * stride as i32) as isize)
        };
        let mut these = [R::ZERO; L];
        for lane in 0..L {
            // SAFETY: number and layer are inside the column.
            these[lane] = unsafe { *at(lane) };
        }
        these
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_cover_every_layer_once_and_keep_regions_apart() {
        for (layers, lower) in [(1, 0), (1, 1), (60, 26), (51, 20), (8, 8), (9, 0), (72, 72), (33, 16)] {
            let chunks = Chunks::new(layers, lower);
            let mut next = 0;
            for index in 0..chunks.count() {
                let chunk = chunks.get(index);
                assert_eq!(chunk.low, next);
                assert!((1..=CHUNK).contains(&chunk.count));
                next += chunk.count;
                assert_eq!(chunk.region, usize::from(chunk.low >= lower as usize));
                assert_eq!(chunk.region, usize::from(next > lower as usize));
            }
            assert_eq!(next, layers);
        }
    }

    /// Those of short columns, too, and of chunks that are not full.
    #[test]
    fn numbers_of_a_chunk_are_those_of_its_layers() {
        for layers in [1, 2, 3, 7, 8, 9, 10, 31] {
            let mut numbers: Vec<f64> = (0..2 * VALUES * layers).map(|i| i as f64).collect();
            let field = FieldMut::level_fastest(&mut numbers, VALUES * layers, 2);
            for (column, lower) in [(0, 0), (1, layers as u32 / 2), (1, layers as u32)] {
                let chunks = Chunks::new(layers, lower);
                for chunk in (0..chunks.count()).map(|index| chunks.get(index)) {
                    let slots = Slots::<CHUNK> { chunk, first: 0, column };
                    let mut these = [[0.0; CHUNK]; VALUES];
                    slots.states(&field, &mut these);
                    for (number, lanes) in these.iter().enumerate() {
                        let index = |lane: usize| (column * VALUES + number) * layers + slots.layer(lane);
                        assert_eq!(*lanes, std::array::from_fn(|lane| index(lane) as f64));
                        assert_eq!(*lanes, slots.state(&field, number));
                    }
                }
            }
        }
    }
}
