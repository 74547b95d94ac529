//! The arithmetic of a mechanism as one worker would do it, step by step, by the tables of [`Tables`].
//!
//! [`Tables`]: crate::host::tables::Tables

use isobar_core::Column;

use crate::host::symbolic::LuPattern;
use crate::physics::index::Index;
use crate::physics::sizes::Sizes;
use crate::schedule::layout::Layout;
use crate::schedule::numbers::PART;

/// What one worker would do, in order: `left * right + addend`, or the negative inverse of the addend. Places are
/// entries of the layout.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    pub(super) target: usize,
    pub(super) left: usize,
    pub(super) right: usize,
    pub(super) addend: usize,
    pub(super) inverts: bool,
}

impl Step {
    /// A product goes to what is there.
    pub(super) fn add(target: usize, left: usize, right: usize) -> Self {
        Self { target, left, right, addend: target, inverts: false }
    }
}

/// Steps under construction, and the entries in which they form parts of long sums.
pub(super) struct Steps {
    pub(super) steps: Vec<Step>,
    pub(super) next_part: usize,
    /// An entry that is -0, and one that is 1.
    nothing: usize,
    one: usize,
}

impl Steps {
    /// Adds products of pairs of entries to a target, in parts as one worker does.
    fn sum(&mut self, target: usize, products: &[[usize; 2]]) {
        let mut parts = products.chunks(PART);
        self.steps.extend(parts.next().unwrap_or_default().iter().map(|&[l, r]| Step::add(target, l, r)));
        for part in parts {
            let place = self.next_part;
            self.next_part += 1;
            for (number, &[l, r]) in part.iter().enumerate() {
                let addend = if number == 0 { self.nothing } else { place };
                self.steps.push(Step { addend, ..Step::add(place, l, r) });
            }
            self.steps.push(Step::add(target, place, self.one));
        }
    }
}

/// Entries of the layout, and behind it -0, the coefficients, and parts of sums.
pub(super) struct Places<'a> {
    pub(super) layout: &'a Layout,
    pub(super) sizes: Sizes,
    pub(super) coefficients: usize,
}

impl Places<'_> {
    /// An entry that is -0: what is added to it does not change.
    fn nothing(&self) -> usize {
        self.layout.entries as usize
    }

    /// An entry that is 1.
    pub(super) fn one(&self) -> usize {
        (self.layout.state + self.sizes.variable + self.sizes.fixed) as usize
    }

    fn coefficient(&self, number: usize) -> usize {
        self.nothing() + 1 + number
    }

    fn factor(&self, entry: usize) -> usize {
        self.layout.factors as usize + entry
    }

    fn rate(&self, number: usize) -> usize {
        self.layout.rates as usize + number
    }

    /// No steps yet.
    fn steps(&self) -> Steps {
        let next_part = self.coefficient(self.coefficients);
        Steps { steps: vec![], next_part, nothing: self.nothing(), one: self.one() }
    }

    pub(super) fn function(&self, table: &mut impl Iterator<Item = usize>) -> Steps {
        let mut steps = self.steps();
        let mut species = self.layout.function as usize;
        while let Some(terms) = table.next() {
            let products: Vec<_> = (0..terms).map(|_| self.term(table)).collect();
            steps.sum(species, &products);
            species += 1;
        }
        steps
    }

    /// A rate or a derivative, whose coefficient comes first.
    fn term(&self, table: &mut impl Iterator<Item = usize>) -> [usize; 2] {
        let rate = self.rate(next(table));
        [self.coefficient(next(table)), rate]
    }

    /// Building the matrix, and factoring it.
    pub(super) fn matrix(&self, table: &mut impl Iterator<Item = usize>, pattern: &LuPattern) -> (Steps, Steps) {
        let (mut jacobian, mut factor) = (self.steps(), self.steps());
        let mut target = self.factor(0);
        for _ in 0..pattern.rows() {
            let (left, right) = (next(table), next(table));
            for number in 0..left + 1 + right {
                let pivot = (number < left).then(|| next(table));
                let (terms, products) = (next(table), next(table));
                let terms: Vec<_> = (0..terms).map(|_| self.term(table)).collect();
                jacobian.sum(target, &terms);
                let products: Vec<_> =
                    (0..products).map(|_| [self.factor(next(table)), self.factor(next(table))]).collect();
                factor.sum(target, &products);
                if let Some(pivot) = pivot {
                    let addend = self.nothing();
                    factor.steps.push(Step { addend, ..Step::add(target, self.factor(pivot), target) });
                } else if number == left {
                    factor.steps.push(Step { inverts: true, ..Step::add(target, target, target) });
                }
                target += 1;
            }
        }
        (jacobian, factor)
    }

    /// Forward through L, and backward through U, where the last stage has its place.
    pub(super) fn solve(&self, pattern: &LuPattern, stages: u32) -> Steps {
        let mut steps = self.steps();
        let solution = |row: usize| self.layout.stages as usize + (stages as usize - 1) * pattern.rows() + row;
        let product = |place: usize| [self.factor(place), solution(pattern.column[place])];
        for row in 0..pattern.rows() {
            let left: Vec<_> = (pattern.row_start[row]..pattern.diagonal[row]).map(product).collect();
            steps.sum(solution(row), &left);
        }
        for row in (0..pattern.rows()).rev() {
            let diagonal = pattern.diagonal[row];
            let right: Vec<_> = (diagonal + 1..pattern.row_start[row + 1]).rev().map(product).collect();
            steps.sum(solution(row), &right);
            let addend = self.nothing();
            steps.steps.push(Step { addend, ..Step::add(solution(row), self.factor(diagonal), solution(row)) });
        }
        steps
    }
}

/// The numbers of a table, one after the other.
pub(super) fn list<I: Index>(table: &Column<'_, I>) -> impl Iterator<Item = usize> {
    (0..table.len()).map(|i| table.at(i).place())
}

fn next(table: &mut impl Iterator<Item = usize>) -> usize {
    table.next().expect("a table is whole")
}
