//! Programs in C, and the same in C++, that call the library: compiled with the compilers `CC` and `CXX`, or `cc` and
//! `c++`, and run. Where there is none, the test says so and is not run.

mod programs;

use programs::{compiler, run, shared_library, static_library, succeeded};

const FLAGS: [&str; 5] = ["-Wall", "-Wextra", "-Werror", "-pedantic", "-Wredundant-decls"];
/// What the static library needs of the system.
const SYSTEM: [&str; 3] = ["-lm", "-lpthread", "-ldl"];

#[test]
fn calls_of_c11() {
    let Some(mut compile) = compiler("CC", "cc") else { return };
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("calls");
    compile.args(["-std=c11", "-D_GNU_SOURCE"]).args(FLAGS).args(["-I", "include", "tests/c/calls.c", "-o"]);
    compile.arg(&program).arg(shared_library(folder.path())).args(["-lm", "-lpthread"]);
    succeeded(&mut compile);
    run(&program, folder.path());
}

#[test]
fn calls_of_cpp17_with_the_static_library() {
    let Some(mut compile) = compiler("CXX", "c++") else { return };
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("calls");
    compile.args(["-std=c++17"]).args(FLAGS).args([
        "-I",
        "include",
        "-x",
        "c++",
        "tests/c/calls.c",
        "-x",
        "none",
        "-o",
    ]);
    // Without line tables, which are most of it, valgrind starts in seconds.
    compile.arg(&program).arg(static_library()).args(SYSTEM).args(["-Wl,--gc-sections", "-Wl,--strip-debug"]);
    succeeded(&mut compile);
    run(&program, folder.path());
    if let Some(mut check) = compiler("VALGRIND", "valgrind") {
        check.args(["-q", "--leak-check=full", "--errors-for-leak-kinds=definite", "--error-exitcode=9"]);
        succeeded(check.arg(&program));
    }
}
