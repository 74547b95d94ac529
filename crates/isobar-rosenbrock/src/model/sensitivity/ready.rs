//! What tangents and adjoints take, checked.

use isobar_core::fields::{Error, Extents, InputSet, OwnedOutputs, check};
use isobar_core::{Column, Field, FieldMut};
use isobar_launch::Scheme;

use super::lanes::V;
use super::perturbation::Perturbation;
use crate::model::{Chemistry, missing};
use crate::{
    AnyTables, CellViews, Cells, Compiled, Index, Integrated, Interval, NUMBERS, Program, Rates, Rosenbrock, Tables,
};

/// Cells that were checked, with the rate constants of the interval.
pub(super) struct Ready<'a> {
    mechanism: &'a Compiled,
    given: CellViews<'a, f64>,
    interval: Interval,
    extents: Extents,
    pub(super) cells: usize,
    pub(super) species: usize,
    pub(super) reactions: usize,
    pub(super) rate_constant: Vec<f64>,
}

impl Chemistry {
    /// Checks cells and options, and computes rate constants that are not given.
    pub(super) fn ready<'a>(&'a self, cells: &'a Cells<f64>, interval: &Interval) -> Result<Ready<'a>, Error> {
        let options = &interval.options;
        let refused = [
            (options.rates != Rates::Frozen, "rate constants that change within the interval"),
            (options.reduction.is_some(), "a reduction of the mechanism"),
            (!options.wanted_times_s.is_empty(), "wanted times"),
            (!options.counted_reactions.is_empty(), "counted reactions"),
        ];
        if let Some((_, what)) = refused.into_iter().find(|&(refused, _)| refused) {
            return Err(Error::Setup(format!("tangents and adjoints are not computed with {what}")));
        }
        let given = CellViews::try_from(cells)?;
        let extents = self.extents(&given, interval)?;
        check::sizes(&given, &extents, Self::ITEM)?;
        let cells = extents.items();
        if let Some(wrong) = self.check(&given, &extents, interval, 0..cells).into_iter().next() {
            return Err(wrong);
        }
        let mut interval = interval.clone();
        // Frozen rates have no df/dt.
        interval.options.autonomous = true;
        let sizes = self.mechanism.tables().sizes();
        let (species, reactions) = ((sizes.variable + sizes.fixed) as usize, sizes.reactions as usize);
        let mut rate_constant = vec![0.0; reactions * cells];
        let own = |field: &Field<'_, f64>, rows: usize, cell: usize| -> Vec<f64> {
            (0..rows).map(|row| field.at(row, cell)).collect()
        };
        for cell in 0..cells {
            let of_cell = if given.rate_constant.is_empty() {
                let program = self.program.as_ref().ok_or_else(|| missing("rate_constant", &extents))?;
                let inputs = own(&given.rate_input, program.inputs(), cell);
                program.rate_constants(&own(&given.concentration, species, cell), &inputs, interval.start_s)
            } else {
                own(&given.rate_constant, reactions, cell)
            };
            rate_constant[cell..].iter_mut().step_by(cells).zip(of_cell).for_each(|(to, value)| *to = value);
        }
        Ok(Ready { mechanism: &self.mechanism, given, interval, extents, cells, species, reactions, rate_constant })
    }
}

impl Ready<'_> {
    /// The tables of the mechanism.
    pub(super) fn tables(&self) -> &AnyTables {
        self.mechanism.tables()
    }

    /// How many directions there are, where all changes fit the cells.
    pub(super) fn check_changes(&self, perturbation: &Perturbation) -> Result<usize, Error> {
        let Perturbation { concentration, rate_constant } = perturbation;
        let of_species = self.check("the change of concentrations", "species", self.species, concentration)?;
        let of_rates = self.check("the change of rate constants", "reaction", self.reactions, rate_constant)?;
        if of_species > 0 && of_rates > 0 && of_species != of_rates {
            return Err(Error::Setup(format!(
                "concentrations change in {of_species} directions, but rate constants in {of_rates}"
            )));
        }
        Ok(of_species.max(of_rates))
    }

    /// How many times a list has a value a row and cell.
    pub(super) fn check(&self, name: &str, row: &str, rows: usize, values: &[f64]) -> Result<usize, Error> {
        let (cells, one) = (self.cells, rows * self.cells);
        if !values.len().is_multiple_of(one) {
            let got = values.len();
            return Err(Error::Setup(format!(
                "{name} has {got} values, which is no multiple of {one}, one a {row} ({rows}) and cell ({cells})"
            )));
        }
        match values.iter().enumerate().find(|(_, value)| !value.is_finite()) {
            Some((i, value)) => Err(Error::Setup(format!(
                "{name} at cell {}, {row} {} is {value}, which is not a finite number",
                i % cells,
                i % one / cells
            ))),
            None => Ok(values.len() / one),
        }
    }

    /// Room for what the cells end with.
    pub(super) fn ends(&self) -> Result<Integrated<f64>, Error> {
        let mut ends = Integrated::default();
        ends.resize(&self.extents, &|_| true)?;
        Ok(ends)
    }

    /// Lists that the kernel reads.
    pub(super) fn lists(&self) -> Lists {
        let options = &self.interval.options;
        let [absolute, relative] = options.tolerances(self.mechanism.network().variable());
        let given = &self.given.first_step_s;
        let first_step_s = (0..self.cells).map(|cell| if given.is_empty() { 0.0 } else { given.at(cell) });
        Lists {
            absolute,
            relative,
            coefficients: options.method.tableau().numbers(),
            first_step_s: first_step_s.collect(),
        }
    }

    /// The kernel that integrates the cells, each item as many as there are lanes.
    pub(super) fn kernel<'k, I: Index>(
        &'k self,
        tables: &'k Tables<I>,
        lists: &'k Lists,
        ends: &'k mut Integrated<f64>,
    ) -> Rosenbrock<'k, f64, I, false> {
        let options = &self.interval.options;
        Rosenbrock {
            mechanism: tables.view(),
            coefficients: options.method.tableau().coefficients(Column::from(&lists.coefficients[..])),
            control: self.interval.control(),
            program: Program::empty(),
            absolute_tolerance: Column::from(&lists.absolute[..]),
            relative_tolerance: Column::from(&lists.relative[..]),
            counted: Column::empty(),
            wanted_times_s: Column::empty(),
            cells: CellViews {
                concentration: self.given.concentration,
                rate_constant: Field::item_fastest(&self.rate_constant, self.reactions, self.cells),
                first_step_s: Column::from(&lists.first_step_s[..]),
                ..CellViews::empty()
            },
            ends: ends.views(self.cells),
            layout: self.mechanism.layout(options, 0),
            cells_per_item: V,
            scratch: FieldMut::empty(),
            taken: None,
        }
    }
}

/// What a kernel reads besides tables and cells.
pub(super) struct Lists {
    absolute: Vec<f64>,
    relative: Vec<f64>,
    coefficients: [f64; NUMBERS],
    first_step_s: Vec<f64>,
}
