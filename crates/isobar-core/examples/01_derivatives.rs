//! A formula once for any number: in double and single precision, and with its exact derivative.
//! `cargo run -p isobar-core --example 01_derivatives`

use std::fmt::Write as _;

use isobar_core::{Dual, Real};

/// A length that grows with height: `k z / (1 + a exp(-z / h))`.
fn length<R: Real>(z: R) -> R {
    let [k, a, h] = [0.4, 3.0, 50.0].map(R::from_f64);
    k * z / (R::ONE + a * (-z / h).exp())
}

pub(crate) fn text() -> Result<String, Box<dyn std::error::Error>> {
    let mut text = String::from("  z [m]   f64                  bits              f32          d/dz\n");
    for z in [1.0, 10.0, 100.0] {
        let double: f64 = length(z);
        let single: f32 = length(z as f32);
        let dual = length(Dual::<f64, 1>::variable(z, 0));
        // The value that carries a derivative is the plain one, to the bit; and so is a GPU's.
        assert_eq!(dual.value.to_bits(), double.to_bits());
        let derivative = dual.derivative[0];
        writeln!(text, "{z:>7}   {double:<19.16}  {:016x}  {single:<11.8}  {derivative:.12}", double.to_bits())?;
    }
    Ok(text)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    print!("{}", text()?);
    Ok(())
}
