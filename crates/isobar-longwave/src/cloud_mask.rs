//! The kernel of sub-columns: which g-points see the clouds of a column, by KISS. Another lane has another column.

use isobar_core::{Field, FieldMut, Kernel, Lanes, Real, Status, Team};

use crate::random::{Kiss, Uniform};

/// At random (RRTMG_LW's `icld` 1).
pub const RANDOM: u32 = 1;
/// At random across clear layers, as much as possible within a cloud.
pub const MAXIMUM_RANDOM: u32 = 2;
/// As much as possible.
pub const MAXIMUM: u32 = 3;
/// Less with distance.
pub const EXPONENTIAL: u32 = 4;
/// Less with distance within a cloud, at random across clear layers.
pub const EXPONENTIAL_RANDOM: u32 = 5;

/// Less cloud than this is none.
const NOTHING: f64 = 1e-20;

/// A cloud fraction, or none.
#[inline(always)]
pub(crate) fn some(fraction: f64) -> f64 {
    if fraction < NOTHING { 0.0 } else { fraction }
}

/// How much a layer's cloud follows that below, so many metres away, for a decorrelation length.
#[inline(always)]
pub(crate) fn follows(overlap: u32, below: f64, this: f64, distance_m: f64, length_m: f64) -> f64 {
    let broken = overlap == EXPONENTIAL_RANDOM && this == 0.0 && below > 0.0;
    if broken { 0.0 } else { Real::exp(-distance_m / length_m) }
}

/// The decorrelation length \[m\] at a latitude, by how far it is from a centre that moves with the seasons (Oreopoulos et al. 2012,
/// doi:10.5194/acp-12-9097-2012).
#[inline(always)]
pub(crate) fn length_m(latitude_deg: f64, centre_deg: f64) -> f64 {
    let away = latitude_deg - centre_deg;
    1000.0 * (1.4315 + 2.1219 * Real::exp(-(away * away) / (25.584 * 25.584)))
}

/// The layers of one g-point, from the surface up: calls `cloudy` where it sees a cloud.
#[inline(always)]
pub(crate) fn sample(
    layers: usize,
    overlap: u32,
    random: &mut impl Uniform,
    fraction: impl Fn(usize) -> f64,
    follows: impl Fn(usize) -> f64,
    mut cloudy: impl FnMut(usize),
) {
    let (mut below, mut clear_below) = (0.0, 1.0);
    for layer in 0..layers {
        let mut this = if overlap == MAXIMUM && layer > 0 { below } else { random.next() };
        let other = if overlap >= EXPONENTIAL { random.next() } else { 0.0 };
        if layer > 0 {
            if overlap == MAXIMUM_RANDOM {
                this = if below > clear_below { below } else { this * clear_below };
            } else if overlap >= EXPONENTIAL && other < follows(layer) {
                this = below;
            }
        }
        let clear = 1.0 - fraction(layer);
        if this >= clear {
            cloudy(layer);
        }
        (below, clear_below) = (this, clear);
    }
}

/// The sub-columns of one column: an item.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct CloudMask<'a, R> {
    /// One of the constants above.
    pub overlap: u32,
    /// How often KISS is advanced first.
    pub skip: u32,
    /// The number of g-points.
    pub points: u32,
    /// Pressure of `(layer, column)` \[Pa\], at least four layers: KISS is seeded by it.
    pub pressure: Field<'a, R>,
    /// Cloud fraction, likewise.
    pub fraction: Field<'a, R>,
    /// Thickness of the layers \[m\]; without items unless overlap is exponential.
    pub thickness: Field<'a, R>,
    /// Latitude of each column \[degrees\], of one level; without items where it is 0, or not needed.
    pub latitude: Field<'a, R>,
    /// Decorrelation length \[m\]; 0 where it depends on latitude.
    pub length_m: f64,
    /// Latitude at which that is greatest \[degrees\].
    pub centre_deg: f64,
    /// Room of `(layer, column)`; without items unless overlap is exponential.
    pub follows: FieldMut<'a, f64>,
    /// The mask of `(layer * words + word, column)`.
    pub mask: FieldMut<'a, u32>,
}

// SAFETY: an item writes its own column and reads what it wrote.
unsafe impl<R: Real> Kernel for CloudMask<'_, R> {
    const NAME: &'static str = "longwave_cloud_mask";
    const PRECISION: &'static str = R::NAME;
    const TEAM: Team = Team::Lane;

    fn items(&self) -> usize {
        self.fraction.items()
    }

    #[inline(always)]
    unsafe fn item<const W: usize>(&self, column: usize, _: Lanes<W>) -> Status {
        let layers = self.fraction.levels();
        if layers < 4 {
            return Status::OUT_OF_RANGE;
        }
        let words = self.mask.levels() / layers;
        let fraction = |layer: usize| some(self.fraction.at(layer, column).value());
        let exponential = self.overlap >= EXPONENTIAL;
        let latitude = if self.latitude.is_empty() { 0.0 } else { self.latitude.at(0, column).value() };
        let length = if self.length_m > 0.0 { self.length_m } else { length_m(latitude, self.centre_deg) };
        for layer in 0..layers {
            for word in 0..words {
                self.mask.set(layer * words + word, column, 0);
            }
            if exponential && layer > 0 {
                let thickness = |layer: usize| self.thickness.at(layer, column).value();
                let distance = 0.5 * (thickness(layer) + thickness(layer - 1));
                let follows = follows(self.overlap, fraction(layer - 1), fraction(layer), distance, length);
                self.follows.set(layer, column, follows);
            }
        }
        let pressure = |layer: usize| self.pressure.at(layer, column).value();
        let mut kiss = Kiss::of_pressures([pressure(0), pressure(1), pressure(2), pressure(3)], self.skip);
        let follows = |layer: usize| self.follows.at(layer, column);
        for point in 0..self.points as usize {
            sample(layers, self.overlap, &mut kiss, fraction, follows, |layer| {
                let place = layer * words + point / 32;
                self.mask.set(place, column, self.mask.at(place, column) | 1 << (point % 32));
            });
        }
        Status::OK
    }
}
