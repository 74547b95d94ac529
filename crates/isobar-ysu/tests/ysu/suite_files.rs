//! The files of the boundary-layer suite: columns of all sets with towns, tracers and what Shin-Hong needs besides.

use std::path::{Path, PathBuf};

use isobar_ysu::Columns;

use crate::case::{stack, transposed};

/// The sets: name and time step \[s\].
pub(crate) const SETS: [(&str, f64); 5] =
    [("l35", 60.0), ("l50", 30.0), ("l72", 120.0), ("l100", 300.0), ("l60", 10.0)];

/// The folder of the sets, if it is there.
pub(crate) fn folder() -> Option<PathBuf> {
    Some(isobar_golden::find("pbl")?.join("columns"))
}

/// `[column, level]` of a file with the column fastest.
fn by_level(path: &Path) -> Vec<f64> {
    let (shape, values) = isobar_golden::npy(path);
    transposed(&values, shape[0], shape[1])
}

/// A set's inputs.
pub(crate) fn read(dir: &Path) -> Columns<f64> {
    let [u, v, temperature, vapour, cloud_water, cloud_ice, pressure, exner, thickness, radiative_heating] =
        stack(&dir.join("in_3d.npy")).try_into().expect("ten fields");
    let mut surface = stack(&dir.join("in_2d.npy")).into_iter();
    let mut next = || surface.next().expect("nineteen fields");
    let mut columns = Columns {
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
        interface_pressure_pa: by_level(&dir.join("in_p_int.npy")),
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
        urban_share: next(),
        coriolis_per_s: next(),
        grid_distance_m: next(),
        turbulent_energy_m2_per_s2: by_level(&dir.join("in_tke.npy")),
        ..Columns::default()
    };
    town(dir, &mut columns);
    columns
}

/// Adds the town: fields of the lowest layers, above which there is none.
fn town(dir: &Path, columns: &mut Columns<f64>) {
    let size = columns.temperature_k.len();
    let fields = stack(&dir.join("in_bep.npy"));
    let [a_u, a_v, a_t, a_q, _, b_u, b_v, b_t, b_q, _, faces, volume, _, _] = fields.try_into().expect("14 fields");
    let up = |mut values: Vec<f64>, above: f64| {
        values.resize(size, above);
        values
    };
    columns.urban_u_rate_per_s = up(a_u, 0.0);
    columns.urban_v_rate_per_s = up(a_v, 0.0);
    columns.urban_theta_rate_per_s = up(a_t, 0.0);
    columns.urban_vapour_rate_per_s = up(a_q, 0.0);
    columns.urban_u_source_m_per_s2 = up(b_u, 0.0);
    columns.urban_v_source_m_per_s2 = up(b_v, 0.0);
    columns.urban_theta_source_k_per_s = up(b_t, 0.0);
    columns.urban_vapour_source_per_s = up(b_q, 0.0);
    columns.urban_open_faces = up(faces, 1.0);
    columns.urban_open_volume = up(volume, 1.0);
}

/// The two tracers, `(layer * tracers + tracer) * columns + column`.
pub(crate) fn tracers(path: &Path, columns: &Columns<f64>) -> Vec<f64> {
    let (fields, count) = (stack(path), columns.columns());
    let layers = fields[0].len() / count;
    (0..layers).flat_map(|layer| fields.iter().flat_map(move |f| f[layer * count..][..count].to_vec())).collect()
}
