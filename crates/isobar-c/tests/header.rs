//! `include/isobar.h` is what cbindgen makes of this crate. To write it:
//! `cargo test -p isobar-c --test header -- --ignored`.

use std::fs;
use std::path::{Path, PathBuf};

use cbindgen::{Builder, Config, EnumConfig, Language, RenameRule, Style};

const PREFACE: &str = "\
/* Isobar from C and C++: atmospheric schemes by name, on arrays by name. `docs/crates/c-and-fortran.md` is the guide.

   A scheme is made once, and then run by any number of threads:

     IsobarSetup setup = {.version = ISOBAR_VERSION, .precision = 64, .scheme = \"ysu\", .device = \"thread\"};
     IsobarScheme *ysu;
     if (isobar_create(&setup, &ysu) < 0) ...  isobar_last_error has the message

   All functions that can fail answer with an IsobarStatus, and none of them ends the program. Structs begin with a
   version.

   Made by cbindgen of the crate isobar-c: do not edit. */
";

fn folder() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn header() -> String {
    let mut config = Config {
        language: Language::C,
        cpp_compat: true,
        style: Style::Both,
        include_guard: Some("ISOBAR_H".to_owned()),
        usize_is_size_t: true,
        line_length: 120,
        header: Some(PREFACE.trim_end().to_owned()),
        enumeration: EnumConfig { rename_variants: RenameRule::QualifiedScreamingSnakeCase, ..EnumConfig::default() },
        ..Config::default()
    };
    config.export.rename.insert("Status".to_owned(), "IsobarStatus".to_owned());
    config.export.include.push("IsobarKind".to_owned());
    let mut sources: Vec<PathBuf> =
        fs::read_dir(folder().join("src")).unwrap().map(|entry| entry.unwrap().path()).collect();
    sources.sort();
    let builder = sources.into_iter().fold(Builder::new().with_config(config), Builder::with_src);
    let mut text = Vec::new();
    builder.generate().expect("the crate is what cbindgen understands").write(&mut text);
    String::from_utf8(text).unwrap()
}

#[test]
fn the_header_is_that_of_the_crate() {
    let committed = fs::read_to_string(folder().join("include/isobar.h")).unwrap_or_default();
    let made = header();
    let line = made.lines().zip(committed.lines()).position(|(made, committed)| made != committed);
    assert!(
        made == committed,
        "include/isobar.h differs from line {}: cargo test -p isobar-c --test header -- --ignored writes it",
        line.map_or_else(|| made.lines().count().min(committed.lines().count()) + 1, |line| line + 1)
    );
}

#[test]
#[ignore = "writes the header"]
fn write_the_header() {
    fs::write(folder().join("include/isobar.h"), header()).unwrap();
}
