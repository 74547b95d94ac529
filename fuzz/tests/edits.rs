//! Every target with edits of the files with which it begins, the same each time.

use std::fs;
use std::path::Path;

use isobar_fuzz::edits::edited;
use isobar_fuzz::list::{TARGETS, seeds};
use isobar_fuzz::{folder, targets};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// Inputs of a target.
fn inputs(name: &str) -> usize {
    match name {
        // Each is a run of the column model.
        "restart" => 20,
        _ => 500,
    }
}

#[test]
fn edits_of_good_files_are_read_or_refused() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    for target in &TARGETS {
        let run = targets::by_name(target.name).expect("each name has its function");
        let mut random = ChaCha8Rng::seed_from_u64(1);
        let files = seeds(target, &root).expect("its folder can be read");
        let good: Vec<_> = files.iter().map(|file| fs::read(file).expect("a file to begin with")).collect();
        good.iter().for_each(|bytes| run(bytes));
        for number in 0..inputs(target.name) {
            let mut script = [0; 32];
            random.fill_bytes(&mut script);
            // A script of one to four edits; without a good file it is the input itself.
            let script = &script[..8 * (1 + number % 4)];
            match good.get(number % good.len().max(1)) {
                Some(bytes) => run(&edited(bytes, script)),
                None => run(script),
            }
        }
    }
    let _ = fs::remove_dir_all(folder());
}
