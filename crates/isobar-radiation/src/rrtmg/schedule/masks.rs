//! Random sub-columns by KISS: another lane has another g-point, and begins where the one before it ends.

use isobar_core::kernel::WARP;
use isobar_core::{Lanes, PerLane, Real};
use isobar_optics::overlap::EXPONENTIAL;

use crate::rrtmg::arguments::CloudMask;
use crate::rrtmg::jump::Jumps;
use crate::rrtmg::physics::random::Kiss;
use crate::rrtmg::physics::subcolumns::{Sampler, decorrelation_length_m, overlap_parameter, significant};

/// Takes each lane of a warp to its own g-point.
#[inline(always)]
fn spread<const W: usize>(jumps: &Jumps, kiss: &mut Kiss<[u32; W]>, lanes: &Lanes<W>) {
    if jumps.single != 0 {
        for step in 1..WARP {
            for lane in 0..W {
                let before = kiss.lane(lane);
                let further = lanes.first() + lane >= step;
                kiss.set(lane, if further { before.next_state() } else { before });
            }
        }
        return;
    }
    macro_rules! double {
        ($($bit:literal)*) => {$(
            for lane in 0..W {
                let before = kiss.lane(lane);
                let further = (lanes.first() + lane) >> $bit & 1 == 1;
                let after = before.after(&jumps.doubled[$bit]);
                kiss.set(lane, if further { after } else { before });
            }
        )*};
    }
    double!(0 1 2 3 4);
}

/// From the end of one g-point to the start of the next one of the same lane.
#[inline(always)]
fn go_on<const W: usize>(jumps: &Jumps, kiss: &mut Kiss<[u32; W]>) {
    if jumps.single != 0 {
        for _ in 1..WARP {
            for lane in 0..W {
                kiss.set(lane, kiss.lane(lane).next_state());
            }
        }
    } else {
        for lane in 0..W {
            kiss.set(lane, kiss.lane(lane).after(&jumps.others));
        }
    }
}

/// The next number of each lane.
#[inline(always)]
fn next<const W: usize>(kiss: &mut Kiss<[u32; W]>) -> [f64; W] {
    let mut numbers = [0.0; W];
    for lane in 0..W {
        let own = kiss.lane(lane).next_state();
        numbers[lane] = own.number();
        kiss.set(lane, own);
    }
    numbers
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
    let kiss = Kiss::of_pressures([pressure(0), pressure(1), pressure(2), pressure(3)], kernel.skip);
    let mut kiss = Kiss::<[u32; W]>::all(kiss);
    spread(&kernel.jumps, &mut kiss, &lanes);
    for word in 0..words {
        let (mut sampler, mut ranks) = (Sampler::new(kernel.overlap), [0.0; W]);
        // Lanes behind the last g-point see nothing.
        let points = (kernel.points as usize - WARP * word).min(WARP);
        let known = if points < WARP { (1 << points) - 1 } else { u32::MAX };
        for layer in 0..layers {
            let follows = if exponential && layer > 0 { kernel.follows.at(layer, column) } else { 0.0 };
            let clear = 1.0 - fraction(layer);
            let [takes, takes_two] = sampler.takes();
            let random = if takes { next(&mut kiss) } else { [0.0; W] };
            let other = if takes_two { next(&mut kiss) } else { [0.0; W] };
            let mut cloudy = [0; W];
            for lane in 0..W {
                ranks[lane] = sampler.rank([random[lane], other[lane]], ranks[lane], follows);
                cloudy[lane] = u32::from(ranks[lane] >= clear);
            }
            sampler = sampler.above(clear);
            let seen = lanes.ballot(&cloudy) & known;
            if lanes.first() == 0 {
                kernel.mask.set(layer * words + word, column, seen);
            }
        }
        go_on(&kernel.jumps, &mut kiss);
    }
}
