//! What is refused, in which words and at which place.

use isobar_kpp::Reader;

/// The message for a text.
fn refusal(text: &str) -> String {
    match Reader::new().read_text("bad.eqn", text) {
        Ok(_) => panic!("read: {text}"),
        Err(error) => error.to_string(),
    }
}

/// The message for equations among known species.
fn equations(text: &str) -> String {
    refusal(&format!("#DEFVAR NO = N + O; NO2 = N + 2O; O3 = 3O;\n#DEFFIX O2 = 2O;\n#ATOMS N; O;\n#EQUATIONS\n{text}"))
}

#[test]
fn a_place_is_shown() {
    assert_eq!(
        equations("<R1> NO + O3 = NO2 + O2 : 1.0E-14;\n<R2> NO22 + hv = NO : 1.0;"),
        "bad.eqn:6:6: unknown species `NO22`\n  |\n6 | <R2> NO22 + hv = NO : 1.0;\n  |      ^^^^\n  = did you mean \
            `NO2`?"
    );
}

#[test]
fn each_mistake_has_one_message() {
    let cases = [
        ("<R1> NO = NO2 : 1; <r1> NO2 = NO : 2;", "bad.eqn:5:21: label `r1` stands twice"),
        ("<R1 NO = NO2 : 1;", "bad.eqn:5:1: this label does not end"),
        ("<R 1> NO = NO2 : 1;", "bad.eqn:5:1: a label is made of"),
        ("NO = NO2 ;", "bad.eqn:5:1: this equation has no rate"),
        ("NO NO2 : 1;", "bad.eqn:5:1: this equation has no `=`"),
        ("= NO2 : 1;", "bad.eqn:5:1: this equation has no left side"),
        ("NO = NO2 : ;", "bad.eqn:5:10: the rate is missing behind this"),
        ("NO = NO2 : 1\nNO2 = NO : 2;", "bad.eqn:6:1: an operator is missing here"),
        ("NO = NO2 : 1", "bad.eqn:5:12: `;` is missing behind this"),
        ("NO = 2 : 1;", "bad.eqn:5:7: the name of a species is missing here"),
        ("NO + 1e9 O3 = NO2 : 1;", "bad.eqn:5:10: with this the reaction is of the order 1000000001"),
        ("NO + 100 O3 = NO2 : 1;", "= orders up to 100 are accepted"),
        ("NO O3 = NO2 : 1;", "bad.eqn:5:4: `+` or `-` is missing here"),
        ("NO = NO2 : (1;", "bad.eqn:5:12: this `(` is not closed"),
        ("NO = NO2 : 1);", "bad.eqn:5:13: this `)` closes nothing"),
        ("NO = NO2 : 1 + ;", "bad.eqn:5:15: a number, a name or `(` is missing here"),
        ("NO = NO2 : 1e400;", "bad.eqn:5:12: this number is too large"),
        ("NO = NO2 : 1 $ 2;", "bad.eqn:5:14: `$` has no meaning here"),
        ("NO = NO2 : NOSUCH(1.0e-12, TEMP);", "bad.eqn:5:12: unknown rate function `NOSUCH` of 2 arguments"),
        ("NO = NO2 : ARR_abd(1.0e-12, 2.0);", "= did you mean `ARR_ab`?"),
        ("NO = NO2 : ARR_ab(1.0e-12);", "bad.eqn:5:12: the rate law `ARR_ab` does not take 1 arguments"),
        ("NO = NO2 : C(ind_NO3);", "bad.eqn:5:14: unknown species `NO3`"),
        ("NO = NO2 : RCONST(1);", "bad.eqn:5:12: only rate constants of earlier equations"),
        ("{ a comment\nNO = NO2 : 1;", "bad.eqn:5:1: this comment does not end"),
        ("NO = NO2 : 1; }", "bad.eqn:5:15: this `}` closes nothing"),
        ("NO = NO2 : 1; #EQUATION", "bad.eqn:5:15: unknown command `#EQUATION`"),
        ("NO = NO2 : 1; #EQUATION", "= did you mean `EQUATIONS`?"),
        ("NO = NO2 : 1; #INTEGRATOR", "bad.eqn:5:15: `#INTEGRATOR` wants one word behind it"),
        ("NO = NO2 : 1; #INLINE F90_INIT\nTEMP = 3", "bad.eqn:5:15: this block does not end"),
        ("NO = NO2 : 1; #ENDINLINE", "bad.eqn:5:15: this `#ENDINLINE` has no `#INLINE`"),
        ("NO = NO2 : 1; #DEFVAR no = IGNORE;", "bad.eqn:5:23: species `no` is declared twice"),
        ("NO = NO2 : 1; #DEFVAR X = Oo;", "bad.eqn:5:27: unknown atom `Oo`"),
        ("NO = NO2 : 1; #DEFVAR X Y = O;", "bad.eqn:5:25: one name is expected here"),
        ("NO = NO2 : 1; #INITVALUES NO = -1.0;", "bad.eqn:5:32: the initial value of `NO` is negative"),
        ("NO = NO2 : 1; #INITVALUES NOO = 1.0;", "bad.eqn:5:27: unknown species `NOO`"),
        ("NO = NO2 : 1; #INITVALUES NO 1.0;", "bad.eqn:5:27: this value has no `=`"),
        ("NO = NO2 : 1; #INITVALUES NO = TEMP;", "bad.eqn:5:32: an initial value is a number"),
        ("NO = NO2 : 1; #SETFIX NO22;", "bad.eqn:5:23: unknown species `NO22`"),
        ("NO = NO2 : 1; #LOOKAT NO; Q;", "bad.eqn:5:27: unknown species `Q`"),
        ("NO = NO2 : 1; #CHECK Q;", "bad.eqn:5:22: unknown atom `Q`"),
        ("NO = NO2 : 1; #FAMILIES Ox : O3 + NO2;", "bad.eqn:5:25: the name of a family begins with P"),
        ("NO = NO2 : 1; #INCLUDE nowhere.eqn", "bad.eqn:5:24: there is no file nowhere.eqn"),
        ("", "the mechanism has no reactions"),
        ("O2 = O2 : 1;", "no reaction has a variable species"),
    ];
    for (text, words) in cases {
        let message = equations(text);
        assert!(message.contains(words), "{text}\n{message}\ninstead of\n{words}");
    }
    assert!(refusal("NO = NO2 : 1;").starts_with("bad.eqn:1:1: a command, as in `#EQUATIONS`, is expected"));
    assert!(refusal("   ").starts_with("bad.eqn: the mechanism has no reactions"));
}

#[test]
fn functions_beyond_rates_are_shown_where_they_are() {
    let with = |body: &str, rate: &str| {
        refusal(&format!(
            "#DEFVAR A; B;\n#INLINE F90_RATES\nREAL FUNCTION f(x)\n{body}\nEND FUNCTION f\n#ENDINLINE\n#EQUATIONS A = \
                B : {rate};"
        ))
    };
    let cases = [
        ("DO WHILE (x < 1)\nf = x\nEND DO", "f(TEMP)", "bad.eqn:4:1: how often this loop runs depends on the cell"),
        ("DO i = 1, n\nf = x\nEND DO", "f(TEMP)", "bad.eqn:4:11: the last value of the counter is not a whole number"),
        ("DO i = 1, 2000000\nf = x\nEND DO", "f(TEMP)", "bad.eqn:4:1: loops have more than 200000 turns"),
        ("REAL :: a(3)\na(4) = x\nf = 1", "f(TEMP)", "bad.eqn:5:1: (4) is not within `a(1:3)`"),
        ("REAL :: a(3)\nf = a(2)", "f(TEMP)", "bad.eqn:5:5: `a(2)` has no value yet"),
        ("REAL :: a(3)\nf = x*a", "f(TEMP)", "bad.eqn:5:7: `a` is an array: an element of it is expected"),
        ("REAL, PARAMETER :: a(3) = (/1, 2/)\nf = a(1)", "f(TEMP)", "bad.eqn:4:20: `a` has 3 elements, not 2"),
        ("REAL :: a(9999, 9999)\na = 1.0\nf = 1", "f(TEMP)", "this array has more than 100000 elements"),
        ("SELECT CASE (x)\nCASE (1)\nf = 1", "f(TEMP)", "bad.eqn:4:1: this SELECT does not end"),
        ("CASE (1)\nf = 1", "f(TEMP)", "bad.eqn:4:1: this CASE has no SELECT"),
        ("CALL g(x)\nf = 1", "f(TEMP)", "bad.eqn:4:1: unknown subroutine `g`"),
        ("f = y", "f(1.0, 2.0)", "`f` takes 1 arguments, not 2"),
        ("y = x", "f(TEMP)", "bad.eqn:3:1: the function `f` does not set its result"),
        ("REAL :: y\nf = y", "f(TEMP)", "bad.eqn:5:5: `y` has no value yet"),
        ("f = f(x)", "f(TEMP)", "bad.eqn:4:5: rate functions call each other without end"),
        ("IF (x > 1) THEN\nf = 1", "f(TEMP)", "bad.eqn:4:1: this IF does not end"),
        ("f = (x", "f(TEMP)", "bad.eqn:4:5: this `(` is not closed"),
    ];
    for (body, rate, words) in cases {
        let message = with(body, rate);
        assert!(message.contains(words), "{body}\n{message}\ninstead of\n{words}");
    }
}

#[test]
fn inputs_are_asked_for_by_name_and_place() {
    let text = "#DEFVAR A; B;\n#EQUATIONS\nA = B : 1.0E-3*jx(ip_NO2)*TEMP;";
    let mechanism = Reader::new().read_text("light.eqn", text).expect("a mechanism");
    let error = mechanism.input_values(&[("TEMP", &[280.0])], 4).expect_err("no light").to_string();
    assert!(error.starts_with("light.eqn:3:16: input `jx(ip_NO2)` is missing\n"), "{error}");
    let error = mechanism.input_values(&[("TEMPS", &[280.0])], 4).expect_err("no such input").to_string();
    assert_eq!(error, "the mechanism has no input `TEMPS`\n= did you mean `TEMP`?");
    let error = mechanism.input_values(&[("jx(ip_no2)", &[1.0, 2.0])], 4).expect_err("too few").to_string();
    assert_eq!(error, "input `jx(ip_NO2)` has 2 values for 4 cells");
}
