//! What measurements do not have: temperatures beyond which the nearest one counts, and wavenumbers.

use core::fmt;

/// Temperatures outside of those that were measured.
#[derive(Clone, Debug, PartialEq)]
pub struct Held {
    /// How many they are.
    pub outside: usize,
    /// Of how many.
    pub all: usize,
    /// The coldest and the warmest of all \[K\].
    pub asked_k: (f64, f64),
    /// The coldest and the warmest that were measured \[K\].
    pub measured_k: (f64, f64),
    /// Where in the spectrum that is so \[cm^-1\].
    pub range_per_cm: (f64, f64),
}

impl fmt::Display for Held {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { outside, all, asked_k: asked, measured_k: measured, range_per_cm: range } = self;
        write!(
            f,
            "{outside} of {all} temperatures ({:.2} to {:.2} K) lie outside the {} to {} K measured from {} to {} \
             cm^-1: the nearest measurement counts",
            asked.0, asked.1, measured.0, measured.1, range.0, range.1
        )
    }
}

/// Of measurements, first and last wavenumber \[cm^-1\] and temperature \[K\] of each, the part of a range where most
/// temperatures lie outside of what was measured; none, if nowhere any does.
pub(super) fn held(
    blocks: impl Iterator<Item = (f64, f64, f64)> + Clone,
    (first, last): (f64, f64),
    temperatures_k: &[f64],
) -> Option<Held> {
    let mut ends: Vec<f64> = blocks.clone().flat_map(|block| [block.0, block.1]).collect();
    ends.extend([first, last]);
    ends.retain(|end| (first..=last).contains(end));
    ends.sort_by(f64::total_cmp);
    ends.dedup();
    let extremes = |values: &mut dyn Iterator<Item = f64>| {
        values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)))
    };
    let asked_k = extremes(&mut temperatures_k.iter().copied());
    let mut most: Option<Held> = None;
    for part in ends.windows(2) {
        let middle = 0.5 * (part[0] + part[1]);
        let there = blocks.clone().filter(|block| (block.0..=block.1).contains(&middle));
        let measured_k = extremes(&mut there.map(|block| block.2));
        if measured_k.0 > measured_k.1 {
            continue;
        }
        let outside = temperatures_k.iter().filter(|&&t| t < measured_k.0 || t > measured_k.1).count();
        if outside > most.as_ref().map_or(0, |held| held.outside) {
            let all = temperatures_k.len();
            most = Some(Held { outside, all, asked_k, measured_k, range_per_cm: (part[0], part[1]) });
        }
    }
    most
}

/// Of measurements, first and last wavenumber \[cm^-1\] of each, the parts of a range that none has, ascending.
pub(super) fn gaps(blocks: impl Iterator<Item = (f64, f64)>, (first, last): (f64, f64)) -> Vec<(f64, f64)> {
    let mut blocks: Vec<(f64, f64)> = blocks.collect();
    blocks.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (mut gaps, mut known) = (Vec::new(), first);
    for (low, high) in blocks {
        if low > known && known < last {
            gaps.push((known, low.min(last)));
        }
        known = known.max(high);
    }
    if known < last {
        gaps.push((known, last));
    }
    gaps
}

#[cfg(test)]
mod tests {
    use super::gaps;

    #[test]
    fn gaps_are_what_no_block_has() {
        let blocks = [(850.0, 950.0), (800.0, 810.0), (805.0, 820.0), (950.0, 960.0)];
        for (range, expected) in [
            ((855.0, 955.0), vec![]),
            ((700.0, 710.0), vec![(700.0, 710.0)]),
            ((970.0, 980.0), vec![(970.0, 980.0)]),
            ((790.0, 980.0), vec![(790.0, 800.0), (820.0, 850.0), (960.0, 980.0)]),
            ((815.0, 830.0), vec![(820.0, 830.0)]),
        ] {
            assert_eq!(gaps(blocks.into_iter(), range), expected, "{range:?}");
        }
    }
}
