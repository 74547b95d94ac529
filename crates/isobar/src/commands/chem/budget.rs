//! The budgets that `--budget` asks for.

use isobar_kpp::{Budget, Mechanism};

use crate::program::failure::Failure;

/// All budgets of a run, and the reactions that they count.
#[derive(Debug, Default)]
pub(super) struct Budgets {
    pub(super) all: Vec<Budget>,
    /// Numbers of reactions, rising.
    pub(super) counted: Vec<u32>,
}

impl Budgets {
    /// Those of `--budget`.
    pub(super) fn new(texts: &[String], mechanism: &Mechanism) -> Result<Self, Failure> {
        let all = texts.iter().map(|text| mechanism.budget(text)).collect::<Result<Vec<_>, _>>();
        let all = all.map_err(|error| Failure::usage(format!("--budget: {error}")))?;
        for (i, budget) in all.iter().enumerate() {
            if all[..i].iter().any(|other| other.name.eq_ignore_ascii_case(&budget.name)) {
                return Err(Failure::usage(format!("--budget: {} stands there twice", budget.name)));
            }
        }
        let mut counted: Vec<u32> =
            all.iter().flat_map(|budget| &budget.terms).map(|&(reaction, _)| reaction as u32).collect();
        counted.sort_unstable();
        counted.dedup();
        Ok(Self { all, counted })
    }

    /// Adds an interval's burdens, times its length, to `sums` \[s molecule/cm^3\], a row a budget: the mean of both
    /// ends, where a concentration is `[species * cells + cell]`.
    pub(super) fn add_burdens(&self, sums: &mut [f64], ends: [&[f64]; 2], cells: usize, length_s: f64) {
        for (row, budget) in sums.chunks_mut(cells.max(1)).zip(&self.all) {
            for &(species, weight) in &budget.members {
                let of = ends.map(|end| &end[species * cells..(species + 1) * cells]);
                for ((sum, before), after) in row.iter_mut().zip(of[0]).zip(of[1]) {
                    *sum += 0.5 * length_s * weight * (before + after);
                }
            }
        }
    }
}
