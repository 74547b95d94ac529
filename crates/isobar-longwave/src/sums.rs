//! Sums over the g-points of a warp, in the order of [`crate::fluxes`].

use isobar_core::{Lanes, Real};

use crate::fluxes::sum;
use crate::kept::PARTS;
use crate::optics::quads;
use crate::scratch::SUMS;
use crate::sweep::{Streams, Sweep};
use crate::tables::{QUAD, QUADS};
use crate::transfer::CLEAR;

impl<R: Real, const SKY: u32> Sweep<'_, R, SKY> {
    /// Sums fluxes and, where there are any, gains and derivatives.
    #[inline(always)]
    pub(crate) fn put_streams<const W: usize>(
        &mut self,
        lanes: Lanes<W>,
        (segment, slot): (usize, usize),
        streams: &Streams<R, W>,
        gains: Option<&[[R; W]; 2]>,
        derivative: bool,
    ) {
        for sky in 0..=usize::from(SKY != CLEAR) {
            let fluxes = streams[sky];
            if let Some(gains) = gains {
                self.put_two(lanes, (segment, slot), (sum::FLUX + sky, fluxes), (sum::GAIN + sky, gains[sky]));
            } else {
                self.put(lanes, (segment, slot), sum::FLUX + sky, fluxes);
            }
            if sky == 0 && !self.batch.fluxes.band_up.is_empty() {
                if Self::keeps::<W>() {
                    // A copy, for what has an address lies in memory.
                    let values = fluxes;
                    self.put_quads_apart(lanes, (segment, slot), &values);
                } else {
                    self.put_quads(lanes, (segment, slot), fluxes);
                }
            }
            if derivative {
                self.put(lanes, (segment, slot), sum::DERIVATIVE + sky, streams[2 + sky]);
            }
        }
    }

    /// Sums two numbers over the warp.
    #[inline(always)]
    fn put_two<const W: usize>(
        &mut self,
        lanes: Lanes<W>,
        place: (usize, usize),
        (first, values): (usize, [R; W]),
        (second, others): (usize, [R; W]),
    ) {
        if W > 1 {
            self.put(lanes, place, first, values);
            self.put(lanes, place, second, others);
            return;
        }
        let [lower, upper] = lanes.sum_two(values, others);
        // One lane of each half: both were given the sum of their own.
        let (number, total) = if lanes.first() < 16 { (first, lower) } else { (second, upper) };
        if lanes.first().is_multiple_of(16) {
            // SAFETY: the warp's place.
            unsafe { (*self.scratch).sums[number][place.0][place.1] = total };
        }
    }

    /// Sums over the warp.
    #[inline(always)]
    pub(crate) fn put<const W: usize>(
        &mut self,
        lanes: Lanes<W>,
        (segment, slot): (usize, usize),
        number: usize,
        values: [R; W],
    ) {
        debug_assert!(number < SUMS);
        if Self::keeps::<W>() {
            let mut parts = [R::ZERO; PARTS];
            for lane in 0..PARTS {
                parts[lane] =
                    (values[lane] + values[lane + 2 * PARTS]) + (values[lane + PARTS] + values[lane + 3 * PARTS]);
            }
            // SAFETY: the memory is the thread's.
            unsafe { (*self.memory).parts[number][slot] = parts };
            return;
        }
        let total = lanes.sum(values);
        if lanes.first() == 0 {
            // SAFETY: the warp's place.
            unsafe { (*self.scratch).sums[number][segment][slot] = total };
        }
    }

    /// Finishes sums of some places of a chunk that [`Sweep::put`] left as eight parts: apart from it, whole vectors
    /// remain whole.
    #[inline(always)]
    pub(crate) fn finish<const W: usize>(&mut self, segment: usize, slots: core::ops::Range<usize>, derivative: bool) {
        if !Self::keeps::<W>() {
            return;
        }
        for number in 0..if derivative { SUMS } else { sum::DERIVATIVE } {
            if SKY == CLEAR && number % 2 == 1 {
                continue;
            }
            for slot in slots.clone() {
                // SAFETY: the memory and the scratch are the thread's.
                unsafe {
                    let parts = (*self.memory).parts[number][slot];
                    let four = [parts[0] + parts[4], parts[1] + parts[5], parts[2] + parts[6], parts[3] + parts[7]];
                    (*self.scratch).sums[number][segment][slot] = (four[0] + four[2]) + (four[1] + four[3]);
                }
            }
        }
    }

    /// Sums over each quad of a thread's lanes, seldom wanted: were it not a function of its own, single lanes would be
    /// taken out of vectors for it.
    #[inline(never)]
    fn put_quads_apart<const W: usize>(&mut self, lanes: Lanes<W>, place: (usize, usize), values: &[R; W]) {
        self.put_quads(lanes, place, *values);
    }

    /// Sums over each quad.
    #[inline(always)]
    fn put_quads<const W: usize>(&mut self, lanes: Lanes<W>, (segment, slot): (usize, usize), mut values: [R; W]) {
        let mut distance = QUAD / 2;
        while distance > 0 {
            let others = lanes.exchange(values, distance);
            for lane in 0..W {
                values[lane] += others[lane];
            }
            distance /= 2;
        }
        for quad in 0..quads::<W>() {
            if lanes.first().is_multiple_of(QUAD) {
                let number = segment * QUADS + lanes.first() / QUAD + quad;
                // SAFETY: the quad's place.
                unsafe { (*self.scratch).quad_sums[number][slot] = values[quad * QUAD] };
            }
        }
    }
}
