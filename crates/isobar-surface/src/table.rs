//! The table of stability corrections, as the scheme interpolates them.

#[cfg(feature = "std")]
use isobar_core::Real;

#[cfg(feature = "std")]
use crate::physics::stability::{Psi, stable, unstable};

/// Nodes of a side: `z / L` of 0, 0.01, ... 9.98. From 9.99 on the functions themselves are taken.
pub(crate) const NODES: usize = 999;
/// Nodes a unit of `z / L`.
pub(crate) const NODES_PER_UNIT: f64 = 100.0;
/// Numbers of a node: momentum, heat, and what the next node has more of both, which are read together.
pub(crate) const OF_NODE: usize = 4;

/// Where the node `number` is, in steps of 0.01 of the magnitude.
#[cfg(feature = "std")]
fn node(number: usize, is_unstable: bool) -> Psi<f64> {
    let zeta = number as f64 * (1.0 / NODES_PER_UNIT);
    match (number, is_unstable) {
        (0, _) => Psi { momentum: 0.0, heat: 0.0 },
        (_, false) => stable(zeta),
        (_, true) => unstable(-zeta),
    }
}

/// The table: of 999 nodes of stable air, and as many of unstable air, `[momentum, heat]` and what the next node has
/// more. It is computed in double precision, and rounded.
#[cfg(feature = "std")]
#[must_use]
pub fn corrections<R: Real>() -> std::vec::Vec<R> {
    let nodes = [false, true].into_iter().flat_map(|side| (0..NODES).map(move |number| (number, side)));
    nodes
        .flat_map(|(number, side)| {
            let (here, next) = (node(number, side), node(number + 1, side));
            [here.momentum, here.heat, next.momentum - here.momentum, next.heat - here.heat]
        })
        .map(R::from_f64)
        .collect()
}
