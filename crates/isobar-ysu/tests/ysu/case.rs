//! The reference's columns, and columns that are made up.

use std::path::Path;

use isobar_core::Real;
use isobar_ysu::{AirColumns, Batch, Columns, Options, Outputs, SurfaceColumns};

/// The reference's sets: name and time step \[s\].
pub(crate) const SETS: [(&str, f64); 4] = [("l35", 72.0), ("l50", 30.0), ("l72", 150.0), ("l60", 10.0)];

/// A stack `[field, column, level]` as fields of `[level * columns + column]`.
pub(crate) fn stack(path: &Path) -> Vec<Vec<f64>> {
    let (shape, values) = isobar_golden::npy(path);
    let (columns, levels) = (shape[1], shape.get(2).copied().unwrap_or(1));
    values.chunks(columns * levels).map(|field| transposed(field, columns, levels)).collect()
}

/// `[column, level]` with the column fastest.
fn transposed(values: &[f64], columns: usize, levels: usize) -> Vec<f64> {
    (0..values.len()).map(|i| values[i % columns * levels + i / columns]).collect()
}

/// A set's inputs.
pub(crate) fn read(dir: &Path) -> Columns<f64> {
    let [u, v, temperature, _, vapour, cloud_water, cloud_ice, pressure, exner, thickness, radiative_heating] =
        stack(&dir.join("in_3d.npy")).try_into().expect("eleven fields");
    let (shape, interfaces) = isobar_golden::npy(&dir.join("in_p_int.npy"));
    let surface = stack(&dir.join("in_2d.npy"));
    let [pressure_surface, roughness, friction_velocity, profile_momentum, profile_heat, land_or_water, rest @ ..] =
        &surface[..]
    else {
        panic!("sixteen fields")
    };
    let air =
        AirColumns { u, v, temperature, vapour, cloud_water, cloud_ice, pressure, exner, thickness, radiative_heating };
    Columns {
        air,
        interface_pressure: transposed(&interfaces, shape[0], shape[1]),
        surface: SurfaceColumns {
            pressure: pressure_surface.clone(),
            roughness: roughness.clone(),
            friction_velocity: friction_velocity.clone(),
            profile_momentum: profile_momentum.clone(),
            profile_heat: profile_heat.clone(),
            land_or_water: land_or_water.clone(),
            sensible_heat_flux: rest[0].clone(),
            moisture_flux: rest[1].clone(),
            wind_speed: rest[2].clone(),
            richardson: rest[3].clone(),
            u_10m: rest[4].clone(),
            v_10m: rest[5].clone(),
            u_current: rest[6].clone(),
            v_current: rest[7].clone(),
            drag_factor: rest[8].clone(),
            wind_weight: rest[9].clone(),
        },
        tracers: Vec::new(),
    }
}

pub(crate) fn run<R: Real>(columns: &Columns<f64>, options: Options) -> Outputs<R> {
    let mut batch = Batch::new(columns.rounded::<R>(), options).expect("the columns are valid");
    batch.compute();
    batch.into_outputs()
}

/// A column of `layers` layers from three numbers: surface heat flux \[W/m^2\], wind \[m/s\], lapse above the mixed
/// layer \[K/m\].
pub(crate) fn made_up(layers: usize, parameters: &[(f64, f64, f64)]) -> Columns<f64> {
    let count = parameters.len();
    let mut columns = Columns::<f64>::default();
    let thickness = |k: usize| 30.0 + 8.0 * k as f64;
    let pressure = |z: f64| 1e5 * Real::exp(-z / 8000.0);
    let mut bottom = 0.0;
    for k in 0..layers {
        let z = bottom + 0.5 * thickness(k);
        for (i, &(flux, wind, lapse)) in parameters.iter().enumerate() {
            let air = &mut columns.air;
            let exner = Real::powf(pressure(z) / 1e5, 2.0 / 7.0);
            let base = 300.0
                + lapse * (z - 400.0 - 10.0 * i as f64).max(0.0)
                + if flux < 0.0 { 0.01 * z.min(200.0) } else { 0.0 };
            air.u.push(wind * (1.0 - Real::exp(-z / 300.0)));
            air.v.push(2.0 + 0.001 * z);
            air.temperature.push((base * exner).max(200.0));
            air.vapour.push(0.01 * Real::exp(-z / 2500.0));
            air.cloud_water.push(if (300.0..450.0).contains(&z) { 3e-4 } else { 0.0 });
            air.cloud_ice.push(if z > 3000.0 { 1e-5 } else { 0.0 });
            air.pressure.push(pressure(z));
            air.exner.push(exner);
            air.thickness.push(thickness(k));
            air.radiative_heating.push(if (300.0..450.0).contains(&z) { -5e-4 } else { -2e-5 });
        }
        columns.interface_pressure.extend(std::iter::repeat_n(pressure(bottom), count));
        bottom += thickness(k);
    }
    columns.interface_pressure.extend(std::iter::repeat_n(pressure(bottom), count));
    let surface = &mut columns.surface;
    for (i, &(flux, wind, _)) in parameters.iter().enumerate() {
        surface.pressure.push(1e5);
        surface.roughness.push(if i % 2 == 0 { 0.1 } else { 1e-4 });
        surface.friction_velocity.push(0.05 + 0.04 * wind.abs());
        surface.profile_momentum.push(5.0);
        surface.profile_heat.push(5.5);
        surface.land_or_water.push(if i % 2 == 0 { 1.0 } else { 2.0 });
        surface.sensible_heat_flux.push(flux);
        surface.moisture_flux.push(flux.max(0.0) * 2e-7);
        surface.wind_speed.push(1.0 + wind.abs());
        surface.richardson.push(-flux / 1000.0);
        surface.u_10m.push(0.5 * wind);
        surface.v_10m.push(1.5);
        surface.u_current.push(0.1);
        surface.v_current.push(-0.2);
        surface.drag_factor.push(1.5);
        surface.wind_weight.push(0.8);
    }
    columns
}

/// The same columns again and again, `count` in all.
pub(crate) fn repeated(columns: &Columns<f64>, count: usize) -> Columns<f64> {
    gathered(columns, &(0..count).map(|i| i % columns.columns()).collect::<Vec<_>>())
}

/// The columns of these numbers.
pub(crate) fn gathered(columns: &Columns<f64>, which: &[usize]) -> Columns<f64> {
    let from = columns.columns();
    let pick = |values: &mut Vec<f64>| {
        *values = values.chunks(from).flat_map(|row| which.iter().map(|&i| row[i])).collect();
    };
    let mut picked = columns.clone();
    let Columns { air, interface_pressure, surface, tracers } = &mut picked;
    // A tracer's columns are a row of their own.
    for values in
        [&mut air.u, &mut air.v, &mut air.temperature, &mut air.vapour, &mut air.cloud_water, &mut air.cloud_ice]
    {
        pick(values);
    }
    for values in
        [&mut air.pressure, &mut air.exner, &mut air.thickness, &mut air.radiative_heating, interface_pressure]
    {
        pick(values);
    }
    pick(tracers);
    for values in [&mut surface.pressure, &mut surface.roughness, &mut surface.friction_velocity] {
        pick(values);
    }
    for values in [&mut surface.profile_momentum, &mut surface.profile_heat, &mut surface.land_or_water] {
        pick(values);
    }
    for values in [&mut surface.sensible_heat_flux, &mut surface.moisture_flux, &mut surface.wind_speed] {
        pick(values);
    }
    for values in [&mut surface.richardson, &mut surface.u_10m, &mut surface.v_10m, &mut surface.u_current] {
        pick(values);
    }
    for values in [&mut surface.v_current, &mut surface.drag_factor, &mut surface.wind_weight] {
        pick(values);
    }
    picked
}
