//! Optics of a layer at the g-points of a warp: a GPU's thread has one of them, a CPU's thread takes neighbouring ones
//! of a band together, as many as its vectors hold.

use isobar_core::Real;
use isobar_core::kernel::WARP;

use crate::physics::absorption::of_all;
use crate::schedule::neighbours::BandPoints;
use crate::schedule::point::{self, Ahead, Place};
use crate::state::ColumnState;
use crate::tables::{BandRow, GasTables, LaneRow};

/// The most g-points that a CPU takes at once.
const MOST: usize = 16;
/// Numbers of a CPU's row of lanes.
pub(super) const ROW: usize = WARP + MOST;
/// Those of a layer: absorption, and scattering or Planck fractions.
pub(super) const LAYER: usize = 2 * ROW;

/// The g-points of the calling thread's lanes of a warp.
#[derive(Clone, Copy, Debug)]
pub struct Points<'a, R, const W: usize> {
    pub(super) tables: GasTables<'a, R>,
    /// What the lanes have.
    lanes: [LaneRow; W],
    /// The place of a GPU's lane in its band's tables.
    pub(super) band: Place,
    /// Layers of the column that are in the lower atmosphere.
    pub(super) lower_layers: usize,
    /// The warp.
    pub segment: usize,
    /// The first lane.
    pub first: usize,
}

impl<'a, R: Real, const W: usize> Points<'a, R, W> {
    /// Those of a warp, from lane `first` on, in a column.
    #[inline(always)]
    #[must_use]
    pub fn new(tables: &GasTables<'a, R>, state: &ColumnState<R>, segment: usize, first: usize) -> Self {
        let mut lanes = [LaneRow::default(); W];
        for (lane, row) in lanes.iter_mut().enumerate() {
            *row = tables.lane(segment, first + lane);
        }
        let band = if W == 1 { Place::new(tables, lanes[0]) } else { Place::default() };
        Self { tables: *tables, lanes, band, lower_layers: state.lower_layers(), segment, first }
    }

    /// Numbers of the memory that [`Points::prepare`] wants.
    #[must_use]
    pub fn numbers(layers: usize) -> usize {
        layers * LAYER
    }

    /// On a CPU, computes the optics of all layers: one run of lanes after the other, whose tables are near each other,
    /// in a loop so short that all it needs stays in registers. On a GPU [`Points::optics`] computes.
    ///
    /// # Safety
    /// The memory has [`Points::numbers`].
    #[inline(always)]
    pub unsafe fn prepare<const LONGWAVE: bool>(&self, state: &ColumnState<R>, layers: usize, memory: *mut R) {
        if W == 1 {
            return;
        }
        // SAFETY: lanes of a CPU are a whole warp; the caller's.
        unsafe {
            if size_of::<R>() == 4 {
                self.by_runs::<16, LONGWAVE>(state, layers, memory);
            } else {
                self.by_runs::<8, LONGWAVE>(state, layers, memory);
            }
        }
    }

    /// `N` lanes at a time: what is beyond a run is written by the next one, or beyond the last lane.
    ///
    /// # Safety
    /// As [`Points::prepare`].
    #[inline(always)]
    unsafe fn by_runs<const N: usize, const LONGWAVE: bool>(
        &self,
        state: &ColumnState<R>,
        layers: usize,
        memory: *mut R,
    ) {
        // SAFETY: warps and runs are those of the tables.
        let runs = unsafe { self.tables.first_runs.get(self.segment)..self.tables.first_runs.get(self.segment + 1) };
        for run in runs {
            // SAFETY: as above.
            let run = unsafe { self.tables.runs.get(run as usize) };
            let band = self.tables.band(run.band as usize);
            for done in (0..run.lanes).step_by(N) {
                for (region, layers) in [(0, 0..self.lower_layers), (1, self.lower_layers..layers)] {
                    let points = BandPoints::new(&self.tables, band, region, run.point + done);
                    for layer in layers {
                        let [absorption, second] = points.gas_optics::<N, LONGWAVE>(state, layer);
                        let start = layer * LAYER + (run.lane + done) as usize;
                        // SAFETY: the layer's lanes, and there is room for `MOST` behind the last.
                        unsafe {
                            memory.add(start).cast::<[R; N]>().write(absorption);
                            memory.add(start + ROW).cast::<[R; N]>().write(second);
                        }
                    }
                }
            }
        }
    }

    /// What [`Points::optics`] has to know of the uppermost layer.
    #[inline(always)]
    #[must_use]
    pub fn top(&self, state: &ColumnState<R>, layers: usize) -> Ahead {
        if W != 1 {
            return Ahead::default();
        }
        let region = self.band().region(self.region(layers - 1));
        Ahead { region, rows: state.rows(layers - 1, region.flavour) }
    }

    /// Optical depths of absorption, and of Rayleigh scattering or, of the long wave, Planck fractions, on the way down
    /// from the uppermost layer.
    ///
    /// # Safety
    /// On a CPU, [`Points::prepare`] left the memory; on a GPU, the layers come one after the other from
    /// [`Points::top`] on.
    #[inline(always)]
    #[must_use]
    pub unsafe fn optics<const LONGWAVE: bool>(
        &self,
        state: &ColumnState<R>,
        layer: usize,
        ahead: &mut Ahead,
        memory: *const R,
    ) -> ([R; W], [R; W]) {
        if W == 1 {
            let optics = point::gas_optics::<R, LONGWAVE>(&self.tables, state, layer, &self.band, ahead);
            // The layer below, whose rows a GPU reads long before it needs them.
            if layer == self.lower_layers {
                ahead.region = self.band().region(0);
            }
            ahead.rows = state.rows(layer.saturating_sub(1), ahead.region.flavour);
            return ([of_all(optics[0]); W], [optics[1]; W]);
        }
        // SAFETY: the caller's.
        unsafe {
            let start = memory.add(layer * LAYER);
            (start.cast::<[R; W]>().read(), start.add(ROW).cast::<[R; W]>().read())
        }
    }

    /// The band of a GPU's lane, in memory.
    #[inline(always)]
    fn band(&self) -> &'a BandRow {
        self.tables.band(self.lanes[0].band as usize)
    }

    /// Lower (0) or upper (1) atmosphere.
    #[inline(always)]
    fn region(&self, layer: usize) -> usize {
        usize::from(layer >= self.lower_layers)
    }

    /// What a black body between two neighbouring temperatures emits at each g-point, in the unit of a flux:
    /// [`ColumnState::place`].
    #[inline(always)]
    #[must_use]
    pub fn black_body(&self, (row, weights): (u32, [R; 2])) -> [R; W] {
        // In bytes and 32 bits, as `point` has rows.
        let number = size_of::<R>() as u32;
        let start = self.tables.planck.as_ptr().wrapping_byte_add(((row + self.lane() as u32) * number) as usize);
        let next = start.wrapping_byte_add((self.tables.planck_width() * number) as usize);
        let mut emission = [R::ZERO; W];
        for (lane, value) in emission.iter_mut().enumerate() {
            // SAFETY: rows and lanes are those of the table.
            let (cold, warm) = unsafe { (start.add(lane).read(), next.add(lane).read()) };
            *value = warm.mul_add(weights[1], cold * weights[0]);
        }
        emission
    }

    /// The number of the first lane among those of all warps.
    #[inline(always)]
    #[must_use]
    pub fn lane(&self) -> usize {
        self.segment * WARP + self.first
    }

    /// Which of `rows` spectral rows a lane has: that of its band, or where there are as many as g-points, its own.
    #[inline(always)]
    #[must_use]
    pub fn spectral(&self, lane: usize, rows: usize) -> usize {
        if rows == self.tables.band_count as usize {
            self.lanes[lane].band as usize
        } else {
            (self.lane() + lane).min(rows - 1)
        }
    }

    /// The same for any lane of the warp.
    #[inline(always)]
    #[must_use]
    pub fn spectral_of(&self, lane: usize, rows: usize) -> usize {
        if rows == self.tables.band_count as usize {
            self.tables.lane(self.segment, lane).band as usize
        } else {
            (self.segment * WARP + lane).min(rows - 1)
        }
    }

    /// Slope and intercept of the best secant of a lane's band.
    #[inline(always)]
    #[must_use]
    pub fn secant_fit(&self, lane: usize) -> [R; 2] {
        let band = self.lanes[lane].band as usize;
        // SAFETY: there are two a band.
        unsafe { [self.tables.secants.get(2 * band), self.tables.secants.get(2 * band + 1)] }
    }

    /// The lanes' parts of the sun's irradiance.
    #[inline(always)]
    #[must_use]
    pub fn solar_parts(&self) -> [R; W] {
        let mut parts = [R::ZERO; W];
        for (lane, part) in parts.iter_mut().enumerate() {
            // SAFETY: lanes are those of the tables.
            *part = unsafe { self.tables.solar.get(self.segment * WARP + self.first + lane) };
        }
        parts
    }
}
