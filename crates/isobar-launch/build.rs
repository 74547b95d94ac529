//! Says whether CUDA is compiled in, and lets it link where no CUDA toolkit is installed.
//!
//! `cust` asks the linker for a library `cuda`. The driver's functions are defined in `src/cuda/driver.rs`, which loads
//! the driver at run time, so nothing in that library is needed, and an archive without members serves.

use std::env;
use std::fs;
use std::path::Path;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rustc-check-cfg=cfg(cuda)");
    let system = env::var("CARGO_CFG_TARGET_OS").expect("cargo names the target's system");
    if env::var_os("CARGO_FEATURE_CUDA").is_none() || !["linux", "windows"].contains(&system.as_str()) {
        return;
    }
    println!("cargo:rustc-cfg=cuda");
    let folder = env::var("OUT_DIR").expect("cargo names the output folder");
    // The name for GNU's linkers, and for Microsoft's.
    for name in ["libcuda.a", "cuda.lib"] {
        fs::write(Path::new(&folder).join(name), "!<arch>\n").expect("the output folder can be written");
    }
    println!("cargo:rustc-link-search=native={folder}");
}
