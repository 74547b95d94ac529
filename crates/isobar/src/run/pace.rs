//! How many steps go by before all members meet again.

/// The steps between two meetings: members tell each other of failures and signals there, and blocks that take turns go
/// to the host and back.
pub(super) struct Pace {
    steps: u64,
    /// How long they ought to take \[s\].
    wanted: f64,
}

impl Pace {
    /// The pace of `blocks` blocks on a device.
    pub(super) fn new(blocks: usize) -> Self {
        // A signal is heard within half a second; blocks that take turns want longer ones.
        Self { steps: 1, wanted: if blocks > 1 { 10.0 } else { 0.5 } }
    }

    /// Where the next steps end: before any multiple of the numbers is passed.
    pub(super) fn end(&self, done: u64, every: impl Iterator<Item = u64>) -> u64 {
        every.map(|every| (done / every + 1) * every).fold(done + self.steps, u64::min)
    }

    /// Takes note that `steps` steps took the slowest member `seconds`: all members go on with the same number.
    pub(super) fn took(&mut self, steps: u64, seconds: f64) {
        let wanted = steps as f64 * (self.wanted / seconds.max(1e-6));
        self.steps = (wanted as u64).clamp(1, 2 * self.steps);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_end_where_something_is_due_and_take_half_a_second() {
        let mut pace = Pace::new(1);
        assert_eq!(pace.end(3, [6, 4].into_iter()), 4);
        for _ in 0..10 {
            let steps = pace.end(0, [1_000_000].into_iter());
            pace.took(steps, steps as f64 * 1e-3);
        }
        assert_eq!(pace.end(0, [1_000_000].into_iter()), 500);
        assert_eq!(pace.end(990, [1000].into_iter()), 1000);
        pace.took(500, 1e9);
        assert_eq!(pace.end(0, [1_000_000].into_iter()), 1);
    }
}
