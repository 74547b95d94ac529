//! Layers of a tile, from what memory has of them.

use isobar_core::{PerLane, Real};

use crate::physical::Physical;
use crate::physics::layer::{Layer, Stored};
use crate::physics::surface::Ground;

/// The layer above `below`.
#[inline(always)]
pub(crate) fn layer<R: Real, const W: usize>(
    stored: &Stored<[R; W]>,
    below: &Layer<[R; W]>,
    reference: &[R; W],
    physical: &Physical<R>,
) -> Layer<[R; W]> {
    let mut layer = Layer::<[R; W]>::zeros();
    for lane in 0..W {
        layer.set(lane, Layer::new(&stored.lane(lane), &below.lane(lane), reference[lane], physical));
    }
    layer
}

/// The lowest layer.
#[inline(always)]
pub(crate) fn lowest_layer<R: Real, const W: usize>(
    stored: &Stored<[R; W]>,
    ground: &Ground<[R; W]>,
    reference: &[R; W],
    physical: &Physical<R>,
) -> Layer<[R; W]> {
    let mut below = Layer::<[R; W]>::zeros();
    for lane in 0..W {
        below.set(lane, Layer::below_lowest(ground.interface_pressure[lane]));
    }
    layer(stored, &below, reference, physical)
}
