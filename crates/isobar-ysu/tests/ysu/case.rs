//! The reference's columns, and columns that are made up.

use std::path::Path;

use isobar_core::Real;
use isobar_core::fields::OwnedInputs;
use isobar_ysu::{Chosen, ColumnViews, Columns, Results, compute};

/// The reference's sets: name and time step \[s\].
pub(crate) const SETS: [(&str, f64); 4] = [("l35", 72.0), ("l50", 30.0), ("l72", 150.0), ("l60", 10.0)];

/// A stack `[field, column, level]` as fields of `[level * columns + column]`.
pub(crate) fn stack(path: &Path) -> Vec<Vec<f64>> {
    let (shape, values) = isobar_golden::npy(path);
    let (columns, levels) = (shape[1], shape.get(2).copied().unwrap_or(1));
    values.chunks(columns * levels).map(|field| transposed(field, columns, levels)).collect()
}

/// `[column, level]` with the column fastest.
pub(crate) fn transposed(values: &[f64], columns: usize, levels: usize) -> Vec<f64> {
    (0..values.len()).map(|i| values[i % columns * levels + i / columns]).collect()
}

/// A set's inputs.
pub(crate) fn read(dir: &Path) -> Columns<f64> {
    let [u, v, temperature, _, vapour, cloud_water, cloud_ice, pressure, exner, thickness, radiative_heating] =
        stack(&dir.join("in_3d.npy")).try_into().expect("eleven fields");
    let (shape, interfaces) = isobar_golden::npy(&dir.join("in_p_int.npy"));
    let mut surface = stack(&dir.join("in_2d.npy")).into_iter();
    let mut next = || surface.next().expect("sixteen fields");
    Columns {
        u_m_per_s: u,
        v_m_per_s: v,
        temperature_k: temperature,
        vapour_kg_per_kg: vapour,
        cloud_water_kg_per_kg: cloud_water,
        cloud_ice_kg_per_kg: cloud_ice,
        pressure_pa: pressure,
        exner,
        thickness_m: thickness,
        radiative_heating_k_per_s: radiative_heating,
        interface_pressure_pa: transposed(&interfaces, shape[0], shape[1]),
        surface_pressure_pa: next(),
        roughness_m: next(),
        friction_velocity_m_per_s: next(),
        profile_momentum: next(),
        profile_heat: next(),
        land_or_water: next(),
        sensible_heat_flux_w_per_m2: next(),
        moisture_flux_kg_per_m2_s: next(),
        wind_speed_m_per_s: next(),
        richardson: next(),
        u_10m_m_per_s: next(),
        v_10m_m_per_s: next(),
        u_current_m_per_s: next(),
        v_current_m_per_s: next(),
        drag_factor: next(),
        wind_weight: next(),
        ..Columns::default()
    }
}

pub(crate) fn run<R: Real>(columns: &Columns<f64>, options: impl Chosen) -> Results<R> {
    computed(&columns.rounded(), options)
}

pub(crate) fn computed<R: Real>(columns: &Columns<R>, options: impl Chosen) -> Results<R> {
    compute(&ColumnViews::try_from(columns).expect("sizes fit"), &options).expect("the columns are valid")
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
            let air = &mut columns;
            let exner = Real::powf(pressure(z) / 1e5, 2.0 / 7.0);
            let base = 300.0
                + lapse * (z - 400.0 - 10.0 * i as f64).max(0.0)
                + if flux < 0.0 { 0.01 * z.min(200.0) } else { 0.0 };
            air.u_m_per_s.push(wind * (1.0 - Real::exp(-z / 300.0)));
            air.v_m_per_s.push(2.0 + 0.001 * z);
            air.temperature_k.push((base * exner).max(200.0));
            air.vapour_kg_per_kg.push(0.01 * Real::exp(-z / 2500.0));
            air.cloud_water_kg_per_kg.push(if (300.0..450.0).contains(&z) { 3e-4 } else { 0.0 });
            air.cloud_ice_kg_per_kg.push(if z > 3000.0 { 1e-5 } else { 0.0 });
            air.pressure_pa.push(pressure(z));
            air.exner.push(exner);
            air.thickness_m.push(thickness(k));
            air.radiative_heating_k_per_s.push(if (300.0..450.0).contains(&z) { -5e-4 } else { -2e-5 });
        }
        columns.interface_pressure_pa.extend(std::iter::repeat_n(pressure(bottom), count));
        bottom += thickness(k);
    }
    columns.interface_pressure_pa.extend(std::iter::repeat_n(pressure(bottom), count));
    let surface = &mut columns;
    for (i, &(flux, wind, _)) in parameters.iter().enumerate() {
        surface.surface_pressure_pa.push(1e5);
        surface.roughness_m.push(if i % 2 == 0 { 0.1 } else { 1e-4 });
        surface.friction_velocity_m_per_s.push(0.05 + 0.04 * wind.abs());
        surface.profile_momentum.push(5.0);
        surface.profile_heat.push(5.5);
        surface.land_or_water.push(if i % 2 == 0 { 1.0 } else { 2.0 });
        surface.sensible_heat_flux_w_per_m2.push(flux);
        surface.moisture_flux_kg_per_m2_s.push(flux.max(0.0) * 2e-7);
        surface.wind_speed_m_per_s.push(1.0 + wind.abs());
        surface.richardson.push(-flux / 1000.0);
        surface.u_10m_m_per_s.push(0.5 * wind);
        surface.v_10m_m_per_s.push(1.5);
        surface.u_current_m_per_s.push(0.1);
        surface.v_current_m_per_s.push(-0.2);
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
    picked.each_real(&mut |_, values| pick(values));
    picked
}
