//! Restart files: everything that a run needs to go on to the same bits.
//!
//! NetCDF with the fields of the state, what stages keep beside it, and the results so far, in the precision of the
//! run, and attributes that say which run: the hashes of its inputs, the version and the precision. Each variable has a
//! checksum, and so have the attributes. Written beside the last one and renamed, so that there is a whole one at any
//! time.

use std::path::Path;

use isobar_column::limits::WORDS;
use isobar_column::{Memory, Precision, Quantity, Shape};
use isobar_core::Real;
use isobar_io::netcdf::{
    Accepted, Axis, Dataset, DatasetWriter, Dimension, OutputVariable, Sample, VariableSpec, file_hash,
};

use super::blocks::Blocks;
use super::collected::Collected;
use super::error::Error;
use super::records::Records;
use super::setup::Setup;
use super::team::Member;
use super::team::share::cut;
use super::write::STATUS_WORDS;

/// Which run.
pub(super) struct Restart {
    fingerprint: String,
    sizes: [(Dimension, usize); 6],
}

/// What the files call themselves.
const TITLE: &str = "Restart file of isobar run";

/// The dimensions of a field, slowest first.
fn dimensions(shape: Shape) -> &'static [Dimension] {
    match shape {
        Shape::Column => &[Dimension::Profile],
        Shape::Layers => &[Dimension::Layer, Dimension::Profile],
        Shape::Levels => &[Dimension::Level, Dimension::Profile],
        Shape::LayersOfTracers => &[Dimension::Layer, Dimension::Tracer, Dimension::Profile],
        Shape::Tracers => &[Dimension::Tracer, Dimension::Profile],
        Shape::Soil(_) => &[Dimension::SoilLayer, Dimension::Profile],
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
            (Dimension::SoilLayer, setup.soil.as_ref().map_or(0, |soil| soil.layers.count())),
            (Dimension::Cell, setup.columns() * setup.layers()),
        ];
        Ok(Self { fingerprint, sizes })
    }

    /// Writes the state after a number of steps. Where the file cannot be written, all members answer so, in words.
    pub(super) fn write<R: Precision + Sample>(
        &self,
        path: &Path,
        steps: u64,
        member: &Member<'_>,
        blocks: &Blocks<'_, R>,
        records: &Records<R>,
    ) -> Result<Option<String>, Error> {
        let mut file = Collected::new(member, self.columns(), || self.begin(path, steps, &records.times));
        for quantity in blocks.quantities().into_iter().filter(|quantity| self.size(quantity.shape) > 0) {
            file.put(blocks.values(quantity), |file, values| put(file, quantity, "", &[], values));
        }
        for (quantity, values) in &records.fields {
            file.put(Ok(values.clone()), |file, values| put(file, *quantity, "record_", &[Dimension::Time], values));
        }
        let words = member.agree(blocks.words())?;
        for (own, name) in words.chunks(words.len() / WORDS).zip(STATUS_WORDS) {
            file.put(Ok(own.to_vec()), |file, words| {
                let words: Vec<i32> = words.iter().map(|&word| word.cast_signed()).collect();
                Ok(file.variable_with_checksum(&plain(name, &[Dimension::Profile.name()]), &words)?)
            });
        }
        // All members have the same stages; a failure to read what they keep is one of all variables.
        let memories = member.agree(blocks.memory())?;
        for (stage, memory) in memories {
            for (name, values) in memory {
                let name = format!("{stage}_{name}");
                file.put(Ok(values), |file, values| {
                    Ok(file.variable_with_checksum(&plain(&name, &[Dimension::Cell.name()]), values)?)
                });
            }
        }
        file.finish_or_tell()
    }

    /// The file with what all columns have in common.
    fn begin(&self, path: &Path, steps: u64, times: &[f64]) -> Result<DatasetWriter, Error> {
        let mut file = DatasetWriter::create(path)?;
        file.attribute("title", TITLE)?;
        file.attributes_with_checksum(&[("run", &self.fingerprint), ("steps", &steps.to_string())])?;
        for (dimension, size) in self.sizes.into_iter().filter(|(_, size)| *size > 0) {
            file.dimension(dimension.name(), size)?;
        }
        file.dimension(Dimension::Time.name(), times.len())?;
        file.variable_with_checksum(&plain("time", &[Dimension::Time.name()]), times)?;
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
        if file.attribute("title").as_deref() != Some(TITLE) {
            return Err(refuse("no restart file of isobar run"));
        }
        let [fingerprint, steps] = file.whole_attributes(["run", "steps"])?;
        if fingerprint != self.fingerprint {
            return Err(refuse(
                "the restart file of another run: the case, its files, the precision or the version differ",
            ));
        }
        let steps: u64 = steps.parse().map_err(|_| refuse("the number of steps is none"))?;
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
        let mut words = Vec::with_capacity(WORDS * columns);
        for name in STATUS_WORDS {
            let own = read(&mut file, name, "1", &[Dimension::Profile])?;
            words.extend(own.into_iter().map(|word| (word as i32).cast_unsigned()));
        }
        blocks.blocks_mut().iter_mut().try_for_each(|block| block.set_words(&words, columns))?;
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
    file: &mut DatasetWriter,
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
    Ok(file.variable_with_checksum(&variable, values)?)
}

/// The values of a variable, which have to be those that were written.
fn read(file: &mut Dataset, name: &str, unit: &str, dimensions: &[Dimension]) -> Result<Vec<f64>, Error> {
    let axes: Vec<Axis> = dimensions.iter().map(|&dimension| Axis::required(dimension)).collect();
    let spec = VariableSpec { name, aliases: &[], standard_names: &[], unit, axes: &axes, accepted: Accepted::FINITE };
    Ok(file.read_whole(&spec)?.values)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::PathBuf;
    use std::sync::Mutex;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use isobar_launch::Device;

    use super::super::case::Case;
    use super::super::model::Model;
    use super::super::options::Options;
    use super::super::simulate::run;
    use super::super::team::Team;
    use super::*;

    /// A case of two columns, ten layers and a quarter of an hour, with a restart file after ten minutes.
    fn case(folder: &Path) -> PathBuf {
        let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data");
        for file in ["radiation/ecckd-longwave-32.nc", "column/ozone_nox.kpp"] {
            let file = data.join(file);
            fs::copy(&file, folder.join(file.file_name().unwrap())).unwrap();
        }
        let text = "columns = 2\nhours = 0.25\nstep_s = 300.0\n[output]\nminutes = 5\n\
                    restart_hours = 0.166666666666666\n\
                    [grid]\nlayers = 10\ntop_m = 16_000.0\n[initial]\nkind = \"us76\"\n\
                    [longwave]\nkdist = \"ecckd-longwave-32.nc\"\n[chemistry]\nmechanism = \"ozone_nox.kpp\"\n";
        let path = folder.join("case.toml");
        fs::write(&path, text).unwrap();
        path
    }

    /// The folder of the restart file is gone when the second one is due: the first one stays, all members go on, and
    /// whoever stops the run then is told.
    #[test]
    fn the_last_file_that_could_be_written_stays() {
        let folder = tempfile::tempdir().unwrap();
        let case_file = case(folder.path());
        let text = fs::read_to_string(&case_file).unwrap().replacen("0.166666666666666", "0.083333333333333", 1);
        fs::write(&case_file, text).unwrap();
        let whole = run::<f64>(&mut Case::open(&case_file).unwrap(), &Options::default()).unwrap();
        let [saves, moved] = ["saves", "moved"].map(|name| folder.path().join(name));
        let path = saves.join("restart.nc");
        for (members, stops) in [(1, false), (1, true), (2, false), (2, true)] {
            let _ = fs::remove_dir_all(&moved);
            fs::create_dir(&saves).unwrap();
            let (told, asked) = (Mutex::new(Vec::new()), AtomicUsize::new(0));
            // Two columns: four of them and steps are done after two steps.
            let progress = |done: u64, _: u64| {
                if done == 4 {
                    fs::rename(&saves, &moved).unwrap();
                }
            };
            let options = Options {
                restart: Some(path.clone()),
                devices: vec![Device::Cpu; members],
                // Each member asks after each step.
                stop: Some(&|| stops && asked.fetch_add(1, Ordering::Relaxed) >= members),
                warn: Some(&|warning| told.lock().unwrap().push(warning)),
                progress: Some(&progress),
                ..Options::default()
            };
            let outcome = run::<f64>(&mut Case::open(&case_file).unwrap(), &options);
            let told = told.into_inner().unwrap();
            let cannot = format!("{}: cannot write: ", path.display());
            match outcome {
                Ok(outcome) => {
                    assert!(!stops && outcome.records.fields == whole.records.fields);
                    let last = format!("no restart file after step 2, the last is {}, after step 1", path.display());
                    assert!(told.len() == 1 && told[0].starts_with(&cannot) && told[0].contains(&last), "{told:?}");
                }
                Err(Error::Stopped { step: 2, steps: 3, restart: Some(restart), problem: Some(problem) }) => {
                    assert!(stops && told.is_empty() && problem.starts_with(&cannot), "{told:?} {problem}");
                    assert_eq!(restart, (path.clone(), 1));
                }
                Err(other) => panic!("{other:?}"),
            }
            let resume = Options { resume: Some(moved.join("restart.nc")), ..Options::default() };
            let resumed = run::<f64>(&mut Case::open(&case_file).unwrap(), &resume).unwrap();
            assert!(resumed.records.fields == whole.records.fields);
        }
    }

    /// All that a file gives back, as bits.
    fn content(steps: u64, blocks: &Blocks<'_, f64>, records: &Records<f64>) -> Vec<u64> {
        let mut bits = vec![steps];
        let mut add = |values: &[f64]| bits.extend(values.iter().map(|value| value.to_bits()));
        blocks.quantities().into_iter().for_each(|quantity| add(&blocks.values(quantity).unwrap()));
        records.fields.iter().for_each(|(_, values)| add(values));
        add(&records.times);
        blocks.memory().unwrap().iter().flat_map(|(_, memory)| memory).for_each(|(_, values)| add(values));
        bits.extend(blocks.words().unwrap().into_iter().map(u64::from));
        bits
    }

    /// Wherever a bit flips, the file is refused, or what is read is what was written.
    #[test]
    fn bits_that_flip_are_refused_or_change_nothing() {
        const FLIPS: u64 = 1000;
        let folder = tempfile::tempdir().unwrap();
        let mut case = Case::open(case(folder.path())).unwrap();
        let path = folder.path().join("restart.nc");
        run::<f64>(&mut case, &Options { restart: Some(path.clone()), ..Options::default() }).unwrap();
        let setup = case.prepare(&mut |_| {}).unwrap();
        let good = fs::read(&path).unwrap();
        let counts = Team::alone().work(&[Device::Cpu], |member, device| {
            let restart = Restart::new(&setup, "f64")?;
            let mut blocks = Blocks::new(Model::<f64>::new(&case.file, &setup, device), &(0..2), None)?;
            let mut records = Records::new(&setup, &blocks)?;
            let steps = restart.read(&path, member, &mut blocks, &mut records)?;
            assert_eq!(steps, 2);
            let whole = content(steps, &blocks, &records);
            let (mut refused, mut unchanged) = (0, 0);
            for flip in 0..FLIPS {
                // Knuth's multiplier spreads them.
                let bit = (flip.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 16) as usize % (8 * good.len());
                let mut bytes = good.clone();
                bytes[bit / 8] ^= 1 << (bit % 8);
                fs::write(&path, &bytes).unwrap();
                match restart.read(&path, member, &mut blocks, &mut records) {
                    Err(error) => {
                        assert!(error.to_string().contains("restart.nc"), "bit {bit}: {error}");
                        refused += 1;
                    }
                    Ok(steps) => {
                        assert!(content(steps, &blocks, &records) == whole, "bit {bit} changes what is read");
                        unchanged += 1;
                    }
                }
            }
            Ok((refused, unchanged))
        });
        let (refused, unchanged) = counts.unwrap();
        println!("{FLIPS} bits flipped: {refused} files refused, {unchanged} read as they were written");
        // Most of the file is values.
        assert!(refused > FLIPS / 2 && refused + unchanged == FLIPS);
        // A value that changes is refused with its field's name.
        let theta = content_of(&good, "air_potential_temperature");
        let mut bytes = good;
        bytes[theta] ^= 1;
        fs::write(&path, bytes).unwrap();
        let resume = Options { resume: Some(path), ..Options::default() };
        let said = run::<f64>(&mut case, &resume).err().unwrap().to_string();
        assert!(said.contains("air_potential_temperature is not what was written: its checksum differs"), "{said}");
    }

    /// Where the first value of a variable lies, found by its bytes.
    fn content_of(file: &[u8], name: &str) -> usize {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("restart.nc");
        fs::write(&path, file).unwrap();
        let mut data = Dataset::open(&path).unwrap();
        let first = read(&mut data, name, "K", &[Dimension::Layer, Dimension::Profile]).unwrap();
        let wanted: Vec<u8> = first[..4].iter().flat_map(|value| value.to_be_bytes()).collect();
        file.windows(wanted.len()).position(|bytes| bytes == wanted).expect("it is there")
    }
}
