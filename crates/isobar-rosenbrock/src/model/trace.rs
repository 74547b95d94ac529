//! One cell, attempt by attempt.

use std::cell::RefCell;

use isobar_core::fields::{Error, OwnedOutputs};
use isobar_core::{Column, FieldMut, Lanes, Status, Trusted};

use super::Chemistry;
use super::beside::Beside;
use crate::physics::error_norm::Judged;
use crate::physics::kinetics::Kinetics;
use crate::physics::walk::Seen;
use crate::schedule::blocks::{Attempt, Blocks};
use crate::schedule::integrate;
use crate::schedule::numbers::{Block, Numbers};
use crate::schedule::queue::Queue;
use crate::schedule::team::OneWorker;
use crate::{
    AnyTables, CellViews, Cells, Index, Integrated, Interval, Layout, Mechanism, Program, Rates, Rosenbrock, Tables,
};

/// An attempt of a step.
#[derive(Clone, Copy, Debug)]
pub struct AttemptView<'a> {
    /// When it begins, since the start of the interval \[s\].
    pub time_s: f64,
    /// Its length \[s\].
    pub step_s: f64,
    /// The mean error in units of the tolerances: above 1 it is rejected. NaN where a number is not finite.
    pub error: f64,
    /// Whether the cell moved on by it.
    pub accepted: bool,
    /// Whether the matrix was singular: then nothing else counts.
    pub singular: bool,
    /// The error of each variable species, in units of its tolerance: their mean square is that of `error`.
    pub errors: &'a [f64],
    /// Concentrations of all species before it.
    pub before: &'a [f64],
    /// Those of the variable species behind it.
    pub after: &'a [f64],
}

impl Chemistry {
    /// Integrates one cell on this thread, by the kernel's own arithmetic and to its bits, and shows each attempt.
    ///
    /// # Errors
    /// Other than one cell, or options that leave species out; what [`Chemistry::extents_of`] refuses.
    pub fn trace(
        &self,
        cell: &Cells<f64>,
        interval: &Interval,
        see: impl FnMut(&AttemptView<'_>),
    ) -> Result<Integrated<f64>, Error> {
        let options = &interval.options;
        if cell.first_step_s.len() != 1 || options.reduction.is_some() {
            return Err(Error::Setup("one cell is traced, all of whose species are solved for".to_owned()));
        }
        let extents = self.extents_of(1, interval)?;
        let mut cell = cell.clone();
        if cell.rate_constant.is_empty() && options.rates == Rates::Frozen {
            let program = self.program.as_ref().ok_or_else(|| super::missing("rate_constant", &extents))?;
            cell.rate_constant = program.rate_constants(&cell.concentration, &cell.rate_input, interval.start_s);
        }
        let mut done = Integrated::default();
        done.resize(&extents, &|_| true)?;
        let given = self.program.as_ref().map_or(Program::empty(), |program| program.view());
        let (mechanism, program) = match self.with_slopes(options) {
            Some((compiled, slopes)) => (compiled.as_ref().map_err(Clone::clone)?.clone(), slopes.view()),
            None => (self.mechanism.clone(), given),
        };
        let counted = mechanism.counted(&options.counted_reactions)?;
        let walked = Walked { chemistry: self, cell: &cell, interval, program, counted };
        match mechanism.tables() {
            AnyTables::Narrow(tables) => walked.by(tables, &mut done, see)?,
            AnyTables::Wide(tables) => walked.by(tables, &mut done, see)?,
        };
        Ok(done)
    }
}

/// What is integrated.
struct Walked<'a> {
    chemistry: &'a Chemistry,
    cell: &'a Cells<f64>,
    interval: &'a Interval,
    program: Program<'a>,
    counted: Vec<u32>,
}

impl Walked<'_> {
    fn by<I: Index>(
        self,
        tables: &Tables<I>,
        done: &mut Integrated<f64>,
        see: impl FnMut(&AttemptView<'_>),
    ) -> Result<Status, Error> {
        let (options, sizes) = (&self.interval.options, tables.sizes());
        let layout: Layout = self.chemistry.layout(options);
        let [absolute, relative] = options.tolerances(sizes.variable as usize);
        let (tableau, numbers) = (options.method.tableau(), options.method.tableau().numbers());
        let (wanted, counted) = (&options.wanted_times_s[..], &self.counted);
        let column = |values| if <[f64]>::is_empty(values) { Column::empty() } else { Column::from(values) };
        let mechanism: Mechanism<'_, I> = tables.view();
        let kernel: Rosenbrock<'_, f64, I, true> = Rosenbrock {
            mechanism,
            coefficients: tableau.coefficients(column(&numbers)),
            control: self.interval.control(),
            program: self.program,
            absolute_tolerance: column(&absolute),
            relative_tolerance: column(&relative),
            wanted_times_s: column(wanted),
            counted: if counted.is_empty() { Column::empty() } else { Column::from(&counted[..]) },
            cells: CellViews::try_from(self.cell)?,
            ends: done.views(1),
            layout,
            cells_per_item: 1,
            scratch: FieldMut::empty(),
            taken: None,
        };
        let mut scratch = vec![0.0; kernel.scratch_per_item()];
        // SAFETY: the tables are those of a mechanism, all views are of living vectors that fit it, and the workspace
        // has all entries of the layout.
        let (kernel, workspace) =
            unsafe { (Trusted::new(&kernel), Block::<f64, 1>::new(scratch.as_mut_ptr(), 0, layout.entries as usize)) };
        let kinetics = Kinetics::new(kernel.part(|k| &k.mechanism));
        let (variable, species) = (sizes.variable as usize, (sizes.variable + sizes.fixed) as usize);
        let see = RefCell::new(see);
        let walk = Beside::new(kinetics, |blocks, attempt, judged, seen| {
            show(&mut *see.borrow_mut(), [variable, species], (blocks, attempt, judged, seen));
        });
        let team = OneWorker::<1>(Lanes::starting_at(0));
        let constants = workspace.from(layout.rate_constants as usize);
        Ok(integrate::queue(kernel, Queue::new(0, 1), (&walk, team), (workspace, constants)))
    }
}

/// Shows the attempt of a cell.
fn show(
    see: &mut impl FnMut(&AttemptView<'_>),
    [variable, species]: [usize; 2],
    (blocks, attempt, judged, seen): (&Blocks<f64, 1, Block<f64, 1>>, &Attempt<1>, &Judged<1>, &Seen<1>),
) {
    if seen.attempted[0] == 0 {
        return;
    }
    let of = |block: Block<f64, 1>, count: usize| (0..count).map(|i| block.get(i)[0]).collect::<Vec<_>>();
    let errors = of(blocks.function, variable);
    let (before, after) = (of(blocks.state, species), of(blocks.stage_state, variable));
    see(&AttemptView {
        time_s: seen.time[0],
        step_s: attempt.step[0],
        error: judged.error[0],
        accepted: seen.accepted[0] != 0,
        singular: seen.singular[0] != 0,
        errors: &errors,
        before: &before,
        after: &after,
    });
}
