//! `isobar spectra absorption`: absorption of gases over a grid.

use std::time::Instant;

use clap::Args;
use isobar::line_by_line::Source;
use isobar::line_by_line::sources::{DRY_AIR, air_per_cm3, collision_induced_per_cm, molecules_of};
use isobar::plot;
use isobar_io::netcdf::{DatasetWriter, OutputVariable, Provenance};
use isobar_launch::Device;
use isobar_spectra::launch::{Precision, parts};
use isobar_spectra::lists::{CollisionInduced, molecule_number};
use isobar_spectra::{Air, Grid, Options};

use crate::commands::{counted, print_json};
use crate::inputs::line_lists::SourceOptions;
use crate::inputs::pairs::PairFiles;
use crate::inputs::spectral::range;
use crate::program::failure::Failure;
use crate::program::options::{DeviceOptions, PrecisionOption, Printing};
use crate::program::output::ResultFiles;
use crate::program::progress::Progress;
use crate::program::remarks::warn;

const PRECISION: &str = "Precision of the profiles of lines; \
    distances from lines and sums are always double";

/// The options of `isobar spectra absorption`.
#[derive(Args, Debug)]
#[command(mut_arg("precision", |precision| precision.help(PRECISION)))]
pub(crate) struct Absorption {
    #[command(flatten)]
    sources: SourceOptions,
    /// First and last wavenumber [cm^-1], as 780:800
    #[arg(long, value_name = "FROM:TO")]
    range: String,
    /// From one wavenumber to the next [cm^-1]
    #[arg(long, default_value_t = 0.001)]
    step: f64,
    /// Pressure [hPa], temperature [K] and mole fractions, as 500,250,H2O=1e-3; may be given more than once. For --cia
    /// nitrogen and oxygen have the fractions of dry air where it has no others
    #[arg(long, value_name = "P,T[,GAS=Q...]", required = true)]
    state: Vec<String>,
    #[command(flatten)]
    pairs: PairFiles,
    #[command(flatten)]
    results: ResultFiles,
    #[command(flatten)]
    device: DeviceOptions,
    #[command(flatten)]
    print: Printing,
}

/// Air with some gases in it.
struct State {
    pressure_hpa: f64,
    temperature_k: f64,
    fractions: Vec<(String, f64)>,
}

impl State {
    fn parse(text: &str) -> Result<Self, Failure> {
        let wrong = |why: &str| Failure::usage(format!("--state {text}: {why}, as 500,250,H2O=1e-3"));
        let mut words = text.split(',').map(str::trim);
        let mut number = |what: &str| {
            let word = words.next().and_then(|word| word.parse::<f64>().ok());
            word.ok_or_else(|| wrong(&format!("{what} is no number")))
        };
        let (pressure_hpa, temperature_k) = (number("the pressure [hPa]")?, number("the temperature [K]")?);
        if !(pressure_hpa >= 0.0 && pressure_hpa.is_finite()) {
            return Err(wrong(&format!("the pressure is {pressure_hpa} hPa; accepted is 0 or more")));
        }
        if !(temperature_k > 0.0 && temperature_k.is_finite()) {
            return Err(wrong(&format!("the temperature is {temperature_k} K; accepted is more than 0")));
        }
        let mut fractions = Vec::new();
        for word in words {
            let (gas, value) =
                word.split_once('=').ok_or_else(|| wrong("a mole fraction needs the name of its gas"))?;
            let value: f64 = value.parse().map_err(|_| wrong(&format!("the mole fraction of {gas} is no number")))?;
            if !(0.0..=1.0).contains(&value) {
                return Err(wrong(&format!("the mole fraction of {gas} is {value}; accepted is 0 to 1")));
            }
            let gas = gas.trim();
            if fractions.iter().any(|(known, _): &(String, f64)| known.eq_ignore_ascii_case(gas)) {
                return Err(wrong(&format!("{gas} is given twice")));
            }
            fractions.push((gas.to_owned(), value));
        }
        let sum: f64 = fractions.iter().map(|of| of.1).sum();
        // Each sum of decimal fractions rounds.
        if sum > 1.0 + f64::EPSILON * fractions.len() as f64 {
            return Err(wrong(&format!("the mole fractions add up to {sum}; accepted is 0 to 1")));
        }
        Ok(Self { pressure_hpa, temperature_k, fractions })
    }

    /// Refuses a gas that none of the files can have.
    fn check(&self, text: &str, names: &[String]) -> Result<(), Failure> {
        let is_there = |gas: &str| names.iter().any(|name| name.eq_ignore_ascii_case(gas));
        let Some((gas, _)) = self.fractions.iter().find(|(gas, _)| !is_there(gas)) else { return Ok(()) };
        let distance = |name: &&String| strsim::damerau_levenshtein(&name.to_uppercase(), &gas.to_uppercase());
        let near = names.iter().min_by_key(distance).filter(|name| distance(name) <= 1.max(gas.len() / 2));
        let near = near.map_or_else(String::new, |name| format!("; did you mean {name}?"));
        Err(Failure::usage(format!("--state {text}: no file has a gas {gas}{near}")))
    }

    fn given(&self, gas: &str) -> Option<f64> {
        self.fractions.iter().find(|(name, _)| name.eq_ignore_ascii_case(gas)).map(|(_, fraction)| *fraction)
    }

    fn fraction(&self, gas: &str) -> f64 {
        self.given(gas).unwrap_or(0.0)
    }

    /// That of dry air where the state does not say.
    fn in_pair(&self, gas: &str) -> f64 {
        let dry = || DRY_AIR.iter().find(|(name, _)| name.eq_ignore_ascii_case(gas)).map(|(_, fraction)| *fraction);
        self.given(gas).or_else(dry).unwrap_or(0.0)
    }

    fn air(&self, gas: &str) -> Air<f64> {
        let Self { pressure_hpa, temperature_k, .. } = *self;
        Air { pressure_hpa, temperature_k, mole_fraction: self.fraction(gas) }
    }
}

/// What was computed: of each gas and state the cross-sections, and of each state the absorption coefficient.
struct Spectra {
    cross_sections: Vec<(String, Vec<Vec<f64>>)>,
    absorption_per_cm: Vec<Vec<f64>>,
}

pub(super) fn run(options: &Absorption) -> Result<(), Failure> {
    let mut files = options.results.in_use()?;
    options.sources.protect(&mut files)?;
    options.pairs.protect(&mut files)?;
    let states = options.state.iter().map(|text| State::parse(text)).collect::<Result<Vec<_>, _>>()?;
    let (first, last) = range("--range", &options.range)?;
    let grid = Grid::regular(first, last, options.step)?;
    let end = grid.ends_per_cm().1;
    if end < last - 0.01 * options.step {
        let Absorption { range, step, .. } = options;
        warn(format!("--range {range}: it is no whole number of steps of {step} cm^-1, and ends at {end} cm^-1"));
    }
    let output = options.results.create()?;
    let pairs = options.pairs.read()?;
    let mut names = options.sources.gases()?;
    names.extend(pairs.iter().flat_map(|pair| <[&str; 2]>::from(molecules_of(pair))).map(str::to_owned));
    options.state.iter().zip(&states).try_for_each(|(text, state)| state.check(text, &names))?;
    let points = grid.wavenumbers_per_cm().len();
    options.device.with_threads_telling(!options.print.quiet(), |devices| {
        let start = Instant::now();
        let spectra = match options.device.precision {
            PrecisionOption::F32 => compute::<f32>(options, &pairs, &grid, &states, devices),
            PrecisionOption::F64 => compute::<f64>(options, &pairs, &grid, &states, devices),
        }?;
        let seconds = start.elapsed().as_secs_f64();
        let draw = || {
            let mut curves = Vec::new();
            for (gas, spectra) in &spectra.cross_sections {
                for (state, spectrum) in states.iter().zip(spectra) {
                    let name = format!("{gas}, {} hPa, {} K", state.pressure_hpa, state.temperature_k);
                    curves.push((name, spectrum.as_slice()));
                }
            }
            if curves.len() > plot::spectra::CURVES {
                let (drawn, all) = (plot::spectra::CURVES, curves.len());
                warn(format!("--plot draws the first {drawn} of {all} curves: of a gas and state each"));
            }
            plot::spectra::absorption(grid.wavenumbers_per_cm(), "cross-section [cm²/molecule]", &curves)
        };
        output.write(options.print.quiet(), draw, |file| write(options, file, (&states, &grid), &spectra, devices))?;
        if !options.print.quiet() {
            let names: Vec<&str> = spectra.cross_sections.iter().map(|of| of.0.as_str()).collect();
            let (states, points) = (counted(states.len(), "state"), counted(points, "wavenumber"));
            let names = if names.is_empty() { "nothing".to_owned() } else { names.join(", ") };
            tell!("{states} of {names} at {points}: {seconds:.3} s");
        }
        if options.print.json() {
            print_json(("states", states.len()), 0, devices, seconds, &options.results.out);
        }
        Ok(())
    })
}

/// The part of the spectrum whose lines are in memory at a time is twice as wide as a line reaches to a side, for all
/// lines within reach are there; or so wide, if that is more \[cm^-1\].
const WINDOW_PER_CM: f64 = 4.0;

fn compute<R: Precision>(
    options: &Absorption,
    pairs: &[CollisionInduced],
    grid: &Grid,
    states: &[State],
    devices: &[Device],
) -> Result<Spectra, Failure> {
    let nu = grid.wavenumbers_per_cm();
    let constants = Options::default();
    let temperatures: Vec<f64> = states.iter().map(|state| state.temperature_k).collect();
    let coldest = temperatures.iter().copied().fold(f64::INFINITY, f64::min);
    let of_gases = options.sources.options_of("");
    let points = (WINDOW_PER_CM.max(2.0 * of_gases.cut_per_cm) / options.step) as usize;
    let mut lists = if pairs.is_empty() { options.sources.open(None) } else { options.sources.open_beside(None) }?;
    let parts = parts(grid, &of_gases, points)?;
    let progress = Progress::new(options.print.quiet(), (states.len() * parts.len()) as u64, "spectra");
    let mut all = Spectra { cross_sections: Vec::new(), absorption_per_cm: vec![vec![0.0; nu.len()]; states.len()] };
    for (number, part) in parts.iter().enumerate() {
        let of_part = grid.part(part.clone());
        let sources = lists.reaching(of_part.ends_per_cm())?;
        lists.beyond.note(&sources, of_part.ends_per_cm(), &temperatures);
        if number == 0 {
            // Each part has all measurements.
            lists.beyond.note_gaps(&sources, grid.ends_per_cm());
        }
        lists.coarse.warn(&sources, grid, coldest);
        for source in &sources {
            let airs: Vec<Air<f64>> = states.iter().map(|state| state.air(&source.name)).collect();
            let found = source.cross_sections::<R>(devices, &of_part, &airs, &|done| {
                progress.reach(number * states.len() + done);
            })?;
            let spectra = all.of_gas(options, source, states.len(), nu.len())?;
            for (spectrum, found) in spectra.iter_mut().zip(&found) {
                spectrum[part.clone()].copy_from_slice(found);
            }
        }
    }
    lists.tell_empty(grid.ends_per_cm());
    lists.beyond.note_pairs(pairs, grid.ends_per_cm(), &temperatures);
    lists.finish();
    let mut idle: Vec<&str> = states.iter().flat_map(|state| &state.fractions).map(|of| of.0.as_str()).collect();
    let in_pairs = |gas: &str| {
        let mut molecules = pairs.iter().flat_map(|pair| <[&str; 2]>::from(molecules_of(pair)));
        molecules.any(|molecule| molecule.eq_ignore_ascii_case(gas))
    };
    idle.retain(|gas| all.cross_sections.iter().all(|of| !of.0.eq_ignore_ascii_case(gas)) && !in_pairs(gas));
    idle.sort_unstable();
    idle.dedup();
    for gas in idle {
        let (first, last) = grid.ends_per_cm();
        warn(format!("{gas} absorbs nothing: no file has anything of it that counts from {first} to {last} cm^-1"));
    }
    // The order of molecules, whichever was the first to be found.
    all.cross_sections.sort_by_key(|of| molecule_number(&of.0).unwrap_or(u32::MAX));
    for (gas, spectra) in &all.cross_sections {
        for ((sum, state), spectrum) in all.absorption_per_cm.iter_mut().zip(states).zip(spectra) {
            let air = air_per_cm3(state.pressure_hpa, state.temperature_k, &constants);
            let density = state.fraction(gas) * air;
            sum.iter_mut().zip(spectrum).for_each(|(sum, sigma)| *sum += density * sigma);
        }
    }
    for (sum, state) in all.absorption_per_cm.iter_mut().zip(states) {
        let air = (state.pressure_hpa, state.temperature_k);
        for pair in pairs {
            let more = collision_induced_per_cm(pair, nu, air, |gas| state.in_pair(gas), &constants);
            sum.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
        }
    }
    Ok(all)
}

impl Spectra {
    /// The spectra of a gas, zeros if it is new.
    fn of_gas(
        &mut self,
        options: &Absorption,
        source: &Source,
        states: usize,
        points: usize,
    ) -> Result<&mut Vec<Vec<f64>>, Failure> {
        let place = self.cross_sections.iter().position(|of| of.0 == source.name);
        let place = match place {
            Some(place) => place,
            None => {
                let gases = self.cross_sections.len() as u64 + 2;
                crate::program::memory::need_for(!options.print.quiet(), states, "spectra", 8 * points as u64 * gases)?;
                self.cross_sections.push((source.name.clone(), vec![vec![0.0; points]; states]));
                self.cross_sections.len() - 1
            }
        };
        Ok(&mut self.cross_sections[place].1)
    }
}

fn write(
    options: &Absorption,
    mut file: DatasetWriter,
    (states, grid): (&[State], &Grid),
    spectra: &Spectra,
    devices: &[Device],
) -> Result<(), Failure> {
    let mut inputs = options.sources.paths()?;
    inputs.extend(options.pairs.cia.clone());
    file.provenance(&Provenance {
        title: "absorption line by line".into(),
        device: devices.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "),
        precision: if options.device.precision == PrecisionOption::F32 { "f32" } else { "f64" }.into(),
        history: crate::commands::history(),
        inputs,
    })?;
    file.dimension("state", states.len())?;
    file.dimension("wavenumber", grid.wavenumbers_per_cm().len())?;
    file.variable(&variable("wavenumber", &["wavenumber"], "cm-1", "wavenumber"), grid.wavenumbers_per_cm())?;
    let of_states = |value: &dyn Fn(&State) -> f64| states.iter().map(value).collect::<Vec<_>>();
    file.variable(&variable("pressure", &["state"], "hPa", "pressure"), &of_states(&|state| state.pressure_hpa))?;
    let kelvins = of_states(&|state| state.temperature_k);
    file.variable(&variable("temperature", &["state"], "K", "temperature"), &kelvins)?;
    for (gas, found) in &spectra.cross_sections {
        let name = gas.to_lowercase().replace(|c: char| !c.is_ascii_alphanumeric(), "_");
        let fractions = of_states(&|state| state.fraction(gas));
        let (fraction, section) = (format!("mole_fraction_{name}"), format!("cross_section_{name}"));
        let words = (format!("mole fraction of {gas}"), format!("absorption cross-section of {gas}"));
        file.variable(&variable(&fraction, &["state"], "mol mol-1", &words.0), &fractions)?;
        file.variable(&variable(&section, &["state", "wavenumber"], "cm2", &words.1), &found.concat())?;
    }
    let words = "absorption coefficient of all gases, and of pairs of molecules";
    let variable = variable("absorption_coefficient", &["state", "wavenumber"], "cm-1", words);
    file.variable(&variable, &spectra.absorption_per_cm.concat())?;
    file.commit()?;
    Ok(())
}

fn variable<'a>(name: &'a str, dimensions: &'a [&'a str], units: &'a str, long_name: &'a str) -> OutputVariable<'a> {
    OutputVariable { name, dimensions, units, long_name, standard_name: None, reference_name: None }
}
