//! The example of a stage of one's own, and what it says.

#[allow(dead_code, reason = "its main is for `cargo run --example 03_own_stage`")]
#[path = "../examples/03_own_stage.rs"]
mod own_stage;

/// 1.5 K a day for a quarter of a day; the last column's upper layer, at 192 K, is cold enough. 360 roundings of
/// numbers near 300.
#[test]
fn it_cools_what_is_warm() {
    let expected = [300.0 - 0.375, 290.0 - 0.375, 200.0, 192.0];
    let got = own_stage::temperatures().unwrap();
    let close = got.iter().zip(expected).all(|(got, expected)| (got - expected).abs() < 1e-10);
    assert!(close, "{got:?} instead of {expected:?}");
}
