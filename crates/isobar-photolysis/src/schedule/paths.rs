//! Slant paths of a column: for each level, how many times its thickness the Sun's ray to it is in each layer.

use isobar_core::kernel::WARP;
use isobar_core::{Lanes, Real};

use crate::physics::path::{is_dark, slant};
use crate::schedule::arguments::Paths;

/// What stands for the path of a ray that does not arrive.
pub(crate) const DARK: f64 = -1.0;

/// Computes those of 32 neighbouring columns.
#[inline(always)]
pub(crate) fn compute<R: Real, const W: usize>(kernel: &Paths<'_, R>, index: usize, lanes: &Lanes<W>) {
    let (layers, columns) = (kernel.paths.levels() / (kernel.height_km.levels()), kernel.paths.items());
    for lane in 0..W {
        let column = index * WARP + lanes.first() + lane;
        if column >= columns {
            continue;
        }
        let cosine = kernel.cosine_of_zenith.at(column);
        let ground = kernel.height_km.at(0, column);
        for level in 0..=layers {
            let at = kernel.height_km.at(level, column);
            let dark = is_dark(ground, at, cosine);
            for layer in 0..layers {
                let shell = [kernel.height_km.at(layer, column), kernel.height_km.at(layer + 1, column)];
                let times = if dark { R::from_f64(DARK) } else { slant(shell, at, cosine) };
                kernel.paths.set(level * layers + layer, column, times);
            }
        }
    }
}
