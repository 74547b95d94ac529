//! Terms besides those of the key gases: continua, lesser gases, halocarbons, and the factor of all.

use isobar_core::Real;

use crate::chunk::octet_lanes;
use crate::lists::Weights;
use crate::scratch::CHUNK;
use crate::state;
use crate::tables::{MinorRow, NONE, RegionRow};
use crate::terms::{Eight, List};

impl<R: Real, const W: usize> List<'_, R, W> {
    /// Continua, lesser gases and halocarbons.
    #[inline(always)]
    pub(crate) fn others(&mut self, region: &RegionRow<R>) {
        if region.self_continuum != NONE {
            let mut rows = [0; CHUNK];
            for lane in 0..octet_lanes::<W>() {
                rows[lane] = region.self_continuum + self.indices.self_continuum[lane] * self.stride;
            }
            let (amount, place) = (self.state(state::SELF), self.state(state::SELF_FRACTION));
            self.push_between(&rows, &amount, &place);
        }
        if region.foreign_continuum != NONE {
            let mut rows = [0; CHUNK];
            for lane in 0..octet_lanes::<W>() {
                rows[lane] = region.foreign_continuum + self.indices.foreign_continuum[lane] * self.stride;
            }
            let (amount, place) = (self.state(state::FOREIGN), self.state(state::FOREIGN_FRACTION));
            self.push_between(&rows, &amount, &place);
        }
        for minor in 0..region.minor_count as usize {
            self.minor(region, &region.minors[minor]);
        }
        if region.cross_sections != NONE {
            let [a, b] = region.halocarbons;
            let first = self.state(state::HALOCARBONS + a as usize);
            let second = if b == NONE { [R::ZERO; CHUNK] } else { self.state(state::HALOCARBONS + b as usize) };
            self.push(&[region.cross_sections; CHUNK], &first, &second);
        }
    }

    /// An amount between two rows.
    #[inline(always)]
    fn push_between(&mut self, rows: &[u32; CHUNK], amount: &Eight<R>, place: &Eight<R>) {
        let (mut first, mut second) = ([R::ZERO; CHUNK], [R::ZERO; CHUNK]);
        for lane in 0..octet_lanes::<W>() {
            second[lane] = amount[lane] * place[lane];
            first[lane] = amount[lane] - second[lane];
        }
        self.push(rows, &first, &second);
    }

    #[inline(always)]
    fn minor(&mut self, region: &RegionRow<R>, minor: &MinorRow<R>) {
        let mut amount = self.state(state::GASES + minor.gas as usize);
        if minor.scale != NONE {
            let scale = self.state(minor.scale as usize);
            for lane in 0..octet_lanes::<W>() {
                amount[lane] *= scale[lane];
            }
        }
        if minor.threshold < R::INFINITY {
            self.adjust(&mut amount, minor);
        }
        let warmth = self.state(state::MINOR_FRACTION);
        if minor.nodes == 1 {
            let mut rows = [0; CHUNK];
            for lane in 0..octet_lanes::<W>() {
                rows[lane] = minor.table + self.indices.minor[lane] * self.stride;
            }
            self.push_between(&rows, &amount, &warmth);
            return;
        }
        let (below, fraction) = self.fixed_mixture(region, minor.ratio, minor.nodes);
        for warmer in 0..2 {
            let (mut rows, mut amounts) = ([0; CHUNK], [R::ZERO; CHUNK]);
            for lane in 0..octet_lanes::<W>() {
                let row = (self.indices.minor[lane] + warmer) * minor.nodes + below[lane];
                rows[lane] = minor.table + row * self.stride;
                let part = if warmer == 0 { R::ONE - warmth[lane] } else { warmth[lane] };
                amounts[lane] = amount[lane] * part;
            }
            self.push_between(&rows, &amounts, &fraction);
        }
    }

    /// Less of a gas that is too abundant to be a lesser one.
    #[inline(always)]
    fn adjust(&self, amount: &mut Eight<R>, minor: &MinorRow<R>) {
        let air = self.state(state::AIR);
        let (mut references, mut ratios, mut any) = ([R::ONE; CHUNK], [R::ZERO; CHUNK], false);
        for lane in 0..octet_lanes::<W>() {
            let given = minor.reference != R::ZERO;
            let level = self.indices.level[lane] as usize + 1;
            references[lane] = if given { minor.reference } else { self.tables.mixing_ratio(level, minor.gas) };
        }
        for lane in 0..octet_lanes::<W>() {
            ratios[lane] = amount[lane] / air[lane] / references[lane];
            any |= ratios[lane] > minor.threshold;
        }
        if !any {
            return;
        }
        for lane in 0..octet_lanes::<W>() {
            let less = minor.shift + (ratios[lane] - minor.shift).powf(minor.exponent);
            let adjusted = less * references[lane] * air[lane];
            amount[lane] = if ratios[lane] > minor.threshold { adjusted } else { amount[lane] };
        }
    }

    #[inline(always)]
    pub(crate) fn times_factor(&mut self, region: &RegionRow<R>) {
        let pressure = self.state(state::PRESSURE);
        let [slope, origin, limit] = region.factor;
        let mut factors = [R::ONE; CHUNK];
        for lane in 0..octet_lanes::<W>() {
            let factor = R::ONE - slope * (pressure[lane] - origin);
            factors[lane] = if pressure[lane] < limit { factor } else { R::ONE };
        }
        for term in region.first_term as usize + 1..self.next {
            if octet_lanes::<W>() == CHUNK {
                // SAFETY: the band's terms.
                unsafe { self.lists.multiply_all(term, &factors) };
                continue;
            }
            for lane in 0..octet_lanes::<W>() {
                let slot = self.slots.first + lane;
                // SAFETY: as above.
                unsafe {
                    let (_, Weights { first, second }) = self.lists.term(term, slot);
                    let weights = Weights { first: first * factors[lane], second: second * factors[lane] };
                    self.lists.put_weights((term, slot), weights);
                }
            }
        }
    }
}
