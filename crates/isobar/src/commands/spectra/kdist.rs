//! `isobar spectra kdist`: k-distributions of the long wave.

mod left_out;

use std::path::PathBuf;

use clap::Args;
use isobar::line_by_line::Source;
use isobar::line_by_line::k_distribution::{Column, Fluxes, OfBand, Wanted, make};
use isobar_io::{KDistributionAttributes, read_k_distribution, write_k_distribution};
use isobar_launch::Device;
use isobar_optics::Ecckd;
use isobar_radiation::{Options, Radiation};
use serde_json::{Value, json};

use crate::inputs::beyond::Beyond;
use crate::inputs::case::{ControlFile, read_profile};
use crate::inputs::line_lists::SourceOptions;
use crate::inputs::spectral::{Coarse, axis, range};
use crate::program::failure::Failure;
use crate::program::options::{DeviceOptions, PrecisionOption, Printing};
use crate::program::output::files_in_use;
use crate::program::progress::Progress;
use crate::program::remarks::warn;

const PRECISION: &str = "Precision of the profiles of lines; \
    distances from lines, sums and fluxes are always double";

/// The options of `isobar spectra kdist`.
#[derive(Args, Debug)]
#[command(mut_arg("precision", |precision| precision.help(PRECISION)))]
pub(crate) struct MakeKDistribution {
    #[command(flatten)]
    sources: SourceOptions,
    /// Its gases are those of the k-distribution
    #[command(flatten)]
    control: ControlFile,
    /// Atmosphere for whose fluxes g-points are chosen
    #[arg(long, value_name = "FILE")]
    atm: PathBuf,
    /// Bands: their limits [cm^-1]
    #[arg(long, value_name = "FROM:TO[,FROM:TO...]", value_delimiter = ',', required = true)]
    bands: Vec<String>,
    /// The error of a band's fluxes at any level that is accepted [W/m^2]
    #[arg(long, default_value_t = 0.01)]
    error: f64,
    /// The most g-points of a band
    #[arg(long, default_value_t = 32)]
    most: usize,
    /// Step of the spectra [cm^-1]
    #[arg(long, default_value_t = 0.001)]
    step: f64,
    /// Pressures of the tables [hPa]: the first, the last and how many, equidistant in ln p
    #[arg(long, value_name = "FROM:TO:COUNT", default_value = "0.01:1100:53")]
    pressures: String,
    /// Temperatures of the tables [K]: the first, the last and how many
    #[arg(long, value_name = "FROM:TO:COUNT", default_value = "170:320:16")]
    temperatures: String,
    /// Mole fractions of water vapour: the first, the last and how many, equidistant in the logarithm
    #[arg(long, value_name = "FROM:TO:COUNT", default_value = "1e-6:0.1:6")]
    water: String,
    /// The k-distribution, NetCDF in Isobar's layout: for isobar longwave --kdist and its like
    #[arg(short, long, value_name = "FILE")]
    out: PathBuf,
    #[command(flatten)]
    device: DeviceOptions,
    #[command(flatten)]
    print: Printing,
}

pub(super) fn run(options: &MakeKDistribution) -> Result<(), Failure> {
    let mut files = files_in_use(&options.out, None)?;
    options.sources.protect(&mut files)?;
    files.reads("the atmosphere", &options.atm)?;
    let wanted = options.wanted()?;
    let mut control = options.control.read(&mut files)?;
    let atmosphere = read_profile(&options.atm, &control)?;
    let has_water_continuum = options.sources.water_continuum.is_some();
    left_out::tell((&control, &wanted.bands, has_water_continuum), (&options.atm, &atmosphere));
    // Channels are those of radiances.
    control.wavenumbers_per_cm.clear();
    let gases = control.emitters;
    let water = gases.iter().position(|gas| gas.eq_ignore_ascii_case("H2O"));
    let ends = (wanted.bands[0][0], wanted.bands[wanted.bands.len() - 1][1]);
    if let Some(water) = water.filter(|&water| atmosphere.mixing_ratio[water].contains(&1.0)) {
        let (path, gas) = (options.atm.display(), &gases[water]);
        return Err(Failure::new(format!("{path}: {gas} is 1 at a level, where a k-distribution needs dry air")));
    }
    let mut found = options.sources.read(Some(&gases), ends)?;
    let mut column = Column::of(&atmosphere, water);
    let mut sources = Vec::new();
    for (number, gas) in gases.iter().enumerate().rev() {
        match found.iter().position(|source| source.name.eq_ignore_ascii_case(gas)) {
            Some(place) => sources.insert(0, found.swap_remove(place)),
            None => {
                warn(format!("{gas} is transparent, for which no file has it, and not in the k-distribution"));
                column.mixing_ratio.remove(number);
                column.water = match column.water {
                    Some(water) if water == number => None,
                    Some(water) if water > number => Some(water - 1),
                    other => other,
                };
            }
        }
    }
    let grid = isobar_spectra::Grid::regular(ends.0, ends.0 + options.step, options.step)?;
    Coarse::default().warn(&sources, &grid, column.temperature_k.iter().copied().fold(f64::INFINITY, f64::min));
    let mut beyond = Beyond::default();
    beyond.note(&sources, ends, &column.temperature_k);
    wanted.bands.iter().for_each(|&[low, high]| beyond.note_gaps(&sources, (low, high)));
    beyond.tell();
    options.device.with_threads_telling(!options.print.quiet(), |devices| {
        let (model, bands) = match options.device.precision {
            PrecisionOption::F32 => compute::<f32>(options, (&sources, &column, &wanted), devices),
            PrecisionOption::F64 => compute::<f64>(options, (&sources, &column, &wanted), devices),
        }?;
        write_k_distribution(&options.out, &model, &options.attributes())?;
        let (error, most) = evaluate(options, (&sources, &column), &bands)?;
        for (of, [low, high]) in bands.iter().zip(&wanted.bands) {
            if of.error_w_per_m2 > wanted.error_w_per_m2 {
                let (points, error) = (of.points, of.error_w_per_m2);
                let what = format!("with {points} g-points, the most, fluxes are off by {error:.2e} W/m^2");
                warn(format!("{low} to {high} cm^-1: {what}"));
            }
        }
        if options.print.json() {
            let band = |([low, high], of): (&[f64; 2], &OfBand)| {
                json!({ "low_per_cm": low, "high_per_cm": high, "g_points": of.points,
                    "error_w_per_m2": of.error_w_per_m2 })
            };
            let bands: Vec<Value> = wanted.bands.iter().zip(&bands).map(band).collect();
            crate::program::print::summary(
                json!({ "bands": bands, "error_w_per_m2": error, "largest_w_per_m2": most }),
            );
        } else if !options.print.quiet() {
            report(&wanted, &bands);
            print_line!(
                "as isobar longwave computes with {}, tables interpolated: off by {error:.4} W/m^2 at most, of \
                 {most:.3}",
                options.out.display()
            );
        }
        Ok(())
    })
}

impl MakeKDistribution {
    fn wanted(&self) -> Result<Wanted, Failure> {
        let bands: Vec<[f64; 2]> = self
            .bands
            .iter()
            .map(|text| range("--bands", text).map(|(low, high)| [low, high]))
            .collect::<Result<_, _>>()?;
        if bands[0][0] <= 0.0 || bands.windows(2).any(|pair| pair[1][0] < pair[0][1]) {
            return Err(Failure::usage("--bands: they begin above 0 cm^-1 and ascend"));
        }
        if !(self.error >= 0.0 && self.error.is_finite()) {
            return Err(Failure::usage(format!("--error {} lies outside [0, inf)", self.error)));
        }
        if self.most == 0 {
            return Err(Failure::usage("--most 0 lies outside [1, inf)"));
        }
        let two = |name: &str, text: &str, logarithmic: bool| match axis(name, text, logarithmic)? {
            values if values.len() < 2 => Err(Failure::usage(format!("{name} {text}: at least 2 are needed"))),
            values => Ok(values),
        };
        Ok(Wanted {
            bands,
            step_per_cm: self.step,
            error_w_per_m2: self.error,
            most: self.most,
            pressures_pa: two("--pressures", &self.pressures, true)?.into_iter().map(|hpa| 100.0 * hpa).collect(),
            temperatures_k: two("--temperatures", &self.temperatures, false)?,
            water: two("--water", &self.water, true)?,
        })
    }

    fn attributes(&self) -> KDistributionAttributes {
        KDistributionAttributes {
            title: "k-distribution of the long wave from line lists".into(),
            source: format!("isobar {}", env!("CARGO_PKG_VERSION")),
            history: crate::commands::history(),
            ..KDistributionAttributes::default()
        }
    }
}

fn compute<R: isobar_spectra::launch::Precision>(
    options: &MakeKDistribution,
    (sources, column, wanted): (&[Source], &Column, &Wanted),
    devices: &[Device],
) -> Result<(Ecckd, Vec<OfBand>), Failure> {
    let progress = Progress::new(options.print.quiet(), wanted.bands.len() as u64, "bands");
    Ok(make::<R>(sources, column, wanted, devices, &|done| progress.reach(done))?)
}

/// By how much the fluxes of the file, as it is read and interpolated, are off those line by line at most, and the
/// largest of these.
fn evaluate(
    options: &MakeKDistribution,
    (sources, column): (&[Source], &Column),
    bands: &[OfBand],
) -> Result<(f64, f64), Failure> {
    let optics = read_k_distribution(&options.out)?.gas_optics().map_err(|error| Failure::new(error.to_string()))?;
    let radiation = Radiation::<f64>::new().with(&optics, None).map_err(|error| Failure::new(error.to_string()))?;
    let names: Vec<&str> = sources.iter().map(|source| source.name.as_str()).collect();
    let found = radiation.on(&[Device::Cpu]).run(&column.to_radiation(&names), &Options::default())?;
    let levels = column.level_pressure_pa.len();
    let mut exact = Fluxes { up: vec![0.0; levels], down: vec![0.0; levels] };
    for of in bands {
        exact.up.iter_mut().zip(&of.line_by_line.up).for_each(|(sum, value)| *sum += value);
        exact.down.iter_mut().zip(&of.line_by_line.down).for_each(|(sum, value)| *sum += value);
    }
    let off = |found: &[f64], exact: &[f64]| found.iter().zip(exact).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    let error = off(&found.longwave_up_w_per_m2, &exact.up).max(off(&found.longwave_down_w_per_m2, &exact.down));
    Ok((error, exact.largest()))
}

fn report(wanted: &Wanted, bands: &[OfBand]) {
    print_line!(
        "{:>20} {:>8} {:>14} {:>14} {:>12}",
        "band [cm^-1]",
        "g-points",
        "up, top",
        "down, ground",
        "error [W/m^2]"
    );
    for ([low, high], of) in wanted.bands.iter().zip(bands) {
        let top = of.line_by_line.up.last().copied().unwrap_or(0.0);
        print_line!(
            "{:>20} {:>8} {top:>14.5} {:>14.5} {:>12.2e}",
            format!("{low} to {high}"),
            of.points,
            of.line_by_line.down[0],
            of.error_w_per_m2
        );
    }
}
