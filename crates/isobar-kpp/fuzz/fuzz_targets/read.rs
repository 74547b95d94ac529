//! Any text is a mechanism or an error: no panic, no hang, no end of memory. `cargo +nightly fuzz run read` in
//! `crates/isobar-kpp`.
#![no_main]

use isobar_kpp::Reader;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    match Reader::new().read_text("fuzz.kpp", text) {
        Ok(mechanism) => assert!(!mechanism.reactions().is_empty()),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
});
