//! Numbers of the command line.

use crate::program::failure::Failure;

/// Refuses numbers that are not positive.
pub(super) fn positive(values: &[(&str, f64, &str)]) -> Result<(), Failure> {
    match values.iter().find(|(_, value, _)| !(value.is_finite() && *value > 0.0)) {
        Some((name, value, unit)) => Err(Failure::usage(format!("{name} {value} {unit} lies outside (0, inf)"))),
        None => Ok(()),
    }
}

/// The values from the first to the last in steps, the last with a little room for rounding.
pub(super) fn steps(name: &str, first: f64, last: f64, step: f64) -> Result<Vec<f64>, Failure> {
    const MOST: f64 = 1e6;
    let count = (last - first) / step;
    if !(first.is_finite() && step > 0.0 && (0.0..MOST).contains(&count)) {
        let problem = format!("{name} from {first} to {last} in steps of {step}: expected up to {MOST} steps upwards");
        return Err(Failure::usage(problem));
    }
    Ok((0..=(count + 1e-9) as usize).map(|i| first + step * i as f64).collect())
}
