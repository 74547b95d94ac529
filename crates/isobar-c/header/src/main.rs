//! Makes `include/isobar.h` of the crate isobar-c, or checks that it is what would be made (`--check`).

use std::fs;
use std::path::Path;
use std::process::ExitCode;

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

/// The folder of isobar-c.
fn folder() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("this is a folder of isobar-c")
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
    // The crate's root alone: cbindgen follows its modules, and would declare what is in them once more.
    let builder = Builder::new().with_config(config).with_src(folder().join("src/lib.rs"));
    let mut text = Vec::new();
    builder.generate().expect("the crate is what cbindgen understands").write(&mut text);
    String::from_utf8(text).unwrap()
}

fn main() -> ExitCode {
    let path = folder().join("include/isobar.h");
    let made = header();
    if !std::env::args().any(|argument| argument == "--check") {
        fs::write(&path, made).expect("the header can be written");
        return ExitCode::SUCCESS;
    }
    let committed = fs::read_to_string(&path).unwrap_or_default();
    if made == committed {
        return ExitCode::SUCCESS;
    }
    let same = made.lines().zip(committed.lines()).take_while(|(made, committed)| made == committed).count();
    eprintln!("include/isobar.h is not that of isobar-c, from line {} on: cargo xtask c-header", same + 1);
    ExitCode::FAILURE
}
