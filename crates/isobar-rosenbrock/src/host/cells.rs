//! Cells in the host's memory.

use crate::host::error::Error;
use crate::physics::sizes::Sizes;

/// What cells start from, the cell the fastest index.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cells {
    /// The number of cells.
    pub count: usize,
    /// Concentrations, `[species * cells + cell]`, variable species first \[molecule/cm^3, or what the rate constants
    /// go with\].
    pub concentrations: Vec<f64>,
    /// Rate constants, `[reaction * cells + cell]`; empty where the rate program gives them.
    pub rate_constants: Vec<f64>,
    /// Inputs of the rate program, `[input * cells + cell]`; empty where rate constants are given.
    pub inputs: Vec<f64>,
    /// The first step of each cell \[s\], 0 for the usual one; or empty.
    pub first_step: Vec<f64>,
}

impl Cells {
    /// Checks the numbers of values; `inputs` is what the rate program reads, if there is one.
    pub(crate) fn check_sizes(&self, sizes: Sizes, inputs: Option<usize>) -> Result<(), Error> {
        let cells = self.count;
        if cells == 0 {
            return Err(Error::Setup("a batch needs at least one cell".to_owned()));
        }
        let check = |variable, got: usize, rows: usize, what: &str| {
            let expected = rows * cells;
            let shape =
                if what.is_empty() { format!("{cells} cells") } else { format!("{rows} {what} x {cells} cells") };
            if got == expected { Ok(()) } else { Err(Error::Size { variable, got, expected, shape }) }
        };
        let species = sizes.variable as usize + sizes.fixed as usize;
        check("concentrations", self.concentrations.len(), species, "species")?;
        match inputs.filter(|_| self.rate_constants.is_empty()) {
            Some(inputs) => check("inputs", self.inputs.len(), inputs, "inputs")?,
            None => check("rate_constants", self.rate_constants.len(), sizes.reactions as usize, "reactions")?,
        }
        if self.first_step.is_empty() { Ok(()) } else { check("first_step", self.first_step.len(), 1, "") }
    }

    /// Checks the values: concentrations are finite and not below minus their tolerance, all else is finite.
    pub(crate) fn check_values(&self, absolute_tolerance: &[f64]) -> Result<(), Error> {
        let cells = self.count;
        let find = |variable, values: &[f64], range, fits: &dyn Fn(usize, f64) -> bool| {
            let bad = values.iter().enumerate().find(|&(i, &value)| !fits(i / cells, value));
            bad.map_or(Ok(()), |(i, &value)| {
                Err(Error::Value { variable, row: i / cells, cell: i % cells, value, range })
            })
        };
        let least = |species: usize| absolute_tolerance.get(species).map_or(0.0, |tolerance| -tolerance);
        find(
            "concentration",
            &self.concentrations,
            "a finite number of at least 0, to within the tolerance",
            &|i, x| x.is_finite() && x >= least(i),
        )?;
        find("rate constant", &self.rate_constants, "a finite number", &|_, x| x.is_finite())?;
        find("input", &self.inputs, "a finite number", &|_, x| x.is_finite())?;
        let step = "a finite number of at least 0";
        find("first step", &self.first_step, step, &|_, x| (0.0..f64::INFINITY).contains(&x))
    }
}
