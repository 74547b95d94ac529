//! Corrections of stability from the table, or beyond it from the functions.

use isobar_core::{Column, PerLane, Real};

use crate::physics::stability::{Psi, stable, unstable};
use crate::schedule::tile::Tile;
use crate::table::{NODES, NODES_PER_UNIT, OF_NODE};

/// The magnitude of `z / L` from which on the functions are taken.
const BEYOND: f64 = (NODES - 1) as f64;

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
        let node = steps.index(0, NODES as i32 - 2);
        from_last[lane] = steps - R::from_f64(f64::from(node));
        start[lane] = (is_unstable[lane] as usize * NODES + node as usize) * OF_NODE;
        beyond[lane] = u32::from(steps >= R::from_f64(BEYOND));
    }
    let (mut here, mut next) = (Psi::<[R; W]>::zeros(), Psi::<[R; W]>::zeros());
    for lane in 0..W {
        let at = start[lane];
        debug_assert!(at + 2 * OF_NODE <= table.len());
        // SAFETY: the table has nodes of both sides, of which `index` gives one that is not the last; a flag is 0 or 1.
        let [a, b, c, d] = unsafe { [table.get(at), table.get(at + 1), table.get(at + 2), table.get(at + 3)] };
        here.set(lane, Psi { momentum: a, heat: b });
        next.set(lane, Psi { momentum: c, heat: d });
    }
    let mut found = Psi::<[R; W]>::zeros();
    for lane in 0..W {
        let (here, next, part) = (here.lane(lane), next.lane(lane), from_last[lane]);
        found.set(
            lane,
            Psi {
                momentum: here.momentum + part * (next.momentum - here.momentum),
                heat: here.heat + part * (next.heat - here.heat),
            },
        );
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
    let last = R::from_f64(BEYOND / NODES_PER_UNIT);
    for side in [0, 1] {
        let mut on_side = [0; W];
        for lane in 0..W {
            on_side[lane] = beyond[lane] & u32::from(is_unstable[lane] == side);
        }
        if !tile.any(&on_side) {
            continue;
        }
        for lane in 0..W {
            // Of the other lanes something that the functions take.
            let size = zeta[lane].abs().at_least(last);
            let psi = if side == 0 { stable(size) } else { unstable(-size) };
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
