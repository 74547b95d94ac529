//! Optical depths of neighbouring g-points of a band, as a CPU has them: weighted sums of rows, all g-points of a row
//! before the next row.

use isobar_core::Real;

use crate::physics::absorption::{corners, of_all, of_key_gases};
use crate::schedule::table_rows::TableRows;
use crate::state::{ColumnState, Rows};
use crate::tables::{BandRow, GasTables, RegionOfBand};

/// A row of coefficients.
#[inline(always)]
fn row<R: Real, const N: usize>(start: *const R) -> [R; N] {
    let mut values = [R::ZERO; N];
    for (i, value) in values.iter_mut().enumerate() {
        // SAFETY: callers' rows are those of tables, which have room for N numbers behind each.
        *value = unsafe { start.wrapping_add(i).read() };
    }
    values
}

/// Adds a weighted sum of four rows, so far from the first.
#[inline(always)]
fn add<R: Real, const N: usize>(sum: &mut [R; N], first: *const R, steps: [usize; 4], weights: &[R; 4]) {
    for k in 0..4 {
        let values = row::<R, N>(first.wrapping_add(steps[k]));
        for i in 0..N {
            sum[i] = values[i].mul_add(weights[k], sum[i]);
        }
    }
}

/// Adds a weighted sum of two rows and the next of each.
#[inline(always)]
fn add_pairs<R: Real, const N: usize>(sum: &mut [R; N], rows: [*const R; 2], stride: usize, weights: &[R; 4]) {
    for k in 0..4 {
        let values = row::<R, N>(rows[k / 2].wrapping_add(k % 2 * stride));
        for i in 0..N {
            sum[i] = values[i].mul_add(weights[k], sum[i]);
        }
    }
}

/// What a band has for the layers of one region, from one of its g-points on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BandPoints<R> {
    band: BandRow,
    region: RegionOfBand,
    /// The first rows of its tables.
    major: *const R,
    minor: *const R,
    rayleigh: *const R,
    /// From the first row of four in the major table to each.
    corners: [usize; 4],
    /// From one minor table to the next.
    minor_table: usize,
}

impl<R: Real> BandPoints<R> {
    /// From g-point `point` of the band on.
    #[inline(always)]
    pub(crate) fn new(tables: &GasTables<'_, R>, band: &BandRow, region: usize, point: u32) -> Self {
        // Addresses and not numbers of elements, from which a CPU would have to make an address for every row.
        let at = |table: u32| tables.coefficients.as_ptr().wrapping_add((table + point) as usize);
        let here = band.region(region);
        Self {
            band: *band,
            region: here,
            major: at(band.major),
            minor: at(here.minor),
            rayleigh: at(here.rayleigh),
            corners: corners(0, band.major_stride, tables.major_inner * band.major_stride).map(|step| step as usize),
            minor_table: (tables.minor_rows * band.minor_stride) as usize,
        }
    }

    /// Sums over the gases of optical depths of absorption of a layer at `N` neighbouring g-points, which may be
    /// negative.
    #[inline(always)]
    pub(crate) fn sums<const N: usize>(&self, state: &ColumnState<R>, layer: usize) -> [R; N] {
        let (band, here) = (&self.band, &self.region);
        let (rows, stencil) = (state.rows(layer, here.flavour), state.stencil(layer, here.flavour));

        let weights = [stencil.major(0), stencil.major(1)];
        let [first, other] = rows.major.map(|row| nth(self.major, row, band.major_stride));
        let (mut absorption, mut more) = ([R::ZERO; N], [R::ZERO; N]);
        add(&mut absorption, first, self.corners, &weights[0]);
        add(&mut more, other, self.corners, &weights[1]);
        for i in 0..N {
            absorption[i] = of_key_gases([absorption[i], more[i]], &stencil.amount);
        }

        let mut pair = rows.minor.map(|row| nth(self.minor, row, band.minor_stride));
        for slot in here.slot..here.slot + here.minors {
            let mut sum = [R::ZERO; N];
            add_pairs(&mut sum, pair, band.minor_stride as usize, &stencil.minor);
            let amount = state.amount(layer, slot);
            for i in 0..N {
                absorption[i] = sum[i].mul_add(amount, absorption[i]);
            }
            pair = pair.map(|row| row.wrapping_add(self.minor_table));
        }
        absorption
    }

    /// Optical depths of absorption of a layer at `N` neighbouring g-points, and those of Rayleigh scattering; of a
    /// long-wave table the Planck fractions.
    #[inline(always)]
    pub(crate) fn gas_optics<const N: usize, const LONGWAVE: bool>(
        &self,
        state: &ColumnState<R>,
        layer: usize,
    ) -> [[R; N]; 2] {
        let mut absorption = self.sums(state, layer);
        for value in &mut absorption {
            *value = of_all(*value);
        }

        let (band, here) = (&self.band, &self.region);
        let (rows, stencil) = (state.rows(layer, here.flavour), state.stencil(layer, here.flavour));
        let weights = [stencil.major(0), stencil.major(1)];
        let [first, other] = rows.major.map(|row| nth(self.major, row, band.major_stride));
        let mut second = [R::ONE; N];
        if LONGWAVE {
            if band.fraction != 0 {
                second = [R::ZERO; N];
                let [first, other] = [first, other].map(|row| row.wrapping_add(band.fraction as usize));
                add(&mut second, first, self.corners, &weights[0]);
                add(&mut second, other, self.corners, &weights[1]);
            }
        } else {
            second = [R::ZERO; N];
            let pair = rows.minor.map(|row| nth(self.rayleigh, row, band.rayleigh_stride));
            add_pairs(&mut second, pair, band.rayleigh_stride as usize, &stencil.minor);
            let air = state.air(layer);
            for value in &mut second {
                *value *= air;
            }
        }
        [absorption, second]
    }
}

/// A layer's rows.
pub(super) struct LayerRows<'a, R> {
    pub(super) points: &'a BandPoints<R>,
    pub(super) rows: Rows,
}

impl<R: Real> LayerRows<'_, R> {
    /// Two rows and the next of each.
    #[inline(always)]
    fn four<const N: usize>(&self, table: *const R, stride: u32) -> [[R; N]; 4] {
        let [first, second] = self.rows.minor.map(|row| nth(table, row, stride));
        let next = stride as usize;
        [row(first), row(first.wrapping_add(next)), row(second), row(second.wrapping_add(next))]
    }
}

impl<R: Real, const N: usize> TableRows<R, N> for LayerRows<'_, R> {
    #[inline(always)]
    fn major<const FRACTION: bool>(&self, half: usize, corner: usize) -> [[R; N]; 2] {
        let BandPoints { band, major, corners, .. } = self.points;
        let start = nth(*major, self.rows.major[half], band.major_stride).wrapping_add(corners[corner]);
        let fractions = if FRACTION { row(start.wrapping_add(band.fraction as usize)) } else { [R::ZERO; N] };
        [row(start), fractions]
    }

    #[inline(always)]
    fn minor(&self, number: usize) -> [[R; N]; 4] {
        let BandPoints { band, minor, minor_table, .. } = self.points;
        self.four(minor.wrapping_add(number * minor_table), band.minor_stride)
    }

    #[inline(always)]
    fn rayleigh(&self) -> [[R; N]; 4] {
        self.four(self.points.rayleigh, self.points.band.rayleigh_stride)
    }

    /// In a tree.
    #[inline(always)]
    fn sum(&self, mut values: [R; N]) -> R {
        let mut width = N / 2;
        while width > 0 {
            for i in 0..width {
                values[i] += values[i + width];
            }
            width /= 2;
        }
        values[0]
    }
}

/// A row by its number.
#[inline(always)]
fn nth<R>(table: *const R, row: u32, stride: u32) -> *const R {
    table.wrapping_add((row * stride) as usize)
}
