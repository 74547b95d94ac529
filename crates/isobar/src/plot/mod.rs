//! Plots of results, as SVG.

mod panel;

pub(crate) mod adding;
pub(crate) mod chem;
pub(crate) mod forward;
pub(crate) mod kernel;
pub(crate) mod longwave;
pub(crate) mod pbl;
pub(crate) mod raytrace;
pub(crate) mod retrieve;
pub(crate) mod run;

/// At most `most` of `count` items, evenly spread, first and last among them.
fn spread(count: usize, most: usize) -> Vec<usize> {
    if count <= most {
        return (0..count).collect();
    }
    (0..most).map(|i| (i * (count - 1) + (most - 1) / 2) / (most - 1)).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_few_stand_for_many() {
        assert_eq!(super::spread(3, 8), [0, 1, 2]);
        assert_eq!(super::spread(14, 5), [0, 3, 7, 10, 13]);
        assert_eq!(super::spread(1_000, 2), [0, 999]);
    }
}
