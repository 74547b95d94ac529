//! What a binding calls.

use std::any::Any;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use isobar_core::fields::{self, Declared, Extents};
use isobar_launch::{Device, ForeignStream};
use serde_json::{Map, Value};

use crate::array::{Array, Element};
use crate::axes::Axes;
use crate::error::CallError;
use crate::files::{FileChoices, FileFields};

/// The options of a call, read and checked: [`Callable::options`]. Made once, they serve any number of calls.
#[derive(Clone)]
pub struct Chosen {
    pub(crate) options: Arc<dyn Any + Send + Sync>,
    /// What a user should hear of them.
    pub(crate) doubts: Arc<[String]>,
}

/// The sizes of a call, and the results that it has.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// The items, and the size of each dimension.
    pub extents: Extents,
    /// The axes of the items; none where no array has one.
    pub items: Vec<usize>,
    /// The shape of each result that the options ask for, in the order of [`Callable::outputs`] and with the axes of
    /// the call.
    pub outputs: Vec<Option<Vec<usize>>>,
}

/// The arrays of a call.
#[derive(Clone, Copy)]
pub struct Call<'a> {
    /// In the order of [`Callable::inputs`].
    pub inputs: &'a [Option<Array>],
    /// How their axes, and those of the results, are ordered.
    pub axes: Axes,
    /// What was chosen.
    pub options: &'a Chosen,
    /// No more items are begun once it is set: [`CallError::Stopped`].
    pub stop: Option<&'a AtomicBool>,
    /// Is told now and then how many items are done, by any thread.
    pub progress: Option<&'a (dyn Fn(usize) + Sync)>,
}

/// A scheme on its devices, ready to be called, by several threads at once if they like.
pub trait Callable: Send + Sync {
    /// The scheme's name, one of [`crate::SCHEMES`].
    fn name(&self) -> &'static str;

    /// What it reads.
    fn inputs(&self) -> &'static [Declared];

    /// What it writes.
    fn outputs(&self) -> &'static [Declared];

    /// What an item is: `column`, `profile`, `cell`, `ray`.
    fn item_name(&self) -> &'static str;

    /// What fields of numbers have: [`Element::F32`] or [`Element::F64`]. Fields of words have [`Element::U32`].
    fn precision(&self) -> Element;

    /// Do its layers and levels go from the top down? Otherwise from the surface up.
    fn is_top_first(&self) -> bool;

    /// The devices.
    fn devices(&self) -> &[Device];

    /// What its files say, such as species and bands, by name.
    fn facts(&self) -> &Value;

    /// What a user should hear of its files, each in a sentence.
    fn notes(&self) -> &[String];

    /// All options with what they are unless they are given; null for those that have to be given, in a group for those
    /// that are off or follow from others.
    fn defaults(&self) -> &Map<String, Value>;

    /// Options by name; those that are not given are the defaults.
    ///
    /// # Errors
    /// A name that is none ([`CallError::Name`]), a value that is none ([`CallError::Setup`]), an option that has to be
    /// given.
    fn options(&self, given: &Map<String, Value>) -> Result<Chosen, CallError>;

    /// Is an input needed with these options, or may it be given? [`fields::Need::Ignored`] ones are not looked at.
    fn need(&self, declared: &Declared, options: &Chosen) -> fields::Need;

    /// The sizes of a call, and the shape of each result.
    ///
    /// # Errors
    /// Arrays of the wrong kind, place or shape, and options that do not go with them. Values are not looked at.
    fn plan(&self, call: &Call<'_>) -> Result<Plan, CallError>;

    /// Computes the results into arrays in the order of [`Callable::outputs`], with the shapes of [`Callable::plan`].
    /// One that is not there is computed all the same where the options ask for it, and dropped; one that they do not
    /// ask for is left as it is.
    ///
    /// Arrays of a GPU stay there, all of them on one that is a device of the model; the values of inputs are not
    /// checked then: the statuses say what became of the items.
    ///
    /// The answer is what was wrong with items that were flagged, in their order.
    ///
    /// # Errors
    /// As [`Callable::plan`]; results of the wrong kind or shape, which share values with another array or may not be
    /// written; the first item that is not valid, unless these are flagged; devices that fail; a stop.
    fn run(&self, call: &Call<'_>, outputs: &[Option<Array>]) -> Result<Vec<fields::Error>, CallError> {
        Ok(self.run_ticking(call, outputs, None)?.0)
    }

    /// Computes the results as [`Callable::run`] does; the calling thread, which waits for others meanwhile, calls
    /// `tick` some ten times a second, so that it may set `stop`. With [`Device::Thread`] it computes itself, and calls
    /// `progress` instead. The answer is that of [`Callable::run`], and what a user should hear of results of the host,
    /// each in a sentence.
    ///
    /// # Errors
    /// As [`Callable::run`].
    fn run_ticking(
        &self,
        call: &Call<'_>,
        outputs: &[Option<Array>],
        tick: Option<&mut dyn FnMut()>,
    ) -> Result<(Vec<fields::Error>, Vec<String>), CallError>;

    /// Computes the results into arrays on a GPU, in the order of another library's stream and without waiting: the
    /// call returns at once, and the results are there for what the stream is given next. All arrays stay until then;
    /// single values are arrays on the GPU, too. A stream that records a graph records the kernels, after a call of the
    /// same shapes and options that it does not record ([`isobar_launch::Model::enqueue_on`]).
    ///
    /// # Errors
    /// As [`Callable::run`]; arrays of the host; work memory that no call before has left to a graph. What goes wrong
    /// on the device shows itself in a later call.
    ///
    /// # Safety
    /// The stream is one of the arrays' GPU. Nobody else writes the inputs or uses the results until it is done with
    /// the call, or the graph is no more; the scheme lives as long as the graph.
    unsafe fn enqueue(
        &self,
        call: &Call<'_>,
        outputs: &[Option<Array>],
        stream: ForeignStream,
    ) -> Result<(), CallError>;

    /// The fields of a NetCDF file, as the command of the scheme reads it: units are converted, names are found by
    /// aliases, and what follows from others is derived.
    ///
    /// # Errors
    /// [`CallError::File`] with file and variable; [`CallError::Setup`] of a scheme that reads no such files.
    fn read(&self, path: &Path, options: &Chosen, choices: &FileChoices) -> Result<FileFields, CallError>;

    /// What a user should hear of a call that can be computed, each in a sentence: options without effect, inputs that
    /// nothing reads, and of arrays on the host doubtful values; nothing of a call without items.
    ///
    /// # Errors
    /// As [`Callable::plan`].
    fn doubts(&self, call: &Call<'_>) -> Result<Vec<String>, CallError>;

    /// Input number `name` in [`Callable::inputs`].
    ///
    /// # Errors
    /// [`CallError::Name`] with the nearest one.
    fn input_index(&self, name: &str) -> Result<usize, CallError> {
        index(self.inputs(), "input", name)
    }

    /// Result number `name` in [`Callable::outputs`].
    ///
    /// # Errors
    /// [`CallError::Name`] with the nearest one.
    fn output_index(&self, name: &str) -> Result<usize, CallError> {
        index(self.outputs(), "result", name)
    }
}

fn index(all: &'static [Declared], what: &'static str, name: &str) -> Result<usize, CallError> {
    all.iter()
        .position(|declared| declared.name == name)
        .ok_or_else(|| CallError::name(what, name, all.iter().map(|declared| declared.name)))
}
