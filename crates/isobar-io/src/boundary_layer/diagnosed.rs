//! What of columns follows from the state of their air: at the start, and again whenever the state has changed.

use std::collections::BTreeSet;

use isobar_core::Real;
use isobar_ysu::Columns;
use isobar_ysu::constants::{GAS_CONSTANT, GRAVITY, VIRTUAL};
use isobar_ysu::similarity::{SurfaceLayer, buoyancy_flux, zeta_of_profiles};

use crate::columns_file::derive::thickness;

/// The least wind speed of the lowest layer \[m/s\].
const LEAST_WIND: f64 = 0.1;

/// Which quantities of the surface layer a file does not have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Lacks {
    pub(super) wind_speed: bool,
    pub(super) friction_velocity: bool,
    pub(super) momentum: bool,
    pub(super) heat: bool,
    pub(super) richardson: bool,
    pub(super) u_10m: bool,
    pub(super) v_10m: bool,
}

impl Lacks {
    /// What similarity gives.
    pub(super) fn by_similarity(&self) -> Vec<&'static str> {
        let all = [
            ("friction_velocity", self.friction_velocity),
            ("profile_momentum", self.momentum),
            ("profile_heat", self.heat),
            ("richardson", self.richardson),
            ("u_10m", self.u_10m),
            ("v_10m", self.v_10m),
        ];
        all.into_iter().filter(|(_, lacks)| *lacks).map(|(name, _)| name).collect()
    }
}

/// What was derived from the state of the air, and by what that is no state: where this changes, so does that, and what
/// a file has stays.
#[derive(Clone, Debug, Default)]
pub struct Diagnosed {
    /// Thicknesses, by hydrostatics.
    pub(super) thickness: bool,
    pub(super) lacks: Lacks,
    /// The magnitude of the stress that gives the friction velocity, if it does \[N/m^2\].
    pub(super) stress: Vec<f64>,
    /// For the gusts of the wind speed, if it is known \[m\].
    pub(super) boundary_layer_height: Vec<f64>,
}

impl Diagnosed {
    /// Derives it, of columns that are valid but for it.
    pub fn derive(&self, columns: &mut Columns<f64>) {
        if self.thickness {
            columns.thickness_m = hydrostatic_thickness(columns);
        }
        if !self.stress.is_empty() {
            let velocity = |(i, stress): (usize, &f64)| Real::sqrt(stress / density(columns, i));
            columns.friction_velocity_m_per_s = self.stress.iter().enumerate().map(velocity).collect();
        }
        self.surface_layer(columns);
    }

    /// Puts what the first good column has in the place of what those have that were left out.
    pub(super) fn stand_in(&mut self, left_out: &BTreeSet<usize>, count: usize) {
        let Some(good) = (0..count).find(|column| !left_out.contains(column)) else { return };
        for values in [&mut self.stress, &mut self.boundary_layer_height] {
            if values.len() == count {
                left_out.iter().for_each(|&column| values[column] = values[good]);
            }
        }
    }

    fn surface_layer(&self, columns: &mut Columns<f64>) {
        let Lacks { wind_speed, friction_velocity, momentum, heat, richardson, u_10m, v_10m } = self.lacks;
        let by_similarity = !self.lacks.by_similarity().is_empty();
        if !wind_speed && !by_similarity {
            return;
        }
        let clear = |values: &mut Vec<f64>, lacks: bool| {
            if lacks {
                values.clear();
            }
        };
        clear(&mut columns.wind_speed_m_per_s, wind_speed);
        clear(&mut columns.friction_velocity_m_per_s, friction_velocity);
        clear(&mut columns.profile_momentum, momentum);
        clear(&mut columns.profile_heat, heat);
        clear(&mut columns.richardson, richardson);
        clear(&mut columns.u_10m_m_per_s, u_10m);
        clear(&mut columns.v_10m_m_per_s, v_10m);
        for i in 0..columns.surface_pressure_pa.len() {
            let theta = columns.temperature_k[i] / columns.exner[i];
            let theta_v = theta * (1.0 + VIRTUAL * columns.vapour_kg_per_kg[i]);
            let buoyancy = buoyancy_flux(
                columns.sensible_heat_flux_w_per_m2[i],
                columns.moisture_flux_kg_per_m2_s[i],
                density(columns, i),
                theta,
                theta_v,
            );
            let (u, v) = (
                columns.u_m_per_s[i] - columns.u_current_m_per_s[i],
                columns.v_m_per_s[i] - columns.v_current_m_per_s[i],
            );
            if wind_speed {
                let enhancement = self.boundary_layer_height.get(i).map_or(0.0, |h| Real::cbrt(buoyancy.max(0.0) * h));
                let speed = Real::sqrt(u * u + v * v + enhancement * enhancement);
                // Not `max`, which would hide a NaN.
                columns.wind_speed_m_per_s.push(if speed < LEAST_WIND { LEAST_WIND } else { speed });
            }
            if !by_similarity {
                continue;
            }
            let roughness = columns.roughness_m[i];
            let layer = SurfaceLayer {
                height_m: 0.5 * columns.thickness_m[i],
                roughness_m: roughness,
                roughness_heat_m: roughness,
            };
            let zeta = match (richardson, momentum || heat, friction_velocity) {
                (false, false, _) => {
                    zeta_of_profiles(columns.richardson[i], columns.profile_momentum[i], columns.profile_heat[i])
                }
                (false, true, _) => layer.zeta_of_richardson(columns.richardson[i]),
                (true, _, false) => layer.zeta_of_friction(columns.friction_velocity_m_per_s[i], buoyancy),
                (true, _, true) => layer.zeta_of_wind(columns.wind_speed_m_per_s[i], buoyancy),
            };
            if momentum {
                columns.profile_momentum.push(layer.momentum(zeta));
            }
            if heat {
                columns.profile_heat.push(layer.heat(zeta));
            }
            if friction_velocity {
                columns.friction_velocity_m_per_s.push(layer.friction(columns.wind_speed_m_per_s[i], zeta));
            }
            if richardson {
                let momentum = columns.profile_momentum[i];
                columns.richardson.push(zeta * columns.profile_heat[i] / (momentum * momentum));
            }
            let ten_metres = layer.ten_metres(zeta);
            if u_10m {
                columns.u_10m_m_per_s.push(columns.u_current_m_per_s[i] + u * ten_metres);
            }
            if v_10m {
                columns.v_10m_m_per_s.push(columns.v_current_m_per_s[i] + v * ten_metres);
            }
        }
    }
}

/// The density of the air in the lowest layer of a column, at the surface, as the schemes have it \[kg/m^3\].
fn density(columns: &Columns<f64>, i: usize) -> f64 {
    let (t, vapour) = (columns.temperature_k[i], columns.vapour_kg_per_kg[i]);
    columns.surface_pressure_pa[i] / (GAS_CONSTANT * t * (1.0 + VIRTUAL * vapour))
}

/// How thick layers are by hydrostatics of moist air \[m\].
pub(super) fn hydrostatic_thickness(columns: &Columns<f64>) -> Vec<f64> {
    let virtual_temperature = |(t, vapour): (&f64, &f64)| t * (1.0 + VIRTUAL * vapour);
    let virtual_temperature: Vec<f64> =
        columns.temperature_k.iter().zip(&columns.vapour_kg_per_kg).map(virtual_temperature).collect();
    let pressures = [&columns.interface_pressure_pa[..], &columns.pressure_pa];
    thickness(&virtual_temperature, pressures, GRAVITY)
}
