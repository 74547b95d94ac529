//! Mechanisms in KPP's language, or by the first letter in FACSIMILE's, or of MUSICA in JSON or YAML.

use isobar::kpp::Reader;

pub(super) fn target(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let (name, text) = match text.get(..1) {
        Some("f") => ("fuzz.fac", &text[1..]),
        Some("j") => ("fuzz.json", &text[1..]),
        Some("y") => ("fuzz.yaml", &text[1..]),
        _ => ("fuzz.kpp", text),
    };
    match Reader::new().read_text(name, text) {
        Ok(mechanism) => assert!(!mechanism.reactions().is_empty()),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}
