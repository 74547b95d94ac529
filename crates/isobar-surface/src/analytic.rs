//! Columns of many kinds from formulas, for tests, benches and demonstrations.

use std::vec::Vec;

use isobar_core::Real;

use crate::fields::Columns;

/// Number `column` of a family: land, water and lakes, air from very stable to free convection, calm to stormy.
struct Weather {
    water: bool,
    surface_k: f64,
    warmer_k: f64,
    wind: [f64; 2],
    thickness_m: f64,
    roughness_m: f64,
    surface_pressure_pa: f64,
    humidity: f64,
    share: f64,
}

impl Weather {
    fn of(column: usize) -> Self {
        // Steps of irrational numbers fill the ranges evenly.
        let share = |step: f64| {
            let turns = (column as f64 + 0.5) * step;
            turns - turns.floor()
        };
        // Neighbours have the same kind of surface, as in a model's row.
        let water = (column / 48) % 5 < 2;
        let surface_k = 255.0 + 50.0 * share(0.414_214);
        Self {
            water,
            surface_k,
            warmer_k: if water { 5.0 * share(0.732_051) - 3.0 } else { 16.0 * share(0.732_051) - 9.0 },
            wind: [-10.0 + 25.0 * share(0.236_068), -10.0 + 20.0 * share(0.645_751)],
            thickness_m: 20.0 + 60.0 * share(0.618_034),
            roughness_m: if water { 1e-4 } else { 0.02 + 0.5 * share(0.549_834) },
            surface_pressure_pa: 7e4 + 3.2e4 * share(0.872_983),
            humidity: 0.2 + 0.8 * share(0.316_625),
            share: share(0.123_106),
        }
    }

    fn temperature_k(&self) -> f64 {
        self.surface_k + self.warmer_k - 0.0098 * 0.5 * self.thickness_m
    }

    fn speed(&self) -> f64 {
        let [u, v] = self.wind;
        Real::sqrt(u * u + v * v + 0.25)
    }

    fn friction(&self) -> f64 {
        0.4 * self.speed() / Real::ln(0.5 * self.thickness_m / self.roughness_m)
    }
}

/// `count` columns, with all that any option needs.
///
/// ```
/// let columns = isobar_surface::analytic::columns::<f32>(100);
/// assert_eq!(columns.temperature_k.len(), 100);
/// ```
#[must_use]
pub fn columns<R: Real>(count: usize) -> Columns<R> {
    let weather: Vec<Weather> = (0..count).map(Weather::of).collect();
    let all = |value: &dyn Fn(&Weather) -> f64| -> Vec<R> {
        weather.iter().map(|weather| R::from_f64(value(weather))).collect()
    };
    let heat = |weather: &Weather| -12.0 * weather.warmer_k * weather.friction();
    Columns {
        u_m_per_s: all(&|weather| weather.wind[0]),
        v_m_per_s: all(&|weather| weather.wind[1]),
        temperature_k: all(&Weather::temperature_k),
        vapour_kg_per_kg: all(&|weather| {
            let warm = weather.temperature_k() - 273.15;
            0.0038 * weather.humidity * Real::exp(17.67 * warm / (warm + 243.5))
        }),
        pressure_pa: all(&|weather| {
            let scale = 29.3 * weather.temperature_k();
            weather.surface_pressure_pa * Real::exp(-0.5 * weather.thickness_m / scale)
        }),
        thickness_m: all(&|weather| weather.thickness_m),
        surface_pressure_pa: all(&|weather| weather.surface_pressure_pa),
        boundary_layer_height_m: all(&|weather| {
            if weather.warmer_k < 0.0 { 300.0 + 1500.0 * weather.share } else { 80.0 }
        }),
        moisture_availability: all(&|weather| if weather.water { 1.0 } else { weather.humidity }),
        land_or_water: all(&|weather| if weather.water { 2.0 } else { 1.0 }),
        surface_temperature_k: all(&|weather| weather.surface_k),
        grid_length_m: all(&|_| 3000.0),
        lake: all(&|weather| if weather.water && weather.share < 0.1 { 1.0 } else { 0.0 }),
        water_depth_m: all(&|weather| 5.0 + 200.0 * weather.share),
        orography_deviation_m: all(&|weather| if weather.water { 0.0 } else { 80.0 * weather.share }),
        roughness_m: all(&|weather| weather.roughness_m),
        friction_velocity_m_per_s: all(&Weather::friction),
        friction_velocity_of_wind_m_per_s: all(&|weather| 0.95 * weather.friction()),
        temperature_scale_k: all(&|weather| 0.05 * weather.warmer_k),
        sensible_heat_flux_w_per_m2: all(&heat),
        moisture_flux_kg_per_m2_s: all(&|weather| 2e-7 * heat(weather).max(0.0)),
        surface_vapour_kg_per_kg: all(&|_| 0.0),
    }
}
