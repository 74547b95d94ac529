//! A layer above the model's top.

use isobar_radiation::{Fluxes, Options};

use crate::rrtmg::case::{self, Case, Set, reference};

fn fluxes(case: &Case, with_top: bool) -> Fluxes<f64> {
    let higher = || case::spectra().with_top_layer(&case.columns).expect("it ends below");
    let columns = if with_top { higher() } else { case.columns.clone() };
    let options = Options { band_fluxes: true, derivative: true, ..case.options.clone() };
    let fluxes = case::fluxes(&columns, &options);
    assert_eq!(fluxes.status, [0]);
    if with_top { fluxes.without_top_layer() } else { fluxes }
}

/// What radiates from above is little, comes from the layer alone, and is spent near the top.
#[test]
fn the_layer_radiates_downwards() {
    let Some(dir) = reference() else { return };
    for case in Set::new(&dir, "clear").cases().iter().step_by(8) {
        let (without, with) = (fluxes(case, false), fluxes(case, true));
        let layers = without.longwave_heating_k_per_day.len();
        assert_eq!(with.longwave_heating_k_per_day.len(), layers);
        assert_eq!(
            (with.longwave_up_w_per_m2.len(), with.longwave_up_by_band_w_per_m2.len()),
            (layers + 1, 16 * (layers + 1))
        );
        assert_eq!(without.longwave_down_w_per_m2[layers], 0.0);
        assert!(
            (0.0..2.0).contains(&with.longwave_down_w_per_m2[layers]),
            "{} {}",
            case.name,
            with.longwave_down_w_per_m2[layers]
        );
        for level in 0..=layers {
            assert!(
                with.longwave_down_w_per_m2[level] >= without.longwave_down_w_per_m2[level] - 1e-12,
                "{} level {level}",
                case.name
            );
        }
        assert!((with.longwave_down_w_per_m2[0] - without.longwave_down_w_per_m2[0]).abs() < 0.1, "{}", case.name);
    }
}

#[test]
fn columns_that_reach_there_are_refused() {
    let Some(dir) = reference() else { return };
    let case = &Set::new(&dir, "clear").cases()[0];
    let mut columns = case.columns.clone();
    let top = columns.level_pressure_pa.len() - 1;
    columns.level_pressure_pa[top] = 0.0;
    let text = case::spectra().with_top_layer(&columns).expect_err("it does").to_string();
    assert!(text.contains("is 0, which is not above 0.02 Pa"), "{text}");
    let mut columns = case.columns.clone();
    columns.dry_column_per_cm2 = columns.pressure_pa.clone();
    assert!(case::spectra().with_top_layer(&columns).is_err());
}
