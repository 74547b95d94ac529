//! The kernel of totals: fluxes and heating rates from the sums of a column's warps, in the order of [`crate::fluxes`].
//! A lane has a level.

use isobar_core::kernel::WARP;
use isobar_core::{Kernel, Lanes, Real, Status, Team};

use crate::constants::HPA_PER_PA;
use crate::scratch::MOST_SEGMENTS;
use crate::spread::{Place, Spread, sum};
use crate::transfer::{CLEAR, TransferArgs};

/// The levels of a column: an item.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Totals<'a, R> {
    /// The batch.
    pub arguments: TransferArgs<'a, R>,
    /// The sums.
    pub spread: Spread<'a, R>,
}

// SAFETY: an item writes its own column.
unsafe impl<R: Real> Kernel for Totals<'_, R> {
    const NAME: &'static str = "longwave_totals";
    const PRECISION: &'static str = R::NAME;
    const TEAM: Team = Team::Warp;
    const ON_CPU: bool = false;

    fn items(&self) -> usize {
        self.arguments.surface_temperature.len()
    }

    #[inline(always)]
    unsafe fn item<const W: usize>(&self, column: usize, lanes: Lanes<W>) -> Status {
        let layers = self.arguments.sources.temperature.levels();
        let mut finite = true;
        for strip in 0..(layers + 1).div_ceil(WARP) {
            for lane in 0..W {
                let level = strip * WARP + lanes.first() + lane;
                if level <= layers {
                    // SAFETY: all warps of the column have summed.
                    finite &= unsafe { self.write(column, level, layers) };
                }
            }
        }
        if finite { Status::OK } else { Status::NOT_FINITE }
    }
}

impl<R: Real> Totals<'_, R> {
    /// Writes a level and the layer above it. Is it finite?
    #[inline(always)]
    unsafe fn write(&self, column: usize, level: usize, layers: usize) -> bool {
        let batch = &self.arguments;
        let (tables, fluxes) = (&batch.sources.tables, &batch.fluxes);
        let place = Place::new(&self.spread, tables, (layers, batch.sky != CLEAR), column);
        let total = |kind: usize, sky: usize| {
            // All are read before they are added, those that there are not as nothing.
            let mut sums = [R::ZERO; MOST_SEGMENTS];
            for segment in 0..MOST_SEGMENTS {
                if segment < tables.segments() {
                    // SAFETY: the caller's.
                    sums[segment] = unsafe { place.sum((kind, sky), segment, level).read() };
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
                    fluxes.$down.set(level, column, down);
                    if level < layers {
                        let pressure = |level| batch.level_pressure.at(level, column) * R::from_f64(HPA_PER_PA);
                        let factor = batch.heating_factor / (pressure(level) - pressure(level + 1));
                        let gained = total(sum::GAIN_DOWN, $sky) + total(sum::GAIN_UP, $sky);
                        fluxes.$heating.set(level, column, -gained * factor);
                    }
                }
                if !fluxes.$derivative.is_empty() {
                    let derivative = total(sum::DERIVATIVE, $sky);
                    finite &= derivative.is_finite();
                    fluxes.$derivative.set(level, column, derivative);
                }
            };
        }
        write!(0, up, down, heating, derivative);
        write!(1, up_clear, down_clear, heating_clear, derivative_clear);
        finite
    }
}
