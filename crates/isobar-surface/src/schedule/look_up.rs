//! Corrections of stability from the table, or beyond it from the functions.

use isobar_core::{Column, PerLane, Real};

use crate::physics::far_stability::{FAR, very_stable, very_unstable};
use crate::physics::stability::Psi;
use crate::schedule::tile::Tile;
use crate::table::{NODES, NODES_PER_UNIT, OF_NODE};

/// The node from which on the functions are taken.
const BEYOND: f64 = NODES as f64;

/// The corrections of each lane at a `z / L` that is not positive where the flag is 1, and not negative where it is 0.
#[inline(always)]
pub(crate) fn corrections<R: Real, const W: usize>(
    table: &Column<'_, R>,
    tile: &Tile<W>,
    zeta: &[R; W],
    is_unstable: &[u32; W],
) -> Psi<[R; W]> {
    let (mut from_last, mut start, mut beyond) = ([R::ZERO; W], [0; W], [0; W]);
    for lane in 0..W {
        let steps = zeta[lane].abs() * R::from_f64(NODES_PER_UNIT);
        let node = steps.index(0, NODES as i32 - 1);
        from_last[lane] = steps - R::from_f64(f64::from(node));
        start[lane] = (is_unstable[lane] as usize * NODES + node as usize) * OF_NODE;
        beyond[lane] = u32::from(steps >= R::from_f64(BEYOND));
    }
    let mut nodes = [[R::ZERO; OF_NODE]; W];
    for lane in 0..W {
        debug_assert!(start[lane] + OF_NODE <= table.len());
        // SAFETY: the table has the nodes of both sides, of which `index` gives one; a flag is 0 or 1.
        nodes[lane] = unsafe { table.as_ptr().add(start[lane]).cast::<[R; OF_NODE]>().read() };
    }
    let mut found = Psi::<[R; W]>::zeros();
    for lane in 0..W {
        let [momentum, heat, more_momentum, more_heat] = nodes[lane];
        let part = from_last[lane];
        found.set(lane, Psi { momentum: momentum + part * more_momentum, heat: heat + part * more_heat });
    }
    if tile.any(&beyond) {
        take_functions(tile, zeta, is_unstable, &beyond, &mut found);
    }
    found
}

/// The functions of the lanes beyond the table.
#[inline(always)]
fn take_functions<R: Real, const W: usize>(
    tile: &Tile<W>,
    zeta: &[R; W],
    is_unstable: &[u32; W],
    beyond: &[u32; W],
    found: &mut Psi<[R; W]>,
) {
    let far = R::from_f64(FAR);
    for side in 0..2 {
        let mut on_side = [0; W];
        for lane in 0..W {
            on_side[lane] = beyond[lane] & u32::from(is_unstable[lane] == side);
        }
        if !tile.any(&on_side) {
            continue;
        }
        for lane in 0..W {
            // Of the other lanes something that the functions take.
            let size = zeta[lane].abs().at_least(far);
            let psi = if side == 0 { very_stable(size) } else { very_unstable(-size) };
            let before = found.lane(lane);
            let taken = on_side[lane] != 0;
            let choose = |psi: R, before: R| if taken { psi } else { before };
            found.set(
                lane,
                Psi { momentum: choose(psi.momentum, before.momentum), heat: choose(psi.heat, before.heat) },
            );
        }
    }
}
