//! Optical properties of clouds, from tables over the size of their particles.

use isobar_core::{Column, Real};
use isobar_optics::tables::Axis;

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

/// Optical depths of a cloud: absorption, scattering, and that times asymmetry.
pub(crate) type Cloud<R, const W: usize> = [[R; W]; QUANTITIES];

impl<R: Real> CloudTables<'_, R> {
    /// A cloud of so much liquid and ice \[g/m^2\] of these sizes \[um\], at the lanes from `lane` on.
    #[inline(always)]
    pub(crate) fn cloud<const W: usize>(&self, liquid: [R; 2], ice: [R; 2], lane: usize) -> Cloud<R, W> {
        let mut cloud = [[R::ZERO; W]; QUANTITIES];
        for (particles, [path, size]) in [(&self.liquid, liquid), (&self.ice, ice)] {
            if path > R::ZERO {
                particles.add(path, size, (lane, self.lanes as usize), &mut cloud);
            }
        }
        cloud
    }

    /// Adds particles of a further kind, which has a table, to a cloud: so much \[g/m^2\] of this size \[um\].
    #[inline(always)]
    pub(crate) fn add<const W: usize>(
        &self,
        particles: &Particles<'_, R>,
        [path, size]: [R; 2],
        lane: usize,
        cloud: &mut Cloud<R, W>,
    ) {
        if path > R::ZERO {
            particles.add(path, size, (lane, self.lanes as usize), cloud);
        }
    }
}

impl<R: Real> Particles<'_, R> {
    #[inline(always)]
    fn add<const W: usize>(&self, path: R, size: R, (lane, lanes): (usize, usize), cloud: &mut Cloud<R, W>) {
        let steps = (size - self.size.first) / self.size.step;
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
            let depth = path * values[0][i];
            let absorption = depth * values[1][i];
            let scattering = depth - absorption;
            cloud[0][i] += absorption;
            cloud[1][i] += scattering;
            cloud[2][i] += scattering * values[2][i];
        }
    }
}
