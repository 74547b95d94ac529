//! What g-points see of the clouds of a layer.

use isobar_core::Real;

use crate::rrtmg::clouds::Clouds;
use crate::rrtmg::physics::overlap_weights::LEAST_FRACTION;
use crate::rrtmg::views::ColumnViews;

impl Clouds<'_> {
    /// Not 0 if any g-point sees a cloud in the layer.
    #[inline(always)]
    pub(crate) fn any<R: Real>(&self, columns: &ColumnViews<'_, R>, layer: usize, column: usize) -> u32 {
        if self.mask.is_empty() {
            let fraction = &columns.cloud_fraction;
            return u32::from(!fraction.is_empty() && fraction.at(layer, column) >= R::from_f64(LEAST_FRACTION));
        }
        let mut any = 0;
        for word in 0..self.words as usize {
            any |= self.mask.at(layer * self.words as usize + word, column);
        }
        any
    }

    /// The bits of the g-points from `first` on, that of `first` the lowest; at least 32 of them.
    #[inline(always)]
    pub(crate) fn bits(&self, first: u32, layer: usize, column: usize) -> u32 {
        let word = |word: u32| {
            let row = layer * self.words as usize + word.min(self.words - 1) as usize;
            u64::from(self.mask.at(row, column))
        };
        let both = word(first / 32) | word(first / 32 + 1) << 32;
        (both >> (first % 32)) as u32
    }

    /// What `N` g-points from `first` on have of an optical depth: zero where they see no cloud.
    #[inline(always)]
    pub(crate) fn seen<R: Real, const N: usize>(
        &self,
        columns: &ColumnViews<'_, R>,
        (depth, first, points): (R, u32, u32),
        layer: usize,
        column: usize,
    ) -> [R; N] {
        let bits = self.bits(first, layer, column);
        let mut seen = [R::ZERO; N];
        for lane in 0..N {
            seen[lane] = if (bits >> lane) & 1 != 0 { depth } else { R::ZERO };
        }
        if !columns.cloud_share.is_empty() {
            for lane in 0..N {
                // Lanes behind the last g-point have no radiance.
                let point = (first as usize + lane).min(points as usize - 1);
                seen[lane] *= columns.cloud_share.at(layer * points as usize + point, column);
            }
        }
        seen
    }
}
