//! What is known of a mechanism only once it is read: `isobar chem --json` has its notes, with `--quiet`, too.

use crate::chem::{CELL, Case, DENSITY, cells};
use crate::common::{printed, said};

#[test]
fn notes_of_the_mechanism_are_in_the_summary() {
    let mechanism = "#DEFVAR A = IGNORE;\n#INLINE F90_RCONST\nk = 1e-4\nIF (TEMP > 400.) STOP\nCALL photo(k)\n\
        #ENDINLINE\n#EQUATIONS A = PROD : k;";
    let start = cells(1).with("A", CELL, DENSITY, &[1e10]);
    let case = Case::new(mechanism, &start.clone().with("k", CELL, "s-1", &[1e-5]).with("TEMP", CELL, "K", &[280.0]));
    let output = case.command(&["--json"]);
    assert!(output.status.success(), "{}", said(&output));
    let json: serde_json::Value = serde_json::from_str(&printed(&output)).unwrap();
    let notes: Vec<&str> = json["notes"].as_array().unwrap().iter().filter_map(|note| note.as_str()).collect();
    assert_eq!(notes.len(), 2, "{json}");
    assert!(notes[0].starts_with("m.kpp:4:") && notes[0].contains("STOP is passed over"), "{json}");
    assert!(notes[1].starts_with("m.kpp:5:") && notes[1].contains("`k`, which it may change, is an input"), "{json}");
    // What it held before is not what the rates take.
    Case::new(mechanism, &start).refused(&[], &["in.nc: k is missing"]);
}
