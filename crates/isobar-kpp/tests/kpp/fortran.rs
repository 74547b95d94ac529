//! Fortran beside a mechanism and within it: modules, subroutines, records, parts of arrays.

use std::fs;

use isobar_kpp::{Mechanism, Reader};

pub(crate) fn read(text: &str) -> Mechanism {
    Reader::new().read_text("test.kpp", text).unwrap_or_else(|error| panic!("{error}"))
}

pub(crate) fn rates(mechanism: &Mechanism, given: &[(&str, f64)]) -> Vec<f64> {
    let values: Vec<[f64; 1]> = given.iter().map(|(_, value)| [*value]).collect();
    let given: Vec<(&str, &[f64])> = given.iter().zip(&values).map(|((name, _), value)| (*name, &value[..])).collect();
    let inputs = mechanism.input_values(&given, 1).expect("inputs");
    mechanism.program().rate_constants(mechanism.initial(), &inputs, 0.0)
}

/// What a function of `x`, of this body, comes to at 2.
fn body(text: &str) -> Result<f64, String> {
    let text = format!(
        "#DEFVAR A; B;\n#INLINE F90_RATES\nFUNCTION f(x)\n{text}\nEND FUNCTION\n#ENDINLINE\n#EQUATIONS A = B : f(TEMP);"
    );
    let mechanism = Reader::new().read_text("body.kpp", &text).map_err(|error| error.to_string())?;
    Ok(rates(&mechanism, &[("TEMP", 2.0)])[0])
}

#[test]
fn modules_stand_beside_the_mechanism() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).expect("a file");
    write(
        "main.kpp",
        "#DEFVAR A; B; #INITVALUES A = 3.0;
         #INLINE F90_GLOBAL
         #include \"shared.H\"
         #ENDINLINE
         #INLINE F90_RCONST
           USE, INTRINSIC :: iso_fortran_env
           USE main_Global
           USE Own_Laws, ONLY: law
           USE elsewhere
           CALL set_all(2.0*SUN)
         #ENDINLINE
         #EQUATIONS A = B : law(SUN) + k_set; A = B : uptake(State, A_TYPE);
         B = A : GCARR_ac(1.0, 0.0) + ARR2(1.0, 0.0);",
    );
    write("shared.H", "  REAL(dp) :: SR_TEMP, k_set\n  TYPE, PUBLIC :: Air\n    REAL(dp) :: area(3)\n  END TYPE Air\n");
    write(
        "own_laws.F90",
        "MODULE Own_Laws
           USE more_laws
           IMPLICIT NONE
           INTEGER, PARAMETER :: A_TYPE = 2
           INTERFACE
             FUNCTION other(x)
             END FUNCTION other
           END INTERFACE
         #ifdef MODEL
           REAL, PARAMETER :: half = 7.0
         #else
           REAL, PARAMETER :: half = 0.5 ! of the box
         #endif
         CONTAINS
           FUNCTION law( x ) RESULT( k )
             REAL :: x, k
             k = half*twice(x) + SR_TEMP
           END FUNCTION law
           FUNCTION uptake(H, i) RESULT( k )
             TYPE(Air), INTENT(IN) :: H
             INTEGER :: i
             REAL :: k, gamma
             CALL probability(H, H%area(i), gamma)
             k = gamma*H%area(A_TYPE)
             IF (.NOT. H%wet) k = 0.0
           END FUNCTION uptake
           SUBROUTINE probability(H, a, g)
             TYPE(Air), INTENT(IN) :: H
             REAL, INTENT(IN) :: a
             REAL, INTENT(OUT) :: g
             g = 1.0
             IF (a > 10.0) RETURN
             g = H%gamma
           END SUBROUTINE probability
           FUNCTION GCARR_ac(a, c) RESULT(k)
             k = -1.0
           END FUNCTION
           SUBROUTINE set_all(x)
             k_set = x + C(ind_A)
           END SUBROUTINE
         END MODULE Own_Laws\n"
            .replace("\n         #", "\n#")
            .as_str(),
    );
    write("more_laws.f90", "module more_laws\ncontains\nfunction twice(x)\n twice = 2.0*x\nend function\nend module\n");
    let mechanism = Reader::new().read_file(folder.path().join("main.kpp")).unwrap_or_else(|error| panic!("{error}"));
    let inputs: Vec<&str> = mechanism.inputs().iter().map(|input| input.name.as_str()).collect();
    assert_eq!(inputs, ["SUN", "TEMP", "State%area(2)", "State%gamma", "State%wet"]);
    let given = [("SUN", 5.0), ("TEMP", 4.0), ("state%area(2)", 8.0), ("State%gamma", 0.25), ("State%wet", 1.0)];
    // The module's GCARR_ac counts before the law.
    assert_eq!(rates(&mechanism, &given), [5.0 + 2.0 + 13.0, 2.0, 0.0]);
    let given = [("SUN", 5.0), ("TEMP", 4.0), ("state%area(2)", 12.0), ("State%gamma", 0.25), ("State%wet", 1.0)];
    assert_eq!(rates(&mechanism, &given)[1], 12.0);
    assert!(mechanism.notes().iter().any(|note| note.what.contains("no file of the module `elsewhere`")));
    // A module that cannot be read is noted, and its functions are not known.
    write("more_laws.f90", "module more_laws\ncontains\nfunction twice(x)\n twice = 'x\nend function\nend module\n");
    let error = Reader::new().read_file(folder.path().join("main.kpp")).expect_err("no function").to_string();
    assert!(error.contains("own_laws.F90:17:") && error.contains("unknown rate function `twice`"), "{error}");
    let open = Reader::new().open_laws().read_file(folder.path().join("main.kpp")).expect("a mechanism");
    assert_eq!(open.open_laws().len(), 1);
    assert!(open.notes().iter().any(|note| note.what.contains("the module is left out: this text does not end")));
}

/// Fixed form ends at column 72 for compilers, and here with a note.
#[test]
fn code_beyond_column_72_is_noted() {
    let block = |column: usize| {
        let line = format!("      k_set = 2.0{}+ 3.0", " ".repeat(column - 18));
        let comment = format!("C     the rate{}, in a comment that is longer than code may be", " ".repeat(60));
        format!(
            "#DEFVAR A; B;\n#LANGUAGE Fortran77\n#INLINE F77_RCONST\n{comment}\n{line}\n{line}\n#ENDINLINE\n\
             #EQUATIONS A = B : k_set;"
        )
    };
    let noted = |column: usize| {
        let mechanism = read(&block(column));
        assert_eq!(rates(&mechanism, &[]), [5.0]);
        let notes = mechanism.notes().iter().filter(|note| note.what.contains("column 72"));
        notes.map(|note| (note.what.clone(), note.place.as_ref().map(|place| (place.line, place.column)))).collect()
    };
    let all: Vec<(String, Option<(usize, usize)>)> = noted(73);
    let what = "code beyond column 72 of 2 lines in fixed form is read, the first here";
    assert_eq!(all, [(what.to_owned(), Some((5, 73)))]);
    assert!(noted(60).is_empty());
}

/// Models' files in `.F` are often in free form: `CONTAINS` in the first column is no comment, five blanks continue
/// nothing, and lines are long.
#[test]
fn files_that_end_in_a_capital_f_may_be_in_free_form() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).expect("a file");
    write(
        "main.kpp",
        "#DEFVAR A; B;\n#INLINE F90_RCONST\n USE laws\n#ENDINLINE\n#EQUATIONS A = B : law(2.0); B = A : constant;",
    );
    let long = " ".repeat(70);
    write(
        "laws.F",
        &format!(
            "MODULE laws\n     REAL, PARAMETER :: &\nconstant = 7.0\nCONTAINS\nFUNCTION law(x)\n     y = 3.0\n     \
             law = x +{long} y\nEND FUNCTION\nEND MODULE\n"
        ),
    );
    let mechanism = Reader::new().read_file(folder.path().join("main.kpp")).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(rates(&mechanism, &[]), [5.0, 7.0]);
    assert!(mechanism.notes().iter().all(|note| !note.what.contains("column 72")));
}

/// The preprocessor's conditions: what follows a part that is so does not count, and numbers are what they are.
#[test]
fn parts_that_are_not_so_do_not_count() {
    let mechanism = read(
        "#DEFVAR A; B;
#INLINE F90_RCONST
#ifndef MODEL
 k_set = 1.0
#elif defined(OTHER)
 k_set = 2.0
#endif
#if 1
 k_set = k_set + 10.0
#endif
#if !defined(MODEL) && ( WRF_CHEM == 0 )
 k_set = k_set + 100.0
#endif
#if KIND(1.0) > 4
 k_set = k_set + 1000.0
#endif
#ENDINLINE
#EQUATIONS A = B : k_set;",
    );
    assert_eq!(rates(&mechanism, &[]), [111.0]);
    let notes: Vec<_> = mechanism.notes().iter().filter(|note| note.what.contains("this condition")).collect();
    assert_eq!(notes.len(), 1);
    assert_eq!(notes[0].place.as_ref().map(|place| place.line), Some(14));
}

/// A list of numbers that an array of `F90_GLOBAL` begins with is meant, as that of a constant; one number for all is
/// what the host model fills.
#[test]
fn arrays_begin_with_the_list_of_their_declaration() {
    for attribute in ["", ", PARAMETER", ", SAVE"] {
        let mechanism = read(&format!(
            "#DEFVAR A; B;
             #INLINE F90_GLOBAL
               REAL(dp){attribute} :: v(3) = (/1.0_dp, 2.0_dp, 3.0_dp/)
             #ENDINLINE
             #EQUATIONS A = B : v(2); B = A : 10.0*v(3);"
        ));
        assert!(mechanism.inputs().is_empty(), "{attribute}");
        assert_eq!(rates(&mechanism, &[]), [2.0, 30.0], "{attribute}");
    }
    // What F90_RCONST sets later counts.
    let mechanism = read(
        "#DEFVAR A; B;
         #INLINE F90_GLOBAL\n REAL(dp) :: v(2) = [1.0, 2.0], j(2) = 0.0\n#ENDINLINE
         #INLINE F90_RCONST\n v(1) = 7.0\n#ENDINLINE
         #EQUATIONS A = B : v(1) + v(2); B = A : j(2);",
    );
    assert_eq!(rates(&mechanism, &[("j(2)", 4.0)]), [9.0, 4.0]);
}

#[test]
fn subroutines_set_names_arrays_and_elements() {
    let mechanism = read(
        "#DEFVAR A; B;
         #INLINE F90_RATES
         SUBROUTINE both(x, y, z)
           REAL, INTENT(OUT) :: y, z(2)
           y = x + 1.0
           z(1) = y*y
           z(2) = -y
           IF (x > 5.0) y = 0.0
         END SUBROUTINE
         PURE SUBROUTINE one(y)
           y = y + 0.5
         END SUBROUTINE one
         FUNCTION f(x)
           REAL :: y, z(2), w(3)
           w(:) = 1.0
           CALL both(2.0*x, y, z)
           IF (x > 3.0) CALL one(z(1))
           CALL one(w(2))
           f = y + 10.0*z(1) + 100.0*z(2) + 1000.0*w(2)
         END FUNCTION f
         #ENDINLINE
         #EQUATIONS A = B : f(TEMP);",
    );
    for x in [1.0_f64, 2.0, 4.0] {
        let y = 2.0 * x + 1.0;
        let first = y * y + if x > 3.0 { 0.5 } else { 0.0 };
        let want = if x > 2.5 { 0.0 } else { y } + 10.0 * first - 100.0 * y + 1500.0;
        assert_eq!(rates(&mechanism, &[("TEMP", x)]), [want]);
    }
    for (call, what) in [
        ("CALL none(x)", "body.kpp:4:1: unknown subroutine `none`"),
        ("CALL f(x)", "body.kpp:4:1: unknown subroutine `f`"),
        ("REAL :: y(2)\nCALL g(y, 1)", "unknown subroutine `g`"),
    ] {
        assert!(body(call).expect_err(call).contains(what), "{call}");
    }
    let set = "f = x\nEND FUNCTION\nSUBROUTINE s(y)\ny = 1.0\nEND SUBROUTINE\nFUNCTION g(x)\nCALL s(2.0*x)\ng = x";
    assert!(body(set).is_ok());
}

#[test]
fn parts_of_arrays_and_masks_go_element_by_element() {
    let of = |text: &str| body(text).unwrap_or_else(|error| panic!("{text}\n{error}"));
    assert_eq!(of("REAL :: a(4)\na = (/1.0, 2.0, x, 4.0/)\na(2:4) = a(1:3)\nf = SUM(a*a)"), 1.0 + 1.0 + 4.0 + 4.0);
    assert_eq!(of("REAL :: a(4), b(0:3)\na(:) = [1., 2., 3., 4.]\nb = x*a + 1\nf = b(0) + 10*b(3)"), 3.0 + 90.0);
    assert_eq!(of("REAL :: a(6)\na = 0\na(1:5:2) = x\na(6:2:-2) = 1\nf = SUM(a) + MAXVAL(a(2:3)/4.0)"), 9.5);
    assert_eq!(of("REAL :: a(2,3)\na(1,:) = 1.0\na(2,2:3) = 5.0\na(2,1) = x\nf = SUM(a(:,1)) + SUM(a(2,:))"), 15.0);
    assert_eq!(of("REAL :: a(3)\na = (/1., -2., 3./)\nWHERE (a < 0.0) a = x*a\nf = SUM(a)"), 0.0);
    assert_eq!(
        of("REAL :: a(4), b(4)\na = (/1., -2., 3., 9./)\nWHERE (a < 0.0)\nb = -a\na = 0.0\nELSEWHERE (a > 5.)\nb = 5.*x
            ELSEWHERE\nb = SQRT(a)*SQRT(a)\nEND WHERE\nf = b(2) + 10*b(4) + SUM(a)"),
        2.0 + 100.0 + 13.0
    );
    assert_eq!(of("REAL :: t(4)\nDATA t(1:2) / 2*1.5 /\nDATA t(3:4) /1.0, 2.0/\nf = SUM(t) + PRODUCT(t(1:2))"), 8.25);
    assert_eq!(of("REAL :: a(3)\na = 1.0\nIF (x > 3.0) a(2:) = 7.0\nf = SUM(EXP(0.0*a)) + a(3)"), 4.0);
    // A host model's array has the elements that are named.
    let mechanism = read("#DEFVAR A; B; #EQUATIONS A = B : SUM(k_host(1:2)*k_host(2:3));");
    let inputs: Vec<&str> = mechanism.inputs().iter().map(|input| input.name.as_str()).collect();
    assert_eq!(inputs.len(), 3, "{inputs:?}");
    for (text, what) in [
        ("REAL :: a(3)\na(2:5) = 1.0\nf = 1", "(4) is not within `a(1:3)`"),
        ("REAL :: a(3)\na = 0\na(1:2) = a(1:3)\nf = 1", "arrays of different shapes meet here"),
        ("REAL :: a(3)\na(1:2) = (/1., 2., 3./)\nf = 1", "this part of `a` has 2 elements, not 3"),
        ("REAL :: a(3)\na = 0\nf = a(1:2)", "a part of an array has no place here"),
        ("REAL :: a(3)\na(1:3:0) = 1.\nf = 1", "the step of this part is 0"),
        ("f = SUM(x + 1)", "`SUM` wants an array"),
        ("REAL :: a(3)\na = 1.\nWHERE (a > 0.)\nRETURN\nENDWHERE\nf = 1", "within WHERE"),
        ("REAL :: a(9999, 9)\na(1:9000, :) = 1.0\nDO i = 1, 9\na(1:9000, :) = 2.0\nENDDO\nf = 1", "more than 200000"),
    ] {
        let error = body(text).expect_err(text);
        assert!(error.contains(what), "{text}\n{error}");
    }
}

/// Loops whose condition is known without a cell; what they compute may depend on it.
#[test]
fn loops_run_while_a_condition_holds() {
    for (text, want) in [
        ("INTEGER :: i\ni = 0\nf = 0.0\nDO WHILE (i < 4)\ni = i + 1\nf = f + i*x\nEND DO", 20.0),
        ("INTEGER :: i\ni = 0\nf = 1.0\nDO\ni = i + 1\nIF (i > 3) EXIT\nf = f*x\nENDDO", 8.0),
        (
            "INTEGER :: i\ni = 0\nf = 0.0\nDO\ni = i + 1\nIF (i == 2) CYCLE\nIF (i > 4) RETURN\nf = f + i*x\nEND DO",
            16.0,
        ),
        ("INTEGER :: i\ni = 5\nf = x\nDO WHILE (i < 4)\nf = 0.0\nEND DO", 2.0),
        // What a cell decides within goes on to the loop's own end.
        ("INTEGER :: i\ni = 0\nf = 0.0\nDO WHILE (i < 4)\ni = i + 1\nIF (i*1.0 > x) f = f + i\nEND DO", 7.0),
        (
            "INTEGER :: i, j\ni = 0\nf = 0.0\nDO WHILE (i < 2)\ni = i + 1\nj = 0\nDO\nj = j + 1\nIF (j > i) EXIT\n\
             f = f + x\nEND DO\nEND DO",
            6.0,
        ),
    ] {
        assert_eq!(body(text), Ok(want), "{text}");
    }
    for (text, what) in [
        ("f = x\nDO WHILE (f > 1e-3)\nf = f/2.0\nEND DO", "body.kpp:5:1: how often this loop runs depends on the cell"),
        // The counter is another one in each cell from then on.
        ("i = 0\nf = x\nDO WHILE (i < 4)\ni = i + 1\nIF (i > x) EXIT\nEND DO", "depends on the cell"),
        ("f = x\nDO\nf = f + 1.0\nEND DO", "turns"),
        ("f = x\nDO WHILE\nf = f + 1.0\nEND DO", "body.kpp:5:"),
        ("f = x\nDO WHILE (1 < 2\nf = f + 1.0\nEND DO", "body.kpp:5:"),
        ("f = x\nDO WHILE (1 < 2)\nf = f + 1.0", "this DO does not end"),
    ] {
        let error = body(text).expect_err(text);
        assert!(error.contains(what), "{text}: {error}");
    }
}
