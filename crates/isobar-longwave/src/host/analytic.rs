//! Columns of many kinds and a k-distribution from formulas, for tests and benches.

use isobar_core::Real;

use crate::fields::Columns;
use crate::host::k_distribution::{KDistribution, Table, TableKind};
use crate::rrtmg::BANDS;

/// Number `column` of a family: from tropics to poles, sea and mountains, dry and moist, with low and high clouds.
struct Weather {
    surface_pa: f64,
    surface_k: f64,
    tropopause_km: f64,
    water: f64,
    /// Fractions of a water cloud and an ice cloud.
    clouds: [f64; 2],
    latitude_deg: f64,
}

impl Weather {
    fn of(column: usize) -> Self {
        // Steps of irrational numbers fill the ranges evenly.
        let share = |step: f64| {
            let turns = (column as f64 + 0.5) * step;
            turns - turns.floor()
        };
        let warmth = share(0.618_034);
        let cloud = |share: f64| if share < 0.4 { 0.0 } else { (share - 0.35) / 0.65 };
        Self {
            surface_pa: 103_000.0 - 30_000.0 * share(0.414_214) * share(0.732_051),
            surface_k: 245.0 + 60.0 * warmth,
            tropopause_km: 8.0 + 8.0 * warmth,
            water: (0.2 + 0.8 * share(0.236_068)) * 0.03 * Real::exp(-7.0 * (1.0 - warmth)),
            clouds: [cloud(share(0.381_966)), cloud(share(0.645_751))],
            latitude_deg: 85.0 * (1.0 - warmth),
        }
    }

    fn temperature_k(&self, z_km: f64) -> f64 {
        let cold = self.surface_k - 6.0 * self.tropopause_km;
        let below = self.surface_k - 6.0 * z_km;
        let above = cold + 1.6 * (z_km - self.tropopause_km - 5.0).max(0.0);
        let temperature = if z_km < self.tropopause_km { below } else { above };
        temperature.clamp(170.0, 320.0)
    }

    fn pressure_pa(&self, z_km: f64) -> f64 {
        self.surface_pa * Real::exp(-z_km / 7.5)
    }
}

/// The height of the highest level.
const TOP_KM: f64 = 60.0;

/// Heights of levels, closer near the ground.
fn height_km(level: usize, layers: usize) -> f64 {
    let part = level as f64 / layers as f64;
    TOP_KM * part * Real::sqrt(part)
}

/// So many columns of so many layers, with clouds or without. Gases that are well mixed have one value for all.
///
/// ```
/// use isobar_longwave::{ColumnViews, Options, analytic};
/// let columns = analytic::columns::<f32>(100, 60, true);
/// ColumnViews::try_from(&columns)?.checked((16, 140), &Options::default())?;
/// # Ok::<(), isobar_core::fields::Error>(())
/// ```
#[must_use]
pub fn columns<R: Real>(count: usize, layers: usize, cloudy: bool) -> Columns<R> {
    let weather: Vec<Weather> = (0..count).map(Weather::of).collect();
    let table = |rows: usize, value: &dyn Fn(usize, &Weather) -> f64| -> Vec<R> {
        (0..rows).flat_map(|row| weather.iter().map(move |weather| R::from_f64(value(row, weather)))).collect()
    };
    let level = |row: usize| height_km(row, layers);
    let middle = |row: usize| 0.5 * (level(row) + level(row + 1));
    let one = |value: f64| vec![R::from_f64(value)];
    let water = |row: usize, weather: &Weather| weather.water * Real::exp(-middle(row) / 2.2) + 4e-6;
    let ozone = |row: usize, _: &Weather| {
        let away = (middle(row) - 32.0) / 10.0;
        3e-8 + 8e-6 * Real::exp(-away * away)
    };
    let mut columns = Columns {
        pressure_pa: table(layers, &|row, weather| {
            0.5 * (weather.pressure_pa(level(row)) + weather.pressure_pa(level(row + 1)))
        }),
        level_pressure_pa: table(layers + 1, &|row, weather| weather.pressure_pa(level(row))),
        temperature_k: table(layers, &|row, weather| weather.temperature_k(middle(row))),
        level_temperature_k: table(layers + 1, &|row, weather| weather.temperature_k(level(row))),
        h2o: table(layers, &water),
        co2: one(4.1e-4),
        o3: table(layers, &ozone),
        n2o: one(3.2e-7),
        co: one(1e-7),
        ch4: one(1.8e-6),
        o2: one(0.209),
        ccl4: one(9e-11),
        cfc11: one(2.3e-10),
        cfc12: one(5.2e-10),
        cfc22: one(2.3e-10),
        surface_temperature_k: table(1, &|_, weather| weather.surface_k + 2.0),
        emissivity: one(0.98),
        ..Columns::default()
    };
    if cloudy {
        add_clouds(&mut columns, layers, &table);
    }
    columns
}

/// The values of so many rows of all columns.
type Rows<'a, R> = dyn Fn(usize, &dyn Fn(usize, &Weather) -> f64) -> Vec<R> + 'a;

/// A water cloud from 0.8 to 3 km and an ice cloud from 7 to 11 km.
fn add_clouds<R: Real>(columns: &mut Columns<R>, layers: usize, table: &Rows<'_, R>) {
    let middle = |row: usize| 0.5 * (height_km(row, layers) + height_km(row + 1, layers));
    let thickness = |row: usize| 1000.0 * (height_km(row + 1, layers) - height_km(row, layers));
    let liquid = |row: usize| (0.8..3.0).contains(&middle(row));
    let ice = |row: usize| (7.0..11.0).contains(&middle(row));
    let part = |row: usize, weather: &Weather, there: bool, which: usize| {
        if there { weather.clouds[which] * (0.7 + 0.3 * Real::cos(middle(row))) } else { 0.0 }
    };
    let path = |there: bool, per_m: f64, row: usize| if there { per_m * thickness(row) } else { 0.0 };
    columns.cloud_fraction =
        table(layers, &|row, weather| part(row, weather, liquid(row), 0) + part(row, weather, ice(row), 1));
    columns.ice_path_g_per_m2 = table(layers, &|row, _| path(ice(row), 0.02, row));
    columns.liquid_path_g_per_m2 = table(layers, &|row, _| path(liquid(row), 0.1, row));
    columns.ice_size_um = table(layers, &|_, weather| 30.0 + 40.0 * weather.clouds[1]);
    columns.liquid_radius_um = table(layers, &|_, weather| 8.0 + 6.0 * weather.clouds[0]);
    columns.thickness_m = table(layers, &|row, _| thickness(row));
    columns.latitude_deg = table(1, &|_, weather| weather.latitude_deg);
}

/// Absorption that has the shape of a real one and no meaning: smooth in level, temperature and mixture, a thousandfold
/// from the first to the last g-point of a band.
///
/// ```
/// use isobar_longwave::{TableData, analytic};
/// assert_eq!(TableData::<f32>::new(&analytic::k_distribution()).points, 140);
/// ```
#[must_use]
pub fn k_distribution() -> KDistribution {
    let table = |number: usize, kind: TableKind| {
        let band = &BANDS[number];
        let (rows, points) = (kind.rows(band), band.points());
        let place = |point: usize| (point as f64 + 0.5) / points as f64;
        let weights = |point: usize| 1.0 + place(point);
        let total: f64 = (0..points).map(weights).sum();
        let size = match kind {
            TableKind::Fractions(_) => 1.0,
            TableKind::Key(_) => 3e-4,
            TableKind::Minor(..) => 1e-5,
            TableKind::CrossSection(_) => 1e3,
            TableKind::SelfContinuum => 1e-4,
            TableKind::ForeignContinuum => 1e-6,
        };
        let value = |row: usize, point: usize| {
            let slope = 1.0 + 0.3 * Real::sin(0.7 * row as f64 + number as f64);
            match kind {
                TableKind::Fractions(_) => weights(point) / total,
                _ => size * slope * Real::exp(7.0 * place(point) - 3.5) / (1.0 + number as f64 / 8.0),
            }
        };
        let values = (0..rows).flat_map(|row| (0..points).map(move |point| (row, point)));
        Table { kind, values: values.map(|(row, point)| value(row, point)).collect() }
    };
    let tables = BANDS.iter().enumerate().map(|(number, band)| {
        let kinds = TableKind::of(band).into_iter();
        kinds.map(|kind| table(number, kind)).collect()
    });
    KDistribution { bands: &BANDS, tables: tables.collect() }
}
