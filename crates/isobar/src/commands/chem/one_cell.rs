//! A single cell again, from its file.

mod by_name;

use std::path::Path;

use isobar_core::Status;
use isobar_kpp::Mechanism;
use isobar_rosenbrock::{BadItems, COUNTERS, Chemistry, Device, Options, outcome};

use crate::program::failure::Failure;
use crate::program::remarks::warn;
pub(super) use by_name::{names, read};

pub(super) fn run(path: &Path, mechanism: &Mechanism, options: Options) -> Result<(), Failure> {
    let (file, told) = read(path, mechanism, options.rates)?;
    told.iter().for_each(warn);
    let cells = file.cells();
    print_line!("cell {}: {} at step {}, time {} s", file.cell, file.outcome, file.steps, file.time_s);
    let program = Some(mechanism.program().clone());
    let chemistry = Chemistry::new(mechanism.compiled().clone(), program);
    let model = chemistry.on(&[Device::Thread]).bad_items(BadItems::Compute);
    let done = model.run(&cells, &options.lasting(file.time_s, file.left_s))?;
    let [reached, last, next] = [done.time_reached_s[0], done.last_step_s[0], done.next_step_s[0]];
    print_line!("again from there to {} s: {}", file.end_s, outcome::describe(Status(done.status[0])));
    print_line!("time {reached} s, last step {last:e} s, next step {next:e} s");
    let counters = COUNTERS.iter().zip(&done.counters).map(|(name, count)| format!("{name} {count}"));
    print_line!("{}", counters.collect::<Vec<_>>().join(", "));
    print_line!("{:>16} {:>24} {:>24}", "species", "before", "after");
    for (i, species) in mechanism.species().iter().enumerate() {
        print_line!("{:>16} {:24e} {:24e}", species.name, file.concentrations[i], done.concentration[i]);
    }
    Failure::unless_all(usize::from(done.status[0] != 0), 1)
}
