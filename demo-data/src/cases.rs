//! `cargo xtask demo-data`: the cases in `data/` that a fresh clone runs on.
//!
//! A limb and a nadir sounder of four channels over a standard atmosphere with carbon dioxide, water and ozone. The
//! emissivity tables come from a band model (`isobar_ega::band_model`): they look like real ones and are good for
//! nothing but a demonstration. Beside them, layered profiles for the adding method, columns for the boundary-layer
//! scheme and for radiation, and cells for chemistry.

mod adding;
mod air;
mod chemistry;
mod folder;
mod pbl;
mod radiation;
mod retrieval;

use std::path::Path;

use isobar_core::{Column, Real, bracket, interpolate::linear};
use isobar_ega::band_model::{Band, TableGrid};
use isobar_io::table::{Endian, write_table_binary};
use isobar_io::{
    Control, Observation, Shape, TableFormat, filter_path, table_path, write_atmosphere, write_observation, write_shape,
};
use isobar_raytrace::constants::EARTH_RADIUS_KM;
use isobar_raytrace::{Atmosphere, Position, Ray};

const GASES: [&str; 3] = ["CO2", "H2O", "O3"];
/// A CO2 Q branch, a window, the O3 band, a flank of the H2O band.
const CHANNELS_PER_CM: [f64; 4] = [792.0, 832.0, 1043.0, 1410.0];
/// Strength of each gas in each channel \[cm^2/molecule\]; a weaker band would need column densities above 1e30, which
/// text tables cannot hold.
const STRENGTHS: [[f64; 4]; 3] =
    [[2.0e-22, 2.0e-24, 1.5e-24, 2.0e-24], [3.0e-24, 1.5e-24, 1.0e-24, 6.0e-22], [1.5e-21, 2.0e-23, 6.0e-20, 4.0e-23]];
/// Lorentz and Doppler width over line spacing, and energy of the lower state \[cm^-1\], of each gas.
const LINES: [[f64; 3]; 3] = [[0.05, 5e-4, 900.0], [0.03, 3e-4, 600.0], [0.4, 3e-3, 250.0]];
/// Pressures of a table: 32, for JURASSIC ignores a table of fewer than 30.
const TABLE_PRESSURES: usize = 32;

/// A file below `data/`.
type File = (String, Vec<u8>);

/// Writes the data, or with `check` compares with what is committed.
pub(crate) fn run(data: &Path, check: bool) -> Result<(), String> {
    for (name, bytes) in inputs()? {
        settle(data, &name, &bytes, check)?;
    }
    for case in ["limb", "nadir"] {
        settle(data, &format!("{case}/rad.tab"), &radiances(data, case)?, check)?;
    }
    settle(data, retrieval::MEASUREMENT, &retrieval::measurement(data, &atmosphere(), &control()?)?, check)?;
    settle(data, retrieval::KERNEL, &retrieval::kernel(data)?, check)?;
    settle(data, "adding/radiances.nc", &adding::radiances(data)?, check)?;
    settle(data, "pbl/tendencies.nc", &pbl::tendencies(data)?, check)?;
    settle(data, "chemistry/concentrations.nc", &chemistry::concentrations(data)?, check)
}

fn settle(data: &Path, name: &str, bytes: &[u8], check: bool) -> Result<(), String> {
    let path = data.join(name);
    if !check {
        std::fs::create_dir_all(path.parent().expect("a file has a folder")).map_err(|e| format!("{name}: {e}"))?;
        return std::fs::write(&path, bytes).map_err(|e| format!("{name}: {e}"));
    }
    match std::fs::read(&path) {
        Ok(committed) if committed == bytes => Ok(()),
        Ok(_) => Err(format!("data/{name} is not what `cargo xtask demo-data` makes")),
        Err(error) => Err(format!("data/{name}: {error}")),
    }
}

/// What the command says to a case.
fn radiances(data: &Path, case: &str) -> Result<Vec<u8>, String> {
    let folder = data.join(case);
    let output = folder::isobar()
        .args(["forward", "--device", "cpu", "--quiet"])
        .args(["--ctl", &format!("{case}.ctl"), "--atm", "atm.tab", "--obs", "obs.tab", "--out", "/dev/stdout"])
        .current_dir(folder)
        .output()
        .map_err(|error| format!("isobar: {error}"))?;
    match output.status.success() {
        true => Ok(output.stdout),
        false => Err(format!("{case}: {}", String::from_utf8_lossy(&output.stderr).trim())),
    }
}

/// Everything that the command reads.
fn inputs() -> Result<Vec<File>, String> {
    let control = control()?;
    let atmosphere = atmosphere();
    let mut files = vec![
        ("adding/profiles.nc".to_owned(), adding::profiles()?),
        ("pbl/columns.nc".to_owned(), pbl::columns()?),
        ("radiation/columns.nc".to_owned(), radiation::columns()?),
        ("chemistry/cells.nc".to_owned(), chemistry::cells()?),
    ];
    let [ocean, land] = adding::scenes()?;
    files.push(("adding/ocean.nc".to_owned(), ocean));
    files.push(("adding/land.nc".to_owned(), land));
    for (case, about, rays) in [
        ("limb", "A limb sounder at 780 km looks 3 to 68 km above the ground.", limb_scan()),
        ("nadir", "A nadir sounder at 700 km scans across its track.", nadir_scan()),
    ] {
        files.push((format!("{case}/{case}.ctl"), control_text(about).into_bytes()));
        files.push((format!("{case}/atm.tab"), written(|out| write_atmosphere(out, &atmosphere, &control))?));
        files.push((format!("{case}/obs.tab"), written(|out| write_observation(out, &observation(rays), &control))?));
    }
    let name = |path: std::path::PathBuf| path.to_string_lossy().into_owned();
    files.extend(retrieval::inputs(&atmosphere, &control)?);
    let base = Path::new("tables/demo");
    let grid = grid(&atmosphere);
    for (channel, nu) in CHANNELS_PER_CM.into_iter().enumerate() {
        files.push((name(filter_path(base, nu)), written(|out| write_shape(out, &boxcar(nu)))?));
        for (gas, [lorentz, doppler, energy_per_cm]) in LINES.into_iter().enumerate() {
            let band = Band { strength: STRENGTHS[gas][channel], lorentz, doppler, energy_per_cm };
            let path = table_path(base, nu, GASES[gas], TableFormat::Binary);
            files.push((name(path), written(|out| write_table_binary(out, &band.table(&grid), Endian::Little))?));
        }
    }
    Ok(files)
}

fn written(write: impl FnOnce(&mut Vec<u8>) -> std::io::Result<()>) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    write(&mut bytes).map_err(|error| error.to_string())?;
    Ok(bytes)
}

fn control_text(about: &str) -> String {
    let mut text =
        format!("# {about}\n# Made by `cargo xtask demo-data`; see README.md.\n\n# Gases\nNG = {}\n", GASES.len());
    GASES.iter().enumerate().for_each(|(i, gas)| text += &format!("EMITTER[{i}] = {gas}\n"));
    text += &format!("\n# Channels [cm^-1]\nND = {}\n", CHANNELS_PER_CM.len());
    CHANNELS_PER_CM.iter().enumerate().for_each(|(i, nu)| text += &format!("NU[{i}] = {nu}\n"));
    text += "\n# Emissivity tables and filters, relative to this file; format 2 is binary\n\
             TBLBASE = ../tables/demo\nTBLFMT = 2\n";
    text + "\n# The longest step along a ray and in height [km]\nRAYDS = 10\nRAYDZ = 0.5\n"
}

/// The columns of atmosphere and observation.
fn control() -> Result<Control, String> {
    let mut pairs =
        vec![("NG".to_owned(), GASES.len().to_string()), ("ND".to_owned(), CHANNELS_PER_CM.len().to_string())];
    pairs.extend(GASES.iter().enumerate().map(|(i, gas)| (format!("EMITTER[{i}]"), (*gas).to_owned())));
    pairs.extend(CHANNELS_PER_CM.iter().enumerate().map(|(i, nu)| (format!("NU[{i}]"), nu.to_string())));
    Control::from_pairs(&pairs).map(|(control, _)| control).map_err(|error| error.to_string())
}

/// Tangent heights from 3 to 68 km.
fn limb_scan() -> Vec<Ray> {
    let ray = |i: u32| {
        let height_km = 3.0 + 5.0 * f64::from(i);
        let angle = Real::acos((EARTH_RADIUS_KM + height_km) / (EARTH_RADIUS_KM + 780.0));
        ray(780.0, height_km, short(angle.to_degrees()))
    };
    (0..14).map(ray).collect()
}

/// View points on the ground up to 8.1 degrees to either side.
fn nadir_scan() -> Vec<Ray> {
    (0..10).map(|i| ray(700.0, 0.0, short(-8.1 + 1.8 * f64::from(i)))).collect()
}

fn ray(observer_km: f64, view_km: f64, latitude_deg: f64) -> Ray {
    let position = |height_km, latitude_deg| Position { height_km, longitude_deg: 0.0, latitude_deg };
    Ray { time_s: 0.0, observer: position(observer_km, 0.0), view_point: position(view_km, latitude_deg) }
}

/// Rays without a measurement.
fn observation(rays: Vec<Ray>) -> Observation {
    let values = vec![0.0; rays.len() * CHANNELS_PER_CM.len()];
    Observation {
        tangent_points: rays.iter().map(|ray| ray.view_point).collect(),
        rays,
        radiance: values.clone(),
        transmittance: values,
    }
}

/// One wavenumber wide.
fn boxcar(nu: f64) -> Shape {
    Shape { x: (-5..=5).map(|i| nu + 0.1 * f64::from(i)).map(short).collect(), y: vec![1.0; 11] }
}

/// Temperature \[K\] of the US Standard Atmosphere 1976 (NASA TM-X-74335), 0 to 86 km.
fn us_standard_temperature(height_km: f64) -> f64 {
    // Geopotential nodes, taken as heights.
    let z = [0.0, 11.0, 20.0, 32.0, 47.0, 51.0, 71.0, 86.0];
    let t = [288.15, 216.65, 216.65, 228.65, 270.65, 270.65, 214.65, 186.95];
    let i = bracket::ascending(Column::from(z.as_slice()), height_km);
    linear(z[i], t[i], z[i + 1], t[i + 1], height_km)
}

/// The US Standard Atmosphere in temperature, hydrostatic, with smooth profiles of the gases, 0 to 80 km.
fn atmosphere() -> Atmosphere {
    let height_km: Vec<f64> = (0..=80).map(f64::from).collect();
    let profile = |value: &dyn Fn(f64) -> f64| height_km.iter().map(|&z| short(value(z))).collect::<Vec<f64>>();
    let water = |z: f64| 1e-2 * Real::exp(Real::ln(4.5e-4) * (z / 15.0).min(1.0));
    let ozone = |z: f64| 3e-8 + 8e-6 * Real::exp(-0.5 * ((z - 34.0) / 9.0) * ((z - 34.0) / 9.0));
    let mut atmosphere = Atmosphere {
        time_s: vec![0.0; height_km.len()],
        longitude_deg: vec![0.0; height_km.len()],
        latitude_deg: vec![0.0; height_km.len()],
        pressure_hpa: vec![1013.25; height_km.len()],
        temperature_k: profile(&us_standard_temperature),
        mixing_ratio: vec![profile(&|_| 4e-4), profile(&water), profile(&ozone)],
        extinction_per_km: vec![vec![0.0; height_km.len()]],
        height_km,
        ..Atmosphere::default()
    };
    atmosphere.make_hydrostatic(0.0, Some(1));
    atmosphere.pressure_hpa.iter_mut().for_each(|p| *p = short(*p));
    atmosphere
}

/// Pressures from a little above to a little below the atmosphere's, evenly in their logarithm; five temperatures
/// around the atmosphere's.
fn grid(atmosphere: &Atmosphere) -> TableGrid {
    let (high, low) = (1.1 * atmosphere.pressure_hpa[0], 0.9 * atmosphere.pressure_hpa[80]);
    let ratio = Real::ln(low / high) / (TABLE_PRESSURES - 1) as f64;
    let pressures_hpa: Vec<f64> = (0..TABLE_PRESSURES).map(|i| short(high * Real::exp(i as f64 * ratio))).collect();
    let log_pressure: Vec<f64> = atmosphere.pressure_hpa.iter().map(|&p| -Real::ln(p)).collect();
    let around = |&pressure: &f64| {
        let x = -Real::ln(pressure);
        let i = bracket::ascending(Column::from(log_pressure.as_slice()), x);
        let t = &atmosphere.temperature_k;
        let middle = linear(log_pressure[i], t[i], log_pressure[i + 1], t[i + 1], x).round();
        (-2..=2).map(|j| middle + 20.0 * f64::from(j)).collect()
    };
    TableGrid {
        temperatures_k: pressures_hpa.iter().map(around).collect(),
        pressures_hpa,
        column_factor: 1.4,
        emissivities: (1e-6, 0.9999),
    }
}

/// The number of seven digits, so that the files are legible and do not hang on the last bit of an exponential.
fn short(x: f64) -> f64 {
    format!("{x:.6e}").parse().expect("a number as Rust writes it")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The outputs, `rad.tab`, `obs_meas.tab`, `kernel.tab`, `radiances.nc`, `tendencies.nc`, `fluxes.nc` and
    /// `concentrations.nc`, are the business of the command's own tests.
    #[test]
    fn the_committed_inputs_are_what_is_made() {
        let data = crate::root().join("data");
        for (name, bytes) in inputs().unwrap() {
            settle(&data, &name, &bytes, true).unwrap();
        }
    }
}
