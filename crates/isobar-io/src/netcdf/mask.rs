//! Items of a file that have no values, as the sea of a file of land, or layers of theirs below the ground.

use super::Dimension;

/// Which items, or layers of theirs, have none: a value for each, along dimensions of these sizes, slowest first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Mask {
    pub(crate) dimensions: Vec<(Dimension, usize)>,
    pub(crate) masked: Vec<bool>,
    /// The variable that says so.
    pub(crate) name: String,
    /// Why its first value is missing, in words.
    pub(crate) why: String,
}

impl Mask {
    /// Whether all items at these indices are masked: along a dimension without an index, all that there are.
    pub(crate) fn covers(&self, index: &[(Dimension, usize)]) -> bool {
        let mut items = vec![0];
        for &(dimension, size) in &self.dimensions {
            let at = index.iter().find(|(other, _)| *other == dimension).map(|&(_, at)| at);
            let range = match at {
                Some(at) if at < size => at..at + 1,
                // One for all along it.
                Some(_) if size == 1 => 0..1,
                _ => 0..size,
            };
            items = items.iter().flat_map(|&item| range.clone().map(move |at| item * size + at)).collect();
        }
        items.iter().all(|&item| self.masked[item])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_items_at_an_index_have_to_be_masked() {
        let dimensions = vec![(Dimension::Time, 2), (Dimension::Profile, 2)];
        let mask = Mask { dimensions, masked: vec![true, false, true, true], name: "t".into(), why: String::new() };
        let covers = |index: &[(Dimension, usize)]| mask.covers(index);
        assert!(covers(&[(Dimension::Time, 0), (Dimension::Profile, 0), (Dimension::Layer, 9)]));
        assert!(!covers(&[(Dimension::Time, 0), (Dimension::Profile, 1)]));
        assert!(covers(&[(Dimension::Time, 1)]) && covers(&[(Dimension::Profile, 0)]));
        assert!(!covers(&[(Dimension::Profile, 1)]) && !covers(&[]));
    }
}
