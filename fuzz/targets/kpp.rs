//! Mechanisms in KPP's language.
#![no_main]

use isobar::kpp::Reader;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    match Reader::new().read_text("fuzz.kpp", text) {
        Ok(mechanism) => assert!(!mechanism.reactions().is_empty()),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
});
