//! Columns from formulas, for examples, tests and benches.

use isobar_core::Real;

use crate::fields::Columns;

/// Height of the top \[km\].
const TOP_KM: f64 = 60.0;

/// The weather over a column.
struct Weather {
    surface_k: f64,
    surface_pa: f64,
    /// Mixing ratio of water vapour at the surface.
    water: f64,
    cosine_zenith: f64,
    /// Cloudy parts: of water clouds, of ice clouds.
    clouds: [f64; 2],
}

impl Weather {
    /// From pole to pole and through the day.
    fn of(column: usize) -> Self {
        let place = |step: f64| (column as f64 * step).fract();
        let latitude_deg = 180.0 * place(0.618_034) - 90.0;
        let warmth = Real::cos(latitude_deg.to_radians());
        Self {
            surface_k: 245.0 + 55.0 * warmth * warmth,
            surface_pa: 98_000.0 + 4_000.0 * place(0.324_718),
            water: 0.002 + 0.022 * warmth * warmth * warmth,
            // Half of them at night would be half of the work.
            cosine_zenith: 0.05 + 0.9 * place(0.754_878),
            clouds: [place(0.569_840), 0.8 * place(0.445_042)],
        }
    }

    fn temperature_k(&self, height_km: f64) -> f64 {
        let troposphere = self.surface_k - 6.5 * height_km;
        let above = 205.0 + 1.6 * (height_km - 16.0).clamp(0.0, 34.0) - 2.0 * (height_km - 50.0).max(0.0);
        troposphere.max(above)
    }

    fn pressure_pa(&self, height_km: f64) -> f64 {
        self.surface_pa * Real::exp(-height_km / 7.2)
    }
}

/// Height of a level \[km\], thinner layers near the surface.
fn height_km(level: usize, layers: usize) -> f64 {
    let part = level as f64 / layers as f64;
    TOP_KM * part * (0.3 + 0.7 * part)
}

/// So many columns of air over different surfaces by day, from the poles to the equator, with all gases; with water and
/// ice clouds if asked for.
///
/// ```
/// use isobar_radiation::analytic;
/// let columns = analytic::columns::<f32>(100, 60, true);
/// assert_eq!(columns.level_pressure_pa.len(), 61 * 100);
/// ```
#[must_use]
pub fn columns<R: Real>(count: usize, layers: usize, cloudy: bool) -> Columns<R> {
    let weather: Vec<Weather> = (0..count).map(Weather::of).collect();
    let table = |rows: usize, value: &dyn Fn(usize, &Weather) -> f64| -> Vec<R> {
        (0..rows).flat_map(|row| weather.iter().map(move |weather| R::from_f64(value(row, weather)))).collect()
    };
    let level = |row: usize| height_km(row, layers);
    let middle = |row: usize| 0.5 * (level(row) + level(row + 1));
    let thickness_m = |row: usize| 1000.0 * (level(row + 1) - level(row));
    let one = |value: f64| vec![R::from_f64(value)];
    let ozone = |row: usize| {
        let away = (middle(row) - 32.0) / 10.0;
        3e-8 + 8e-6 * Real::exp(-away * away)
    };
    let mut columns = Columns {
        level_pressure_pa: table(layers + 1, &|row, weather| weather.pressure_pa(level(row))),
        pressure_pa: table(layers, &|row, weather| {
            0.5 * (weather.pressure_pa(level(row)) + weather.pressure_pa(level(row + 1)))
        }),
        temperature_k: table(layers, &|row, weather| weather.temperature_k(middle(row))),
        level_temperature_k: table(layers + 1, &|row, weather| weather.temperature_k(level(row))),
        surface_temperature_k: table(1, &|_, weather| weather.surface_k + 2.0),
        emissivity: one(0.98),
        cosine_zenith: table(1, &|_, weather| weather.cosine_zenith),
        total_solar_irradiance_w_per_m2: one(1361.0),
        surface_albedo_direct: one(0.15),
        h2o: table(layers, &|row, weather| weather.water * Real::exp(-middle(row) / 2.2) + 4e-6),
        co2: one(4.1e-4),
        o3: table(layers, &|row, _| ozone(row)),
        n2o: one(3.2e-7),
        co: one(1e-7),
        ch4: one(1.8e-6),
        o2: one(0.209),
        n2: one(0.781),
        ccl4: one(9e-11),
        cfc11: one(2.3e-10),
        cfc12: one(5.2e-10),
        cfc22: one(2.3e-10),
        hfc143a: one(1.5e-11),
        hfc125: one(1.5e-11),
        hfc23: one(2.7e-11),
        hfc32: one(8e-12),
        hfc134a: one(8e-11),
        cf4: one(8e-11),
        no2: one(0.0),
        ..Columns::default()
    };
    if cloudy {
        let liquid = |row: usize| (0.8..3.0).contains(&middle(row));
        let ice = |row: usize| (7.0..11.0).contains(&middle(row));
        columns.cloud_fraction = table(layers, &|row, weather| match (liquid(row), ice(row)) {
            (true, _) => weather.clouds[0],
            (_, true) => weather.clouds[1],
            _ => 0.0,
        });
        let path = |there: bool, per_m: f64, row: usize| if there { per_m * thickness_m(row) } else { 0.0 };
        columns.liquid_path_g_per_m2 = table(layers, &|row, _| path(liquid(row), 0.1, row));
        columns.ice_path_g_per_m2 = table(layers, &|row, _| path(ice(row), 0.02, row));
        columns.liquid_radius_um = table(layers, &|_, weather| 8.0 + 6.0 * weather.clouds[0]);
        columns.ice_size_um = table(layers, &|_, weather| 30.0 + 40.0 * weather.clouds[1]);
        columns.thickness_m = table(layers, &|row, _| thickness_m(row));
    }
    columns
}

/// Adds rain to the water clouds of [`columns`] and snow to their ice clouds, as much as they have themselves, of sizes
/// across these ranges \[um\]: as [`crate::Spectra::cloud_sizes_um`] has them.
pub fn add_rain_and_snow<R: Real>(columns: &mut Columns<R>, ranges_um: [[f64; 2]; 2]) {
    let count = columns.surface_temperature_k.len();
    let size = |[least, most]: [f64; 2], index: usize| {
        let part = 0.1 + 0.8 * (index % count) as f64 / count as f64;
        R::from_f64(least + part * (most - least))
    };
    let sizes = ranges_um.map(|range| (0..columns.cloud_fraction.len()).map(|index| size(range, index)).collect());
    [columns.rain_radius_um, columns.snow_size_um] = sizes;
    columns.rain_path_g_per_m2 = columns.liquid_path_g_per_m2.clone();
    columns.snow_path_g_per_m2 = columns.ice_path_g_per_m2.clone();
}
