//! What of MUSICA's configurations is taken for something, or read over with a note.

use isobar_kpp::{Mechanism, Reader};

fn read(text: &str) -> Mechanism {
    Reader::new().read_text("m.json", text).unwrap_or_else(|error| panic!("{error}"))
}

fn notes(mechanism: &Mechanism) -> Vec<&str> {
    mechanism.notes().iter().map(|note| note.what.as_str()).collect()
}

/// A + M = B with these properties of M.
fn with(m: &str) -> String {
    format!(
        r#"{{"version": "1.0.0", "name": "x", "species": [{{"name": "A"}}, {{"name": "B"}}, {{"name": "M"{m}}}],
        "phases": [], "reactions": [{{"type": "ARRHENIUS", "A": 1e-5, "reactants": [{{"name": "A"}}, {{"name": "M"}}],
        "products": [{{"name": "B"}}, {{"name": "M"}}]}}]}}"#
    )
}

/// The older word for the air is one: the rate constant has the air's density, in mol/m3.
#[test]
fn the_tracer_type_third_body_is_the_air() {
    for words in [r#", "is third body": true"#, r#", "tracer type": "THIRD_BODY""#] {
        let mechanism = read(&with(words));
        assert_eq!(
            (mechanism.species().len(), mechanism.reactions()[0].equation.as_str()),
            (2, "1 A = 1 B"),
            "{words}"
        );
        let inputs: Vec<f64> =
            mechanism.inputs().iter().map(|input| if input.name == "cair" { 2e19 } else { f64::NAN }).collect();
        let got = mechanism.program().rate_constants(mechanism.initial(), &inputs, 0.0)[0];
        // 1e-5 m3/(mol s) times the air's mol/m3.
        let want = 1e-5 * 2e19 * 1e6 / 6.022_140_76e23;
        assert!((got - want).abs() < 1e-13 * want, "{got} instead of {want}");
        assert!(notes(&mechanism).is_empty(), "{:?}", notes(&mechanism));
    }
}

#[test]
fn what_else_a_tracer_is_and_tolerances_are_noted() {
    let noted = |words: &str| -> Vec<String> { notes(&read(&with(words))).into_iter().map(str::to_owned).collect() };
    let constant = "`CONSTANT` is read over, as MUSICA does: reactions change it";
    assert_eq!(noted(r#", "tracer type": "CONSTANT""#), [constant]);
    assert_eq!(noted(r#", "tracer type": "AEROSOL""#), ["the tracer type `AEROSOL` is read over"]);
    // What is held is constant.
    assert!(noted(r#", "tracer type": "CONSTANT", "constant concentration [mol m-3]": 1.0"#).is_empty());
    let tolerance = "`absolute tolerance` of a species is read over: tolerances are the integrator's";
    assert_eq!(noted(r#", "absolute tolerance": 1e-12"#), [tolerance]);
    let both = with(r#", "absolute tolerance": 1e-12"#).replace(r#"{"name": "A"}, {"name": "B"}"#, SPECIES);
    assert_eq!(notes(&read(&both)), [tolerance.replace("a species", "2 species")]);
    // In version 0, too.
    let zero = r#"{"camp-data": [{"name": "A", "type": "CHEM_SPEC", "absolute tolerance": 1e-12},
        {"name": "B", "type": "CHEM_SPEC", "tracer type": "CONSTANT"}, {"name": "x", "type": "MECHANISM", "reactions": [
        {"type": "FIRST_ORDER_LOSS", "species": "A", "MUSICA name": "l"}]}]}"#;
    assert_eq!(notes(&read(zero)), [constant, tolerance]);
}

const SPECIES: &str = r#"{"name": "A", "absolute tolerance": 1e-9}, {"name": "B"}"#;

/// What MusicBox has beside the mechanism.
#[test]
fn conditions_of_musicbox_are_noted() {
    let text = format!(
        r#"{{"box model options": {{"grid": "box"}}, "initial conditions": {{"A": 1}}, "__comment": "none",
        "conditions": {{"data": []}}, "mechanism": {}}}"#,
        with("")
    );
    let mechanism = read(&text);
    let all = notes(&mechanism);
    for key in ["box model options", "initial conditions", "conditions"] {
        let words = format!("`{key}` is read over: the mechanism alone is read, cells and times are given beside it");
        assert!(all.contains(&words.as_str()), "{words:?} is not in {all:?}");
    }
    assert_eq!(all.len(), 3, "{all:?}");
    // The older form, which points to the mechanism's file.
    let folder = tempfile::tempdir().expect("a folder");
    let put = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("a file");
    put("m.json", &with(""));
    put(
        "box.json",
        r#"{"box model options": {}, "model components": [{"type": "CAMP", "configuration file": "m.json"}]}"#,
    );
    let mechanism = Reader::new().read_file(folder.path().join("box.json")).unwrap_or_else(|error| panic!("{error}"));
    let all = notes(&mechanism);
    assert!(all.len() == 1 && all[0].starts_with("`box model options` is read over"), "{all:?}");
}
