//! Cosines of directions close to the horizon.

use isobar_core::{Field, Real, fields};

/// The least cosine of a view, and of a Sun above the horizon: along less the path through an optical depth of 1000 is
/// more than the most doublings make. The cosine of 90 degrees, 6e-17 in f64, is above it.
const LEAST: f64 = 1e-17;

/// The first cosine of an item's views and suns that is above 0, but less than the least.
pub(super) fn bad_cosine<R: Real>(views: &Field<'_, R>, suns: &Field<'_, R>, item: usize) -> Option<fields::Error> {
    let first = |[variable, direction]: [&'static str; 2], cosines: &Field<'_, R>, night: &str| {
        (0..cosines.levels()).find_map(|row| {
            let value = cosines.at(row, item).value();
            let error = || fields::Error::Value {
                variable,
                item_name: "profile",
                item,
                place: vec![(direction, row)],
                value,
                accepted: format!("{LEAST:e} to 1{night}"),
                unit: "1",
            };
            (value > 0.0 && value < LEAST).then(error)
        })
    };
    let view = first(["viewing_cosine", "view"], views, "");
    view.or_else(|| first(["sun_cosine", "sun"], suns, ", nor 0 or less, where there is no light"))
}
