//! Where lines lie that their pressure shifts.

use isobar_launch::{Buffer, Error, Queue};

use crate::constants::ATMOSPHERE_HPA;
use crate::physics::line::{Air, Line};

/// Positions of lines in any air.
pub(super) struct Extents {
    /// Position \[cm^-1\] and the shifts by air and by the gas itself \[cm^-1/atm\] of each line, ascending.
    lines: Vec<[f64; 3]>,
    /// The pressure and mole fraction for which the buffer is filled: tables have many temperatures of each.
    filled: Option<[f64; 2]>,
    /// See [`crate::schedule::lines::Lines::extents_per_cm`].
    pub(super) buffer: Buffer<[f64; 2]>,
}

impl Extents {
    pub(super) fn new(queue: &Queue, lines: &[Line<f64>]) -> Result<Self, Error> {
        let one = |line: &Line<f64>| [line.wavenumber_per_cm, line.air_shift_per_cm_atm, line.self_shift_per_cm_atm];
        Ok(Self { lines: lines.iter().map(one).collect(), filled: None, buffer: queue.zeros(lines.len())? })
    }

    /// Fills the buffer for some air.
    pub(super) fn fill(&mut self, queue: &Queue, air: &Air<f64>) -> Result<(), Error> {
        let wanted = Some([air.pressure_hpa, air.mole_fraction]);
        if self.filled == wanted {
            return Ok(());
        }
        let (pressure, own) = (air.pressure_hpa / ATMOSPHERE_HPA, air.mole_fraction);
        let shifted =
            |&[position, by_air, by_self]: &[f64; 3]| position + pressure * ((1.0 - own) * by_air + own * by_self);
        let mut extents: Vec<[f64; 2]> = self.lines.iter().map(|line| [shifted(line); 2]).collect();
        let mut largest = f64::NEG_INFINITY;
        for extent in &mut extents {
            largest = largest.max(extent[0]);
            extent[0] = largest;
        }
        let mut smallest = f64::INFINITY;
        for extent in extents.iter_mut().rev() {
            smallest = smallest.min(extent[1]);
            extent[1] = smallest;
        }
        queue.upload_into(&extents, &mut self.buffer)?;
        self.filled = wanted;
        Ok(())
    }
}
