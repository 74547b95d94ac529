//! The language, piece by piece.

use std::fs;

use isobar_kpp::{Mechanism, Reader};

fn read(text: &str) -> Mechanism {
    Reader::new().read_text("test.kpp", text).unwrap_or_else(|error| panic!("{error}"))
}

/// The rate constants of a mechanism in one cell; concentrations are those of `#INITVALUES`.
fn rates(mechanism: &Mechanism, given: &[(&str, f64)], time: f64) -> Vec<f64> {
    let values: Vec<[f64; 1]> = given.iter().map(|(_, value)| [*value]).collect();
    let given: Vec<(&str, &[f64])> = given.iter().zip(&values).map(|((name, _), value)| (*name, &value[..])).collect();
    let inputs = mechanism.input_values(&given, 1).expect("inputs");
    mechanism.program().rate_constants(mechanism.initial(), &inputs, time)
}

/// The one rate constant that a formula gives.
fn rate(formula: &str, given: &[(&str, f64)]) -> f64 {
    rates(&read(&format!("#DEFVAR A = IGNORE; B = IGNORE; #EQUATIONS A = B : {formula};")), given, 0.0)[0]
}

#[track_caller]
fn near(got: f64, want: f64) {
    assert!((got - want).abs() <= 1e-14 * want.abs(), "{got} instead of {want}");
}

#[test]
fn sides_have_factors_signs_and_what_vanishes() {
    let mechanism = read(
        "#DEFVAR A = IGNORE; B; C2 = IGNORE; e5 = IGNORE; unused = IGNORE;
         #deffix M = IGNORE;
         # EQUATIONS { a comment }
         <R1> 2A + M = 0.61B + .75 C2 + 2.c2 - 0.5 B + PROD : 1.0; // the rest
         <R2> A + hv + A = A {+ M} + 2e5 + DUMMY : 2.0;
         A + 0.5 B =
            C2 : 3.0;",
    );
    let names: Vec<&str> = mechanism.species().iter().map(|species| species.name.as_str()).collect();
    let at = |name| mechanism.species_index(name).expect("a species");
    assert_eq!((names.len(), at("m"), mechanism.variable()), (5, 4, 4));
    assert_eq!(mechanism.unused(), ["unused"]);
    let [first, second, third] = mechanism.reactions() else { panic!("three reactions") };
    assert_eq!((first.label.as_deref(), third.label.as_deref()), (Some("R1"), None));
    assert_eq!(first.reactants, [(at("A"), 2), (at("M"), 1)]);
    assert_eq!(first.net.len(), 3);
    let net =
        |i: usize, name| mechanism.reactions()[i].net.iter().find(|(s, _)| *s == at(name)).map_or(0.0, |(_, net)| *net);
    assert_eq!((net(0, "A"), net(0, "C2")), (-2.0, 2.75));
    near(net(0, "B"), 0.61 - 0.5);
    assert!(second.photolysis && !first.photolysis);
    assert_eq!((second.reactants.as_slice(), net(1, "A"), net(1, "e5")), (&[(at("A"), 2)][..], -1.0, 2.0));
    // The whole part of a factor is the power.
    assert_eq!((third.reactants.as_slice(), net(2, "B")), (&[(at("A"), 1)][..], -0.5));
}

#[test]
fn formulas_have_fortrans_numbers_and_meaning() {
    near(rate("1.2d-3_dp", &[]), 1.2e-3);
    near(rate("(2.20e-10)", &[]), 2.2e-10);
    near(rate(".5 + 1. - 2", &[]), -0.5);
    near(rate("2*3/4 + 7/2*1.0", &[]), 4.0);
    near(rate("2.0**3**2 + 2**(-1) - 4.0**0.5", &[]), 510.0);
    near(rate("-TEMP**2/100.", &[("TEMP", 20.0)]), -4.0);
    near(rate("1.65E-17*temp*temp*EXP(LOG(0.5)*300./temp)", &[("temp", 300.0)]), 1.65e-17 * 9e4 * 0.5);
    near(rate("merge(1.0, 2.0, TEMP .lt. 250.)", &[("TEMP", 300.0)]), 2.0);
    near(rate("TEMP > 250 && !(SUN == 1) ? MIN(3.0, SUN, 7.) : 5", &[("TEMP", 300.0), ("SUN", 2.0)]), 2.0);
    near(rate("DLOG10(1.0D5) + sqrt(16.) + abs(-1.) + mod(7., 4.)", &[]), 13.0);
}

#[test]
fn rate_laws_follow_their_formulas() {
    #[allow(clippy::disallowed_methods, reason = "another computation than the program's")]
    fn e(x: f64) -> f64 {
        x.exp()
    }
    let t = 250.0;
    let given = [("TEMP", t), ("CFACTOR", 2e13)];
    near(rate("ARR_ab(2e-12, 100.)", &given[..1]), 2e-12 * e(-0.4));
    near(rate("arr2(2e-12, 100.)", &given[..1]), 2e-12 * e(0.4));
    near(rate("ARR2(2e-12, 100., TEMP)", &given[..1]), 2e-12 * e(-0.4));
    near(rate("ARR_ac(2e-12, 2.)", &given[..1]), 2e-12 * (t / 300.0) * (t / 300.0));
    near(rate("ARR(2e-12, 100., -1.)", &given[..1]), 2e-12 * e(-0.4) * 300.0 / t);
    let (k0, k2, k3) = (7.2e-15 * e(785.0 / t), 4.1e-16 * e(1440.0 / t), 1.9e-33 * e(725.0 / t) * 2e19);
    near(rate("EP2(7.2e-15,-785.,4.1e-16,-1440.,1.9e-33,-725.)", &given), k0 + k3 / (1.0 + k3 / k2));
    near(rate("EP3(1.3e-13, 0., 3.19e-33, 0.)", &given), 1.3e-13 + 3.19e-33 * 2e19);
    // At r = 1 the logarithm vanishes, and what is left is the half of the limit times the factor.
    near(rate("FALL(1e-30, 0., 0., 2e-11, 0., 0., 0.6)", &given), 0.5 * 2e-11 * 0.6);
    near(rate("k3rd_iupac(1e19, 1e-30, 0., 1e-11, 0., 0.6)", &given[..1]), 0.5 * 1e-11 * 0.6);
}

#[test]
fn names_come_from_inlined_code_inputs_and_concentrations() {
    let mechanism = read(
        "#DEFVAR A = IGNORE; B = IGNORE;
         #DEFFIX H2O = IGNORE;
         #INITVALUES CFACTOR = 1.0E2; ALL_SPEC = 1.0; A = 3.; FIX_SPEC = 5.0; B = 2.;
         #INLINE F90_RCONST
           REAL(kind=dp) :: k_one ! not set yet
           k_one = 2.0*TEMP + &    ! goes on
                 & C(ind_A)*1.0d0
           CALL something(2.0*k_one)
           IF (k_one > 1e9) k_one = 0.
         #ENDINLINE
         #INLINE F90_INIT
           TSTART = 12*3600
           TEND = TSTART + 3*24*3600
           TEMP = 270
         #ENDINLINE
         #EQUATIONS
           A = B : k_one*j(Pj_no2);
           B = A : RCONST(1) + jx( ip_O3 ) + J(7);
           A + H2O = B : press*C(ind_H2O);",
    );
    let inputs: Vec<&str> = mechanism.inputs().iter().map(|input| input.name.as_str()).collect();
    assert_eq!(inputs, ["TEMP", "j(Pj_no2)", "jx(ip_O3)", "J(7)", "press"]);
    assert_eq!(mechanism.inputs()[0].default, Some(270.0));
    assert_eq!((mechanism.setting("tend"), mechanism.cfactor()), (Some(302_400.0), 100.0));
    let start = |name| mechanism.initial()[mechanism.species_index(name).expect("a species")];
    assert_eq!((start("A"), start("B"), start("H2O")), (300.0, 200.0, 500.0));
    let given = [("j(pj_no2)", 2.0), ("jx(ip_o3)", 3.0), ("j(7)", 4.0), ("press", 5.0)];
    assert_eq!(rates(&mechanism, &given, 0.0), [1680.0, 1687.0, 2500.0]);
    assert!(mechanism.notes().iter().any(|note| note.what.contains("unknown subroutine `something`")));
}

/// KPP keeps them apart from species' own values (`AssignInitialValue` in its scanner): where they stand is nothing.
#[test]
fn initial_values_of_all_are_defaults_wherever_they_stand() {
    for (values, want) in [
        ("A = 3.0; M = 4.0; ALL_SPEC = 9.0;", [3.0, 9.0, 4.0, 9.0]),
        ("ALL_SPEC = 9.0; A = 3.0; M = 4.0;", [3.0, 9.0, 4.0, 9.0]),
        ("A = 3.0; M = 4.0; VAR_SPEC = 8.0; FIX_SPEC = 7.0;", [3.0, 8.0, 4.0, 7.0]),
        ("FIX_SPEC = 7.0; A = 3.0; ALL_SPEC = 9.0;", [3.0, 9.0, 9.0, 9.0]),
        ("A = 0.0; VAR_SPEC = 8.0; VAR_SPEC = 6.0;", [0.0, 6.0, 0.0, 0.0]),
    ] {
        let mechanism = read(&format!(
            "#DEFVAR A; B; #DEFFIX M; N; #INITVALUES CFACTOR = 2.0; {values} #EQUATIONS A + M + N = B : 1.0;"
        ));
        let start = |name| mechanism.initial()[mechanism.species_index(name).expect("a species")];
        assert_eq!(["A", "B", "M", "N"].map(start), want.map(|value| 2.0 * value), "{values}");
    }
}

/// KPP runs what initialises after declarations with their values, and before rates.
#[test]
fn initialisation_comes_before_rates_and_after_declarations() {
    let of = |global: &str, init: &str, rconst: &str| {
        let mechanism = read(&format!(
            "#DEFVAR A = IGNORE; B = IGNORE;
             #INLINE F90_GLOBAL\n{global}\n#ENDINLINE
             #INLINE F90_INIT\n{init}\n#ENDINLINE
             #INLINE F90_RCONST\n{rconst}\n#ENDINLINE
             #EQUATIONS A = B : k1/2;"
        ));
        rates(&mechanism, &[], 0.0)[0]
    };
    assert_eq!(of("REAL(dp) :: k1 = 5.", "k1 = 3", ""), 1.5);
    assert_eq!(of("REAL(dp) :: k1", "k1 = 3", ""), 1.5);
    assert_eq!(of("INTEGER :: k1", "k1 = 3.9", ""), 1.0);
    assert_eq!(of("INTEGER :: k1 = 8", "k1 = 3.9", ""), 1.0);
    assert_eq!(of("", "k1 = 3.0", ""), 1.5);
    assert_eq!(of("REAL(dp), PARAMETER :: two = 2.\nREAL(dp) :: k1", "k1 = 3*two", ""), 3.0);
    assert_eq!(of("REAL(dp) :: k1 = 5.", "k1 = 3.", "k1 = 2*k1"), 3.0);
    assert_eq!(of("REAL(dp) :: k1", "k1 = 3.", "k1 = 7."), 3.5);
    // Cells may say otherwise of what no declaration gives a value.
    let text = "#DEFVAR A; B;\n#INLINE F90_INIT\nk1 = 3.\nSUN = 2.\n#ENDINLINE\n#EQUATIONS A = B : k1; B = A : SUN;";
    let mechanism = read(text);
    assert_eq!(rates(&mechanism, &[("k1", 4.0), ("SUN", 1.0)], 0.0), [4.0, 1.0]);
    assert_eq!(mechanism.inputs().iter().map(|input| input.default).collect::<Vec<_>>(), [Some(3.0), None]);
    let left = read(
        "#DEFVAR A; B;\n#INLINE F90_GLOBAL\nREAL :: k1 = 5.\n#ENDINLINE\n#INLINE F90_INIT\nk1 = 2.*SUN\n#ENDINLINE
         #EQUATIONS A = B : k1;",
    );
    assert!(left.notes().iter().any(|note| note.what.contains("gives `k1` depends on the cell")));
}

/// Where KPP's rules are not what a reader may expect, this is noted.
#[test]
fn broken_coefficients_and_air_of_cfactor_are_noted() {
    let of = |text: &str| -> Vec<String> {
        read(&format!("#DEFVAR A = IGNORE; B = IGNORE; {text}")).notes().iter().map(|note| note.what.clone()).collect()
    };
    let notes = of("#EQUATIONS\n0.5 A = B : 1e-4;\n1.5 A + B = B : 1e-4;\n0.5 A + 0.5 A = 0.7 B : 1.0;");
    assert!(notes.len() == 1 && notes[0].contains("whole part of their coefficients, as in KPP: 2 with"), "{notes:?}");
    let fall =
        |cfactor: &str| of(&format!("{cfactor} #EQUATIONS A = B : FALL(9e-32, 0.0, -2.0, 2e-11, 0.0, 0.0, 0.8);"));
    assert!(fall("#INITVALUES CFACTOR = 2.4E13;").is_empty());
    for other in ["", "#INITVALUES CFACTOR = 2.4E19;"] {
        let notes = fall(other);
        assert!(notes.len() == 1 && notes[0].starts_with("FALL, EP2 and EP3 take 1e6 CFACTOR"), "{notes:?}");
    }
}

/// Concentrations that initialisation sets come behind `#INITVALUES`, and are in molecules: CFACTOR is not theirs.
#[test]
fn initialisation_sets_concentrations() {
    for dummy in ["", "#DUMMYINDEX ON\n"] {
        let mechanism = read(&format!(
            "{dummy}#DEFVAR A = IGNORE; B = IGNORE;\n#DEFFIX O2 = IGNORE;
             #INITVALUES CFACTOR = 2.0; A = 1e10; B = 3.; O2 = 5e18;
             #INLINE F90_INIT\nbase = 1.5d12\nVAR(ind_A) = 2*base\nFIX(indf_O2) = 1.0d18\nC(ind_nobody) = 1.\n#ENDINLINE
             #EQUATIONS A + O2 = B : 1e-22;"
        ));
        let start = |name| mechanism.initial()[mechanism.species_index(name).expect("a species")];
        assert_eq!((start("A"), start("B"), start("O2")), (3e12, 6.0, 1e18));
        let notes: Vec<&str> = mechanism.notes().iter().map(|note| note.what.as_str()).collect();
        assert!(notes.len() == 1 && notes[0].contains("nobody"), "{notes:?}");
    }
}

#[test]
fn inlined_functions_have_conditions_and_locals() {
    let mechanism = read(
        "#DEFVAR A = IGNORE; B = IGNORE;
         #INLINE F90_RATES
         ! A comment with END FUNCTION in it
         REAL(kind=dp) FUNCTION steps( x, limit ) RESULT( y )
           REAL(kind=dp), INTENT(IN) :: x, limit
           REAL(kind=dp), PARAMETER :: ten = 10.0_dp
           IF ( x < 0 ) THEN
             y = -1
             RETURN
           ELSE IF ( x .LT. limit ) THEN
             y = inner(x)*ten
           ELSE
             y = limit
             IF ( x > 2*limit ) y = y + 1
           ENDIF
           y = y + 0.5
         END FUNCTION steps
         FUNCTION inner( z )
           inner = z*z
         END FUNCTION
         SUBROUTINE nobody( x )
           DO i = 1, 3
         END SUBROUTINE nobody
         #ENDINLINE
         #EQUATIONS A = B : steps(TEMP, 3.0);",
    );
    for (x, y) in [(-2.0, -1.0), (2.0, 40.5), (4.0, 3.5), (7.0, 4.5)] {
        assert_eq!(rates(&mechanism, &[("TEMP", x)], 0.0), [y]);
    }
    let mechanism = read(
        "#LANGUAGE C
         #DEFVAR A = IGNORE; B = IGNORE;
         #INLINE C_RATES
         double inner(double z);
         /* comment */ static double steps( double x, double limit ) {
           double y = 0.5, ten = 10.0;
           if (x < 0) return -1.0; // out
           if (x < limit) { y += inner(x)*ten; }
           else if (x > 2*limit) y += limit + 1;
           else y += limit;
           return y;
         }
         double inner(double z) { return pow(z, 2); }
         #ENDINLINE
         #EQUATIONS A = B : steps(TEMP, 3.0);",
    );
    for (x, y) in [(-2.0, -1.0), (2.0, 40.5), (4.0, 3.5), (7.0, 4.5)] {
        assert_eq!(rates(&mechanism, &[("TEMP", x)], 0.0), [y]);
    }
}

#[test]
fn sunlight_follows_the_time_where_that_is_wanted() {
    let text = "#DEFVAR A = IGNORE; B = IGNORE; #EQUATIONS A = B : SUN;";
    let mechanism = Reader::new().sun_from_time().read_text("sun.eqn", text).expect("a mechanism");
    assert!(mechanism.inputs().is_empty() && mechanism.program().depends_on_time());
    let Some(dir) = isobar_golden::find("kpp") else { return };
    let table = isobar_golden::json(&dir.join("sun.json"));
    for (time, sun) in isobar_golden::numbers(&table["time_s"]).into_iter().zip(isobar_golden::numbers(&table["sun"])) {
        let got = rates(&mechanism, &[], time)[0];
        assert!((got - sun).abs() < 1e-15, "{time}: {got} instead of {sun}");
    }
}

#[test]
fn commands_without_meaning_are_noted() {
    let mechanism = read(
        "#INTEGRATOR rosenbrock\n#DRIVER general {one} // two\n#DOUBLE ON\n#REORDER off #HESSIAN OFF\n#STOICMAT on
         #include atoms\n#ATOMS Xx;
         #DEFVAR A = O + IGNORE; B = 2O + Xx; F = O;
         #DEFFIX D = IGNORE;
         #SETVAR D; #SETFIX F;
         #LOOKAT A; B; #MONITOR a; O; #LOOKATALL
         #CHECK O; #TRANSPORTALL
         #LUMP A + B : AB;
         #INLINE F90_ODD\n {x\n#ENDINLINE
         #FAMILIES PAll : A + 2B; LAll : A + 2B;
         #EQUATIONS <1> A = B : 1; <2> B + D = A : 2; <3> 2B + hv = B + F : 1; <4> A = B : 3;",
    );
    let noted: Vec<&str> = mechanism.notes().iter().map(|note| note.what.as_str()).collect();
    assert_eq!(noted.iter().filter(|what| what.contains("no meaning")).count(), 7, "{noted:?}");
    for words in ["F90_ODD", "stands twice", "one by one", "loses 1 of O"] {
        assert!(noted.iter().any(|what| what.contains(words)), "{words} in {noted:?}");
    }
    assert_eq!(mechanism.monitor(), ["a", "O"]);
    let [first, second] = mechanism.imbalances() else { panic!("{:?}", mechanism.imbalances()) };
    assert_eq!((first.atom.as_str(), first.change, second.atom.as_str(), second.change), ("O", -1.0, "Xx", -1.0));
    let fixed: Vec<&str> = mechanism.species().iter().filter(|s| s.fixed).map(|s| s.name.as_str()).collect();
    assert_eq!(fixed, ["F"]);
    // A -> B makes one of A + 2 B, B -> A loses one, 2 B -> B loses two.
    let net = |i: usize, name| {
        let at = mechanism.species_index(name).expect("a species");
        mechanism.reactions()[i].net.iter().find(|(s, _)| *s == at).map_or(0.0, |(_, net)| *net)
    };
    assert_eq!([net(0, "PAll"), net(1, "PAll"), net(2, "PAll")], [1.0, 0.0, 0.0]);
    assert_eq!([net(0, "LAll"), net(1, "LAll"), net(2, "LAll")], [0.0, 1.0, 2.0]);
    assert_eq!(mechanism.families()[0].members, [("A".to_owned(), 1.0), ("B".to_owned(), 2.0)]);
}

#[test]
fn files_include_each_other() {
    let folder = tempfile::tempdir().expect("a folder");
    let models = folder.path().join("models");
    fs::create_dir(&models).expect("a folder");
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).expect("a file");
    write("main.kpp", "#INCLUDE sub.def {text}\n#MODEL other");
    write("sub.def", "#INCLUDE atoms.kpp\n#DEFVAR A = O; // an element\n");
    write("models/other.def", "B = O;\n#INCLUDE more.eqn");
    write("models/more.eqn", "#EQUATIONS A = B : 1.0;");
    let reader = Reader::new().folder(&models);
    let mechanism = reader.read_file(folder.path().join("main.kpp")).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(mechanism.species().len(), 2);
    write("models/more.eqn", "#include other.def");
    let error = reader.read_file(folder.path().join("main.kpp")).expect_err("a circle").to_string();
    assert!(error.contains("more.eqn:1:10: ") && error.contains("other.def includes itself"), "{error}");
    // Latin-1 in a comment.
    fs::write(folder.path().join("latin.eqn"), b"// M\xfcller\n#DEFVAR A;B; #EQUATIONS A = B : 1.0;").expect("a file");
    assert_eq!(Mechanism::from_file(folder.path().join("latin.eqn")).expect("a mechanism").reactions().len(), 1);
}

#[test]
fn rates_read_concentrations_in_kpps_words() {
    let text = |rate: &str| {
        format!(
            "#DEFVAR A = IGNORE; B = IGNORE; #DEFFIX M = IGNORE; Q = IGNORE;
             #INITVALUES A = 3.0; B = 2.0; M = 5.0; Q = 7.0;\n#EQUATIONS\nA + Q = B : {rate};"
        )
    };
    // M is in no reaction, and counts all the same.
    for formula in ["C(ind_A) + C(ind_M)", "VAR(ind_A) + FIX(indf_M)", "v[ind_a] + f[indf_m]"] {
        let mechanism = read(&text(formula));
        assert_eq!(rates(&mechanism, &[], 0.0), [8.0]);
        let names: Vec<(&str, bool)> = mechanism.species().iter().map(|s| (s.name.as_str(), s.fixed)).collect();
        assert_eq!(names, [("A", false), ("B", false), ("Q", true), ("M", true)]);
        assert!(mechanism.inputs().is_empty() && mechanism.unused().is_empty());
    }
    // A species that varies but for the lack of reactions is held.
    let held = read("#DEFVAR A; B; X; #INITVALUES X = 4.0; #EQUATIONS A = B : 2.0*C(ind_X);");
    assert_eq!((rates(&held, &[], 0.0), held.variable(), held.species()[2].fixed), (vec![8.0], 2, true));
    // A name alone is no concentration.
    for (formula, place) in [("1e-12*b", "4:19: `b`"), ("EXP(-A)", "4:18: `A`"), ("C(ind_A) + Q", "4:24: `Q`")] {
        let error = Reader::new().read_text("bare.kpp", &text(formula)).expect_err("a bare name").to_string();
        assert!(error.starts_with(&format!("bare.kpp:{place} is a species")), "{error}");
        assert!(error.contains("= write `C(ind_"), "{error}");
    }
    // Inlined code may have a variable of that name, which the host model sets; so is a species without reactions.
    let host = format!("{}\n#INLINE F90_GLOBAL\nREAL(dp) :: Q\n#ENDINLINE", text("2.0*Q + M"));
    let mechanism = read(&host);
    assert_eq!(rates(&mechanism, &[("Q", 9.0), ("M", 1.0)], 0.0), [19.0]);
    assert!(
        mechanism.notes().iter().any(|note| note.what.starts_with("`Q`, which inlined code declares, is an input"))
    );
}

#[test]
fn laws_of_wrf_take_temperature_and_air() {
    #[allow(clippy::disallowed_methods, reason = "another computation than the program's")]
    fn e(x: f64) -> f64 {
        x.exp()
    }
    let (t, m) = (250.0, 2e19);
    let given = [("TEMP", t), ("C_M", m)];
    near(rate("ARR(2e-12, 100., -1., TEMP)", &given[..1]), 2e-12 * e(-0.4) * 300.0 / t);
    let (k0, k2, k3) = (7.2e-15 * e(785.0 / t), 4.1e-16 * e(1440.0 / t), 1.9e-33 * e(725.0 / t) * m);
    near(rate("EP2(7.2e-15,-785.,4.1e-16,-1440.,1.9e-33,-725.,TEMP,C_M)", &given), k0 + k3 / (1.0 + k3 / k2));
    near(rate("EP3(1.3e-13, 10., 3.19e-33, 0., TEMP, C_M)", &given), 1.3e-13 * e(-0.04) + 3.19e-33 * m);
    // At the same limits the logarithm vanishes; at a ratio of 10 it is 1.
    near(rate("FALL(1e-30, 0., 0., 2e-11, 0., 0., 0.6, TEMP, C_M)", &given), 0.5 * 2e-11 * 0.6);
    near(rate("F2(1e-29, 0., 0., 2e-11, 0., 0., 0.25, 1.0, TEMP, C_M)", &given), 2e-10 / 11.0 * 0.5);
    near(rate("TROE(1e-30, 0., 2e-11, 0., TEMP, C_M)", &given), 0.5 * 2e-11 * 0.6);
    near(rate("TROEE(3.0, 100., 1e-30, 0., 2e-11, 0., TEMP, C_M)", &given), 3.0 * e(-0.4) * 0.5 * 2e-11 * 0.6);
    near(rate("THERMAL_T2(1.36e-17, 444., TEMP)", &given[..1]), t * t * 1.36e-17 * e(-444.0 / t));
    for (formula, want) in [("SIGN(2.0, TEMP)", 2.0), ("DSIGN(-2.0D0, -TEMP)", -2.0), ("sign(-3., 0.0*TEMP)", 3.0)] {
        assert_eq!(rate(formula, &given[..1]), want);
    }
    // The sign of ARR2 is told by its arguments, and said.
    let kpp = read("#DEFVAR A; B; #EQUATIONS A = B : ARR2(1.0, 2.0); B = A : ARR2(1.0, 3.0);");
    assert_eq!(kpp.notes().iter().filter(|note| note.what.contains("is a exp(b/T), as in KPP")).count(), 1);
}

#[test]
fn elements_of_arrays_may_have_an_index_with_a_value() {
    let mechanism = read(
        "#DEFVAR A; B; #EQUATIONS A = B : phot(j_no2)*phot(2);
         #INLINE F90_DATA\n INTEGER, PARAMETER :: nphot = 2\n REAL(dp) :: phot(nphot)
         INTEGER, PARAMETER, PUBLIC :: j_no2 = 1\n#ENDINLINE",
    );
    let inputs: Vec<&str> = mechanism.inputs().iter().map(|input| input.name.as_str()).collect();
    assert_eq!(inputs, ["phot(j_no2)", "phot(2)"]);
    let error = Reader::new().read_text("f.kpp", "#DEFVAR A; B; #EQUATIONS A = B : nosuch(TEMP);");
    assert!(error.expect_err("no function").to_string().contains("unknown rate function `nosuch`"));
}

#[test]
fn signs_that_kpp_reads_over_are_noted() {
    let mechanism = read(
        "#DEFVAR A; B; D; #EQUATIONS A = 0.67 * B + D) : 1.0d-3; {one},{two}
         B = D : 2.0d-3;) ;\n, <R3> D = A : 3.0d-3; *\n#INITVALUES A = 1.0;",
    );
    let noted = mechanism.notes().iter().filter(|note| note.what == "this is read over, as KPP does").count();
    assert_eq!((mechanism.reactions().len(), noted), (3, 6));
    let b = mechanism.species_index("B").expect("a species");
    assert!(mechanism.reactions()[0].net.contains(&(b, 0.67)));
    assert_eq!(rates(&mechanism, &[], 0.0), [1e-3, 2e-3, 3e-3]);
}

#[test]
fn rates_that_are_given_need_not_be_read() {
    let text = "#DEFVAR A; B; #EQUATIONS A = B : Uptake(SR_MW(ind_A), .FALSE., Het); B = A : 2.0; A = B : ;
        #INLINE F90_RCONST\n x = = 3\n y = nosuch(1.0, 2.0)\n#ENDINLINE";
    assert!(Reader::new().read_text("gc.kpp", text).is_err());
    let mechanism = Reader::new().rates_given().read_text("gc.kpp", text).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!((mechanism.reactions().len(), mechanism.unread_rates()), (3, 2));
    let got = rates(&mechanism, &[], 0.0);
    assert!(got[0].is_nan() && got[1] == 2.0 && got[2].is_nan());
    assert!(mechanism.notes().iter().any(|note| note.what.starts_with("2 rates are not read")));
    // What is wrong besides is wrong still.
    let wrong = Reader::new().rates_given().read_text("gc.kpp", &text.replace("B = A", "B = Q"));
    assert!(wrong.expect_err("an unknown species").to_string().contains("unknown species `Q`"));
}

#[test]
fn laws_that_are_not_known_are_inputs_where_that_is_wanted() {
    let text = "#DEFVAR A; B; O3;
        #INLINE F90_RATES
        REAL FUNCTION known(x)
        CALL host(x)
        known = x
        END FUNCTION known
        #ENDINLINE
        #EQUATIONS
        A = B : Uptake(SR_MW(ind_A), .FALSE., 0.1_dp,
                State_Het)*2.0;
        B = A : Uptake( SR_MW(ind_A), .FALSE., 0.1_dp, state_het ) + HO2uptake(State_Het);
        A = O3 : known(TEMP) + jx(ip_A);
        O3 = A : GCARR_ac(1.0d-3, 0.0d0);";
    let strict = Reader::new().read_text("gc.kpp", text).expect_err("no function").to_string();
    assert!(strict.starts_with("gc.kpp:9:17: unknown rate function `Uptake` of 4 arguments"), "{strict}");
    let mechanism = Reader::new().open_laws().read_text("gc.kpp", text).unwrap_or_else(|error| panic!("{error}"));
    let laws: Vec<_> =
        mechanism.open_laws().iter().map(|law| (&law.name[..], &law.input[..], &law.reactions[..])).collect();
    let uptake = "Uptake(SR_MW(ind_A),.FALSE.,0.1_dp,State_Het)";
    assert_eq!(
        laws,
        [
            ("Uptake", uptake, &[0, 1][..]),
            ("HO2uptake", "HO2uptake(State_Het)", &[1][..]),
            ("known", "known(TEMP)", &[2][..])
        ]
    );
    assert!(mechanism.open_laws()[2].why.what.contains("unknown subroutine"));
    assert_eq!(mechanism.open_laws()[2].why.place.as_ref().map(|place| place.line), Some(4));
    assert_eq!(mechanism.open_laws()[2].place.line, 12);
    // What an unknown function is given is no input of its own.
    let inputs: Vec<&str> = mechanism.inputs().iter().map(|input| input.name.as_str()).collect();
    assert_eq!(inputs, [uptake, "HO2uptake(State_Het)", "TEMP", "known(TEMP)", "jx(ip_A)"]);
    let given =
        [(uptake, 3.0), ("ho2uptake(state_het)", 0.5), ("known(temp)", 7.0), ("jx(ip_A)", 1.0), ("TEMP", 300.0)];
    assert_eq!(rates(&mechanism, &given, 0.0), [6.0, 3.5, 8.0, 1e-3]);
    // What is wrong besides is wrong still.
    for wrong in ["A = B : 1.0*;", "A = Q : 1.0;", "A = B : C(ind_Q);", "A = B : EXP(1.0, 2.0);", "A = B : A*1.0;"] {
        let text = format!("#DEFVAR A; B; #EQUATIONS {wrong}");
        assert!(Reader::new().open_laws().read_text("wrong.kpp", &text).is_err(), "{wrong}");
    }
}

#[test]
fn inlined_fortran_has_loops_choices_and_arrays() {
    let mechanism = read(
        "#DEFVAR A; B; D; #INITVALUES A = 2.0; B = 3.0; D = 4.0;
         #INLINE F90_GLOBAL
           MODULE tables
           INTEGER, PARAMETER :: n = 3, one = 1
           REAL(dp), PARAMETER :: weight(n) = (/ 1.0, 1.0/2.0, 0.25 /), start(0:1) = [5.0_dp, 7.0_dp]
           REAL(dp) :: jx(n) = 0., k_exf(2, n)
           CONTAINS
           END MODULE tables
         #ENDINLINE
         #INLINE F90_RATES
           REAL(dp) FUNCTION sums(x1, x2, x3, which)
             INTEGER :: i, j, which
             PARAMETER (half = 0.5d0)
             DIMENSION part(3)
             REAL(dp) :: pair(3, 3), x(3)
             x(1) = x1; x(2) = x2; x(3) = x3
             pair = 0.0
             DO i = 1, 3
               DO j = i, 3
                 IF (i .NE. j) THEN
                   pair(i, j) = half*x(i)*x(j)
                 ENDIF
               ENDDO
             END DO
             part(:) = 0
             DO i = 3, 1, -1
               IF (i == 2) CYCLE
               DO j = 1, 3
                 IF (x(j) > 3.5) EXIT
                 part(i) = part(i) + pair(i, j) + x(j)
               END DO
             END DO
             part(2) = SUM(x)
             SELECT CASE (which)
             CASE DEFAULT
               sums = -1.0
             CASE (1, 3:4)
               sums = part(1) + 10*part(3)
             CASE (:0)
               sums = part(2)*SIZE(x)
             END SELECT
           END FUNCTION sums
           REAL FUNCTION outer(x)
             outer = inner(x)
           CONTAINS
             REAL FUNCTION inner(y)
               inner = y + 1
             END FUNCTION inner
           END FUNCTION outer
           REAL FUNCTION of_array(a, m)
             REAL, INTENT(IN) :: a(:)
             REAL :: one
             one = 1
             of_array = a(2)*m + one/2
           END FUNCTION of_array
           REAL FUNCTION night(x)
             LOGICAL :: dark
             dark = x < 1.0
             night = MERGE(2.0, 1.0, dark .AND. .TRUE.)
           END FUNCTION night
         #ENDINLINE
         #EQUATIONS
           A = B : sums(A, B, D, 1);
           A = D : sums(A, B, D, 4);
           B = A : sums(A, B, D, -2);
           B = D : sums(A, B, D, 9);
           D = A : weight(2) + start(1) + weight(one);
           D = B : jx(one) + jx(ip_NO2) + k_exf(1, ind_A);
           A + B = D : of_array(weight, 4) + of_array(host, 1);
           B + D = A : night(SUN);",
    );
    let inputs: Vec<&str> = mechanism.inputs().iter().map(|input| input.name.as_str()).collect();
    assert_eq!(inputs, ["jx(one)", "jx(ip_NO2)", "k_exf(1,ind_A)", "host(2)", "SUN"]);
    let given = [("jx(one)", 1.0), ("jx(ip_NO2)", 2.0), ("k_exf(1,ind_A)", 4.0), ("host(2)", 8.0), ("SUN", 0.5)];
    // x is 2, 3, 4: the pairs of 1 are 3 and 4 with 2 and 3. Turns end before the third.
    let first = (0.0 + 2.0) + (3.0 + 3.0) + 10.0 * (2.0 + 3.0);
    assert_eq!(rates(&mechanism, &given, 0.0), [first, first, 27.0, -1.0, 8.5, 7.0, 2.0 + 0.5 + 8.0 + 0.5, 2.0]);
    let noted = mechanism.notes().iter().filter(|note| note.what.contains("as in WRF-Chem")).count();
    assert_eq!(noted, 3);
}

#[test]
fn indices_of_species_are_0_where_no_reaction_has_them() {
    let text = "#DUMMYINDEX ON\n#WRITE_OPT\n#DEFVAR A; B; X; #INITVALUES A = 2.0; B = 3.0;
        #INLINE F90_RCONST
          RO2 = 0.{a comment}
          IF (ind_A>0) RO2 = RO2 + C(ind_A)
          IF (ind_B > 0) RO2 = RO2 + C(ind_B)
          IF (ind_X > 0) RO2 = RO2 + 100.
          IF (ind_NOWHERE>0) RO2 = RO2 + C(ind_NOWHERE)
        #ENDINLINE
        #EQUATIONS A = B : RO2;";
    assert_eq!(rates(&read(text), &[], 0.0), [5.0]);
    let error = Reader::new().read_text("m.eqn", &text.replace("#DUMMYINDEX ON\n", ""));
    assert!(error.expect_err("unknown").to_string().contains("unknown species `NOWHERE`"));
}
