//! Sums over the g-points of a warp, in the order of [`crate::fluxes`].

use isobar_core::{Lanes, Real};

use crate::chunk::octets;
use crate::fluxes::sum;
use crate::scratch::SUMS;
use crate::sweep::{Streams, Sweep};
use crate::tables::OCTET;
use crate::transfer::CLEAR;

impl<R: Real, const SKY: u32> Sweep<'_, R, SKY> {
    /// Sums radiances, and derivatives if there are any.
    #[inline(always)]
    pub(crate) fn put_streams<const W: usize>(
        &mut self,
        lanes: Lanes<W>,
        (segment, slot): (usize, usize),
        streams: &Streams<R, W>,
        flux: &[R; W],
        derivative: bool,
    ) {
        for sky in 0..=usize::from(SKY != CLEAR) {
            let mut fluxes = [R::ZERO; W];
            for lane in 0..W {
                fluxes[lane] = flux[lane] * streams[sky][lane];
            }
            self.put(lanes, (segment, slot), sum::RADIANCE + sky, fluxes);
            if sky == 0 && !self.batch.fluxes.band_up.is_empty() {
                self.put_octets(lanes, (segment, slot), fluxes);
            }
            if derivative {
                for lane in 0..W {
                    fluxes[lane] = flux[lane] * streams[2 + sky][lane];
                }
                self.put(lanes, (segment, slot), sum::DERIVATIVE + sky, fluxes);
            }
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
        let total = lanes.sum(values);
        if lanes.first() == 0 {
            // SAFETY: the warp's place.
            unsafe { (*self.scratch).sums[number][segment][slot] = total };
        }
    }

    /// Sums over each octet.
    #[inline(always)]
    fn put_octets<const W: usize>(&mut self, lanes: Lanes<W>, (segment, slot): (usize, usize), mut values: [R; W]) {
        let mut distance = OCTET / 2;
        while distance > 0 {
            let others = lanes.exchange(values, distance);
            for lane in 0..W {
                values[lane] += others[lane];
            }
            distance /= 2;
        }
        for octet in 0..octets::<W>() {
            if lanes.first().is_multiple_of(OCTET) {
                let number = segment * 4 + lanes.first() / OCTET + octet;
                // SAFETY: the octet's place.
                unsafe { (*self.scratch).octet_sums[number][slot] = values[octet * OCTET] };
            }
        }
    }
}
