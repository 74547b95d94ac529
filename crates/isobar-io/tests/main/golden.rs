//! JURASSIC's own files of every kind, read, written and read again.

use std::fs;
use std::path::{Path, PathBuf};

use crate::common::{reference, written};
use isobar_ega::EmissivityTable;
use isobar_io::table::{Endian, write_table_ascii, write_table_binary};
use isobar_io::*;

fn control(path: &Path) -> Control {
    let (control, warnings) = Control::read(path, &[]).unwrap();
    assert_eq!(warnings, [], "{}", path.display());
    control
}

fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.filter(|path| path.extension().is_some_and(|found| found == extension)).collect()
}

#[test]
fn control_files_read_without_a_warning_and_write_back() {
    let Some(folder) = reference() else { return };
    let paths: Vec<_> =
        ["inputs", "perf", "retrieval"].iter().flat_map(|name| files(&folder.join(name), "ctl")).collect();
    assert!(paths.len() > 30);
    for path in paths {
        let control = control(&path);
        let (_folder, copy) = written("copy.ctl", |out| control.write(out)).unwrap();
        assert_eq!(Control::read(&copy, &[]).unwrap().0, control, "{}", path.display());
    }
    let retrieval = control(&folder.join("retrieval/retrieval.ctl"));
    assert_eq!(retrieval.raw("ERR_FORMOD[3]"), Some("1"));
    assert!(retrieval.table_base.unwrap().ends_with("retrieval/../small_tables/syn"));
}

#[test]
fn atmospheres_round_trip() {
    let Some(folder) = reference() else { return };
    let inputs = folder.join("inputs");
    let mut pairs = vec![
        (inputs.join("fm_ega_all.ctl"), inputs.join("atm_base.tab")),
        (inputs.join("kernel_rad.ctl"), inputs.join("atm_kernel.tab")),
        (folder.join("perf/limb.ctl"), folder.join("perf/atm.tab")),
    ];
    for name in ["atm_apr", "atm_true", "atm_final"] {
        pairs.push((folder.join("retrieval/retrieval.ctl"), folder.join(format!("retrieval/{name}.tab"))));
    }
    for path in files(&inputs, "ctl") {
        let atmosphere = inputs.join(format!("atm_{}.tab", path.file_stem().unwrap().display()));
        if atmosphere.exists() {
            pairs.push((path, atmosphere));
        }
    }
    assert!(pairs.len() > 20);
    for (path, atmosphere_path) in pairs {
        let control = control(&path);
        let atmosphere = read_atmosphere(&atmosphere_path, &control).unwrap();
        atmosphere.validate().unwrap();
        assert_eq!(atmosphere.mixing_ratio.len(), control.emitters.len());
        let (_folder, copy) = written("atm.tab", |out| write_atmosphere(out, &atmosphere, &control)).unwrap();
        assert_eq!(read_atmosphere(&copy, &control).unwrap(), atmosphere, "{}", atmosphere_path.display());
        let header = |path: &Path| {
            let text = fs::read_to_string(path).unwrap();
            text.lines().take_while(|line| line.starts_with('#')).map(str::to_owned).collect::<Vec<_>>()
        };
        assert_eq!(header(&copy), header(&atmosphere_path), "{}", atmosphere_path.display());
    }
}

#[test]
fn observations_round_trip() {
    let Some(folder) = reference() else { return };
    let cases = [
        ("inputs/fm_ega_all.ctl", "inputs/obs_rays.tab", 18),
        ("inputs/fm_ega_fov.ctl", "inputs/obs_rays_fov.tab", 17),
        ("perf/limb.ctl", "perf/obs.tab", 66),
        ("retrieval/retrieval.ctl", "retrieval/obs_meas.tab", 19),
        ("retrieval/retrieval.ctl", "retrieval/obs_final.tab", 19),
    ];
    for (ctl, tab, rays) in cases {
        let control = control(&folder.join(ctl));
        let observation = read_observation(&folder.join(tab), &control).unwrap();
        assert_eq!(observation.rays.len(), rays, "{tab}");
        let (_folder, copy) = written("obs.tab", |out| write_observation(out, &observation, &control)).unwrap();
        assert_eq!(read_observation(&copy, &control).unwrap(), observation, "{tab}");
    }
}

#[test]
fn shapes_round_trip() {
    let Some(folder) = reference() else { return };
    let fov = control(&folder.join("inputs/fm_ega_fov.ctl")).field_of_view.unwrap();
    assert_eq!(read_shape(&fov).unwrap().x.len(), 25);
    for path in files(&folder.join("small_tables"), "filt").into_iter().chain([fov]) {
        let shape = read_shape(&path).unwrap();
        let (_folder, copy) = written("shape.filt", |out| write_shape(out, &shape)).unwrap();
        assert_eq!(read_shape(&copy).unwrap(), shape);
    }
    assert_eq!(read_filters(&control(&folder.join("inputs/fm_ega_all.ctl"))).unwrap().len(), 4);
}

#[test]
fn text_and_binary_tables_are_equal_bit_for_bit() {
    let Some(folder) = reference() else { return };
    for gas in ["CO2", "H2O", "O3"] {
        let path = |format| table_path(&folder.join("small_tables/syn"), 832.0, gas, format);
        let (text, report) = read_table(&path(TableFormat::Ascii)).unwrap();
        let (binary, _) = read_table(&path(TableFormat::Binary)).unwrap();
        assert_eq!(report, TableReport::default());
        assert_eq!(text, binary, "{gas}");
    }
}

#[test]
fn tables_round_trip() {
    let Some(folder) = reference() else { return };
    for path in files(&folder.join("small_tables"), "bin") {
        let (table, _) = read_table(&path).unwrap();
        let (_folder, copy) = written("t.bin", |out| write_table_binary(out, &table, Endian::Little)).unwrap();
        assert_eq!(fs::read(&copy).unwrap(), fs::read(&path).unwrap(), "{}", path.display());
        let (_folder, copy) = written("t.bin", |out| write_table_binary(out, &table, Endian::Big)).unwrap();
        assert_eq!(read_table(&copy).unwrap().0, table);
        let (_folder, copy) = written("t.tab", |out| write_table_ascii(out, &table)).unwrap();
        let (expected, dropped) = readable_as_text(table);
        assert_eq!(read_table(&copy).unwrap(), (expected, TableReport { dropped, ..TableReport::default() }));
    }
}

/// A table without column densities above 1e30, which the text format drops and the binary keeps; and how many it had.
fn readable_as_text(mut table: EmissivityTable) -> (EmissivityTable, usize) {
    let mut dropped = 0;
    for curve in table.pressures.iter_mut().flat_map(|level| &mut level.curves) {
        let kept = curve.column_per_cm2.partition_point(|&u| u <= 1e30);
        dropped += curve.column_per_cm2.len() - kept;
        curve.column_per_cm2.truncate(kept);
        curve.emissivity.truncate(kept);
    }
    (table, dropped)
}

#[test]
fn missing_gas_is_listed() {
    let Some(folder) = reference() else { return };
    let set = read_tables(&control(&folder.join("inputs/fm_ega_missingtable.ctl"))).unwrap();
    assert_eq!(set.tables.len(), 16);
    assert!(set.tables[..12].iter().all(Option::is_some) && set.tables[12..].iter().all(Option::is_none));
    assert_eq!(set.missing.len(), 4);
    assert!(set.missing[0].ends_with("syn_792.0000_CH4.bin"));
}
