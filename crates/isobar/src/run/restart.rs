//! Restart files: everything that a run needs to go on to the same bits.
//!
//! NetCDF with the fields of the state, what stages keep beside it, and the results so far, in the precision of the
//! run, and attributes that say which run: the hashes of its inputs, the version and the precision. Written beside the
//! last one and renamed, so that there is a whole one at any time.

use std::path::Path;

use isobar_column::{Memory, Precision, Quantity, Shape};
use isobar_core::Real;
use isobar_io::netcdf::{
    Accepted, Axis, Dataset, Dimension, NetcdfOutput, OutputVariable, Sample, VariableSpec, file_hash,
};

use super::blocks::Blocks;
use super::collected::Collected;
use super::error::Error;
use super::records::Records;
use super::setup::Setup;
use super::team::Member;
use super::team::share::cut;

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
    pub(super) fn new(setup: &Setup, precision: &str) -> Result<Self, Error> {
        let hashes = setup.inputs.iter().map(|path| file_hash(path)).collect::<Result<Vec<_>, _>>()?;
        let fingerprint =
            format!("isobar {} {precision} {}", env!("CARGO_PKG_VERSION"), hashes.join(" ") + &setup.changes);
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
        member: &Member<'_>,
        blocks: &Blocks<'_, R>,
        records: &Records<R>,
    ) -> Result<(), Error> {
        let mut file = Collected::new(member, self.columns(), || self.begin(path, steps, &records.times));
        for quantity in blocks.quantities().into_iter().filter(|quantity| self.size(quantity.shape) > 0) {
            file.put(blocks.values(quantity), |file, values| put(file, quantity, "", &[], values));
        }
        for (quantity, values) in &records.fields {
            file.put(Ok(values.clone()), |file, values| put(file, *quantity, "record_", &[Dimension::Time], values));
        }
        file.put(blocks.flags(), |file, flags| {
            let flags: Vec<i32> = flags.iter().map(|&flags| flags.cast_signed()).collect();
            Ok(file.variable(&plain("flags", &[Dimension::Profile.name()]), &flags)?)
        });
        // All members have the same stages; a failure to read what they keep is one of all variables.
        let memories = member.agree(blocks.memory())?;
        for (stage, memory) in memories {
            for (name, values) in memory {
                let name = format!("{stage}_{name}");
                file.put(Ok(values), |file, values| {
                    Ok(file.variable(&plain(&name, &[Dimension::Cell.name()]), values)?)
                });
            }
        }
        file.finish()
    }

    /// The file with what all columns have in common.
    fn begin(&self, path: &Path, steps: u64, times: &[f64]) -> Result<NetcdfOutput, Error> {
        let mut file = NetcdfOutput::create(path)?;
        file.attribute("title", "Restart file of isobar run")?;
        file.attribute("run", &self.fingerprint)?;
        file.attribute("steps", &steps.to_string())?;
        for (dimension, size) in self.sizes.into_iter().filter(|(_, size)| *size > 0) {
            file.dimension(dimension.name(), size)?;
        }
        file.dimension(Dimension::Time.name(), times.len())?;
        file.variable(&plain("time", &[Dimension::Time.name()]), times)?;
        Ok(file)
    }

    /// Takes back what a file has, and returns the steps that were done. Every member reads it by itself.
    pub(super) fn read<R: Precision>(
        &self,
        path: &Path,
        member: &Member<'_>,
        blocks: &mut Blocks<'_, R>,
        records: &mut Records<R>,
    ) -> Result<u64, Error> {
        let mut file = Dataset::open(path)?;
        let refuse = |problem| Error::Restart { path: path.to_owned(), problem };
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
        let columns = self.columns();
        for quantity in blocks.quantities().into_iter().filter(|quantity| self.size(quantity.shape) > 0) {
            let values = read(&mut file, quantity.name, quantity.unit, dimensions(quantity.shape))?;
            blocks.blocks_mut().iter_mut().try_for_each(|block| block.set(quantity, &values, columns))?;
        }
        let own = member.columns(columns);
        for (quantity, values) in &mut records.fields {
            let all = [&[Dimension::Time], dimensions(quantity.shape)].concat();
            let kept = read(&mut file, &format!("record_{}", quantity.name), quantity.unit, &all)?;
            *values = cut(&kept, columns, &own).into_iter().map(<R as Real>::from_f64).collect();
        }
        records.times = read(&mut file, "time", "1", &[Dimension::Time])?;
        let flags = read(&mut file, "flags", "1", &[Dimension::Profile])?;
        let flags: Vec<u32> = flags.into_iter().map(|flags| (flags as i32).cast_unsigned()).collect();
        blocks.blocks_mut().iter_mut().try_for_each(|block| block.set_flags(&flags))?;
        let mut memories = blocks.memory()?;
        for (stage, memory) in &mut memories {
            let again = |(name, _): &(&'static str, Vec<f64>)| {
                let values = read(&mut file, &format!("{stage}_{name}"), "1", &[Dimension::Cell])?;
                Ok::<_, Error>((*name, values))
            };
            *memory = memory.iter().map(again).collect::<Result<Memory, _>>()?;
        }
        blocks.blocks_mut().iter_mut().try_for_each(|block| block.set_memory(&memories, columns))?;
        Ok(steps)
    }

    fn columns(&self) -> usize {
        self.sizes[0].1
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
) -> Result<(), Error> {
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
fn read(file: &mut Dataset, name: &str, unit: &str, dimensions: &[Dimension]) -> Result<Vec<f64>, Error> {
    let axes: Vec<Axis> = dimensions.iter().map(|&dimension| Axis::required(dimension)).collect();
    let spec = VariableSpec { name, aliases: &[], standard_names: &[], unit, axes: &axes, accepted: Accepted::FINITE };
    Ok(file.read(&spec)?.values)
}
