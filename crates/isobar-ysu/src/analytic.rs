//! Columns of many kinds from formulas, for tests, benches and demonstrations.

use isobar_core::Real;

use crate::fields::Columns;

/// Number `column` of a family: from stable nights to convective days, calm to stormy, over land and water, some with
/// cloud.
///
/// Potential temperature is constant in a mixed layer of 200 to 2000 m and rises by 3 to 6 K/km above; the pressure is
/// hydrostatic; the layers thicken upward, from 40 m to some 17 km at 35 layers. The surface's numbers fit each other
/// roughly, by the logarithmic law.
struct Weather {
    mixed_m: f64,
    ground_k: f64,
    lapse_k_per_m: f64,
    wind: [f64; 2],
    vapour: f64,
    cloud: f64,
    heat_flux: f64,
    water: bool,
    roughness: f64,
}

impl Weather {
    fn of(column: usize) -> Self {
        // Steps of irrational numbers fill the ranges evenly.
        let share = |step: f64| {
            let turns = (column as f64 + 0.5) * step;
            turns - turns.floor()
        };
        let water = share(0.381_966) < 0.4;
        Self {
            mixed_m: 200.0 + 1800.0 * share(0.618_034),
            ground_k: 255.0 + 50.0 * share(0.414_214),
            lapse_k_per_m: 0.003 + 0.003 * share(0.732_051),
            wind: [-10.0 + 25.0 * share(0.236_068), -10.0 + 20.0 * share(0.645_751)],
            vapour: 0.001 + 0.014 * share(0.316_625),
            cloud: if share(0.872_983) < 0.3 { 4e-4 } else { 0.0 },
            heat_flux: if water { -10.0 + 60.0 * share(0.123_106) } else { -50.0 + 400.0 * share(0.123_106) },
            water,
            roughness: if water { 1e-4 } else { 0.02 + 0.5 * share(0.549_834) },
        }
    }

    fn theta(&self, z: f64) -> f64 {
        let stable_night = if self.heat_flux < 0.0 { 4.0 * (1.0 - Real::exp(-z / 80.0)) } else { 0.0 };
        self.ground_k + stable_night + self.lapse_k_per_m * (z - self.mixed_m).max(0.0)
    }
}

/// `columns` columns of `layers` layers, at least 4, with `tracers` further tracers.
///
/// ```
/// let columns = isobar_ysu::analytic::columns::<f32>(100, 35, 2);
/// assert_eq!(columns.temperature_k.len(), 35 * 100);
/// ```
#[must_use]
#[allow(clippy::needless_update, reason = "what is optional need not be here")]
pub fn columns<R: Real>(count: usize, layers: usize, tracers: usize) -> Columns<R> {
    let weather: Vec<Weather> = (0..count).map(Weather::of).collect();
    let levels = levels_m(layers);
    let middle = |k: usize| 0.5 * (levels[k] + levels[k + 1]);
    // Exner's function falls by g z / (cp theta): hydrostatic where theta is constant, and falling everywhere.
    let exner = |weather: &Weather, z: f64| 1.0 - 9.81 * z / (1004.5 * (weather.theta(z) + 2.0));
    let pressure = |weather: &Weather, z: f64| 1e5 * Real::powf(exner(weather, z), 3.5_f64);
    let table = |rows: usize, value: &dyn Fn(usize, &Weather) -> f64| -> Vec<R> {
        (0..rows).flat_map(|row| weather.iter().map(move |weather| R::from_f64(value(row, weather)))).collect()
    };
    let of_surface = |value: &dyn Fn(&Weather) -> f64| table(1, &|_, weather| value(weather));
    let speed = |weather: &Weather| {
        let [u, v] = weather.wind;
        Real::sqrt(u * u + v * v + 0.25)
    };
    let profile = |weather: &Weather| Real::ln(middle(0) / weather.roughness);
    let shear = |z: f64| 1.0 + Real::ln(1.0 + z / 100.0) / 4.0;
    let in_cloud = |weather: &Weather, z: f64| (z - 0.8 * weather.mixed_m).abs() < 0.25 * weather.mixed_m;
    Columns {
        u_m_per_s: table(layers, &|k, weather| weather.wind[0] * shear(middle(k))),
        v_m_per_s: table(layers, &|k, weather| weather.wind[1] * shear(middle(k))),
        temperature_k: table(layers, &|k, weather| weather.theta(middle(k)) * exner(weather, middle(k))),
        vapour_kg_per_kg: table(layers, &|k, weather| weather.vapour * Real::exp(-middle(k) / 2500.0)),
        cloud_water_kg_per_kg: table(layers, &|k, weather| {
            if in_cloud(weather, middle(k)) { weather.cloud } else { 0.0 }
        }),
        cloud_ice_kg_per_kg: table(layers, &|k, weather| if middle(k) > 6000.0 { 0.1 * weather.cloud } else { 0.0 }),
        pressure_pa: table(layers, &|k, weather| pressure(weather, middle(k))),
        exner: table(layers, &|k, weather| exner(weather, middle(k))),
        thickness_m: table(layers, &|k, _| levels[k + 1] - levels[k]),
        radiative_heating_k_per_s: table(layers, &|k, weather| {
            if weather.cloud > 0.0 && in_cloud(weather, middle(k)) { -4e-4 } else { -2e-5 }
        }),
        interface_pressure_pa: table(layers + 1, &|k, weather| pressure(weather, levels[k])),
        surface_pressure_pa: of_surface(&|weather| pressure(weather, 0.0)),
        roughness_m: of_surface(&|weather| weather.roughness),
        friction_velocity_m_per_s: of_surface(&|weather| 0.4 * speed(weather) / profile(weather)),
        profile_momentum: of_surface(&profile),
        profile_heat: of_surface(&|weather| profile(weather) + 1.0),
        land_or_water: of_surface(&|weather| if weather.water { 2.0 } else { 1.0 }),
        sensible_heat_flux_w_per_m2: of_surface(&|weather| weather.heat_flux),
        moisture_flux_kg_per_m2_s: of_surface(&|weather| 2e-7 * weather.heat_flux.max(0.0)),
        wind_speed_m_per_s: of_surface(&speed),
        richardson: of_surface(&|weather| -0.003 * weather.heat_flux / speed(weather)),
        u_10m_m_per_s: of_surface(&|weather| 0.8 * weather.wind[0]),
        v_10m_m_per_s: of_surface(&|weather| 0.8 * weather.wind[1]),
        u_current_m_per_s: of_surface(&|weather| if weather.water { 0.1 } else { 0.0 }),
        v_current_m_per_s: of_surface(&|_| 0.0),
        drag_factor: of_surface(&|weather| if weather.water { 1.0 } else { 1.5 }),
        wind_weight: of_surface(&|weather| if weather.water { 1.0 } else { 0.9 }),
        turbulent_energy_m2_per_s2: table(layers, &|k, weather| {
            0.005 + Real::exp(-levels[k] / weather.mixed_m) * weather.heat_flux.max(0.0) / 200.0
        }),
        grid_distance_m: of_surface(&|weather| 10.0 * weather.mixed_m * weather.roughness.max(0.02)),
        coriolis_per_s: of_surface(&|weather| 1.4e-4 - 5e-7 * (weather.ground_k - 255.0)),
        tracers: table(layers * tracers, &|row, weather| {
            let (k, tracer) = (row / tracers.max(1), row % tracers.max(1));
            (1.0 + tracer as f64) * Real::exp(-middle(k) / weather.mixed_m)
        }),
        ..Columns::default()
    }
}

/// Puts a town of 100 m into columns of [`columns`], denser where they are rough.
pub fn build_town<R: Real>(columns: &mut Columns<R>) {
    let (count, layers) = (columns.columns(), columns.layers());
    let levels = levels_m(layers);
    let field = |value: &dyn Fn(f64) -> f64, open: f64| -> Vec<R> {
        let rough = &columns.roughness_m;
        let of = |i: usize| {
            let low = (1.0 - levels[i / count] / 100.0).max(0.0);
            R::from_f64(open + low * value(rough[i % count].value()))
        };
        (0..layers * count).map(of).collect()
    };
    let [u_rate, v_rate] = [-2e-3, -1e-3].map(|rate| field(&|rough| rate * rough, 0.0));
    let [theta_rate, vapour_rate] = [-1e-4, -5e-5].map(|rate| field(&|rough| rate * rough, 0.0));
    let [u, v] = [1e-4, -2e-4].map(|source| field(&|rough| source * rough, 0.0));
    let [theta, vapour] = [2e-3, 1e-7].map(|source| field(&|rough| source * rough, 0.0));
    let [faces, volume] = [-0.5, -0.4].map(|walls| field(&|rough| walls * rough, 1.0));
    columns.urban_share = columns.roughness_m.clone();
    (columns.urban_u_rate_per_s, columns.urban_v_rate_per_s) = (u_rate, v_rate);
    (columns.urban_theta_rate_per_s, columns.urban_vapour_rate_per_s) = (theta_rate, vapour_rate);
    (columns.urban_u_source_m_per_s2, columns.urban_v_source_m_per_s2) = (u, v);
    (columns.urban_theta_source_k_per_s, columns.urban_vapour_source_per_s) = (theta, vapour);
    (columns.urban_open_faces, columns.urban_open_volume) = (faces, volume);
}

/// Heights of interfaces: layers that thicken upward evenly, the lowest 40 m, up to 17 km; all alike where that would
/// make them thinner.
fn levels_m(layers: usize) -> Vec<f64> {
    let (lowest, top) = (40.0_f64, 17_000.0);
    let even = top / layers as f64;
    let lowest = if even < lowest { even } else { lowest };
    let growth = 2.0 * (even - lowest) / (layers as f64 - 1.0);
    let thickness = |k: usize| lowest + growth * k as f64;
    let mut levels = vec![0.0];
    for k in 0..layers {
        levels.push(levels[k] + thickness(k));
    }
    levels
}
