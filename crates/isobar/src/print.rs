//! What the command says: results on standard output, words on standard error. Neither ends it with a panic: what
//! cannot be printed is an error of the command, told once at its end, when files are written.

use std::fmt;
use std::io::{self, Write as _};
use std::sync::{Mutex, PoisonError};

use serde_json::Value;

use crate::commands::Failure;

/// Why something could not be printed, the first time.
static FAILED: Mutex<Option<io::Error>> = Mutex::new(None);
/// What the user was warned of.
static WARNINGS: Mutex<Vec<String>> = Mutex::new(Vec::new());
/// What was made up, changed or left out.
static NOTES: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// Prints a line on standard output, as `println!` does.
macro_rules! print_line {
    ($($text:tt)*) => { $crate::print::line(format_args!($($text)*)) };
}

/// Prints a line on standard error, as `eprintln!` does; where nobody can be told, it is lost.
macro_rules! tell {
    ($($text:tt)*) => { $crate::print::word(format_args!($($text)*)) };
}

/// See `print_line!`.
pub(crate) fn line(text: fmt::Arguments<'_>) {
    note(writeln!(io::stdout().lock(), "{text}"));
}

/// See `tell!`.
pub(crate) fn word(text: fmt::Arguments<'_>) {
    // There is nowhere left to say that it failed.
    let _ = writeln!(io::stderr().lock(), "{text}");
}

/// Prints a summary for a program: an object, to which warnings and notes are added.
pub(crate) fn summary(mut summary: Value) {
    if let Value::Object(fields) = &mut summary {
        for (name, all) in [("warnings", &WARNINGS), ("notes", &NOTES)] {
            let all = all.lock().unwrap_or_else(PoisonError::into_inner);
            fields.insert(name.into(), Value::from(all.clone()));
        }
    }
    print_line!("{summary}");
}

/// Keeps a warning for the summary.
pub(crate) fn keep(warning: String) {
    WARNINGS.lock().unwrap_or_else(PoisonError::into_inner).push(warning);
}

/// Keeps a note for the summary.
pub(crate) fn keep_note(note: String) {
    NOTES.lock().unwrap_or_else(PoisonError::into_inner).push(note);
}

/// Prints a text as it is.
pub(crate) fn text(text: &[u8]) {
    note(io::stdout().write_all(text));
}

/// What clap has to say, such as a page of help; gives the exit status.
pub(crate) fn of_clap(error: &clap::Error) -> u8 {
    let printed = error.print();
    if !error.use_stderr() {
        note(printed);
        if let Err(failure) = finish() {
            failure.tell();
            return failure.exit() as u8;
        }
    }
    u8::try_from(error.exit_code()).unwrap_or(u8::MAX)
}

/// Whether all was printed.
pub(crate) fn finish() -> Result<(), Failure> {
    note(io::stdout().flush());
    match FAILED.lock().unwrap_or_else(PoisonError::into_inner).take() {
        None => Ok(()),
        Some(error) => Err(Failure::new(format!("cannot print: {error}"))),
    }
}

fn note(printed: io::Result<()>) {
    if let Err(error) = printed {
        FAILED.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
    }
}
