//! Steps of one cell of chemistry: their lengths, errors, and the species that rule these.

use super::figure::{Error, Figure};
use super::panel::{Axis, Curve, Panel, draw as draw_panels};

/// What is drawn, an entry an attempt.
#[derive(Clone, Debug, Default)]
pub struct Drawn {
    /// Time and length \[s\], and whether it was accepted.
    pub steps_s: Vec<(f64, f64, bool)>,
    /// The mean error in units of the tolerance.
    pub errors: Vec<f64>,
    /// Species that rule it.
    pub ruling: Vec<Ruling>,
}

/// A species' part of the error.
#[derive(Clone, Debug)]
pub struct Ruling {
    /// The species.
    pub name: String,
    /// Its share of the mean square error in each attempt; NaN where that is small.
    pub shares: Vec<f64>,
}

/// Draws steps and errors by attempt, the way through time, and the shares of species.
///
/// # Errors
/// [`Error::Draw`] if the drawing fails.
pub fn draw(drawn: &Drawn) -> Result<Figure, Error> {
    let attempts = || Axis::linear("attempt");
    let number = |i: usize| (i + 1) as f64;
    let chosen = |accepted: bool| {
        let point = |(i, &(_, step, was)): (usize, &(f64, f64, bool))| {
            (number(i), if was == accepted { step } else { f64::NAN })
        };
        drawn.steps_s.iter().enumerate().map(point).collect::<Vec<_>>()
    };
    let curve = |name: &str, points: Vec<(f64, f64)>| Curve { name: name.to_owned(), points };
    let steps = Panel {
        title: "Steps".into(),
        x: attempts(),
        y: Axis { name: "step [s]".into(), logarithmic: true },
        curves: vec![curve("accepted", chosen(true)), curve("rejected", chosen(false))],
        wide: false,
    };
    let errors = drawn.errors.iter().enumerate().map(|(i, &error)| (number(i), error)).collect();
    let limit = [1, drawn.errors.len().max(2)].map(|i| (i as f64, 1.0)).to_vec();
    let errors = Panel {
        title: "Errors".into(),
        x: attempts(),
        y: Axis { name: "error [tolerances]".into(), logarithmic: true },
        curves: vec![curve("mean error", errors), curve("rejected above", limit)],
        wide: false,
    };
    let way = drawn.steps_s.iter().enumerate().map(|(i, &(time, ..))| (number(i), time)).collect();
    let way = Panel {
        title: "Way through the interval".into(),
        x: attempts(),
        y: Axis { name: "time [s]".into(), logarithmic: true },
        curves: vec![curve("start of the attempt", way)],
        wide: false,
    };
    let share = |ruling: &Ruling| {
        let points = ruling.shares.iter().enumerate().map(|(i, &share)| (number(i), 100.0 * share)).collect();
        curve(&ruling.name, points)
    };
    let shares = Panel {
        title: "Species that rule the error".into(),
        x: attempts(),
        y: Axis::linear("share of the mean square [%]"),
        curves: drawn.ruling.iter().map(share).collect(),
        wide: false,
    };
    draw_panels(&[steps, errors, way, shares])
}
