//! The sizes that arrays say dimensions have.

use isobar_core::fields::{Dimension, LAYER, LEVEL};

use crate::axes::INTERFACE;

/// The sizes that arrays say dimensions have: that of most of them, so that the one which differs gets the blame.
#[derive(Default)]
pub(super) struct Votes(Vec<(Dimension, Vec<usize>)>);

/// Levels and interfaces as the layers that go with them.
fn as_layers(dimension: Dimension, size: usize) -> (Dimension, usize) {
    match dimension {
        LEVEL => (LAYER, size.saturating_sub(1)),
        INTERFACE => (LAYER, size + 1),
        _ => (dimension, size),
    }
}

impl Votes {
    /// An axis of size 1 stands for any size, and has no vote.
    pub(super) fn vote(&mut self, dimension: Dimension, size: usize) {
        if size == 1 {
            return;
        }
        let (dimension, size) = as_layers(dimension, size);
        match self.0.iter_mut().find(|(known, _)| *known == dimension) {
            Some((_, sizes)) => sizes.push(size),
            None => self.0.push((dimension, vec![size])),
        }
    }

    pub(super) fn size(&self, dimension: Dimension) -> Option<usize> {
        let (base, _) = as_layers(dimension, 0);
        let sizes = self.0.iter().find(|(known, _)| *known == base).map(|(_, sizes)| &sizes[..]);
        let size = most(sizes.unwrap_or_default())?;
        Some(match dimension {
            LEVEL => size + 1,
            INTERFACE => size.saturating_sub(1),
            _ => size,
        })
    }
}

/// What most of them are; the first of several.
pub(super) fn most(sizes: &[usize]) -> Option<usize> {
    let votes = |wanted: usize| sizes.iter().filter(|&&size| size == wanted).count();
    sizes.iter().copied().rev().max_by_key(|&size| votes(size))
}
