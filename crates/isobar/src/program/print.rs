//! What the command says: results on standard output, words on standard error. Neither ends it with a panic: what
//! cannot be printed is an error of the command, told once at its end, when files are written.

use std::fmt;
use std::io::{self, Write as _};
use std::sync::{Mutex, PoisonError};

use serde_json::Value;

/// Why something could not be printed, the first time.
static FAILED: Mutex<Option<io::Error>> = Mutex::new(None);
/// What the user was warned of.
static WARNINGS: Mutex<Vec<String>> = Mutex::new(Vec::new());
/// What was made up, changed or left out.
static NOTES: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// Prints a line on standard output, as `println!` does.
macro_rules! print_line {
    ($($text:tt)*) => { $crate::program::print::line(format_args!($($text)*)) };
}

/// Prints a line on standard error, as `eprintln!` does; where nobody can be told, it is lost.
macro_rules! tell {
    ($($text:tt)*) => { $crate::program::print::word(format_args!($($text)*)) };
}

/// See `print_line!`.
pub fn line(text: fmt::Arguments<'_>) {
    note(writeln!(io::stdout().lock(), "{text}"));
}

/// See `tell!`.
pub fn word(text: fmt::Arguments<'_>) {
    // There is nowhere left to say that it failed.
    let _ = writeln!(io::stderr().lock(), "{text}");
}

/// Prints a summary for a program: an object, to which warnings and notes are added.
pub fn summary(mut summary: Value) {
    if let Value::Object(fields) = &mut summary {
        for (name, all) in [("warnings", &WARNINGS), ("notes", &NOTES)] {
            let all = all.lock().unwrap_or_else(PoisonError::into_inner);
            fields.insert(name.into(), Value::from(all.clone()));
        }
    }
    print_line!("{summary}");
}

/// Keeps a warning for the summary.
pub(super) fn keep(warning: String) {
    WARNINGS.lock().unwrap_or_else(PoisonError::into_inner).push(warning);
}

/// Keeps a note for the summary.
pub(super) fn keep_note(note: String) {
    NOTES.lock().unwrap_or_else(PoisonError::into_inner).push(note);
}

/// Prints a text as it is.
pub fn text(text: &[u8]) {
    note(io::stdout().write_all(text));
}

/// What clap has to say, such as a page of help.
pub(super) fn of_clap(error: &clap::Error) {
    let printed = error.print();
    if !error.use_stderr() {
        note(printed);
    }
}

/// Whether all was printed.
pub(super) fn finish() -> io::Result<()> {
    note(io::stdout().flush());
    FAILED.lock().unwrap_or_else(PoisonError::into_inner).take().map_or(Ok(()), Err)
}

fn note(printed: io::Result<()>) {
    if let Err(error) = printed {
        FAILED.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
    }
}
