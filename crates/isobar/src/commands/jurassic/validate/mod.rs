//! `isobar jurassic validate`: radiances against reference spectra, as JURASSIC's own validation against the
//! line-by-line model RFM compares them.

mod reference;
mod report;

use std::io::Write as _;
use std::path::{Path, PathBuf};

use clap::Args;
use isobar_ega::TableData;
use isobar_ega::launch::Infrared;
use isobar_io::{AtomicFile, Control, FilesInUse, read_atmosphere, read_setup, read_tables};
use isobar_raytrace::Ray;
use serde_json::json;

use self::reference::{Sight, Spectra, gases, sights};
use self::report::{Difference, Pair};
use crate::program::failure::Failure;
use crate::program::options::{DeviceOptions, Printing, key_values};
use crate::program::progress::Progress;
use crate::program::remarks::warn;

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
    #[command(flatten)]
    print: Printing,
}

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
    options.device.with_threads_telling(!options.print.quiet(), |devices| {
        let mut found: Vec<Vec<Pair>> = vec![Vec::new(); sights.len()];
        let mut missing = vec![0; emitters.len()];
        let progress = Progress::new(options.print.quiet(), reference.channels.len() as u64, "channels");
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
        let differences: Vec<Difference> =
            sights.iter().zip(&found).map(|(sight, pairs)| Difference::new(sight, pairs)).collect();
        if options.print.json() {
            let rays: Vec<_> = differences.iter().map(Difference::json).collect();
            crate::program::print::summary(json!({ "rays": rays }));
        } else {
            report::print(&differences);
        }
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
