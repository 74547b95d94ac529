//! Sizes of results, and the computation.

use std::ffi::{c_char, c_void};
use std::slice;
use std::sync::atomic::{AtomicBool, Ordering};

use isobar_interface::{Array, Axes, Call, Declared, Dimension, ItemsAxis};

use crate::array::IsobarArray;
use crate::even::Even;
use crate::scheme::{IsobarScheme, scheme_of};
use crate::status::{Failure, Status, guarded, keep};
use crate::text::read;
use crate::{ISOBAR_MOST_DIMENSIONS, ISOBAR_VERSION};

/// Is told now and then how many items are done, by any thread; what is not 0 stops the run.
pub type IsobarProgress = Option<unsafe extern "C" fn(context: *mut c_void, done: usize) -> i32>;

/// A run: arrays, options, the order of dimensions.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct IsobarRun {
    /// `ISOBAR_VERSION`.
    pub version: u32,
    /// 0: the items are the last dimension of all arrays, `[layer][column]`; 1: the first, `[column][layer]`.
    pub items_first: i32,
    /// 1: layers and levels go from the top down; 0: from the surface up; -1: as the scheme has them.
    pub top_first: i32,
    /// 0.
    pub reserved: i32,
    /// A JSON object, or null: options by name, the others as `isobar_defaults` has them.
    pub options: *const c_char,
    /// What goes in.
    pub inputs: *const IsobarArray,
    /// How many arrays that are.
    pub input_count: usize,
    /// What comes out. A result that is not among them is computed and dropped.
    pub outputs: *const IsobarArray,
    /// How many arrays that are.
    pub output_count: usize,
    /// Null, or a function that is told how the run goes on.
    pub progress: IsobarProgress,
    /// What that function gets.
    pub context: *mut c_void,
}

/// Arrays in the order of a declaration.
///
/// # Safety
/// `arrays` is null or to `count` arrays, whose pointers are null or to what they should be.
unsafe fn arrays(
    arrays: *const IsobarArray,
    count: usize,
    (declared, is_output): (&'static [Declared], bool),
    index: &dyn Fn(&str) -> Result<usize, Failure>,
) -> Result<Vec<Option<Array>>, Failure> {
    let mut ordered = vec![None; declared.len()];
    if count == 0 {
        return Ok(ordered);
    }
    if arrays.is_null() {
        return Err(Failure::null(if is_output { "the outputs" } else { "the inputs" }));
    }
    if count > 2 * declared.len() {
        let what = if is_output { "outputs" } else { "inputs" };
        return Err(Failure(Status::Value, format!("{count} {what}, and there are {}", declared.len())));
    }
    // SAFETY: not null, and the caller's promise.
    for array in unsafe { slice::from_raw_parts(arrays, count) } {
        // SAFETY: the caller's promise.
        let (name, opened) = unsafe { (array.name()?, array.open(is_output)) };
        let place = &mut ordered[index(name)?];
        if place.replace(opened?).is_some() {
            return Err(Failure(Status::Name, format!("{name} is given twice")));
        }
    }
    Ok(ordered)
}

/// A run, read.
struct Opened<'a> {
    scheme: &'a IsobarScheme,
    axes: Axes,
    inputs: Vec<Option<Even>>,
    outputs: Vec<Option<Even>>,
}

/// # Safety
/// As [`isobar_run`].
unsafe fn opened<'a>(scheme: *const IsobarScheme, run: &IsobarRun) -> Result<Opened<'a>, Failure> {
    // SAFETY: the caller's promise.
    let scheme = unsafe { scheme_of(scheme)? };
    let callable = &*scheme.callable;
    if run.version != ISOBAR_VERSION {
        return Err(Failure::version("the run", run.version));
    }
    if run.reserved != 0 {
        return Err(Failure(Status::Value, format!("reserved of the run is {}, which is not 0", run.reserved)));
    }
    let top_first = match run.top_first {
        -1 => None,
        0 => Some(false),
        1 => Some(true),
        other => return Err(Failure(Status::Value, format!("top_first is {other}, which is none of -1, 0 and 1"))),
    };
    let items = match run.items_first {
        0 => ItemsAxis::Last,
        1 => ItemsAxis::First,
        other => return Err(Failure(Status::Value, format!("items_first is {other}, which is none of 0 and 1"))),
    };
    // SAFETY: the caller's promise.
    let inputs = unsafe {
        arrays(run.inputs, run.input_count, (callable.inputs(), false), &|name| Ok(callable.input_index(name)?))?
    };
    // SAFETY: likewise.
    let outputs = unsafe {
        arrays(run.outputs, run.output_count, (callable.outputs(), true), &|name| Ok(callable.output_index(name)?))?
    };
    no_empty_layers(&inputs, callable.inputs(), items)?;
    let even = |arrays: Vec<Option<Array>>, declared: &'static [Declared]| {
        let each = arrays.into_iter().zip(declared);
        let even = |(array, declared): (Option<Array>, &Declared)| {
            array.map(|array| Even::new(array, items, declared.shape.len())).transpose()
        };
        each.map(even).collect::<Result<Vec<_>, _>>()
    };
    let (inputs, outputs) = (even(inputs, callable.inputs())?, even(outputs, callable.outputs())?);
    Ok(Opened { scheme, axes: Axes { items, top_first }, inputs, outputs })
}

/// Columns without layers are named as such: to the schemes they are columns that are not there.
fn no_empty_layers(arrays: &[Option<Array>], declared: &[Declared], items: ItemsAxis) -> Result<(), Failure> {
    let first = usize::from(items == ItemsAxis::First);
    for (array, declared) in arrays.iter().zip(declared) {
        let Some(array) = array.filter(|array| array.shape().len() == declared.shape.len() + 1) else { continue };
        let columns = array.shape()[(1 - first) * declared.shape.len()];
        let is_empty =
            |(place, dimension): (usize, &Dimension)| dimension.0 == "layer" && array.shape()[first + place] == 0;
        if columns > 0 && declared.shape.iter().enumerate().any(is_empty) {
            let text =
                format!("{} has {columns} columns without layers: a column needs at least one layer", declared.name);
            return Err(Failure(Status::Value, text));
        }
    }
    Ok(())
}

/// The arrays as the interface takes them.
fn seen(arrays: &[Option<Even>]) -> Vec<Option<Array>> {
    arrays.iter().map(|even| even.as_ref().map(|even| even.array)).collect()
}

/// Computes the outputs of a run from its inputs. Arrays are used in place, with any strides; but those of two declared
/// dimensions whose rows lie at no equal distances are copied.
///
/// # Safety
/// The pointers are null or to what they should be; nobody writes the inputs meanwhile, or reads or writes the outputs.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn isobar_run(scheme: *const IsobarScheme, run: *const IsobarRun) -> Status {
    guarded(|| {
        // SAFETY: the caller's promise.
        let run = unsafe { run.as_ref() }.ok_or_else(|| Failure::null("the run"))?;
        // SAFETY: likewise.
        let opened = unsafe { opened(scheme, run)? };
        let Opened { scheme, axes, .. } = &opened;
        // SAFETY: likewise.
        let options = unsafe { scheme.options(run.options)? };
        let (inputs, outputs) = (seen(&opened.inputs), seen(&opened.outputs));
        let stop = AtomicBool::new(false);
        let listener = run.progress.map(|progress| Listener { progress, context: run.context });
        let progress = |done: usize| {
            if let Some(listener) = &listener
                && listener.tell(done)
            {
                stop.store(true, Ordering::Relaxed);
            }
        };
        let progress: Option<&(dyn Fn(usize) + Sync)> = if run.progress.is_some() { Some(&progress) } else { None };
        let call = Call { inputs: &inputs, axes: *axes, options: &options, stop: Some(&stop), progress };
        let refused = scheme.callable.run(&call, &outputs);
        let finished = matches!(&refused, Ok(_) | Err(isobar_interface::CallError::Stopped { .. }));
        if finished {
            opened.outputs.into_iter().flatten().for_each(Even::finish);
        }
        let refused = refused?;
        match refused.first() {
            None => Ok(Status::Ok),
            Some(first) => {
                keep(format!("flagged items: {}; the first: {first}", refused.len()));
                Ok(Status::Flagged)
            }
        }
    })
}

/// A function of the caller's.
struct Listener {
    progress: unsafe extern "C" fn(context: *mut c_void, done: usize) -> i32,
    context: *mut c_void,
}

// SAFETY: the caller's function may be called by any thread.
unsafe impl Sync for Listener {}

impl Listener {
    /// Is the run to be stopped?
    fn tell(&self, done: usize) -> bool {
        // SAFETY: the caller's function, with what it is to get.
        unsafe { (self.progress)(self.context, done) != 0 }
    }
}

/// The sizes that an output of this name has with the inputs and options of a run, in the order of its dimensions, the
/// items among them: so that the caller can make room. `dimensions` gets their number, or -1 where the options do not
/// want the output. `sizes` has room for `ISOBAR_MOST_DIMENSIONS`.
///
/// # Safety
/// As `isobar_run`, and the pointers are null or to what they should be.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn isobar_sizes(
    scheme: *const IsobarScheme,
    run: *const IsobarRun,
    name: *const c_char,
    sizes: *mut i64,
    dimensions: *mut i32,
) -> Status {
    guarded(|| {
        // SAFETY: the caller's promise.
        let run = unsafe { run.as_ref() }.ok_or_else(|| Failure::null("the run"))?;
        // SAFETY: likewise.
        let opened = unsafe { opened(scheme, run)? };
        // SAFETY: likewise.
        let name = unsafe { read(name, "the name of the output")? };
        if sizes.is_null() || dimensions.is_null() {
            return Err(Failure::null("the place of the sizes"));
        }
        let callable = &*opened.scheme.callable;
        let index = callable.output_index(name)?;
        // SAFETY: likewise.
        let options = unsafe { opened.scheme.options(run.options)? };
        let inputs = seen(&opened.inputs);
        let call = Call { inputs: &inputs, axes: opened.axes, options: &options, stop: None, progress: None };
        let shape = &callable.plan(&call)?.outputs[index];
        let count = shape.as_ref().map_or(-1, |shape| shape.len().min(ISOBAR_MOST_DIMENSIONS) as i32);
        // SAFETY: not null, and the caller's promise.
        unsafe {
            dimensions.write(count);
            for (place, &size) in shape.iter().flatten().take(ISOBAR_MOST_DIMENSIONS).enumerate() {
                sizes.add(place).write(size as i64);
            }
        }
        Ok(Status::Ok)
    })
}
