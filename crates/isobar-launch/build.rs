//! Lets the feature `cuda` link where no CUDA toolkit is installed.
//!
//! `cust` asks the linker for a library `cuda`. On Linux the driver's functions are defined in `src/cuda/driver.rs`,
//! which loads the driver at run time, so nothing in that library is needed, and an archive without members serves.

use std::env;
use std::fs;
use std::path::Path;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let linux = env::var("CARGO_CFG_TARGET_OS").is_ok_and(|system| system == "linux");
    if env::var_os("CARGO_FEATURE_CUDA").is_some() && linux {
        let folder = env::var("OUT_DIR").expect("cargo names the output folder");
        fs::write(Path::new(&folder).join("libcuda.a"), "!<arch>\n").expect("the output folder can be written");
        println!("cargo:rustc-link-search=native={folder}");
    }
}
