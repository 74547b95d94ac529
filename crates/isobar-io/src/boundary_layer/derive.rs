//! What a file need not have.

use isobar_core::Real;
use isobar_core::fields::{Declared, Need};
use isobar_ysu::constants::{GAS_CONSTANT, GRAVITY, VIRTUAL};
use isobar_ysu::similarity::{SurfaceLayer, buoyancy_flux, zeta_of_profiles};
use isobar_ysu::{Chosen, ColumnViews, Columns};

use super::read::Read;
use super::start;
use crate::columns_file::derive::thickness;

/// The least wind speed of the lowest layer \[m/s\].
const LEAST_WIND: f64 = 0.1;

/// Turbulent energy with which a model begins, as WRF's \[m^2/s^2\].
const CALM_ENERGY: f64 = 0.005;
/// The Earth's rate of rotation \[rad/s\].
const ROTATION: f64 = 7.292_115e-5;
/// The Coriolis parameter at 43 degrees \[1/s\].
const MIDDLE_LATITUDES: f64 = 1e-4;

/// The density of the air in the lowest layer of a column, at the surface, as the schemes have it \[kg/m^3\].
fn density(columns: &Columns<f64>, i: usize) -> f64 {
    let (t, vapour) = (columns.temperature_k[i], columns.vapour_kg_per_kg[i]);
    columns.surface_pressure_pa[i] / (GAS_CONSTANT * t * (1.0 + VIRTUAL * vapour))
}

/// A column from which something cannot be derived, and why.
pub(super) type Problem = (usize, String);

impl Read {
    /// Fills in what is empty.
    pub(super) fn derive(&mut self) -> Vec<Problem> {
        let count = self.raw.columns();
        let field = self.layers * count;
        let (columns, derived) = (&mut self.raw.columns, &mut self.raw.derived);
        let mut zero = |what: &mut Vec<f64>, size: usize, name: &str| {
            if what.is_empty() {
                *what = vec![0.0; size];
                derived.push(format!("{name} = 0"));
            }
        };
        zero(&mut columns.cloud_water_kg_per_kg, field, "cloud_water");
        zero(&mut columns.cloud_ice_kg_per_kg, field, "cloud_ice");
        if self.start.is_some() {
            start::fill(columns, field, count);
            return Vec::new();
        }
        zero(&mut columns.u_current_m_per_s, count, "u_current");
        zero(&mut columns.v_current_m_per_s, count, "v_current");
        if columns.surface_pressure_pa.is_empty() {
            columns.surface_pressure_pa = columns.interface_pressure_pa[..count].to_vec();
            derived.push("surface_pressure = pressure of the lowest interface".to_owned());
        }
        if columns.thickness_m.is_empty() && !self.interface_height.is_empty() {
            let heights = &self.interface_height;
            columns.thickness_m = (0..field).map(|i| heights[i + count] - heights[i]).collect();
            derived.push("thickness = differences of interface_height".to_owned());
        }
        if columns.thickness_m.is_empty() {
            let virtual_temperature = |(t, vapour): (&f64, &f64)| t * (1.0 + VIRTUAL * vapour);
            let virtual_temperature: Vec<f64> =
                columns.temperature_k.iter().zip(&columns.vapour_kg_per_kg).map(virtual_temperature).collect();
            let pressures = [&columns.interface_pressure_pa[..], &columns.pressure_pa];
            columns.thickness_m = thickness(&virtual_temperature, pressures, GRAVITY);
            derived.push("thickness = Rd Tv / g ln(pressure below / pressure above)".to_owned());
        }
        if self.surface.is_some() {
            return Vec::new();
        }
        self.friction_velocity();
        self.surface_layer()
    }

    /// Fills in that of the stress, if it is empty and there is one.
    fn friction_velocity(&mut self) {
        let columns = &mut self.raw.columns;
        if self.stress.values.is_empty() || !columns.friction_velocity_m_per_s.is_empty() {
            return;
        }
        let velocity = |(i, stress): (usize, &f64)| Real::sqrt(stress / density(columns, i));
        columns.friction_velocity_m_per_s = self.stress.values.iter().enumerate().map(velocity).collect();
        self.raw.derived.push(format!("friction_velocity = sqrt({} / density of the lowest layer)", self.stress.of));
    }

    /// Fills in what is empty of what Shin-Hong needs besides, but for the grid, which no file has to know.
    pub(super) fn turbulence(&mut self, options: &impl Chosen) {
        let (count, columns) = (self.raw.columns(), &mut self.raw.columns);
        let coriolis = Declared::named(ColumnViews::<f64>::DECLARED, "coriolis_per_s");
        let is_wanted = options.need(coriolis) == Need::Required && columns.coriolis_per_s.is_empty();
        if is_wanted && !self.latitude.is_empty() {
            let of = |latitude: &f64| 2.0 * ROTATION * Real::sin(latitude.to_radians());
            columns.coriolis_per_s = self.latitude.iter().map(of).collect();
            self.raw.derived.push("coriolis = 2 omega sin(latitude)".to_owned());
        }
        for (name, values, rows, value) in [
            ("turbulent_energy_m2_per_s2", &mut columns.turbulent_energy_m2_per_s2, self.layers, CALM_ENERGY),
            ("coriolis_per_s", &mut columns.coriolis_per_s, 1, MIDDLE_LATITUDES),
        ] {
            let declared = Declared::named(ColumnViews::<f64>::DECLARED, name);
            if options.need(declared) == Need::Required && values.is_empty() {
                *values = vec![value; rows * count];
                self.raw.derived.push(format!("{} = {value} {}", declared.file_name, declared.unit));
            }
        }
    }

    /// Fills in what is empty of the surface layer.
    fn surface_layer(&mut self) -> Vec<Problem> {
        let count = self.raw.columns();
        let columns = &mut self.raw.columns;
        let missing = |values: &[f64]| values.is_empty();
        let lacks = [
            ("wind_speed", missing(&columns.wind_speed_m_per_s)),
            ("friction_velocity", missing(&columns.friction_velocity_m_per_s)),
            ("profile_momentum", missing(&columns.profile_momentum)),
            ("profile_heat", missing(&columns.profile_heat)),
            ("richardson", missing(&columns.richardson)),
            ("u_10m", missing(&columns.u_10m_m_per_s)),
            ("v_10m", missing(&columns.v_10m_m_per_s)),
        ];
        let [no_speed, no_friction, no_momentum, no_heat, no_richardson, no_u, no_v] = lacks.map(|(_, lacks)| lacks);
        if no_speed {
            let enhanced =
                if self.boundary_layer_height.is_empty() { "" } else { ", with the enhancement of Beljaars (1995)" };
            self.raw.derived.push(format!("wind_speed = wind of the lowest layer{enhanced}"));
        }
        let by_similarity: Vec<&str> = lacks[1..].iter().filter(|(_, lacks)| *lacks).map(|(name, _)| *name).collect();
        if !no_speed && by_similarity.is_empty() {
            return Vec::new();
        }
        let way = if !no_richardson {
            "the bulk Richardson number"
        } else if !no_friction {
            "friction velocity and fluxes"
        } else {
            "wind and fluxes"
        };
        if !by_similarity.is_empty() {
            self.raw.derived.push(format!("{}: similarity, from {way}", by_similarity.join(", ")));
        }
        if no_friction && no_momentum && no_heat && no_richardson {
            self.made_up = Some(format!("{} by similarity formulas, from {way}", by_similarity.join(", ")));
        }
        let mut problems = Vec::new();
        for i in 0..count {
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
            if no_speed {
                let enhancement = self.boundary_layer_height.get(i).map_or(0.0, |h| Real::cbrt(buoyancy.max(0.0) * h));
                let speed = Real::sqrt(u * u + v * v + enhancement * enhancement);
                // Not `max`, which would hide a NaN.
                columns.wind_speed_m_per_s.push(if speed < LEAST_WIND { LEAST_WIND } else { speed });
            }
            if by_similarity.is_empty() {
                continue;
            }
            let roughness = columns.roughness_m[i];
            let layer = SurfaceLayer {
                height_m: 0.5 * columns.thickness_m[i],
                roughness_m: roughness,
                roughness_heat_m: roughness,
            };
            // NaN is the business of the check that follows.
            if layer.roughness_m <= 0.0 {
                problems.push((i, by_similarity.join(", ")));
            }
            let zeta = match (no_richardson, no_momentum || no_heat, no_friction) {
                (false, false, _) => {
                    zeta_of_profiles(columns.richardson[i], columns.profile_momentum[i], columns.profile_heat[i])
                }
                (false, true, _) => layer.zeta_of_richardson(columns.richardson[i]),
                (true, _, false) => layer.zeta_of_friction(columns.friction_velocity_m_per_s[i], buoyancy),
                (true, _, true) => layer.zeta_of_wind(columns.wind_speed_m_per_s[i], buoyancy),
            };
            if no_momentum {
                columns.profile_momentum.push(layer.momentum(zeta));
            }
            if no_heat {
                columns.profile_heat.push(layer.heat(zeta));
            }
            if no_friction {
                columns.friction_velocity_m_per_s.push(layer.friction(columns.wind_speed_m_per_s[i], zeta));
            }
            if no_richardson {
                let momentum = columns.profile_momentum[i];
                columns.richardson.push(zeta * columns.profile_heat[i] / (momentum * momentum));
            }
            let ten_metres = layer.ten_metres(zeta);
            if no_u {
                columns.u_10m_m_per_s.push(columns.u_m_per_s[i] * ten_metres);
            }
            if no_v {
                columns.v_10m_m_per_s.push(columns.v_m_per_s[i] * ten_metres);
            }
        }
        let in_words = |(column, what): Problem| {
            let place = self.raw.place(None, column);
            (column, format!("roughness = 0 m at {place} lies outside (0, inf): {what} need it"))
        };
        problems.into_iter().map(in_words).collect()
    }
}
