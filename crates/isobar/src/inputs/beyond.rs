//! Measurements at other temperatures than those that were measured.

use std::collections::BTreeMap;

use isobar::line_by_line::Source;
use isobar_spectra::lists::{CollisionInduced, Held};

use crate::program::remarks::warn;

/// Of each source the part of the spectrum where most temperatures lie outside of what was measured.
#[derive(Debug, Default)]
pub(crate) struct Beyond(BTreeMap<String, Held>);

impl Beyond {
    /// Notes what measured cross-sections lack in a range \[cm^-1\] at some temperatures \[K\].
    pub(crate) fn note<'a>(
        &mut self,
        sources: impl IntoIterator<Item = &'a Source>,
        range_per_cm: (f64, f64),
        temperatures_k: &[f64],
    ) {
        for source in sources {
            let held = source.cross_sections.as_ref().and_then(|all| all.held(range_per_cm, temperatures_k));
            self.add(|| format!("--xsc {}", source.name), held);
        }
    }

    /// Notes what pairs of molecules lack.
    pub(crate) fn note_pairs(&mut self, pairs: &[CollisionInduced], range_per_cm: (f64, f64), temperatures_k: &[f64]) {
        for pair in pairs {
            self.add(|| format!("--cia {}", pair.pair()), pair.held(range_per_cm, temperatures_k));
        }
    }

    fn add(&mut self, name: impl FnOnce() -> String, held: Option<Held>) {
        let Some(held) = held else { return };
        let known = self.0.entry(name()).or_insert_with(|| held.clone());
        if held.outside > known.outside {
            *known = held;
        }
    }

    /// Says all of it, a line a source, and forgets it.
    pub(crate) fn tell(&mut self) {
        std::mem::take(&mut self.0).into_iter().for_each(|(name, held)| warn(format!("{name}: {held}")));
    }
}
