//! What is refused, and in which words.

use isobar_ysu::{Batch, Columns, Options, Version};

use crate::case::made_up;

fn refusal(options: Options, change: impl FnOnce(&mut Columns<f64>)) -> String {
    let mut columns = made_up(12, &[(100.0, 5.0, 0.005), (-10.0, 3.0, 0.004), (0.0, 8.0, 0.006)]);
    change(&mut columns);
    Batch::new(columns, options).expect_err("this is not valid").to_string()
}

/// What makes columns bad.
type Change = fn(&mut Columns<f64>);

/// Layer 7 of column 1 of three.
const PLACE: usize = 7 * 3 + 1;

#[test]
fn a_bad_value_is_named_with_its_place_and_range() {
    let usual = Options::new(60.0);
    let cases: [(&str, Change); 8] = [
        ("thickness at column 1, level 7 is -1, which is not in [0.001, 1e5] m", |c| c.air.thickness[PLACE] = -1.0),
        ("temperature at column 1, level 7 is 25.5, which is not in [100, 400] K", |c| c.air.temperature[PLACE] = 25.5),
        ("u at column 1, level 7 is NaN, which is not in [-1000, 1000] m/s", |c| c.air.u[PLACE] = f64::NAN),
        ("vapour at column 1, level 7 is 8, which is not in [-0.001, 1] kg/kg", |c| c.air.vapour[PLACE] = 8.0),
        ("roughness at column 2 is -0.1, which is not a finite number of at least 0", |c| {
            c.surface.roughness[2] = -0.1
        }),
        ("friction_velocity at column 2 is 0, which is not in (0, 100] m/s", |c| {
            c.surface.friction_velocity[2] = 0.0;
        }),
        ("richardson at column 0 is NaN, which is not a finite number", |c| c.surface.richardson[0] = f64::NAN),
        ("pressure has 35 values instead of 36 = 12 layers x 3 columns", |c| {
            c.air.pressure.truncate(35);
        }),
    ];
    for (words, change) in cases {
        assert_eq!(refusal(usual, change), words);
    }
    let message = refusal(usual, |c| c.air.pressure[PLACE] = 99_000.0);
    assert!(message.starts_with("pressure at column 1, level 7 is 99000 Pa, which is not below the "), "{message}");
    let message = refusal(usual, |c| c.interface_pressure[PLACE] = 101_000.0);
    assert!(message.starts_with("interface_pressure at column 1, level 7 is 101000 Pa"), "{message}");
}

#[test]
fn options_are_checked() {
    for step in [0.0, -60.0, f64::NAN, f64::INFINITY] {
        assert!(refusal(Options::new(step), |_| {}).starts_with("the time step is "));
    }
    let old = Options { version: Version::Wrf361, top_down: true, ..Options::new(60.0) };
    assert_eq!(refusal(old, |_| {}), "WRF 3.6.1 has no top-down mixing");
    let top_down = Options { top_down: true, ..Options::new(60.0) };
    assert!(refusal(top_down, |c| c.air.radiative_heating.clear()).starts_with("radiative_heating has 0 values"));
    let orography = Options { topographic: true, ..Options::new(60.0) };
    assert!(refusal(orography, |c| c.surface.drag_factor.clear()).starts_with("drag_factor has 0 values"));
}

#[test]
fn a_column_needs_four_layers() {
    let columns = made_up(3, &[(100.0, 5.0, 0.005)]);
    let error = Batch::new(columns, Options::new(60.0)).expect_err("three layers");
    assert_eq!(error.to_string(), "3 layers are too few: at least 4");
    let error = Batch::new(Columns::<f64>::default(), Options::new(60.0)).expect_err("nothing");
    assert_eq!(error.to_string(), "a batch needs at least one column");
}

#[test]
fn columns_can_be_checked_one_by_one() {
    let mut columns = made_up(12, &[(100.0, 5.0, 0.005), (-10.0, 3.0, 0.004), (0.0, 8.0, 0.006)]);
    columns.air.temperature[PLACE] = 1.0;
    let options = Options::new(60.0);
    let good: Vec<bool> = (0..3).map(|i| columns.check_column(i, &options).is_ok()).collect();
    assert_eq!(good, [true, false, true]);
}
