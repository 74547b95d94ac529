//! `isobar tables thin`: tables with fewer nodes, and what that does to radiances.

use std::path::PathBuf;

use clap::Args;
use isobar::jurassic::read_rays;
use isobar_ega::launch::Infrared;
use isobar_ega::{ForwardSetup, Interpolation, TableData, planck};
use isobar_io::table::{Endian, Thinning};
use isobar_io::{FilesInUse, read_setup};
use isobar_launch::Device;
use isobar_raytrace::{Atmosphere, Ray};
use serde_json::json;

use super::format::{Format, nodes};
use super::whole::Whole;
use crate::inputs::case::{CaseFiles, read_profile};
use crate::program::failure::Failure;
use crate::program::options::Json;
use crate::program::remarks::warn;

/// The options of `isobar tables thin`.
#[derive(Args, Debug)]
pub(crate) struct Thin {
    #[command(flatten)]
    case: CaseFiles,
    /// How the names of the new tables and filters begin
    #[arg(long)]
    base: PathBuf,
    /// The new format
    #[arg(long, value_enum, default_value = "nc")]
    format: Format,
    /// How far an emissivity may be off, relative
    #[arg(long, default_value_t = 0.01)]
    rtol: f64,
    /// How far an emissivity may be off, absolute, in addition
    #[arg(long, default_value_t = 1e-9)]
    atol: f64,
    #[command(flatten)]
    print: Json,
}

pub(super) fn thin(options: &Thin) -> Result<(), Failure> {
    let thinning = Thinning { relative: options.rtol, absolute: options.atol };
    for (name, value) in [("--rtol", options.rtol), ("--atol", options.atol)] {
        if !(value.is_finite() && value >= 0.0) {
            return Err(Failure::usage(format!("{name} {value} lies outside [0, inf)")));
        }
    }
    let control = options.case.control(FilesInUse::default())?;
    let atmosphere = read_profile(&options.case.atm, &control)?;
    let rays = read_rays(&options.case.obs, &control, &mut warn)?.rays;
    let mut files = FilesInUse::default();
    files.reads("the atmosphere", &options.case.atm)?;
    files.reads("the observation", &options.case.obs)?;
    let mut whole = Whole::read(control, (&options.base, options.format), None, files)?;
    if whole.control.interpolation == Interpolation::Linear {
        warn("nodes are left out for an interpolation in logarithms (TBLINTERP=1); a linear one is farther off");
    }
    let before = radiances(&whole, &atmosphere, &rays)?;
    let channels = whole.control.wavenumbers_per_cm.len();
    let mut gases = Vec::new();
    for (gas, tables) in whole.control.emitters.iter().zip(whole.set.tables.chunks_mut(channels)) {
        let (mut old, mut new) = (0, 0);
        for table in tables.iter_mut().flatten() {
            old += nodes(table);
            *table = thinning.thin(table);
            new += nodes(table);
        }
        if !options.print.json {
            print_line!("{gas}: {new} of {old} nodes stay, {:.2} times fewer", old as f64 / new.max(1) as f64);
        }
        gases.push(json!({ "gas": gas, "nodes": new, "nodes_before": old }));
    }
    let after = radiances(&whole, &atmosphere, &rays)?;
    let changes: Vec<Change> = changes(&whole.control.wavenumbers_per_cm, &before, &after);
    if options.print.json {
        crate::program::print::summary(
            json!({ "gases": gases, "radiances": changes.iter().map(Change::json).collect::<Vec<_>>() }),
        );
    } else {
        print_line!("\nradiances of {} rays before and after:", rays.len());
        print_line!("{:>12} {:>24} {:>18} {:>8}", "cm^-1", "largest change [%]", "root mean square", "[K]");
        for Change { wavenumber_per_cm, largest_percent, root_mean_square_percent, warmest_k } in changes {
            print_line!(
                "{wavenumber_per_cm:>12.4} {largest_percent:>24.4} {root_mean_square_percent:>18.4} {warmest_k:>8.3}"
            );
        }
    }
    whole.write(&options.base, options.format, Endian::Little)
}

/// Radiances with the tables as they are, by the control file's own interpolation.
fn radiances(whole: &Whole, atmosphere: &Atmosphere, rays: &[Ray]) -> Result<Vec<f64>, Failure> {
    let setup = ForwardSetup { brightness_temperature: false, ..read_setup(&whole.control)? };
    let channels = whole.control.wavenumbers_per_cm.len();
    let tables = TableData::packed(&whole.set.tables, channels, false, setup.interpolation)?;
    let found = Infrared::<f64>::new(&setup, tables)?.on(&[Device::Cpu]).run(atmosphere, rays)?;
    found.check()?;
    Ok(found.radiance)
}

/// What became of the radiances of a channel.
struct Change {
    wavenumber_per_cm: f64,
    /// The largest of a ray, relative.
    largest_percent: f64,
    /// The root of the mean of their squares.
    root_mean_square_percent: f64,
    /// The largest in brightness temperature.
    warmest_k: f64,
}

impl Change {
    fn json(&self) -> serde_json::Value {
        json!({
            "wavenumber_per_cm": self.wavenumber_per_cm,
            "largest_percent": self.largest_percent,
            "root_mean_square_percent": self.root_mean_square_percent,
            "largest_k": self.warmest_k,
        })
    }
}

fn changes(wavenumbers_per_cm: &[f64], before: &[f64], after: &[f64]) -> Vec<Change> {
    let of_channel = |(channel, &nu): (usize, &f64)| {
        let pairs = || before.iter().zip(after).skip(channel).step_by(wavenumbers_per_cm.len());
        let relative =
            |(&before, &after): (&f64, &f64)| if before == after { 0.0 } else { 100.0 * (after / before - 1.0) };
        let kelvin = |(&before, &after): (&f64, &f64)| {
            let change = planck::brightness_temperature(after, nu) - planck::brightness_temperature(before, nu);
            if before > 0.0 && after > 0.0 { change } else { 0.0 }
        };
        let (largest_percent, warmest_k) = pairs().fold((0.0_f64, 0.0_f64), |(a, b), pair| {
            let larger = |x: f64, y: f64| if y.abs() > x.abs() { y } else { x };
            (larger(a, relative(pair)), larger(b, kelvin(pair)))
        });
        let squares: f64 = pairs().map(|pair| relative(pair) * relative(pair)).sum();
        let root_mean_square_percent = (squares / pairs().count().max(1) as f64).sqrt();
        Change { wavenumber_per_cm: nu, largest_percent, root_mean_square_percent, warmest_k }
    };
    wavenumbers_per_cm.iter().enumerate().map(of_channel).collect()
}
