//! The forward model: a setup with its tables, and atmospheres for it.

use std::sync::{Arc, Mutex};

use isobar_launch::{Plain, Precision};
use isobar_raytrace::Atmosphere;

use super::clock::{Clock, StageTimes};
use crate::channel_data::source_functions;
use crate::state::State;
use crate::{ForwardError, ForwardSetup, TableData};

/// A setup and its tables, with look-ups and radiances in the precision `R`.
///
/// Paths are traced in double precision whatever `R` is: single precision resolves half a metre at the Earth's radius,
/// and tracing takes a twentieth of a GPU's time for limb rays. Results are widened.
pub struct Infrared<R: Plain> {
    pub(super) setup: ForwardSetup,
    /// On the host.
    pub(super) data: Arc<TableData>,
    pub(super) source: Vec<R>,
    pub(super) clock: Clock,
    pub(super) as_on_a_gpu: bool,
}

/// An atmosphere, made ready for a setup ([`Infrared::through`]): what all rays of a run go through.
#[derive(Clone)]
pub struct PreparedAtmosphere<R>(pub(super) Arc<State<R>>);

/// Is it the very same?
impl<R> PartialEq for PreparedAtmosphere<R> {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl<R: Precision> Infrared<R> {
    /// Checks a setup. The tables of an `Arc` are not copied on a CPU.
    ///
    /// # Errors
    /// A setup that does not fit together, or tables that do not fit it.
    pub fn new(setup: &ForwardSetup, tables: impl Into<Arc<TableData>>) -> Result<Self, ForwardError> {
        let data = tables.into();
        setup.check(&data)?;
        let bits = size_of::<R>() * 8;
        if setup.jurassic_exact && bits != 64 {
            // Single precision cannot repeat JURASSIC's double.
            let what = "bits of precision for JURASSIC's arithmetic";
            return Err(ForwardError::Setup { what, got: bits, expected: "64".into() });
        }
        let source = source_functions(&setup.filters);
        Ok(Self { setup: setup.clone(), data, source, clock: Clock::default(), as_on_a_gpu: false })
    }

    /// Computes on a CPU by the launches and in the order of memory that a GPU gets: slower, the same bits. For tests
    /// without a GPU.
    #[must_use]
    pub fn as_on_a_gpu(mut self) -> Self {
        self.as_on_a_gpu = true;
        self
    }

    /// Measures each kernel: a GPU then works on one thing at a time, by one worker.
    #[must_use]
    pub fn timed(mut self) -> Self {
        self.clock.stages = Some(Mutex::new(StageTimes::new()));
        self
    }

    /// The queues of a GPU: measured kernels have it to themselves.
    pub(super) fn queues(&self) -> usize {
        1 + usize::from(self.clock.stages.is_none())
    }

    /// An atmosphere for this setup: checked, and with hydrostatic pressure where that is asked for. Runs of pencil
    /// beams through it give radiances, also where the setup asks for brightness temperatures, as
    /// [`super::InfraredModel::run`] gives them.
    ///
    /// # Errors
    /// An invalid atmosphere, or one that does not fit the setup.
    pub fn through(&self, atmosphere: &Atmosphere) -> Result<PreparedAtmosphere<R>, ForwardError> {
        PreparedAtmosphere::new(&self.setup, atmosphere)
    }
}

impl<R: Precision> PreparedAtmosphere<R> {
    /// An atmosphere for a setup, whatever its tables: [`Infrared::through`].
    ///
    /// # Errors
    /// An invalid atmosphere, or one that does not fit the setup.
    pub fn new(setup: &ForwardSetup, atmosphere: &Atmosphere) -> Result<Self, ForwardError> {
        Self::seen_as(setup, atmosphere, false)
    }

    /// An atmosphere for a setup whose results are brightness temperatures or radiances.
    pub(super) fn seen_as(
        setup: &ForwardSetup,
        atmosphere: &Atmosphere,
        brightness_temperature: bool,
    ) -> Result<Self, ForwardError> {
        let atmosphere = setup.prepare(atmosphere)?;
        setup.check_sources(&atmosphere)?;
        let state = State::new(setup, &atmosphere)?;
        Ok(Self(Arc::new(State { brightness_temperature, ..state })))
    }
}
