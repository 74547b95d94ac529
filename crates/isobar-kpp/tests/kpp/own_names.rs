//! What a mechanism defines itself counts before what is known here: arrays, functions, modules; and what its functions
//! do besides their result. Expected numbers are those of the same Fortran by hand.

use std::fs;

use isobar_kpp::{Mechanism, Reader};

fn read(text: &str) -> Mechanism {
    Reader::new().read_text("test.kpp", text).unwrap_or_else(|error| panic!("{error}"))
}

fn rates(mechanism: &Mechanism, given: &[(&str, f64)]) -> Vec<f64> {
    let values: Vec<[f64; 1]> = given.iter().map(|(_, value)| [*value]).collect();
    let given: Vec<(&str, &[f64])> = given.iter().zip(&values).map(|((name, _), value)| (*name, &value[..])).collect();
    let inputs = mechanism.input_values(&given, 1).expect("inputs");
    mechanism.program().rate_constants(mechanism.initial(), &inputs, 0.0)
}

fn noted(mechanism: &Mechanism, what: &str) -> usize {
    mechanism.notes().iter().filter(|note| note.what.contains(what)).count()
}

/// A mechanism with modules beside it, each of a name and a text.
fn with_modules(text: &str, modules: &[(&str, &str)]) -> Result<Mechanism, String> {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).expect("a file");
    write("main.kpp", text);
    modules.iter().for_each(|(name, text)| write(name, text));
    Reader::new().open_laws().read_file(folder.path().join("main.kpp")).map_err(|error| error.to_string())
}

#[test]
fn arrays_and_functions_of_the_mechanism_are_no_concentrations() {
    let mechanism = read(
        "#DEFVAR A; B; #INITVALUES A = 2.0; B = 3.0;
         #INLINE F90_GLOBAL\nREAL(dp) :: v(10), y(10), jx(10)\n#ENDINLINE
         #INLINE F90_RATES
         REAL(dp) FUNCTION f(i)
           INTEGER :: i
           f = 42.
         END FUNCTION
         REAL(dp) FUNCTION g(x)
           REAL(dp) :: x, conc(5)
           conc(ind_B) = 6.
           g = conc(ind_B) + x
         END FUNCTION
         REAL(dp) FUNCTION of(v)
           REAL(dp), INTENT(IN) :: v(:)
           of = v(ind_B)
         END FUNCTION
         #ENDINLINE
         #INLINE F90_RCONST\nv(ind_A) = 7.\nIF (1 > 0) v(ind_B) = 8.\n#ENDINLINE
         #EQUATIONS
         A = B : v(ind_A) + 10.*v(ind_B);
         A = B : f(ind_A)*1.0;
         A = B : g(1.0);
         A = B : y(ind_A) + jx(ind_A);
         A = B : C(ind_A) + conc(ind_B);
         A = B : of(VAR) + of(y);",
    );
    let inputs: Vec<&str> = mechanism.inputs().iter().map(|input| input.name.as_str()).collect();
    assert_eq!(inputs, ["y(ind_A)", "jx(ind_A)", "y(ind_B)"]);
    let got = rates(&mechanism, &[("y(ind_A)", 0.5), ("jx(ind_A)", 1.0), ("y(ind_B)", 4.0)]);
    assert_eq!(got, [87.0, 42.0, 7.0, 1.5, 5.0, 7.0]);
}

/// KPP compiles what the mechanism USEs: a module's function of a law's name is that function.
#[test]
fn functions_of_modules_count_before_laws() {
    let text = "#DEFVAR A; B;\n#INLINE F90_RATES\nUSE my_wrf\n#ENDINLINE
        #INLINE F90_GLOBAL\nREAL(dp) :: INV_TEMP\n#ENDINLINE
        #EQUATIONS A = B : TROE(1.,2.,3.,4.,TEMP,5.); B = A : GCARR_ac(2.0, 0.0); A = B : GCARR_ab(2.0, 0.0);
        B = A : ARR_ab(2.0, 0.0);";
    let module = "MODULE my_wrf\nCONTAINS
        REAL(8) FUNCTION TROE(k0,n,ki,m,temp,cair)\nREAL(8) k0,n,ki,m,temp,cair\nTROE = k0 + 10*ki + cair/temp\nEND FUNCTION
        FUNCTION GCARR_ac(a, c) RESULT(k)\nk = a*INV_TEMP\nEND FUNCTION
        FUNCTION GCARR_ab(a, c) RESULT(k)\nk = a*of_host\nEND FUNCTION
        FUNCTION ARR_ab(a, c) RESULT(k)\nCALL nobody(k)\nEND FUNCTION\nEND MODULE\n";
    let mechanism = with_modules(text, &[("my_wrf.f90", module)]).expect("a mechanism");
    // What cannot be read, or reads what GEOS-Chem computes before, is the law.
    assert_eq!(rates(&mechanism, &[("TEMP", 250.0)]), [31.02, 2.0 / 250.0, 2.0, 2.0]);
    assert_eq!(mechanism.inputs().len(), 1);
    assert_eq!((noted(&mechanism, "`GCARR_ab` is the law"), noted(&mechanism, "`ARR_ab` is the law")), (1, 1));
    assert_eq!(noted(&mechanism, "is the law of this name"), 2);
}

#[test]
fn functions_set_variables_of_the_module() {
    let of = |rates: &str, rconst: &str| {
        read(&format!(
            "#DEFVAR A; B;\n#INLINE F90_GLOBAL\nREAL(dp) :: RO2 = 0., k = 0., w(2)\n#ENDINLINE
             #INLINE F90_RATES\n{rates}\n#ENDINLINE\n#INLINE F90_RCONST\n{rconst}\n#ENDINLINE
             #EQUATIONS A = B : RO2*1.0; B = A : k*1.0; A = B : f(9.0) + w(2); B = A : RO2*1.0;"
        ))
    };
    let f = "FUNCTION f(x)\nREAL(dp) :: x, f\nRO2 = RO2 + x\nw(2) = 3.*x\nf = x\nEND FUNCTION";
    // Rates are computed in their order.
    assert_eq!(rates(&of(f, "w(2) = 1.\nk = f(5.) + 1."), &[]), [5.0, 6.0, 24.0, 14.0]);
    // Where the call is not made, nothing is set; what a block has set before is what the function reads.
    let code = "w(2) = 1.\nIF (TEMP > 250.) THEN\nRO2 = 2.\nk = f(5.)\nEND IF";
    assert_eq!(rates(&of(f, code), &[("TEMP", 280.0)]), [7.0, 5.0, 24.0, 16.0]);
    assert_eq!(rates(&of(f, code), &[("TEMP", 200.0)]), [0.0, 0.0, 10.0, 9.0]);
    // Through another function, which has a name of its own, and in a condition.
    let through =
        format!("{f}\nFUNCTION g(x)\nREAL(dp) :: x, g, k\nk = 8.\ng = f(x)\nIF (f(x) > 2.) g = 1.\nEND FUNCTION");
    assert_eq!(rates(&of(&through, "w(2) = 0.\nk = g(5.)"), &[])[..2], [10.0, 1.0]);
    let own = "FUNCTION f(x)\nREAL(dp) :: x, f, RO2\nRO2 = 5.\nf = x\nEND FUNCTION";
    assert_eq!(rates(&of(own, "w(2) = 0.\nk = f(5.)"), &[])[..2], [0.0, 5.0]);
}

/// An open law may set what its body sets.
#[test]
fn variables_that_an_open_law_may_set_are_inputs() {
    let text = "#DEFVAR A; B;\n#INLINE F90_GLOBAL\nREAL(dp) :: RO2 = 0.\n#ENDINLINE
        #INLINE F90_RATES\nFUNCTION f(x)\nRO2 = x\nCALL nobody(x)\nf = x\nEND FUNCTION\n#ENDINLINE
        #EQUATIONS A = B : f(1.0); B = A : RO2*1.0;";
    let mechanism = Reader::new().open_laws().read_text("test.kpp", text).expect("a mechanism");
    assert_eq!(rates(&mechanism, &[("f(1.0)", 3.0), ("RO2", 4.0)]), [3.0, 4.0]);
}

#[test]
fn variables_that_functions_keep_are_noted() {
    let of = |body: &str| {
        let text = format!(
            "#DEFVAR A; B;\n#INLINE F90_RATES\nFUNCTION f(x)\nREAL(dp) :: x\n{body}\nf = n + x\nEND FUNCTION\n#ENDINLINE
             #EQUATIONS A = B : f(1.0); B = A : f(2.0);"
        );
        noted(&read(&text), "`f` keeps `n` from call to call")
    };
    for body in [
        "REAL(dp), SAVE :: n = 5.\nn = n + x",
        "REAL(dp) :: n = 5.\nIF (x > 0.) n = n + x",
        "REAL(dp) :: n\nSAVE n\nn = x",
        "REAL(dp) :: n\nSAVE\nn = x",
        "REAL(dp) :: n\nDATA n /5.0/\nn = n + x",
    ] {
        assert_eq!(of(body), 1, "{body}");
    }
    for body in ["REAL(dp), SAVE :: n = 5.", "REAL(dp), PARAMETER :: n = 5.", "REAL(dp) :: n\nn = 5."] {
        assert_eq!(of(body), 0, "{body}");
    }
}

#[test]
fn light_on_the_right_and_one_value_for_an_array_are_read() {
    let mechanism = read(
        "#DEFVAR A; B;\n#INLINE F90_GLOBAL\nREAL(dp) :: w(3) = 1.5, j(3) = 0.\n#ENDINLINE
         #EQUATIONS A + hv = B + hv : w(2) + j(2); B = A + hv : 2.0;",
    );
    assert_eq!(rates(&mechanism, &[("j(2)", 4.0)]), [5.5, 2.0]);
    let [light, none] = mechanism.reactions() else { panic!("two reactions") };
    assert!(light.photolysis && !none.photolysis);
    assert_eq!((light.reactants.len(), light.net.len()), (1, 2));
    let text = "#DEFVAR A; B;\n#INLINE F90_RATES\nFUNCTION f(x, y)\nREAL, INTENT(IN) :: x\nREAL, OPTIONAL :: y\nf = x
        END FUNCTION\n#ENDINLINE\n#EQUATIONS A = B : f(1.0);";
    let error = Reader::new().read_text("test.kpp", text).expect_err("too few").to_string();
    assert!(error.contains("takes 2 arguments, not 1") && error.contains("`y` is optional in Fortran"), "{error}");
}
