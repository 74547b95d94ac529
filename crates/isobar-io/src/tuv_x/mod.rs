//! TUV-x's configuration as tables of photolysis: wavelength grid, the Sun, absorbers, cross-sections, quantum yields.
//!
//! Read of the JSON file: `grids` the one of `wavelength`; `profiles` the `extraterrestrial flux`; of `radiative
//! transfer` the cross-sections of `O3` and `O2`; `photolysis` all reactions. What it names is looked for in its folder
//! and up to four above. Data files are NetCDF: `wavelength` \[nm\], `cross_section_parameters` \[cm^2\] or
//! `quantum_yield_parameters`, with wavelengths as the last dimension, and `temperature` \[K\].
//!
//! Spectra are averaged over the bins as TUV-x's interpolator `conserving` does it; for others this is noted. A
//! reaction whose cross-section or quantum yield is of a kind that is not read is left out, with a note; so are bands
//! of O2, aerosols, and heights and profiles, which columns bring.

mod cross_sections;
mod data;
mod object;
mod ozone;
mod parametrised;
mod quantum_yields;
mod spectrum;
mod sun;

use std::path::{Path, PathBuf};

use isobar_photolysis::Tables;
use serde_json::Value;

use crate::error::{Error, Place};
use object::{Object, Source};

/// What a configuration says.
#[derive(Clone, Debug)]
pub struct TuvX {
    /// Bins, absorbers, reactions.
    pub tables: Tables,
    /// What was left out or is taken otherwise, a line each.
    pub notes: Vec<String>,
    /// The files that were read, the configuration first.
    pub files: Vec<PathBuf>,
}

/// What may depend on the temperature \[K\]: a number a bin.
type Law = Box<dyn Fn(f64) -> Vec<f64>>;

/// A quantum yield by temperature, and what air quenches of it \[cm^3\].
struct Yield {
    value: Law,
    quenching: Law,
}

/// The temperature of oxygen's cross-sections, which hardly depend on it \[K\].
const OXYGEN_K: f64 = 250.0;

/// A law at the temperatures of the tables' nodes.
struct AtNodes(Vec<(f64, Vec<f64>)>);

impl AtNodes {
    fn of(law: &Law) -> Self {
        Self(Tables::nodes_k().into_iter().map(|t| (t, law(t))).collect())
    }

    /// The number of a bin at a node's temperature.
    fn at(&self, bin: usize, t: f64) -> f64 {
        self.0.iter().find(|(node, _)| *node == t).map_or(f64::NAN, |(_, values)| values[bin])
    }
}

/// Why something is not read: what it is, or an error of a file.
enum Unread {
    Kind(String),
    Error(Error),
}

impl From<Error> for Unread {
    fn from(error: Error) -> Self {
        Self::Error(error)
    }
}

/// What readers of laws share.
struct Reading<'a> {
    /// Edges of the bins \[nm\].
    edges: &'a [f64],
    notes: Vec<String>,
}

impl Reading<'_> {
    fn middles(&self) -> Vec<f64> {
        self.edges.windows(2).map(|edges| 0.5 * (edges[0] + edges[1])).collect()
    }

    /// Notes a thing once.
    fn note(&mut self, text: String) {
        if !self.notes.contains(&text) {
            self.notes.push(text);
        }
    }
}

/// Reads a configuration of TUV-x.
///
/// # Errors
/// A file cannot be read, or is none; the wavelength grid, the Sun or the reactions are missing; a number is out of its
/// range.
pub fn read_tuv_x(path: &Path) -> Result<TuvX, Error> {
    let invalid = |problem: String| Error::invalid(Place::File(path.to_owned()), problem);
    let bytes = crate::text::read_bytes(path)?;
    let value: Value = serde_json::from_slice(&bytes).map_err(|cause| invalid(cause.to_string()))?;
    let source = Source::new(path);
    let root = Object::new(&source, &value, "the configuration")?;
    let grid = root.named("grids", "wavelength")?;
    let edges = sun::edges(&grid)?;
    let mut reading = Reading { edges: &edges, notes: vec![] };
    let photons = sun::photons(&root.named("profiles", "extraterrestrial flux")?, &mut reading)?;
    let mut tables = Tables::new(edges.clone(), photons).map_err(|error| invalid(error.to_string()))?;
    let transfer = root.object("radiative transfer")?;
    let wrong = |name: &str, error: isobar_photolysis::Error| invalid(format!("{name}: {error}"));
    for name in ["O3", "O2"] {
        let Ok(object) = transfer.named("cross sections", name) else {
            reading.note(format!("{name} does not absorb: it has no cross-section in \"radiative transfer\""));
            continue;
        };
        let law = match cross_sections::read(&object, &mut reading) {
            Ok(law) => law,
            Err(Unread::Error(error)) => return Err(error),
            Err(Unread::Kind(what)) => return Err(object.invalid(&format!("{what} is not read"))),
        };
        tables = if name == "O3" {
            let nodes = AtNodes::of(&law);
            tables.ozone_by_bin(|bin, t| nodes.at(bin, t)).map_err(|error| wrong(name, error))?
        } else {
            let all = law(OXYGEN_K);
            tables.oxygen_by_bin(|bin| all[bin]).map_err(|error| wrong(name, error))?
        };
    }
    let radiators = transfer.list("radiators").unwrap_or_default();
    for other in radiators.iter().filter_map(|radiator| radiator.text("name").ok()) {
        if !["air", "O2", "O3"].contains(&other.as_str()) {
            reading.note(format!("{other} does not absorb or scatter here"));
        }
    }
    for reaction in root.object("photolysis")?.list("reactions")? {
        let name = reaction.text("name")?;
        let laws = cross_sections::read(&reaction.object("cross section")?, &mut reading)
            .and_then(|law| Ok((law, quantum_yields::read(&reaction.object("quantum yield")?, &mut reading)?)));
        let (law, own) = match laws {
            Ok(laws) => laws,
            Err(Unread::Error(error)) => return Err(error),
            Err(Unread::Kind(what)) => {
                reading.note(format!("{name} is left out: {what} is not read"));
                continue;
            }
        };
        let factor = reaction.number("scaling factor").unwrap_or(1.0);
        let [law, value, quenching] = [&law, &own.value, &own.quenching].map(AtNodes::of);
        let of = |bin: usize, t: f64| {
            let [law, value, quenching] = [&law, &value, &quenching].map(|nodes| nodes.at(bin, t).max(0.0));
            (factor * law * value, quenching)
        };
        tables = tables.reaction_by_bin(&name, of).map_err(|error| wrong(&name, error))?;
    }
    if tables.reactions().is_empty() {
        return Err(invalid("none of its reactions can be read".to_owned()));
    }
    Ok(TuvX { tables, notes: reading.notes, files: source.into_files() })
}
