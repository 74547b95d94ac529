//! A model as a callable.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};

use isobar_core::fields::{self, Declared, InputSet, OutputSet};
use isobar_launch::{Device, Model, Outputs, RunError, Scheme, Watch};
use serde_json::{Map, Value};

use crate::array::{Array, Element, Location};
use crate::batch::{Batch, Written, element_of, location};
use crate::callable::{Call, Callable, Chosen, Plan};
use crate::error::CallError;
use crate::threads;

/// Reads options by name.
pub(crate) type Read<S> = dyn Fn(&Map<String, Value>) -> Result<<S as Scheme>::Options, CallError> + Send + Sync;

/// What a callable is besides its model.
pub(crate) struct Parts<S: Scheme> {
    pub(crate) name: &'static str,
    pub(crate) threads: usize,
    pub(crate) defaults: Map<String, Value>,
    pub(crate) facts: Value,
    pub(crate) read: Box<Read<S>>,
}

/// A model as a callable.
pub(crate) struct Wrapped<S: Scheme> {
    model: Model<S>,
    parts: Parts<S>,
    /// The process that uses it.
    process: AtomicU32,
    /// Runs that are under way.
    running: AtomicUsize,
}

/// A run that is under way.
struct Running<'a>(&'a AtomicUsize);

impl Drop for Running<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

impl<S: Scheme> Wrapped<S> {
    pub(crate) fn new(model: Model<S>, parts: Parts<S>) -> Self {
        let process = AtomicU32::new(std::process::id());
        Self { model, parts, process, running: AtomicUsize::new(0) }
    }

    /// Begins a run, if this process may: a fork has neither its parent's GPUs nor what another thread's run left half done.
    fn begin(&self) -> Result<Running<'_>, CallError> {
        let own = std::process::id();
        if self.process.load(Ordering::SeqCst) != own {
            if self.model.devices().iter().any(|device| !device.is_cpu()) {
                let text = "this process was forked from the one that made the model, and a GPU does not go with it: make \
                            the model here, in a process that was started anew";
                return Err(CallError::Forked(text.to_owned()));
            }
            // Another thread of this process may have begun meanwhile.
            if self.running.load(Ordering::SeqCst) > 0 && self.process.load(Ordering::SeqCst) != own {
                let text = "this process was forked while another thread was using the model: make a model here";
                return Err(CallError::Forked(text.to_owned()));
            }
            self.process.store(own, Ordering::SeqCst);
        }
        self.running.fetch_add(1, Ordering::SeqCst);
        Ok(Running(&self.running))
    }

    fn chosen<'c>(&self, chosen: &'c Chosen) -> Result<&'c S::Options, CallError> {
        let own = chosen.0.downcast_ref();
        own.ok_or_else(|| CallError::Setup(format!("these options are not those of {}", self.parts.name)))
    }

    fn batch<'c>(&self, call: &Call<'c>) -> Result<(Batch<'c, S>, &'c S::Options), CallError> {
        let options = self.chosen(call.options)?;
        Ok((Batch::new(self.model.scheme(), call.inputs, call.axes, options)?, options))
    }

    /// Does the work with the threads of the model.
    fn on_threads<T: Send>(&self, work: impl FnOnce() -> T + Send) -> Result<T, CallError> {
        if self.model.devices().iter().all(|&device| device == Device::Thread) {
            return Ok(work());
        }
        threads::install(self.parts.threads, work)
    }
}

/// Those of arrays that are there.
fn given<'a>(
    declared: &'static [Declared],
    arrays: &'a [Option<Array>],
) -> impl Iterator<Item = (&'static Declared, &'a Array)> {
    declared.iter().zip(arrays).filter_map(|(declared, array)| Some((declared, array.as_ref()?)))
}

impl<S: Scheme> Callable for Wrapped<S> {
    fn name(&self) -> &'static str {
        self.parts.name
    }

    fn inputs(&self) -> &'static [Declared] {
        <S::Inputs<'_>>::DECLARED
    }

    fn outputs(&self) -> &'static [Declared] {
        <Outputs<'_, S>>::DECLARED
    }

    fn item_name(&self) -> &'static str {
        S::ITEM
    }

    fn precision(&self) -> Element {
        element_of::<S::Real>()
    }

    fn is_top_first(&self) -> bool {
        S::TOP_FIRST
    }

    fn devices(&self) -> &[Device] {
        self.model.devices()
    }

    fn facts(&self) -> &Value {
        &self.parts.facts
    }

    fn defaults(&self) -> &Map<String, Value> {
        &self.parts.defaults
    }

    fn options(&self, given: &Map<String, Value>) -> Result<Chosen, CallError> {
        Ok(Chosen(Arc::new((self.parts.read)(given)?)))
    }

    fn need(&self, declared: &Declared, options: &Chosen) -> fields::Need {
        self.chosen(options).map_or_else(|_| declared.need(), |options| self.model.scheme().need(declared, options))
    }

    fn plan(&self, call: &Call<'_>) -> Result<Plan, CallError> {
        location(given(self.inputs(), call.inputs), [])?;
        Ok(self.batch(call)?.0.plan)
    }

    fn run(&self, call: &Call<'_>, outputs: &[Option<Array>]) -> Result<Vec<fields::Error>, CallError> {
        let place = location(given(self.inputs(), call.inputs), given(self.outputs(), outputs))?;
        let (batch, options) = self.batch(call)?;
        let written = Written::<S>::new(&batch.plan, outputs, call.axes, call.inputs)?;
        let _running = self.begin()?;
        let watch = Watch { stop: call.stop, progress: call.progress };
        match place {
            Location::Host => {
                let run = || self.model.run_watched(batch.inputs, options, &written.outputs, watch);
                let refused = self.on_threads(run)?;
                if matches!(refused, Ok(_) | Err(RunError::Interrupted { .. })) {
                    written.finish();
                }
                Ok(refused?)
            }
            Location::Cuda(number) => {
                let problem = format!("arrays of cuda:{number} are not computed there yet: copy them to the host");
                Err(CallError::Setup(problem))
            }
        }
    }
}
