//! Pressures, temperatures of the air and of the ground, water vapour and sizes of particles outside of the tables.

use isobar_optics::GasOptics;
use isobar_radiation::rrtmg::TableRange;
use isobar_radiation::{ColumnViews, Columns, ITEM};

use super::{Outside, RadiationRequest};

use super::particles::{self, SIZES};
use crate::columns_file::Outliers;

/// Finds them, and brings them to the end of the tables if they are to be clamped.
///
/// Levels limit layers and are not looked up, but RRTMGP has tables for their pressures, too. Of those it is the
/// outermost alone that is clamped, as RTE's own examples do with a model's top; a layer of which both levels lie
/// outside stays there, for clamped it would weigh nothing.
pub(super) fn find(request: &RadiationRequest, columns: &mut Columns<f64>) -> Outliers {
    let (spectra, clamp) = (request.spectra, request.outside == Outside::Clamp);
    let mut outliers = Outliers::new(ColumnViews::<f64>::DECLARED, ITEM);
    if spectra.is_rrtmg() {
        find_of_rrtmg(columns, &mut outliers, clamp);
    }
    if request.is_rrtmg_alone() {
        return outliers;
    }
    let common = |range: &dyn Fn(&GasOptics) -> Option<[f64; 2]>| {
        let ranges = spectra.gas_optics().filter_map(range);
        ranges.fold([0.0, f64::INFINITY], |[low, high], [other_low, other_high]| {
            [low.max(other_low), high.min(other_high)]
        })
    };
    let pressures = common(&|optics| Some(optics.table_pressures_pa()));
    let of_levels = common(&|optics| (!optics.is_ecckd()).then_some(optics.pressure_range_pa));
    let of_emission = common(&|optics| optics.is_longwave().then(|| optics.table_level_temperatures_k()));
    let of_ground = common(&|optics| optics.planck_range_k);
    let with_levels = spectra.gas_optics().any(GasOptics::is_longwave);
    // ecCKD's tables have temperatures around a mean of each pressure.
    let has_means = spectra.gas_optics().any(GasOptics::is_ecckd);
    let accepted = |[low, high]: [f64; 2], unit: &str| format!("in [{low}, {high}] {unit}, for which the tables are");
    // Means between nodes have as many digits as are read.
    let short = |value: f64| (1e3 * value).round() / 1e3;
    let count = columns.level_pressure_pa.len() - columns.pressure_pa.len();

    let levels = columns.level_pressure_pa.clone();
    let inside = |pressure: f64| (pressures[0]..=pressures[1]).contains(&pressure);
    // One of the levels around lies inside.
    let reaches_in = |i: usize| inside(levels[i]) || inside(levels[i + count]);
    let last = levels.len() - count;
    let outermost =
        |i: usize| (i < count && inside(levels[i + count])) || (i >= last && inside(levels[i.saturating_sub(count)]));
    let mut find =
        |name: &'static str, values: &mut [f64], range: &dyn Fn(usize) -> Found, may: &dyn Fn(usize) -> bool| {
            for (i, value) in values.iter_mut().enumerate() {
                let Found([low, high], what) = range(i);
                if *value < low || *value > high {
                    let said = if what.is_empty() { [low, high] } else { [low, high].map(short) };
                    outliers.add(name, (i, count), *value, |unit| accepted(said, unit) + what);
                    if clamp && may(i) {
                        *value = value.clamp(low, high);
                    }
                }
            }
        };
    let everywhere = |range: [f64; 2]| move |_: usize| Found(range, "");
    find("level_pressure_pa", &mut columns.level_pressure_pa, &everywhere(of_levels), &outermost);
    find("pressure_pa", &mut columns.pressure_pa, &everywhere(pressures), &reaches_in);
    let at_pressure = |i: usize| {
        let range = common(&|optics| Some(optics.table_temperatures_k(columns.pressure_pa[i])));
        Found(range, if has_means { " at its pressure" } else { "" })
    };
    find("temperature_k", &mut columns.temperature_k, &at_pressure, &|_| true);
    if with_levels {
        find("level_temperature_k", &mut columns.level_temperature_k, &everywhere(of_emission), &|_| true);
        find("surface_temperature_k", &mut columns.surface_temperature_k, &everywhere(of_ground), &|_| true);
    }
    find_water(request, columns, &mut outliers);
    particles::find(request, columns, &particles::ALL, |particles| {
        let (name, place) = (SIZES[particles.species], (particles.index, count));
        outliers.add(name, place, particles.value, |unit| accepted(particles.range, unit));
        clamp
    });
    outliers
}

/// A range, and what else there is to say of it.
struct Found([f64; 2], &'static str);

/// Water vapour of which ecCKD's tables have no coefficient: that of their end is taken, for all of the water, so that
/// there is nothing to be brought in.
fn find_water(request: &RadiationRequest, columns: &Columns<f64>, outliers: &mut Outliers) {
    let most = request.spectra.gas_optics().map(GasOptics::most_water).fold(f64::INFINITY, f64::min);
    let count = if columns.h2o.len() == 1 { 1 } else { columns.level_pressure_pa.len() - columns.pressure_pa.len() };
    for (i, &value) in columns.h2o.iter().enumerate().filter(|(_, value)| **value > most) {
        outliers.add("h2o", (i, count), value, |unit| format!("in [0, {most:.4}] {unit}, for which the tables are"));
    }
}

/// Those beyond RRTMG_LW's tables, where it extrapolates: temperatures of layers have a range that depends on the
/// pressure.
fn find_of_rrtmg(columns: &mut Columns<f64>, outliers: &mut Outliers, clamp: bool) {
    let (count, range) = (columns.columns(), TableRange::get());
    let mut find = |variable: &'static str, index: usize, value: &mut f64, [low, high]: [f64; 2], tables: &str| {
        // NaN is the business of the check of values.
        if *value < low || *value > high {
            let accepted = |unit: &str| format!("in [{low:.2}, {high:.2}] {unit}, where the {tables} tables are");
            outliers.add(variable, (index, count), *value, accepted);
            if clamp {
                *value = value.clamp(low, high);
            }
        }
    };
    let [lowest, highest] = range.pressure_pa();
    for (i, pressure) in columns.pressure_pa.iter_mut().enumerate() {
        find("pressure_pa", i, pressure, [lowest, highest], "absorption");
        let there = range.temperature_k(pressure.clamp(lowest, highest));
        find("temperature_k", i, &mut columns.temperature_k[i], there, "absorption");
    }
    for (i, value) in columns.level_temperature_k.iter_mut().enumerate() {
        find("level_temperature_k", i, value, range.emitting_k(), "Planck");
    }
    for (i, value) in columns.surface_temperature_k.iter_mut().enumerate() {
        find("surface_temperature_k", i, value, range.emitting_k(), "Planck");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn columns() -> Columns<f64> {
        Columns {
            pressure_pa: vec![9e4, 9e4, 5e4, 5e4],
            level_pressure_pa: vec![1e5, 1e5, 8e4, 8e4, 2e4, 2e4],
            temperature_k: vec![285.0, 285.0, 255.0, 255.0],
            level_temperature_k: vec![290.0, 290.0, 270.0, 270.0, 230.0, 230.0],
            surface_temperature_k: vec![290.0, 290.0],
            emissivity: vec![1.0],
            ..Columns::default()
        }
    }

    fn find(columns: &mut Columns<f64>, clamp: bool) -> Outliers {
        let mut outliers = Outliers::new(ColumnViews::<f64>::DECLARED, ITEM);
        find_of_rrtmg(columns, &mut outliers, clamp);
        outliers
    }

    #[test]
    fn what_lies_outside_of_rrtmg_is_counted_and_clamped() {
        assert_eq!(find(&mut columns(), true).count, 0);
        let mut outside = columns();
        (outside.temperature_k[1], outside.pressure_pa[2], outside.surface_temperature_k[0]) = (200.0, 0.5, 360.0);
        let mut clamped = outside.clone();
        let seen = find(&mut outside, false);
        // At the clamped pressure 255 K are too many.
        assert_eq!(seen.count, 4);
        let text = seen.first.map(|first| first.to_string()).unwrap_or_default();
        assert!(text.starts_with("temperature_k at column 1, layer 0 is 200, which is not in [264.2"), "{text}");
        assert_eq!(find(&mut clamped, true).count, 4);
        assert_eq!((clamped.temperature_k[1], clamped.surface_temperature_k[0]), (294.2 - 30.0, 340.0));
        assert_eq!(find(&mut clamped, true).count, 0);
        assert_eq!(outside.surface_temperature_k[0], 360.0);
    }
}
