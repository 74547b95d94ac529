//! How far a command has come: on standard error, where that is a terminal, and only after a while.

use std::sync::Mutex;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

/// Shorter work shows nothing.
const PATIENCE: Duration = Duration::from_secs(2);
/// How often a sign of life is renewed.
const RENEWED: Duration = Duration::from_millis(100);

/// The bar that is shown: there is one terminal.
static SHOWN: Mutex<Option<ProgressBar>> = Mutex::new(None);

/// Says something while what is shown is out of the way.
pub(super) fn aside(tell: impl FnOnce()) {
    let shown = SHOWN.lock().ok().and_then(|shown| shown.clone());
    match shown {
        Some(bar) => bar.suspend(tell),
        None => tell(),
    }
}

fn show(bar: Option<&ProgressBar>) {
    if let Ok(mut shown) = SHOWN.lock() {
        *shown = bar.cloned();
    }
}

/// A bar with what is done, of how many, how fast, and the time left. It is gone when dropped.
pub struct Progress {
    bar: ProgressBar,
    start: Instant,
    _sign: Sign,
}

impl Progress {
    /// A bar, unless it is to be quiet.
    pub fn new(quiet: bool, count: u64, of_what: &str) -> Self {
        let template = format!("{{wide_bar}} {{pos}} of {{len}} {of_what}, {{per_sec}}, {{eta}} left");
        let (bar, sign) = Sign::new(quiet, ProgressBar::new(count), &template);
        Self { bar, start: Instant::now(), _sign: sign }
    }

    /// So much is done.
    pub fn reach(&self, done: usize) {
        if self.start.elapsed() > PATIENCE {
            self.bar.set_position(done as u64);
        }
    }
}

/// Does work of which it is not known how far it has come: after a while it says what, and for how long.
pub fn patiently<T>(quiet: bool, what: &'static str, work: impl FnOnce() -> T) -> T {
    let _waiting = Waiting::new(quiet, what);
    work()
}

/// What is being done, and for how long, until it is dropped.
pub struct Waiting {
    _sign: Sign,
}

impl Waiting {
    /// A sign of life, unless it is to be quiet.
    pub fn new(quiet: bool, what: &'static str) -> Self {
        let bar = ProgressBar::new_spinner().with_message(what);
        Self { _sign: Sign::new(quiet, bar, "{spinner} {msg}, {elapsed}").1 }
    }
}

/// A bar that shows signs of life, whether or not anybody tells it how far the work has come, until it is dropped.
struct Sign {
    thread: Option<(mpsc::Sender<()>, std::thread::JoinHandle<()>)>,
}

impl Sign {
    fn new(quiet: bool, bar: ProgressBar, template: &str) -> (ProgressBar, Self) {
        if quiet {
            return (ProgressBar::hidden(), Self { thread: None });
        }
        bar.set_style(ProgressStyle::with_template(template).expect("a template"));
        let ((end, ended), own) = (mpsc::channel(), bar.clone());
        // Who cannot have another thread does without.
        let thread = std::thread::Builder::new().spawn(move || {
            if ended.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
                show(Some(&own));
                while ended.recv_timeout(RENEWED) == Err(RecvTimeoutError::Timeout) {
                    own.tick();
                }
                show(None);
            }
            own.finish_and_clear();
        });
        (bar, Self { thread: thread.ok().map(|thread| (end, thread)) })
    }
}

impl Drop for Sign {
    fn drop(&mut self) {
        if let Some((end, thread)) = self.thread.take() {
            drop(end);
            // It draws, and does nothing that matters.
            let _ = thread.join();
        }
    }
}
