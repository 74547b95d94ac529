//! What a file need not have.

use isobar_core::Real;
use isobar_core::fields::{Declared, Need};
use isobar_ysu::{Chosen, ColumnViews};

use super::diagnosed::{Diagnosed, Lacks};
use super::read::Read;
use super::start;

/// Turbulent energy with which a model begins, as WRF's \[m^2/s^2\].
const CALM_ENERGY: f64 = 0.005;
/// The Earth's rate of rotation \[rad/s\].
const ROTATION: f64 = 7.292_115e-5;
/// The Coriolis parameter at 43 degrees \[1/s\].
const MIDDLE_LATITUDES: f64 = 1e-4;

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
        let thickness = columns.thickness_m.is_empty();
        if thickness {
            derived.push("thickness = Rd Tv / g ln(pressure below / pressure above)".to_owned());
        }
        let mut diagnosed = Diagnosed { thickness, ..Diagnosed::default() };
        let problems = if self.surface.is_none() { self.surface_layer(&mut diagnosed) } else { Vec::new() };
        diagnosed.derive(&mut self.raw.columns);
        self.diagnosed = diagnosed;
        problems
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

    /// Says what of the surface layer is empty, and how it follows.
    fn surface_layer(&mut self, diagnosed: &mut Diagnosed) -> Vec<Problem> {
        let columns = &self.raw.columns;
        if columns.friction_velocity_m_per_s.is_empty() && !self.stress.values.is_empty() {
            diagnosed.stress.clone_from(&self.stress.values);
            let of = &self.stress.of;
            self.raw.derived.push(format!("friction_velocity = sqrt({of} / density of the lowest layer)"));
        }
        diagnosed.boundary_layer_height.clone_from(&self.boundary_layer_height);
        let lacks = Lacks {
            wind_speed: columns.wind_speed_m_per_s.is_empty(),
            friction_velocity: columns.friction_velocity_m_per_s.is_empty() && diagnosed.stress.is_empty(),
            momentum: columns.profile_momentum.is_empty(),
            heat: columns.profile_heat.is_empty(),
            richardson: columns.richardson.is_empty(),
            u_10m: columns.u_10m_m_per_s.is_empty(),
            v_10m: columns.v_10m_m_per_s.is_empty(),
        };
        diagnosed.lacks = lacks;
        if lacks.wind_speed {
            let enhanced =
                if self.boundary_layer_height.is_empty() { "" } else { ", with the enhancement of Beljaars (1995)" };
            self.raw.derived.push(format!("wind_speed = wind of the lowest layer{enhanced}"));
        }
        let by_similarity = lacks.by_similarity().join(", ");
        if by_similarity.is_empty() {
            return Vec::new();
        }
        let way = if !lacks.richardson {
            "the bulk Richardson number"
        } else if !lacks.friction_velocity {
            "friction velocity and fluxes"
        } else {
            "wind and fluxes"
        };
        self.raw.derived.push(format!("{by_similarity}: similarity, from {way}"));
        if lacks.friction_velocity && lacks.momentum && lacks.heat && lacks.richardson {
            self.made_up = Some(format!("{by_similarity} by similarity formulas, from {way}"));
        }
        // NaN is the business of the check that follows.
        let smooth = self.raw.columns.roughness_m.iter().enumerate().filter(|(_, roughness)| **roughness <= 0.0);
        let in_words = |(column, _): (usize, &f64)| {
            let place = self.raw.place(None, column);
            (column, format!("roughness = 0 m at {place} lies outside (0, inf): {by_similarity} need it"))
        };
        smooth.map(in_words).collect()
    }
}
