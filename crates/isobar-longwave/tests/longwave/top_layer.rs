//! A layer above the model's top.

use isobar_longwave::{Batch, Options, Outputs};

use crate::case::{Case, Set, reference, tables};

fn fluxes(case: &Case, with_top: bool) -> Outputs<f64> {
    let columns = if with_top { case.columns.with_top_layer().expect("it ends below") } else { case.columns.clone() };
    let options = Options { band_fluxes: true, derivative: true, ..case.options.clone() };
    let mut batch = Batch::new(tables::<f64>(), columns, options).expect("the columns are good");
    batch.compute();
    assert_eq!(batch.outputs().status, [0]);
    let outputs = batch.into_outputs();
    if with_top { outputs.without_top_layer() } else { outputs }
}

/// What radiates from above is little, comes from the layer alone, and is spent near the top.
#[test]
fn the_layer_radiates_downwards() {
    let Some(dir) = reference() else { return };
    for case in Set::new(&dir, "clear").cases().iter().step_by(8) {
        let (without, with) = (fluxes(case, false), fluxes(case, true));
        let layers = without.heating.len();
        assert_eq!(with.heating.len(), layers);
        assert_eq!((with.up.len(), with.band_up.len()), (layers + 1, 16 * (layers + 1)));
        assert_eq!(without.down[layers], 0.0);
        assert!((0.0..2.0).contains(&with.down[layers]), "{} {}", case.name, with.down[layers]);
        for level in 0..=layers {
            assert!(with.down[level] >= without.down[level] - 1e-12, "{} level {level}", case.name);
        }
        assert!((with.down[0] - without.down[0]).abs() < 0.1, "{}", case.name);
    }
}

#[test]
fn columns_that_reach_there_are_refused() {
    let Some(dir) = reference() else { return };
    let case = &Set::new(&dir, "clear").cases()[0];
    let mut columns = case.columns.clone();
    let top = columns.level_pressure.len() - 1;
    columns.level_pressure[top] = 0.0;
    let text = columns.with_top_layer().expect_err("it does").to_string();
    assert!(text.contains("is 0, which is not above 0.02 Pa"), "{text}");
    let mut columns = case.columns.clone();
    columns.dry_column = columns.pressure.clone();
    assert!(columns.with_top_layer().is_err());
}
