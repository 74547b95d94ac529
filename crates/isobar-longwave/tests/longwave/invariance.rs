//! What must not change a column's bits, and limits that are known.

use isobar_core::kernel::WARP;
use isobar_core::{Kernel, Lanes, Real};
use isobar_longwave::{Batch, Columns, Options, Outputs, analytic};

use crate::case::{Set, reference, tables};

/// A column's neighbours in one batch: all have 51 layers.
fn side_by_side(columns: &[&Columns<f64>]) -> Columns<f64> {
    let interleaved = |field: &dyn Fn(&Columns<f64>) -> Vec<f64>| {
        let fields: Vec<Vec<f64>> = columns.iter().map(|columns| field(columns)).collect();
        (0..fields[0].len()).flat_map(|i| fields.iter().map(move |field| field[i]).collect::<Vec<_>>()).collect()
    };
    let mut all = Columns {
        pressure: interleaved(&|c| c.pressure.clone()),
        level_pressure: interleaved(&|c| c.level_pressure.clone()),
        temperature: interleaved(&|c| c.temperature.clone()),
        level_temperature: interleaved(&|c| c.level_temperature.clone()),
        dry_column: interleaved(&|c| c.dry_column.clone()),
        broadening_column: interleaved(&|c| c.broadening_column.clone()),
        surface_temperature: interleaved(&|c| c.surface_temperature.clone()),
        emissivity: interleaved(&|c| c.emissivity.clone()),
        ..Columns::default()
    };
    for gas in 0..7 {
        all.gases[gas] = interleaved(&|c| c.gases[gas].clone());
    }
    for gas in 0..4 {
        all.halocarbons[gas] = interleaved(&|c| c.halocarbons[gas].clone());
    }
    all
}

fn run<R: Real>(columns: Columns<f64>) -> Outputs<R> {
    let mut batch = Batch::new(tables::<R>(), columns.rounded(), Options::default()).expect("valid columns");
    batch.compute();
    batch.into_outputs()
}

fn bits<R: Real>() {
    let Some(dir) = reference() else { return };
    let cases = Set::new(&dir, "std_atm").cases();
    let (first, second) = (&cases[0].columns, &cases[5].columns);
    let alone = [run::<R>(first.clone()), run::<R>(second.clone())];
    // More than a warp of columns, and its last one not whole.
    let order: Vec<usize> = (0..37).map(|i| usize::from(i % 3 == 1)).collect();
    let many: Vec<&Columns<f64>> = order.iter().map(|&which| [first, second][which]).collect();
    let together = run::<R>(side_by_side(&many));
    for (column, &which) in order.iter().enumerate() {
        for (all, one) in [
            (&together.up, &alone[which].up),
            (&together.down, &alone[which].down),
            (&together.heating, &alone[which].heating),
        ] {
            for (level, value) in one.iter().enumerate() {
                assert_eq!(all[level * order.len() + column], *value, "column {column} level {level}");
            }
        }
    }
}

#[test]
fn a_column_has_the_same_bits_in_any_company() {
    bits::<f64>();
    bits::<f32>();
}

#[test]
fn an_isothermal_atmosphere_over_a_black_surface_of_its_temperature_radiates_like_it() {
    let Some(dir) = reference() else { return };
    let mut case = Set::new(&dir, "clear").cases().remove(10);
    let temperature = 280.0;
    case.columns.temperature.fill(temperature);
    case.columns.level_temperature.fill(temperature);
    case.columns.surface_temperature.fill(temperature);
    case.columns.emissivity.fill(1.0);
    let out = run::<f64>(case.columns);
    let surface = out.up[0];
    assert!((surface / (5.670_374_419e-8 * Real::powi(temperature, 4)) - 1.0).abs() < 5e-3);
    // Fractions of the lower and the upper region sum to one within 2e-5, and in a few bands nothing shines aloft.
    for (level, up) in out.up.iter().enumerate() {
        assert!((up / surface - 1.0).abs() < 5e-3, "level {level}: {up} of {surface}");
        assert!(out.down[level] <= surface * 1.0001);
    }
}

#[test]
fn one_layer_is_a_column() {
    let Some(_) = reference() else { return };
    let columns = Columns::<f64> {
        pressure: vec![9e4],
        level_pressure: vec![1e5, 8e4],
        temperature: vec![285.0],
        level_temperature: vec![288.0, 281.0],
        gases: [vec![0.01], vec![4e-4], vec![3e-8], vec![3.2e-7], vec![], vec![1.8e-6], vec![0.209]],
        surface_temperature: vec![290.0],
        emissivity: vec![0.98],
        ..Columns::default()
    };
    let out = run::<f64>(columns);
    assert_eq!(out.down[1], 0.0);
    assert!(out.down[0] > 200.0 && out.up[1] < out.up[0] && out.heating[0] < 0.0);
}

#[test]
fn more_slants_converge() {
    let Some(dir) = reference() else { return };
    let case = &Set::new(&dir, "std_atm").cases()[0];
    let with = |slants: usize| {
        let options = Options { slants, ..Options::default() };
        let mut batch = Batch::new(tables::<f64>(), case.columns.clone(), options).expect("valid columns");
        batch.compute();
        batch.into_outputs()
    };
    let runs = [1, 2, 3, 4].map(with);
    let top = runs[0].up.len() - 1;
    let differences = [0, 1, 2].map(|i| {
        let (a, b) = (&runs[i], &runs[3]);
        (a.up[top] - b.up[top]).abs().max((a.down[0] - b.down[0]).abs())
    });
    // The mean slant was fitted to 1 W/m^2 or so; quadratures gain a digit a slant.
    assert!(differences[0] < 2.0 && differences[1] < 0.5 && differences[2] < 0.1, "{differences:?}");
    let refused = Options { slants: 5, ..Options::default() };
    assert!(Batch::new(tables::<f64>(), case.columns.clone(), refused).is_err());
}

/// By the kernels that a GPU takes, with the lanes of a CPU: the same bits.
fn spread<R: Real>() {
    let tables = tables::<R>();
    for (layers, cloudy) in [(1, false), (13, true), (60, false), (77, true)] {
        for (derivative, slants) in [(false, 1), (true, 2)] {
            let options = Options { derivative, slants, ..Options::default() };
            let columns = analytic::columns::<R>(3, layers, cloudy);
            let mut here = Batch::new(tables.clone(), columns.clone(), options.clone()).expect("valid columns");
            let mut there = Batch::new(tables.clone(), columns, options).expect("valid columns").spread();
            here.compute();
            there.compute();
            assert_eq!(here.outputs().status, there.outputs().status);
            for (number, (here, there)) in
                here.into_outputs().fields_mut().into_iter().zip(there.into_outputs().fields_mut()).enumerate()
            {
                let bits = |values: &[R]| values.iter().map(|x| x.value().to_bits()).collect::<Vec<_>>();
                assert_eq!(bits(here), bits(there), "field {number} of {layers} layers");
            }
        }
    }
}

#[test]
fn kernels_with_small_items_give_the_same_bits() {
    if reference().is_some() {
        spread::<f64>();
        spread::<f32>();
    }
}

/// A GPU's lanes have layers where a CPU's have columns: the same states. Neither columns nor layers are whole warps.
fn lanes_of_layers<R: Real>() {
    let tables = tables::<R>();
    let columns = analytic::columns::<R>(37, 45, false);
    let batch = || Batch::new(tables.clone(), columns.clone(), Options::default()).expect("valid columns");
    let (mut here, mut there) = (batch(), batch());
    here.compute();
    let kernel = there.layers();
    for index in 0..kernel.items() {
        for lane in 0..WARP {
            // SAFETY: the views are the batch's, and lanes that have one layer each do not exchange anything.
            unsafe { kernel.item::<1>(index, Lanes::starting_at(lane)) };
        }
    }
    let bits = |values: &[R]| values.iter().map(|x| x.value().to_bits()).collect::<Vec<_>>();
    assert_eq!(bits(&here.states().values), bits(&there.states().values));
    assert_eq!(here.states().indices, there.states().indices);
}

#[test]
fn lanes_with_layers_leave_the_states_of_lanes_with_columns() {
    if reference().is_some() {
        lanes_of_layers::<f64>();
        lanes_of_layers::<f32>();
    }
}
