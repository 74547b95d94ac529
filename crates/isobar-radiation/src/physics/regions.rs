//! The regions of a layer: clear, thinly cloudy, thickly cloudy (Tripleclouds; Shonk and Hogan 2008,
//! doi:10.1175/2007JCLI1940.1), and how those of neighbouring layers lie over each other.

use isobar_core::{Real, per_lane};

/// How many they are.
pub(crate) const REGIONS: usize = 3;

/// The regions of a layer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Regions<R> {
    /// The cloudy part of the layer.
    pub(crate) cloudy: R,
    /// The thick part of the cloud.
    thick: R,
    /// Optical depths relative to the mean of the cloud: thin, thick.
    depths: [R; 2],
}

impl<R: Real> Regions<R> {
    /// Those of a layer without a cloud.
    #[inline(always)]
    pub(crate) fn clear() -> Self {
        Self { cloudy: R::ZERO, thick: R::from_f64(0.5), depths: [R::ONE; 2] }
    }

    /// Those of a layer with this cloudy part, whose water is distributed as a gamma distribution with this standard
    /// deviation relative to its mean (ecRad's fits; Hogan et al. 2019, technical memorandum 787 of ECMWF).
    #[inline(always)]
    pub(crate) fn new(cloudy: R, deviation: R) -> Self {
        let (one, half) = (R::ONE, R::from_f64(0.5));
        // Half of the cloud is thin; more of it where it is very uneven.
        let more = (deviation - R::from_f64(1.5)) * R::from_f64(0.4 / (3.725 - 1.5));
        let thin = (half + more).at_least(half).at_most(R::from_f64(0.9));
        // About the 16th percentile.
        let power = deviation * (one + half * deviation * (one + half * deviation));
        let low = R::from_f64(0.025) + R::from_f64(0.975) * (-power).exp();
        let thick = one - thin;
        // The mean stays.
        Self { cloudy, thick, depths: [low, (one - thin * low) / thick] }
    }

    /// Is a part of the layer cloudy?
    #[inline(always)]
    pub(crate) fn is_cloudy(&self) -> bool {
        self.cloudy > R::ZERO
    }

    /// How many regions are to be computed.
    #[inline(always)]
    pub(crate) fn count(&self) -> usize {
        if self.is_cloudy() { REGIONS } else { 1 }
    }

    /// The part of the layer that a region is.
    #[inline(always)]
    pub(crate) fn area(&self, region: usize) -> R {
        match region {
            0 => R::ONE - self.cloudy,
            1 => self.cloudy * (R::ONE - self.thick),
            _ => self.cloudy * self.thick,
        }
    }

    /// The optical depth of a region relative to the mean of the cloud.
    #[inline(always)]
    pub(crate) fn depth(&self, region: usize) -> R {
        match region {
            0 => R::ZERO,
            1 => self.depths[0],
            _ => self.depths[1],
        }
    }

    /// Which parts of each region of this layer lie next to the regions of a neighbour, `[here][there]`: overlap as it
    /// follows from the cloud cover of the two (Hogan and Illingworth 2000, doi:10.1002/qj.49712656914), of thick
    /// clouds within clouds as if they were half as far from being alike (Shonk et al. 2010, doi:10.1002/qj.647).
    #[inline(always)]
    pub(crate) fn next_to(&self, there: &Self, overlap: R) -> [[R; REGIONS]; REGIONS] {
        let one = R::ONE;
        let [enter, leave] = changes(overlap, self.cloudy, there.cloudy);
        let [thicken, thin] = changes(overlap * overlap, self.thick, there.thick);
        let stay = one - leave;
        [
            [one - enter, enter * (one - there.thick), enter * there.thick],
            [leave, stay * (one - thicken), stay * thicken],
            [leave, stay * thin, stay * (one - thin)],
        ]
    }
}

/// From a layer of which the part `here` has something to one of which the part `there` has it: the part of what does
/// not have it here that has it there, and the part of what has it here that does not have it there. Overlap 1 is as
/// much as there can be, 0 at random. Without differences of near numbers, for any parts.
#[inline(always)]
fn changes<R: Real>(overlap: R, here: R, there: R) -> [R; 2] {
    let (one, random) = (R::ONE, R::ONE - overlap);
    let (more, less) = ((there - here).at_least(R::ZERO), (here - there).at_least(R::ZERO));
    let without = one - here;
    [
        overlap * more / without.at_least(R::MIN_POSITIVE) + random * there,
        overlap * less / here.at_least(R::MIN_POSITIVE) + random * (one - there),
    ]
}

per_lane! {
    /// A value of each region.
    pub(crate) struct Each { clear, thin, thick }
}

impl<T: Copy> Each<T> {
    /// The same for all.
    #[inline(always)]
    pub(crate) fn same(value: T) -> Self {
        Self { clear: value, thin: value, thick: value }
    }

    /// That of a region, chosen by selects: by a number that the compiler does not know, a GPU would keep them in slow
    /// memory.
    #[inline(always)]
    pub(crate) fn of(&self, region: usize) -> T {
        match region {
            0 => self.clear,
            1 => self.thin,
            _ => self.thick,
        }
    }

    /// Replaces that of a region.
    #[inline(always)]
    pub(crate) fn put(&mut self, region: usize, value: T) {
        match region {
            0 => self.clear = value,
            1 => self.thin = value,
            _ => self.thick = value,
        }
    }
}

impl<R: Real> Each<R> {
    /// What regions get from neighbours, of which the part `parts[from][to]` goes to each.
    #[inline(always)]
    pub(crate) fn spread(self, parts: &[[R; REGIONS]; REGIONS]) -> Self {
        let to = |to: usize| parts[0][to] * self.clear + (parts[1][to] * self.thin + parts[2][to] * self.thick);
        Self { clear: to(0), thin: to(1), thick: to(2) }
    }

    /// The means of what regions see in neighbours, of which they have the part `parts[of][in]` before them.
    #[inline(always)]
    pub(crate) fn seen(self, parts: &[[R; REGIONS]; REGIONS]) -> Self {
        let of = |of: usize| parts[of][0] * self.clear + (parts[of][1] * self.thin + parts[of][2] * self.thick);
        Self { clear: of(0), thin: of(1), thick: of(2) }
    }
}
