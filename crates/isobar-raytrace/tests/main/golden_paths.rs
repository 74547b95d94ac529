//! Paths and hydrostatic profiles against JURASSIC.

use std::path::Path;

use isobar_golden::{find, json, npy, numbers, rows};
use isobar_raytrace::{Atmosphere, PathOptions, Position, Ray, trace_ray};

/// What is compared, and how far apart it may be.
mod tolerance {
    /// Tangent point heights \[km\]: 1e-9 is the suggestion of the reference; rounding at the Earth's radius is 1e-12.
    pub(crate) const TANGENT_KM: f64 = 1e-9;
    /// Longitudes and latitudes \[deg\]: a rounding error at the Earth's radius is 1e-14, some hundred steps add up.
    pub(crate) const DEGREE: f64 = 1e-9;
    /// Everything along a path, relative.
    pub(crate) const POINT: f64 = 1e-9;
    /// Pressure in hydrostatic balance, relative: the same arithmetic with another exp.
    pub(crate) const HYDROSTATIC: f64 = 1e-12;
}

fn atmosphere(file: &Path, gases: usize) -> Atmosphere {
    let rows = rows(file);
    let column = |i: usize| rows.iter().map(|row| row[i]).collect::<Vec<f64>>();
    Atmosphere {
        horizontal: isobar_raytrace::Horizontal::Uniform,
        time_s: column(0),
        height_km: column(1),
        longitude_deg: column(2),
        latitude_deg: column(3),
        pressure_hpa: column(4),
        temperature_k: column(5),
        mixing_ratio: (0..gases).map(|gas| column(6 + gas)).collect(),
        ..Atmosphere::default()
    }
}

fn position(point: &isobar_golden::Value) -> Position {
    let [height_km, longitude_deg, latitude_deg] = numbers(point)[..] else { panic!("three numbers") };
    Position { height_km, longitude_deg, latitude_deg }
}

fn close(got: f64, want: f64, tolerance: f64, what: &str) {
    let ok = (got.is_nan() && want.is_nan()) || (got - want).abs() <= tolerance;
    assert!(ok, "{what}: {got:e}, JURASSIC has {want:e}, {tolerance:e} apart at most");
}

#[test]
fn golden_paths() {
    let Some(dir) = find("jurassic") else { return };
    let atmosphere = atmosphere(&dir.join("inputs/atm_base.tab"), 3);
    let rays = json(&dir.join("inputs/rays.json"));
    let mut compared = 0;
    for (length, height, refraction) in [("10", "0.5", 1), ("10", "0.5", 0), ("10", "0.1", 1), ("25", "0", 1)] {
        let case = format!("rt_ds{length}_dz{height}_refrac{refraction}");
        let options = PathOptions {
            step_length_km: length.parse().unwrap(),
            step_height_km: height.parse().unwrap(),
            refraction: refraction == 1,
            ..PathOptions::default()
        };
        for want in json(&dir.join(format!("raytrace/{case}.json")))["results"].as_array().unwrap() {
            let name = want["ray"].as_str().unwrap();
            let input = rays["rays"].as_array().unwrap().iter().find(|ray| ray["name"] == name).unwrap();
            let ray = Ray { time_s: 0.0, observer: position(&input["obs"]), view_point: position(&input["vp"]) };
            let path = trace_ray(&atmosphere, &ray, &options).unwrap();
            let what = format!("{case} {name}");

            close(path.summary.tangent_height_km, want["tpz"].as_f64().unwrap(), tolerance::TANGENT_KM, &what);
            close(path.summary.tangent_longitude_deg, want["tplon"].as_f64().unwrap(), tolerance::DEGREE, &what);
            close(path.summary.tangent_latitude_deg, want["tplat"].as_f64().unwrap(), tolerance::DEGREE, &what);
            let surface = if path.summary.hits_ground == 1 { path.summary.last_temperature_k } else { -999.0 };
            close(surface, want["t_surface_K"].as_f64().unwrap(), 1e-6, &what);
            let length: f64 = path.points.iter().map(|point| point.length_km).sum();
            close(length, want["path_km"].as_f64().unwrap(), tolerance::POINT * length, &what);
            for (gas, column) in numbers(&want["column"]).into_iter().enumerate() {
                let got = path.points.last().map_or(0.0, |point| point.gases[gas].cumulative_column_per_cm2);
                close(got, column, tolerance::POINT * column, &what);
            }

            // A vertical ray may land on either side of a boundary: one point more or less is the reference's rounding.
            let np = want["np"].as_u64().unwrap() as usize;
            assert!(path.points.len().abs_diff(np) <= 1, "{what}: {} points, JURASSIC has {np}", path.points.len());
            let file = dir.join(format!("raytrace/{case}__{name}.npy"));
            if path.points.len() == np && np > 0 && file.exists() {
                compare_points(&path, &npy(&file).1, &what);
                compared += np;
            }
        }
    }
    assert!(compared > 5000, "only {compared} points were compared");
}

fn compare_points(path: &isobar_raytrace::Path, want: &[f64], what: &str) {
    for (point, want) in path.points.iter().zip(want.chunks(24)) {
        let relative = |got: f64, want: f64, name: &str| {
            close(got, want, tolerance::POINT * want.abs(), &format!("{what} {name} at {} km", point.height_km));
        };
        // Heights, longitudes and positions near zero: absolute at the scale of the Earth.
        let scale = tolerance::POINT;
        close(point.height_km, want[0], scale, what);
        close(point.longitude_deg, want[1], scale, what);
        close(point.latitude_deg, want[2], scale, what);
        relative(point.pressure_hpa, want[3], "pressure");
        relative(point.temperature_k, want[4], "temperature");
        close(point.length_km, want[5], scale, what);
        for axis in 0..3 {
            close(point.position_km[axis], want[6 + axis], 1e-8, what);
        }
        for (i, gas) in point.gases.iter().enumerate() {
            relative(gas.mixing_ratio, want[9 + i], "mixing ratio");
            // The length of a cut step is known to `scale`, absolute, and the column with it.
            let column = want[12 + i] * (tolerance::POINT + scale / want[5].max(scale));
            close(gas.column_per_cm2, want[12 + i], column, what);
            relative(gas.cumulative_column_per_cm2, want[15 + i], "cumulative column");
            relative(gas.mean_pressure_hpa, want[18 + i], "mean pressure");
            relative(gas.mean_temperature_k, want[21 + i], "mean temperature");
        }
    }
}

#[test]
fn hydrostatic_profiles() {
    let Some(dir) = find("jurassic") else { return };
    let units = json(&dir.join("units/units.json"));
    let profiles = units["hydrostatic"]["profiles"].as_array().unwrap();
    assert!(!profiles.is_empty());
    for profile in profiles {
        let mut atmosphere = atmosphere(&dir.join("inputs/atm_base.tab"), 3);
        atmosphere.make_hydrostatic(profile["hydz_km"].as_f64().unwrap(), Some(1));
        for (got, want) in atmosphere.pressure_hpa.iter().zip(numbers(&profile["p"])) {
            close(*got, want, tolerance::HYDROSTATIC * want, "hydrostatic pressure");
        }
    }
}
