//! `isobar jurassic validate`: radiances against reference spectra, as JURASSIC's own validation against the
//! line-by-line model RFM compares them.

use std::collections::HashMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use clap::Args;
use isobar_ega::launch::Infrared;
use isobar_ega::{TableData, planck};
use isobar_io::{AtomicFile, Control, FilesInUse, read_atmosphere, read_setup, read_tables};
use isobar_raytrace::{Position, Ray};

use super::Failure;
use crate::case::{key_values, warn};
use crate::commands::DeviceOptions;
use crate::commands::progress::Progress;

/// The options of `validate`.
#[derive(Args, Debug)]
// There is no choice.
#[command(mut_arg("precision", |precision| precision.hide(true)))]
pub(crate) struct Validate {
    /// The folder of the reference, such as projects/validation/rfm_reference of JURASSIC: spectra.csv,
    /// input/geometry.csv, input/atmosphere.tab
    #[arg(long, value_name = "FOLDER")]
    reference: PathBuf,
    /// How the names of the emissivity tables begin, such as FOLDER/tria for FOLDER/tria_CO2.nc
    #[arg(long)]
    base: PathBuf,
    /// Keys that win: TBLFMT is 3 and TBLINTERP 1 unless said otherwise; FORMOD=0 for Curtis-Godson means
    #[arg(value_name = "KEY=VALUE")]
    keys: Vec<String>,
    /// Channels whose tables are in memory at a time
    #[arg(long, default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..))]
    chunk: u32,
    /// Also write our spectra, with the columns of the reference
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    device: DeviceOptions,
    /// Print nothing but the comparison, warnings and errors
    #[arg(long)]
    quiet: bool,
}

/// A ray of the reference.
struct Sight {
    geometry: String,
    number: usize,
    ray: Ray,
}

/// Ours and the reference's radiance at a wavenumber \[cm^-1\].
type Pair = (f64, f64, f64);

pub(super) fn run(options: &Validate) -> Result<(), Failure> {
    let file = |name: &str| options.reference.join(name);
    let (spectra, geometry, atmosphere) =
        (file("spectra.csv"), file("input/geometry.csv"), file("input/atmosphere.tab"));
    let mut files = FilesInUse::default();
    for (what, path) in [("the spectra", &spectra), ("the geometry", &geometry), ("the atmosphere", &atmosphere)] {
        files.reads(what, path)?;
    }
    options.out.iter().try_for_each(|path| files.writes("the output", path))?;
    options.device.need_f64("comparisons")?;
    let reference = Spectra::read(&spectra)?;
    let emitters = gases(&atmosphere)?;
    let keys = key_values(&options.keys)?;
    let control = |channels: &[f64]| control(&keys, &options.base, &emitters, channels);
    let all = control(&reference.channels)?;
    all.files().iter().try_for_each(|(what, path)| files.reads(what, path))?;
    let air = read_atmosphere(&atmosphere, &all)?;
    let top = air.height_km.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let sights = sights(&geometry, top)?;
    let rays: Vec<Ray> = sights.iter().map(|sight| sight.ray).collect();
    options.device.with_threads_telling(!options.quiet, |devices| {
        let mut found: Vec<Vec<Pair>> = vec![Vec::new(); sights.len()];
        let mut missing = vec![0; emitters.len()];
        let progress = Progress::new(options.quiet, reference.channels.len() as u64, "channels");
        for channels in reference.channels.chunks(options.chunk as usize) {
            let control = control(channels)?;
            let set = read_tables(&control)?;
            for (missing, tables) in missing.iter_mut().zip(set.tables.chunks(channels.len())) {
                *missing += tables.iter().filter(|table| table.is_none()).count();
            }
            let setup = read_setup(&control)?;
            let tables = TableData::packed(&set.tables, channels.len(), false, control.interpolation)?;
            let result = Infrared::<f64>::new(&setup, tables)?.on(devices).run(&air, &rays)?;
            result.check()?;
            for (number, (sight, pairs)) in sights.iter().zip(&mut found).enumerate() {
                for (channel, &nu) in channels.iter().enumerate() {
                    if let Some(wanted) = reference.at(sight, nu) {
                        pairs.push((nu, result.radiance[number * channels.len() + channel], wanted));
                    }
                }
            }
            progress.reach(found.iter().map(Vec::len).max().unwrap_or(0));
        }
        drop(progress);
        let without = emitters.iter().zip(&missing).filter(|(_, count)| **count > 0);
        let without: Vec<String> = without.map(|(gas, count)| format!("{gas} in {count}")).collect();
        if !without.is_empty() {
            let (channels, gases) = (reference.channels.len(), without.join(", "));
            warn(format!("of {channels} channels gases without a table count as transparent: {gases}"));
        }
        if let Some(path) = &options.out {
            AtomicFile::write_with(path, |out| {
                writeln!(out, "geometry,ray,nu_cm-1,radiance_W_m-2_sr-1_cm")?;
                for (Sight { geometry, number, .. }, pairs) in sights.iter().zip(&found) {
                    for (nu, radiance, _) in pairs {
                        writeln!(out, "{geometry},{number},{nu},{radiance:e}")?;
                    }
                }
                Ok(())
            })?;
        }
        report(&sights, &found);
        Ok(())
    })
}

/// A control file of some channels.
fn control(keys: &[(String, String)], base: &Path, emitters: &[String], channels: &[f64]) -> Result<Control, Failure> {
    // The first of equal keys wins.
    let mut pairs = keys.to_vec();
    let mut add = |key: String, value: String| pairs.push((key, value));
    add("TBLBASE".into(), base.display().to_string());
    add("TBLFMT".into(), "3".into());
    add("TBLINTERP".into(), "1".into());
    add("NG".into(), emitters.len().to_string());
    emitters.iter().enumerate().for_each(|(i, gas)| add(format!("EMITTER[{i}]"), gas.clone()));
    add("ND".into(), channels.len().to_string());
    channels.iter().enumerate().for_each(|(i, nu)| add(format!("NU[{i}]"), nu.to_string()));
    let (control, complaints) = Control::from_pairs(&pairs)?;
    complaints.iter().for_each(warn);
    if control.brightness_temperature {
        return Err(Failure::usage("WRITE_BBT=1: radiances are compared"));
    }
    Ok(control)
}

/// The gases that the header of an atmosphere names.
fn gases(path: &Path) -> Result<Vec<String>, Failure> {
    let titles = text(path)?;
    let gas = |line: &str| {
        let title = line.strip_prefix("# $")?.split_once(" = ")?.1;
        title.split_once(" volume mixing ratio").map(|(gas, _)| gas.to_owned())
    };
    Ok(titles.lines().filter_map(gas).collect())
}

fn text(path: &Path) -> Result<String, Failure> {
    let text = std::fs::read_to_string(path);
    let unreadable = |cause| isobar_io::Error::Io { path: path.to_owned(), action: "read", cause };
    text.map_err(|cause| unreadable(cause).into())
}

/// A table of values between commas, whose first row names them.
struct Rows {
    path: PathBuf,
    titles: Vec<String>,
    rows: Vec<(usize, Vec<String>)>,
}

impl Rows {
    fn read(path: &Path) -> Result<Self, Failure> {
        let text = text(path)?;
        let words = |line: &str| line.split(',').map(|word| word.trim().to_owned()).collect::<Vec<_>>();
        let mut lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
        let titles = lines.next().map(|(_, line)| words(line)).unwrap_or_default();
        let rows = lines.map(|(number, line)| (number + 1, words(line))).collect();
        Ok(Self { path: path.to_owned(), titles, rows })
    }

    fn column(&self, title: &str) -> Result<usize, Failure> {
        let found = self.titles.iter().position(|other| other == title);
        found.ok_or_else(|| Failure::new(format!("{}: there is no column {title}", self.path.display())))
    }

    fn word<'a>(&self, (line, row): &'a (usize, Vec<String>), column: usize) -> Result<&'a str, Failure> {
        row.get(column).map(String::as_str).ok_or_else(|| {
            let title = &self.titles[column];
            Failure::new(format!("{}:{line}: column {title} is missing", self.path.display()))
        })
    }

    fn number(&self, row: &(usize, Vec<String>), column: usize) -> Result<f64, Failure> {
        let word = self.word(row, column)?;
        word.parse::<f64>().ok().filter(|number| number.is_finite()).ok_or_else(|| {
            let (path, line, title) = (self.path.display(), row.0, &self.titles[column]);
            Failure::new(format!("{path}:{line}: {word:?} is not a number ({title})"))
        })
    }
}

/// The reference.
struct Spectra {
    /// \[cm^-1\], rising.
    channels: Vec<f64>,
    /// By geometry, ray and the bits of the wavenumber.
    radiance: HashMap<(String, usize, u64), f64>,
}

impl Spectra {
    fn read(path: &Path) -> Result<Self, Failure> {
        let rows = Rows::read(path)?;
        let [geometry, ray, nu, radiance] =
            ["geometry", "ray", "nu_cm-1", "radiance_W_m-2_sr-1_cm"].map(|title| rows.column(title));
        let (geometry, ray, nu, radiance) = (geometry?, ray?, nu?, radiance?);
        let mut all = HashMap::new();
        let mut channels = Vec::new();
        for row in &rows.rows {
            let wavenumber = rows.number(row, nu)?;
            channels.push(wavenumber);
            let key = (rows.word(row, geometry)?.to_owned(), rows.number(row, ray)? as usize, wavenumber.to_bits());
            all.insert(key, rows.number(row, radiance)?);
        }
        channels.sort_by(f64::total_cmp);
        channels.dedup();
        if channels.is_empty() {
            return Err(Failure::new(format!("{}: there is no spectrum", path.display())));
        }
        Ok(Self { channels, radiance: all })
    }

    fn at(&self, sight: &Sight, nu: f64) -> Option<f64> {
        self.radiance.get(&(sight.geometry.clone(), sight.number, nu.to_bits())).copied()
    }
}

fn sights(path: &Path, top_km: f64) -> Result<Vec<Sight>, Failure> {
    let rows = Rows::read(path)?;
    let (geometry, number, time) = (rows.column("geometry")?, rows.column("ray")?, rows.column("time_s")?);
    let place = |name: &str| -> Result<[usize; 3], Failure> {
        let column = |what: &str| rows.column(&format!("{name}_{what}"));
        Ok([column("z_km")?, column("lon_deg")?, column("lat_deg")?])
    };
    let (observer, view) = (place("observer")?, place("view")?);
    let mut sights = Vec::new();
    for row in &rows.rows {
        let position = |[z, x, y]: [usize; 3]| -> Result<Position, Failure> {
            Ok(Position {
                height_km: rows.number(row, z)?,
                longitude_deg: rows.number(row, x)?,
                latitude_deg: rows.number(row, y)?,
            })
        };
        let (observer, mut view_point) = (position(observer)?, position(view)?);
        // A view point above the air means an empty path here, and the way there in JURASSIC of 2026.
        if observer.height_km < top_km && view_point.height_km > top_km {
            if (observer.longitude_deg, observer.latitude_deg) != (view_point.longitude_deg, view_point.latitude_deg) {
                let (path, line) = (path.display(), row.0);
                let text = "a slant ray from the air to a view point above it: name one within it";
                return Err(Failure::new(format!("{path}:{line}: {text}")));
            }
            view_point.height_km = top_km;
        }
        sights.push(Sight {
            geometry: rows.word(row, geometry)?.to_owned(),
            number: rows.number(row, number)? as usize,
            ray: Ray { time_s: rows.number(row, time)?, observer, view_point },
        });
    }
    if sights.is_empty() {
        return Err(Failure::new(format!("{}: there is no ray", path.display())));
    }
    Ok(sights)
}

/// The value below which this share of sorted ones lies, between two of them.
fn percentile(sorted: &[f64], share: f64) -> f64 {
    let Some(last) = sorted.len().checked_sub(1) else { return f64::NAN };
    let place = share * last as f64;
    let low = place as usize;
    let weight = place - low as f64;
    sorted[low] * (1.0 - weight) + sorted[(low + 1).min(last)] * weight
}

/// As JURASSIC reports it: of limb rays relative differences of radiances, of others differences of brightness
/// temperatures.
fn report(sights: &[Sight], found: &[Vec<Pair>]) {
    let titles = ["geometry", "view [km]", "unit", "channels", "median", "95 %", "rms", "largest", "at [cm^-1]"];
    let widths = [10, 10, 5, 9, 12, 12, 12, 12, 12];
    let line = |words: &[String]| {
        let padded: Vec<String> = words.iter().zip(widths).map(|(word, width)| format!("{word:>width$}")).collect();
        println!("{}", padded.join(" "));
    };
    line(&titles.map(str::to_owned));
    for (sight, pairs) in sights.iter().zip(found) {
        let limb = sight.geometry == "limb";
        let difference = |&(nu, ours, wanted): &Pair| {
            let kelvin = |radiance| planck::brightness_temperature(radiance, nu);
            let difference = if limb { 100.0 * (ours - wanted) / wanted } else { kelvin(ours) - kelvin(wanted) };
            (difference.abs(), nu)
        };
        // Of no radiance there is neither.
        let mut all: Vec<(f64, f64)> =
            pairs.iter().filter(|(_, ours, wanted)| *wanted > 0.0 && (limb || *ours > 0.0)).map(difference).collect();
        all.sort_by(|a, b| a.0.total_cmp(&b.0));
        let values: Vec<f64> = all.iter().map(|(value, _)| *value).collect();
        let squares: f64 = values.iter().map(|value| value * value).sum();
        let (largest, nu) = all.last().copied().unwrap_or((f64::NAN, f64::NAN));
        line(&[
            sight.geometry.clone(),
            sight.ray.view_point.height_km.to_string(),
            if limb { "%" } else { "K" }.to_owned(),
            values.len().to_string(),
            format!("{:.4}", percentile(&values, 0.5)),
            format!("{:.4}", percentile(&values, 0.95)),
            format!("{:.4}", (squares / values.len() as f64).sqrt()),
            format!("{largest:.4}"),
            nu.to_string(),
        ]);
    }
}
