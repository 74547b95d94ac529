//! What is refused, and in which words.

use isobar_core::fields::Error;
use isobar_surface::{ColumnViews, Columns, Constants, Options, WaterRoughness, analytic, compute};

fn refused(columns: &Columns<f64>, options: &Options) -> String {
    let views = ColumnViews::try_from(columns);
    views.and_then(|views| compute(&views, options)).expect_err("this is not valid").to_string()
}

fn refusal(options: Options, change: impl FnOnce(&mut Columns<f64>)) -> String {
    let mut columns = analytic::columns(3);
    change(&mut columns);
    refused(&columns, &options)
}

/// What makes columns bad.
type Change = fn(&mut Columns<f64>);

#[test]
fn a_bad_value_is_named_with_its_place_and_range() {
    let cases: [(&str, Change); 14] = [
        ("land_or_water at column 1 is 1.5, which is not 1 or 2", |c| c.land_or_water[1] = 1.5),
        ("land_or_water at column 2 is 0, which is not 1 or 2", |c| c.land_or_water[2] = 0.0),
        ("lake at column 1 is 0.3, which is not 0 or 1", |c| c.lake[1] = 0.3),
        ("roughness_m at column 2 is -0.1, which is not in [1e-9, 100] m", |c| c.roughness_m[2] = -0.1),
        ("roughness_m at column 0 is 0, which is not in [1e-9, 100] m", |c| c.roughness_m[0] = 0.0),
        ("temperature_k at column 1 is 25.5, which is not in [100, 400] K", |c| c.temperature_k[1] = 25.5),
        ("surface_temperature_k at column 1 is inf, which is not in [100, 400] K", |c| {
            c.surface_temperature_k[1] = f64::INFINITY;
        }),
        ("u_m_per_s at column 1 is NaN, which is not in [-1000, 1000] m s-1", |c| c.u_m_per_s[1] = f64::NAN),
        ("vapour_kg_per_kg at column 0 is 8, which is not in [-0.001, 1] kg kg-1", |c| c.vapour_kg_per_kg[0] = 8.0),
        ("thickness_m at column 0 is 0, which is not in [0.1, 10000] m", |c| c.thickness_m[0] = 0.0),
        ("moisture_availability at column 2 is 1.1, which is not in [0, 1]", |c| c.moisture_availability[2] = 1.1),
        ("friction_velocity_m_per_s at column 2 is -0.1, which is not in [0, 100] m s-1", |c| {
            c.friction_velocity_m_per_s[2] = -0.1;
        }),
        ("temperature_scale_k at column 0 is NaN, which is not in [-10000, 10000] K", |c| {
            c.temperature_scale_k[0] = f64::NAN;
        }),
        ("grid_length_m has 2 values instead of 3 = 3 columns", |c| c.grid_length_m.truncate(2)),
    ];
    for (words, change) in cases {
        assert_eq!(refusal(Options::default(), change), words);
    }
}

#[test]
fn values_that_do_not_fit_each_other_are_named() {
    let message = refusal(Options::default(), |c| c.pressure_pa[1] = 2e5);
    assert!(message.starts_with("pressure_pa at column 1 is 200000, which is not below the "), "{message}");
    // Pressures in hPa over Pa are in range, but the other way round they are not.
    let message = refusal(Options::default(), |c| c.surface_pressure_pa.iter_mut().for_each(|p| *p /= 100.0));
    assert!(message.starts_with("pressure_pa at column 0 is "), "{message}");
    let message = refusal(Options::default(), |c| c.surface_temperature_k[2] = 380.0);
    let expected = "surface_temperature_k at column 2 is 380, which is not below that at which water boils at ";
    assert!(message.starts_with(expected), "{message}");
    let message = refusal(Options::default(), |c| c.temperature_k[0] = 399.0);
    assert!(message.starts_with("temperature_k at column 0 is 399, which is not below that at which"), "{message}");
}

#[test]
fn options_that_exclude_each_other_are_refused() {
    for water_roughness in [WaterRoughness::Constant, WaterRoughness::Garratt] {
        let both = Options { shallow_water: true, water_roughness, ..Options::default() };
        assert!(refusal(both, |_| {}).contains("water_roughness has to be coare with shallow_water"));
    }
    for form_drag_factor in [0.0, -1.0, f64::NAN, 1e6] {
        let options = Options { form_drag: true, form_drag_factor, ..Options::default() };
        let message = refusal(options, |_| {});
        assert_eq!(message, format!("form_drag_factor is {form_drag_factor}, which is not in (0, 1000]"));
        assert!(Options { form_drag: false, ..options }.check().is_ok());
    }
    let shallow = Options { shallow_water: true, ..Options::default() };
    assert_eq!(refusal(shallow, |c| c.water_depth_m.clear()), "water_depth_m has 0 values instead of 3 = 3 columns");
    let hills = Options { form_drag: true, ..Options::default() };
    let message = refusal(hills, |c| c.orography_deviation_m.clear());
    assert_eq!(message, "orography_deviation_m has 0 values instead of 3 = 3 columns");
}

/// WRF's code reads the depth over water alone: over land files and models have fill values, or heights.
#[test]
fn depths_are_those_of_water() {
    let shallow = Options { shallow_water: true, ..Options::default() };
    let mut columns = analytic::columns::<f64>(5);
    columns.land_or_water = vec![1.0, 2.0, 1.0, 2.0, 1.0];
    let run = |columns: &Columns<f64>, options| {
        compute(&ColumnViews::try_from(columns).expect("sizes fit"), options).expect("all fits")
    };
    let usual = run(&columns, &shallow);
    for (item, depth) in [(0, -9999.0), (2, 1e20), (4, -0.5)] {
        columns.water_depth_m[item] = depth;
    }
    assert_eq!(run(&columns, &shallow), usual);
    columns.water_depth_m[3] = -50.0;
    let message = refused(&columns, &shallow);
    assert_eq!(message, "water_depth_m at column 3 is -50, which is not in [0, 20000] m over water");
    columns.water_depth_m[2] = f64::NAN;
    columns.water_depth_m[3] = 50.0;
    assert_eq!(refused(&columns, &shallow), "water_depth_m at column 2 is NaN, which is not a finite number");
    // Without shallow water it is not read.
    run(&columns, &Options::default());
}

#[test]
fn constants_are_checked() {
    let with = |constants| refusal(Options { constants, ..Options::default() }, |_| {});
    let usual = Constants::wrf();
    assert_eq!(with(Constants { g: -9.81, ..usual }), "the constant g is -9.81, which is not in (0, inf)");
    assert_eq!(with(Constants { karman: f64::NAN, ..usual }), "the constant karman is NaN, which is not in (0, inf)");
    assert_eq!(with(Constants { rd: 2000.0, ..usual }), "the constant rd is 2000, which is not below cp, 1004.5");
    assert!(with(Constants { svp3: 200.0, ..usual }).starts_with("the constant svp3 is 200 K"));
}

#[test]
fn every_bad_column_is_found() {
    let mut columns = analytic::columns::<f64>(5);
    columns.temperature_k[1] = 1.0;
    columns.land_or_water[4] = 7.0;
    columns.pressure_pa[3] = 9e6;
    let views = ColumnViews::try_from(&columns).expect("sizes fit");
    let bad = views.check(&columns.extents(), &Options::default(), 0..5);
    assert_eq!(bad.iter().map(Error::item).collect::<Vec<_>>(), [Some(1), Some(3), Some(4)]);
    assert_eq!(refused(&Columns::default(), &Options::default()), "a batch needs at least one column");
}
