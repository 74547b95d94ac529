//! The example of a loop of one's own, and what it says.

#[allow(dead_code, reason = "its main is for `cargo run --example 02_own_loop`")]
#[path = "../examples/02_own_loop.rs"]
mod own_loop;

#[test]
fn the_boundary_layer_grows_through_the_morning() {
    let (heights, bytes) = own_loop::morning().unwrap();
    assert!(heights.windows(2).all(|pair| pair[0] < pair[1]), "{heights:?}");
    assert!(heights[0] < 500.0 && (1000.0..4000.0).contains(&heights[8]), "{heights:?}");
    // Nine heights of one column: nothing else left the device.
    assert_eq!(bytes, 9 * 8);
}
