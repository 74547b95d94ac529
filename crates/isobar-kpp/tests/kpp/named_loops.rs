//! Loops of Fortran with names, which `EXIT` and `CYCLE` leave from within others.

use isobar_kpp::Reader;

/// The rate constant of a call, of functions in Fortran, at a temperature.
fn rate(functions: &str, call: &str, t: f64) -> f64 {
    let text = format!(
        "#DEFVAR A = IGNORE; B = IGNORE;\n#INLINE F90_RATES\n{functions}\n#ENDINLINE\n#EQUATIONS A = B : {call};"
    );
    let mechanism = Reader::new().read_text("m.kpp", &text).unwrap_or_else(|error| panic!("{error}"));
    let inputs = mechanism.input_values(&[("TEMP", &[t])], 1).expect("inputs");
    mechanism.program().rate_constants(mechanism.initial(), &inputs, 0.0)[0]
}

/// Numbers of this file are those that gfortran has of these functions; here 2*3 is reached with t2 = 2*2.
#[test]
fn names_say_which_loop_is_left() {
    let text = "REAL(dp) FUNCTION f(t)
  REAL(dp) :: t
  outer: DO i=1,5
    DO j=1,5
      IF (i*j == 6) EXIT outer
      IF (j > i) CYCLE outer
      t2 = i*j
    END DO
  END DO outer
  f = i*100 + j*10 + t2 + t
END FUNCTION";
    assert_eq!(rate(text, "f(TEMP)", 1000.0), 1234.0);
}

/// Where the cell says which loop is left, each cell has its own counters.
#[test]
fn a_cell_leaves_the_loop_that_it_names() {
    let text = "REAL(dp) FUNCTION f(t)
  REAL(dp) :: t, s
  s = 0
  Outer: DO i=1,3
    inner: DO j=1,3
      IF (t > i*100 + j*10) CYCLE OUTER
      IF (t < 50.) EXIT outer
      IF (t < 60. .AND. j == 2) EXIT inner
      s = s + 1
    END DO inner
    s = s + 1000
  END DO outer
  f = s + 10*i + 100*j
END FUNCTION";
    // 280 K: the first two turns end at once, the third has all of its own. 115 K: one ends. 100 K: none does.
    for (t, want) in [
        (280.0, 1003.0 + 40.0 + 400.0),
        (115.0, 2006.0 + 40.0 + 400.0),
        (100.0, 3009.0 + 40.0 + 400.0),
        (40.0, 10.0 + 100.0),
        (55.0, 3003.0 + 40.0 + 200.0),
    ] {
        assert_eq!(rate(text, "f(TEMP)", t), want, "{t} K");
    }
}

/// From the innermost of three, over the middle one; and out of loops that have no counter.
#[test]
fn loops_are_left_over_others() {
    let text = "REAL(dp) FUNCTION f(t)
  REAL(dp) :: t, s
  s = 0
  all: DO i=1,4
    DO j=1,2
      DO k=1,2
        IF (t < 100.*i) EXIT all
        IF (k == 2) CYCLE all
        s = s + 1
      END DO
      s = s + 1000
    END DO
    s = s + 1000
  END DO all
  f = s + 10*i
END FUNCTION
REAL(dp) FUNCTION g(t)
  REAL(dp) :: t
  g = t
  n = 0
  turns: DO
    n = n + 1
    DO WHILE (n < 10)
      n = n + 3
      IF (n > 7) EXIT turns
    END DO
    g = g + 1000
  END DO turns
  g = g + n
END FUNCTION";
    // At 250 K the third turn ends all: two turns have counted one each.
    assert_eq!(rate(text, "f(TEMP)", 250.0), 2.0 + 30.0);
    assert_eq!(rate(text, "f(TEMP)", 50.0), 10.0);
    assert_eq!(rate(text, "f(TEMP)", 900.0), 4.0 + 50.0);
    assert_eq!(rate(text, "g(TEMP)", 300.0), 310.0);
}

#[test]
fn a_loop_that_is_not_around_is_named() {
    let text = |name: &str| {
        format!(
            "#DEFVAR A = IGNORE; B = IGNORE;\n#INLINE F90_RATES\nREAL(dp) FUNCTION f(t)\n  one: DO i=1,2\n    EXIT \
             {name}\n  END DO one\n  f = i\nEND FUNCTION\n#ENDINLINE\n#EQUATIONS A = B : f(TEMP);"
        )
    };
    let error = Reader::new().read_text("m.kpp", &text("other")).expect_err("no loop").to_string();
    assert!(error.contains("m.kpp:5:10: no loop `other` is around this"), "{error}");
    let error = Reader::new().read_text("m.kpp", &text("one two")).expect_err("two names").to_string();
    assert!(error.contains("a loop has one name"), "{error}");
}
