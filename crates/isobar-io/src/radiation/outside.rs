//! Pressures, temperatures of the air and of the ground, and sizes of particles outside of the tables.

use isobar_core::fields;
use isobar_optics::GasOptics;
use isobar_radiation::{Columns, ITEM, Spectra};

use super::particles::{self, SIZES};

/// How many there are, and the first.
pub(super) struct Outliers {
    pub(super) count: usize,
    pub(super) first: Option<fields::Error>,
}

/// Finds them, and brings them to the end of the tables if they are to be clamped.
///
/// Levels limit layers and are not looked up, but RRTMGP has tables for their pressures, too. Of those it is the
/// outermost alone that is clamped, as RTE's own examples do with a model's top; a layer of which both levels lie
/// outside stays there, for clamped it would weigh nothing.
pub(super) fn find(spectra: &Spectra<f64>, columns: &mut Columns<f64>, clamp: bool) -> Outliers {
    let common = |range: &dyn Fn(&GasOptics) -> Option<[f64; 2]>| {
        let ranges = spectra.gas_optics().filter_map(range);
        ranges.fold([0.0, f64::INFINITY], |[low, high], [other_low, other_high]| {
            [low.max(other_low), high.min(other_high)]
        })
    };
    let pressures = common(&|optics| Some(optics.pressure_range_pa));
    let temperatures = common(&|optics| Some(optics.temperature_range_k));
    let of_levels = common(&|optics| (!optics.is_ecckd()).then_some(optics.pressure_range_pa));
    let of_ground = common(&|optics| optics.planck_range_k);
    let with_levels = spectra.gas_optics().any(GasOptics::is_longwave);
    let mut outliers = Outliers { count: 0, first: None };
    let count = columns.level_pressure_pa.len() - columns.pressure_pa.len();

    let levels = columns.level_pressure_pa.clone();
    let inside = |pressure: f64| (pressures[0]..=pressures[1]).contains(&pressure);
    // One of the levels around lies inside.
    let reaches_in = |i: usize| inside(levels[i]) || inside(levels[i + count]);
    let last = levels.len() - count;
    let outermost =
        |i: usize| (i < count && inside(levels[i + count])) || (i >= last && inside(levels[i.saturating_sub(count)]));
    let mut find = |name: &'static str, values: &mut [f64], range: [f64; 2], may: &dyn Fn(usize) -> bool| {
        outliers.of(name, count, values, range, &|i| clamp && may(i));
    };
    find("level_pressure_pa", &mut columns.level_pressure_pa, of_levels, &outermost);
    find("pressure_pa", &mut columns.pressure_pa, pressures, &reaches_in);
    find("temperature_k", &mut columns.temperature_k, temperatures, &|_| true);
    if with_levels {
        find("level_temperature_k", &mut columns.level_temperature_k, temperatures, &|_| true);
        find("surface_temperature_k", &mut columns.surface_temperature_k, of_ground, &|_| true);
    }
    particles::find(spectra, columns, &particles::ALL, |particles| {
        outliers.add(SIZES[particles.species], (particles.index, count), particles.value, particles.range);
        clamp
    });
    outliers
}

impl Outliers {
    fn of(
        &mut self,
        variable: &'static str,
        count: usize,
        values: &mut [f64],
        [low, high]: [f64; 2],
        clamped: &dyn Fn(usize) -> bool,
    ) {
        for (i, value) in values.iter_mut().enumerate().filter(|(_, value)| **value < low || **value > high) {
            self.add(variable, (i, count), *value, [low, high]);
            if clamped(i) {
                *value = value.clamp(low, high);
            }
        }
    }

    /// One more, at an index of so many columns.
    fn add(&mut self, variable: &'static str, (index, count): (usize, usize), value: f64, [low, high]: [f64; 2]) {
        let (dimension, unit) = match variable {
            "level_pressure_pa" => (Some("level"), "Pa"),
            "pressure_pa" => (Some("layer"), "Pa"),
            "level_temperature_k" => (Some("level"), "K"),
            "temperature_k" => (Some("layer"), "K"),
            "surface_temperature_k" => (None, "K"),
            _ => (Some("layer"), "um"),
        };
        self.count += 1;
        self.first.get_or_insert_with(|| fields::Error::Value {
            variable,
            item_name: ITEM,
            item: index % count,
            place: dimension.map(|dimension| (dimension, index / count)).into_iter().collect(),
            value,
            accepted: format!("in [{low}, {high}] {unit}, for which the tables are"),
            unit: "1",
        });
    }
}
