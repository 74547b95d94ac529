//! The air at the start of a column model, and the Sun above it. `cargo run -p isobar-column --example 01_sounding`

use std::fmt::Write as _;

use isobar_column::sounding::{Kind, Sounding, heights};
use isobar_column::sun::{cosine_of_zenith, declination, hour_angle};
use isobar_core::Real;

pub(crate) fn text() -> Result<String, Box<dyn std::error::Error>> {
    let levels = heights(6, 12_000.0, 1.8);
    let standard = Sounding::new(Kind::StandardAtmosphere, &levels)?;
    let tropical = Sounding::new(Kind::Rcemip { sea_surface_k: 300.0 }, &levels)?;
    let mut text = String::from("level [m]   US 1976 p [Pa]   T [K]     RCEMIP p [Pa]   T [K]     vapour [g/kg]\n");
    for (layer, bottom) in levels[..6].iter().enumerate() {
        writeln!(
            text,
            "{bottom:>9.3}   {:>14.3}   {:>7.4}   {:>13.3}   {:>7.4}   {:>13.6}",
            standard.pressure_pa[layer],
            standard.temperature_k[layer],
            tropical.pressure_pa[layer],
            tropical.temperature_k[layer],
            1e3 * tropical.vapour_kg_per_kg[layer]
        )?;
    }
    // Midsummer at 50 degrees north.
    let degree = std::f64::consts::PI / 180.0;
    let tilt: f64 = declination(172.0);
    for hour in [0.0, 6.0, 12.0, 18.0] {
        let cosine: f64 = cosine_of_zenith(50.0 * degree, tilt, hour_angle(3600.0 * hour));
        writeln!(text, "{hour:>4} h: the Sun {:>8.4} degrees above the horizon", 90.0 - Real::acos(cosine) / degree)?;
    }
    Ok(text)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    print!("{}", text()?);
    Ok(())
}
