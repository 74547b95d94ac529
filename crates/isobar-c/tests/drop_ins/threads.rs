//! Many threads at once: nothing of what the Fortran sources write is shared by them.

use std::fs;
use std::path::Path;

use crate::fortran::{Program, Source};
use crate::programs::{compiler, succeeded};

/// All sources, each behind those that it uses.
const SOURCES: [&str; 21] = [
    "fortran/isobar.f90",
    "fortran/ccpp/ccpp_kind_types.f90",
    "fortran/ccpp/isobar_ccpp.f90",
    "fortran/ccpp/isobar_boundary_layer.f90",
    "fortran/surface/sf_sfclayrev.f90",
    "fortran/ysu/bl_ysu.f90",
    "fortran/shin_hong/bl_shinhong.f90",
    "fortran/rrtmg_lw/parkind.f90",
    "fortran/rrtmg_lw/parrrtm.f90",
    "fortran/rrtmg_lw/mcica_subcol_gen_lw.f90",
    "fortran/rrtmg_lw/rrtmg_lw_init.f90",
    "fortran/rrtmg_lw/rrtmg_lw_rad.f90",
    "fortran/rte/mo_rte_kind.f90",
    "fortran/rte/mo_fluxes.f90",
    "fortran/rte/mo_gas_concentrations.f90",
    "fortran/rte/mo_optical_props.f90",
    "fortran/rte/mo_gas_optics_rrtmgp.f90",
    "fortran/rte/mo_cloud_optics_rrtmgp.f90",
    "fortran/rte/mo_optics_utils_rrtmgp.f90",
    "fortran/rte/mo_rrtmgp_clr_all_sky.f90",
    "fortran/kpp/isobar_integrator.f90",
];

/// The variables of procedures that the compiler makes static, but for constants, of a source with this path.
fn static_variables(folder: &Path, source: &Path) -> Vec<String> {
    let mut compile = compiler("FC", "gfortran").unwrap();
    succeeded(compile.current_dir(folder).args(["-O0", "-fdump-tree-original", "-c"]).arg(source));
    let name = source.file_name().unwrap().to_str().unwrap();
    let mut dumps = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let is_dump = |path: &Path| {
        let file = path.file_name().unwrap().to_str().unwrap();
        file.starts_with(name) && file.ends_with(".original")
    };
    // There is none of a module without procedures.
    let text = dumps.find(|path| is_dump(path)).map_or_else(String::new, |path| fs::read_to_string(path).unwrap());
    let lines = text.lines().filter_map(|line| line.trim().strip_prefix("static "));
    lines.filter(|line| is_variable(line)).map(str::to_owned).collect()
}

/// Is this declaration behind `static` that of a variable, and neither a function's nor a constant's? Constants are
/// arrays with values, and scalars that the compiler names `C.1234`, of a list of values `A.1234`, `options.5.6`.
fn is_variable(declaration: &str) -> bool {
    let Some((declared, _)) = declaration.split_once(" = ") else { return !declaration.contains(" (") };
    let name = declared.rsplit(' ').next().unwrap();
    !(declared.contains('[') || ["C.", "A.", "options."].iter().any(|made| name.starts_with(made)))
}

/// A result of deferred length within an expression has its length in a static variable of gfortran's.
const DEFERRED: &str = "module deferred
contains
  function word(n)
    integer, intent(in) :: n
    character(:), allocatable :: word
    word = repeat('a', n)
  end function word
  subroutine two(text)
    character(100), intent(out) :: text
    integer, save :: calls = 0
    calls = calls + 1
    text = word(calls) // word(2)
  end subroutine two
end module deferred
";

#[test]
fn no_variable_of_a_procedure_is_static() {
    if compiler("FC", "gfortran").is_none() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("deferred.f90");
    fs::write(&path, DEFERRED).unwrap();
    let found = static_variables(folder.path(), &path);
    assert!(
        found.iter().any(|line| line.contains("slen")) && found.iter().any(|line| line.contains("calls")),
        "{found:?}"
    );

    let state = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fortran/kpp_state.f90")).unwrap();
    let state =
        state.replace("COUNT_OF_SPECIES", "2").replace("COUNT_OF_VARIABLE", "2").replace("COUNT_OF_REACTIONS", "1");
    let path = folder.path().join("kpp_state.f90");
    fs::write(&path, state.replace("NAMES_OF_SPECIES", "'A', 'B'")).unwrap();
    static_variables(folder.path(), &path);
    for source in SOURCES {
        let mut path = Path::new(env!("CARGO_MANIFEST_DIR")).join(source);
        if source.contains("/kpp/") {
            let template = fs::read_to_string(&path).unwrap().replace("KPP_REAL", "REAL(kind=dp)");
            path = folder.path().join("isobar_integrator.f90");
            fs::write(&path, template).unwrap();
        }
        let found = static_variables(folder.path(), &path);
        assert!(found.is_empty(), "{source}: {found:?}");
    }
}

/// Sources that are not in the list are not looked at.
#[test]
fn all_sources_are_looked_at() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fortran");
    let mut found = Vec::new();
    let mut folders = vec![folder];
    while let Some(folder) = folders.pop() {
        for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "f90") {
                found.push(path);
            }
        }
    }
    assert_eq!(found.len(), SOURCES.len());
    assert!(found.iter().all(|path| SOURCES.iter().any(|source| path.ends_with(source))), "{found:?}");
}

/// Four threads call the surface and YSU, each time with another gravity, as one thread does.
#[test]
fn threads_have_the_bits_of_one() {
    let modules =
        ["fortran/ccpp/isobar_boundary_layer.f90", "fortran/surface/sf_sfclayrev.f90", "fortran/ysu/bl_ysu.f90"];
    let Some(program) = Program::of_ccpp(false, &modules, Source::File("tests/fortran/threads.f90")) else { return };
    program.succeeds();
}
