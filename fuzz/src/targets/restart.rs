//! Restart files of `isobar run`, as edits of one that is good: refused, or the run ends as it would have.

use std::fs;
use std::sync::{LazyLock, Mutex};

use crate::edits::edited;
use crate::{check_error, data, folder, with_file};
use isobar::run::{Case, Error, Options, run};

/// Two columns of ten layers, restarted before the last of three steps.
const CASE: &str = "columns = 2\nhours = 0.25\nstep_s = 300.0\n[output]\nminutes = 5\nrestart_hours = 0.166666666666666
[grid]\nlayers = 10\ntop_m = 16_000.0\n[initial]\nkind = \"us76\"\n[longwave]\nkdist = \"ecckd-longwave-32.nc\"
[chemistry]\nmechanism = \"ozone_nox.kpp\"\n";

/// The case with the files that it names, read once; the restart file; and what a whole run gives.
static GOOD: LazyLock<(Mutex<Case>, Vec<u8>, String)> = LazyLock::new(|| {
    for file in ["radiation/ecckd-longwave-32.nc", "column/ozone_nox.kpp"] {
        let from = data().join(file);
        fs::copy(&from, folder().join(from.file_name().expect("a file"))).expect("a copy");
    }
    let (case, restart) = (folder().join("case.toml"), folder().join("good.nc"));
    fs::write(&case, CASE).expect("the folder can be written");
    let mut case = Case::open(case).expect("a case file");
    let options = Options { restart: Some(restart.clone()), ..Options::default() };
    let whole = result(&mut case, &options).expect("the case runs");
    (Mutex::new(case), fs::read(restart).expect("the restart file"), whole)
});

fn result(case: &mut Case, options: &Options<'_>) -> Result<String, Error> {
    let outcome = run::<f64>(case, options)?;
    Ok(format!("{:?} {:?}", outcome.records.fields, outcome.flags))
}

pub(super) fn target(script: &[u8]) {
    let (case, good, whole) = &*GOOD;
    let resumed = with_file("fuzz.nc", &edited(good, script), |path| {
        result(
            &mut case.lock().expect("no thread has failed"),
            &Options { resume: Some(path.to_owned()), ..Options::default() },
        )
    });
    match resumed {
        Ok(resumed) => assert!(resumed == *whole, "a restart file that was changed changes the result"),
        Err(error) => check_error(&error, "fuzz.nc"),
    }
}
