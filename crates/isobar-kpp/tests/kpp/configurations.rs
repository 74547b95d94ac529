//! Forms of MUSICA's configurations: YAML, version 0, lists in other files, MusicBox's files.

use std::fs;
use std::path::Path;

use isobar_kpp::{Mechanism, Reader};

/// Version 1, in JSON.
const ONE: &str = r#"{"version": "1.0.0", "name": "m", "species": [{"name": "A", "molecular weight [kg mol-1]": 0.03},
    {"name": "B"}, {"name": "M", "is third body": true}],
 "phases": [{"name": "gas", "species": [{"name": "A", "diffusion coefficient [m2 s-1]": 1e-5}, "B"]}],
 "reactions": [
  {"type": "ARRHENIUS", "A": 1.5, "C": -20, "reactants": [{"name": "A", "coefficient": 2}],
   "products": [{"name": "B"}]},
  {"type": "TROE", "k0_A": 3.0, "k0_B": -2, "kinf_A": 0.5, "N": 1.2, "reactants": [{"name": "A"}, {"name": "M"}],
   "products": [{"name": "B", "coefficient": 0.5}]},
  {"type": "PHOTOLYSIS", "name": "j1", "scaling factor": 2, "reactants": [{"name": "B"}], "products": [{"name": "A"}]},
  {"type": "EMISSION", "name": "e", "products": [{"name": "A"}]},
  {"type": "FIRST_ORDER_LOSS", "name": "l", "reactants": [{"name": "B"}]},
  {"type": "SURFACE", "name": "s", "reaction probability": 0.5, "gas-phase species": "A",
   "gas-phase products": [{"name": "B"}]},
  {"type": "BRANCHED_NO_RO2", "X": 1.2, "Y": 204.3, "a0": 0.15, "n": 9, "reactants": [{"name": "A"}, {"name": "B"}],
   "alkoxy products": [{"name": "B"}], "nitrate products": [{"name": "A"}]},
  {"type": "TUNNELING", "A": 1.2, "B": 2.3, "C": 302.3, "reactants": [{"name": "A"}], "products": [{"name": "B"}]},
  {"type": "USER_DEFINED", "name": "u", "reactants": [{"name": "A"}, {"name": "B"}], "products": []}]}"#;

/// The same in YAML.
const YAML: &str = "---
version: 1.0.0
name: m # in words
species:
- name: A
  molecular weight [kg mol-1]: 0.03
- name: \"B\"
- {name: M, is third body: true}
phases:
- name: gas
  species:
  - name: A
    diffusion coefficient [m2 s-1]: \"1e-5\"
  - B
reactions:
- type: ARRHENIUS
  A: 1.5
  C: -20
  reactants: [{name: A, coefficient: 2}]
  products: {name: B}
- {type: TROE, k0_A: 3.0, k0_B: -2, kinf_A: .5, N: 1.2, reactants: [{name: A}, {name: M}],
   products: [{name: B, coefficient: 0.5}]}
- {type: PHOTOLYSIS, name: j1, scaling factor: 2, reactants: [{name: B}], products: [{name: A}]}
- {type: EMISSION, name: e, products: [{name: A}]}
- {type: FIRST_ORDER_LOSS, name: l, reactants: [{name: B}]}
- {type: SURFACE, name: s, reaction probability: 0.5, gas-phase species: A, gas-phase products: [{name: B}]}
- {type: BRANCHED_NO_RO2, X: 1.2, Y: 204.3, a0: 0.15, n: 9, reactants: [{name: A}, {name: B}],
   alkoxy products: [{name: B}], nitrate products: [{name: A}]}
- {type: TUNNELING, A: 1.2, B: 2.3, C: 302.3, reactants: [{name: A}], products: [{name: B}]}
- {type: USER_DEFINED, name: u, reactants: [{name: A}, {name: B}], products: []}
";

/// Version 0: rate constants of the same value in molecules and cm3, where there are two and more reactants.
const SPECIES_0: &str = r#"{"camp-data": [{"type": "RELATIVE_TOLERANCE", "value": 1e-4},
  {"type": "CHEM_SPEC", "name": "A", "molecular weight [kg mol-1]": 0.03, "diffusion coefficient [m2 s-1]": 1e-5},
  {"type": "CHEM_SPEC", "name": "B", "absolute tolerance": 1e-12, "__long name": "b", "colour": 3},
  {"type": "CHEM_SPEC", "name": "M", "tracer type": "THIRD_BODY"}]}"#;
const REACTIONS_0: &str = "camp-data:
- type: MECHANISM
  name: m
  reactions:
  - {type: ARRHENIUS, A: @1.5@, C: -20, reactants: {A: {qty: 2}}, products: {B: {}}}
  - {type: TROE, k0_A: @@3.0@@, k0_B: -2, kinf_A: @0.5@, N: 1.2, reactants: {A: {}, M: {}}, products: {B: {yield: 0.5}}}
  - {type: PHOTOLYSIS, MUSICA name: j1, scaling factor: 2, reactants: {B: {}}, products: {A: {}}}
  - {type: EMISSION, MUSICA name: e, species: A}
  - {type: FIRST_ORDER_LOSS, MUSICA name: l, species: B}
  - {type: SURFACE, MUSICA name: s, reaction probability: 0.5, gas-phase reactant: A, gas-phase products: {B: {}}}
  - {type: BRANCHED, X: @1.2@, Y: 204.3, a0: 0.15, n: 9, reactants: {A: {}, B: {}}, alkoxy products: {B: {}},
     nitrate products: {A: {}}}
  - {type: WENNBERG_TUNNELING, A: 1.2, B: 2.3, C: 302.3, reactants: {A: {}}, products: {B: {}}}
  - {type: USER_DEFINED, MUSICA name: u, reactants: {A: {}, B: {}}, products: {}}
";
/// Molecules/cm3 of a mol/m3.
const MOLECULES: f64 = 6.022_140_76e17;

/// Numbers between the signs, in molecules.
fn reactions_0() -> String {
    let number = |text: &str, factor: f64| format!("{:e}", text.parse::<f64>().expect("a number") / factor);
    let mut out = String::new();
    for (place, part) in REACTIONS_0.replace("@@", "$").split('$').enumerate() {
        if place == 1 {
            out += &number(part, MOLECULES * MOLECULES);
            continue;
        }
        for (place, part) in part.split('@').enumerate() {
            out += &if place % 2 == 1 { number(part, MOLECULES) } else { part.to_owned() };
        }
    }
    out
}

fn rates(mechanism: &Mechanism) -> Vec<(String, f64)> {
    let value = |name: &str| match name {
        "TEMP" => 250.0,
        "PRESS" => 5e4,
        "cair" => 1.4e19,
        "SURF_radius(s)" => 1e-7,
        _ => 3.0,
    };
    let inputs: Vec<f64> = mechanism.inputs().iter().map(|input| value(&input.name)).collect();
    let rates = mechanism.program().rate_constants(mechanism.initial(), &inputs, 0.0);
    mechanism.reactions().iter().map(|reaction| reaction.equation.clone()).zip(rates).collect()
}

fn read(path: &Path) -> Mechanism {
    Reader::new().read_file(path).unwrap_or_else(|error| panic!("{error}"))
}

#[track_caller]
fn same(got: &Mechanism, want: &Mechanism, tolerance: f64) {
    let (got, want) = (rates(got), rates(want));
    assert_eq!(got.len(), want.len());
    for ((equation, got), (wanted, want)) in got.iter().zip(&want) {
        assert!(equation == wanted && (got - want).abs() <= tolerance * want, "{equation} {got}, {wanted} {want}");
    }
}

#[test]
fn yaml_lists_in_files_and_musicbox_say_the_same() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(&path, text).expect("a file");
        path
    };
    let one = read(&write("one.json", ONE));
    assert_eq!((one.reactions().len(), one.variable()), (10, 2));
    same(&read(&write("one.yaml", YAML)), &one, 0.0);
    // JSON is YAML, too.
    same(&read(&write("json.yml", ONE)), &one, 0.0);
    let part = |key: &str, next: &str| {
        let start = ONE.find(&format!("\"{key}\": ")).expect("a key") + key.len() + 4;
        let end = if next.is_empty() { ONE.len() - 1 } else { ONE.find(&format!(",\n \"{next}\"")).expect("a key") };
        ONE[start..end].to_owned()
    };
    let (species, phases, reactions) = (part("species", "phases"), part("phases", "reactions"), part("reactions", ""));
    write("parts/species.json", &species);
    write("parts/more.json", "[]");
    write("parts/gas.json", &phases);
    write("parts/reactions.json", &reactions);
    let main = "version: '1.1.0'\nspecies: {files: [species.json, more.json]}\nphases: {files: [gas.json]}\n\
                reactions:\n  files:\n  - reactions.json\n";
    let parts = read(&write("parts/main.yaml", main));
    same(&parts, &one, 0.0);
    assert_eq!(parts.files().len(), 5);
    let inside = format!("{{\"box model options\": {{}}, \"mechanism\": {ONE}}}");
    same(&read(&write("box.json", &inside)), &one, 0.0);
    let points = r#"{"model components": [{"type": "CAMP", "configuration file": "parts/main.yaml"}]}"#;
    same(&read(&write("older.json", points)), &one, 0.0);
    // What is wrong in a part is shown there.
    write("parts/gas.json", "[{\"name\": \"gas\", \"species\": [\"Q\"]}]");
    let error = Reader::new().read_file(folder.path().join("parts/main.yaml")).expect_err("no species").to_string();
    assert!(error.contains("gas.json:1:30: unknown species `Q`"), "{error}");
}

#[test]
fn version_0_has_molecules() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).expect("a file");
    write("one.json", ONE);
    write("config.json", "{\"camp-files\": [\"reactions.yaml\", \"species.json\"]}");
    write("species.json", SPECIES_0);
    write("reactions.yaml", &reactions_0());
    let zero = read(&folder.path().join("config.json"));
    same(&zero, &read(&folder.path().join("one.json")), 1e-14);
    let inputs: Vec<&str> = zero.inputs().iter().map(|input| input.name.as_str()).collect();
    for input in ["PHOTO(j1)", "EMIS(e)", "LOSS(l)", "USER(u)", "SURF_radius(s)", "SURF_number(s)"] {
        assert!(inputs.contains(&input), "{inputs:?}");
    }
    let notes: Vec<&str> = zero.notes().iter().map(|note| note.what.as_str()).collect();
    assert_eq!(notes[..2], ["tolerances are the integrator's: this one is read over", "`colour` is read over"]);
}

#[test]
fn functions_and_names_that_kpp_has_not() {
    let text = r#"{"version": "1.0", "species": [{"name": "a-b"}, {"name": "a_b"}, {"name": "2c"}], "phases": [],
        "reactions": [{"type": "LAMBDA_RATE_CONSTANT", "name": "l", "reactants": [{"name": "a-b"}],
        "lambda function": "[](double T, double P) { return 1.2e-5 * std::exp(-500.0 / T) + 0*P; }",
        "products": [{"name": "2c"}, {"name": "a_b"}]}]}"#;
    let mechanism = Reader::new().read_text("m.json", text).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(mechanism.reactions()[0].equation, "1 a_b = 1 _2c + 1 a_b_2");
    #[allow(clippy::disallowed_methods, reason = "another computation than the program's")]
    let want = 1.2e-5 * (-2.0_f64).exp();
    let got = rates(&mechanism)[0].1;
    assert!((got - want).abs() <= 1e-14 * want, "{got} {want}");
    assert_eq!(mechanism.notes().iter().filter(|note| note.what.contains("is called")).count(), 3);
    for (from, to) in [("[](double", "(double"), ("0*P; }", "0*P;"), ("T, double", "T, int a, double b, double")] {
        let error = Reader::new().read_text("m.json", &text.replace(from, to)).expect_err(from).to_string();
        assert!(error.contains("m.json:3:28: `[](double T, double P) { return k; }` is expected here"), "{error}");
    }
}

#[test]
fn wrong_yaml_is_shown_where_it_is() {
    for (from, to, what) in [
        ("  C: -20", " C: -20", "m.yaml:18:"),
        ("A: 1.5", "A: .inf", "m.yaml:17:6: a number is expected here"),
        ("A: 1.5", "A: [1]", "m.yaml:17:6: a number is expected here"),
        ("C: -20", "A: -20", "m.yaml:18:3: `A` stands twice here"),
        ("name: m #", "name: &m m #", "m.yaml:3:7: anchors are not read"),
        ("version: 1.0.0", "version: !v 1.0.0", "m.yaml:2:10: tags are not read"),
        ("version: 1.0.0", "version: 2.0.0", "m.yaml:2:10: versions 1 and 0"),
        ("\"B\"", "\u{3b2}: x", "m.yaml:"),
        ("- B\n", "- D\n", "m.yaml:14:5: unknown species `D`"),
    ] {
        let error = Reader::new().read_text("m.yaml", &YAML.replacen(from, to, 1)).expect_err(to).to_string();
        assert!(error.contains(what), "{error}\ninstead of\n{what}");
    }
    let error = Reader::new().read_text("m.yaml", &format!("{YAML}---\na: b\n")).expect_err("two").to_string();
    assert!(error.contains("several documents in one file are not read"), "{error}");
}
