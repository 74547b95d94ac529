//! Texts that nobody would write: an error or a mechanism, but no panic, no hang and no end of memory.

use std::time::{Duration, Instant};

use isobar_kpp::Reader;
use proptest::prelude::*;

const SEED: &str = "#INCLUDE atoms.kpp
#DEFVAR O = O; O3 = 3O; NO = N + O; NO2 = N + 2O;
#DEFFIX O2 = 2O; M = IGNORE;
#INITVALUES CFACTOR = 2.4E19; ALL_SPEC = 1.0d-20; O3 = 4.0E-8;
#INLINE F90_RATES
REAL(dp) FUNCTION own(t, m) RESULT(k)
  REAL(dp) :: x = 1.0_dp
  IF (t > 250. .AND. m /= 0) THEN ! cold
    k = x*EXP(-100./t) + &
      & 2**3
  ELSE
    k = MAX(x, 1.0)
  END IF
END FUNCTION own
SUBROUTINE set(y, z)
  REAL :: y, z(3)
  y = SUM(z(1:3:2)*z(:2))
  WHERE (z > y) z = 2.0*z
END SUBROUTINE
#ENDINLINE
#INLINE F90_RCONST
  USE nowhere
  REAL :: h(3)
  h(1:2) = (/1.0, TEMP/)
  h(3) = 0.5
  CALL set(all, h)
#ENDINLINE
#INLINE C_RATES
double other(double a) { double b = a*2; if (a < 1) { return b; } else b += 1; return pow(b, 2); }
#ENDINLINE
#INLINE F90_RCONST
  kk = 3.0e-12*EXP(-1500./TEMP)*C(ind_O3)
#ENDINLINE
#EQUATIONS { one }
<R1> NO2 + hv = NO + O : 8.9E-3*SUN*j(Pj_no2); // light
<R2> O + O2 + M = 1.0 O3 + M - 0.5 O2 : own(TEMP, CFACTOR);
<R3> NO + O3 = NO2 + O2 : FALL(1.e-30,0.,-2.,1e-11,0.,0.,.6)+ARR_ab(kk, 1500.0) ? 1 : 2;
#LOOKAT O3; #MONITOR NO; #CHECK O; N; #FAMILIES POx : O3 + NO2;
#INTEGRATOR rosenbrock
";

const WORDS: [&str; 46] = [
    "#EQUATIONS",
    "#DEFVAR",
    "#INLINE F90_RATES\n",
    "#INLINE C_RATES\n",
    "#ENDINLINE",
    "#INCLUDE atoms\n",
    "{",
    "}",
    "//",
    "<",
    ">",
    ":",
    ";",
    "=",
    "+",
    "-",
    "**",
    "(",
    ")",
    ",",
    "hv",
    "PROD",
    "1e308",
    "1.d-5_dp",
    "0.5",
    "TEMP",
    "NO",
    "O3",
    "C(ind_NO)",
    "own(",
    "IF (",
    "THEN",
    "END IF",
    "FUNCTION",
    "RETURN",
    "CALL set(",
    "WHERE (",
    "ELSEWHERE\n",
    "h(1:2)",
    "SUM(",
    "%",
    "&\n",
    "\n",
    "\u{e4}",
    "RCONST(1)",
    "?",
];

/// Mechanisms in other forms than KPP's.
const OTHERS: [(&str, &str); 3] = [
    (
        "hostile.fac",
        "* MCM ;\nVARIABLE\nNO NO2 O3 O ;\nKX = 2.7D-12*EXP(360/TEMP)*10@(1/2) ;\nRO2 = NO + O ;\n\
         % J<4> : NO2 = NO + O ;\n% KX*M*RO2 : NO + O3 = NO2 ;\n",
    ),
    (
        "hostile.yaml",
        "version: 1.0.0\nspecies:\n- name: A\n  is third body: true\n- {name: \"B\"}\nphases: []\nreactions:\n\
         - type: LAMBDA_RATE_CONSTANT\n  lambda function: '[](double T) { return T; }'\n  reactants:\n  - name: B\n\
         \x20   coefficient: 2\n  products: []\n",
    ),
    (
        "hostile.json",
        "{\"camp-data\": [{\"type\": \"CHEM_SPEC\", \"name\": \"A\"}, \
         {\"type\": \"MECHANISM\", \"reactions\": [{\"type\": \
         \"ARRHENIUS\", \"A\": 1.5, \"reactants\": {\"A\": {\"qty\": 2}}, \"products\": {\"A\": {\"yield\": 0.5}}}]}]}",
    ),
];
const OTHER_WORDS: [&str; 24] = [
    "", "*", "%", ";", ":", "=", "J<", ">", "@", "VARIABLE", "\n", "- ", "  ", "{", "}", "[", "]", "\"", "'", "1e999",
    "&a ", "*a", "\u{e4}", "|\n",
];

/// Reads a text, which must not take long.
fn read(text: &str) {
    read_as("hostile.kpp", text);
}

fn read_as(name: &str, text: &str) {
    let start = Instant::now();
    if let Err(error) = Reader::new().read_text(name, text) {
        assert!(!error.to_string().is_empty());
    }
    assert!(start.elapsed() < Duration::from_secs(20), "{} bytes took {:?}", text.len(), start.elapsed());
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn changed_texts_are_survived(changes in prop::collection::vec((any::<prop::sample::Index>(), 0..4_u8,
        0..WORDS.len(), 0..40_usize), 1..6)) {
        let mut text = SEED.to_owned();
        for (place, kind, word, length) in changes {
            let starts: Vec<usize> = text.char_indices().map(|(start, _)| start).chain([text.len()]).collect();
            let at = place.index(starts.len());
            let end = starts[(at + length).min(starts.len() - 1)];
            match kind {
                0 => text.insert_str(starts[at], WORDS[word]),
                1 => text.replace_range(starts[at]..end, ""),
                2 => text.replace_range(starts[at]..end, WORDS[word]),
                _ => {
                    let copy = text[starts[at]..end].to_owned();
                    text.insert_str(starts[at], &copy);
                }
            }
        }
        read(&text);
    }

    #[test]
    fn changed_mechanisms_of_other_forms_are_survived(form in 0..3_usize, changes in prop::collection::vec(
        (any::<prop::sample::Index>(), 0..OTHER_WORDS.len(), 0..20_usize), 1..6)) {
        let (name, text) = OTHERS[form];
        let mut text = text.to_owned();
        for (place, word, length) in changes {
            let starts: Vec<usize> = text.char_indices().map(|(start, _)| start).chain([text.len()]).collect();
            let at = place.index(starts.len());
            let end = starts[(at + length).min(starts.len() - 1)];
            text.replace_range(starts[at]..end, OTHER_WORDS[word]);
        }
        read_as(name, &text);
    }

    #[test]
    fn any_text_is_survived(text in "\\PC*") {
        read(&text);
        OTHERS.iter().for_each(|(name, _)| read_as(name, &text));
    }
}

#[test]
fn what_is_deep_or_long_is_survived() {
    let around = |rate: &str| format!("#DEFVAR A; B; #EQUATIONS A = B : {rate};");
    let many = 20_000;
    for text in [
        around(&format!("{}1{}", "(".repeat(many), ")".repeat(many))),
        around(&format!("{}1", "-".repeat(many))),
        around(&format!("1{}", "**2".repeat(many))),
        around(&format!("1{}", "+TEMP*2".repeat(many))),
        around(&"f(".repeat(many)),
        around(&format!("1{}", "*C(ind_A)/C(ind_B)".repeat(many))),
        around(&format!("1{}", "+C(ind_A)-C(ind_B)*TEMP".repeat(many))),
        format!("#DEFVAR A; B; #EQUATIONS {}", ",; A * ) = B : 1;".repeat(many)),
        around(&format!("{}1", "1?".repeat(many))),
        format!("#DEFVAR A; B; #EQUATIONS {}", "A = B : 1;".repeat(many)),
        "#INCLUDE atoms ".repeat(many),
        "{".repeat(many),
        "#INLINE F90_RATES\n".repeat(many),
        format!("#INLINE F90_RATES\nFUNCTION f(x)\n{}#ENDINLINE", "IF (x) THEN\n".repeat(many)),
        format!("#INLINE F90_RATES\n f = {}\n#ENDINLINE", "&\n".repeat(many)),
        format!("#INLINE C_RATES\ndouble f(double x) {{ {}#ENDINLINE", "if (x) {".repeat(many)),
        format!("#DEFVAR {}; #EQUATIONS A = B : 1;", "A".repeat(many)),
        "#DEFVAR A; B; #EQUATIONS 1e308 A = B : 1;".to_owned(),
        format!("#DEFVAR A; B; #EQUATIONS A {}= B : 1;", "+ A ".repeat(many)),
        format!("#DEFVAR A; B; #EQUATIONS {}", "99 A + B = B : 1;".repeat(many)),
        format!("#DEFVAR A; B; #EQUATIONS A = {}B : 1;", "1e308 A + ".repeat(many)),
    ] {
        read(&text);
    }
    for (name, text) in [
        ("a.yaml", "[".repeat(many)),
        ("a.yaml", "- ".repeat(many)),
        ("a.yaml", "{a: ".repeat(many)),
        ("a.yaml", "? ".repeat(many)),
        ("a.yaml", format!("a: &a [x]\nb: [{}]", "*a, ".repeat(many))),
        ("a.json", "[".repeat(many)),
        ("a.json", "{\"mechanism\":".repeat(many)),
        ("a.fac", "%".repeat(many)),
        ("a.fac", "% 1 : A = B ;\n".repeat(many)),
        ("a.fac", format!("R = {}1 ;\n% R : A = B ;", "A + ".repeat(many))),
        ("a.fac", format!("% {} : A = B ;", "J<".repeat(many))),
    ] {
        read_as(name, &text);
    }
    // Many rates that are made of one long formula.
    let long = format!("#DEFVAR A; B;\n#INLINE F90_RCONST\nk = 1{}\n#ENDINLINE\n", "*C(ind_A)".repeat(2000));
    read(&format!("{long}#EQUATIONS {}", (0..2000).map(|i| format!("A = B : {i}*k;")).collect::<String>()));
    // Functions that call each other twice, so deep that nobody could run them all.
    let mut text = String::from("#DEFVAR A; B;\n#INLINE F90_RATES\nFUNCTION f0(x)\nf0 = x*x\nEND FUNCTION\n");
    for i in 1..40 {
        text += &format!("FUNCTION f{i}(x)\nf{i} = f{0}(x + 1.) + f{0}(x*2.)\nEND FUNCTION\n", i - 1);
    }
    read(&(text + "#ENDINLINE\n#EQUATIONS A = B : f39(TEMP);"));
}

/// Loops of long formulas, sums of sums, subroutines that call themselves: each is cut off.
#[test]
fn inlined_code_without_end_is_refused_soon() {
    let function = |body: &str| {
        format!(
            "#DEFVAR A; B;\n#INLINE F90_RATES\nFUNCTION f(x)\nREAL :: a(300), b(9000)\na = 1.0\nb = 2.0\n{body}\n\
             f = 1.0\nEND FUNCTION\nSUBROUTINE s(y)\nCALL s(y)\nEND SUBROUTINE\nSUBROUTINE t(z)\nREAL :: z(9000)\n\
             z(1) = 0.0\nEND SUBROUTINE\n#ENDINLINE\n#EQUATIONS A = B : f(TEMP);"
        )
    };
    let long = "+1.0".repeat(20_000);
    for body in [
        format!("DO i = 1, 190000\ny = 1.0{long}\nENDDO"),
        format!("y = SUM(a*SUM(b{long}))"),
        format!("y = {}a{}", "SUM(a*".repeat(60), ")".repeat(60)),
        "CALL s(x)".to_owned(),
        "DO i = 1, 90000\nCALL t(b)\nENDDO".to_owned(),
        "WHERE (b > 1.0) b = SUM(b)".to_owned(),
    ] {
        let start = Instant::now();
        let error = Reader::new().read_text("hostile.kpp", &function(&body)).expect_err("no end").to_string();
        assert!(error.contains("end") || error.contains("more than"), "{error}");
        assert!(start.elapsed() < Duration::from_secs(20), "{body:.60} took {:?}", start.elapsed());
    }
}

/// Species that all react with all: the factors fill in.
#[test]
fn a_random_network_of_thousands_of_species_is_refused_soon() {
    let species = 3000;
    let mut text = String::from("#DEFVAR");
    (0..species).for_each(|i| text += &format!(" S{i} = IGNORE;"));
    text += "\n#EQUATIONS\n";
    let mut state = 1_u64;
    let mut draw = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % species
    };
    for _ in 0..2 * species {
        text += &format!("S{} + S{} = S{} + S{} : 1e-15;\n", draw(), draw(), draw(), draw());
    }
    let start = Instant::now();
    let error = Reader::new().read_text("random.kpp", &text).unwrap_err().to_string();
    assert!(error.contains("fill in to") && error.contains("at most 50000000 are accepted"), "{error}");
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
}
