//! The module `isobar` itself, and the tables of the CCPP beside the drop-ins.

use std::collections::{BTreeMap, BTreeSet};
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

/// An argument of a table: its standard name, units, dimensions and type.
type Entry = [String; 4];

/// The arguments of `_run` in a table, by name.
fn entries(path: &str) -> BTreeMap<String, Entry> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("fortran").join(path).with_extension("meta");
    let meta = fs::read_to_string(path).unwrap();
    let table = meta.split("[ccpp-arg-table]").find(|table| table.contains("_run\n")).unwrap();
    let entry = |text: &str| {
        let name = text.split_once(']').unwrap().0.to_owned();
        let property = |key: &str| {
            let line = text.lines().find_map(|line| line.trim().strip_prefix(key)?.strip_prefix(" = "));
            line.unwrap_or_else(|| panic!("{name} has no {key}")).to_owned()
        };
        let properties = ["standard_name", "units", "dimensions", "type"].map(property);
        (name, properties)
    };
    table.split("\n[").skip(1).map(entry).collect()
}

const TABLES: [&str; 3] = ["surface/sf_sfclayrev", "ysu/bl_ysu", "shin_hong/bl_shinhong"];

/// A suite of the CCPP connects arguments by their standard names.
#[test]
fn one_quantity_has_one_standard_name_in_all_tables() {
    let [surface, ysu, shin_hong] = TABLES.map(entries);
    // What has a name of its own in the surface layer: what it has of the lowest layer alone, and corrections, where
    // boundary layers read profiles.
    let own = ["ux", "vx", "psim", "psih"];
    for (name, entry) in &ysu {
        if let Some(other) = shin_hong.get(name) {
            assert_eq!(other, entry, "{name}");
        }
        if let Some(of_surface) = surface.get(name).filter(|_| !own.contains(&name.as_str())) {
            assert_eq!(of_surface, entry, "{name}");
        }
    }
    for (of_surface, of_layer) in
        [("fm", "psim"), ("fh", "psih"), ("r", "rd"), ("pblh", "hpbl"), ("dx", "dxmeter"), ("xlv", "xlv"), ("br", "br")]
    {
        assert_eq!(surface[of_surface], shin_hong[of_layer], "{of_surface}");
    }
    // One name is one quantity: in a table once, in all of them with the same units.
    let mut known: BTreeMap<&str, &Entry> = BTreeMap::new();
    for table in [&surface, &ysu, &shin_hong] {
        let names: BTreeSet<_> = table.values().map(|entry| &entry[0]).collect();
        assert_eq!(names.len(), table.len());
        for entry in table.values() {
            assert_eq!(*known.entry(&entry[0]).or_insert(entry), entry);
        }
    }
}

/// Names and units as the CCPP's dictionary has them (ESCOMP/CCPPStandardNames, 2026).
#[test]
fn names_are_those_of_the_dictionary() {
    let tables = TABLES.map(entries);
    for (table, argument, name, units) in [
        (0, "xlv", "latent_heat_of_vaporization_of_water_at_0c", "J kg-1"),
        (0, "dx", "characteristic_grid_lengthscale", "m"),
        (0, "zol", "ratio_of_height_to_monin_obukhov_length", "1"),
        (0, "th2", "air_potential_temperature_at_2m", "K"),
        (0, "t2", "air_temperature_at_2m", "K"),
        (0, "mol", "surface_temperature_scale", "K"),
        (0, "chs2", "surface_exchange_coefficient_for_heat_at_2m", "m s-1"),
        (0, "cqs2", "surface_exchange_coefficient_for_moisture_at_2m", "m s-1"),
        (0, "flhc", "surface_exchange_coefficient_for_heat", "W m-2 K-1"),
        (0, "flqc", "surface_exchange_coefficient_for_moisture", "kg m-2 s-1"),
        (0, "varf", "standard_deviation_of_subgrid_orography", "m"),
        (0, "isftcflx", "control_for_surface_roughness_option_over_water", "1"),
        (1, "p2di", "air_pressure_at_interfaces", "Pa"),
        (1, "ep1", "ratio_of_water_vapor_to_dry_air_gas_constants_minus_one", "1"),
        (2, "el_pbl", "turbulent_mixing_length", "m"),
    ] {
        let entry = &tables[table][argument];
        assert_eq!((entry[0].as_str(), entry[1].as_str()), (name, units), "{argument}");
    }
    // The dictionary's turbulent_kinetic_energy is in joules.
    for entry in tables.iter().flat_map(BTreeMap::values) {
        assert!(entry[0] != "turbulent_kinetic_energy" && !entry[0].contains("vapour"), "{entry:?}");
    }
}
