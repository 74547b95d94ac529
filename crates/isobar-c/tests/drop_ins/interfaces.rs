//! The module `isobar` itself, and the tables of the CCPP beside the drop-ins.

use std::fs;
use std::path::Path;

use crate::fortran::{Program, Source};

#[test]
fn the_module_isobar() {
    let Some(program) = Program::new(&[Source::File("tests/fortran/module.f90")]) else { return };
    program.succeeds();
}

/// The dummy arguments of a subroutine, in lower case.
fn arguments(source: &str, subroutine: &str) -> Vec<String> {
    let source = source.replace("&\n", " ");
    let start = source.find(&format!("subroutine {subroutine}")).unwrap();
    let list = &source[start..];
    let list = &list[list.find('(').unwrap() + 1..list.find(')').unwrap()];
    list.split(',').map(|name| name.trim().to_owned()).collect()
}

#[test]
fn the_table_of_bl_ysu_has_its_arguments() {
    has_its_arguments("ysu/bl_ysu", [("bl_ysu_run", 82), ("bl_ysu_init", 2), ("bl_ysu_finalize", 2)]);
}

#[test]
fn the_table_of_bl_shinhong_has_its_arguments() {
    let calls = [("bl_shinhong_run", 88), ("bl_shinhong_init", 2), ("bl_shinhong_finalize", 2)];
    has_its_arguments("shin_hong/bl_shinhong", calls);
}

#[test]
fn the_table_of_sf_sfclayrev_has_its_arguments() {
    let calls = [("sf_sfclayrev_run", 73), ("sf_sfclayrev_init", 2), ("sf_sfclayrev_finalize", 2)];
    has_its_arguments("surface/sf_sfclayrev", calls);
}

fn has_its_arguments(path: &str, calls: [(&str, usize); 3]) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("fortran").join(path);
    let source = fs::read_to_string(path.with_extension("f90")).unwrap();
    let meta = fs::read_to_string(path.with_extension("meta")).unwrap();
    for (subroutine, count) in calls {
        let table =
            meta.split("[ccpp-arg-table]").find(|table| table.contains(&format!("name = {subroutine}\n"))).unwrap();
        let names: Vec<&str> = table.lines().filter_map(|line| line.strip_prefix('[')?.strip_suffix(']')).collect();
        assert_eq!(names, arguments(&source, subroutine));
        assert_eq!(names.len(), count, "{subroutine}");
        for entry in table.split("\n[").skip(1) {
            for property in ["standard_name", "long_name", "units", "dimensions", "type"] {
                assert!(entry.contains(&format!("{property} = ")), "[{entry}: {property}");
            }
        }
    }
}
