//! How far a run has come.

use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

/// Shorter runs show no progress.
const PATIENCE: Duration = Duration::from_secs(2);

/// A bar with what is done, of how many, how fast, and the time left. It is gone when dropped.
pub(super) struct Progress {
    bar: ProgressBar,
    start: Instant,
}

impl Progress {
    pub(super) fn new(quiet: bool, count: u64, of_what: &str) -> Self {
        let bar = if quiet { ProgressBar::hidden() } else { ProgressBar::new(count) };
        let template = format!("{{wide_bar}} {{pos}} of {{len}} {of_what}, {{per_sec}}, {{eta}} left");
        bar.set_style(ProgressStyle::with_template(&template).expect("a template"));
        Self { bar, start: Instant::now() }
    }

    /// Says something while the bar is out of the way.
    pub(super) fn aside(&self, tell: impl FnOnce()) {
        self.bar.suspend(tell);
    }

    pub(super) fn reach(&self, done: usize) {
        if self.start.elapsed() > PATIENCE {
            self.bar.set_position(done as u64);
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
