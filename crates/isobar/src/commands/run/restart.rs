//! Restart files: everything that a run needs to go on to the same bits.
//!
//! NetCDF with the fields of the state, what stages keep beside it, and the results so far, in the precision of the run, and attributes that say which
//! run: the hashes of its inputs, the version and the precision. Written beside the last one and renamed, so that there is a whole one at any time.

use std::path::Path;

use isobar_core::Real;
use isobar_io::netcdf::{
    Accepted, Axis, Dataset, Dimension, NetcdfOutput, OutputVariable, Sample, VariableSpec, file_hash,
};
use isobar_launch::Precision;
use isobar_launch::column::{Memory, Pipeline, Quantity, Shape, State};

use super::{Records, Setup};
use crate::commands::Failure;

/// Which run.
pub(super) struct Restart {
    fingerprint: String,
    sizes: [(Dimension, usize); 5],
}

/// The dimensions of a field, slowest first.
fn dimensions(shape: Shape) -> &'static [Dimension] {
    match shape {
        Shape::Column => &[Dimension::Profile],
        Shape::Layers => &[Dimension::Layer, Dimension::Profile],
        Shape::Levels => &[Dimension::Level, Dimension::Profile],
        Shape::LayersOfTracers => &[Dimension::Layer, Dimension::Tracer, Dimension::Profile],
        Shape::Tracers => &[Dimension::Tracer, Dimension::Profile],
    }
}

impl Restart {
    pub(super) fn new(setup: &Setup, precision: &str) -> Result<Self, Failure> {
        let hashes = setup.inputs.iter().map(|path| file_hash(path)).collect::<Result<Vec<_>, _>>()?;
        let fingerprint = format!("isobar {} {precision} {}", env!("CARGO_PKG_VERSION"), hashes.join(" "));
        let sizes = [
            (Dimension::Profile, setup.columns()),
            (Dimension::Layer, setup.layers()),
            (Dimension::Level, setup.layers() + 1),
            (Dimension::Tracer, setup.tracers().len()),
            (Dimension::Cell, setup.columns() * setup.layers()),
        ];
        Ok(Self { fingerprint, sizes })
    }

    /// Writes the state after so many steps.
    pub(super) fn write<R: Precision + Sample>(
        &self,
        path: &Path,
        steps: u64,
        state: &State<R>,
        pipeline: &Pipeline<R>,
        records: &Records<R>,
    ) -> Result<(), Failure> {
        let mut file = NetcdfOutput::create(path)?;
        file.attribute("title", "Restart file of isobar run")?;
        file.attribute("run", &self.fingerprint)?;
        file.attribute("steps", &steps.to_string())?;
        for (dimension, size) in self.sizes.into_iter().filter(|(_, size)| *size > 0) {
            file.dimension(dimension.name(), size)?;
        }
        file.dimension(Dimension::Time.name(), records.times.len())?;
        for quantity in state.quantities().filter(|quantity| self.size(quantity.shape) > 0) {
            put(&mut file, quantity, "", &[], &state.to_host(quantity)?)?;
        }
        for (quantity, values) in &records.fields {
            put(&mut file, *quantity, "record_", &[Dimension::Time], values)?;
        }
        let flags: Vec<i32> = state.flags()?.iter().map(|&flags| flags.cast_signed()).collect();
        file.variable(&plain("flags", &[Dimension::Profile.name()]), &flags)?;
        file.variable(&plain("time", &[Dimension::Time.name()]), &records.times)?;
        for (stage, memory) in pipeline.memory(state.queue())? {
            for (name, values) in memory {
                file.variable(&plain(&format!("{stage}_{name}"), &[Dimension::Cell.name()]), &values)?;
            }
        }
        Ok(file.commit()?)
    }

    /// Takes back what a file has, and returns the steps that were done.
    pub(super) fn read<R: Precision>(
        &self,
        path: &Path,
        state: &mut State<R>,
        pipeline: &mut Pipeline<R>,
        records: &mut Records<R>,
    ) -> Result<u64, Failure> {
        let mut file = Dataset::open(path)?;
        let refuse = |problem: &str| Failure(format!("{}: {problem}", path.display()));
        let Some(fingerprint) = file.attribute("run") else {
            return Err(refuse("no restart file of isobar run"));
        };
        if fingerprint != self.fingerprint {
            return Err(refuse(
                "the restart file of another run: the case, its files, the precision or the version differ",
            ));
        }
        let steps = file.attribute("steps").and_then(|steps| steps.parse().ok());
        let steps: u64 = steps.ok_or_else(|| refuse("the number of steps is missing"))?;
        // Columns that are flagged may have no numbers.
        file.keep_going();
        let quantities: Vec<_> = state.quantities().filter(|quantity| self.size(quantity.shape) > 0).collect();
        for quantity in quantities {
            let values = read(&mut file, quantity.name, quantity.unit, dimensions(quantity.shape))?;
            let values: Vec<R> = values.into_iter().map(<R as Real>::from_f64).collect();
            state.insert(quantity, &values)?;
        }
        for (quantity, values) in &mut records.fields {
            let all = [&[Dimension::Time], dimensions(quantity.shape)].concat();
            let kept = read(&mut file, &format!("record_{}", quantity.name), quantity.unit, &all)?;
            *values = kept.into_iter().map(<R as Real>::from_f64).collect();
        }
        records.times = read(&mut file, "time", "1", &[Dimension::Time])?;
        records.keep_constants(state)?;
        let flags = read(&mut file, "flags", "1", &[Dimension::Profile])?;
        let flags: Vec<u32> = flags.into_iter().map(|flags| (flags as i32).cast_unsigned()).collect();
        state.set_flags(&flags)?;
        let mut memories = pipeline.memory(state.queue())?;
        for (stage, memory) in &mut memories {
            let again = |(name, _): &(&'static str, Vec<f64>)| {
                let values = read(&mut file, &format!("{stage}_{name}"), "1", &[Dimension::Cell])?;
                Ok::<_, Failure>((*name, values))
            };
            *memory = memory.iter().map(again).collect::<Result<Memory, _>>()?;
        }
        pipeline.recall(state.queue(), &memories)?;
        Ok(steps)
    }

    /// The values of a field.
    fn size(&self, shape: Shape) -> usize {
        let size = |wanted: &Dimension| self.sizes.iter().find(|(known, _)| known == wanted).map_or(0, |known| known.1);
        dimensions(shape).iter().map(size).product()
    }
}

fn plain<'a>(name: &'a str, dimensions: &'a [&'a str]) -> OutputVariable<'a> {
    OutputVariable { name, dimensions, units: "1", long_name: name, standard_name: None, reference_name: None }
}

fn put<R: Sample>(
    file: &mut NetcdfOutput,
    quantity: Quantity,
    prefix: &str,
    before: &[Dimension],
    values: &[R],
) -> Result<(), Failure> {
    let names: Vec<_> = before.iter().chain(dimensions(quantity.shape)).map(|dimension| dimension.name()).collect();
    let name = format!("{prefix}{}", quantity.name);
    let variable = OutputVariable {
        name: &name,
        dimensions: &names,
        units: quantity.unit,
        long_name: quantity.name,
        standard_name: None,
        reference_name: None,
    };
    Ok(file.variable(&variable, values)?)
}

/// The values of a variable, as they were written.
fn read(file: &mut Dataset, name: &str, unit: &str, dimensions: &[Dimension]) -> Result<Vec<f64>, Failure> {
    let axes: Vec<Axis> = dimensions.iter().map(|&dimension| Axis::required(dimension)).collect();
    let spec = VariableSpec { name, aliases: &[], standard_names: &[], unit, axes: &axes, accepted: Accepted::FINITE };
    Ok(file.read(&spec)?.values)
}
