//! Whole and real numbers, as Fortran and C have them: what a name is declared as, and what functions and signs give.
//! The numbers are those of programs of gfortran and gcc with the same lines.

use isobar_kpp::{Mechanism, Reader};

fn rate(mechanism: &Mechanism) -> f64 {
    let reads = !mechanism.inputs().is_empty();
    let given: &[(&str, &[f64])] = if reads { &[("TEMP", &[2.0])] } else { &[] };
    let inputs = mechanism.input_values(given, 1).expect("inputs");
    mechanism.program().rate_constants(mechanism.initial(), &inputs, 0.0)[0]
}

/// What a rate comes to where the temperature is 2, with blocks of inlined code.
#[track_caller]
fn with(rate_text: &str, blocks: &[(&str, &str)]) -> f64 {
    let mut text = String::new();
    for (kind, code) in blocks {
        text += &format!("#INLINE {kind}\n{code}\n#ENDINLINE\n");
    }
    text += &format!("#DEFVAR A; B;\n#EQUATIONS A = B : {rate_text};");
    rate(&Reader::new().read_text("types.kpp", &text).unwrap_or_else(|error| panic!("{text}\n{error}")))
}

/// What a function in Fortran of `x`, of this body, comes to at 2.
#[track_caller]
fn fortran(body: &str) -> f64 {
    let code = format!("REAL(dp) FUNCTION f(x)\nREAL(dp) :: x\n{body}\nEND FUNCTION");
    with("f(TEMP)", &[("F90_RATES", &code)])
}

/// The same in C.
#[track_caller]
fn c(body: &str) -> f64 {
    with("f(TEMP)", &[("C_RATES", &format!("double f(double x) {{\n{body}\n}}"))])
}

/// Bodies of functions, or formulas, and what they come to.
#[track_caller]
fn all(of: impl Fn(&str) -> f64, cases: &[(&str, f64)]) {
    let wrong: Vec<_> = cases.iter().map(|(text, want)| (text, of(text), want)).filter(|(_, a, b)| a != *b).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn not_binds_looser_than_relations_in_fortran_and_tighter_in_c() {
    all(
        |condition| fortran(&format!("f = 0\nIF ({condition}) f = 1")),
        &[
            (".NOT. x > 3.", 1.0),
            (".not. x .lt. 3.", 0.0),
            (".NOT. x == 2.", 0.0),
            (".NOT. x + 2. > 3.", 0.0),
            ("x > 1. .AND. .NOT. x > 3.", 1.0),
            (".NOT. x > 3. .AND. x > 5.", 0.0),
            (".NOT. x < 3. .OR. x > 1.", 1.0),
            ("x > 1. .OR. x < 0. .AND. x < -1.", 1.0),
            ("x > 1. .EQV. x > 5. .OR. x > 0.", 1.0),
            (".NOT. x > 3. .neqv. x > 1.", 0.0),
        ],
    );
    all(
        |condition| c(&format!("if ({condition}) return 1.; return 0.;")),
        &[("!x > 0.", 0.0), ("!x == 3.", 0.0), ("!x + 1", 1.0), ("!(x > 3.)", 1.0), ("!x < 1 && !(x < 0)", 1.0)],
    );
}

#[test]
fn names_hold_what_fortran_declares() {
    all(
        fortran,
        &[
            ("REAL :: a(3)\na = (/1, 2, 3/)\nf = a(1)/2", 0.5),
            ("REAL(dp), DIMENSION(3) :: a\na = 3\nf = a(1)/2", 1.5),
            ("REAL(dp) :: a(3)\na(2) = 3\nf = a(2)/2", 1.5),
            ("REAL(dp) :: a(3)\na(:) = 3\nWHERE (a > 1) a = 5\nf = a(2)/2", 2.5),
            ("REAL(dp), PARAMETER :: w(2) = (/ 1, 6 /)\nf = w(2)/4", 1.5),
            ("REAL a\nDIMENSION a(2)\na = 1\nf = a(2)/2", 0.5),
            ("INTEGER :: a(3)\na = (/1.9, 2.9, 3.9/)\nf = a(3)/2", 1.0),
            ("INTEGER :: a(3)\na = 7\nf = SUM(a)/2 + MAXVAL(a)/4", 11.0),
            ("INTEGER :: c\nc = 2.9\nf = c", 2.0),
            ("INTEGER :: c\nc = -2.9\nf = c", -2.0),
            ("INTEGER :: c\nc = 3.5*x\nf = c/2", 3.0),
            ("INTEGER :: c\nc = 1\nIF (x > 1.) c = 2.5*x\nf = c/2", 2.0),
            ("INTEGER :: c\nIF (x > 1.) c = 3\nf = c/2", 1.0),
            ("REAL :: c\nIF (x > 1.) c = 3\nf = c/2", 1.5),
            ("REAL c\nDATA c /5/\nf = c/2", 2.5),
            ("INTEGER n\nPARAMETER (n = 7)\nf = n/2", 3.0),
            (
                "REAL y\nCALL s(y)\nf = y/2\nEND FUNCTION\nSUBROUTINE s(z)\nz = 3\nEND SUBROUTINE\nFUNCTION o(x)\n\
                 o = x",
                1.5,
            ),
            ("f = g(3)\nEND FUNCTION\nREAL FUNCTION g(y)\nREAL y\ng = y/2", 1.5),
            ("f = g(3)\nEND FUNCTION\nREAL FUNCTION g(y)\nINTEGER y\ng = y/2", 1.0),
            ("f = g(1)/2\nEND FUNCTION\nINTEGER FUNCTION g(y)\nINTEGER y\ng = 3.9*y", 1.0),
            ("f = g(1)/2\nEND FUNCTION\nFUNCTION g(y) RESULT(k)\nINTEGER :: y, k\nk = 3.9*y", 1.0),
            ("f = g(1)/2\nEND FUNCTION\nREAL FUNCTION g(y)\nINTEGER y\ng = 3*y", 1.5),
        ],
    );
    let global = ("F90_GLOBAL", "REAL(dp) :: k1\nREAL(dp), PARAMETER :: w(2) = (/ 1, 6 /)\nINTEGER :: n");
    all(
        |code| with("k1/2 + n/2", &[global, ("F90_RCONST", code)]),
        &[("k1 = 7\nn = 3.9", 4.5), ("k1 = w(2)/4\nn = 2*TEMP + 1.5", 2.75)],
    );
    // A cell's number is an integer where it is declared so.
    assert_eq!(with("TEMP/4 + 1", &[("F90_GLOBAL", "INTEGER :: TEMP")]), 1.0);
    // What a subroutine sets is the module's, as declared there.
    let set = ("F90_RATES", "SUBROUTINE set(y)\nk1 = 3\nn = y\nEND SUBROUTINE");
    assert_eq!(with("k1/2 + n/2", &[global, set, ("F90_RCONST", "CALL set(3.9)")]), 2.5);
}

#[test]
fn counters_hold_what_they_had_when_the_loop_ended() {
    all(
        fortran,
        &[
            ("INTEGER i\nDO i = 1, 10\nENDDO\nf = i", 11.0),
            ("INTEGER i\nDO i = 1, 5, 2\nENDDO\nf = i/2", 3.0),
            ("INTEGER i\nDO i = 4, 1\nENDDO\nf = i", 4.0),
            ("INTEGER i\nDO i = 4, 1, -1\nENDDO\nf = i", 0.0),
            ("INTEGER i\nDO i = 1, 5\nIF (i == 3) EXIT\nENDDO\nf = i", 3.0),
            ("INTEGER i\nDO i = 1, 10\nIF (i > x) EXIT\nENDDO\nf = i + i/2", 4.0),
            ("INTEGER i\nDO i = 1, 10\nIF (i > 10*x) EXIT\nENDDO\nf = i", 11.0),
            ("INTEGER i\nDO i = 1, 10\nIF (i > x) EXIT\nIF (i == 5) EXIT\nENDDO\nf = i", 3.0),
            ("INTEGER i\nDO i = 1, 10\nIF (i > 9*x) EXIT\nIF (i == 5) EXIT\nENDDO\nf = i", 5.0),
            ("INTEGER i\ni = 7\nIF (x > 3.) THEN\nDO i = 1, 10\nENDDO\nENDIF\nf = i", 7.0),
            ("INTEGER i\ni = 7\nIF (x < 3.) THEN\nDO i = 1, 10\nENDDO\nENDIF\nf = i", 11.0),
        ],
    );
}

#[test]
fn functions_and_powers_of_integers_are_integers() {
    all(
        fortran,
        &[
            ("f = INT(7.9)/2", 3.0),
            ("f = INT(3.95*x)/2", 3.0),
            ("f = NINT(2.5)/2 + NINT(-2.5) + NINT(2.4)", 0.0),
            ("f = NINT(1.25*x)/2", 1.0),
            ("f = ANINT(2.5)/2", 1.5),
            ("f = FLOOR(-2.1)/2 + CEILING(2.1)/2", 0.0),
            ("f = MOD(7, 4)/2 + MOD(7., 4.)/2", 2.5),
            ("f = MOD(-7, 3) + 10*MODULO(-7, 3)", 19.0),
            ("f = MODULO(-7.5, 2.)", 0.5),
            ("f = ABS(-7)/2 + MAX(7, 3)/2 + MIN(7, 9)/2", 9.0),
            ("f = SIGN(3, -2)/2 + SIGN(3., -2.)/2", -2.5),
            ("f = MERGE(7, 2, x > 1.)/2", 3.0),
            ("f = MERGE(7., 2., x > 1.)/2", 3.5),
            ("f = REAL(7)/2 + DBLE(7)/2 + FLOAT(7)/2", 10.5),
            ("REAL a(3)\na = 1.\nf = SIZE(a)/2", 1.0),
            ("f = 1/2*x + 2*3/4 + 2**10/3 + 3**9/2", 10183.0),
            ("f = 2**(-1) + (-1)**(-3) - 7**2", -50.0),
            ("INTEGER i\ni = x\nf = 7**i/2 + 2**(-i) + (-1)**(i + 1)", 23.0),
            ("f = x**(1/2) + 2**3./16", 1.5),
        ],
    );
}

/// Remainders have no rounding, whether numbers are known or those of a cell. Rust's `%` is C's `fmod`.
#[test]
fn remainders_of_real_numbers_are_exact() {
    // 6 is 59 times 0.1 and nearly 0.1, for 0.1 is more than a tenth; rounded, it goes 60 times.
    assert_eq!(fortran("f = MOD(6.d0, 0.1d0)"), 6.0 % 0.1);
    assert_eq!(fortran("f = MOD(3.d0*x, 0.05d0*x)"), 6.0 % 0.1);
    assert_eq!(c("return fmod(3*x, 0.1);"), 6.0 % 0.1);
    assert_eq!(fortran("f = MODULO(-3.d0*x, 0.05d0*x)"), 0.1 - 6.0 % 0.1);
    assert_eq!(fortran("f = MODULO(3.d0*x, -0.05d0*x)"), 6.0 % 0.1 - 0.1);
    // A cell's x and y, of many sizes and signs: those that are nearly whole times y among them.
    let text = "#DEFVAR A; B;\n#EQUATIONS A = B : MOD(TEMP, SUN); B = A : MODULO(TEMP, SUN);";
    let mechanism = Reader::new().read_text("mod.kpp", text).unwrap();
    let mut seed = 1_u64;
    let mut next = || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 11) as f64 / (1_u64 << 53) as f64
    };
    for number in 0..20_000 {
        let y = (next() - 0.5) * f64::from(1 << (number % 20));
        let times = (next() * f64::from(1 << (number % 31))).floor();
        // Next to a multiple, a multiple, or anywhere.
        let x = match number % 3 {
            0 => times * y,
            1 => f64::from_bits((times * y).to_bits() ^ 1),
            _ => (next() - 0.5) * 1e6,
        };
        let inputs = mechanism.input_values(&[("TEMP", &[x]), ("SUN", &[y])], 1).unwrap();
        let found = mechanism.program().rate_constants(mechanism.initial(), &inputs, 0.0);
        let exact = x % y;
        let of_sign = if exact != 0.0 && (exact < 0.0) != (y < 0.0) { exact + y } else { exact };
        assert_eq!(found, [exact, of_sign], "{x:e} {y:e}");
    }
}

#[test]
fn names_hold_what_c_declares() {
    all(
        c,
        &[
            ("double y = 3; return y/2;", 1.5),
            ("double y; y = 3; return y/2;", 1.5),
            ("int y = 3.7; return y/2;", 1.0),
            ("int y; y = 1.5*x; return y/2;", 1.0),
            ("int n = 7, m = 2; double y = n/m; return y/2;", 1.5),
            ("double y = 7; y /= 2; return y;", 3.5),
            ("const double y = 1; return y/4;", 0.25),
            ("return 7/2*2 + 1/2*x;", 6.0),
            ("return floor(x + 1)/2 + ceil(2.5)/2 + round(2.5)/2;", 4.5),
            ("return pow(2, -1) + fabs(-7)/2 + fmod(7, 2)/2 + fmax(7, 2)/2;", 8.0),
            ("return (x > 1 ? 7 : 2)/2;", 3.0),
            ("return (x > 1 ? 7 : 2.)/2;", 3.5),
            ("return (x > 1)/2 + 1;", 1.0),
            ("return (double)7/2 + (int)7.9/2 + (double)(7/2) + 7.f/2 + 1.5L;", 14.5),
            ("double k = 1, K = 2; return k*10 + K;", 12.0),
            ("double y = exp(0), X = 5; return X*x + y;", 11.0),
            ("double y = 3; { double y = 5; y += 1; } return y;", 3.0),
            ("double y = 3; if (x > 1) { double z = y, y = 5; y += z; } { y += 1; } return y;", 4.0),
        ],
    );
    assert_eq!(with("f(3)", &[("C_RATES", "double f(double x) { return x/2; }")]), 1.5);
    assert_eq!(with("f(3.9)", &[("C_RATES", "double f(int x) { return x/2; }")]), 1.0);
    assert_eq!(with("f(3.9)/2", &[("C_RATES", "static int f(double x) { return x; }")]), 1.0);
    assert_eq!(with("k1/2", &[("C_GLOBAL", "double k1;"), ("C_RCONST", "k1 = 3;")]), 1.5);
    assert_eq!(with("k1/2", &[("C_GLOBAL", "double k1 = 3, k2;")]), 1.5);
}

#[test]
fn a_name_of_c_is_another_one_in_capitals() {
    // The argument is not the temperature.
    let code = "double f(double temp) { return temp + 10*TEMP; }\ndouble g(double a) { double A = a; return A + a; }";
    assert_eq!(with("f(1.0) + g(100.0)", &[("C_RATES", code)]), 221.0);
}

#[test]
fn a_function_that_changes_its_argument_is_noted() {
    let notes = |lines: &str| {
        let code = format!("FUNCTION f(x)\nREAL x, y\ny = x\nf = g(y)\nEND FUNCTION\nFUNCTION g(z)\nREAL z\n{lines}");
        let text =
            format!("#DEFVAR A; B;\n#INLINE F90_RATES\n{code}\nEND FUNCTION\n#ENDINLINE\n#EQUATIONS A = B : f(1.);");
        let mechanism = Reader::new().read_text("notes.kpp", &text).expect("a mechanism");
        mechanism.notes().iter().filter(|note| note.what.contains("changes its argument `z`: `y` keeps")).count()
    };
    assert_eq!(notes("z = z + 1.\ng = z"), 1);
    assert_eq!(notes("g = z + 1."), 0);
}

/// Rate laws and functions in Rust have real arguments.
#[test]
fn arguments_of_laws_are_real() {
    let ratio = Reader::new().function("ratio", 2, |x| x[0] / x[1]);
    let mechanism =
        ratio.read_text("ratio.kpp", "#DEFVAR A; B;\n#EQUATIONS A = B : ratio(1, 2);").expect("a mechanism");
    assert_eq!(rate(&mechanism), 0.5);
}

/// `floor` of rates, too.
#[test]
fn floor_is_real_in_c_and_an_integer_in_fortran() {
    for (language, want) in [("C", 1.5), ("Fortran90", 1.0)] {
        let text = format!("#LANGUAGE {language}\n#DEFVAR A; B;\n#EQUATIONS A = B : floor(TEMP + 1.5)/2;");
        assert_eq!(rate(&Reader::new().read_text("floor.kpp", &text).expect("a mechanism")), want);
    }
}
