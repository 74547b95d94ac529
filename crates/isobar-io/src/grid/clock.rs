//! Times of a file.

/// The times of a file \[s since 2000-01-01T00:00Z\], rising.
pub(super) struct Clock(pub(super) Vec<f64>);

/// The two times around one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Instant {
    pub(super) steps: [usize; 2],
    /// What the second one counts.
    pub(super) share: f64,
    pub(super) time_s: f64,
}

impl Clock {
    pub(super) fn is_single(&self) -> bool {
        self.0.len() == 1
    }

    /// The shortest time from one to the next \[s\]; none of a single one.
    pub(super) fn shortest_step(&self) -> Option<f64> {
        self.0.windows(2).map(|pair| pair[1] - pair[0]).reduce(f64::min)
    }

    /// The times around one \[s since 2000-01-01T00:00Z\]; an error says what is wrong with it.
    pub(super) fn locate(&self, wanted: Option<f64>) -> Result<Instant, String> {
        let times = &self.0;
        let last = times.len() - 1;
        let (low, high) = (times[0], times[last]);
        let Some(time_s) = wanted.or((last == 0).then_some(low)) else {
            return Err(format!("there are {} times from {low} to {high} s since 2000: name one", times.len()));
        };
        if !(low..=high).contains(&time_s) {
            return Err(format!("time {time_s} s since 2000 lies outside [{low}, {high}], the file's"));
        }
        let next = times.partition_point(|&time| time <= time_s).min(last);
        let first = next.saturating_sub(1);
        if times[next] == time_s || first == next {
            return Ok(Instant { steps: [next, next], share: 0.0, time_s });
        }
        let share = (time_s - times[first]) / (times[next] - times[first]);
        let steps = if share == 0.0 { [first, first] } else { [first, next] };
        Ok(Instant { steps, share, time_s })
    }
}
