//! Terms besides those of the key gases: continua, lesser gases, halocarbons, and the factor of all.

use isobar_core::Real;

use crate::rrtmg::physics::lesser_gases::{abundance, between, factor, reduced};
use crate::rrtmg::schedule::terms::{BandTerms, LayerValues, TermList};
use crate::rrtmg::state;
use crate::rrtmg::tables::{MinorRow, NONE, RegionRow};

impl<R: Real, V: LayerValues<R, L>, T: TermList<R, L>, const L: usize> BandTerms<'_, R, V, T, L> {
    /// Continua, lesser gases and halocarbons.
    #[inline(always)]
    pub(crate) fn others(&mut self, region: &RegionRow<R>) {
        if region.self_continuum != NONE {
            let mut rows = [0; L];
            for lane in 0..L {
                rows[lane] = region.self_continuum + self.indices.self_continuum[lane] * self.stride;
            }
            let (amount, position) = (self.values.value(state::SELF), self.values.value(state::SELF_FRACTION));
            self.push_between(&rows, &amount, &position);
        }
        if region.foreign_continuum != NONE {
            let mut rows = [0; L];
            for lane in 0..L {
                rows[lane] = region.foreign_continuum + self.indices.foreign_continuum[lane] * self.stride;
            }
            let (amount, position) = (self.values.value(state::FOREIGN), self.values.value(state::FOREIGN_FRACTION));
            self.push_between(&rows, &amount, &position);
        }
        for minor in 0..region.minor_count as usize {
            self.minor(region, &region.minors[minor]);
        }
        if region.cross_sections != NONE {
            let [a, b] = region.halocarbons;
            let first = self.values.value(state::HALOCARBONS + a as usize);
            let second = if b == NONE { [R::ZERO; L] } else { self.values.value(state::HALOCARBONS + b as usize) };
            self.push(&[region.cross_sections; L], &first, &second);
        }
    }

    /// An amount between two rows.
    #[inline(always)]
    fn push_between(&mut self, rows: &[u32; L], amount: &[R; L], position: &[R; L]) {
        let (mut first, mut second) = ([R::ZERO; L], [R::ZERO; L]);
        for lane in 0..L {
            [first[lane], second[lane]] = between(amount[lane], position[lane]);
        }
        self.push(rows, &first, &second);
    }

    #[inline(always)]
    fn minor(&mut self, region: &RegionRow<R>, minor: &MinorRow<R>) {
        let mut amount = self.values.value(state::GASES + minor.gas as usize);
        if minor.scale != NONE {
            let scale = self.values.value(minor.scale as usize);
            for lane in 0..L {
                amount[lane] *= scale[lane];
            }
        }
        if minor.threshold < R::INFINITY {
            self.adjust(&mut amount, minor);
        }
        let warmth = self.values.value(state::MINOR_FRACTION);
        if minor.nodes == 1 {
            let mut rows = [0; L];
            for lane in 0..L {
                rows[lane] = minor.table + self.indices.minor[lane] * self.stride;
            }
            self.push_between(&rows, &amount, &warmth);
            return;
        }
        let (below, fraction) = self.fixed_mixture(region, minor.ratio, minor.nodes);
        for warmer in 0..2 {
            let (mut rows, mut amounts) = ([0; L], [R::ZERO; L]);
            for lane in 0..L {
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
    fn adjust(&self, amount: &mut [R; L], minor: &MinorRow<R>) {
        let air = self.values.value(state::AIR);
        let (mut references, mut ratios, mut any) = ([R::ONE; L], [R::ZERO; L], false);
        for lane in 0..L {
            let given = minor.reference != R::ZERO;
            let level = self.indices.level[lane] as usize + 1;
            references[lane] = if given { minor.reference } else { self.tables.mixing_ratio(level, minor.gas) };
        }
        for lane in 0..L {
            ratios[lane] = abundance(amount[lane], air[lane], references[lane]);
            any |= ratios[lane] > minor.threshold;
        }
        if !any {
            return;
        }
        for lane in 0..L {
            let reduced = reduced(minor, ratios[lane], air[lane], references[lane]);
            amount[lane] = if ratios[lane] > minor.threshold { reduced } else { amount[lane] };
        }
    }

    #[inline(always)]
    pub(crate) fn times_factor(&mut self, region: &RegionRow<R>) {
        let pressure = self.values.value(state::PRESSURE);
        let mut factors = [R::ONE; L];
        for lane in 0..L {
            factors[lane] = factor(pressure[lane], region.factor);
        }
        self.list.multiply(&factors);
    }
}
