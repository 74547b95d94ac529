//! `isobar spectra tables`: emissivity tables of a gas.

mod earlier;
mod kept;

use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use clap::Args;
use isobar::line_by_line::FilterOnGrid;
use isobar::line_by_line::curves::{Nodes, transparent};
use isobar::line_by_line::tables::{Group, groups, pressure_levels, table};
use isobar_ega::EmissivityTable;
use isobar_io::netcdf::file_hash;
use isobar_io::table::{Endian, Thinning};
use isobar_io::{FilesInUse, Shape, filter_path, read_shape};
use isobar_launch::Device;
use isobar_spectra::SpectraError;
use isobar_spectra::launch::Precision;
use rayon::prelude::*;

use serde_json::{Value, json};

use self::kept::{Kept, Levels};
use crate::commands::counted;
use crate::commands::stop::Stop;
use crate::commands::tables::format::{Format, nodes, outputs_of, write_filters, write_gas};
use crate::inputs::line_lists::SourceOptions;
use crate::inputs::reaching::Lists;
use crate::inputs::spectral::axis;
use crate::program::failure::Failure;
use crate::program::options::{DeviceOptions, PrecisionOption, Printing};
use crate::program::progress::Progress;
use crate::program::remarks::warn;

const PRECISION: &str = "Precision of the profiles of lines; \
    distances from lines and sums are always double";

/// The options of `isobar spectra tables`.
#[derive(Args, Debug)]
#[command(mut_arg("precision", |precision| precision.help(PRECISION)))]
pub(crate) struct MakeTables {
    #[command(flatten)]
    sources: SourceOptions,
    /// The gas, as CO2
    #[arg(long)]
    gas: String,
    /// Channels: their wavenumbers [cm^-1]
    #[arg(long, value_name = "NU[,NU...]", value_delimiter = ',', required = true)]
    nu: Vec<f64>,
    /// Boxcar filters of this width around the wavenumbers [cm^-1]
    #[arg(long, default_value_t = 1.0, conflicts_with = "filters")]
    width: f64,
    /// Filters from files BASE_<NU>.filt, NU with four decimals, in place of boxcars
    #[arg(long, value_name = "BASE")]
    filters: Option<PathBuf>,
    /// How the names of the tables begin
    #[arg(long)]
    base: PathBuf,
    /// Their format
    #[arg(long, value_enum, default_value = "nc")]
    format: Format,
    /// Pressures [hPa]: the first, the last and how many, equidistant in ln p
    #[arg(long, value_name = "FROM:TO:COUNT", default_value = "0.0103181:1017:41")]
    pressures: String,
    /// Temperatures [K]: the first, the last and how many
    #[arg(long, value_name = "FROM:TO:COUNT", default_value = "180:320:29")]
    temperatures: String,
    /// From one column density to the next; all are whole powers of it
    #[arg(long, default_value_t = Nodes::default().factor)]
    factor: f64,
    /// The smallest emissivity
    #[arg(long, default_value_t = Nodes::default().emissivities.0)]
    least: f64,
    /// The largest emissivity
    #[arg(long, default_value_t = Nodes::default().emissivities.1)]
    most: f64,
    /// How far an emissivity that is left out may lie from the line, in logarithms, between its neighbours, relative; 0
    /// keeps all
    #[arg(long, default_value_t = 1e-3)]
    rtol: f64,
    /// Mole fraction of the gas itself, which widens its lines
    #[arg(long, default_value_t = 0.0)]
    fraction: f64,
    /// Step of the spectra [cm^-1]
    #[arg(long, default_value_t = 0.0005)]
    step: f64,
    /// Go on with what a run with the same files and options has finished
    #[arg(long)]
    resume: bool,
    #[command(flatten)]
    device: DeviceOptions,
    #[command(flatten)]
    print: Printing,
}

/// As many as JURASSIC has room for.
const JURASSIC: (usize, usize, usize) = (41, 30, 320);

pub(super) fn run(options: &MakeTables) -> Result<(), Failure> {
    let pressures = axis("--pressures", &options.pressures, true)?;
    let temperatures = axis("--temperatures", &options.temperatures, false)?;
    options.check()?;
    let gases = [options.gas.clone()];
    let mut files = FilesInUse::default();
    options.sources.protect(&mut files)?;
    if let Some(base) = &options.filters {
        options.nu.iter().try_for_each(|&nu| files.reads("a filter", &filter_path(base, nu)))?;
    }
    let outputs = outputs_of(&gases, &options.nu, &options.base, options.format);
    outputs.iter().try_for_each(|path| files.writes("the output", path))?;
    let filters = options.nu.iter().map(|&nu| options.filter(nu)).collect::<Result<Vec<_>, _>>()?;
    if pressures.len() > JURASSIC.0 || temperatures.len() > JURASSIC.1 {
        let (p, t, _) = JURASSIC;
        warn(format!("JURASSIC as it is compiled by default reads {p} pressures and {t} temperatures at most"));
    }
    let others = earlier::of_other_channels(&options.base, &options.gas, &options.nu, options.format)?;
    let kept = Kept::open(&options.base, &options.gas, &options.fingerprint(&filters)?, options.resume)?;
    let stop = Stop::watch()?;
    let tables = options.device.with_threads_telling(!options.print.quiet(), |devices| {
        let job = Job { options, pressures: &pressures, temperatures: &temperatures, kept: &kept, stop: &stop };
        match options.device.precision {
            PrecisionOption::F32 => job.all::<f32>(devices, &filters),
            PrecisionOption::F64 => job.all::<f64>(devices, &filters),
        }
    })?;
    let mut there = Vec::new();
    for ((&nu, table), filter) in options.nu.iter().zip(&tables).zip(&filters) {
        match table {
            Some(table) => there.push((nu, table, filter)),
            None => {
                warn(format!("{} does not absorb at {nu} cm^-1: there is no table, it is transparent", options.gas))
            }
        }
    }
    let longest = there.iter().flat_map(|(_, table, _)| &table.pressures).flat_map(|level| &level.curves);
    let longest = longest.map(|curve| curve.emissivity.len()).max().unwrap_or(0);
    if longest > JURASSIC.2 {
        warn(format!(
            "a curve has {longest} nodes; JURASSIC as it is compiled by default reads {} at most",
            JURASSIC.2
        ));
    }
    let mut all: Vec<_> = others.iter().map(|(nu, packed)| (*nu, &packed.table, &packed.filter)).collect();
    all.extend(&there);
    write_gas(&options.base, &options.gas, &all, options.format, Endian::Little)?;
    for (&nu, _) in options.nu.iter().zip(&tables).filter(|(_, table)| table.is_none()) {
        earlier::remove(&options.base, &options.gas, nu, options.format, all.len())?;
    }
    let of_channels: Vec<_> = options.nu.iter().copied().zip(&filters).collect();
    write_filters(&options.base, &of_channels, options.format)?;
    kept.remove();
    let all: Vec<usize> = there.iter().map(|(_, table, _)| nodes(table)).collect();
    if !options.print.quiet() {
        tell!("{}: {}, {}", options.gas, counted(all.len(), "table"), counted(all.iter().sum(), "node"));
    }
    if options.print.json() {
        let table = |((nu, ..), nodes): (&(f64, _, _), &usize)| json!({ "wavenumber_per_cm": nu, "nodes": nodes });
        let tables: Vec<Value> = there.iter().zip(&all).map(table).collect();
        crate::program::print::summary(json!({ "gas": options.gas, "tables": tables, "longest_curve": longest }));
    }
    Ok(())
}

impl MakeTables {
    fn check(&self) -> Result<(), Failure> {
        let wrong =
            |name: &str, value: f64, range: &str| Err(Failure::usage(format!("--{name} {value} lies outside {range}")));
        let above = |x: f64, least: f64| x > least && x.is_finite();
        // Classes of cross-sections are no wider than a step of columns: there would be very many.
        if !(self.factor >= 1.0001 && self.factor.is_finite()) {
            return wrong("factor", self.factor, "[1.0001, inf)");
        }
        if !(self.least > 0.0 && self.least < 1.0) {
            return wrong("least", self.least, "(0, 1)");
        }
        // So that each curve has a node between them: emissivity grows no faster than the column.
        if !(self.most >= self.factor * self.least && self.most < 1.0) {
            return wrong("most", self.most, "[--factor x --least, 1)");
        }
        if !(self.rtol >= 0.0 && self.rtol.is_finite()) {
            return wrong("rtol", self.rtol, "[0, inf)");
        }
        if !above(self.width, 0.0) {
            return wrong("width", self.width, "(0, inf)");
        }
        if !(0.0..=1.0).contains(&self.fraction) {
            return wrong("fraction", self.fraction, "[0, 1]");
        }
        match self.nu.iter().find(|nu| !(nu.is_finite() && **nu - 0.5 * self.width > 0.0)) {
            Some(&nu) => wrong("nu", nu, "(half the width, inf)"),
            None => self.check_names(),
        }
    }

    /// Channels are told apart by wavenumbers with four decimals: in names of files, and in JURASSIC's NetCDF.
    fn check_names(&self) -> Result<(), Failure> {
        let names: Vec<String> = self.nu.iter().map(|nu| format!("{nu:.4}")).collect();
        for (number, name) in names.iter().enumerate() {
            if let Some(other) = names[..number].iter().position(|earlier| earlier == name) {
                let (one, two) = (self.nu[other], self.nu[number]);
                return Err(Failure::usage(format!(
                    "--nu {one} and {two} are one channel in names of tables, which have four decimals: {name}"
                )));
            }
        }
        Ok(())
    }

    fn filter(&self, nu: f64) -> Result<Shape, Failure> {
        if let Some(base) = &self.filters {
            return Ok(read_shape(&filter_path(base, nu))?);
        }
        let half = 0.5 * self.width;
        Ok(Shape { x: vec![nu - half, nu + half], y: vec![1.0, 1.0] })
    }

    /// All that levels depend on, in words: devices and threads give the same bits.
    fn fingerprint(&self, filters: &[Shape]) -> Result<String, Failure> {
        let Self { sources, gas, nu, pressures, temperatures, factor, least, most, fraction, step, device, .. } = self;
        let axes = (nu, filters, pressures, temperatures, factor, least, most);
        let mut text = format!("{gas}\n{axes:?}\n{fraction} {step} {:?}\n{sources:?}\n", device.precision);
        for path in self.sources.paths()? {
            text += &format!("{} {}\n", path.display(), file_hash(&path)?);
        }
        Ok(text)
    }
}

/// What is to be computed.
struct Job<'a> {
    options: &'a MakeTables,
    pressures: &'a [f64],
    temperatures: &'a [f64],
    kept: &'a Kept,
    stop: &'a Stop,
}

impl Job<'_> {
    /// The table of each channel, thinned; none where the gas does not absorb.
    fn all<R: Precision>(
        &self,
        devices: &[Device],
        filters: &[Shape],
    ) -> Result<Vec<Option<EmissivityTable>>, Failure> {
        let Self { options, pressures, temperatures, .. } = *self;
        let thinning = Thinning { relative: options.rtol, absolute: 0.0 };
        let on_grid = |filter| FilterOnGrid::new(filter, options.step);
        let filters = filters.iter().map(on_grid).collect::<Result<Vec<_>, _>>()?;
        let groups = groups(&filters, options.step)?;
        let progress = Progress::new(options.print.quiet(), (filters.len() * pressures.len()) as u64, "pressures");
        let done = AtomicUsize::new(0);
        let tell = |levels: usize| progress.reach(done.fetch_add(levels, Ordering::Relaxed) + levels);
        let mut lists = options.sources.open(Some(std::slice::from_ref(&options.gas)))?;
        let mut tables: Vec<Option<EmissivityTable>> = vec![None; filters.len()];
        for (number, group) in groups.iter().enumerate() {
            let levels = self.group::<R>(devices, (number, group, &filters), &mut lists, &tell)?;
            for (place, &channel) in group.channels.iter().enumerate() {
                let levels = levels.iter().map(|level| level[place].clone()).collect();
                tables[channel] = table(pressures, temperatures, levels);
                if let Some(table) = &tables[channel] {
                    self.tell_transparent(options.nu[channel], table);
                }
            }
        }
        // With --resume, what was read is not all.
        if options.resume {
            lists.beyond.tell();
        } else {
            lists.finish();
        }
        let thin = |table: Option<EmissivityTable>| table.map(|table| thinning.thin(&table));
        Ok(tables.into_par_iter().map(thin).collect())
    }

    /// Says where a gas does not absorb in a channel in which it does elsewhere.
    fn tell_transparent(&self, nu: f64, table: &EmissivityTable) {
        let curves = table.pressures.iter().flat_map(|level| level.curves.iter().map(move |curve| (level, curve)));
        let mut empty = curves.filter(|(_, curve)| **curve == transparent(curve.temperature_k));
        let Some((level, curve)) = empty.next() else { return };
        let (count, all) = (empty.count() + 1, self.pressures.len() * self.temperatures.len());
        warn(format!(
            "{} does not absorb at {nu} cm^-1 at {count} of {all} pressures and temperatures, the first {} hPa and {} \
             K: it counts as transparent there",
            self.options.gas, level.pressure_hpa, curve.temperature_k
        ));
    }

    /// The levels of a group's channels, pressure by pressure: those that are kept, and the others, which are kept
    /// then.
    fn group<R: Precision>(
        &self,
        devices: &[Device],
        (number, group, filters): (usize, &Group, &[FilterOnGrid]),
        lists: &mut Lists<'_>,
        done: &(dyn Fn(usize) + Sync),
    ) -> Result<Vec<Levels>, Failure> {
        let Self { options, pressures, temperatures, kept, stop } = *self;
        let channels = group.channels.len();
        let found = pressures.iter().enumerate().map(|(place, &p)| kept.levels(number, place, channels, p));
        let found = found.collect::<Result<Vec<_>, _>>()?;
        let missing: Vec<usize> = (0..pressures.len()).filter(|&place| found[place].is_none()).collect();
        done((pressures.len() - missing.len()) * channels);
        let found: Vec<Mutex<Option<Levels>>> = found.into_iter().map(Mutex::new).collect();
        if !missing.is_empty() {
            let stopped = || Failure::stopped(format!("stopped; --resume goes on from {}", kept.folder.display()));
            if stop.is_asked() {
                return Err(stopped());
            }
            let sources = lists.reaching(group.grid.ends_per_cm())?;
            lists.tell_empty(group.grid.ends_per_cm());
            lists.coarse.warn(&sources, &group.grid, temperatures[0]);
            lists.beyond.note(&sources, group.grid.ends_per_cm(), temperatures);
            for &channel in &group.channels {
                lists.beyond.note_gaps(&sources, filters[channel].grid.ends_per_cm());
            }
            let Some(source) = sources.into_iter().next() else {
                return Ok(vec![vec![None; channels]; pressures.len()]);
            };
            let (asked, broken, failure) = (stop.flag(), AtomicBool::new(false), Mutex::new(None));
            let hpa: Vec<f64> = missing.iter().map(|&place| pressures[place]).collect();
            let nodes = Nodes { factor: options.factor, emissivities: (options.least, options.most) };
            let keep = |which: usize, levels: Levels| {
                let place = missing[which];
                if let Err(error) = kept.keep(number, place, &levels) {
                    broken.store(true, Ordering::Relaxed);
                    failure.lock().expect("no worker panics").get_or_insert(error);
                }
                *found[place].lock().expect("no worker panics") = Some(levels);
                done(channels);
            };
            let states = (hpa.as_slice(), temperatures, options.fraction);
            let stops = [Some(&*asked), Some(&broken)];
            let outcome = pressure_levels::<R>(&source, devices, (group, filters), states, nodes, stops, &keep);
            if let Some(failure) = failure.into_inner().expect("no worker panics") {
                return Err(failure);
            }
            match outcome {
                Err(SpectraError::Device(isobar_launch::Error::Stopped)) => return Err(stopped()),
                other => other?,
            }
        }
        let all = found.into_iter().map(|level| level.into_inner().expect("no worker panics"));
        Ok(all.map(|levels| levels.expect("all pressures are there")).collect())
    }
}
