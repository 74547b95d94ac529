//! Clear layers over a surface: what goes up from the top and comes down to the ground.
//! `cargo run -p isobar-adding --example 01_stack`

use std::fmt::Write as _;

use isobar_adding::clear_sky::Element;
use isobar_core::Real;

/// A layer of an optical depth that emits like a black body of radiance `b`, along a direction with a cosine of the
/// zenith angle.
fn layer(depth: f64, b: f64, cosine: f64) -> Element<f64> {
    let absorbed = -Real::exp_m1(-depth / cosine);
    Element { transmittance: 1.0 - absorbed, up: b * absorbed, down: b * absorbed }
}

pub(crate) fn text() -> Result<String, Box<dyn std::error::Error>> {
    let layers = [(0.05, 20.0), (0.2, 45.0), (0.6, 80.0), (1.2, 105.0)];
    let mut text = String::from("zenith angle   transmittance   up at the top   down at the ground\n");
    for angle in [0.0, 30.0, 60.0] {
        let cosine = Real::cos(angle * std::f64::consts::PI / 180.0);
        let elements = layers.map(|(depth, b)| layer(depth, b, cosine));
        let [first, rest @ ..] = elements;
        let stack = rest.iter().fold(first, |above, below| above.over(below));
        // The composition is associative: pairs first give the same within a rounding.
        let pairs = elements[0].over(&elements[1]).over(&elements[2].over(&elements[3]));
        assert!((stack.up - pairs.up).abs() < 1e-13);
        let up = stack.upward(115.0);
        writeln!(text, "{angle:>11}°   {:>13.10}   {up:>13.9}   {:>18.9}", stack.transmittance, stack.down)?;
    }
    Ok(text)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    print!("{}", text()?);
    Ok(())
}
