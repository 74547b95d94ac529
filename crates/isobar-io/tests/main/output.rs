//! Output is there as a whole or not at all.

use std::fs;
use std::io::{self, Write};

use isobar_io::AtomicFile;

#[test]
fn file_appears_when_complete() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("out.tab");
    let mut file = AtomicFile::create(&path).unwrap();
    file.write_all(b"1 2 3\n").unwrap();
    assert!(!path.exists());
    file.commit().unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"1 2 3\n");
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
}

#[test]
fn failure_leaves_the_former_file_and_nothing_else() {
    let (folder, path) = crate::common::file("old", "out.tab");
    let full = |out: &mut AtomicFile| {
        out.write_all(b"new")?;
        Err(io::Error::from_raw_os_error(28))
    };
    let error = AtomicFile::write_with(&path, full);
    assert_eq!(crate::common::message(error, &path), "out.tab: cannot write: No space left on device (os error 28)");
    assert_eq!(fs::read(&path).unwrap(), b"old");
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
}

#[test]
fn folder_that_does_not_exist_is_named_once() {
    let error = AtomicFile::create("/nowhere/out.tab".as_ref()).unwrap_err().to_string();
    assert!(error.starts_with("/nowhere/out.tab: cannot write: No such file or directory"), "{error}");
}

#[cfg(unix)]
mod unix {
    use super::*;
    use std::os::unix::fs::{PermissionsExt, symlink};
    use std::path::Path;

    #[test]
    fn full_disk_is_an_error() {
        if !Path::new("/dev/full").exists() {
            eprintln!("SKIPPED: no /dev/full");
            return;
        }
        let error = AtomicFile::write_with(Path::new("/dev/full"), |out| out.write_all(b"new")).unwrap_err();
        assert_eq!(error.to_string(), "/dev/full: cannot write: No space left on device (os error 28)");
    }

    #[test]
    fn links_and_permissions_are_those_of_any_file() {
        let (folder, path) = crate::common::file("old", "out.tab");
        let link = folder.path().join("link.tab");
        symlink(&path, &link).unwrap();
        AtomicFile::write_with(&link, |out| out.write_all(b"new")).unwrap();
        assert!(link.is_symlink());
        assert_eq!(fs::read(&path).unwrap(), b"new");
        let plain = folder.path().join("plain.tab");
        fs::write(&plain, "").unwrap();
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode();
        assert_eq!(mode(&path), mode(&plain));
    }
}

#[cfg(feature = "netcdf")]
#[allow(dead_code, reason = "its main is for `cargo run --example 01_netcdf`")]
#[path = "../../examples/01_netcdf.rs"]
mod example_01;

#[cfg(feature = "netcdf")]
#[test]
fn example_01_prints_what_stands_beside_it() {
    assert_eq!(example_01::text().unwrap(), include_str!("../../examples/01_netcdf.txt"));
}
