//! A column has the same bits alone or in any company and order; whatever goes in, results are finite, or say that
//! they are not.

use isobar_core::Real;
use isobar_core::fields::{AnyValues, OwnedInputs, OwnedOutputs};
use isobar_surface::{
    ColumnViews, Columns, Fluxes, LandRoughness, Options, Results, Root, WaterRoughness, analytic, compute,
    compute_by_lanes,
};
use proptest::prelude::*;

use crate::case::run;

/// The columns of these numbers.
fn gathered(columns: &Columns<f64>, which: &[usize]) -> Columns<f64> {
    let mut picked = columns.clone();
    picked.each_real(&mut |_, values| *values = which.iter().map(|&i| values[i]).collect());
    picked
}

/// All results of a column.
fn of_column<R: Real>(results: &Results<R>, column: usize) -> Vec<u64> {
    let mut bits = Vec::new();
    results.each(&mut |_, values| match values {
        AnyValues::Real(values) => bits.push(values[column].value().to_bits()),
        AnyValues::Word(values) => bits.push(values[column].into()),
    });
    bits
}

fn options() -> Vec<Options> {
    let usual = Options::default();
    vec![
        usual,
        Options { root: Root::Converged, ..usual },
        Options { water_roughness: WaterRoughness::Garratt, land_roughness: LandRoughness::ChenZhang, ..usual },
        Options {
            water_roughness: WaterRoughness::Constant,
            land_roughness: LandRoughness::Zilitinkevich,
            form_drag: true,
            ..usual
        },
        Options { shallow_water: true, form_drag: true, form_drag_factor: 2.0, fluxes: Fluxes::Given, ..usual },
        Options { fluxes: Fluxes::Zero, ..usual },
    ]
}

fn any_order<R: Real>(options: &Options) {
    let all = analytic::columns::<f64>(150);
    let expected = run::<R>(&all, options);
    let order: Vec<usize> = (0..77).map(|i| i * 61 % 150).collect();
    let mixed = run::<R>(&gathered(&all, &order), options);
    for (place, &column) in order.iter().enumerate() {
        assert_eq!(of_column(&mixed, place), of_column(&expected, column), "column {column}");
    }
    let alone = run::<R>(&gathered(&all, &order[5..6]), options);
    assert_eq!(of_column(&alone, 0), of_column(&expected, order[5]));
    // As 32 threads of a GPU compute an item, one lane each.
    let rounded = all.rounded::<R>();
    let views = ColumnViews::try_from(&rounded).expect("sizes fit");
    assert!(compute_by_lanes(&views, options).expect("they are valid") == expected);
}

#[test]
fn any_company_and_order() {
    for options in options() {
        any_order::<f64>(&options);
        any_order::<f32>(&options);
    }
}

/// A column somewhere in the accepted ranges, near their ends as well.
fn wild() -> impl Strategy<Value = [f64; 21]> {
    let anywhere = |low: f64, high: f64| prop_oneof![4 => low..high, 1 => Just(low), 1 => Just(high)];
    let by_magnitude = |low: f64, high: f64| {
        let (low, high) = (Real::ln(low), Real::ln(high));
        (low..high).prop_map(Real::exp)
    };
    let winds = [anywhere(-200.0, 200.0).boxed(), prop_oneof![Just(0.0), -1e-3..1e-3].boxed()];
    let [wind, calm] = winds;
    (
        (prop_oneof![wind, calm], anywhere(-50.0, 50.0), anywhere(150.0, 350.0), anywhere(-1e-3, 0.3)),
        (by_magnitude(0.1, 1e4), by_magnitude(5e4, 1.2e5), anywhere(0.0, 1e5), anywhere(0.0, 1.0), any::<bool>()),
        (anywhere(150.0, 350.0), by_magnitude(1.0, 1e7), any::<bool>(), anywhere(0.0, 2e4), anywhere(0.0, 1e4)),
        (by_magnitude(1e-9, 100.0), anywhere(0.0, 100.0), anywhere(-1e4, 1e4), anywhere(-1e6, 1e6)),
        (anywhere(-1.0, 1.0), anywhere(-1e-3, 1.0), by_magnitude(1e-9, 1e-2)),
    )
        .prop_map(
            |((u, v, t, q), (dz, p, h, m, w), (ts, dx, lake, d, dev), (z0, us, mol, hfx), (qfx, qs, less))| {
                let flag = |set: bool| if set { 1.0 } else { 0.0 };
                [
                    u,
                    v,
                    t,
                    q,
                    p * (1.0 - less),
                    dz,
                    p,
                    h,
                    m,
                    1.0 + flag(w),
                    ts,
                    dx,
                    flag(lake),
                    d,
                    dev,
                    z0,
                    us,
                    mol,
                    hfx,
                    qfx,
                    qs,
                ]
            },
        )
}

fn of_rows(rows: &[[f64; 21]]) -> Columns<f64> {
    let mut columns = Columns::default();
    for row in rows {
        let mut row = row.iter();
        columns.each_real(&mut |declared, values| {
            if declared.name != "friction_velocity_of_wind_m_per_s" {
                values.push(*row.next().expect("a number a field"));
            }
        });
    }
    columns
}

fn finite_or_said<R: Real>(columns: &Columns<f64>, options: &Options) {
    let columns = columns.rounded::<R>();
    let views = ColumnViews::try_from(&columns).expect("sizes fit");
    // What is not accepted is said by an error.
    let Ok(results) = compute(&views, options) else { return };
    results.each(&mut |declared, values| {
        if let AnyValues::Real(values) = values {
            for (value, &status) in values.iter().zip(&results.status) {
                assert!(value.is_finite() || status != 0, "{} is {value}", declared.name);
            }
        }
    });
    for (i, &status) in results.status.iter().enumerate() {
        let positive = [results.profile_momentum[i], results.wind_speed_m_per_s[i], results.roughness_m[i]];
        assert!(status != 0 || positive.iter().all(|&value| value > R::ZERO), "{positive:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn wild_columns_are_finite_or_say_so(row in wild(), which in 0..6_usize) {
        let columns = of_rows(&[row]);
        finite_or_said::<f64>(&columns, &options()[which]);
        finite_or_said::<f32>(&columns, &options()[which]);
    }
}

/// Most wild columns are computed: what the test above accepts is not all of it refused.
#[test]
fn wild_columns_are_mostly_computed() {
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let rows: Vec<_> = (0..400)
        .map(|_| {
            use proptest::strategy::ValueTree as _;
            wild().new_tree(&mut runner).expect("a column").current()
        })
        .collect();
    let computed = rows.iter().filter(|row| {
        let columns = of_rows(&[**row]);
        let views = ColumnViews::try_from(&columns).expect("sizes fit");
        compute(&views, &Options::default()).is_ok_and(|results| results.status[0] == 0)
    });
    assert!(computed.count() > 200);
}
