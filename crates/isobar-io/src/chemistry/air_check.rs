//! A number density beside the pressure and temperature from which one would follow.

use super::series::{Of, Series};

/// Number densities whose parts differ by more contradict each other.
const LARGEST_DEVIATION: f64 = 0.01;

/// That a number density is given and the air's is not computed; in what they contradict each other, if they do.
pub(super) fn beside_pressure(given: &Series, of_air: &Series) -> (String, Option<String>) {
    let quotients = given.with(of_air, Of::Quotient);
    let cells = quotients.cells();
    let deviations = quotients.values().iter().map(|quotient| quotient - 1.0).enumerate();
    let (place, largest) = deviations.max_by(|a, b| a.1.abs().total_cmp(&b.1.abs())).unwrap_or((0, 0.0));
    let derived = "number density as it is given; that of air_pressure and air_temperature is not used";
    let (percent, way) = (100.0 * largest.abs(), if largest > 0.0 { "above" } else { "below" });
    let time = if quotients.changes() { format!(", time {}", place / cells) } else { String::new() };
    let contradiction = format!(
        "the number density that is given is up to {percent:.3} % {way} that of air_pressure and air_temperature (at \
         cell {}{time}): one of them is wrong, and the given one is used",
        place % cells
    );
    (derived.to_owned(), (largest.abs() > LARGEST_DEVIATION).then_some(contradiction))
}

/// That a pressure looks like hPa: nowhere is more than 11 hPa in air as warm as at the ground, which a laboratory may
/// have, and air does not.
pub(super) fn looks_like_hectopascals(pressure: &Series, temperature: &Series) -> Option<String> {
    const SURFACE_HPA: std::ops::RangeInclusive<f64> = 500.0..=1100.0;
    const WARM_K: f64 = 270.0;
    let highest = |series: &Series| series.values().iter().copied().fold(0.0, f64::max);
    let (pressure, temperature) = (highest(pressure), highest(temperature));
    (SURFACE_HPA.contains(&pressure) && temperature >= WARM_K).then(|| {
        format!(
            "air_pressure is at most {pressure} Pa where air_temperature is up to {temperature} K: that looks like \
             hPa, and is taken as it is"
        )
    })
}
