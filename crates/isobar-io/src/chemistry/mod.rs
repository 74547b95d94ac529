//! Cells of air for chemical kinetics, from NetCDF, or from a model's own files: of text ([`is_model_cell`]), or
//! GEOS-Chem's restart files ([`is_restart`]).
//!
//! | variable | dimensions | unit | range |
//! |---|---|---|---|
//! | one a species, named as in the mechanism (1) | `cell`, `time, cell`, or fewer | `molecule cm-3`, `cm-3` | 0 to 1e21 (6) |
//! | | | `mol mol-1` | 0 to 1 (6) |
//! | one an input of the rate formulas, named so (2) | the same | what converts to that of the mechanism (9) | `SUN` 0 to 1 |
//! | `air_temperature`, `TEMP` | the same | K | 100 to 400 |
//! | `air_pressure` | the same | Pa | above 0 to 1e6 |
//! | `number_density`, `NUMDEN`, `C_M`, `cair` (3) | the same | `molecule cm-3`, `cm-3` | above 0 to 1e21 |
//! | `CFACTOR` (8) | the same | the same | the same |
//! | `rate_constant` (4) | `reaction, cell`, `reaction, time, cell`, or fewer | that of the mechanism | |
//! | `first_step`, `KPPHvalue`, `Chem_KPPHvalue` (7) | the same | s, `1` | 0 to infinity |
//! | `time` (5) | `time` | s, a unit of time, or such since a date | rising |
//!
//! 1. Without it the mechanism's initial value.
//! 2. `jx(ip_NO2)` or `jx_ip_NO2`.
//! 3. Or from pressure and temperature (the mechanism's own, if the file has none), which do not count beside it: where
//!    they differ by more than 1 %, this is said.
//! 4. Instead of the mechanism's formulas, in the order of its reactions, or by its labels where a coordinate of
//!    `reaction` has them.
//! 5. Where something changes in time. The dimension may have another name, if its coordinate says that it is time, by
//!    its standard name, its axis or a unit since a date; dates become seconds since the midnight before the first.
//! 6. Values below 0, as integrations leave them within their tolerance, are taken as they are, and counted.
//! 7. The first step of a cell (KPP's `Hstart`); 0 stands for that of the options.
//! 8. The number density times the part of the air in which the mechanism has its initial values.
//! 9. Rates, concentrations, rate constants and temperatures are converted to molecules, cm, s and K, MUSICA's inputs
//!    to mol, m and s, angles of which rates take the cosine to radians, and parts of the air that are called `M`,
//!    `N2`, `O2`, `H2O` and the like to molecule cm-3. What is in another unit is taken as it is, which is said.
//!
//! Cells may lie along other dimensions than `cell`, as `lev`, `lat` and `lon`, in whose place results have these; a
//! variable that lacks one of them holds for all of it.
//!
//! Names may be in any case. What changes in time is linear between the file's times; what is made of several variables
//! (concentrations of fractions, number densities of pressures) is made of their values of the time.

mod air;
mod air_check;
mod geos_chem;
mod inputs;
mod labels;
mod model_cell;
mod ranges;
mod request;
mod same_grid;
mod series;
mod units;
mod variables;

use std::path::{Path, PathBuf};

use crate::error::Error;
use crate::netcdf::{Accepted, Clamped, Dimension, ItemGrid};

use air::Air;
pub use geos_chem::is_restart;
use inputs::input;
pub use model_cell::is_model_cell;
use ranges::{AMOUNTS, FRACTIONS, MOLE_FRACTION};
pub use request::ChemistryRequest;
use request::plain;
use series::Of;
pub use series::Series;
use variables::Variables;

/// Cells as a file has them.
#[derive(Clone, Debug)]
pub struct ChemistryInput {
    /// The number of cells.
    pub cells: usize,
    /// The file's times, rising \[s\]; none where nothing changes.
    pub times: Vec<f64>,
    /// Concentrations of each species \[molecule/cm^3\].
    pub concentrations: Vec<Series>,
    /// Whether the file has a species in mol/mol.
    pub mole_fractions: Vec<bool>,
    /// Whether the file itself has a species at several times.
    pub at_times: Vec<bool>,
    /// Molecules of air \[1/cm^3\], if they are known.
    pub number_density: Option<Series>,
    /// The air's pressure \[Pa\], if it is known.
    pub air_pressure: Option<Series>,
    /// The cosine of the Sun's zenith angle of each cell, if a model's own files have it.
    pub cosine_of_zenith_angle: Option<Vec<f64>>,
    /// Inputs of the rate formulas; none with given rate constants.
    pub inputs: Vec<Series>,
    /// Rate constants, a row a reaction, if they are given.
    pub rate_constants: Option<Series>,
    /// The first step of each cell \[s\], if it is given; 0 is that of the options.
    pub first_steps: Option<Series>,
    /// What does not stand in the file as it is used, in words.
    pub derived: Vec<String>,
    /// What of the air contradicts something else of it, in words.
    pub contradictions: Vec<String>,
    /// Variables that nothing needs.
    pub unused: Vec<String>,
    /// Values that rounding left out of their range, by variable.
    pub clamped: Vec<Clamped>,
    /// What the model's own files say of its run.
    pub model: Option<ModelRun>,
    /// The dimensions of the cells, if the file has others than `cell`.
    pub grid: ItemGrid,
}

/// How a model ran the cells that its own files have.
#[derive(Clone, Debug, Default)]
pub struct ModelRun {
    /// The interval over which it integrated \[s\], if all cells have the same.
    pub interval_s: Option<f64>,
    /// Absolute tolerance of each species \[molecule/cm^3\], where it has one; none where the files have none.
    pub absolute_tolerance: Vec<Option<f64>>,
    /// KPP's integer options, none or 20.
    pub icntrl: Vec<i32>,
    /// KPP's real options, none or 20; the third is of the first cell alone.
    pub rcntrl: Vec<f64>,
    /// Rates of all reactions in the first cell at its start \[molecule/(cm^3 s)\], or none.
    pub first_rates: Vec<f64>,
    /// What is known of each cell.
    pub facts: Vec<CellFact>,
}

/// A number of each cell.
#[derive(Clone, Debug)]
pub struct CellFact {
    /// The name of a variable for it.
    pub name: &'static str,
    /// Its unit.
    pub unit: &'static str,
    /// What it is.
    pub long_name: &'static str,
    /// The numbers.
    pub values: Vec<f64>,
}

/// With what the standard names of parts of mass begin.
const OF_MASS: [&str; 2] = ["mass_fraction_of", "mass_ratio_of"];
const CONCENTRATION: [(&str, Accepted); 3] =
    [("molecule cm-3", AMOUNTS), ("cm-3", AMOUNTS), (MOLE_FRACTION, FRACTIONS)];
/// The name in our own output, and those of GEOS-Chem, whose files have it without a unit.
const FIRST_STEP: [&str; 3] = ["first_step", "KPPHvalue", "Chem_KPPHvalue"];
const FIRST_STEP_UNITS: [(&str, Accepted); 2] = [("s", Accepted::NOT_NEGATIVE), ("1", Accepted::NOT_NEGATIVE)];

/// Reads cells for a mechanism: a NetCDF file, or a model's own file of one cell.
///
/// # Errors
/// The file cannot be read, an input is missing, or a variable has another unit, dimensions or values than the table
/// above says.
pub fn read_chemistry(path: &Path, request: &ChemistryRequest<'_>) -> Result<ChemistryInput, Error> {
    if is_model_cell(path) {
        return read_model_cells(&[path.to_owned()], request);
    }
    let mut file = Variables::open(path)?;
    let inputs: Vec<String> = request.inputs.iter().flat_map(|(name, _)| [(*name).to_owned(), plain(name)]).collect();
    let named = request.species.iter().map(|(name, _)| *name);
    let says: Vec<String> = air::QUANTITIES.iter().filter_map(|quantity| file.with_standard_name(quantity)).collect();
    let others = inputs.iter().chain(&says).map(String::as_str);
    let names: Vec<&str> = named.chain(others).chain(OF_CELLS).collect();
    file.take_cells(&names)?;
    let mut derived = Vec::new();
    let air = Air::read(&mut file, request, &mut derived)?;
    let species = request.species.iter().map(|&(name, initial)| species(&mut file, &air, request, name, initial));
    let species = species.collect::<Result<Vec<_>, _>>()?;
    let names = request.species.iter().map(|(name, _)| name);
    derived.extend(names.zip(&species).filter_map(|(name, species)| below_zero(name, &species.concentrations)));
    let mut contradictions = air.contradictions.clone();
    let given: Vec<bool> = species.iter().map(|species| species.given).collect();
    if let Some(density) = &air.number_density {
        contradictions.extend(request.held_air(&given, density));
    }
    let rate_constants = match file.find(&RATE_CONSTANTS) {
        Some(name) => Some(file.read_rate_constants(&name, request.reactions, &mut derived)?),
        None => None,
    };
    let mut inputs = Vec::new();
    if rate_constants.is_none() {
        for &(name, default) in request.inputs {
            inputs.push(input(&mut file, (&air, request), name, default, &mut derived)?);
        }
    }
    let first_steps = match file.find(&FIRST_STEP) {
        Some(name) => Some(file.read(&name, &FIRST_STEP_UNITS, &[])?.0),
        None => None,
    };
    derived.extend(request.initial_in_words(&given, air.number_density.as_ref()));
    Ok(ChemistryInput {
        cells: file.file.size(Dimension::Cell).unwrap_or(1),
        times: file.times(&mut derived)?,
        mole_fractions: species.iter().map(|species| species.fraction).collect(),
        at_times: species.iter().map(|species| species.at_times).collect(),
        concentrations: species.into_iter().map(|species| species.concentrations).collect(),
        number_density: air.number_density,
        air_pressure: air.pressure,
        cosine_of_zenith_angle: None,
        inputs,
        rate_constants,
        first_steps,
        derived,
        contradictions,
        unused: file.unused(),
        clamped: file.file.clamped().to_vec(),
        model: None,
        grid: file.file.item_grid(),
    })
}

/// Reads GEOS-Chem's restart file for a mechanism, with what it lacks from further files of the same grid.
///
/// # Errors
/// A file cannot be read or has another grid, something that is needed is in none of them, or a variable has another
/// unit, dimensions or values than the table of `geos_chem` says.
pub fn read_restart(paths: &[PathBuf], request: &ChemistryRequest<'_>) -> Result<ChemistryInput, Error> {
    geos_chem::read(paths, request)
}

/// Reads a model's own files of a cell each, for a mechanism.
///
/// # Errors
/// A file cannot be read, is none of these, has other species or reactions than the mechanism, or a value that is no
/// number or out of its range; or the cells have different options.
pub fn read_model_cells(paths: &[PathBuf], request: &ChemistryRequest<'_>) -> Result<ChemistryInput, Error> {
    model_cell::gather(paths, request)
}

/// What else there is of cells.
const OF_CELLS: [&str; 16] = [
    "air_temperature",
    "TEMP",
    "temperature",
    "air_pressure",
    "PRESS",
    "pressure",
    "number_density",
    "NUMDEN",
    "C_M",
    "cair",
    "CFACTOR",
    "rate_constant",
    "rate_constants",
    "first_step",
    "KPPHvalue",
    "Chem_KPPHvalue",
];

/// Names of rate constants in a file.
const RATE_CONSTANTS: [&str; 2] = ["rate_constant", "rate_constants"];

/// Does a file have rate constants? One that cannot be read has none.
#[must_use]
pub fn gives_rate_constants(path: &Path) -> bool {
    is_model_cell(path) || Variables::open(path).is_ok_and(|mut file| file.find(&RATE_CONSTANTS).is_some())
}

/// Does a file have all of these inputs? One that cannot be read has none.
#[must_use]
pub fn gives_inputs(path: &Path, names: &[&str]) -> bool {
    Variables::open(path).is_ok_and(|mut file| names.iter().all(|name| file.find(&[name, &plain(name)]).is_some()))
}

/// A species as it is read.
struct OfSpecies {
    concentrations: Series,
    /// Does the file have it, in mol/mol, at several times?
    given: bool,
    fraction: bool,
    at_times: bool,
}

/// Concentrations of a species.
fn species(
    file: &mut Variables,
    air: &Air,
    request: &ChemistryRequest<'_>,
    name: &str,
    initial: f64,
) -> Result<OfSpecies, Error> {
    let Some(own) = file.find(&[name]) else {
        let initial = request.initial(initial, air.number_density.as_ref());
        return Ok(OfSpecies { concentrations: initial, given: false, fraction: false, at_times: false });
    };
    let (values, unit) = file.read(&own, &CONCENTRATION, &[])?;
    let reacts = request.species[..request.variable].iter().any(|(known, _)| *known == name);
    if let Some(place) = values.values().iter().position(|&value| value < 0.0).filter(|_| !reacts) {
        let (value, cell) = (values.values()[place], place % values.cells());
        let problem =
            format!("{own} is {value} {unit} at cell {cell}, but is fixed: what no reaction changes is not below 0");
        return Err(file.invalid(problem));
    }
    let says = file.file.text_attribute(&own, "standard_name").filter(|_| unit == MOLE_FRACTION);
    // A number without unit may be a part of mass as well.
    if let Some(says) = says.filter(|says| OF_MASS.iter().any(|start| says.starts_with(start))) {
        let problem = format!("{own} has standard_name {says:?}; expected a mole fraction, or molecule cm-3");
        return Err(file.invalid(problem));
    }
    let at_times = values.changes();
    if unit != MOLE_FRACTION {
        return Ok(OfSpecies { concentrations: values, given: true, fraction: false, at_times });
    }
    let Some(density) = &air.number_density else {
        let needed = "number_density, or air_pressure and air_temperature, are needed with it";
        return Err(file.invalid(format!("{own} is in mol/mol: {needed}")));
    };
    let concentrations = values.with(density, Of::Product);
    Ok(OfSpecies { concentrations, given: true, fraction: true, at_times })
}

/// What is said of concentrations below 0.
fn below_zero(name: &str, series: &Series) -> Option<String> {
    let count = series.values().iter().filter(|&&value| value < 0.0).count();
    let least = series.values().iter().copied().fold(0.0, f64::min);
    let plural = if count == 1 { " is" } else { "s are" };
    (count > 0)
        .then(|| format!("{name}: {count} value{plural} below 0, the least {least:e} molecule cm-3: taken as it is"))
}
