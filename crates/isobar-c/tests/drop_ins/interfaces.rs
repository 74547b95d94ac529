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

/// The units of towns are those of the library's fields; water vapour is written as the tables write it.
#[test]
fn towns_have_the_units_of_the_library() {
    let fields = isobar_interface::declared("ysu").unwrap().inputs;
    let names = [
        ("a_u", "urban_u_rate_per_s"),
        ("a_v", "urban_v_rate_per_s"),
        ("a_t", "urban_theta_rate_per_s"),
        ("a_q", "urban_vapour_rate_per_s"),
        ("b_u", "urban_u_source_m_per_s2"),
        ("b_v", "urban_v_source_m_per_s2"),
        ("b_t", "urban_theta_source_k_per_s"),
        ("b_q", "urban_vapour_source_per_s"),
        ("sfk", "urban_open_faces"),
        ("vlk", "urban_open_volume"),
        ("frcurb", "urban_share"),
    ];
    for table in ["ysu/bl_ysu", "shin_hong/bl_shinhong"] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("fortran").join(table).with_extension("meta");
        let meta = fs::read_to_string(path).unwrap();
        for (argument, field) in names {
            let entry = meta.split(&format!("\n[{argument}]\n")).nth(1).unwrap();
            let unit = entry.lines().find_map(|line| line.trim().strip_prefix("units = ")).unwrap();
            let field = fields.iter().find(|declared| declared.name == field).unwrap();
            assert_eq!(unit.trim_start_matches("kg kg-1 "), field.unit, "{table} {argument}");
        }
    }
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
