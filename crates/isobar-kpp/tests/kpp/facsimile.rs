//! Mechanisms in FACSIMILE's language.

use std::fs;

use isobar_kpp::{Mechanism, Reader};

const TEXT: &str = "\u{feff}********* ;
* A citation,
*  over lines, of \u{3b2}-things; with % and = in it
VARIABLE
 NO NO2 O3
CH3O2 CH3O O NO ;
*;
K1 = 2.0D-12*EXP(360/TEMP) ;
FC = 0.5 ; K2 = 10@(LOG10(FC)/(1+(LOG10(0.1)/1)**2)) + 3/2 ;
* Peroxy radicals. ;
RO2 = CH3O2 +
  NO3 ;
% K1*1D3 : CH3O2 + NO = CH3O + NO2 ;
% J<4>*0.5 : NO2 = NO + O ;
%K2*RO2*(TEMP/300)@-2.0 : 2 CH3O2 = 2CH3O + 0.5NO3 ;
% 6.0D-34*O2*M*H2O + 0*N2 : O = O3 ;
% own(TEMP, M)*2 : O + O3 = ;
";

fn read(text: &str) -> Result<Mechanism, String> {
    let text = text.trim_start_matches('\u{feff}');
    Reader::new().open_laws().read_text("mcm.fac", text).map_err(|error| error.to_string())
}

fn rates(mechanism: &Mechanism, given: &[(&str, f64)]) -> Vec<f64> {
    let values: Vec<[f64; 1]> = given.iter().map(|(_, value)| [*value]).collect();
    let given: Vec<(&str, &[f64])> = given.iter().zip(&values).map(|((name, _), value)| (*name, &value[..])).collect();
    let inputs = mechanism.input_values(&given, 1).expect("inputs");
    let of = |name: &str| if name == "CH3O2" { 3.0 } else { f64::from(u8::from(name == "NO3")) };
    let concentrations: Vec<f64> = mechanism.species().iter().map(|species| of(&species.name)).collect();
    mechanism.program().rate_constants(&concentrations, &inputs, 0.0)
}

#[test]
fn a_mechanism_of_mcms_form_is_read() {
    let mechanism = read(TEXT).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!((mechanism.variable(), mechanism.reactions().len()), (7, 5));
    let inputs: Vec<&str> = mechanism.inputs().iter().map(|input| input.name.as_str()).collect();
    assert_eq!(inputs, ["C_M", "TEMP", "J(4)", "H2O", "own(TEMP,M)"]);
    let given = [("C_M", 2e19), ("TEMP", 360.0), ("J(4)", 0.25), ("H2O", 3.0), ("own(TEMP,M)", 7.0)];
    #[allow(clippy::disallowed_methods, reason = "another computation than the program's")]
    let (e, root) = (1.0_f64.exp(), 10.0_f64.powf(0.5_f64.log10() / 2.0));
    let got = rates(&mechanism, &given);
    let want = [2e-9 * e, 0.125, (root + 1.5) * 4.0 / 1.44, 6e-34 * 0.2095 * 2e19 * 2e19 * 3.0, 14.0];
    for (got, want) in got.iter().zip(want) {
        assert!((got - want).abs() <= 1e-14 * want, "{got} {want}");
    }
    let light: Vec<bool> = mechanism.reactions().iter().map(|reaction| reaction.photolysis).collect();
    assert_eq!(light, [false, true, false, false, false]);
    let third = &mechanism.reactions()[2];
    let at = |name| mechanism.species_index(name).expect("a species");
    assert_eq!(third.reactants, [(at("CH3O2"), 2)]);
    assert!(third.net.contains(&(at("NO3"), 0.5)) && third.net.contains(&(at("CH3O"), 2.0)));
    assert_eq!(
        (mechanism.reactions()[1].equation.as_str(), mechanism.reactions()[1].rate.as_str()),
        ("NO2 = NO + O", "J<4>*0.5")
    );
    let notes: Vec<&str> = mechanism.notes().iter().map(|note| note.what.as_str()).collect();
    assert!(notes.iter().any(|note| note.contains("not in the list VARIABLE: 1, `NO3` first")), "{notes:?}");
    // What the file itself defines, and species, count before parts of air.
    let own = read("* ;\nM = 5 ;\n% M*O2 : O2 = A ;").unwrap_or_else(|error| panic!("{error}"));
    assert!(own.inputs().is_empty() && own.program().depends_on_species(2));
}

/// Comments end with their line or at a `;`, and what follows on the line is read; MCM's citations have `;` in them.
#[test]
fn what_stands_behind_a_comment_is_read() {
    for (text, rates_of) in [
        ("VARIABLE A B C ;\n% 1D-4 : A = B ;\n* second ; % 5D-4 : A = C ;\n", &[1e-4, 5e-4][..]),
        ("VARIABLE A B ;\nK = 1D-4 ; * a comment ;\n% K : A = B ;\n", &[1e-4]),
        ("VARIABLE A B ;\n* Comment ; K = 1D-4 ; * more ; % K : A = B ;\n", &[1e-4]),
        ("* Comment over\n two lines ;\nVARIABLE A B ;\nK=1D-4;\n% K : A = B ;\n", &[1e-4]),
        ("* without an end\nVARIABLE A B ;\n% 1D-4 : A = B ;\n", &[1e-4]),
        ("* 1997; Saunders et al., 3, 161, 2003), for * ;\nVARIABLE A\n* in a list\n B ;\n% 1D-4 : A = B ;\n", &[1e-4]),
    ] {
        let mechanism = read(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(rates(&mechanism, &[]), rates_of, "{text}");
        assert!(mechanism.notes().is_empty(), "{text}: {:?}", mechanism.notes());
    }
}

#[test]
fn functions_of_atchem_stand_beside_it() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::create_dir(folder.path().join("configuration")).expect("a folder");
    let functions =
        "module custom_functions_mod\ncontains\npure function own(t, m) result(k)\nk = t + m\nend function\nend module";
    fs::write(folder.path().join("configuration/customRateFuncs.f90"), functions).expect("a file");
    fs::write(folder.path().join("m.fac"), TEXT.trim_start_matches('\u{feff}')).expect("a file");
    let mechanism = Mechanism::from_file(folder.path().join("m.fac")).unwrap_or_else(|error| panic!("{error}"));
    let given = [("C_M", 2.0), ("TEMP", 360.0), ("J(4)", 0.25), ("H2O", 3.0)];
    assert_eq!(rates(&mechanism, &given)[4], 724.0);
}

#[test]
fn what_is_wrong_is_shown_where_it_is() {
    for (text, what) in [
        ("VARIABLE A B ;\nCOMPILE INSTANT ;", "mcm.fac:2:1: FACSIMILE's `VARIABLE`, an assignment or a reaction"),
        ("% 1.0 A = B ;", "mcm.fac:1:1: this reaction has no `:`"),
        ("% 1.0 : A + B ;", "mcm.fac:1:1: this reaction has no `=`"),
        ("% : A = B ;", "the rate is missing behind this"),
        ("% 1.0 : A = B", "mcm.fac:1:1: `;` is missing behind this"),
        ("% 1.0*(2 : A = B ;", "mcm.fac:1:7: this `(` is not closed"),
        ("K 1 = 2 ;\n% K : A = B ;", "this is no name"),
        ("VARIABLE A-B ;", "mcm.fac:1:11: this is no name"),
        ("* nothing ;", "the mechanism has no reactions"),
    ] {
        let error = read(text).expect_err(text);
        assert!(error.contains(what), "{text}\n{error}");
    }
}
