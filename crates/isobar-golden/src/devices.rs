//! The devices on which the tests run.

use std::io::Write;
use std::sync::Once;

use isobar_launch::{Device, parse_devices};

/// The CPU, and the GPUs where there are some; says aloud where there are none.
///
/// # Panics
/// If `ISOBAR_REQUIRE_CUDA` is set and there are none.
#[must_use]
pub fn devices() -> Vec<Device> {
    [Device::Cpu].into_iter().chain(gpus()).collect()
}

/// The GPUs; says aloud where there are none.
///
/// # Panics
/// If `ISOBAR_REQUIRE_CUDA` is set and there are none.
#[must_use]
pub fn gpus() -> Vec<Device> {
    match parse_devices("cuda:all") {
        Ok(gpus) => gpus,
        Err(why) if std::env::var_os("ISOBAR_REQUIRE_CUDA").is_some() => {
            panic!("CUDA is required: {why}")
        }
        Err(why) => {
            static SAID: Once = Once::new();
            // Not `eprintln`, which the test harness swallows.
            SAID.call_once(|| writeln!(std::io::stderr(), "CUDA skipped: {why}").expect("stderr is open"));
            Vec::new()
        }
    }
}
