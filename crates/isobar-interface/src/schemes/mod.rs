//! How each scheme is made of its files.

mod adding;
mod boundary_layer;
mod chemistry;
mod infrared;
mod radiation;
mod radiation_options;
mod sensitivity;
mod shin_hong;
mod surface;
mod ysu;

use isobar_core::fields::{Declared, InputSet, OutputSet};
use isobar_launch::{BadItems, Model, Outputs, Scheme, parse_devices};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::array::Element;
use crate::callable::Callable;
use crate::error::CallError;
use crate::options;
use crate::wrapped::{Parts, Wrapped};
pub use infrared::{ATMOSPHERE, check_windows, missing_gases};
pub use sensitivity::Sensitivity;

/// The names of the schemes.
pub const SCHEMES: [&str; 11] = [
    "ysu",
    "radiation",
    "clear_sky",
    "scattering",
    "chemistry",
    "infrared",
    "adding",
    "adding_adjoint",
    "surface",
    "shin_hong",
    "radiation_adjoint",
];

/// How a scheme is made. As JSON: `{"device": "cpu", "precision": "f32", "tables": {"mechanism": "small_strato.kpp"}}`.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Setup {
    /// `thread` (the calling one), `cpu`, `cuda`, `cuda:1` (a number), `cuda:all` or `auto`. Unless it is given: `cpu`.
    pub device: String,
    /// [`Element::F64`] unless it is given.
    pub precision: Element,
    /// CPU threads, as many as there are cores for 0.
    pub threads: usize,
    /// What becomes of items that are not valid: `stop` unless it is given, `flag` or `compute`.
    #[serde(with = "BadItemsByName")]
    pub bad_items: BadItems,
    /// The items that a GPU computes at a time; the results do not depend on it.
    pub items_per_chunk: Option<usize>,
    /// The files of the scheme, by name: see [`open`].
    pub tables: Map<String, Value>,
}

/// [`BadItems`] by name.
#[derive(Deserialize)]
#[serde(remote = "BadItems", rename_all = "snake_case")]
enum BadItemsByName {
    Stop,
    Flag,
    Compute,
}

impl Default for Setup {
    fn default() -> Self {
        Self {
            device: "cpu".to_owned(),
            precision: Element::F64,
            threads: 0,
            bad_items: BadItems::Stop,
            items_per_chunk: None,
            tables: Map::new(),
        }
    }
}

impl Setup {
    /// Reads a setup from JSON.
    ///
    /// # Errors
    /// [`CallError::Setup`]: what is no JSON, or an entry that is none.
    pub fn from_json(text: &str) -> Result<Self, CallError> {
        let given = serde_json::from_str(text).map_err(|error| CallError::Setup(format!("setup: {error}")))?;
        options::entries("setup", &given)
    }

    /// The tables as a scheme's structure.
    fn tables<T: DeserializeOwned>(&self, scheme: &str) -> Result<T, CallError> {
        serde_json::from_value(Value::Object(self.tables.clone()))
            .map_err(|error| CallError::Setup(format!("tables of {scheme}: {error}")))
    }

    /// Refuses GPUs for what is computed on CPUs alone.
    fn on_cpus(&self, what: &str) -> Result<Vec<isobar_launch::Device>, CallError> {
        let devices = parse_devices(&self.device)?;
        match devices.iter().find(|device| !device.is_cpu()) {
            Some(device) => Err(CallError::Setup(format!("{what} computed on CPUs, not on {device}"))),
            None => Ok(devices),
        }
    }

    /// A scheme on the devices.
    fn wrap<S: Scheme>(
        &self,
        on: impl FnOnce(&[isobar_launch::Device]) -> Model<S>,
        mut parts: Parts<S>,
    ) -> Result<Box<dyn Callable>, CallError> {
        let mut model = on(&parse_devices(&self.device)?).bad_items(self.bad_items);
        if let Some(items) = self.items_per_chunk {
            model = model.items_per_chunk(items);
        }
        (parts.threads, parts.bad_items) = (self.threads, self.bad_items);
        Ok(Box::new(Wrapped::new(model, parts)))
    }
}

/// A scheme by name.
///
/// | scheme | tables |
/// |---|---|
/// | `ysu`, `shin_hong`, `surface` | none |
/// | `radiation`, `radiation_adjoint` | `k_distributions`: one or two files of RRTMGP, ecCKD, RRTMG_LW or our own, or `analytic`, RRTMG_LW's made up for tests; `clouds`: files; `roughness` of ice: `smooth`, `medium`, `rough`; `aerosols`: files; `rain_as_liquid`, `snow_as_ice` |
/// | `clear_sky`, `scattering`, `adding`, `adding_adjoint` | none |
/// | `chemistry` | `mechanism`: a file in KPP's language; `include`: folders; `sun_from_time` |
/// | `infrared` | `control`: a JURASSIC control file; `settings`: values that replace its own; `jurassic_exact` |
///
/// # Errors
/// No such scheme, tables that are none or cannot be read, devices that are not there.
pub fn open(name: &str, setup: &Setup) -> Result<Box<dyn Callable>, CallError> {
    if setup.precision == Element::U32 {
        return Err(CallError::Setup("a precision is f32 or f64".to_owned()));
    }
    match (name, setup.precision == Element::F32) {
        ("ysu", true) => ysu::open::<f32>(setup),
        ("ysu", false) => ysu::open::<f64>(setup),
        ("shin_hong", true) => shin_hong::open::<f32>(setup),
        ("shin_hong", false) => shin_hong::open::<f64>(setup),
        ("radiation", true) => radiation::open::<f32>(setup),
        ("radiation", false) => radiation::open::<f64>(setup),
        ("radiation_adjoint", true) => radiation::open_adjoint::<f32>(setup),
        ("radiation_adjoint", false) => radiation::open_adjoint::<f64>(setup),
        ("clear_sky", true) => adding::open_clear_sky::<f32>(setup),
        ("clear_sky", false) => adding::open_clear_sky::<f64>(setup),
        ("scattering", true) => adding::open_scattering::<f32>(setup),
        ("scattering", false) => adding::open_scattering::<f64>(setup),
        ("adding", true) => adding::open_adding::<f32>(setup),
        ("adding", false) => adding::open_adding::<f64>(setup),
        ("adding_adjoint", true) => adding::open_adding_adjoint::<f32>(setup),
        ("adding_adjoint", false) => adding::open_adding_adjoint::<f64>(setup),
        ("chemistry", _) => chemistry::open(setup),
        ("infrared", true) => infrared::open::<f32>(setup),
        ("infrared", false) => infrared::open::<f64>(setup),
        ("surface", true) => surface::open::<f32>(setup),
        ("surface", false) => surface::open::<f64>(setup),
        _ => Err(CallError::name("scheme", name, SCHEMES)),
    }
}

/// What is declared of a scheme, whatever its files.
#[derive(Clone, Debug)]
pub struct DeclaredScheme {
    /// Its name.
    pub name: &'static str,
    /// What it reads.
    pub inputs: &'static [Declared],
    /// What it writes.
    pub outputs: &'static [Declared],
    /// What an item is.
    pub item_name: &'static str,
    /// Do layers and levels go from the top down?
    pub top_first: bool,
    /// All options with their defaults; null for those that have to be given, in a group for those that are off or
    /// follow from others.
    pub defaults: Map<String, Value>,
}

/// What is declared of a scheme.
///
/// # Errors
/// [`CallError::Name`].
pub fn declared(name: &str) -> Result<DeclaredScheme, CallError> {
    fn of<S: Scheme>(name: &'static str, defaults: Map<String, Value>) -> DeclaredScheme {
        DeclaredScheme {
            name,
            inputs: <S::Inputs<'_>>::DECLARED,
            outputs: <Outputs<'_, S>>::DECLARED,
            item_name: S::ITEM,
            top_first: S::TOP_FIRST,
            defaults,
        }
    }
    Ok(match name {
        "ysu" => of::<isobar_ysu::Ysu<f64>>("ysu", ysu::defaults()),
        "shin_hong" => of::<isobar_ysu::ShinHong<f64>>("shin_hong", shin_hong::defaults()),
        "radiation" => of::<isobar_radiation::Radiation<f64>>("radiation", radiation::defaults()),
        "radiation_adjoint" => {
            of::<isobar_radiation::RadiationAdjoint<f64>>("radiation_adjoint", radiation::defaults())
        }
        "clear_sky" => of::<isobar_adding::ClearSky<f64>>("clear_sky", adding::clear_sky_defaults()),
        "scattering" => of::<isobar_adding::Scattering<f64>>("scattering", adding::scattering_defaults()),
        "adding" => of::<isobar_adding::Adding<f64>>("adding", adding::adding_defaults()),
        "adding_adjoint" => of::<isobar_adding::AddingAdjoint<f64>>("adding_adjoint", adding::adding_defaults()),
        "chemistry" => of::<isobar_rosenbrock::Chemistry>("chemistry", chemistry::defaults()),
        "infrared" => of::<isobar_ega::launch::Infrared<f64>>("infrared", infrared::defaults()),
        "surface" => of::<isobar_surface::SurfaceLayer<f64>>("surface", surface::defaults()),
        _ => return Err(CallError::name("scheme", name, SCHEMES)),
    })
}

/// Options as JSON; those named have to be given.
fn as_defaults(options: &impl Serialize, required: &[&str]) -> Map<String, Value> {
    let Ok(Value::Object(mut all)) = serde_json::to_value(options) else { unreachable!("options are a structure") };
    for &name in required {
        assert!(all.insert(name.to_owned(), Value::Null).is_some(), "there is an option {name}");
    }
    all
}

/// What a file's reader says.
fn of_file(error: isobar_io::Error) -> CallError {
    CallError::File(match error {
        isobar_io::Error::MissingGases { place, names } => {
            let missing = names.join(", ");
            format!(
                "{place}: gases are missing: {missing}; give each a constant (gases), or take all that are missing \
                 for zero (assume_zero)"
            )
        }
        other => other.to_string(),
    })
}

/// A scheme whose options are read as they are.
fn parts<S: Scheme>(name: &'static str, defaults: Map<String, Value>, facts: Value) -> Parts<S>
where
    S::Options: DeserializeOwned,
{
    let own = defaults.clone();
    Parts {
        name,
        threads: 0,
        bad_items: BadItems::Stop,
        defaults,
        facts,
        notes: Vec::new(),
        read: Box::new(move |given| Ok((options::read(&own, given)?, Vec::new()))),
        file: None,
    }
}
