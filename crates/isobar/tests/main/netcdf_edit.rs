//! Outputs that others edit in place: NCO's tools, and Python's netCDF4 with mode `a`.
//!
//! What is not installed is said aloud: `cargo test -p isobar --test main netcdf_edit -- --nocapture`. `ISOBAR_PYTHON`
//! names a Python that has netCDF4, and perhaps xarray.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::common::data;
use isobar_io::netcdf::Dataset;

/// Outputs of the command, which `cargo xtask demo-data --check` holds to what it writes; and inputs by the library.
const FILES: [&str; 5] =
    ["adding/radiances.nc", "chemistry/cells.nc", "chemistry/concentrations.nc", "pbl/columns.nc", "pbl/tendencies.nc"];

/// Python's part: what is added is there, and what was there stays, in its order.
const APPEND: &str = "
import sys, netCDF4
path = sys.argv[1]
with netCDF4.Dataset(path) as file:
    before = [(name, file[name][...].tobytes()) for name in file.variables]
with netCDF4.Dataset(path, 'a') as file:
    file.setncattr('checked_by', 'Python')
    file.createDimension('added_dimension', 3)
    file.createVariable('added', 'f8', ('added_dimension',))[:] = [1.0, 2.0, 3.0]
    first = file[before[0][0]]
    first[...] = first[...]
with netCDF4.Dataset(path) as file:
    after = [(name, file[name][...].tobytes()) for name in file.variables]
    assert after[:-1] == before, path
    assert file['added'][:].tolist() == [1.0, 2.0, 3.0]
try:
    import xarray
except ImportError:
    sys.exit()
for engine in ('netcdf4', 'scipy'):
    try:
        with xarray.open_dataset(path, engine=engine, decode_times=False) as file:
            assert file.attrs['checked_by'] == 'Python' and sorted(file.variables) == sorted(name for name, _ in after)
    except ImportError:
        pass
    except ValueError as error:
        if 'unrecognized engine' not in str(error):
            raise
";

fn works(program: &str, arguments: &[&str]) -> bool {
    Command::new(program).args(arguments).output().is_ok_and(|output| output.status.success())
}

fn run(program: &str, arguments: &[&str], folder: &Path) {
    let output = Command::new(program).args(arguments).current_dir(folder).output().unwrap();
    assert!(output.status.success(), "{program} {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
}

/// Each file in a folder of its own.
fn each(test: impl Fn(&Path)) {
    for name in FILES {
        let folder = tempfile::tempdir().unwrap();
        fs::copy(data().join(name), folder.path().join("out.nc")).unwrap();
        test(folder.path());
    }
}

#[test]
fn nco_edits_outputs_in_place() {
    if !works("ncatted", &["--version"]) {
        println!("SKIPPED: outputs edited by NCO, which is not installed");
        return;
    }
    each(|folder| {
        let out = folder.join("out.nc");
        let before = names(&out);
        run("ncatted", &["-O", "-h", "-a", "checked_by,global,c,c,NCO", "out.nc"], folder);
        run("ncrename", &["-h", "-v", &format!("{},renamed", before[0]), "out.nc"], folder);
        // Another file's variables are appended: those of a copy, under another name.
        fs::copy(&out, folder.join("more.nc")).unwrap();
        run("ncrename", &["-h", "-v", "renamed,added", "more.nc"], folder);
        run("ncks", &["-h", "-A", "-v", "added", "more.nc", "out.nc"], folder);
        let after = names(&out);
        assert_eq!(after[1..before.len()], before[1..], "{}", out.display());
        assert!(after[0] == "renamed" && after.contains(&"added".to_owned()), "{after:?}");
        assert_eq!(Dataset::open(&out).unwrap().attribute("checked_by").as_deref(), Some("NCO"));
    });
}

#[test]
fn python_appends_to_outputs() {
    let python = std::env::var("ISOBAR_PYTHON").unwrap_or_else(|_| "python3".into());
    if !works(&python, &["-c", "import netCDF4"]) {
        println!("SKIPPED: outputs edited by Python's netCDF4, which {python} does not have (ISOBAR_PYTHON)");
        return;
    }
    each(|folder| {
        run(&python, &["-c", APPEND, "out.nc"], folder);
        assert_eq!(Dataset::open(&folder.join("out.nc")).unwrap().attribute("checked_by").as_deref(), Some("Python"));
    });
}

/// The variables in their order, as a reader of others lists them.
fn names(path: &Path) -> Vec<String> {
    let file = netcdf_reader::NcFile::open(path).unwrap();
    file.variables().unwrap().iter().map(|variable| variable.name().to_owned()).collect()
}
