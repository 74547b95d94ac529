//! Configurations of MUSICA and MICM: each type of reaction against its formula, and what is refused.

use std::fs;

use isobar_kpp::{Mechanism, Reader};

/// Molecules/cm3 of a mol/m3.
const MOLECULES: f64 = 6.022_140_76e17;

const SPECIES: &str = r#"[{"name": "A", "molecular weight [kg mol-1]": 0.03, "__tracer": true},
    {"name": "B"}, {"name": "M", "is third body": true}, {"name": "O2", "constant mixing ratio [mol mol-1]": 0.21},
    {"name": "F", "constant concentration [mol m-3]": 2.0}]"#;
const PHASES: &str = r#"[{"name": "gas", "species": [{"name": "A", "diffusion coefficient [m2 s-1]": 1e-5}]}]"#;

fn config(reactions: &str) -> String {
    format!(
        "{{\"version\": \"1.0.0\", \"name\": \"test\",\n\"species\": {SPECIES},\n\"phases\": {PHASES},\n\"reactions\": \
            [\n{reactions}]}}"
    )
}

fn read(reactions: &str) -> Mechanism {
    Reader::new().read_text("m.json", &config(reactions)).unwrap_or_else(|error| panic!("{error}"))
}

const T: f64 = 250.0;
const P: f64 = 5e4;
const AIR: f64 = 1.4e19;

/// The first rate constant of a reaction with these parameters, at `T`, `P` and `AIR`, other inputs 3.
fn rates(parameters: &str) -> Vec<f64> {
    let mechanism = read(&format!("{{{parameters}, \"gas phase\": \"gas\"}}"));
    let value = |name: &str| match name {
        "TEMP" => T,
        "PRESS" => P,
        "cair" => AIR,
        "SURF_radius(s)" => 1e-7,
        _ => 3.0,
    };
    let inputs: Vec<f64> = mechanism.inputs().iter().map(|input| value(&input.name)).collect();
    mechanism.program().rate_constants(mechanism.initial(), &inputs, 0.0)
}

#[track_caller]
fn near(got: f64, want: f64) {
    // Up to ten elementary operations, of at most 2 units of 2.2e-16 each.
    assert!((got - want).abs() <= 1e-14 * want.abs(), "{got} instead of {want}");
}

#[allow(clippy::disallowed_methods, reason = "another computation than the program's")]
fn exp(x: f64) -> f64 {
    x.exp()
}

#[allow(clippy::disallowed_methods, reason = "another computation than the program's")]
fn pow(x: f64, y: f64) -> f64 {
    x.powf(y)
}

#[allow(clippy::disallowed_methods, reason = "another computation than the program's")]
fn falloff(low: f64, high: f64, f: f64, n: f64) -> f64 {
    let ratio: f64 = low / high;
    low / (1.0 + ratio) * f.powf(n / (n + ratio.log10() * ratio.log10()))
}

#[test]
fn reactions_of_each_type_have_micms_rate_constants() {
    let one = r#""reactants": [{"species name": "A"}], "products": [{"species name": "B", "coefficient": 0.5}]"#;
    let two = r#""reactants": [{"species name": "A", "coefficient": 1}, {"species name": "B"}], "products": []"#;
    let rate = |parameters: &str, sides: &str| rates(&format!("{parameters}, {sides}"))[0];

    let arrhenius = 4e6 * exp(-2.0) * pow(T / 280.0, -1.5) * (1.0 + 2e-6 * P);
    near(
        rate(r#""type": "ARRHENIUS", "A": 4e6, "B": -1.5, "C": -500, "D": 280.0, "E": 2e-6"#, two),
        arrhenius / MOLECULES,
    );
    // 1e-20 J is an energy of 724.3 K.
    near(rate(r#""type": "ARRHENIUS", "Ea": 1e-20"#, one), exp(-1e-20 / 1.380_649e-23 / T));
    // Air and oxygen are no species of the equation, but parts of the rate constant.
    let third = r#""reactants": [{"species name": "A"}, {"species name": "M"}, {"species name": "O2"}],
        "products": [{"species name": "B"}, {"species name": "M"}]"#;
    near(rate(r#""type": "ARRHENIUS", "A": 217.6"#, third), 217.6 / MOLECULES / MOLECULES * 0.21 * AIR * AIR);

    let air = AIR / MOLECULES;
    let (low, high) = (2e6 * exp(0.4) * pow(T / 300.0, -2.0), 5e5 * exp(-0.2) * pow(T / 300.0, 0.5));
    let limits =
        r#""k0_A": 2e6, "k0_B": -2, "k0_C": 100, "kinf_A": 5e5, "kinf_B": 0.5, "kinf_C": -50, "Fc": 0.7, "N": 0.9"#;
    near(rate(&format!(r#""type": "TROE", {limits}"#), two), falloff(low * air, high, 0.7, 0.9) / MOLECULES);
    let ternary = falloff(low * air, high, 0.7, 0.9) / air / MOLECULES;
    near(rate(&format!(r#""type": "TERNARY_CHEMICAL_ACTIVATION", {limits}"#), two), ternary);

    near(rate(r#""type": "TUNNELING", "A": 2.0, "B": 1200.0, "C": 1e8"#, one), 2.0 * exp(-4.8 + 1e8 / (T * T * T)));
    let taylor = 12.3 * exp(4e-9) * (1.0 + 0.1 * T - 0.01 * T * T);
    near(
        rate(r#""type": "TAYLOR_SERIES", "A": 12.3, "C": 1e-6, "taylor coefficients": [1.0, 0.1, -0.01]"#, one),
        taylor,
    );

    for kind in ["PHOTOLYSIS", "USER_DEFINED", "FIRST_ORDER_LOSS"] {
        near(rate(&format!(r#""type": "{kind}", "name": "x y", "scaling factor": 1.5"#), one), 4.5);
    }
    let emission = r#""products": [{"species name": "B"}]"#;
    near(rate(r#""type": "EMISSION", "name": "e""#, emission), 3.0 * MOLECULES);

    #[allow(clippy::disallowed_methods, reason = "another computation than the program's")]
    let speed = (8.0 * 8.314_462_618_153_24 * T / (std::f64::consts::PI * 0.03)).sqrt();
    let surface = 4.0 * std::f64::consts::PI * 3.0 * 1e-14 / (1e-7 / 1e-5 + 4.0 / (speed * 0.02));
    let products = r#""gas-phase species": "A", "gas-phase products": [{"species name": "B"}]"#;
    near(rate(r#""type": "SURFACE", "name": "s", "reaction probability": 0.02"#, products), surface);
}

#[test]
fn both_branches_of_peroxy_radicals_are_there() {
    let both = rates(
        r#""type": "BRANCHED_NO_RO2", "X": 4e6, "Y": 100, "a0": 0.15, "n": 9, "name": "b",
           "reactants": [{"species name": "A"}, {"species name": "B"}],
           "alkoxy products": [{"species name": "B"}], "nitrate products": [{"species name": "A"}]"#,
    );
    let of = |t: f64, m: f64| falloff(2e-22 * exp(9.0) * m, 0.43 * pow(t / 298.0, -8.0), 0.41, 1.0);
    let (z, a) = (of(293.0, 2.45e19) * 0.85 / 0.15, of(T, AIR));
    let all = 4e6 * exp(-0.4) / MOLECULES;
    near(both[0], all * z / (a + z));
    near(both[1], all * a / (a + z));
}

#[test]
fn species_and_stoichiometry_are_those_of_the_file() {
    let mechanism = read(
        r#"{"type": "PHOTOLYSIS", "name": "jO3->O", "reactants": {"species name": "A", "coefficient": 1.0},
            "products": [{"species name": "B", "coefficient": 0.25}, {"species name": "F"}]},
           {"type": "ARRHENIUS", "A": 1.0, "reactants": [{"species name": "B", "coefficient": 2}],
            "products": [{"species name": "A", "coefficient": -0.5}, {"species name": "B", "coefficient": 1e-3}]},
           {"type": "EMISSION", "name": "jO3->O", "products": [{"species name": "A", "coefficient": 2.0}]}"#,
    );
    let names: Vec<(&str, bool)> =
        mechanism.species().iter().map(|species| (&species.name[..], species.fixed)).collect();
    assert_eq!((names.len(), names[2]), (3, ("F", true)));
    let (a, b) = (mechanism.species_index("A").expect("A"), mechanism.species_index("B").expect("B"));
    let of = |reaction: usize| {
        (mechanism.reactions()[reaction].reactants.clone(), mechanism.reactions()[reaction].net.clone())
    };
    assert_eq!(of(0), (vec![(a, 1)], vec![(a, -1.0), (b, 0.25)]));
    assert_eq!(of(1), (vec![(b, 2)], vec![(b, -2.0 + 1e-3), (a, -0.5)]));
    assert_eq!(of(2), (vec![], vec![(a, 2.0)]));
    let inputs: Vec<&str> = mechanism.inputs().iter().map(|input| input.name.as_str()).collect();
    assert_eq!(inputs, ["PHOTO(jO3__O)", "EMIS(jO3__O)"]);
    assert_eq!(mechanism.reactions()[0].label.as_deref(), Some("jO3__O"));
    assert!((mechanism.initial()[2] / (2.0 * MOLECULES) - 1.0).abs() < 1e-15);
    assert_eq!(mechanism.reactions()[0].equation, "1 A + hv = 0.25 B + 1 F");
    let light: Vec<bool> = mechanism.reactions().iter().map(|reaction| reaction.photolysis).collect();
    assert_eq!(light, [true, false, false]);
}

#[test]
fn mistakes_have_one_message_with_their_place() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("m.json");
    let refusal = |text: &str| {
        fs::write(&path, text).expect("a file");
        Reader::new().read_file(&path).expect_err("a mistake").to_string()
    };
    let one = r#""reactants": [{"species name": "A"}], "products": []"#;
    let cases = [
        (r#"{"type": "ARRHENIUS", "A": 1.0, "reactants": [{"species name": "AB"}]}"#, "7:64: unknown species `AB`"),
        (&format!(r#"{{"type": "ARRHENIUS", "k": 1.0, {one}}}"#), "7:28: a reaction of the type ARRHENIUS has no `k`"),
        (&format!(r#"{{"type": "ARRHENIUS", "A": "x", {one}}}"#), "7:28: a number is expected here"),
        (&format!(r#"{{"type": "ARRHENIUS", "C": 1, "Ea": 2, {one}}}"#), "7:37: `Ea` and `C` are the same"),
        (&format!(r#"{{"type": "HENRY", {one}}}"#), "7:10: reactions of the type HENRY are not read"),
        (&format!(r#"{{"type": "PHOTOLYSIS", {one}}}"#), "7:1: `name` is missing here"),
        (r#"{"type": "ARRHENIUS", "products": []}"#, "7:1: this reaction has no reactants"),
        (r#"{"type": "SURFACE", "name": "s", "gas-phase species": "B"}"#, "7:1: `B` has no `diffusion coefficient"),
        (
            r#"{"type": "ARRHENIUS", "reactants": [{"species name": "A", "coefficient": 0.5}]}"#,
            "7:1: the coefficient of the reactant `A` is not a whole number",
        ),
        (
            &format!(
                r#"{{"type": "USER_DEFINED", "name": "a b", {one}}}, {{"type": "USER_DEFINED", "name": "a-b", {one}}}"#
            ),
            "7:129: `a-b` and `a b` would be the same input USER(a_b)",
        ),
        (r#"{"type": "ARRHENIUS" "A": 1.0}"#, "7:22: this is not JSON: expected `,` or `}`"),
    ];
    for (reaction, words) in cases {
        let message = refusal(&config(reaction));
        assert!(message.contains(&format!("m.json:{words}")), "{message}\ninstead of\n{words}");
    }
    let whole = config(&format!(r#"{{"type": "ARRHENIUS", {one}}}"#));
    for (from, to, words) in [
        (
            "\"1.0.0\"",
            "\"0.1\"",
            "1:13: versions 1 and 0 (`camp-files`, `camp-data`) of MUSICA's configurations are read",
        ),
        ("\"phases\"", "\"phase\"", "1:1: `phases` is missing"),
        (PHASES, "{\"files\": [\"gas.json\"]}", "5:22: there is no file gas.json"),
        ("{\"name\": \"B\"}", "{\"name\": \"A\"}", "3:14: species `A` is declared twice"),
        ("{\"name\": \"B\"}", "{\"name\": \"\"}", "3:14: the name of a species has 1 to 200 characters"),
    ] {
        let message = refusal(&whole.replace(from, to));
        assert!(message.contains(&format!("m.json:{words}")), "{message}\ninstead of\n{words}");
    }
    let noted = Reader::new().read_text("m.json", &whole.replace("\"name\": \"test\"", "\"emissions\": {}"));
    let notes: Vec<String> = noted.expect("a mechanism").notes().iter().map(|note| note.what.clone()).collect();
    assert_eq!(notes, ["`emissions` is read over"]);
}
