//! What a cell takes on a device, row by row.

use isobar_core::FieldMut;

use crate::{COUNTERS, Cells, Compiled, Options, Outputs, RateProgram, Rates, Room, Sizes};

/// Everything by which the rows of a batch are counted.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Shape {
    pub(super) sizes: Sizes,
    pub(super) options: Options,
    /// Are rate constants given?
    pub(super) given: bool,
    /// Inputs of the rate program.
    pub(super) inputs: usize,
    /// The numbers of a cell in flight.
    pub(super) room: Room,
}

impl Shape {
    pub(super) fn new(mechanism: &Compiled, program: Option<&RateProgram>, cells: &Cells, options: &Options) -> Self {
        let given = !cells.rate_constants.is_empty();
        Self {
            sizes: mechanism.tables().sizes(),
            options: options.clone(),
            given,
            inputs: program.filter(|_| !given).map_or(0, RateProgram::inputs),
            room: mechanism.room(options, program.map_or(0, RateProgram::registers)),
        }
    }

    pub(super) fn species(&self) -> usize {
        (self.sizes.variable + self.sizes.fixed) as usize
    }

    pub(super) fn reactions(&self) -> usize {
        self.sizes.reactions as usize
    }

    /// Are rate constants computed before the interval?
    pub(super) fn computes_rates(&self) -> bool {
        !self.given && self.options.rates == Rates::Frozen
    }

    /// Rows of concentrations, inputs and rate constants. The last are not loaded where they are computed.
    pub(super) fn rows(&self) -> [usize; 3] {
        let constants = if self.given || self.computes_rates() { self.reactions() } else { 0 };
        [self.species(), self.inputs, constants]
    }

    /// The rows of these that are loaded.
    pub(super) fn loaded(&self) -> usize {
        self.species() + self.inputs + if self.given { self.reactions() } else { 0 }
    }

    /// Rows of times, and of concentrations at wanted times.
    pub(super) fn result_rows(&self) -> [usize; 2] {
        [3, self.options.dense_times.len() * self.sizes.variable as usize]
    }

    /// The bytes of a cell's rows.
    pub(super) fn bytes_per_cell(&self) -> usize {
        let reals = self.rows().iter().chain(&self.result_rows()).sum::<usize>() + 2;
        reals * size_of::<f64>() + COUNT_ROWS.iter().sum::<usize>() * size_of::<u32>()
    }

    /// The host's arrays in the order of what is loaded.
    pub(super) fn arrays<'a>(&self, cells: &'a Cells) -> Vec<&'a [f64]> {
        let mut all: Vec<&[f64]> = vec![&cells.concentrations];
        all.extend((self.inputs > 0).then_some(&cells.inputs[..]));
        all.extend(self.given.then_some(&cells.rate_constants[..]));
        all
    }

    /// Room for the results of so many cells.
    pub(super) fn results(&self, cells: usize) -> Outputs {
        Outputs {
            counters: vec![0; COUNTERS.len() * cells],
            times: vec![0.0; 3 * cells],
            next_step: vec![0.0; cells],
            status: vec![0; cells],
            dense: vec![0.0; self.result_rows()[1] * cells],
        }
    }
}

/// Rows of counters and statuses.
pub(super) const COUNT_ROWS: [usize; 2] = [COUNTERS.len(), 1];

/// Where results go, in the order of the rows.
pub(super) struct Places<'a> {
    pub(super) concentrations: FieldMut<'a, f64>,
    pub(super) results: [FieldMut<'a, f64>; 2],
    pub(super) next_step: FieldMut<'a, f64>,
    pub(super) counts: [FieldMut<'a, u32>; 2],
}

impl<'a> Places<'a> {
    pub(super) fn new(concentrations: &'a mut [f64], results: &'a mut Outputs, cells: usize) -> Self {
        let Outputs { counters, times, next_step, status, dense } = results;
        let species = concentrations.len() / cells;
        let dense = match dense.len() / cells {
            0 => FieldMut::empty(),
            rows => FieldMut::item_fastest(dense, rows, cells),
        };
        Self {
            concentrations: FieldMut::item_fastest(concentrations, species, cells),
            results: [FieldMut::item_fastest(times, 3, cells), dense],
            next_step: FieldMut::item_fastest(next_step, 1, cells),
            counts: [FieldMut::item_fastest(counters, COUNTERS.len(), cells), FieldMut::item_fastest(status, 1, cells)],
        }
    }
}
