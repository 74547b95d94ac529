//! A mechanism as a scheme, with what follows from it and the options.

use std::sync::{Arc, OnceLock};

use isobar_core::fields::{self, Extents, REACTION, SPECIES};
use isobar_launch::{Device, Model};

use crate::host::rates::WithSlopes;
use crate::{
    COUNTED_REACTION, COUNTER, COUNTERS, Compiled, Interval, Layout, Options, RATE_INPUT, REDUCIBLE_SPECIES,
    RateProgram, Rates, THRESHOLD, VARIABLE_SPECIES, WANTED_TIME,
};

/// A mechanism, with the program of its rate constants where they are not given with the cells.
///
/// ```
/// use std::sync::Arc;
/// use isobar_rosenbrock::{Cells, Chemistry, Compiled, Device, Method, Network, Options, Reaction};
///
/// // A -> B with a rate constant of 0.01 /s.
/// let reaction = Reaction { reactants: vec![(0, 1)], net: vec![(0, -1.0), (1, 1.0)] };
/// let mechanism = Arc::new(Compiled::new(Network::new(2, 0, vec![reaction])?)?);
/// let model = Chemistry::new(mechanism, None).on(&[Device::Cpu]);
/// // One cell, through an hour in steps of ten minutes.
/// let mut cells = Cells {
///     concentration: vec![1e9, 0.0],
///     rate_constant: vec![0.01],
///     first_step_s: vec![0.0],
///     ..Cells::default()
/// };
/// let options = Options::new(Method::Rodas4, 1e-6, 1.0);
/// for step in 0..6 {
///     let start_s = 600.0 * f64::from(step);
///     let done = model.run(&cells, &options.over(start_s..start_s + 600.0))?;
///     assert_eq!(done.status, [0]);
///     cells.advance(&done);
/// }
/// assert!((cells.concentration[1] - 1e9).abs() < 1e4);
/// # Ok::<(), isobar_rosenbrock::RunError>(())
/// ```
///
/// A batch that stays on its devices goes on there: [`Model::resident`] takes it there, `compute` integrates an
/// interval, and `advance` makes what that ended with the start of the next one.
pub struct Chemistry {
    pub(super) mechanism: Arc<Compiled>,
    pub(super) program: Option<Arc<RateProgram>>,
    /// The mechanism with the derivatives of its rate constants, once they are wanted.
    pub(super) with_slopes: OnceLock<Result<Arc<Compiled>, fields::Error>>,
    pub(super) in_flight: usize,
}

impl Chemistry {
    /// The active cells of a GPU at most, unless [`Chemistry::cells_in_flight`] says otherwise.
    pub const IN_FLIGHT: usize = 1 << 17;

    /// A mechanism with the program of its rate constants, where they are not given with the cells.
    #[must_use]
    pub fn new(mechanism: Arc<Compiled>, program: Option<Arc<RateProgram>>) -> Self {
        Self { mechanism, program, with_slopes: OnceLock::new(), in_flight: Self::IN_FLIGHT }
    }

    /// Sets the most cells of a chunk that a GPU integrates at the same time, a lane each; the results do not depend on
    /// it.
    #[must_use]
    pub fn cells_in_flight(mut self, cells: usize) -> Self {
        self.in_flight = cells.max(1);
        self
    }

    /// The mechanism on devices that share each batch.
    #[must_use]
    pub fn on(self, devices: &[Device]) -> Model<Self> {
        Model::new(self, devices)
    }

    /// The sizes of a number of cells.
    ///
    /// # Errors
    /// Options, an interval or a rate program that do not fit the mechanism.
    pub fn extents_of(&self, cells: usize, interval: &Interval) -> Result<Extents, fields::Error> {
        let (sizes, options) = (self.mechanism.tables().sizes(), &interval.options);
        let (variable, reactions) = (sizes.variable as usize, sizes.reactions as usize);
        let species = variable + sizes.fixed as usize;
        interval.validate(variable)?;
        self.mechanism.counted(&options.counted_reactions)?;
        let program = self.program.as_deref();
        if program.is_some_and(|program| (program.species(), program.reactions()) != (species, reactions)) {
            return Err(fields::Error::Setup("the rate program belongs to another mechanism".to_owned()));
        }
        self.with_slopes(options).map_or(Ok(()), |(compiled, _)| compiled.clone().map(drop))?;
        Ok(Extents::new(cells)
            .with(SPECIES, species)
            .with(REACTION, reactions)
            .with(RATE_INPUT, program.map_or(0, RateProgram::inputs))
            .with(COUNTER, COUNTERS.len())
            .with(WANTED_TIME, options.wanted_times_s.len())
            .with(COUNTED_REACTION, options.counted_reactions.len())
            .with(VARIABLE_SPECIES, variable)
            .with(REDUCIBLE_SPECIES, if options.reduction.is_some() { variable } else { 0 })
            .with(THRESHOLD, usize::from(options.reduction.is_some())))
    }

    /// The bytes of a cell in flight.
    ///
    /// # Errors
    /// As [`Chemistry::extents_of`].
    pub fn bytes_per_cell(&self, interval: &Interval) -> Result<usize, fields::Error> {
        self.extents_of(1, interval)?;
        Ok(self.layout(&interval.options).bytes_per_cell())
    }

    /// The mechanism with the derivatives of its rate constants, and the program that gives them, where rate constants
    /// are computed at each stage and depend on concentrations. Else they do not change between the stages of a step.
    pub(super) fn with_slopes(
        &self,
        options: &Options,
    ) -> Option<(&Result<Arc<Compiled>, fields::Error>, &WithSlopes)> {
        let slopes = self.program.as_ref()?.slopes().filter(|_| options.rates == Rates::Stage)?;
        Some((self.with_slopes.get_or_init(|| self.mechanism.with_slopes(slopes).map(Arc::new)), slopes))
    }

    pub(super) fn layout(&self, options: &Options) -> Layout {
        let registers = self.program.as_ref().map_or(0, |program| program.registers());
        match self.with_slopes(options) {
            Some((Ok(compiled), slopes)) => compiled.layout(options, slopes.registers),
            _ => self.mechanism.layout(options, registers),
        }
    }
}
