//! Cells of GEOS-Chem's restart files, with what they lack from further files of the same grid.
//!
//! | variable | dimensions | unit | range |
//! |---|---|---|---|
//! | `SpeciesRst_NAME`, `SPC_NAME` | `lev, lat, lon` (1) | `mol mol-1 dry` | -1 to 1 |
//! | `Met_TMPU1`, `Met_T`, `TMPU1`, `air_temperature`, `TEMP` | the same or fewer | K | 100 to 400 |
//! | `Met_PMID`, `PMID`, `air_pressure` (2) | the same or fewer | hPa, Pa | above 0 to 1e6 Pa |
//! | `hyam`, `hybm` | `lev` | 1, hPa, Pa | |
//! | `Met_PS1WET`, `Met_PSC2WET`, `PS` | `lat, lon` | hPa, Pa | above 0 to 1e6 Pa |
//! | `Met_AIRNUMDEN`, `number_density` (3) | the same or fewer | `molec cm-3` | above 0 to 1e21 |
//! | `Met_SPHU1`, `Met_SPHU` (3) | the same or fewer | `g kg-1`, `kg kg-1` | 0 to 1 kg/kg |
//! | `Chem_KPPHvalue`, `KPPHvalue` | the same or fewer | s, 1 | 0 to infinity |
//! | inputs of the rate formulas, by their names | the same or fewer | what converts to that of the mechanism | `SUN` 0 to 1 |
//!
//! 1. And `time`, of size 1, as all others. Cells run along longitudes, then latitudes, then levels from the ground.
//!    Further files may have dimensions the other way: their coordinates say so. Other coordinates are an error.
//! 2. Or `hyam` + `hybm` times the surface's pressure.
//! 3. Mole fractions are of dry air. Without its number density it is that of the air less its water: by the specific
//!    humidity, or by the file's own species `H2O`.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use isobar_core::constants::BOLTZMANN_J_PER_K;

use super::ranges::{DENSEST, DENSITY_NAMES};
use super::request::{ChemistryRequest, plain};
use super::same_grid::Beside;
use super::series::Series;
use super::units;
use super::{CellFact, ChemistryInput, ModelRun, below_zero};
use crate::error::{Error, Place};
use crate::netcdf::{Accepted, Array, Dataset, ItemGrid};

/// What the names of species begin with: in GEOS-Chem's own files, and in those of its high-performance form.
const PREFIXES: [&str; 2] = ["SpeciesRst_", "SPC_"];
const TIME: &str = "time";
/// Molar masses of water and dry air, as GEOS-Chem has them \[g/mol\].
const WATER_G_MOL: f64 = 18.016;
const DRY_AIR_G_MOL: f64 = 28.9644;

/// Units of a quantity with their factors to ours, and what is accepted in ours.
type Units = (&'static [(&'static str, f64)], [f64; 2]);
const FRACTION: Units =
    (&[("mol mol-1 dry", 1.0), ("mol mol-1", 1.0), ("mol/mol", 1.0), ("v/v", 1.0), ("1", 1.0)], [-1.0, 1.0]);
const KELVIN: Units = (&[("K", 1.0)], [100.0, 400.0]);
const PASCAL: Units = (&[("hPa", 100.0), ("mb", 100.0), ("mbar", 100.0), ("Pa", 1.0)], [f64::MIN_POSITIVE, 1e6]);
const DENSITY: Units = (
    &[("molec cm-3", 1.0), ("molec/cm3", 1.0), ("molecule cm-3", 1.0), ("molecules cm-3", 1.0), ("cm-3", 1.0)],
    [f64::MIN_POSITIVE, DENSEST],
);
const HUMIDITY: Units = (&[("g kg-1", 1e-3), ("g/kg", 1e-3), ("kg kg-1", 1.0), ("kg/kg", 1.0), ("1", 1.0)], [0.0, 1.0]);
const SUNLIGHT: Units = (&[("1", 1.0)], [0.0, 1.0]);
const SECONDS: Units = (&[("s", 1.0), ("1", 1.0)], [0.0, f64::MAX]);

/// Does a file look like a restart file? One that cannot be read does not.
#[must_use]
pub fn is_restart(path: &Path) -> bool {
    crate::netcdf::is_netcdf(path)
        && Dataset::open(path).is_ok_and(|file| file.names().any(|name| name.starts_with(PREFIXES[0]) || is_spc(name)))
}

/// Other models' files have names in `SPC_`, too, but hardly one of ozone or water alone.
fn is_spc(name: &str) -> bool {
    ["SPC_O3", "SPC_H2O", "SPC_CO"].contains(&name)
}

/// The files, and what of them was used.
struct Files {
    all: Vec<Dataset>,
    used: BTreeSet<(usize, String)>,
    /// Names and sizes of the cells' dimensions, slowest first.
    grid: Vec<(String, usize)>,
    /// Which of them run the other way, by file.
    turned: Vec<Vec<bool>>,
}

impl Files {
    fn open(paths: &[PathBuf]) -> Result<Self, Error> {
        let all = paths.iter().map(|path| Dataset::open(path)).collect::<Result<Vec<_>, _>>()?;
        let is_species = |name: &&str| PREFIXES.iter().any(|prefix| name.starts_with(prefix));
        let first = all[0].names().find(is_species).map(str::to_owned).unwrap_or_default();
        let grid = all[0].dimensions_of(&first).unwrap_or_default();
        let grid: Vec<_> = grid.into_iter().filter(|(name, _)| name != TIME).collect();
        if grid.is_empty() {
            return Err(invalid(&all[0], format!("{first} has no dimension but time: no cells")));
        }
        let turned = vec![vec![false; grid.len()]];
        Ok(Self { all, used: BTreeSet::new(), grid, turned })
    }

    /// Compares the further files with the first.
    fn compare(&mut self, derived: &mut Vec<String>) -> Result<Vec<String>, Error> {
        let mut contradictions = vec![];
        for other in &self.all[1..] {
            let beside = Beside::of(&self.all[0], other, &self.grid)?;
            derived.extend(beside.told);
            contradictions.extend(beside.contradiction);
            self.turned.push(beside.turned);
        }
        Ok(contradictions)
    }

    fn cells(&self) -> usize {
        self.grid.iter().map(|(_, size)| size).product()
    }

    /// The first of these names that a file has, in any case: the earlier file first.
    fn find(&self, names: &[&str]) -> Option<(usize, String)> {
        names.iter().find_map(|wanted| {
            self.all.iter().enumerate().find_map(|(number, file)| {
                let name = file.names().find(|name| name.eq_ignore_ascii_case(wanted))?;
                Some((number, name.to_owned()))
            })
        })
    }

    /// A variable in our unit, a value a cell; in its own unit if nothing is known of that.
    fn read(&mut self, (number, name): (usize, String), units: Option<Units>) -> Result<Vec<f64>, Error> {
        let file = &self.all[number];
        let dimensions = file.dimensions_of(&name).unwrap_or_default();
        if let Some((_, times)) = dimensions.iter().find(|(dimension, size)| dimension == TIME && *size != 1) {
            let problem = format!("{name} has {times} times; cells start from one: choose it before");
            return Err(invalid(file, problem));
        }
        let own: Vec<&str> = dimensions.iter().map(|(dimension, _)| dimension.as_str()).collect();
        let array = Array { name: &name, dimensions: &own, unit: "1", states_unit: false, accepted: Accepted::FINITE };
        let values = file.numbers(&array)?;
        // How far apart neighbours of the grid are in this variable; 0 along what it leaves out.
        let mut steps = vec![0; self.grid.len()];
        let mut step = 1;
        for (dimension, size) in dimensions.iter().rev() {
            match self.grid.iter().position(|(known, known_size)| known == dimension && known_size == size) {
                Some(place) => steps[place] = step,
                None if *size == 1 => {}
                None => {
                    let grid: Vec<String> = self.grid.iter().map(|(name, size)| format!("{name} = {size}")).collect();
                    let problem =
                        format!("{name} has dimension {dimension} = {size}; the cells have {}", grid.join(", "));
                    return Err(invalid(file, problem));
                }
            }
            step *= size;
        }
        let factor = match units {
            None => 1.0,
            Some((known, _)) => {
                let unit = file.units_of(&name).unwrap_or_else(|| "1".to_owned());
                let found = known.iter().find(|(text, _)| *text == unit.trim());
                let (_, factor) = found.ok_or_else(|| {
                    let texts: Vec<_> = known.iter().map(|(text, _)| *text).collect();
                    invalid(file, format!("units of {name} are {unit:?}; expected one of {}", texts.join(", ")))
                })?;
                *factor
            }
        };
        let mut cells = Vec::with_capacity(self.cells());
        for cell in 0..self.cells() {
            let (mut rest, mut place) = (cell, 0);
            for (((_, size), step), turned) in self.grid.iter().zip(&steps).zip(&self.turned[number]).rev() {
                let along = rest % size;
                place += if *turned { size - 1 - along } else { along } * step;
                rest /= size;
            }
            let value = factor * values[place];
            if let Some((_, [low, high])) = units.filter(|(_, [low, high])| !(low..=high).contains(&&value)) {
                let problem = format!("{name} of cell {cell} is {value}, not between {low:e} and {high:e}");
                return Err(invalid(file, problem));
            }
            cells.push(value);
        }
        self.used.insert((number, name));
        Ok(cells)
    }

    /// The first of these names that is there, a value a cell.
    fn maybe(&mut self, names: &[&str], units: Units) -> Result<Option<Vec<f64>>, Error> {
        self.find(names).map(|found| self.read(found, Some(units))).transpose()
    }

    /// Pressure in the middles of layers by the model's levels \[Pa\], in words what it is made of.
    fn hybrid(&mut self) -> Result<Option<(Vec<f64>, String)>, Error> {
        let (Some(a), Some(b)) = (self.find(&["hyam"]), self.find(&["hybm"])) else { return Ok(None) };
        let Some(surface) = self.find(&["Met_PS1WET", "Met_PSC2WET", "PS"]) else { return Ok(None) };
        let (file, surface_name) = (a.0, surface.1.clone());
        let surface = self.read(surface, Some(PASCAL))?;
        let unit = self.all[file].units_of("hyam").unwrap_or_default();
        let (mut first, second) = (self.read(a, None)?, self.read(b, None)?);
        let factor = match PASCAL.0.iter().find(|(text, _)| *text == unit.trim()) {
            Some((_, factor)) => *factor,
            None => self.reference(&first, &second)?,
        };
        first.iter_mut().for_each(|a| *a *= factor);
        let pressure: Vec<f64> =
            first.iter().zip(&second).zip(&surface).map(|((a, b), surface)| a + b * surface).collect();
        if let Some(cell) = pressure.iter().position(|p| !(p > &0.0 && p <= &PASCAL.1[1])) {
            let problem = format!("hyam + hybm {surface_name} of cell {cell} is {} Pa", pressure[cell]);
            return Err(invalid(&self.all[file], problem));
        }
        Ok(Some((pressure, format!("pressure is hyam + hybm {surface_name}"))))
    }

    /// What `hyam` without a unit of pressure is multiplied by \[Pa\]: the coordinate `lev` says whether it is in hPa
    /// or parts of 1000 hPa.
    fn reference(&mut self, a: &[f64], b: &[f64]) -> Result<f64, Error> {
        const REFERENCE_HPA: f64 = 1000.0;
        let Some(found) = self.find(&["lev"]) else {
            return Err(invalid(
                &self.all[0],
                "hyam has no unit of pressure, and there is no lev to tell it by".into(),
            ));
        };
        let levels = self.read(found, None)?;
        let fits = |size: f64| {
            a.iter().zip(b).zip(&levels).all(|((a, b), level)| (a / size + b - level).abs() < 1e-4 + 1e-3 * level.abs())
        };
        match (fits(REFERENCE_HPA), fits(1.0)) {
            (true, _) => Ok(100.0),
            (_, true) => Ok(100.0 * REFERENCE_HPA),
            _ => Err(invalid(&self.all[0], "hyam has no unit of pressure, and lev is not hyam/1000 hPa + hybm".into())),
        }
    }
}

fn invalid(file: &Dataset, problem: String) -> Error {
    Error::invalid(Place::File(file.path().to_owned()), problem)
}

/// Reads restart files for a mechanism.
pub(super) fn read(paths: &[PathBuf], request: &ChemistryRequest<'_>) -> Result<ChemistryInput, Error> {
    let mut files = Files::open(paths)?;
    let (cells, mut derived) = (files.cells(), Vec::new());
    let sizes: Vec<String> = files.grid.iter().map(|(name, size)| format!("{size} {name}")).collect();
    derived.push(format!("{cells} cells of a GEOS-Chem restart file: {}", sizes.join(" x ")));
    let mut contradictions = files.compare(&mut derived)?;
    let temperature = match request.given("TEMP", &mut derived) {
        Some(value) => vec![value; cells],
        None => files
            .maybe(&["Met_TMPU1", "Met_T", "TMPU1", "air_temperature", "TEMP"], KELVIN)?
            .ok_or_else(|| lacks(&files, "temperature (Met_TMPU1, Met_T, air_temperature)", "TEMP=K"))?,
    };
    let pressure = match request.given("PRESS", &mut derived) {
        Some(value) => vec![value; cells],
        None => match files.maybe(&["Met_PMID", "PMID", "air_pressure"], PASCAL)? {
            Some(pressure) => pressure,
            None => {
                let found = files.hybrid()?;
                let what = "pressure (Met_PMID, air_pressure, or hyam, hybm and Met_PS1WET)";
                let (pressure, words) = found.ok_or_else(|| lacks(&files, what, "PRESS=PA"))?;
                derived.push(words);
                pressure
            }
        },
    };
    let of_names = DENSITY_NAMES.iter().find_map(|name| request.given(name, &mut derived));
    let of_cfactor = || Some(request.given("cfactor", &mut derived)? / request.part_of_air?);
    let dry = match of_names.or_else(of_cfactor) {
        Some(given) => vec![given; cells],
        None => dry_air(&mut files, (&temperature, &pressure), &mut derived)?,
    };
    let row = Series::of_cells;
    let density = row(dry.clone());
    let (mut concentrations, mut mole_fractions) = (Vec::new(), Vec::new());
    for &(name, initial) in request.species {
        let names = PREFIXES.map(|prefix| format!("{prefix}{name}"));
        let found = files.find(&names.each_ref().map(String::as_str));
        mole_fractions.push(found.is_some());
        concentrations.push(row(match found {
            Some(found) => {
                let fractions = files.read(found, Some(FRACTION))?;
                fractions.iter().zip(&dry).map(|(fraction, dry)| fraction * dry).collect()
            }
            None => request.initial(initial, Some(&density)).at(&[], 0.0, cells),
        }));
    }
    let names = request.species.iter().map(|(name, _)| name);
    derived.extend(names.zip(&concentrations).filter_map(|(name, series)| below_zero(name, series)));
    contradictions.extend(request.held_air(&mole_fractions, &density));
    derived.extend(request.initial_in_words(&mole_fractions, Some(&density)));
    let mut inputs = Vec::new();
    for &(name, default) in request.inputs {
        let known = match name.to_lowercase().as_str() {
            "temp" => Some(temperature.clone()),
            // As GEOS-Chem's rate laws have it.
            "press" => Some(pressure.iter().map(|pascal| pascal / 100.0).collect()),
            lower => match request.part_of_density(lower) {
                Some(part) => Some(dry.iter().map(|dry| part * dry).collect()),
                None => request.given(name, &mut derived).map(|value| vec![value; cells]),
            },
        };
        let found = files.find(&[name, &plain(name)]);
        inputs.push(match (known, found, default) {
            (Some(values), ..) => row(values),
            (None, Some(found), _) if name.eq_ignore_ascii_case("SUN") => row(files.read(found, Some(SUNLIGHT))?),
            (None, Some(found), _) => {
                let (number, variable) = found.clone();
                let own = row(files.read(found, None)?);
                let file = &files.all[number];
                let unit = file.units_of(&variable).unwrap_or_else(|| "1".to_owned());
                let read =
                    units::of_rates(request.rate_input(name), (&variable, &unit), own, Some(&density), &mut derived);
                read.map_err(|problem| invalid(file, problem))?
            }
            (None, None, Some(value)) => {
                derived.push(format!("{name} = {value}, as the mechanism has it"));
                Series::constant(value)
            }
            (None, None, None) => return Err(lacks(&files, name, &format!("{name}=VALUE"))),
        });
    }
    let first_steps = files.maybe(&["Chem_KPPHvalue", "KPPHvalue"], SECONDS)?.map(row);
    let mut facts = vec![
        fact("air_temperature", "K", "temperature", temperature),
        fact("air_pressure", "Pa", "pressure", pressure.clone()),
        fact("number_density", "molecule cm-3", "number density of dry air", dry.clone()),
    ];
    for (name, unit, long_name, names) in [
        ("longitude", "degrees", "longitude", ["lon", "lons"]),
        ("latitude", "degrees", "latitude", ["lat", "lats"]),
        ("model_level", "1", "level of the model, as its file has it", ["lev", "lev"]),
    ] {
        if let Some(found) = files.find(&names) {
            facts.push(fact(name, unit, long_name, files.read(found, None)?));
        }
    }
    Ok(ChemistryInput {
        grid: ItemGrid::default(),
        air_pressure: Some(row(pressure)),
        cosine_of_zenith_angle: None,
        cells,
        times: vec![],
        concentrations,
        at_times: vec![false; mole_fractions.len()],
        mole_fractions,
        number_density: Some(density),
        inputs,
        rate_constants: None,
        first_steps,
        derived,
        contradictions,
        unused: unused(&files),
        clamped: vec![],
        model: Some(ModelRun { facts, ..ModelRun::default() }),
    })
}

fn fact(name: &'static str, unit: &'static str, long_name: &'static str, values: Vec<f64>) -> CellFact {
    CellFact { name, unit, long_name, values }
}

/// Number density of dry air \[molecule/cm^3\].
fn dry_air(
    files: &mut Files,
    (temperature, pressure): (&[f64], &[f64]),
    derived: &mut Vec<String>,
) -> Result<Vec<f64>, Error> {
    if let Some(given) = files.maybe(&["Met_AIRNUMDEN", "number_density"], DENSITY)? {
        return Ok(given);
    }
    let part: Vec<f64> = if let Some(humidity) = files.maybe(&["Met_SPHU1", "Met_SPHU"], HUMIDITY)? {
        derived.push("dry air from pressure, temperature and specific humidity".to_owned());
        let of_dry = |q: &f64| (1.0 - q) / DRY_AIR_G_MOL / ((1.0 - q) / DRY_AIR_G_MOL + q / WATER_G_MOL);
        humidity.iter().map(of_dry).collect()
    } else if let Some(water) = files.maybe(&["SpeciesRst_H2O", "SPC_H2O"], FRACTION)? {
        derived.push("dry air from pressure, temperature and the species H2O".to_owned());
        water.iter().map(|water| 1.0 / (1.0 + water)).collect()
    } else {
        derived.push("the air is taken as dry: no file has its humidity".to_owned());
        vec![1.0; temperature.len()]
    };
    let density = |((t, p), part): ((&f64, &f64), &f64)| 1e-6 * p / (BOLTZMANN_J_PER_K * t) * part;
    Ok(temperature.iter().zip(pressure).zip(&part).map(density).collect())
}

fn lacks(files: &Files, what: &str, option: &str) -> Error {
    let names: Vec<String> = files.all[1..].iter().map(|file| file.path().display().to_string()).collect();
    let others = if names.is_empty() { String::new() } else { format!(" nor has {}", names.join(" or ")) };
    let problem = format!("no {what}{others}; name a further file behind it that has it, or --set {option}");
    invalid(&files.all[0], problem)
}

/// What nothing asked for, but for coordinates and what describes the grid.
fn unused(files: &Files) -> Vec<String> {
    const GRID: [&str; 9] = ["time", "lev", "ilev", "lat", "lon", "hyai", "hybi", "P0", "AREA"];
    let all = files.all.iter().enumerate().flat_map(|(number, file)| file.names().map(move |name| (number, name)));
    let unused = all.filter(|&(number, name)| !files.used.contains(&(number, name.to_owned())));
    let mut names: Vec<String> = unused.map(|(_, name)| name.to_owned()).collect();
    names.retain(|name| {
        let hybrid = name == "hyam" || name == "hybm";
        !hybrid && !GRID.contains(&name.as_str()) && !name.ends_with("_bnds")
    });
    names.dedup();
    names
}
