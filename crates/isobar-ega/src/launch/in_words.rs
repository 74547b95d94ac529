//! What is said of paths that leave the tables.

use crate::coverage::Outside;

/// For each gas whose tables some of `points` points of paths leave, where, in words.
pub(super) fn in_words(gases: &[String], outside: &[Outside], points: u64) -> Vec<String> {
    let line = |(gas, outside): (&String, &Outside)| {
        format!(
            "{gas}: {} of {points} path points ({:.2} %) lie outside the emissivity tables, the first at {:.4e} hPa \
             and {:.2} K",
            outside.points,
            100.0 * f64::from(outside.points) / points as f64,
            outside.pressure_hpa,
            outside.temperature_k
        )
    };
    gases.iter().zip(outside).filter(|(_, outside)| outside.points > 0).map(line).collect()
}
