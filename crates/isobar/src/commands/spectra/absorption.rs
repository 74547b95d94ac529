//! `isobar spectra absorption`: absorption of gases over a grid.

use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use isobar::line_by_line::Source;
use isobar::line_by_line::sources::{DRY_AIR, air_per_cm3, collision_induced_per_cm};
use isobar::plot;
use isobar_io::netcdf::{NetcdfOutput, OutputVariable, Provenance};
use isobar_launch::Device;
use isobar_spectra::launch::Precision;
use isobar_spectra::lists::CollisionInduced;
use isobar_spectra::{Air, Grid, Options};

use super::sources::{SourceOptions, range, read_pairs, warn_of_coarse};
use crate::commands::column_results::ColumnOutput;
use crate::commands::progress::Progress;
use crate::commands::{DeviceOptions, Failure, PrecisionOption, print_json};
use crate::output::files_in_use;

/// The options of `isobar spectra absorption`.
#[derive(Args, Debug)]
#[command(mut_arg("precision", |precision| precision.help("Precision of the profiles of lines; distances from lines and sums are always double")))]
pub(crate) struct Absorption {
    #[command(flatten)]
    sources: SourceOptions,
    /// First and last wavenumber [cm^-1], as 780:800
    #[arg(long, value_name = "FROM:TO")]
    range: String,
    /// From one wavenumber to the next [cm^-1]
    #[arg(long, default_value_t = 0.001)]
    step: f64,
    /// Pressure [hPa], temperature [K] and mole fractions, as 500,250,H2O=1e-3; may be given more than once
    #[arg(long, value_name = "P,T[,GAS=Q...]", required = true)]
    state: Vec<String>,
    /// Collision-induced absorption, HITRAN's .cia; counts in the absorption coefficient; may be given more than once.
    /// Nitrogen and oxygen have the fractions of dry air where a state has no others
    #[arg(long, value_name = "FILE")]
    cia: Vec<PathBuf>,
    /// Result, NetCDF
    #[arg(short, long, value_name = "FILE")]
    out: PathBuf,
    /// Also draw the cross-sections, as SVG
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
    #[command(flatten)]
    device: DeviceOptions,
    /// Print nothing but warnings and errors
    #[arg(long)]
    quiet: bool,
    /// Print a summary as JSON on standard output
    #[arg(long)]
    json: bool,
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
            fractions.push((gas.to_owned(), value));
        }
        Ok(Self { pressure_hpa, temperature_k, fractions })
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
    cross_sections: Vec<Vec<Vec<f64>>>,
    absorption_per_cm: Vec<Vec<f64>>,
}

pub(super) fn run(options: &Absorption) -> Result<(), Failure> {
    let mut files = files_in_use(&options.out, options.plot.as_deref())?;
    options.sources.protect(&mut files)?;
    options.cia.iter().try_for_each(|path| files.reads("collision-induced absorption", path))?;
    let states = options.state.iter().map(|text| State::parse(text)).collect::<Result<Vec<_>, _>>()?;
    let (first, last) = range("--range", &options.range)?;
    let grid = Grid::regular(first, last, options.step)?;
    let output = ColumnOutput::create(&options.out, options.plot.as_deref())?;
    let sources = options.sources.read(None, (first, last))?;
    let pairs = read_pairs(&options.cia)?;
    let coldest = states.iter().map(|state| state.temperature_k).fold(f64::INFINITY, f64::min);
    warn_of_coarse(&sources, &grid, coldest);
    let points = grid.wavenumbers_per_cm().len();
    options.device.with_threads_telling(!options.quiet, |devices| {
        let bytes = 8 * points as u64 * (sources.len() as u64 + 1);
        crate::commands::memory::need_for(options.quiet, states.len(), "spectra", bytes)?;
        let start = Instant::now();
        let spectra = match options.device.precision {
            PrecisionOption::F32 => compute::<f32>(options, (&sources, &pairs), &grid, &states, devices),
            PrecisionOption::F64 => compute::<f64>(options, (&sources, &pairs), &grid, &states, devices),
        }?;
        let seconds = start.elapsed().as_secs_f64();
        let draw = || {
            let mut curves = Vec::new();
            for (source, spectra) in sources.iter().zip(&spectra.cross_sections) {
                for (state, spectrum) in states.iter().zip(spectra) {
                    let name = format!("{}, {} hPa, {} K", source.name, state.pressure_hpa, state.temperature_k);
                    curves.push((name, spectrum.as_slice()));
                }
            }
            plot::spectra::absorption(grid.wavenumbers_per_cm(), "cross-section [cm²/molecule]", &curves)
        };
        output
            .write(options.quiet, draw, |file| write(options, file, (&sources, &states, &grid), &spectra, devices))?;
        if !options.quiet {
            let names: Vec<&str> = sources.iter().map(|source| source.name.as_str()).collect();
            let states = states.len();
            eprintln!("{states} states of {} at {points} wavenumbers: {seconds:.3} s", names.join(", "));
        }
        if options.json {
            print_json(("states", states.len()), 0, devices, seconds, &options.out);
        }
        Ok(())
    })
}

fn compute<R: Precision>(
    options: &Absorption,
    (sources, pairs): (&[Source], &[CollisionInduced]),
    grid: &Grid,
    states: &[State],
    devices: &[Device],
) -> Result<Spectra, Failure> {
    let nu = grid.wavenumbers_per_cm();
    let progress = Progress::new(options.quiet, (states.len() * sources.len()) as u64, "spectra");
    let constants = Options::default();
    let mut absorption_per_cm = vec![vec![0.0; nu.len()]; states.len()];
    let mut cross_sections = Vec::new();
    for (number, source) in sources.iter().enumerate() {
        let airs: Vec<Air<f64>> = states.iter().map(|state| state.air(&source.name)).collect();
        let found = source.cross_sections::<R>(devices, grid, &airs, &|done| {
            progress.reach(number * states.len() + done);
        })?;
        for ((sum, state), spectrum) in absorption_per_cm.iter_mut().zip(states).zip(&found) {
            let air = air_per_cm3(state.pressure_hpa, state.temperature_k, &constants);
            let density = state.fraction(&source.name) * air;
            sum.iter_mut().zip(spectrum).for_each(|(sum, sigma)| *sum += density * sigma);
        }
        cross_sections.push(found);
    }
    for (sum, state) in absorption_per_cm.iter_mut().zip(states) {
        let air = (state.pressure_hpa, state.temperature_k);
        for pair in pairs {
            let more = collision_induced_per_cm(pair, nu, air, |gas| state.in_pair(gas), &constants);
            sum.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
        }
    }
    Ok(Spectra { cross_sections, absorption_per_cm })
}

fn write(
    options: &Absorption,
    mut file: NetcdfOutput,
    (sources, states, grid): (&[Source], &[State], &Grid),
    spectra: &Spectra,
    devices: &[Device],
) -> Result<(), Failure> {
    let mut inputs = options.sources.paths()?;
    inputs.extend(options.cia.clone());
    file.provenance(&Provenance {
        title: "absorption line by line".into(),
        device: devices.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "),
        precision: if options.device.precision == PrecisionOption::F32 { "f32" } else { "f64" }.into(),
        history: std::env::args().collect::<Vec<_>>().join(" "),
        inputs,
    })?;
    file.dimension("state", states.len())?;
    file.dimension("wavenumber", grid.wavenumbers_per_cm().len())?;
    file.variable(&variable("wavenumber", &["wavenumber"], "cm-1", "wavenumber"), grid.wavenumbers_per_cm())?;
    let of_states = |value: &dyn Fn(&State) -> f64| states.iter().map(value).collect::<Vec<_>>();
    file.variable(&variable("pressure", &["state"], "hPa", "pressure"), &of_states(&|state| state.pressure_hpa))?;
    let kelvins = of_states(&|state| state.temperature_k);
    file.variable(&variable("temperature", &["state"], "K", "temperature"), &kelvins)?;
    for (source, found) in sources.iter().zip(&spectra.cross_sections) {
        let name = source.name.to_lowercase().replace(|c: char| !c.is_ascii_alphanumeric(), "_");
        let fractions = of_states(&|state| state.fraction(&source.name));
        let (fraction, section) = (format!("mole_fraction_{name}"), format!("cross_section_{name}"));
        let words =
            (format!("mole fraction of {}", source.name), format!("absorption cross-section of {}", source.name));
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
