//! The k-distributions in `data/radiation` are ecCKD's.

use std::path::{Path, PathBuf};

use isobar_io::netcdf::Dataset;

use crate::ecckd::FILES;
use crate::read_ecckd;

const COMMITTED: [(&str, &str); 2] = [("ecckd-longwave-32.nc", FILES[0]), ("ecckd-shortwave-32.nc", FILES[2])];

fn committed(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/radiation").join(name)
}

#[test]
fn they_have_the_values_of_the_originals() {
    let Some(folder) = isobar_golden::find("rrtmgp") else { return };
    for (name, original) in COMMITTED {
        assert!(read_ecckd(&committed(name)) == read_ecckd(&folder.join(original)), "{name}");
    }
}

#[test]
fn they_say_whose_they_are() {
    for (name, _) in COMMITTED {
        let path = committed(name);
        let (model, file) = (read_ecckd(&path), Dataset::open(&path).unwrap());
        assert_eq!(model.points, 32);
        for (attribute, part) in [
            ("title", "correlated k-distribution"),
            ("source", "ecCKD"),
            ("references", "10.1029/2022MS003033"),
            ("license", "Apache"),
            ("license", "ECMWF"),
            ("history", "sha256:"),
        ] {
            let text = file.attribute(attribute).unwrap();
            assert!(text.contains(part), "{name}: {attribute} = {text:?}");
        }
    }
}
