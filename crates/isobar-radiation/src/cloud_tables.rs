//! Tables of the optical properties of clouds over the size of their particles.

use isobar_core::{Column, PerLane, Real};
use isobar_optics::tables::Axis;

use crate::physics::particles::Depths;

/// Particles of one kind.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Particles<'a, R> {
    /// Extinction \[m^2/g\], what the albedo lacks to 1, and asymmetry: `[size][quantity][lane of all warps]`.
    pub table: Column<'a, R>,
    /// Sizes \[um\].
    pub size: Axis<R>,
}

/// The tables of a spectrum.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct CloudTables<'a, R> {
    /// Droplets.
    pub liquid: Particles<'a, R>,
    /// Ice.
    pub ice: Particles<'a, R>,
    /// Rain; an empty table where there is none.
    pub rain: Particles<'a, R>,
    /// Snow, likewise.
    pub snow: Particles<'a, R>,
    /// Lanes of all warps.
    pub lanes: u32,
}

/// Quantities of a table.
pub(crate) const QUANTITIES: usize = 3;

impl<R: Real> Particles<'_, R> {
    /// Adds so much \[g/m^2\] of this size \[um\] to a cloud, at the lanes from `lane` on of all `lanes`.
    #[inline(always)]
    pub(crate) fn add<const W: usize>(
        &self,
        [path, size]: [R; 2],
        (lane, lanes): (usize, u32),
        cloud: &mut Depths<[R; W]>,
    ) {
        if path > R::ZERO {
            let (lanes, steps) = (lanes as usize, (size - self.size.first) / self.size.step);
            let node = steps.index(0, self.size.nodes as i32 - 2);
            let fraction = steps - R::from_f64(f64::from(node));
            debug_assert!(((node as usize + 2) * QUANTITIES - 1) * lanes + lane + W <= self.table.len());
            let start = self.table.as_ptr().wrapping_add(node as usize * QUANTITIES * lanes + lane);
            let mut values = [[R::ZERO; W]; QUANTITIES];
            for (quantity, values) in values.iter_mut().enumerate() {
                for (i, value) in values.iter_mut().enumerate() {
                    // SAFETY: nodes and lanes are those of the table.
                    let (small, large) = unsafe {
                        (start.add(quantity * lanes + i).read(), start.add((QUANTITIES + quantity) * lanes + i).read())
                    };
                    *value = small + fraction * (large - small);
                }
            }
            for i in 0..W {
                cloud.set(i, cloud.lane(i).and(Depths::of(path, [values[0][i], values[1][i], values[2][i]])));
            }
        }
    }
}
