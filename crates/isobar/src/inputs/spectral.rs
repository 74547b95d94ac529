//! Ranges, axes and grids of wavenumbers and of tables.

use std::collections::BTreeSet;

use isobar::line_by_line::Source;
use isobar_core::Real;
use isobar_spectra::{Gas, Grid};

use crate::program::failure::Failure;
use crate::program::remarks::warn;

/// Two numbers, as `600:800`.
pub fn range(what: &str, text: &str) -> Result<(f64, f64), Failure> {
    let wrong = || Failure::usage(format!("{what} {text}: give two wavenumbers that ascend, as 600:800"));
    let (low, high) = text.split_once(':').ok_or_else(wrong)?;
    let number = |text: &str| text.trim().parse::<f64>().ok().filter(|value| value.is_finite()).ok_or_else(wrong);
    let (low, high) = (number(low)?, number(high)?);
    if low < high { Ok((low, high)) } else { Err(wrong()) }
}

/// Three numbers as values from the first to the last.
pub(crate) fn axis(name: &str, text: &str, logarithmic: bool) -> Result<Vec<f64>, Failure> {
    let wrong = || {
        Failure::usage(format!(
            "{name} {text}: give the first, the last and how many, as 180:320:29, all above 0, ascending"
        ))
    };
    let words: Vec<&str> = text.split(':').collect();
    let [first, last, count] = words[..] else { return Err(wrong()) };
    let number = |text: &str| text.trim().parse::<f64>().ok().filter(|x| *x > 0.0 && x.is_finite()).ok_or_else(wrong);
    let (first, last) = (number(first)?, number(last)?);
    let count = count.trim().parse::<usize>().ok().filter(|count| (1..=10_000).contains(count)).ok_or_else(wrong)?;
    if count == 1 && first == last {
        return Ok(vec![first]);
    }
    if count < 2 || last <= first {
        return Err(wrong());
    }
    let at = |i: usize| {
        let share = i as f64 / (count - 1) as f64;
        match i {
            0 => first,
            i if i == count - 1 => last,
            // Seven digits, so that texts and binary files have the same numbers.
            _ if logarithmic => rounded(first * Real::exp(share * Real::ln(last / first))),
            _ => rounded(first + share * (last - first)),
        }
    };
    Ok((0..count).map(at).collect())
}

fn rounded(value: f64) -> f64 {
    format!("{value:.6e}").parse().unwrap_or(value)
}

/// Gases whose lines may fall between the points of a grid; each is told once.
#[derive(Debug, Default)]
pub(crate) struct Coarse(BTreeSet<String>);

impl Coarse {
    /// Warns of those that were not told before.
    pub(crate) fn warn(&mut self, sources: &[Source], grid: &Grid, coldest_k: f64) {
        for source in sources {
            let width = |gas: &Gas| gas.too_coarse(grid, coldest_k, &source.options.constants);
            let Some(width) = source.lines.as_ref().and_then(width) else { continue };
            if self.0.insert(source.name.clone()) {
                warn(format!(
                    "the grid's step of {:.2e} cm^-1 is larger than {}'s Doppler half width of {width:.2e} cm^-1 at \
                     {coldest_k:.2} K and {} cm^-1: lines may fall between its points",
                    grid.largest_step_per_cm(),
                    source.name,
                    grid.ends_per_cm().0
                ));
            }
        }
    }
}
