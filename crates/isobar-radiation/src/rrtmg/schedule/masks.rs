//! Random sub-columns by KISS: another lane has another g-point, and begins where the one before it ends.

use isobar_core::kernel::WARP;
use isobar_core::{Lanes, Real};
use isobar_optics::overlap::EXPONENTIAL;

use crate::rrtmg::arguments::CloudMask;
use crate::rrtmg::jump::Jumps;
use crate::rrtmg::physics::random::Kiss;
use crate::rrtmg::physics::subcolumns::{Sampler, decorrelation_length_m, overlap_parameter, significant};

/// Takes each lane of a warp to its own g-point.
#[inline(always)]
fn spread<const W: usize>(jumps: &Jumps, kiss: &mut Kiss<W>, lanes: &Lanes<W>) {
    if jumps.single != 0 {
        for step in 1..WARP {
            kiss.step(per_lane(|lane| lanes.first() + lane >= step));
        }
        return;
    }
    macro_rules! double {
        ($($bit:literal)*) => {$(
            kiss.jump(&jumps.doubled[$bit], per_lane(|lane| (lanes.first() + lane) >> $bit & 1 == 1));
        )*};
    }
    double!(0 1 2 3 4);
}

/// From the end of one g-point to the start of the next one of the same lane.
#[inline(always)]
fn go_on<const W: usize>(jumps: &Jumps, kiss: &mut Kiss<W>) {
    if jumps.single != 0 {
        for _ in 1..WARP {
            kiss.next_words();
        }
    } else {
        kiss.jump(&jumps.others, [true; W]);
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

/// Writes the mask of a column of four layers or more.
#[inline(always)]
pub(crate) fn generate<R: Real, const W: usize>(kernel: &CloudMask<'_, R>, column: usize, lanes: Lanes<W>) {
    let layers = kernel.columns.cloud_fraction.levels();
    let words = kernel.mask.levels() / layers;
    let fraction = |layer: usize| significant(kernel.columns.cloud_fraction.at(layer, column).value());
    let exponential = kernel.overlap >= EXPONENTIAL;
    if exponential {
        let latitude = &kernel.columns.latitude_deg;
        let latitude = if latitude.is_empty() { 0.0 } else { latitude.at(column).value() };
        let length =
            if kernel.length_m > 0.0 { kernel.length_m } else { decorrelation_length_m(latitude, kernel.centre_deg) };
        let thickness = |layer: usize| kernel.columns.thickness_m.at(layer, column).value();
        for layer in (1 + lanes.first()..layers).step_by(if W == 1 { WARP } else { 1 }) {
            let distance = 0.5 * (thickness(layer) + thickness(layer - 1));
            let follows = overlap_parameter(kernel.overlap, fraction(layer - 1), fraction(layer), distance, length);
            kernel.follows.set(layer, column, follows);
        }
        lanes.wait();
    }
    let pressure = |layer: usize| kernel.columns.pressure_pa.at(layer, column).value();
    let mut kiss = Kiss::<W>::of_pressures([pressure(0), pressure(1), pressure(2), pressure(3)], kernel.skip);
    spread(&kernel.jumps, &mut kiss, &lanes);
    for word in 0..words {
        let mut sampler = Sampler::new(kernel.overlap);
        // Lanes behind the last g-point see nothing.
        let points = (kernel.points as usize - WARP * word).min(WARP);
        let known = if points < WARP { (1 << points) - 1 } else { u32::MAX };
        for layer in 0..layers {
            let follows = if exponential && layer > 0 { kernel.follows.at(layer, column) } else { 0.0 };
            let seen = lanes.ballot(&sampler.next(&mut kiss, fraction(layer), follows)) & known;
            if lanes.first() == 0 {
                kernel.mask.set(layer * words + word, column, seen);
            }
        }
        go_on(&kernel.jumps, &mut kiss);
    }
}
