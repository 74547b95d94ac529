//! How far the air bends the lines of sight of a limb sounder. `cargo run -p isobar-raytrace --example 01_refraction`

use std::fmt::Write as _;

use isobar_core::Real;
use isobar_raytrace::constants::EARTH_RADIUS_KM;
use isobar_raytrace::{Atmosphere, PathOptions, Position, Ray, trace_ray};

pub(crate) fn text() -> Result<String, Box<dyn std::error::Error>> {
    // Isothermal, with a scale height of 7 km.
    let height_km: Vec<f64> = (0..=80).map(f64::from).collect();
    let pressure_hpa = height_km.iter().map(|z| 1013.25 * Real::exp(-z / 7.0)).collect();
    let atmosphere = Atmosphere::new(height_km, pressure_hpa, vec![250.0; 81])?;
    let mut text = String::from("view point [km]   tangent point [km]   points   straight [km]\n");
    for height in [5.0, 10.0, 20.0, 40.0] {
        let angle: f64 = Real::acos((EARTH_RADIUS_KM + height) / (EARTH_RADIUS_KM + 800.0));
        let position = |height_km, latitude_deg| Position { height_km, longitude_deg: 0.0, latitude_deg };
        let ray = Ray {
            time_s: 0.0,
            observer: position(800.0, 0.0),
            view_point: position(height, angle * 180.0 / std::f64::consts::PI),
        };
        let bent = trace_ray(&atmosphere, &ray, &PathOptions::default())?.summary;
        let straight = PathOptions { refraction: false, ..PathOptions::default() };
        let straight = trace_ray(&atmosphere, &ray, &straight)?.summary;
        let (bent_km, straight_km) = (bent.tangent_height_km, straight.tangent_height_km);
        writeln!(text, "{height:>15}   {bent_km:>18.6}   {:>6}   {straight_km:>13.6}", bent.points)?;
    }
    Ok(text)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    print!("{}", text()?);
    Ok(())
}
