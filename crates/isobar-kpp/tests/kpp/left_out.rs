//! Inlined code that is not understood outside of functions: what it may change is an input, never what it held before.

use isobar_kpp::{Mechanism, Reader};

/// A mechanism whose rate is `k`, with what is computed before it.
fn read(global: &str, rconst: &str) -> Mechanism {
    let text = format!(
        "#DEFVAR A; B; #INITVALUES A = 1.0;\n#INLINE F90_GLOBAL\n{global}\n#ENDINLINE
         #INLINE F90_RCONST\n{rconst}\n#ENDINLINE\n#EQUATIONS A = B : k*1.0;"
    );
    Reader::new().open_laws().read_text("test.kpp", &text).unwrap_or_else(|error| panic!("{rconst}\n{error}"))
}

fn inputs(mechanism: &Mechanism) -> Vec<&str> {
    mechanism.inputs().iter().map(|input| input.name.as_str()).collect()
}

fn rate(mechanism: &Mechanism, given: &[(&str, f64)]) -> f64 {
    let is_input = |name: &str| mechanism.inputs().iter().any(|input| input.name == name);
    let given: Vec<_> = given.iter().filter(|(name, _)| is_input(name)).collect();
    let values: Vec<[f64; 1]> = given.iter().map(|(_, value)| [*value]).collect();
    let given: Vec<(&str, &[f64])> = given.iter().zip(&values).map(|(&&(name, _), value)| (name, &value[..])).collect();
    let inputs = mechanism.input_values(&given, 1).expect("inputs");
    mechanism.program().rate_constants(mechanism.initial(), &inputs, 0.0)[0]
}

/// Results of gfortran at 280 K.
#[test]
fn words_for_people_change_nothing() {
    for (code, want) in [
        ("k = 1.\nIF (TEMP > 250.) THEN\nk = 5.\nIF (TEMP > 400.) THEN\nWRITE(*,*) 'too hot'\nEND IF\nEND IF", 5.0),
        ("k = 1.\nIF (TEMP < 250.) THEN\nk = 5.\nELSE\nk = 6.\nIF (TEMP > 400.) STOP 'too hot'\nEND IF", 6.0),
        ("k = 1.\nIF (TEMP < 250.) THEN\nPRINT *, k\nELSE IF (TEMP < 300.) THEN\nk = 7.\nEND IF\n100 FORMAT(A)", 7.0),
        ("OPEN(UNIT=7, FILE='a')\nk = 8.\nWRITE(UNIT=7, FMT=*) k, TEMP\nCLOSE(7)", 8.0),
        ("DO i = 1, 3\nk = i*3.\nWRITE(*,'(I3)') i\nEND DO", 9.0),
    ] {
        assert_eq!(rate(&read("", code), &[("TEMP", 280.0)]), want, "{code}");
    }
    let stop = read("", "k = 1.\nIF (TEMP > 400.) STOP");
    assert!(stop.notes().iter().any(|note| note.what.contains("STOP is passed over") && note.place.is_some()));
    // A function runs them, too.
    let text = "#DEFVAR A; B;\n#INLINE F90_RATES\nFUNCTION f(x)\nIF (x > 400.) WRITE(*,*) 'hot'\nf = 2.*x\nEND FUNCTION
        #ENDINLINE\n#EQUATIONS A = B : f(TEMP);";
    let mechanism = Reader::new().read_text("test.kpp", text).expect("a mechanism");
    assert_eq!(rate(&mechanism, &[("TEMP", 3.0)]), 6.0);
}

#[test]
fn what_may_have_changed_is_an_input() {
    for (global, code) in [
        // Formulas that are not read, a subroutine that nobody has, numbers from a file.
        ("", "k = 1.\nk = k + SUM( C( (/ ind_A /) ) )"),
        ("REAL(dp) :: k = 0.", "CALL photo(k)"),
        ("REAL(dp) :: k = 0.", "IF (1 > 0) CALL photo(2.0, k)"),
        ("", "k = 1.\nREAD(10, *) k"),
        ("", "k = 1.\nWRITE(*, *, IOSTAT=k) 'x'"),
        ("", "k = 1.\nk = k + C(ind_Q)"),
        ("", "k = 1.\nIF (C(ind_Q) > 0) THEN\nk = 3.\nEND IF"),
        ("", "k = 1.\nDO CONCURRENT (i = 1:3)\nk = 4.\nEND DO"),
        // A subroutine that cannot be run, and sets a variable of the module.
        ("", "k = 1.\nCALL bad(x)"),
        // Jumps.
        ("", "k = 2.\nIF (1 > 0) GOTO 10\nk = 5.\n10 k = k*3."),
        ("", "k = 2.\nIF (k - 1.) 10, 10, 20\n10 k = 5.\n20 CONTINUE"),
        ("", "k = 0.\nDO 10 i = 1, 3\nk = k + 1.\n10 CONTINUE"),
        ("", "k = 2.\nIF (TEMP > 0.) RETURN\nk = 3."),
    ] {
        let text = format!(
            "#DEFVAR A; B;\n#INLINE F90_GLOBAL\n{global}\n#ENDINLINE
             #INLINE F90_RATES\nSUBROUTINE bad(x)\nCALL nobody(x)\nk = x\nEND SUBROUTINE\n#ENDINLINE
             #INLINE F90_RCONST\n{code}\n#ENDINLINE\n#EQUATIONS A = B : k*1.0;"
        );
        let mechanism = Reader::new().open_laws().read_text("test.kpp", &text).expect("a mechanism");
        assert_eq!(inputs(&mechanism), ["k"], "{code}");
        assert_eq!(mechanism.inputs()[0].default, None, "{code}");
        assert_eq!(rate(&mechanism, &[("k", 9.0)]), 9.0, "{code}");
        let noted = mechanism.notes().iter().any(|note| note.what.contains("`k`") && note.what.contains("input"));
        assert!(noted, "{code}: {:?}", mechanism.notes());
    }
    // What is known afterwards is no input, nor what cannot change.
    assert_eq!(rate(&read("REAL(dp) :: k = 0.", "CALL photo(k)\nk = 3."), &[]), 3.0);
    assert_eq!(rate(&read("REAL(dp), PARAMETER :: k = 2.", "CALL photo(k)"), &[]), 2.0);
    assert_eq!(rate(&read("REAL(dp) :: k = 2.", "CALL photo(2.0*k)"), &[]), 2.0);
    // It is so where the condition was, and else what it was.
    let mechanism = read("REAL(dp) :: k = 2.", "IF (TEMP > 250.) CALL photo(k)");
    assert_eq!(rate(&mechanism, &[("TEMP", 280.0), ("k", 9.0)]), 9.0);
    assert_eq!(rate(&mechanism, &[("TEMP", 200.0), ("k", 9.0)]), 2.0);
}

#[test]
fn arrays_and_initialisation_are_no_exception() {
    let mechanism = read("REAL(dp) :: j(2) = (/1.0, 2.0/), k", "CALL photo(j(1))\nk = j(2)");
    assert_eq!((inputs(&mechanism), rate(&mechanism, &[("j(2)", 7.0)])), (vec!["j(2)"], 7.0));
    for (global, init) in [("REAL(dp) :: k = 1.", "CALL photo(k)"), ("REAL(dp) :: k = 1.", "k = 2.\nREAD(*, *) k")] {
        let text = format!(
            "#DEFVAR A; B;\n#INLINE F90_GLOBAL\n{global}\n#ENDINLINE\n#INLINE F90_INIT\n{init}\n#ENDINLINE
             #EQUATIONS A = B : k*1.0;"
        );
        let mechanism = Reader::new().read_text("test.kpp", &text).expect("a mechanism");
        assert_eq!((inputs(&mechanism), rate(&mechanism, &[("k", 7.0)])), (vec!["k"], 7.0), "{init}");
    }
}

/// A word may go on behind `&`, as in the standard of Fortran (2018, 6.3.2.4).
#[test]
fn numbers_and_names_go_on_in_the_next_line() {
    for (code, want) in [
        ("k = 4. + 1.0e&\n&1", 14.0),
        ("b_ac = 3.\nk = 2.*b_&\n   ! a comment\n\n   &ac", 6.0),
        ("k = 2.*&\n&*3", 8.0),
        ("k = 4. + 1.0&\n& + 1", 6.0),
        ("k = 4. - &\n&1.0", 3.0),
    ] {
        assert_eq!(rate(&read("", code), &[]), want, "{code}");
    }
}
