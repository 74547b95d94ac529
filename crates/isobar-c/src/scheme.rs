//! Schemes: made, described, given back.

use std::collections::BTreeMap;
use std::ffi::{CString, c_char};
use std::ptr;
use std::sync::{Mutex, PoisonError};

use isobar_interface::{Callable, Chosen, Declared, Element, Kind, Need, SCHEMES, Setup, open};
use serde_json::{Map, Value};

use crate::status::{Failure, Status, guarded, keep};
use crate::text::{object, read, to_c};
use crate::{ISOBAR_MOST_DIMENSIONS, ISOBAR_VERSION, IsobarKind};

/// How a scheme is made.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct IsobarSetup {
    /// `ISOBAR_VERSION`.
    pub version: u32,
    /// 32 or 64 bits a number; 0 for what `json` says.
    pub precision: u32,
    /// The name: `surface`, `ysu`, `shin_hong`, `radiation`, `radiation_adjoint`, `clear_sky`, `scattering`, `adding`,
    /// `adding_adjoint`, `chemistry` or `infrared`; `isobar_scheme_name` has them all.
    pub scheme: *const c_char,
    /// `thread` (the calling one), `cpu` (all threads), `cuda`, `cuda:1` (a number), `cuda:all` or `auto`; null for
    /// what `json` says, which is `cpu` where it says nothing.
    pub device: *const c_char,
    /// A JSON object, or null: `device`, `precision` (`"f32"`, `"f64"`), `threads`, `bad_items` (`"stop"`, `"flag"`,
    /// `"compute"`), `items_per_chunk`, and `tables`, an object with the files of the scheme. A device or a precision
    /// that is not that of the members above is an error, and so is more than one of `threads` on the device `thread`.
    pub json: *const c_char,
}

/// What a scheme says of a field. Its texts live as long as the scheme.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct IsobarField {
    /// `ISOBAR_VERSION`, set by the caller.
    pub version: u32,
    /// What its elements are: one of `IsobarKind`.
    pub kind: i32,
    /// The number of its dimensions besides the items.
    pub dimensions: i32,
    /// 1 if an input has to be given unless the options say otherwise (`isobar_need`); 0 for outputs.
    pub required: i32,
    /// The name.
    pub name: *const c_char,
    /// The unit as `UDUNITS` writes it.
    pub unit: *const c_char,
    /// A line of documentation.
    pub doc: *const c_char,
    /// The accepted range in words.
    pub accepted: *const c_char,
    /// The names of the dimensions, the slowest first.
    pub dimension: [*const c_char; ISOBAR_MOST_DIMENSIONS],
    /// The least accepted number; minus infinity where there is none.
    pub lowest: f64,
    /// The greatest one.
    pub highest: f64,
    /// CF's standard names, and a null pointer behind them.
    pub standard_names: *const *const c_char,
    /// Aliases in files, and a null pointer behind them.
    pub aliases: *const *const c_char,
}

/// A list of texts with a null pointer behind them.
struct Names {
    pointers: Vec<*const c_char>,
    _texts: Vec<CString>,
}

impl Names {
    fn new<'a>(names: impl IntoIterator<Item = &'a str>) -> Self {
        let texts: Vec<CString> = names.into_iter().map(to_c).collect();
        let pointers = texts.iter().map(|text| text.as_ptr()).chain([ptr::null()]).collect();
        Self { pointers, _texts: texts }
    }
}

/// A field with the texts that C gets.
struct Described {
    field: IsobarField,
    _texts: [CString; 4],
    _names: [Names; 3],
}

impl Described {
    fn new(declared: &Declared, precision: Element, is_output: bool) -> Self {
        let kind = match (declared.kind, precision) {
            (Kind::Word, _) => IsobarKind::Word,
            (Kind::Real, Element::F32) => IsobarKind::F32,
            (Kind::Real, _) => IsobarKind::F64,
        };
        let accepted = if is_output { String::new() } else { declared.accepted.to_string() };
        let texts = [declared.name, declared.unit, declared.doc.trim(), &accepted].map(to_c);
        let names = [
            Names::new(declared.shape.iter().map(|dimension| dimension.0)),
            Names::new(declared.standard_names.iter().copied()),
            Names::new(declared.aliases.iter().copied()),
        ];
        let mut dimension = [ptr::null(); ISOBAR_MOST_DIMENSIONS];
        dimension[..declared.shape.len()].copy_from_slice(&names[0].pointers[..declared.shape.len()]);
        let (lowest, highest) = declared.accepted.ends();
        let field = IsobarField {
            version: ISOBAR_VERSION,
            kind: kind as i32,
            dimensions: declared.shape.len() as i32,
            required: i32::from(!is_output && !declared.optional),
            name: texts[0].as_ptr(),
            unit: texts[1].as_ptr(),
            doc: texts[2].as_ptr(),
            accepted: texts[3].as_ptr(),
            dimension,
            lowest,
            highest,
            standard_names: names[1].pointers.as_ptr(),
            aliases: names[2].pointers.as_ptr(),
        };
        Self { field, _texts: texts, _names: names }
    }
}

/// The number of options that are kept, known by their text, to be read once.
const KNOWN_OPTIONS: usize = 16;

/// A scheme with its tables on its devices: `isobar_create` makes it, `isobar_destroy` gives it back. Any number of
/// threads may run it at the same time.
pub struct IsobarScheme {
    pub(crate) callable: Box<dyn Callable>,
    inputs: Vec<Described>,
    outputs: Vec<Described>,
    facts: CString,
    defaults: CString,
    known: Mutex<BTreeMap<String, Chosen>>,
}

// SAFETY: the pointers are to texts of its own, which nobody writes.
unsafe impl Send for IsobarScheme {}
// SAFETY: likewise.
unsafe impl Sync for IsobarScheme {}

impl IsobarScheme {
    fn new(callable: Box<dyn Callable>) -> Self {
        let described = |all: &'static [Declared], is_output| {
            let describe = |declared| Described::new(declared, callable.precision(), is_output);
            all.iter().map(describe).collect()
        };
        let (inputs, outputs) = (described(callable.inputs(), false), described(callable.outputs(), true));
        let facts = to_c(&callable.facts().to_string());
        let defaults = to_c(&Value::Object(callable.defaults().clone()).to_string());
        Self { callable, inputs, outputs, facts, defaults, known: Mutex::default() }
    }

    /// The options of a JSON text, or of none.
    ///
    /// # Safety
    /// `text` is null or ends with a 0.
    pub(crate) unsafe fn options(&self, text: *const c_char) -> Result<Chosen, Failure> {
        // SAFETY: the caller's promise.
        let text = if text.is_null() { "" } else { unsafe { read(text, "the options")? } };
        // What another thread left there when it panicked is whole.
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner).get(text).cloned();
        if let Some(known) = known {
            return Ok(known);
        }
        let chosen = self.callable.options(&object(text, "the options")?)?;
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= KNOWN_OPTIONS {
            known.clear();
        }
        known.insert(text.to_owned(), chosen.clone());
        Ok(chosen)
    }

    fn fields(&self, outputs: bool) -> &[Described] {
        if outputs { &self.outputs } else { &self.inputs }
    }
}

/// A scheme of the caller.
///
/// # Safety
/// `scheme` is null or of `isobar_create`, and not given back.
pub(crate) unsafe fn scheme_of<'a>(scheme: *const IsobarScheme) -> Result<&'a IsobarScheme, Failure> {
    // SAFETY: the caller's promise.
    unsafe { scheme.as_ref() }.ok_or_else(|| Failure::null("the scheme"))
}

/// The name of scheme number `index`, or null where there is none.
#[unsafe(no_mangle)]
pub extern "C" fn isobar_scheme_name(index: usize) -> *const c_char {
    const NAMES: [&std::ffi::CStr; SCHEMES.len()] = [
        c"ysu",
        c"radiation",
        c"clear_sky",
        c"scattering",
        c"chemistry",
        c"infrared",
        c"adding",
        c"adding_adjoint",
        c"surface",
        c"shin_hong",
        c"radiation_adjoint",
    ];
    NAMES.get(index).map_or(ptr::null(), |name| name.as_ptr())
}

/// Makes a scheme, and puts it into `scheme`: null where it fails.
///
/// # Safety
/// The pointers are null or to what they should be.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn isobar_create(setup: *const IsobarSetup, scheme: *mut *mut IsobarScheme) -> Status {
    guarded(|| {
        if scheme.is_null() {
            return Err(Failure::null("the place of the scheme"));
        }
        // SAFETY: not null, and the caller's promise.
        unsafe { scheme.write(ptr::null_mut()) };
        // SAFETY: the caller's promise.
        let setup = unsafe { setup.as_ref() }.ok_or_else(|| Failure::null("the setup"))?;
        if setup.version != ISOBAR_VERSION {
            return Err(Failure::version("the setup", setup.version));
        }
        // SAFETY: the caller's promise.
        let name = unsafe { read(setup.scheme, "the name of the scheme")? };
        let (mut all, mut given) = (Setup::default(), Map::new());
        if !setup.json.is_null() {
            // SAFETY: the caller's promise.
            let text = unsafe { read(setup.json, "the JSON text of the setup")? };
            given = object(text, "the JSON text of the setup")?;
            all = Setup::from_json(if text.trim().is_empty() { "{}" } else { text })?;
        }
        if !setup.device.is_null() {
            // SAFETY: the caller's promise.
            let device = unsafe { read(setup.device, "the device")? };
            if given.contains_key("device") && all.device != device {
                return Err(said_twice("the device", device, &all.device));
            }
            all.device = device.to_owned();
        }
        let precision = match setup.precision {
            0 => all.precision,
            32 => Element::F32,
            64 => Element::F64,
            other => return Err(Failure(Status::Value, format!("precision {other} is none of 32 and 64"))),
        };
        if given.contains_key("precision") && all.precision != precision {
            return Err(said_twice("the precision", precision.name(), all.precision.name()));
        }
        all.precision = precision;
        if all.threads > 1 && all.device == "thread" {
            let text =
                format!("threads is {}, and the device 'thread' is the calling one alone: take 'cpu'", all.threads);
            return Err(Failure(Status::Value, text));
        }
        let made = Box::new(IsobarScheme::new(open(name, &all)?));
        // SAFETY: not null, and the caller's promise.
        unsafe { scheme.write(Box::into_raw(made)) };
        Ok(Status::Ok)
    })
}

/// A member of the setup and its JSON text say different things.
fn said_twice(what: &str, member: &str, text: &str) -> Failure {
    Failure(Status::Value, format!("{what} of the setup is '{member}', and in its JSON text '{text}'"))
}

/// Gives a scheme back; nothing where it is null.
///
/// # Safety
/// `scheme` is null or of `isobar_create`, given back for the first time, and no other thread uses it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn isobar_destroy(scheme: *mut IsobarScheme) {
    if !scheme.is_null() {
        let _ = guarded(|| {
            // SAFETY: of `isobar_create`, and the caller's promise.
            drop(unsafe { Box::from_raw(scheme) });
            Ok(Status::Ok)
        });
    }
}

/// The number of inputs of a scheme, or of its outputs; 0 for no scheme.
///
/// # Safety
/// `scheme` is null or of `isobar_create`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn isobar_field_count(scheme: *const IsobarScheme, outputs: i32) -> usize {
    // SAFETY: the caller's promise.
    unsafe { scheme.as_ref() }.map_or(0, |scheme| scheme.fields(outputs != 0).len())
}

/// What a scheme says of input number `index`, or of an output.
///
/// # Safety
/// The pointers are null or to what they should be.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn isobar_describe(
    scheme: *const IsobarScheme,
    outputs: i32,
    index: usize,
    field: *mut IsobarField,
) -> Status {
    guarded(|| {
        // SAFETY: the caller's promise.
        let scheme = unsafe { scheme_of(scheme)? };
        if field.is_null() {
            return Err(Failure::null("the place of the field"));
        }
        // SAFETY: not null; an int that the caller has set.
        let version = unsafe { ptr::addr_of!((*field).version).read() };
        if version != ISOBAR_VERSION {
            return Err(Failure::version("the field", version));
        }
        let all = scheme.fields(outputs != 0);
        let described = all.get(index).ok_or_else(|| {
            let what = if outputs != 0 { "outputs" } else { "inputs" };
            Failure(Status::Value, format!("there is no field {index} among {} {what}", all.len()))
        })?;
        // SAFETY: not null, and the caller's promise.
        unsafe { field.write(described.field) };
        Ok(Status::Ok)
    })
}

/// What options, a JSON text or null, make of input number `index`: 2 it is needed, 1 it may be given, 0 it is not
/// read; or a negative status.
///
/// # Safety
/// The pointers are null or to what they should be.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn isobar_need(scheme: *const IsobarScheme, options: *const c_char, index: usize) -> i32 {
    let mut need = 0;
    let status = guarded(|| {
        // SAFETY: the caller's promise.
        let scheme = unsafe { scheme_of(scheme)? };
        // SAFETY: likewise.
        let options = unsafe { scheme.options(options)? };
        let all = scheme.callable.inputs();
        let declared = all
            .get(index)
            .ok_or_else(|| Failure(Status::Value, format!("there is no field {index} among {} inputs", all.len())))?;
        need = need_number(&*scheme.callable, declared, &options);
        Ok(Status::Ok)
    });
    if status == Status::Ok { need } else { status as i32 }
}

fn need_number(callable: &dyn Callable, declared: &Declared, options: &Chosen) -> i32 {
    match callable.need(declared, options) {
        Need::Required => 2,
        Need::Optional => 1,
        Need::Ignored => 0,
    }
}

/// What the files of a scheme say, such as the names of species, as a JSON text that lives as long as the scheme; null
/// for no scheme.
///
/// # Safety
/// `scheme` is null or of `isobar_create`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn isobar_facts(scheme: *const IsobarScheme) -> *const c_char {
    // SAFETY: the caller's promise.
    match unsafe { scheme_of(scheme) } {
        Ok(scheme) => scheme.facts.as_ptr(),
        Err(Failure(_, message)) => {
            keep(message);
            ptr::null()
        }
    }
}

/// All options with what they are unless they are given, as a JSON text that lives as long as the scheme; null for no
/// scheme. An option that is null has to be given. In a group, an object among the options as `options` of chemistry,
/// null is what need not be given, and is off or follows from the others. What a group has may be given by its own
/// name, once.
///
/// # Safety
/// `scheme` is null or of `isobar_create`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn isobar_defaults(scheme: *const IsobarScheme) -> *const c_char {
    // SAFETY: the caller's promise.
    match unsafe { scheme_of(scheme) } {
        Ok(scheme) => scheme.defaults.as_ptr(),
        Err(Failure(_, message)) => {
            keep(message);
            ptr::null()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::isobar_scheme_name;
    use isobar_interface::SCHEMES;

    #[test]
    fn names_are_those_of_the_schemes() {
        for (index, name) in SCHEMES.iter().enumerate() {
            // SAFETY: a constant.
            let text = unsafe { std::ffi::CStr::from_ptr(isobar_scheme_name(index)) };
            assert_eq!(text.to_str(), Ok(*name));
        }
        assert!(isobar_scheme_name(SCHEMES.len()).is_null());
    }
}
