//! What the launcher has to know of a scheme.

use std::ops::Range;

use isobar_core::Status;
use isobar_core::fields::{self, AnyField, Declared, Extents, InputSet, Need, OutputSet, OwnedOutputs};
use isobar_core::kernel::WARP;

use crate::pool::WORKERS;
use crate::{Device, Error, Precision, Ptx, Queue};

/// Views of what a scheme writes.
pub type Outputs<'a, S> = <<S as Scheme>::Results as OwnedOutputs<<S as Scheme>::Real>>::Views<'a>;

/// A scheme that [`crate::Model`] can run: which fields it reads and writes, what stays on a device, and how the items
/// of a batch are computed there.
///
/// Everything else is the model's: devices, chunks that fit their memory, copies, several workers, checks, progress.
///
/// An implementation is for one precision (`impl Scheme for Mixing<f32>`), so that its kernels are compiled in its own
/// crate and not again in every program that uses them.
pub trait Scheme: Send + Sync + 'static {
    /// The precision.
    type Real: Precision;
    /// Views of what it reads: `inputs` in [`isobar_core::fields!`].
    type Inputs<'a>: InputSet<'a, Real = Self::Real>;
    /// What it writes: `outputs` in [`isobar_core::fields!`]. A field of words named `status` takes what became of each
    /// item: it is [`isobar_core::Status::OK`] before the kernels begin, and stays so where they write nothing.
    type Results: OwnedOutputs<Self::Real> + 'static;
    /// What is chosen for a run.
    type Options: Clone + PartialEq + Send + Sync;
    /// What stays on a device for all runs.
    type Tables: Send + Sync;
    /// The workspace of a chunk: what one kernel leaves to the next.
    type Workspace: Send;

    /// What an item is, in messages: `column`, `profile`, `cell`.
    const ITEM: &'static str;
    /// The kernels for GPUs.
    const PTX: &'static [Ptx];

    /// Inputs that go on from results when a batch that stays on its devices is advanced
    /// ([`crate::Resident::advance`]): the names of the input and of the result, which have the same dimensions.
    const CONTINUES: &'static [(&'static str, &'static str)] = &[];

    /// Does [`Scheme::enqueue`] get views of the host for a GPU, too? For kernels that want their arguments and results
    /// otherwise than in declared fields: a job then copies them itself, and no batch can stay on a device.
    const HOST_VIEWS: bool = false;
    /// Do layers and levels go from the top down, and not from the surface up?
    const TOP_FIRST: bool = false;

    /// Does each thread of a CPU take jobs of its own, so that the workspace stays in its caches? Otherwise all threads
    /// share the items of a job's kernels.
    fn job_a_thread(&self) -> bool {
        false
    }

    /// The workers of a GPU, each with a queue and memory of its own: one computes while others copy.
    fn gpu_workers(&self) -> usize {
        WORKERS
    }

    /// The sizes that the inputs and options have together.
    ///
    /// # Errors
    /// Options or sizes that do not fit.
    fn extents(&self, inputs: &Self::Inputs<'_>, options: &Self::Options) -> Result<Extents, fields::Error>;

    /// The options with what the whole batch decides, for all of its chunks alike.
    fn resolve(&self, inputs: &Self::Inputs<'_>, extents: &Extents, options: &Self::Options) -> Self::Options {
        let _ = (inputs, extents);
        options.clone()
    }

    /// What the options make of an input.
    fn need(&self, declared: &Declared, options: &Self::Options) -> Need {
        let _ = options;
        declared.need()
    }

    /// Why the tables at hand have no use for an input, whatever the options; none where they have.
    fn useless(&self, declared: &Declared) -> Option<&'static str> {
        let _ = declared;
        None
    }

    /// Can the kernels read an input that has one value for all rows and items, with strides of zero? Otherwise it is
    /// copied for each of them.
    fn reads_single(&self, declared: &Declared) -> bool {
        let _ = declared;
        true
    }

    /// Does memory that was made for some options serve others, which differ in what kernels are told only, as the
    /// time?
    #[must_use]
    fn shares_memory(made_for: &Self::Options, options: &Self::Options) -> bool {
        made_for == options
    }

    /// Is a field of the results wanted with these options?
    fn wants(&self, declared: &'static Declared, extents: &Extents, options: &Self::Options) -> bool {
        let _ = (declared, extents, options);
        true
    }

    /// What a user should hear of a batch that can be computed, each in a sentence.
    fn doubts(&self, inputs: &Self::Inputs<'_>, options: &Self::Options) -> Vec<String> {
        let _ = (inputs, options);
        Vec::new()
    }

    /// What a user should hear of the results of a batch, on the host, each in a sentence.
    fn result_doubts(&self, results: &Outputs<'_, Self>) -> Vec<String>
    where
        Self: Sized,
    {
        let _ = results;
        Vec::new()
    }

    /// What is wrong with the items of a range, one error a bad item. Sizes are right.
    fn check(
        &self,
        inputs: &Self::Inputs<'_>,
        extents: &Extents,
        options: &Self::Options,
        range: Range<usize>,
    ) -> Vec<fields::Error> {
        let _ = options;
        fields::check::values(inputs, extents, range, Self::ITEM)
    }

    /// What a status that its kernels give means, in words.
    fn status_in_words(status: Status) -> &'static str {
        status.in_words()
    }

    /// What is wrong with results of a range, on the host, that the kernels themselves do not say: one error a bad
    /// item.
    fn check_results(
        &self,
        results: &Outputs<'_, Self>,
        extents: &Extents,
        options: &Self::Options,
        range: Range<usize>,
    ) -> Vec<fields::Error>
    where
        Self: Sized,
    {
        let _ = (results, extents, options, range);
        Vec::new()
    }

    /// The items that a device takes at a time of its share of a batch, which has these sizes, if its memory holds
    /// them.
    ///
    /// On a GPU few enough that copies of some overlap with kernels of others; on a CPU, whose threads share the items
    /// of a chunk, as many as fit into its caches, or all; with [`Scheme::job_a_thread`] those of one thread.
    fn chunk_items(&self, device: Device, extents: &Extents) -> usize;

    /// Can the kernels work on views with these strides? Otherwise items are copied to rows of neighbours first.
    fn fits_layout(&self, inputs: &Self::Inputs<'_>, outputs: &Outputs<'_, Self>) -> bool
    where
        Self: Sized,
    {
        let _ = (inputs, outputs);
        true
    }

    /// Can the kernels work on views of a GPU's memory, of which no chunk has been made: [`crate::Model::run_on`]?
    fn fits_device_layout(&self, inputs: &Self::Inputs<'_>, outputs: &Outputs<'_, Self>) -> bool
    where
        Self: Sized,
    {
        self.fits_layout(inputs, outputs)
    }

    /// Takes the tables to the device of a queue.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`], or what the driver answers.
    fn tables(&self, queue: &Queue) -> Result<Self::Tables, Error>;

    /// The bytes that [`Scheme::workspace`] takes on a device for `items` items.
    fn workspace_bytes(&self, device: Device, shape: &Shape<Self>, items: usize) -> usize
    where
        Self: Sized;

    /// Memory for what one kernel leaves to the next while they compute at most `items` items.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`], or what the driver answers.
    fn workspace(
        &self,
        queue: &Queue,
        tables: &Self::Tables,
        shape: &Shape<Self>,
        items: usize,
    ) -> Result<Self::Workspace, Error>
    where
        Self: Sized;

    /// Gives the kernels that compute the items of a job to its queue.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`], after which the model comes with fewer items, or what the driver answers.
    fn enqueue(&self, job: Job<'_, '_, '_, Self>) -> Result<(), Error>
    where
        Self: Sized;
}

/// What memory for a chunk depends on, besides the number of items.
pub struct Shape<S: Scheme> {
    /// The sizes, without items.
    pub extents: Extents,
    /// The options.
    pub options: S::Options,
    /// What is given of each input, in the order of the declaration.
    pub given: Vec<Given>,
    /// Is each result wanted, in the order of the declaration?
    pub wanted: Vec<bool>,
}

impl<S: Scheme> Clone for Shape<S> {
    fn clone(&self) -> Self {
        let Self { extents, options, given, wanted } = self;
        Self { extents: *extents, options: options.clone(), given: given.clone(), wanted: wanted.clone() }
    }
}

/// Is memory that was made for the one right for the other?
impl<S: Scheme> PartialEq for Shape<S> {
    fn eq(&self, other: &Self) -> bool {
        (self.extents, &self.given, &self.wanted) == (other.extents, &other.given, &other.wanted)
            && S::shares_memory(&self.options, &other.options)
    }
}

/// What is given of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Given {
    /// Nothing.
    Nothing,
    /// One value for all rows and items.
    One,
    /// This number of rows.
    Rows(usize),
}

impl<S: Scheme> Shape<S> {
    /// That of a batch of such sizes, whose inputs are complete ([`fields::check::complete`]).
    #[must_use]
    pub fn new(scheme: &S, inputs: &S::Inputs<'_>, extents: &Extents, options: &S::Options) -> Self {
        let options = scheme.resolve(inputs, extents, options);
        let wanted = |declared| scheme.wants(declared, extents, &options) && extents.rows(declared.shape) > 0;
        let wanted = <Outputs<'_, S>>::DECLARED.iter().map(wanted).collect();
        Self { extents: extents.with_items(0), options, given: given(scheme, inputs), wanted }
    }

    /// The most items that kernels can take at a time: they compute offsets in a field with 32 bits.
    #[must_use]
    pub fn most_items(&self) -> usize {
        let given = self.given.iter().map(|given| if let Given::Rows(rows) = given { *rows } else { 1 });
        let wanted = <Outputs<'_, S>>::DECLARED.iter().zip(&self.wanted).filter(|(_, wanted)| **wanted);
        let rows = given.chain(wanted.map(|(declared, _)| self.extents.rows(declared.shape))).max();
        (i32::MAX as usize / rows.unwrap_or(1).max(1) / WARP * WARP).max(WARP)
    }

    /// What is given of an input, by its name.
    ///
    /// # Panics
    /// If there is no such input.
    #[must_use]
    pub fn given(&self, name: &str) -> Given {
        let index = <S::Inputs<'_>>::DECLARED.iter().position(|declared| declared.name == name);
        self.given[index.unwrap_or_else(|| panic!("no input is named {name}"))]
    }
}

/// What is given of inputs, in the order of the declaration.
fn given<S: Scheme>(scheme: &S, inputs: &S::Inputs<'_>) -> Vec<Given> {
    let mut given = Vec::new();
    inputs.visit(&mut |declared, field| {
        let one = match field {
            AnyField::Real(field) => field.strides() == (0, 0),
            AnyField::Word(field) => field.strides() == (0, 0),
        };
        given.push(match field.extent() {
            (0, _) | (_, 0) => Given::Nothing,
            (rows, items) if one && rows * items > 1 && scheme.reads_single(declared) => Given::One,
            (rows, _) => Given::Rows(rows),
        });
    });
    given
}

/// Items to compute: what [`Scheme::enqueue`] gets.
pub struct Job<'a, 'i, 'o, S: Scheme> {
    /// Where.
    pub queue: &'a Queue,
    /// The tables there.
    pub tables: &'a S::Tables,
    /// Memory for the job's items, or more.
    pub workspace: &'a mut S::Workspace,
    /// The options.
    pub options: &'a S::Options,
    /// The sizes, with the items of this job.
    pub extents: Extents,
    /// Views of what is read.
    pub inputs: S::Inputs<'i>,
    /// Views of what is written.
    pub outputs: Outputs<'o, S>,
}
