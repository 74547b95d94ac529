//! Absorption of clouds, stage by stage.

use isobar_radiation::rrtmg::Transmittance;
use isobar_radiation::rrtmg::bands::BANDS;

use crate::rrtmg::case::{Set, reference, relative, tables, views, worst};

/// What each g-point's sub-column absorbs is the reference's, for all of its flags.
#[test]
fn optical_depths_of_clouds_are_the_references() {
    let Some(dir) = reference() else { return };
    let tables = tables::<f64>();
    let set = Set::new(&dir, "cloudy");
    let band_of: Vec<usize> = (0..16).flat_map(|band| vec![band; BANDS[band].points()]).collect();
    let array = set.array("out_taucmc");
    let (mut flags, mut absorbing, mut largest) = (Vec::new(), 0, 0.0_f64);
    for mut case in set.cases() {
        case.options.rrtmg.transmittance = Transmittance::Table;
        let columns = &case.columns;
        let depths = views(columns).cloud_absorption(&tables, &case.options);
        let seen = |i: usize| {
            let (layer, point) = (i / 140, i % 140);
            let bit = columns.cloud_mask[layer * 5 + point / 32] >> (point % 32) & 1;
            f64::from(bit) * columns.cloud_share[i] * depths[layer * 16 + band_of[point]]
        };
        let expected = case.layers(&array);
        let got: Vec<f64> = (0..expected.len()).map(seen).collect();
        // There are clouds without water.
        absorbing += usize::from(expected.iter().any(|depth| *depth > 0.0));
        let (error, place) = worst(&got, &expected, relative);
        assert!(error < 1e-15, "{} layer {}, point {}: {error:e}", case.name, place / 140, place % 140);
        largest = largest.max(error);
        flags.push((case.options.rrtmg.ice.flag(), case.options.rrtmg.liquid.flag()));
    }
    println!("{largest:.1e}");
    flags.sort_unstable();
    flags.dedup();
    assert!(flags.len() >= 7 && absorbing >= 12, "{flags:?} {absorbing}");
}
