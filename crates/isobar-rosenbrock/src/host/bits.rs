//! Sets of small numbers, a bit each: rows of a matrix in which many entries fill in.

const WORD: usize = u64::BITS as usize;

/// A set of numbers below some size.
#[derive(Clone, Debug, Default)]
pub(super) struct Bits(Vec<u64>);

impl Bits {
    /// The set of these numbers, all below `size`.
    pub(super) fn of(numbers: impl IntoIterator<Item = u32>, size: usize) -> Self {
        let mut bits = Self(vec![0; size.div_ceil(WORD)]);
        numbers.into_iter().for_each(|number| bits.insert(number as usize));
        bits
    }

    pub(super) fn insert(&mut self, number: usize) {
        self.0[number / WORD] |= 1 << (number % WORD);
    }

    pub(super) fn remove(&mut self, number: usize) {
        self.0[number / WORD] &= !(1 << (number % WORD));
    }

    /// Adds all numbers of another set from `first` on.
    pub(super) fn extend_from(&mut self, other: &Self, first: usize) {
        let start = first / WORD;
        for (place, (word, other)) in self.0.iter_mut().zip(&other.0).enumerate().skip(start) {
            *word |= if place == start { other & (u64::MAX << (first % WORD)) } else { *other };
        }
    }

    /// The least number from `first` on.
    pub(super) fn next(&self, first: usize) -> Option<usize> {
        let start = first / WORD;
        let from = |place: usize, word: u64| if place == start { word & (u64::MAX << (first % WORD)) } else { word };
        let words = self.0.iter().enumerate().skip(start);
        words
            .map(|(place, &word)| (place, from(place, word)))
            .find(|&(_, word)| word != 0)
            .map(|(place, word)| place * WORD + word.trailing_zeros() as usize)
    }

    /// All numbers, from the least on.
    pub(super) fn iter(&self) -> impl Iterator<Item = usize> {
        let mut first = 0;
        std::iter::from_fn(move || {
            let number = self.next(first)?;
            first = number + 1;
            Some(number)
        })
    }

    pub(super) fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::Bits;

    #[test]
    fn sets_over_several_words() {
        let mut bits = Bits::of([0, 63, 64, 130], 131);
        assert_eq!(bits.iter().collect::<Vec<_>>(), [0, 63, 64, 130]);
        assert_eq!((bits.len(), bits.next(65), bits.next(130)), (4, Some(130), Some(130)));
        bits.remove(64);
        bits.extend_from(&Bits::of([1, 70, 71], 131), 71);
        assert_eq!(bits.iter().collect::<Vec<_>>(), [0, 63, 71, 130]);
    }
}
