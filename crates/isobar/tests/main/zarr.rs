//! Commands on Zarr stores: the results of NetCDF files of the same content.

use std::ffi::OsStr;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use isobar_io::netcdf::{Accepted, Axis, VariableSpec, file_hash};
use isobar_io::netcdf::{Dataset, DatasetWriter, Dimension, OutputVariable};
use netcdf_reader::NcFile;

use crate::common::{data, isobar, said};

/// The columns of the repository as a store.
fn columns(folder: &Path) -> PathBuf {
    let file = NcFile::open(data().join("radiation/columns.nc")).unwrap();
    let path = folder.join("columns.zarr");
    let mut out = DatasetWriter::create(&path).unwrap();
    for dimension in file.dimensions().unwrap() {
        out.dimension(&dimension.name, dimension.size as usize).unwrap();
    }
    for variable in file.variables().unwrap() {
        let text = |name: &str| variable.attribute(name).and_then(|one| one.value.as_string()).unwrap_or_default();
        let dimensions: Vec<&str> = variable.dimensions.iter().map(|one| one.name.as_str()).collect();
        let values: Vec<f64> = file.read_variable_as_f64(&variable.name).unwrap().into_iter().collect();
        let described = OutputVariable {
            name: &variable.name,
            dimensions: &dimensions,
            units: &text("units"),
            long_name: &text("long_name"),
            standard_name: None,
            reference_name: None,
        };
        out.variable(&described, &values).unwrap();
    }
    out.commit().unwrap();
    path
}

/// The results of `isobar radiation`, bit by bit.
fn fluxes(path: &Path) -> Vec<Vec<u64>> {
    let mut file = Dataset::open(path).unwrap();
    let column = Axis::required(Dimension::Profile);
    let axes = [&[column, Axis::required(Dimension::Level)][..], &[column, Axis::required(Dimension::Layer)]];
    let all = [
        ("longwave_upward_flux", "W m-2", axes[0]),
        ("shortwave_downward_flux", "W m-2", axes[0]),
        ("shortwave_heating_rate", "K day-1", axes[1]),
    ];
    let read = |(name, unit, axes)| {
        let accepted = Accepted::FINITE;
        let spec = VariableSpec { name, aliases: &[], standard_names: &[], unit, axes, accepted };
        file.read(&spec).unwrap().values.into_iter().map(f64::to_bits).collect()
    };
    all.map(read).to_vec()
}

#[test]
fn radiation_reads_and_writes_stores() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let solve = |from: &Path, to: &str, more: &[&str]| {
        let arguments = ["radiation", from.to_str().unwrap(), "-o", path(to).to_str().unwrap()].map(str::to_owned);
        let kdist = ["longwave", "shortwave"].map(|of| data().join(format!("radiation/ecckd-{of}-32.nc")));
        let kdist = kdist.iter().flat_map(|path| ["--kdist".to_owned(), path.to_str().unwrap().to_owned()]);
        let more = ["--device", "cpu", "--threads", "1", "--quiet"].iter().chain(more).map(|&word| word.to_owned());
        let output = isobar(&arguments.into_iter().chain(kdist).chain(more).collect::<Vec<_>>());
        assert!(output.status.success(), "{}", said(&output));
    };
    solve(&data().join("radiation/columns.nc"), "of_file.nc", &[]);
    let expected = fluxes(&path("of_file.nc"));
    let store = columns(folder.path());
    for name in ["of_store.nc", "of_store.zarr"] {
        solve(&store, name, &[]);
        assert_eq!(fluxes(&path(name)), expected, "{name}");
    }
    // The hash of the store is noted.
    let inputs = Dataset::open(&path("of_store.nc")).unwrap().attribute("inputs").unwrap();
    assert!(inputs.contains(&format!("columns.zarr sha256:{}", file_hash(&store).unwrap())), "{inputs}");
    // Part by part, and by two processes.
    solve(&store, "parts.zarr", &["--at-once", "3"]);
    for rank in ["0", "1"] {
        solve(&store, "ranks.zarr/", &["--at-once", "3", "--ranks", "2", "--rank", rank]);
    }
    for name in ["parts.zarr", "ranks.zarr"] {
        assert_eq!(fluxes(&path(name)), expected, "{name}");
    }
    // What is drawn, and what follows from it read again; the file is the oracle of the store.
    let samples = ["--samples", "7", "--at-once", "3", "--seed", "5"];
    for name in ["samples.nc", "samples.zarr"] {
        solve(&data().join("radiation/columns.nc"), name, &samples);
    }
    solve(&path("samples.zarr"), "again.zarr", &["--at-once", "2"]);
    for name in ["samples.zarr", "again.zarr"] {
        assert_eq!(fluxes(&path(name)), fluxes(&path("samples.nc")), "{name}");
    }
    // A store that has changed since, though no file of it has another size, is another run's.
    let rank = |rank: &str| {
        let words = ["--at-once", "3", "--ranks", "2", "--rank", rank, "--device", "cpu", "--quiet"];
        let kdist = data().join("radiation/ecckd-longwave-32.nc");
        let out = path("changed.zarr");
        let paths = [store.as_path(), Path::new("-o"), &out, Path::new("--kdist"), &kdist].map(Path::as_os_str);
        isobar(&[&[OsStr::new("longwave")], &paths[..], &words.map(OsStr::new)].concat())
    };
    assert!(rank("0").status.success());
    let chunk = File::options().append(true).open(store.join("temperature/c/0/0")).unwrap();
    chunk.set_modified(SystemTime::now() + Duration::from_secs(2)).unwrap();
    let refused = rank("1");
    assert!(!refused.status.success() && said(&refused).contains("lists parts of another run"), "{}", said(&refused));
    // The columns are not overwritten.
    let own = store.to_str().unwrap();
    let refused = isobar(&["radiation", own, "-o", own]);
    assert!(said(&refused).contains("the output would overwrite the columns"), "{}", said(&refused));
}
