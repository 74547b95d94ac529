//! Files that are read, computed and written part by part.

use std::collections::BTreeSet;
use std::time::Instant;

use isobar_io::netcdf::{DatasetWriter, Part, Sample};
use isobar_io::{BoundaryLayerInput, Contradiction, Parts, masked_in_words};
use isobar_launch::Device;
use isobar_ysu::{Launched, Precision};

use super::options::Pbl;
use super::report::Done;
use super::steps::Run;
use super::{coriolis, read, warn_of_made_up, write};
use crate::commands::say_remarks;
use crate::program::failure::Failure;
use crate::program::options::PrecisionOption;
use crate::program::output::ResultOutput;
use crate::program::pipeline::pipeline;
use crate::program::progress::Progress;
use crate::program::remarks::note;

/// In the precision that was asked for.
pub(super) fn solve_any(
    options: &Pbl,
    scheme: &impl Launched,
    parts: &Parts,
    output: ResultOutput,
) -> Result<(), Failure> {
    if options.results.plot.path().is_some() {
        let why = "a plot shows all columns, which are read in parts: --at-once says how many are read together";
        return Err(Failure::usage(format!("--plot: {why}")));
    }
    options.device.with_threads_telling(!options.print.quiet(), |devices| match options.device.precision {
        PrecisionOption::F32 => solve::<f32>(options, scheme, parts, devices, output),
        PrecisionOption::F64 => solve::<f64>(options, scheme, parts, devices, output),
    })
}

fn solve<R: Precision + isobar_surface::Precision + Sample>(
    options: &Pbl,
    scheme: &impl Launched,
    parts: &Parts,
    devices: &[Device],
    output: ResultOutput,
) -> Result<(), Failure> {
    let (quiet, path) = (options.print.quiet(), &options.columns[0]);
    let start = Instant::now();
    let progress = Progress::new(quiet, parts.columns as u64, "columns");
    let (mut computed, mut left_out, mut masked, mut negative) = (0, Vec::new(), 0, 0);
    let (mut first, mut masked_by, mut said) = (None, String::new(), BTreeSet::new());
    let mut land_or_water: Vec<f64> = Vec::new();
    let mut contradictions = Vec::new();
    let read_part = |part| Ok((part, read(options, scheme, Some(part))?));
    let compute = |(part, input): (_, BoundaryLayerInput)| {
        let numbered = |column| parts.number(part, &input.air.horizontal, column);
        let run = Run::<R>::new(options, scheme, &input, devices, (&numbered, |_| ()))?;
        Ok((part, input, run))
    };
    let fill = |mut file: DatasetWriter| -> Result<(), Failure> {
        file.in_parts(&parts.dimension, parts.size);
        let write_part = |(part, input, mut run): (&Part, BoundaryLayerInput, Run<R>)| -> Result<(), Failure> {
            for text in &input.air.notes {
                if said.insert(text.clone()) {
                    note(quiet, format!("{}: {text}", path.display()));
                }
            }
            if first.is_none() {
                options.warn_of_useless(&input.air.names);
                say_remarks(quiet, path, &input.air.derived, &input.air.remarks);
                warn_of_made_up(path, input.made_up.as_deref());
            }
            for &kind in &input.air.columns.land_or_water {
                if !land_or_water.contains(&kind) {
                    land_or_water.push(kind);
                }
            }
            file.begin_part(part.range.start);
            write::write(options, &input, devices, &run, &mut file)?;
            file.end_part()?;
            computed += run.status.len();
            progress.reach(computed);
            left_out.append(&mut run.left_out);
            masked += input.air.masked.len();
            negative += coriolis::negative(options, &input.air);
            Contradiction::merge(&mut contradictions, input.contradictions);
            if masked_by.is_empty() {
                masked_by = input.air.masked_by;
            }
            if first.is_none() {
                let layers = input.air.columns.layers();
                first = Some((layers, input.air.derived, input.air.remarks, input.made_up));
            }
            Ok(())
        };
        pipeline(&parts.all, read_part, compute, write_part)?;
        Ok(file.commit()?)
    };
    output.write(true, || unreachable!("a plot is refused"), fill)?;
    let Some((layers, derived, remarks, made_up)) = first else { return Ok(()) };
    options.warn_of_useless_surface(&land_or_water);
    coriolis::warn([negative, parts.columns], path);
    let contradictions = contradictions.iter().map(|one: &Contradiction| one.in_words(parts.columns));
    let masked_in_words = masked_in_words([masked, parts.columns], &masked_by);
    masked_in_words
        .into_iter()
        .chain(contradictions)
        .for_each(|text| note(quiet, format!("{}: {text}", path.display())));
    let done = Done {
        size: [parts.columns, layers],
        left_out: (left_out.len(), left_out.first().map(|(_, first)| first.as_str())),
        masked,
        derived: &derived,
        remarks: &remarks,
        made_up: made_up.as_deref(),
        devices,
        precision: R::NAME,
        seconds: start.elapsed().as_secs_f64(),
    };
    done.report(options)
}
