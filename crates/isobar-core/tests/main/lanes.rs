//! The order in which a team's lanes are summed.

use isobar_core::Lanes;
use proptest::prelude::*;

/// A warp's butterfly: every lane adds the lane whose number differs in one bit, from 16 down to 1.
fn butterfly(mut values: [f32; 32]) -> [f32; 32] {
    for offset in [16, 8, 4, 2, 1] {
        values = core::array::from_fn(|lane| values[lane] + values[lane ^ offset]);
    }
    values
}

proptest! {
    #[test]
    fn a_team_of_32_sums_as_a_warp_does(values in prop::collection::vec(-1e6_f32..1e6, 32)) {
        let values: [f32; 32] = values.try_into().expect("32 values");
        let sum = Lanes::<32>::starting_at(0).sum(values);
        for lane in butterfly(values) {
            prop_assert_eq!(lane.to_bits(), sum.to_bits());
        }
    }
}

#[test]
fn the_order_shows_in_the_bits() {
    // 1e8 absorbs a 1 added to it and cancels only with its partner 16 lanes away.
    let mut values = [1.0_f32; 32];
    values[0] = 1e8;
    values[16] = -1e8;
    assert_eq!(Lanes::<32>::starting_at(0).sum(values), 30.0);
    values[16] = 1.0;
    values[1] = -1e8;
    assert_eq!(Lanes::<32>::starting_at(0).sum(values), butterfly(values)[0]);
}

#[test]
fn a_thread_alone_keeps_its_value() {
    let lanes = Lanes::<1>::starting_at(7);
    assert_eq!(lanes.first(), 7);
    assert_eq!(lanes.sum([2.5]), 2.5);
}
