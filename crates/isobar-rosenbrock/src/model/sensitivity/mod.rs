//! Tangents and adjoints of integrated cells: how what they end with depends on what they start from and on their rate
//! constants, steps held.

mod lanes;
mod perturbation;
mod ready;
mod record;

use isobar_core::fields::Error;
use isobar_core::{Field, FieldMut, Kernel};

use super::Chemistry;
use crate::{AnyTables, Cells, Index, Integrated, Interval, Tables};
use lanes::{Back, Forward};
pub use perturbation::Perturbation;
use ready::Ready;

/// Changes of final concentrations along directions.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tangent {
    /// What cells end with, to the bits of a run; first steps, and the counters of an autonomous system, among it.
    pub ends: Integrated<f64>,
    /// The rate constants of the interval: reaction, cell.
    pub rate_constant: Vec<f64>,
    /// Derivatives of the final concentrations by the parameters \[as concentrations, by the parameter\]: direction,
    /// species, cell. Those of a cell that failed are of the concentrations that it ends with.
    pub concentration: Vec<f64>,
}

/// Gradients of weighted sums of final concentrations.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Adjoint {
    /// What cells end with, to the bits of a run; first steps, and the counters of an autonomous system, among it.
    pub ends: Integrated<f64>,
    /// The rate constants of the interval: reaction, cell.
    pub rate_constant: Vec<f64>,
    /// Derivatives by concentrations at the start, fixed species among them, rate constants held \[of the sum, by the
    /// unit of concentrations\]: sum, species, cell. Those of a cell that failed are of the concentrations that it ends
    /// with.
    pub by_concentration: Vec<f64>,
    /// Derivatives by rate constants \[of the sum, by their unit\]: sum, reaction, cell. Multiplied by
    /// [`Adjoint::rate_constant`] they are by the logarithm of it.
    pub by_rate_constant: Vec<f64>,
}

impl Chemistry {
    /// Integrates cells, and takes directions of change along: derivatives of the numerical solution by what it starts
    /// from and by rate constants, the steps held, in all directions at once. Concentrations have the bits of
    /// [`Model::run`](crate::Model::run), and no result depends on the number of threads: those of rayon's pool in
    /// which this is called.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use isobar_rosenbrock::{Cells, Chemistry, Compiled, Method, Network, Options, Perturbation, Reaction};
    ///
    /// // A -> B with a rate constant of 0.01 /s, which changes.
    /// let reaction = Reaction { reactants: vec![(0, 1)], net: vec![(0, -1.0), (1, 1.0)] };
    /// let mechanism = Arc::new(Compiled::new(Network::new(2, 0, vec![reaction])?)?);
    /// let cells = Cells {
    ///     concentration: vec![1e9, 0.0],
    ///     rate_constant: vec![0.01],
    ///     first_step_s: vec![0.0],
    ///     ..Cells::default()
    /// };
    /// let change = Perturbation { rate_constant: vec![1.0], ..Perturbation::default() };
    /// let interval = Options::new(Method::Rodas4, 1e-8, 1.0).over(0.0..100.0);
    /// let tangent = Chemistry::new(mechanism, None).tangent(&cells, &interval, &change)?;
    /// // A ends with 1e9 exp(-100 k).
    /// let exact = -1e11 * (-1.0_f64).exp();
    /// assert!((tangent.concentration[0] / exact - 1.0).abs() < 1e-6);
    /// # Ok::<(), isobar_rosenbrock::Error>(())
    /// ```
    ///
    /// # Errors
    /// What a run refuses; rate constants that change within the interval, whose derivatives are not followed; a
    /// reduction, wanted times or counted reactions, which have none; changes of another number or that are not finite.
    pub fn tangent(
        &self,
        cells: &Cells<f64>,
        interval: &Interval,
        perturbation: &Perturbation,
    ) -> Result<Tangent, Error> {
        let ready = self.ready(cells, interval)?;
        let directions = ready.check_changes(perturbation)?;
        match ready.tables() {
            AnyTables::Narrow(tables) => ready.tangent(tables, directions, perturbation),
            AnyTables::Wide(tables) => ready.tangent(tables, directions, perturbation),
        }
    }

    /// Integrates cells, and takes weighted sums of their final concentrations back to what they start from and to
    /// their rate constants: the transpose of [`Chemistry::tangent`]. `weights` have the weight of each final
    /// concentration, fixed species among them: sum, species, cell.
    ///
    /// The states of all accepted steps are kept while a cell is computed, of each thread 16 cells at a time; stages
    /// and factors are computed again.
    ///
    /// # Errors
    /// As [`Chemistry::tangent`].
    pub fn adjoint(&self, cells: &Cells<f64>, interval: &Interval, weights: &[f64]) -> Result<Adjoint, Error> {
        let ready = self.ready(cells, interval)?;
        let sums = ready.check("the weight", "species", ready.species, weights)?;
        match ready.tables() {
            AnyTables::Narrow(tables) => ready.adjoint(tables, sums, weights),
            AnyTables::Wide(tables) => ready.adjoint(tables, sums, weights),
        }
    }
}

impl Ready<'_> {
    fn tangent<I: Index>(
        &self,
        tables: &Tables<I>,
        directions: usize,
        perturbation: &Perturbation,
    ) -> Result<Tangent, Error> {
        let (cells, rows) = (self.cells, directions * self.species);
        let mut change = vec![0.0; rows * cells];
        let (lists, mut ends) = (self.lists(), self.ends()?);
        run(&Forward {
            cells: self.kernel(tables, &lists, &mut ends),
            directions,
            concentration: field(&perturbation.concentration, rows, cells),
            rate_constant: field(&perturbation.rate_constant, directions * self.reactions, cells),
            change: view_mut_of(&mut change, cells),
        });
        Ok(Tangent { ends, rate_constant: self.rate_constant.clone(), concentration: change })
    }

    fn adjoint<I: Index>(&self, tables: &Tables<I>, sums: usize, weights: &[f64]) -> Result<Adjoint, Error> {
        let (cells, rows, of_rates) = (self.cells, sums * self.species, sums * self.reactions);
        let mut all = Adjoint {
            by_concentration: vec![0.0; rows * cells],
            by_rate_constant: vec![0.0; of_rates * cells],
            rate_constant: self.rate_constant.clone(),
            ..Adjoint::default()
        };
        let (lists, mut ends) = (self.lists(), self.ends()?);
        run(&Back {
            cells: self.kernel(tables, &lists, &mut ends),
            sums,
            weight: field(weights, rows, cells),
            by_concentration: view_mut_of(&mut all.by_concentration, cells),
            by_rate_constant: view_mut_of(&mut all.by_rate_constant, cells),
        });
        all.ends = ends;
        Ok(all)
    }
}

/// Computes all items by the threads of rayon's pool; what became of cells is among what they end with.
fn run<K: Kernel>(kernel: &K) {
    isobar_launch::host::launch(kernel, &mut vec![0; kernel.items()], true);
}

/// A view of values, which may be none.
fn field(values: &[f64], rows: usize, cells: usize) -> Field<'_, f64> {
    if values.is_empty() { Field::empty() } else { Field::item_fastest(values, rows, cells) }
}

/// A view of results, which may be none.
fn view_mut_of(values: &mut [f64], cells: usize) -> FieldMut<'_, f64> {
    match values.len() / cells {
        0 => FieldMut::empty(),
        rows => FieldMut::item_fastest(values, rows, cells),
    }
}
