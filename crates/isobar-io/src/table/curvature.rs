//! Curves of growth as physics has them.
//!
//! The emissivity of a band is a mean of 1 - exp(-k u) over its absorption coefficients k. Each of these is concave in
//! the column density u, so the mean is: a value lies on the line through its neighbours, or above. One that lies
//! below, or whose neighbour lies too high, is damaged, or too coarsely rounded.

use isobar_ega::{Curve, EmissivityTable};

/// How far below that line a value may lie, relative to it: tables as text have four digits and more.
const TOLERANCE: f64 = 1e-4;

/// Where a value lies below the line through its neighbours: pressure, temperature and entry, counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bend {
    /// Number of the pressure.
    pub pressure: usize,
    /// Number of the temperature.
    pub temperature: usize,
    /// Number of the column density.
    pub entry: usize,
}

/// How many values lie below the line through their neighbours, and the first of them.
pub(super) fn bends(table: &EmissivityTable) -> (usize, Option<Bend>) {
    let (mut count, mut first) = (0, None);
    for (pressure, level) in table.pressures.iter().enumerate() {
        for (temperature, curve) in level.curves.iter().enumerate() {
            for entry in of_curve(curve) {
                count += 1;
                first.get_or_insert(Bend { pressure, temperature, entry });
            }
        }
    }
    (count, first)
}

fn of_curve(curve: &Curve) -> impl Iterator<Item = usize> {
    let triples = curve.column_per_cm2.windows(3).zip(curve.emissivity.windows(3)).enumerate();
    triples.filter(|(_, (u, e))| lies_below(u, e)).map(|(before, _)| before + 1)
}

fn lies_below(u: &[f32], e: &[f32]) -> bool {
    let [u0, u1, u2] = [u[0], u[1], u[2]].map(f64::from);
    let [e0, e1, e2] = [e[0], e[1], e[2]].map(f64::from);
    let line = e0 + (e2 - e0) * ((u1 - u0) / (u2 - u0));
    line - e1 > TOLERANCE * line
}
