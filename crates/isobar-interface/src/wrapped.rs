//! A model as a callable.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};

use isobar_core::fields::{self, AnyField, AnyFieldMut, Declared, InputSet, Need, OutputSet};
use isobar_core::{Real, Status};
use isobar_launch::{BadItems, Buffer, Device, ForeignStream, Model, Outputs, RunError, Scheme, Watch};
use serde_json::{Map, Value};

use crate::array::{Array, Element, Location};
use crate::batch::{Batch, Written, element_of, location};
use crate::callable::{Call, Callable, Chosen, Plan};
use crate::error::CallError;
use crate::files::{FileChoices, FileFields};
use crate::threads;

/// Reads options by name, with what a user should hear of them, each in a sentence.
pub(crate) type Read<S> =
    dyn Fn(&Map<String, Value>) -> Result<(<S as Scheme>::Options, Vec<String>), CallError> + Send + Sync;

/// Reads the fields of a file.
pub(crate) type ReadFile<S> =
    dyn Fn(&Path, &<S as Scheme>::Options, &FileChoices) -> Result<FileFields, CallError> + Send + Sync;

/// What a callable is besides its model.
pub(crate) struct Parts<S: Scheme> {
    pub(crate) name: &'static str,
    pub(crate) threads: usize,
    pub(crate) bad_items: BadItems,
    pub(crate) defaults: Map<String, Value>,
    pub(crate) facts: Value,
    /// What a user should hear of its files, each in a sentence.
    pub(crate) notes: Vec<String>,
    pub(crate) read: Box<Read<S>>,
    pub(crate) file: Option<Box<ReadFile<S>>>,
}

/// Schemes that read several files as one.
const OF_SEVERAL: [&str; 3] = ["radiation", "ysu", "shin_hong"];

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

    /// Begins a run, if this process may: a fork has neither its parent's GPUs nor what another thread's run left half
    /// done.
    fn begin(&self) -> Result<Running<'_>, CallError> {
        let own = std::process::id();
        if self.process.load(Ordering::SeqCst) != own {
            if self.model.devices().iter().any(|device| !device.is_cpu()) {
                let text = "this process was forked from the one that made the model, and a GPU does not go with it: \
                            make the model here, in a process that was started anew";
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
        let own = chosen.options.downcast_ref();
        own.ok_or_else(|| CallError::Setup(format!("these options are not those of {}", self.parts.name)))
    }

    fn batch<'c>(&self, call: &Call<'c>) -> Result<(Batch<'c, S>, &'c S::Options), CallError> {
        let options = self.chosen(call.options)?;
        Ok((Batch::new(self.model.scheme(), call.inputs, call.axes, options)?, options))
    }

    /// What became of items that were begun and not computed, unless nothing is to be said of items: as where a step of
    /// the chemistry becomes too small. Those that were refused before are known.
    fn failed(&self, results: &Outputs<'_, S>, refused: &[fields::Error]) -> Vec<fields::Error> {
        let mut failed = Vec::new();
        if self.parts.bad_items == BadItems::Compute {
            return failed;
        }
        let known: BTreeSet<usize> = refused.iter().filter_map(fields::Error::item).collect();
        results.visit(&mut |declared, field| {
            if let ("status", AnyFieldMut::Word(field)) = (declared.name, field) {
                let all = (0..field.items()).map(|item| (item, Status(field.at(0, item))));
                let bad = all.filter(|&(item, status)| !status.is_ok() && !known.contains(&item));
                failed.extend(bad.map(|(item, status)| fields::Error::Failed {
                    item_name: S::ITEM,
                    item,
                    status: status.0,
                    why: S::status_in_words(status).to_owned(),
                }));
            }
        });
        failed
    }

    /// The inputs that the tables or the options have no use for, in a sentence. A gas that is not there would change
    /// nothing.
    fn not_read(&self, inputs: &[Option<Array>], options: &S::Options) -> Option<String> {
        let scheme = self.model.scheme();
        let useless = |(declared, array): (&Declared, &Array)| {
            let is_ignored = || scheme.need(declared, options) == Need::Ignored;
            let why = scheme.useless(declared).or_else(|| is_ignored().then_some("the options have no use for it"));
            why.filter(|_| !array.is_zero()).map(|why| format!("{} ({why})", declared.name))
        };
        let all: Vec<String> = given(self.inputs(), inputs).filter_map(useless).collect();
        (!all.is_empty()).then(|| format!("not read: {}", all.join(", ")))
    }

    /// Does the work with the threads of the model.
    fn on_threads<T: Send>(
        &self,
        work: impl FnOnce() -> T + Send,
        tick: Option<&mut dyn FnMut()>,
    ) -> Result<T, CallError> {
        match tick {
            _ if self.model.devices().iter().all(|&device| device == Device::Thread) => Ok(work()),
            Some(tick) => threads::install_ticking(self.parts.threads, work, tick),
            None => threads::install(self.parts.threads, work),
        }
    }
}

/// Single values among the inputs, which are the host's, on a GPU.
struct Ones<S: Scheme> {
    reals: Buffer<S::Real>,
    words: Buffer<u32>,
    /// Where the kernels read no single value, a field of it.
    whole: Vec<Buffer<S::Real>>,
}

impl<S: Scheme> Ones<S> {
    fn new(model: &Model<S>, device: Device, batch: &Batch<'_, S>) -> Result<Self, CallError> {
        let (mut reals, mut words, mut whole) = (Vec::new(), Vec::new(), Vec::new());
        let mut single = batch.single.iter();
        batch.inputs.visit(&mut |declared, field| match (field, single.next().expect("one an input")) {
            (AnyField::Real(field), true) if !field.is_empty() && !model.scheme().reads_single(declared) => {
                whole.push((field.at(0, 0), field.levels() * field.items()));
            }
            (AnyField::Real(field), true) if !field.is_empty() => reals.push(field.at(0, 0)),
            (AnyField::Word(field), true) if !field.is_empty() => words.push(field.at(0, 0)),
            _ => {}
        });
        if reals.is_empty() && words.is_empty() && whole.is_empty() {
            return Ok(Self { reals: Buffer::default(), words: Buffer::default(), whole: Vec::new() });
        }
        let queue = model.queue(device)?;
        let fill = |(value, len): (S::Real, usize)| match value.value().to_bits() == 0 {
            true => queue.zeros(len),
            false => queue.upload(&vec![value; len]),
        };
        let whole = whole.into_iter().map(fill).collect::<Result<_, _>>()?;
        let ones = Self { reals: queue.upload(&reals)?, words: queue.upload(&words)?, whole };
        queue.synchronize()?;
        Ok(ones)
    }

    /// The inputs with these in the place of the host's.
    fn views<'a>(&'a self, scheme: &S, batch: &Batch<'a, S>) -> S::Inputs<'a> {
        let mut fields = Vec::new();
        batch.inputs.visit(&mut |_, field| fields.push(field));
        let (mut fields, mut real, mut word) = (fields.into_iter().zip(&batch.single), 0, 0);
        let next = |number: &mut usize| {
            *number += 1;
            *number - 1
        };
        let mut whole = self.whole.iter();
        <S::Inputs<'_>>::build(&mut |declared| match fields.next().expect("one an input") {
            (AnyField::Real(field), true) if !field.is_empty() && !scheme.reads_single(declared) => {
                let whole = whole.next().expect("one a field");
                AnyField::Real(whole.item_fastest(field.levels(), field.items()))
            }
            (AnyField::Real(field), true) if !field.is_empty() => {
                AnyField::Real(self.reals.constant(next(&mut real), field.levels(), field.items()))
            }
            (AnyField::Word(field), true) if !field.is_empty() => {
                AnyField::Word(self.words.constant(next(&mut word), field.levels(), field.items()))
            }
            (other, _) => other,
        })
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

    fn notes(&self) -> &[String] {
        &self.parts.notes
    }

    fn defaults(&self) -> &Map<String, Value> {
        &self.parts.defaults
    }

    fn options(&self, given: &Map<String, Value>) -> Result<Chosen, CallError> {
        let (options, doubts) = (self.parts.read)(given)?;
        Ok(Chosen { options: Arc::new(options), doubts: doubts.into() })
    }

    fn need(&self, declared: &Declared, options: &Chosen) -> fields::Need {
        self.chosen(options).map_or_else(|_| declared.need(), |options| self.model.scheme().need(declared, options))
    }

    fn read(&self, path: &Path, options: &Chosen, choices: &FileChoices) -> Result<FileFields, CallError> {
        let options = self.chosen(options)?;
        if !choices.others.is_empty() && !OF_SEVERAL.contains(&self.parts.name) {
            return Err(CallError::Setup(format!("{} reads one file at a time", self.parts.name)));
        }
        match &self.parts.file {
            Some(read) => {
                let mut read = read(path, options, choices)?;
                read.notes.extend(choices.without_effect(self.parts.name));
                Ok(read)
            }
            None => Err(CallError::Setup(format!("{} reads no such files", self.parts.name))),
        }
    }

    fn plan(&self, call: &Call<'_>) -> Result<Plan, CallError> {
        location(given(self.inputs(), call.inputs), [])?;
        Ok(self.batch(call)?.0.plan)
    }

    fn doubts(&self, call: &Call<'_>) -> Result<Vec<String>, CallError> {
        let place = location(given(self.inputs(), call.inputs), [])?;
        let (batch, options) = self.batch(call)?;
        if batch.plan.extents.items() == 0 {
            return Ok(Vec::new());
        }
        let mut texts = call.options.doubts.to_vec();
        texts.extend(self.not_read(call.inputs, options));
        if place == Location::Host {
            texts.extend(self.model.scheme().doubts(&batch.inputs, options));
        }
        Ok(texts)
    }

    fn run_ticking(
        &self,
        call: &Call<'_>,
        outputs: &[Option<Array>],
        tick: Option<&mut dyn FnMut()>,
    ) -> Result<(Vec<fields::Error>, Vec<String>), CallError> {
        let place = location(given(self.inputs(), call.inputs), given(self.outputs(), outputs))?;
        // Lives longer than the views of it.
        let ones;
        let (batch, options) = self.batch(call)?;
        let written = Written::<S>::new(&batch.plan, outputs, (call.axes, place), call.inputs)?;
        if batch.plan.extents.items() == 0 {
            return Ok((Vec::new(), Vec::new()));
        }
        let _running = self.begin()?;
        let watch = Watch { stop: call.stop, progress: call.progress };
        match place {
            Location::Host => {
                let run = || self.model.run_watched(batch.inputs, options, &written.outputs, watch);
                let refused = self.on_threads(run, tick)?;
                let failed = self.failed(&written.outputs, refused.as_ref().map_or(&[][..], |refused| &refused[..]));
                let doubts = if refused.is_ok() { self.model.scheme().result_doubts(&written.outputs) } else { vec![] };
                if matches!(refused, Ok(_) | Err(RunError::Interrupted { .. })) {
                    written.finish();
                }
                let refused = refused?;
                match (self.parts.bad_items, failed.first()) {
                    (BadItems::Stop, Some(first)) => Err(first.clone().into()),
                    _ => Ok((fields::check::first_of_each([refused, failed]), doubts)),
                }
            }
            Location::Cuda(number) => {
                let device = Device::Cuda(number);
                ones = Ones::<S>::new(&self.model, device, &batch)?;
                let inputs = ones.views(self.model.scheme(), &batch);
                // SAFETY: who made the arrays promised that they are there, on this GPU, and ours.
                unsafe { self.model.run_on(device, inputs, options, &written.outputs, watch)? };
                Ok((Vec::new(), Vec::new()))
            }
        }
    }

    unsafe fn enqueue(
        &self,
        call: &Call<'_>,
        outputs: &[Option<Array>],
        stream: ForeignStream,
    ) -> Result<(), CallError> {
        let place = location(given(self.inputs(), call.inputs), given(self.outputs(), outputs))?;
        let Location::Cuda(number) = place else {
            return Err(CallError::Setup("a call with a stream has all arrays on a GPU".to_owned()));
        };
        let (batch, options) = self.batch(call)?;
        // They would have to be copied, and kept.
        if let Some((declared, _)) = self.inputs().iter().zip(&batch.single).find(|(_, single)| **single) {
            let problem = "is a single value of the host: with a stream, give an array on the GPU, whose size may be 1";
            return Err(CallError::Kind { variable: declared.name, problem: problem.to_owned() });
        }
        let written = Written::<S>::new(&batch.plan, outputs, (call.axes, place), call.inputs)?;
        if batch.plan.extents.items() == 0 {
            return Ok(());
        }
        let _running = self.begin()?;
        // SAFETY: the caller's, and who made the arrays promised that they are there, on this GPU, and ours.
        unsafe { self.model.enqueue_on((Device::Cuda(number), stream), batch.inputs, options, &written.outputs)? };
        Ok(())
    }
}
