//! What must not change a column's bits, and limits that are known.

use isobar_core::Real;
use isobar_core::fields::OwnedInputs;
use isobar_radiation::rrtmg::{compute_layers_by_lanes, compute_spread, compute_stages};
use isobar_radiation::{Angles, Columns, Device, Fluxes, Options, Precision, Radiation, analytic};

use crate::rrtmg::case::{Set, fluxes, k_distribution, reference, spectra, views};

/// A column's neighbours in one batch: all have 51 layers.
fn side_by_side(columns: &[Columns<f64>]) -> Columns<f64> {
    let mut columns = columns.to_vec();
    let mut fields: Vec<Vec<Vec<f64>>> = Vec::new();
    for column in &mut columns {
        let mut number = 0;
        column.each_real(&mut |_, values| {
            fields.resize(fields.len().max(number + 1), Vec::new());
            fields[number].push(values.clone());
            number += 1;
        });
    }
    let (mut all, mut fields) = (Columns::default(), fields.into_iter());
    all.each_real(&mut |_, values| {
        let of_columns = fields.next().expect("as many as a column has");
        *values = (0..of_columns[0].len()).flat_map(|i| of_columns.iter().map(move |values| values[i])).collect();
    });
    all
}

fn run<R: Precision>(columns: &Columns<f64>) -> Fluxes<R> {
    fluxes(&columns.rounded(), &Options::of_rrtmg())
}

fn bits<R: Precision>() {
    let Some(dir) = reference() else { return };
    let cases = Set::new(&dir, "std_atm").cases();
    let (first, second) = (&cases[0].columns, &cases[5].columns);
    let alone = [run::<R>(first), run::<R>(second)];
    // More than a warp of columns, and its last one not whole.
    let order: Vec<usize> = (0..37).map(|i| usize::from(i % 3 == 1)).collect();
    let many: Vec<Columns<f64>> = order.iter().map(|&which| [first, second][which].clone()).collect();
    let together = run::<R>(&side_by_side(&many));
    for (column, &which) in order.iter().enumerate() {
        let one = &alone[which];
        for (all, one) in [
            (&together.longwave_up_w_per_m2, &one.longwave_up_w_per_m2),
            (&together.longwave_down_w_per_m2, &one.longwave_down_w_per_m2),
            (&together.longwave_heating_k_per_day, &one.longwave_heating_k_per_day),
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
    case.columns.temperature_k.fill(temperature);
    case.columns.level_temperature_k.fill(temperature);
    case.columns.surface_temperature_k.fill(temperature);
    case.columns.emissivity.fill(1.0);
    let out = run::<f64>(&case.columns);
    let surface = out.longwave_up_w_per_m2[0];
    assert!((surface / (5.670_374_419e-8 * Real::powi(temperature, 4)) - 1.0).abs() < 5e-3);
    // Fractions of the lower and the upper region sum to one within 2e-5, and in a few bands nothing shines aloft.
    for (level, up) in out.longwave_up_w_per_m2.iter().enumerate() {
        assert!((up / surface - 1.0).abs() < 5e-3, "level {level}: {up} of {surface}");
        assert!(out.longwave_down_w_per_m2[level] <= surface * 1.0001);
    }
}

#[test]
fn one_layer_is_a_column() {
    let Some(_) = reference() else { return };
    let columns = Columns::<f64> {
        pressure_pa: vec![9e4],
        level_pressure_pa: vec![1e5, 8e4],
        temperature_k: vec![285.0],
        level_temperature_k: vec![288.0, 281.0],
        h2o: vec![0.01],
        co2: vec![4e-4],
        o3: vec![3e-8],
        n2o: vec![3.2e-7],
        ch4: vec![1.8e-6],
        o2: vec![0.209],
        surface_temperature_k: vec![290.0],
        emissivity: vec![0.98],
        ..Columns::default()
    };
    let out = run::<f64>(&columns);
    let (up, down) = (&out.longwave_up_w_per_m2, &out.longwave_down_w_per_m2);
    assert_eq!(down[1], 0.0);
    assert!(down[0] > 200.0 && up[1] < up[0] && out.longwave_heating_k_per_day[0] < 0.0);
}

#[test]
fn more_angles_converge() {
    let Some(dir) = reference() else { return };
    let case = &Set::new(&dir, "std_atm").cases()[0];
    let runs = [Angles::Own, Angles::Gauss(2), Angles::Gauss(3), Angles::Gauss(4)]
        .map(|angles| fluxes(&case.columns, &Options { angles, ..Options::of_rrtmg() }));
    let top = runs[0].longwave_up_w_per_m2.len() - 1;
    let differences = [0, 1, 2].map(|i| {
        let (a, b) = (&runs[i], &runs[3]);
        (a.longwave_up_w_per_m2[top] - b.longwave_up_w_per_m2[top])
            .abs()
            .max((a.longwave_down_w_per_m2[0] - b.longwave_down_w_per_m2[0]).abs())
    });
    // The mean slant was fitted to 1 W/m^2 or so; quadratures gain a digit a slant.
    assert!(differences[0] < 2.0 && differences[1] < 0.5 && differences[2] < 0.1, "{differences:?}");
    let refused = Options { angles: Angles::Gauss(1), ..Options::of_rrtmg() };
    let model = Radiation::<f64>::new().with_rrtmg(k_distribution()).unwrap().on(&[Device::Thread]);
    assert!(model.run(&case.columns, &refused).is_err());
}

/// By the kernels that a GPU takes, with the lanes of a CPU: the same bits.
fn spread<R: Precision>() {
    let spectra = spectra::<R>();
    for (layers, cloudy) in [(1, false), (13, true), (60, false), (77, true)] {
        for (derivative, angles) in [(false, Angles::Own), (true, Angles::Gauss(2))] {
            let options = Options { derivative, angles, ..Options::of_rrtmg() };
            let columns = analytic::columns::<R>(3, layers, cloudy);
            let here = fluxes(&columns, &options);
            let there = compute_spread(&spectra, &views(&columns), &options).expect("valid columns");
            assert!(here == there, "{layers} layers, {options:?}");
            assert_eq!((here.status[2], here.longwave_up_derivative_w_per_m2_k.is_empty()), (0, !derivative));
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
    let spectra = spectra::<R>();
    let columns = analytic::columns::<R>(37, 45, false);
    let options = Options::of_rrtmg();
    let (here, _) = compute_stages(&spectra, &views(&columns), &options).expect("valid columns");
    let there = compute_layers_by_lanes(&spectra, &views(&columns), &options).expect("valid columns");
    let (here, there) = (here.states(), there.states());
    for column in 0..columns.columns() {
        for row in 0..here.values.levels() {
            let [here, there] = [here, there].map(|states| states.values.at(row, column).value().to_bits());
            assert_eq!(here, there, "row {row}, column {column}");
        }
        for layer in 0..here.indices.levels() {
            assert_eq!(here.indices.at(layer, column), there.indices.at(layer, column));
        }
    }
}

#[test]
fn lanes_with_layers_leave_the_states_of_lanes_with_columns() {
    if reference().is_some() {
        lanes_of_layers::<f64>();
        lanes_of_layers::<f32>();
    }
}
