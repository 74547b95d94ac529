//! The target that `ISOBAR_FUZZ` names, with inputs that libFuzzer makes: `cargo xtask fuzz`.
#![no_main]

use std::env;
use std::sync::LazyLock;

use isobar_fuzz::targets;
use libfuzzer_sys::fuzz_target;

static TARGET: LazyLock<fn(&[u8])> = LazyLock::new(|| {
    let name = env::var("ISOBAR_FUZZ").expect("ISOBAR_FUZZ names the target");
    targets::by_name(&name).expect("a target")
});

fuzz_target!(|bytes: &[u8]| TARGET(bytes));
