//! Restart files: everything that `--resume` needs to go on to the same bytes. Like those of `isobar run`, NetCDF with
//! a checksum of each variable and of the attributes, which say which run.

use std::path::{Path, PathBuf};

use isobar_io::netcdf::{
    Accepted, Axis, Dataset, DatasetWriter, Dimension, OutputVariable, VariableSpec, checksum, file_hash,
};
use isobar_rosenbrock::{COUNTERS, CellFile};

use super::run::{Run, Work, failure_file};
use crate::program::failure::Failure;
use crate::program::remarks::warn;

const TITLE: &str = "Restart file of isobar chem";
const CELL: &[Dimension] = &[Dimension::Cell];
/// Tracer is what readers know a species as.
const STATE: &[Dimension] = &[Dimension::Tracer, Dimension::Cell];
const RECORDS: &[Dimension] = &[Dimension::Time, Dimension::Tracer, Dimension::Cell];

/// A run's restart files.
pub(super) struct Restart<'a> {
    work: &'a Work<'a>,
    cells: Vec<PathBuf>,
}

impl<'a> Restart<'a> {
    /// Those of a run with files of cells.
    pub(super) fn new(work: &'a Work<'a>, cells: &[PathBuf]) -> Self {
        Self { work, cells: cells.to_vec() }
    }

    /// Which run: all that its results depend on.
    fn fingerprint(&self) -> Result<String, Failure> {
        let Work { mechanism, input, options, clock, carried, reduced, retries, budgets, .. } = self.work;
        // What was derived says which values hold in all cells, whatever their file has (--set).
        let chemistry = format!(
            "{:?} {:?} {:?} {:?}",
            mechanism.compiled(),
            mechanism.program(),
            (mechanism.initial(), options, carried, reduced, retries, budgets),
            input.derived
        );
        let hashes = self.cells.iter().map(|path| file_hash(path)).collect::<Result<Vec<_>, _>>()?;
        // Of many files, one number for all.
        let cells = if let [hash] = &hashes[..] { hash.clone() } else { checksum(&[&hashes.join(" ")]) };
        let chemistry = checksum(&[&chemistry]);
        Ok(format!("isobar {} {chemistry} cells sha256:{cells} {clock:?}", env!("CARGO_PKG_VERSION")))
    }

    /// Writes how far a run has come, and the files of its cells that failed.
    pub(super) fn write(&self, path: &Path, run: &Run) -> Result<(), Failure> {
        run.write_failures(self.work)?;
        let mut file = DatasetWriter::create(path)?;
        let failures: Vec<String> = run.failures.iter().map(|file| file.cell.to_string()).collect();
        file.attribute("title", TITLE)?;
        file.attributes_with_checksum(&[
            ("run", &self.fingerprint()?),
            ("intervals", &run.intervals.to_string()),
            // NetCDF has no empty text.
            ("failures", &format!("cells {}", failures.join(" "))),
        ])?;
        let (cells, species) = (run.status.len(), self.work.mechanism.species().len());
        file.dimension(Dimension::Time.name(), run.times.len())?;
        file.dimension(Dimension::Tracer.name(), species)?;
        file.dimension(Dimension::Cell.name(), cells)?;
        let mut put = |name: &str, units: &str, dimensions: &[Dimension], values: &[f64]| {
            let dimensions: Vec<&str> = dimensions.iter().map(|dimension| dimension.name()).collect();
            let variable = OutputVariable {
                name,
                dimensions: &dimensions,
                units,
                long_name: name,
                standard_name: None,
                reference_name: None,
            };
            file.variable_with_checksum(&variable, values)
        };
        put("time", "s", &[Dimension::Time], &run.times)?;
        put("records", "molecule cm-3", RECORDS, &run.concentrations.concat())?;
        put("concentration", "molecule cm-3", STATE, &run.cells.concentration)?;
        put("first_step", "s", CELL, &run.cells.first_step_s)?;
        put("next_step", "s", CELL, &run.next_step)?;
        put("time_reached", "s", CELL, &run.reached)?;
        // Doubles hold all words of 32 bits.
        let words = |words: &[u32]| words.iter().map(|&word| f64::from(word)).collect::<Vec<_>>();
        put("status", "1", CELL, &words(&run.status))?;
        if !run.attempts.is_empty() {
            put("retries", "1", CELL, &words(&run.attempts))?;
        }
        if !run.solved.is_empty() {
            put("solved_species", "1", CELL, &words(&run.solved))?;
            put("reduction_threshold", "molecule cm-3 s-1", CELL, &run.threshold)?;
        }
        for (name, counts) in COUNTERS.iter().zip(run.counters.chunks(cells)) {
            put(name, "1", CELL, &words(counts))?;
        }
        for (name, values) in
            sums(self.work).into_iter().zip(run.extents.chunks(cells).chain(run.burdens.chunks(cells)))
        {
            put(&name, "1", CELL, values)?;
        }
        Ok(file.commit()?)
    }

    /// Takes a run, which is at its start, to where a file has left it.
    pub(super) fn read(&self, path: &Path, run: &mut Run) -> Result<(), Failure> {
        let mut file = Dataset::open(path)?;
        let refuse = |problem: &str| Err(Failure::new(format!("{}: {problem}", path.display())));
        if file.attribute("title").as_deref() != Some(TITLE) {
            return refuse("no restart file of isobar chem");
        }
        let [fingerprint, intervals, failures] = file.whole_attributes(["run", "intervals", "failures"])?;
        if fingerprint != self.fingerprint()? {
            return refuse(
                "the restart file of another run: the mechanism, the cells, the options or the version differ",
            );
        }
        let Ok(intervals) = intervals.parse() else { return refuse("the number of intervals is none") };
        // Cells that failed have no numbers.
        file.keep_going();
        let mut read = |name: &str, unit: &str, dimensions: &[Dimension]| {
            let axes: Vec<Axis> = dimensions.iter().map(|&dimension| Axis::required(dimension)).collect();
            let accepted = Accepted::FINITE;
            let spec = VariableSpec { name, aliases: &[], standard_names: &[], unit, axes: &axes, accepted };
            file.read_whole(&spec).map(|field| field.values)
        };
        let times = read("time", "s", &[Dimension::Time])?;
        let records = read("records", "molecule cm-3", RECORDS)?;
        let records = records.chunks(records.len() / times.len()).map(<[f64]>::to_vec).collect();
        (run.intervals, run.times, run.concentrations) = (intervals, times, records);
        run.cells.concentration = read("concentration", "molecule cm-3", STATE)?;
        run.cells.first_step_s = read("first_step", "s", CELL)?;
        run.next_step = read("next_step", "s", CELL)?;
        run.reached = read("time_reached", "s", CELL)?;
        let words = |values: Vec<f64>| values.into_iter().map(|value| value as u32);
        run.status = words(read("status", "1", CELL)?).collect();
        if !run.attempts.is_empty() {
            run.attempts = words(read("retries", "1", CELL)?).collect();
        }
        if !run.solved.is_empty() {
            run.solved = words(read("solved_species", "1", CELL)?).collect();
            run.threshold = read("reduction_threshold", "molecule cm-3 s-1", CELL)?;
        }
        run.counters.clear();
        for name in COUNTERS {
            run.counters.extend(words(read(name, "1", CELL)?));
        }
        let sums = sums(self.work).iter().map(|name| read(name, "1", CELL)).collect::<Result<Vec<_>, _>>()?;
        let (extents, burdens) = sums.split_at(self.work.budgets.counted.len());
        (run.extents, run.burdens) = (extents.concat(), burdens.concat());
        for cell in failures.split_whitespace().filter_map(|cell| cell.parse().ok()) {
            // They serve nobody but the user, who may have removed them.
            match CellFile::read(&failure_file(self.work.out, cell)) {
                Ok(failure) => run.failures.push(failure),
                Err(problem) => warn(problem),
            }
        }
        Ok(())
    }
}

/// Names of what budgets have added up: extents of reactions, then burdens.
fn sums(work: &Work<'_>) -> Vec<String> {
    let extents = work.budgets.counted.iter().map(|reaction| format!("extent_of_reaction_{reaction}"));
    extents.chain((0..work.budgets.all.len()).map(|budget| format!("burden_{budget}"))).collect()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use isobar_launch::Device;
    use isobar_rosenbrock::{Method, Options};

    use super::super::budget::Budgets;
    use super::super::choices::CarriedStep;
    use super::super::clock::Clock;
    use super::*;

    /// Wherever a bit flips, the file is refused, or what is read is what was written.
    #[test]
    fn bits_that_flip_are_refused_or_change_nothing() {
        const FLIPS: u64 = 1000;
        let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data");
        let mechanism = isobar_kpp::Mechanism::from_file(data.join("mechanisms/chapman_nox.kpp")).unwrap();
        let cells = data.join("chemistry/cells.nc");
        let cells = [cells];
        let input = super::super::cells::read(&cells, &mechanism, &[]).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let (out, path) = (folder.path().join("out.nc"), folder.path().join("restart.nc"));
        let clock = Clock { start_s: 0.0, length_s: 3600.0, interval_s: 600.0, every: 2 };
        let (mut options, carried) = (Options::new(Method::Ros3, 1e-3, 1.0), CarriedStep::Longest);
        let budgets = Budgets::new(&["O3".into(), "NOx=NO+NO2".into()], &mechanism).unwrap();
        options.counted_reactions.clone_from(&budgets.counted);
        let reduced = super::super::reduction::OfCells::default();
        let work = Work {
            name: "m".into(),
            mechanism: &mechanism,
            options,
            input: &input,
            clock,
            out: &out,
            carried,
            reduced,
            retries: vec![],
            budgets,
        };
        let restart = Restart::new(&work, &cells);
        let mut run = Run::new(&work).unwrap();
        run.go_on(&work, &[Device::Cpu], std::sync::Arc::default(), |_| {}, |_| {}).unwrap();
        restart.write(&path, &run).unwrap();
        let content = |run: &Run| {
            let mut numbers = [&run.times, &run.next_step, &run.reached].map(Vec::clone).concat();
            numbers.extend(run.extents.iter().chain(&run.burdens));
            numbers
                .extend(run.concentrations.iter().chain([&run.cells.concentration, &run.cells.first_step_s]).flatten());
            let bits: Vec<u64> = numbers.into_iter().map(f64::to_bits).collect();
            (bits, run.intervals, run.status.clone(), run.counters.clone())
        };
        let (good, whole) = (fs::read(&path).unwrap(), content(&run));
        let (mut refused, mut unchanged) = (0, 0);
        for flip in 0..FLIPS {
            // Knuth's multiplier spreads them.
            let bit = (flip.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 16) as usize % (8 * good.len());
            let mut bytes = good.clone();
            bytes[bit / 8] ^= 1 << (bit % 8);
            fs::write(&path, &bytes).unwrap();
            match restart.read(&path, &mut run) {
                Err(_) => refused += 1,
                Ok(()) => {
                    assert!(content(&run) == whole, "bit {bit} changes what is read");
                    unchanged += 1;
                }
            }
        }
        println!("{FLIPS} bits flipped: {refused} files refused, {unchanged} read as they were written");
        assert!(refused > FLIPS / 2 && refused + unchanged == FLIPS);
    }
}
