//! Shin-Hong and towns: each column has the same bits lane by lane and alone, and budgets close.

use isobar_core::Real;
use isobar_core::fields::OwnedInputs;
use isobar_ysu::{Chosen, ColumnViews, Columns, Options, ShinHongOptions, analytic, compute, compute_by_lanes};

use crate::case::computed;
use crate::tolerances::BUDGET;

const COLUMNS: usize = 77;

fn columns<R: Real>(layers: usize) -> Columns<R> {
    let mut columns = analytic::columns(COLUMNS, layers, 1);
    analytic::build_town(&mut columns);
    columns
}

fn town() -> Options {
    Options { urban: true, topographic: true, top_down: true, ..Options::new(60.0) }
}

fn shin_hong(which: usize) -> ShinHongOptions {
    let on = |bit: usize| which & bit != 0;
    ShinHongOptions {
        nonlocal_flux: on(1),
        cloud_mixing: on(2),
        dissipative_heating: on(4),
        topographic: on(8),
        ..ShinHongOptions::new(60.0)
    }
}

/// As 32 threads of a GPU compute an item, one lane each, and a column alone.
fn same_bits<R: Real>(layers: usize, options: impl Chosen) {
    let columns = columns::<R>(layers);
    let views = ColumnViews::try_from(&columns).expect("sizes fit");
    let all = compute(&views, &options).expect("the columns are valid");
    assert!(all.status.iter().all(|&status| status == 0));
    assert_eq!(compute_by_lanes(&views, &options).expect("the columns are valid"), all);
    for column in [0, 13, COLUMNS - 1] {
        let alone = computed(&columns.items(COLUMNS, column..column + 1), options);
        for (got, expected) in [
            (&alone.theta_tendency_k_per_s, &all.theta_tendency_k_per_s),
            (&alone.vapour_tendency_kg_per_kg_s, &all.vapour_tendency_kg_per_kg_s),
            (&alone.v_tendency_m_per_s2, &all.v_tendency_m_per_s2),
            (&alone.turbulent_energy_m2_per_s2, &all.turbulent_energy_m2_per_s2),
            (&alone.mixing_length_m, &all.mixing_length_m),
        ] {
            let column: Vec<R> = expected.iter().skip(column).step_by(COLUMNS).copied().collect();
            assert_eq!(*got, column);
        }
    }
}

#[test]
fn one_lane_at_a_time_and_alone() {
    for layers in [4, 5, 20, 35, 60] {
        same_bits::<f32>(layers, town());
        same_bits::<f64>(layers, town());
        for which in [0, 1, 7, 15] {
            same_bits::<f32>(layers, shin_hong(which));
            same_bits::<f64>(layers, shin_hong(which));
        }
    }
}

/// What the ground gives is in the air, whatever share of transport the grid resolves.
#[test]
fn shin_hong_keeps_heat_and_water() {
    let columns = columns::<f64>(40);
    for which in [0, 1, 2, 3] {
        let out = computed(&columns, shin_hong(which));
        for i in 0..COLUMNS {
            let heat = columns.sensible_heat_flux_w_per_m2[i];
            let scale = heat.abs() + 100.0;
            assert!(
                (out.heat_w_per_m2[i] - heat).abs() <= 100.0 * BUDGET * scale,
                "{i}: {}",
                out.heat_w_per_m2[i] - heat
            );
            let water = 2.5e6 * columns.moisture_flux_kg_per_m2_s[i];
            let scale = water + 100.0;
            assert!((out.latent_heat_w_per_m2[i] - water).abs() <= 100.0 * BUDGET * scale, "{i}");
        }
    }
}

/// Dissipation warms: the heating that it adds is positive, and not in the column's heating by mixing.
#[test]
fn dissipation_warms() {
    let columns = columns::<f64>(40);
    let without = computed(&columns, shin_hong(1));
    let with = computed(&columns, shin_hong(5));
    let pairs = with.theta_tendency_k_per_s.iter().zip(&without.theta_tendency_k_per_s);
    let differences: Vec<f64> = pairs.map(|(with, without)| with - without).collect();
    assert!(differences.iter().all(|&x| x >= -1e-18) && differences.iter().any(|&x| x > 1e-6));
    assert_eq!(with.heat_w_per_m2, without.heat_w_per_m2);
    assert_eq!(with.u_tendency_m_per_s2, without.u_tendency_m_per_s2);
}

/// A town of open air that takes and gives nothing is none, but for the ground's fluxes, which its own replace.
#[test]
fn an_empty_town_is_no_town() {
    let mut columns = columns::<f64>(30);
    columns.each_real(&mut |declared, values| match declared.name {
        "urban_open_faces" | "urban_open_volume" => values.fill(1.0),
        name if name.starts_with("urban_") => values.fill(0.0),
        _ => {}
    });
    let urban = computed(&columns, Options { urban: true, ..Options::new(60.0) });
    let mut rural = columns.clone();
    // What the ground gives to the lowest layer, as a town's source.
    let air = isobar_ysu::Constants::WRF;
    for i in 0..COLUMNS {
        let mass = columns.interface_pressure_pa[i] - columns.interface_pressure_pa[i + COLUMNS];
        let per_mass = air.gravity_m_per_s2 / mass;
        rural.urban_theta_source_k_per_s[i] =
            columns.sensible_heat_flux_w_per_m2[i] / air.heat_capacity_j_per_kg_k * per_mass;
        rural.urban_vapour_source_per_s[i] = columns.moisture_flux_kg_per_m2_s[i] * per_mass;
    }
    let by_source = computed(&rural, Options { urban: true, ..Options::new(60.0) });
    let plain = computed(&columns, Options::new(60.0));
    assert_ne!(urban.theta_tendency_k_per_s, plain.theta_tendency_k_per_s);
    for (got, expected) in [
        (&by_source.theta_tendency_k_per_s, &plain.theta_tendency_k_per_s),
        (&by_source.vapour_tendency_kg_per_kg_s, &plain.vapour_tendency_kg_per_kg_s),
        (&by_source.u_tendency_m_per_s2, &plain.u_tendency_m_per_s2),
    ] {
        let largest = expected.iter().fold(0.0_f64, |a, x| a.max(x.abs()));
        let worst = got.iter().zip(expected).fold(0.0_f64, |a, (x, y)| a.max((x - y).abs()));
        assert!(worst <= 1e-13 * largest, "{worst:e} of {largest:e}");
    }
}
