//! Fluxes and heating rates from the sums of a column's warps, in the order of
//! [`crate::rrtmg::schedule::block_totals`]. A lane has a level.

use isobar_core::kernel::WARP;
use isobar_core::{Lanes, Real, Status};

use crate::rrtmg::arguments::{CLEAR, Totals};
use crate::rrtmg::physics::heating;
use crate::rrtmg::schedule::block_totals::write_status;
use crate::rrtmg::schedule::spread::memory::{ColumnMemory, sum};
use crate::rrtmg::sizes::MOST_SEGMENTS;

/// Writes the fluxes and heating rates of a column, and whether all are finite.
///
/// # Safety
/// All warps of the column have summed, and nobody else has it.
#[inline(always)]
pub(crate) unsafe fn compute<R: Real, const W: usize>(
    kernel: &Totals<'_, R>,
    column: usize,
    lanes: Lanes<W>,
) -> Status {
    let (tables, cloudy) = (&kernel.arguments.sources.tables, kernel.arguments.sky != CLEAR);
    let layers = kernel.arguments.sources.columns.temperature_k.levels();
    let mut finite = true;
    for strip in 0..(layers + 1).div_ceil(WARP) {
        for lane in 0..W {
            let level = strip * WARP + lanes.first() + lane;
            if level <= layers {
                // SAFETY: the caller's.
                let memory = unsafe { ColumnMemory::new(&kernel.spread, tables, (layers, cloudy), column) };
                finite &= write(kernel, (column, memory), level, layers);
            }
        }
    }
    let status = if finite { Status::OK } else { Status::NOT_FINITE };
    write_status(&kernel.arguments.fluxes.status, column, lanes, status)
}

/// Writes a level and the layer above it. Is it finite?
#[inline(always)]
fn write<R: Real>(
    kernel: &Totals<'_, R>,
    (column, memory): (usize, ColumnMemory<R>),
    level: usize,
    layers: usize,
) -> bool {
    let batch = &kernel.arguments;
    let (tables, fluxes) = (&batch.sources.tables, &batch.fluxes);
    let total = |kind: usize, sky: usize| {
        // All are read before they are added, those that there are not as nothing.
        let mut sums = [R::ZERO; MOST_SEGMENTS];
        for segment in 0..MOST_SEGMENTS {
            if segment < tables.segments() {
                sums[segment] = memory.sum((kind, sky), segment, level);
            }
        }
        let mut total = R::ZERO;
        for sum in sums {
            total += sum;
        }
        total
    };
    let mut finite = true;
    // Each field by its name: choosing among them by a variable, a GPU would keep all arguments in slow memory.
    macro_rules! write {
        ($sky:literal, $up:ident, $down:ident, $heating:ident, $derivative:ident) => {
            if !fluxes.$up.is_empty() {
                let up = total(sum::UP, $sky);
                finite &= up.is_finite();
                fluxes.$up.set(level, column, up);
                let down = if level < layers { total(sum::DOWN, $sky) } else { R::ZERO };
                finite &= down.is_finite();
                fluxes.$down.set(level, column, down);
                if level < layers {
                    let pressures =
                        [level, level + 1].map(|level| batch.sources.columns.level_pressure_pa.at(level, column));
                    let kelvins_a_day = heating::kelvins_a_day(batch.heating_factor, pressures);
                    let gained = [sum::GAIN_DOWN, sum::GAIN_UP].map(|kind| total(kind, $sky));
                    let rate = heating::rate(gained[0], gained[1], kelvins_a_day);
                    finite &= rate.is_finite();
                    fluxes.$heating.set(level, column, rate);
                }
            }
            if !fluxes.$derivative.is_empty() {
                let derivative = total(sum::DERIVATIVE, $sky);
                finite &= derivative.is_finite();
                fluxes.$derivative.set(level, column, derivative);
            }
        };
    }
    write!(0, up_w_per_m2, down_w_per_m2, heating_k_per_day, up_derivative_w_per_m2_k);
    write!(1, up_clear_w_per_m2, down_clear_w_per_m2, heating_clear_k_per_day, up_clear_derivative_w_per_m2_k);
    finite
}
