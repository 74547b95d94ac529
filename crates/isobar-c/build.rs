//! The shared library's own name, by which programs that were linked with it find it.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    if std::env::var("CARGO_CFG_TARGET_OS").is_ok_and(|system| system == "linux") {
        println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,libisobar.so.{}", env!("CARGO_PKG_VERSION_MAJOR"));
    }
}
