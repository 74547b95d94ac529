//! The kernel of sub-columns: which g-points see the clouds of a column, by KISS. Another lane has another g-point, and
//! begins where the one before it ends.

use isobar_core::kernel::WARP;
use isobar_core::{Field, FieldMut, Kernel, Lanes, Real, Status, Team};

use crate::jump::Jump;
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

/// The decorrelation length \[m\] at a latitude, by how far it is from a centre that moves with the seasons (Oreopoulos
/// et al. 2012, doi:10.5194/acp-12-9097-2012).
#[inline(always)]
pub(crate) fn length_m(latitude_deg: f64, centre_deg: f64) -> f64 {
    let away = latitude_deg - centre_deg;
    1000.0 * (1.4315 + 2.1219 * Real::exp(-(away * away) / (25.584 * 25.584)))
}

/// The way of some g-points through the layers, from the surface up.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Climb<const W: usize> {
    overlap: u32,
    lowest: bool,
    below: [f64; W],
    clear_below: f64,
}

impl<const W: usize> Climb<W> {
    #[inline(always)]
    pub(crate) fn new(overlap: u32) -> Self {
        Self { overlap, lowest: true, below: [0.0; W], clear_below: 1.0 }
    }

    /// Does each g-point see the cloud of the next layer? 1 or 0.
    #[inline(always)]
    pub(crate) fn next(&mut self, random: &mut impl Uniform<W>, fraction: f64, follows: f64) -> [u32; W] {
        let mut this = if self.overlap == MAXIMUM && !self.lowest { self.below } else { random.next() };
        if self.overlap >= EXPONENTIAL {
            let other = random.next();
            for lane in 0..W {
                this[lane] = if !self.lowest && other[lane] < follows { self.below[lane] } else { this[lane] };
            }
        }
        if self.overlap == MAXIMUM_RANDOM && !self.lowest {
            for lane in 0..W {
                let free = this[lane] * self.clear_below;
                this[lane] = if self.below[lane] > self.clear_below { self.below[lane] } else { free };
            }
        }
        let clear = 1.0 - fraction;
        let mut cloudy = [0; W];
        for lane in 0..W {
            cloudy[lane] = u32::from(this[lane] >= clear);
        }
        (self.lowest, self.below, self.clear_below) = (false, this, clear);
        cloudy
    }
}

/// How KISS comes from g-point to g-point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Jumps {
    /// Not 0 where a g-point takes one number, and jumps are not needed.
    single: u32,
    /// Over the numbers of 1, 2, 4, 8 and 16 g-points.
    doubled: [Jump; 5],
    /// Over those of all other lanes of a warp.
    others: Jump,
}

impl Jumps {
    /// For an overlap and so many layers, four at least.
    #[must_use]
    pub fn new(overlap: u32, layers: usize) -> Self {
        let numbers = match overlap {
            MAXIMUM => 1,
            EXPONENTIAL | EXPONENTIAL_RANDOM => 2 * layers as u64,
            _ => layers as u64,
        };
        let doubled = [1, 2, 4, 8, 16].map(|points| Jump::over(points * numbers));
        Self { single: u32::from(overlap == MAXIMUM), doubled, others: Jump::over((WARP as u64 - 1) * numbers) }
    }

    /// Takes each lane of a warp to its own g-point.
    #[inline(always)]
    fn spread<const W: usize>(&self, kiss: &mut Kiss<W>, lanes: &Lanes<W>) {
        if self.single != 0 {
            for step in 1..WARP {
                kiss.step(per_lane(|lane| lanes.first() + lane >= step));
            }
            return;
        }
        macro_rules! double {
            ($($bit:literal)*) => {$(
                kiss.jump(&self.doubled[$bit], per_lane(|lane| (lanes.first() + lane) >> $bit & 1 == 1));
            )*};
        }
        double!(0 1 2 3 4);
    }

    /// From the end of one g-point to the start of the next one of the same lane.
    #[inline(always)]
    fn go_on<const W: usize>(&self, kiss: &mut Kiss<W>) {
        if self.single != 0 {
            for _ in 1..WARP {
                kiss.next_words();
            }
        } else {
            kiss.jump(&self.others, [true; W]);
        }
    }
}

#[inline(always)]
fn per_lane<const W: usize>(of: impl Fn(usize) -> bool) -> [bool; W] {
    let mut all = [false; W];
    for lane in 0..W {
        all[lane] = of(lane);
    }
    all
}

/// The sub-columns of one column: an item.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct CloudMask<'a, R> {
    /// One of the constants above.
    pub overlap: u32,
    /// How often KISS is advanced first.
    pub skip: u32,
    /// How it comes from g-point to g-point.
    pub jumps: Jumps,
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
    const TEAM: Team = Team::Warp;

    fn items(&self) -> usize {
        self.fraction.items()
    }

    #[inline(always)]
    unsafe fn item<const W: usize>(&self, column: usize, lanes: Lanes<W>) -> Status {
        let layers = self.fraction.levels();
        if layers < 4 {
            return Status::OUT_OF_RANGE;
        }
        let words = self.mask.levels() / layers;
        let fraction = |layer: usize| some(self.fraction.at(layer, column).value());
        let exponential = self.overlap >= EXPONENTIAL;
        if exponential {
            let latitude = if self.latitude.is_empty() { 0.0 } else { self.latitude.at(0, column).value() };
            let length = if self.length_m > 0.0 { self.length_m } else { length_m(latitude, self.centre_deg) };
            let thickness = |layer: usize| self.thickness.at(layer, column).value();
            for layer in (1 + lanes.first()..layers).step_by(if W == 1 { WARP } else { 1 }) {
                let distance = 0.5 * (thickness(layer) + thickness(layer - 1));
                let follows = follows(self.overlap, fraction(layer - 1), fraction(layer), distance, length);
                self.follows.set(layer, column, follows);
            }
            lanes.wait();
        }
        let pressure = |layer: usize| self.pressure.at(layer, column).value();
        let mut kiss = Kiss::<W>::of_pressures([pressure(0), pressure(1), pressure(2), pressure(3)], self.skip);
        self.jumps.spread(&mut kiss, &lanes);
        for word in 0..words {
            let mut climb = Climb::new(self.overlap);
            // Lanes behind the last g-point see nothing.
            let points = (self.points as usize - WARP * word).min(WARP);
            let known = if points < WARP { (1 << points) - 1 } else { u32::MAX };
            for layer in 0..layers {
                let follows = if exponential && layer > 0 { self.follows.at(layer, column) } else { 0.0 };
                let seen = lanes.ballot(&climb.next(&mut kiss, fraction(layer), follows)) & known;
                if lanes.first() == 0 {
                    self.mask.set(layer * words + word, column, seen);
                }
            }
            self.jumps.go_on(&mut kiss);
        }
        Status::OK
    }
}
