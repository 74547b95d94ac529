//! Columns whose clouds are drawn alike: random numbers begin with the state of a column.

use std::collections::BTreeSet;

use isobar_io::RadiationInput;
use isobar_radiation::{CloudSolver, Columns};

use super::Work;

/// RRTMG_LW's random numbers begin with the pressures of this number of layers.
const LAYERS_OF_RRTMG: usize = 4;

/// What there is to say of partly cloudy columns that see the sub-columns of others, by RRTMG_LW's random numbers
/// or by those of the others.
pub(super) fn in_words(work: &Work<'_>, input: &RadiationInput, has_rrtmg: bool, has_others: bool) -> Vec<String> {
    let columns = &input.columns;
    if work.scheme.cloud_solver != CloudSolver::McIca || columns.cloud_fraction.is_empty() {
        return Vec::new();
    }
    let drawn = partly_cloudy(input);
    let mut said = Vec::new();
    if drawn.is_empty() {
        return said;
    }
    if has_others && work.job.choices.samples.is_none() && any_twice(&drawn, |column| lowest(columns, column)) {
        said.push(
            "some partly cloudy columns have the lowest pressure and temperature of others, and so see the same \
             random sub-columns of clouds: a variable subcolumn_seed in the file gives each its own"
                .to_owned(),
        );
    }
    if has_rrtmg && (work.job.choices.samples.is_some() || any_twice(&drawn, |column| pressures(columns, column))) {
        let which = if work.job.choices.samples.is_some() { "samples of one column" } else { "columns" };
        said.push(format!(
            "{which} whose {LAYERS_OF_RRTMG} lowest pressures are the same see the same random sub-columns of clouds \
             in RRTMG_LW's long wave, which begin with these alone, as in RRTMG_LW"
        ));
    }
    said
}

/// The columns with a layer that is cloudy in part, but for those that are left out.
fn partly_cloudy(input: &RadiationInput) -> Vec<usize> {
    let (fractions, count) = (&input.columns.cloud_fraction, input.columns.columns());
    let is_out: BTreeSet<usize> = input.left_out().map(|(column, _)| column).collect();
    let is_partly =
        |column: &usize| fractions[*column..].iter().step_by(count).any(|&fraction| fraction > 0.0 && fraction < 1.0);
    (0..count).filter(|column| !is_out.contains(column)).filter(is_partly).collect()
}

fn any_twice<K: Ord>(columns: &[usize], key: impl Fn(usize) -> K) -> bool {
    let mut seen = BTreeSet::new();
    columns.iter().any(|&column| !seen.insert(key(column)))
}

/// What random numbers begin with, in single precision whatever the radiation's.
fn lowest(columns: &Columns<f64>, column: usize) -> [u32; 3] {
    let bits = |values: &[f64]| (values[column] as f32).to_bits();
    let seed = columns.subcolumn_seed.get(column).copied().unwrap_or(0);
    [bits(&columns.level_pressure_pa), bits(&columns.temperature_k), seed]
}

fn pressures(columns: &Columns<f64>, column: usize) -> Vec<u64> {
    let layers = columns.pressure_pa[column..].iter().step_by(columns.columns());
    layers.take(LAYERS_OF_RRTMG).map(|pressure| pressure.to_bits()).collect()
}
