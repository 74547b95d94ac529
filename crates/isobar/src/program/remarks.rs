//! What a user is told besides the results.

use super::print;
use super::progress::aside;

/// Says what does not stop the run, in one line, and in the summary of `--json`.
pub fn warn(what: impl std::fmt::Display) {
    aside(|| tell!("isobar: warning: {what}"));
    print::keep(what.to_string());
}

/// Says in one line what the run made up, changed or left out, unless it is to be quiet, and in the summary of `--json`
/// in any case.
pub fn note(quiet: bool, what: impl std::fmt::Display) {
    if !quiet {
        aside(|| tell!("isobar: note: {what}"));
    }
    print::keep_note(what.to_string());
}
