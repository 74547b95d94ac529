//! Settings of MECCA: equations selected by labels, replaced, and repeated for aerosol phases.

use std::fs;
use std::path::Path;

use isobar_kpp::{Mechanism, Reader};

const SPECIES: &str = "#DEFVAR
{--- a comment ---}
O2   = 2O            ; {@O_2} {oxygen}
O3   = 3O            ; {@O_3}
HO   = O + H         ; {@HO}
CX   = C + O         ; {@CX}
CXX  = 2C + 4H       ; {@CXX}
BrO  = Br + O        ; {@BrO}
EM   = Min           ; {@EM}
";

const EQUATIONS: &str = "#INLINE F90_GLOBAL
  REAL(dp) :: k_own
#ENDINLINE {above lines go into a module}
#INLINE F90_RCONST
  USE messy_main_constants_mem ! N_A
//  a line that is no Fortran
  k_own = REAL(2.0, dp)*N_A
#ENDINLINE
#EQUATIONS
// O (#G10)
<G1000>  O3 + HO {+M} = 2 O2 + HO {+ 189. kJmol} : {%StTrG} 3.3E-11{\u{a7}1.1}*EXP(55./temp); {&3245} // why
<G1001a> O3 + hv      = O2                       : {%StGJ}  jx(ip_O3);
<G1001b> O3           = O2                       : {%UpG}   1.0E-3;
<G4000>  CX + HO      = O2                       : {%TrG}   k_own;
<G4001>  CXX + HO     = CX                       : {%TrG}   2.0;
<G7000>  BrO + BrO    = O2                       : {%StTrG} 4.0;
<G9000>  HO {+ N2}    = O3                       : 5.0;
";

const AQUEOUS_SPECIES: &str = "O3_a##  = 3O ; {@O_3}\nH2O_a## = 2H + O ;\nHO_a##  = H + O ;\n";
const AQUEOUS_EQUATIONS: &str = "<A1000_a##> O3_a## + H2O_a## = HO_a## : {%TrAa##Mbl} xaer(##)*k_arr(2.0,-1.E3,temp);\n\
                                 <A1001_a##> HO_a## = O3_a## : {%TrAraScm} 7.0*APN;\n";

const HEAD: &str = "// elements
#INCLUDE atoms
Min; {minus}
Pls; {plus}
#INCLUDE mecca.spc
#INCLUDE mecca.eqn
#INLINE F90_GLOBAL
  REAL(dp) :: xaer(APN)
#ENDINLINE
#DUMMYINDEX ON
#INCLUDE integr.kpp
#CHECKALL
";

const REPLACEMENTS: &str = "// -*- kpp -*-
#REPLACE <G1000>
<> O3 + HO = O2 : {%StTrG} 9.0;
#ENDREPLACE
#include more
// CX in two ways
#REPLACE <G4000>
<a> CX + HO = O2 : {%TrG} 10.0;
<b> CX + HO = HO : {%TrG} 11.0;
#ENDREPLACE
#REPLACE <G4000b>
<> CX = HO : {%TrG} 12.0;
#ENDREPLACE
#REPLACE <>
<G0001> BrO = HO : {%TrG} 13.0;
<G0002> O2 = O3 : {%StG} 14.0;
#ENDREPLACE
";
const MORE: &str = "#REPLACE <G1001*>\n#ENDREPLACE\n#REPLACE <G8888>\n<> O2 = HO : {%TrG} 1.0;\n#ENDREPLACE\n";

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, text).expect("a file");
    };
    write("gas.spc", SPECIES);
    write("gas.eqn", EQUATIONS);
    write("aqueous.spc", AQUEOUS_SPECIES);
    write("aqueous.eqn", AQUEOUS_EQUATIONS);
    write("messy_mecca_kpp.kpp", HEAD);
    write("rpl/own.rpl", REPLACEMENTS);
    write("rpl/include/more.rpl", MORE);
    write("ini/sub/m.ini", "");
    folder
}

fn read(folder: &Path, name: &str, settings: &str) -> Result<Mechanism, String> {
    fs::write(folder.join(name), settings).expect("a file");
    Reader::new().read_file(folder.join(name)).map_err(|error| error.to_string())
}

fn labels(mechanism: &Mechanism) -> String {
    let labels = mechanism.reactions().iter().map(|reaction| reaction.label.clone().unwrap_or_default());
    labels.collect::<Vec<_>>().join(" ")
}

fn rates(mechanism: &Mechanism) -> Vec<f64> {
    let inputs: Vec<f64> =
        mechanism.inputs().iter().map(|input| if input.name == "temp" { 250.0 } else { 3.0 }).collect();
    mechanism.program().rate_constants(mechanism.initial(), &inputs, 0.0)
}

#[test]
fn reactions_are_selected_by_labels_and_elements() {
    let folder = folder();
    let ini = |wanted: &str| {
        let settings = format!(
            "# about\n[xmecca]\napn = 0 # none\nwanted = {wanted}   # a condition\nrplfile =  # none\n\
                                setfixlist = \"O2;\"\nmcfct = n\ntag = y\n"
        );
        read(folder.path(), "ini/sub/m.ini", &settings).unwrap_or_else(|error| panic!("{error}"))
    };
    let all = ini("True");
    assert_eq!(labels(&all), "G1000 G1001a G1001b G4000 G4001 G7000 G9000");
    // A single atom of carbon does not count; what has no labels stays.
    assert_eq!(labels(&ini("Tr and G and not C and not Br")), "G1000 G4000 G9000");
    assert_eq!(labels(&ini("C or J")), "G1001a G4001 G9000");
    assert_eq!(labels(&ini("St and not (Tr or Up)")), "G1001a G9000");
    assert!(all.species()[all.species_index("O2").expect("O2")].fixed);
    assert!(all.unused().contains(&"EM".to_owned()));
    let rates = rates(&all);
    assert!((rates[3] / (2.0 * 6.022_141_29e23) - 1.0).abs() < 1e-15 && rates[2] == 1e-3, "{rates:?}");
    for words in ["`tag = y` is read over", "N_A, R_gas, atm2Pa and pi are built in", "no file integr.kpp"] {
        let found = all.notes().iter().any(|note| note.what.contains(words));
        // KPP's integrator is not asked for where settings choose it.
        assert_eq!(found, words != "no file integr.kpp", "{words}");
    }
    // Places are those of the equations.
    let bad = EQUATIONS.replace("k_own;", "k_own*;");
    fs::write(folder.path().join("gas.eqn"), &bad).expect("a file");
    let error = read(folder.path(), "ini/sub/m.ini", "wanted = Tr").expect_err("a bad rate");
    assert!(error.contains("gas.eqn:14:"), "{error}");
    assert_eq!(labels(&read(folder.path(), "ini/sub/m.ini", "wanted = Br").expect("it is not wanted")), "G7000 G9000");
}

#[test]
fn older_settings_have_labels_of_their_own() {
    let folder = folder();
    let bat = "# -*- Shell-script -*-\n set apn = 0\n set gaseqnfile = gas.eqn\n\
               \x20set wanted = \"Tr && G && \\!C && \\!Br\" # 6)\n";
    let mechanism = read(folder.path(), "m.bat", bat).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(labels(&mechanism), "G1000 G4000 G4001 G7000 G9000");
    // Of CO2, O2 and N2 those that are there are fixed.
    assert_eq!(mechanism.species().iter().filter(|species| species.fixed).count(), 1);
}

#[test]
fn replacements_replace_delete_and_add() {
    let folder = folder();
    let mechanism =
        read(folder.path(), "ini/m.ini", "wanted = Tr\nrplfile = own.rpl\nsetfixlist = O2").expect("a mechanism");
    assert_eq!(labels(&mechanism), "G4001 G7000 G9000 G1000 G4000a G4000b G0001");
    assert_eq!(rates(&mechanism), [2.0, 4.0, 5.0, 9.0, 10.0, 12.0, 13.0]);
    assert!(mechanism.notes().iter().any(|note| note.what.contains("there is no reaction <G8888>: this is left out")));
    assert!(mechanism.files().iter().any(|file| file.ends_with("rpl/include/more.rpl")));
    for (from, to, what) in [
        ("10.0;", "10.0*;", "own.rpl:8:"),
        ("#include more", "#include none", "own.rpl:5:1: there is no file"),
        ("// CX", "CX", "own.rpl:6:1: only `#REPLACE <tag>`"),
        ("#REPLACE <G1000>", "#REPLACE G1000", "own.rpl:2:1: `#REPLACE <tag>` is expected here"),
        ("9.0;\n#ENDREPLACE", "9.0;", "own.rpl:2:1: this #REPLACE does not end"),
        ("// -*- kpp -*-", "#ENDREPLACE", "own.rpl:1:1: this #ENDREPLACE has no #REPLACE"),
    ] {
        fs::write(folder.path().join("rpl/own.rpl"), REPLACEMENTS.replacen(from, to, 1)).expect("a file");
        let error = read(folder.path(), "ini/m.ini", "wanted = Tr\nrplfile = own").expect_err(to);
        assert!(error.contains(what), "{error}\ninstead of\n{what}");
    }
}

#[test]
fn aerosol_phases_repeat_their_reactions() {
    let folder = folder();
    let settings = "apn = 2\nwanted = Aa and Mbl or Ara\nsetfixlist = O2;";
    let mechanism = read(folder.path(), "ini/m.ini", settings).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(labels(&mechanism), "G9000 A1000_a01 A1001_a01 A1000_a02 A1001_a02");
    let water = mechanism.species_index("H2O_a02").expect("water");
    assert!(mechanism.species()[water].fixed);
    #[allow(clippy::disallowed_methods, reason = "another computation than the program's")]
    let dissolved = 3.0 * 2.0 * (-1e3_f64 * (1.0 / 250.0 - 3.354e-3)).exp();
    let got = rates(&mechanism);
    assert!((got[1] / dissolved - 1.0).abs() < 1e-14 && got[4] == 14.0, "{got:?}");
    let inputs: Vec<&str> = mechanism.inputs().iter().map(|input| input.name.as_str()).collect();
    assert_eq!(inputs, ["xaer(1)", "temp", "xaer(2)"]);
}

#[test]
fn what_is_wrong_with_settings_is_shown_there() {
    let folder = folder();
    for (settings, what) in [
        ("apn = 0\n", "m.ini:1:1: `wanted`, which says what reactions there are, is missing"),
        ("wanted = Tr and and G\n", "m.ini:1:9: in this condition, at `and`: a label is missing"),
        ("apn = 100\nwanted = Tr", "m.ini:1:6: `apn` is a number of 0 to 99"),
        ("wanted = Tr\ngaseqnfile = none.eqn", "m.ini:1:1: there is no file none.eqn in the folder of these settings"),
        ("wanted = Tr\ngasspcfile = none.spc", "m.ini:2:13: there is no file"),
        ("wanted = Tr\nrplfile = none", "m.ini:2:10: there is no file"),
    ] {
        let error = read(folder.path(), "ini/m.ini", settings).expect_err(settings);
        assert!(error.contains(what), "{error}\ninstead of\n{what}");
    }
    assert!(Reader::new().read_text("m.ini", "wanted = Tr").is_err());
    // Many replacements of many lines are refused.
    fs::write(folder.path().join("gas.eqn"), EQUATIONS.to_owned() + &"\n".repeat(50_000)).expect("a file");
    let many = "#REPLACE <G1>\n#ENDREPLACE\n".repeat(2000);
    fs::write(folder.path().join("rpl/own.rpl"), many).expect("a file");
    let error = read(folder.path(), "ini/m.ini", "wanted = Tr\nrplfile = own").expect_err("too many");
    assert!(error.contains("there are too many replacements"), "{error}");
}

/// The lists of fixed species that models leave behind.
#[test]
fn lists_of_fixed_species_may_have_quotes_and_commas() {
    let text = "#DEFVAR A; B; D; #EQUATIONS A + B + D = A : 1.0; ";
    for list in ["#SETFIX \"A; B;\"\n#CHECKALL", "#SETFIX A, B", "#SETFIX A; B"] {
        let mechanism = Reader::new().read_text("m.kpp", &format!("{text}{list}")).unwrap_or_else(|e| panic!("{e}"));
        let fixed: Vec<&str> = mechanism.species().iter().filter(|s| s.fixed).map(|s| s.name.as_str()).collect();
        assert_eq!(fixed, ["A", "B"], "{list}");
    }
}
