//! What a mechanism defines itself counts before what is known here: arrays, functions, modules; and what its functions
//! do besides their result. Expected numbers are those of the same Fortran by hand.

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
