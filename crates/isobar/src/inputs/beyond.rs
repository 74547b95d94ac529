//! Measurements at other temperatures and wavenumbers than those that were measured.

use std::collections::BTreeMap;

use isobar::line_by_line::Source;
use isobar_spectra::lists::{CollisionInduced, Held};

use crate::program::remarks::warn;

/// Of each source the part of the spectrum where most temperatures lie outside of what was measured, and the parts
/// where nothing was.
#[derive(Debug, Default)]
pub(crate) struct Beyond {
    held: BTreeMap<String, Held>,
    gaps: BTreeMap<String, Vec<(f64, f64)>>,
}

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

    /// Notes where in a range \[cm^-1\] cross-sections were not measured.
    pub(crate) fn note_gaps<'a>(&mut self, sources: impl IntoIterator<Item = &'a Source>, range_per_cm: (f64, f64)) {
        for source in sources {
            if let Some(all) = &source.cross_sections {
                self.add_gaps(format!("--xsc {}", source.name), all.gaps(range_per_cm));
            }
        }
    }

    /// Notes what pairs of molecules lack, wavenumbers too.
    pub(crate) fn note_pairs(&mut self, pairs: &[CollisionInduced], range_per_cm: (f64, f64), temperatures_k: &[f64]) {
        for pair in pairs {
            self.add(|| format!("--cia {}", pair.pair()), pair.held(range_per_cm, temperatures_k));
            self.add_gaps(format!("--cia {}", pair.pair()), pair.gaps(range_per_cm));
        }
    }

    fn add(&mut self, name: impl FnOnce() -> String, held: Option<Held>) {
        let Some(held) = held else { return };
        let known = self.held.entry(name()).or_insert_with(|| held.clone());
        if held.outside > known.outside {
            *known = held;
        }
    }

    fn add_gaps(&mut self, name: String, gaps: Vec<(f64, f64)>) {
        if !gaps.is_empty() {
            self.gaps.entry(name).or_default().extend(gaps);
        }
    }

    /// Says all of it, a line a source and kind, and forgets it.
    pub(crate) fn tell(&mut self) {
        for (name, mut gaps) in std::mem::take(&mut self.gaps) {
            gaps.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
            gaps.dedup();
            let (first, last) = gaps[0];
            let others = match gaps.len() - 1 {
                0 => String::new(),
                1 => ", nor in another part".to_owned(),
                others => format!(", nor in {others} other parts"),
            };
            warn(format!("{name}: nothing is measured from {first} to {last} cm^-1{others}: it absorbs nothing there"));
        }
        std::mem::take(&mut self.held).into_iter().for_each(|(name, held)| warn(format!("{name}: {held}")));
    }
}
