//! The strength of sunlight that KPP computes from the time of day.

use isobar_rosenbrock::Operation;

use crate::graph::{Graph, Value};

/// Sunrise and sunset \[h\].
const RISE: f64 = 4.5;
const SET: f64 = 19.5;

/// 0 by night, 1 at noon: `(1 + cos(pi x |x|)) / 2`, where x runs from -1 at sunrise to 1 at sunset.
pub(crate) fn sun(graph: &Graph) -> Value<'_> {
    let hour = graph.time() / 3600.0;
    let hour = hour - (hour / 24.0).unary(Operation::Truncate) * 24.0;
    let x = (2.0 * hour - (RISE + SET)) / (SET - RISE);
    let light = (1.0 + (std::f64::consts::PI * (x * x.unary(Operation::Absolute))).unary(Operation::Cosine)) / 2.0;
    let up = graph.constant(RISE).binary(Operation::LessOrEqual, hour);
    let not_down = hour.binary(Operation::LessOrEqual, graph.constant(SET));
    light.where_true(up.binary(Operation::And, not_down), graph.constant(0.0))
}
