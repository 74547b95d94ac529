//! Eight layers of a column, and which of them a lane has.

use isobar_core::{Field, FieldMut, Lanes, Real};

use crate::scratch::CHUNK;
use crate::state::VALUES;

/// The lanes of an octet, which have the layers of a chunk, that a thread computes: all eight on a CPU, one on a GPU.
#[inline(always)]
pub(crate) const fn octet_lanes<const W: usize>() -> usize {
    if W < CHUNK { W } else { CHUNK }
}

/// The octets of a warp that a thread computes.
#[inline(always)]
pub(crate) const fn octets<const W: usize>() -> usize {
    if W < CHUNK { 1 } else { W / CHUNK }
}

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

/// The layers of a chunk that an octet's lanes have: the lane's number in the octet is that of the layer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slots<const W: usize> {
    pub(crate) chunk: Chunk,
    /// The first lane's layer in the chunk.
    pub(crate) first: usize,
    pub(crate) column: usize,
}

impl<const W: usize> Slots<W> {
    #[inline(always)]
    pub(crate) fn new(chunk: Chunk, lanes: Lanes<W>, column: usize) -> Self {
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
    pub(crate) fn read<T: Copy>(&self, field: &Field<'_, T>, offset: usize, zero: T) -> [T; CHUNK] {
        let mut values = [zero; CHUNK];
        for lane in 0..octet_lanes::<W>() {
            // SAFETY: the layer is one of the field's, and so is the column.
            values[lane] = unsafe { field.get(offset + self.layer(lane), self.column) };
        }
        values
    }

    /// Calls for the numbers of [`crate::state`], so that nothing waits for memory when they are read.
    #[inline(always)]
    pub(crate) fn call_for<R: Real>(&self, values: &FieldMut<'_, R>) {
        let (stride, item_stride) = values.strides();
        let layers = values.levels() / VALUES;
        let start = values.as_ptr().wrapping_offset(self.column as isize * item_stride);
        for number in 0..VALUES {
            let place = start.wrapping_offset((number * layers + self.chunk.low) as isize * stride);
            // A chunk's layers can lie in two lines.
            prefetch(place);
            prefetch(place.wrapping_offset((self.chunk.count - 1) as isize * stride));
        }
    }

    /// All numbers of [`crate::state`], for a thread with whole octets: asked once whether they lie side by side.
    #[inline(always)]
    pub(crate) fn states<R: Real>(&self, values: &FieldMut<'_, R>, these: &mut [[R; CHUNK]; VALUES]) {
        let (stride, item_stride) = values.strides();
        let layers = values.levels() / VALUES;
        // Behind the last number's layers nothing may be read.
        let whole =
            if stride == 1 { (VALUES + 1).saturating_sub((self.chunk.low + CHUNK).div_ceil(layers)) } else { 0 };
        let mut place =
            values.as_ptr().wrapping_offset(self.column as isize * item_stride).wrapping_add(self.chunk.low);
        for number in 0..whole {
            // SAFETY: eight numbers of the column, of which the chunk's layers are the first.
            let (eight, last) = unsafe { (place.cast::<[R; CHUNK]>().read(), place.add(self.chunk.count - 1).read()) };
            for lane in 0..CHUNK {
                these[number][lane] = if lane < self.chunk.count { eight[lane] } else { last };
            }
            place = place.wrapping_add(layers);
        }
        for number in whole..VALUES {
            these[number] = self.state(values, number);
        }
    }

    /// A number of [`crate::state`].
    #[inline(always)]
    pub(crate) fn state<R: Real>(&self, values: &FieldMut<'_, R>, number: usize) -> [R; CHUNK] {
        let (stride, item_stride) = values.strides();
        let layers = values.levels() / VALUES;
        let start = values.as_ptr().wrapping_offset(self.column as isize * item_stride);
        // A field has fewer values than 2^31: a GPU multiplies 32 bits at once.
        let place = |lane: usize| {
            start.wrapping_offset(((number as i32 * layers as i32 + self.layer(lane) as i32) * stride as i32) as isize)
        };
        let mut these = [R::ZERO; CHUNK];
        for lane in 0..octet_lanes::<W>() {
            // SAFETY: number and layer are inside the column.
            these[lane] = unsafe { *place(lane) };
        }
        these
    }
}

/// Asks for the cache line of a place, where the processor can be asked.
#[inline(always)]
fn prefetch<T>(place: *const T) {
    #[cfg(target_arch = "x86_64")]
    {
        use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: every such processor has the instruction, which changes no values and may be given any place.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(place.cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = place;
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
                    let slots = Slots::<32> { chunk, first: 0, column };
                    let mut these = [[0.0; CHUNK]; VALUES];
                    slots.states(&field, &mut these);
                    for (number, lanes) in these.iter().enumerate() {
                        let place = |lane: usize| (column * VALUES + number) * layers + slots.layer(lane);
                        assert_eq!(*lanes, std::array::from_fn(|lane| place(lane) as f64));
                        assert_eq!(*lanes, slots.state(&field, number));
                    }
                }
            }
        }
    }
}
