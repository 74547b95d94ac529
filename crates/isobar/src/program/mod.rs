//! What programs of Isobar have alike, whatever their commands: options, words, exit statuses, signals.
//!
//! It is for the command `isobar` and for `isobar-bench`, and no interface that stays.

// First, for its macros.
#[macro_use]
pub mod print;

pub mod examples;
pub mod failure;
pub mod memory;
pub mod options;
pub(crate) mod output;
#[cfg(feature = "cli")]
pub(crate) mod pipeline;
pub mod progress;
pub mod remarks;
pub(crate) mod signals;

use std::ffi::OsString;
use std::sync::OnceLock;

use clap::{Command, FromArgMatches};

use failure::Failure;

/// The words of the command line.
static WORDS: OnceLock<Vec<OsString>> = OnceLock::new();

/// The words of the command line, the program's name first.
pub(crate) fn words() -> &'static [OsString] {
    WORDS.get_or_init(|| std::env::args_os().collect())
}

/// Does the work that a command line asks for, the program's name its first word, and gives the exit status. For a
/// process that does nothing else: it sets what becomes of signals, and what a first call was given holds for all.
pub fn run<Options: FromArgMatches>(
    words: impl IntoIterator<Item = OsString>,
    command: Command,
    work: impl FnOnce(Options) -> Result<(), Failure>,
) -> u8 {
    share_the_heap();
    signals::set_up();
    let words = WORDS.get_or_init(|| words.into_iter().collect());
    let options = command.try_get_matches_from(words).and_then(|matches| Options::from_arg_matches(&matches));
    let (outcome, exit) = match options {
        Ok(options) => (isobar_launch::memory::check_start().map_err(Failure::from).and_then(|()| work(options)), 0),
        Err(error) => {
            print::of_clap(&error);
            (Ok(()), u8::try_from(error.exit_code()).unwrap_or(u8::MAX))
        }
    };
    let printed = print::finish().map_err(|error| Failure::new(format!("cannot print: {error}")));
    let failures = [outcome, printed].into_iter().filter_map(Result::err);
    let exits = failures.map(|failure| {
        failure.tell();
        failure.exit()
    });
    exits.reduce(|first, _| first).map_or(exit, |exit| exit as u8)
}

/// Has threads share one heap where addresses are limited (`ulimit -v`): each of the C library's own heaps would take
/// 64 MB of them, however little lies in it.
fn share_the_heap() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    if isobar_launch::memory::has_address_limit() {
        // SAFETY: it sets a number, before any thread is started.
        unsafe {
            libc::mallopt(libc::M_ARENA_MAX, 1);
        }
    }
}
