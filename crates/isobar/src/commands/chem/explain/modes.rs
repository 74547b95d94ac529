//! The fastest modes of a cell: eigenvalues of its Jacobian.

use isobar_kpp::Mechanism;
use isobar_rosenbrock::Options;
use nalgebra::linalg::balancing::balance_parlett_reinsch;
use nalgebra::{DMatrix, DVector, Schur};

use super::state::State;

/// Modes and species that are named.
const NAMED: usize = 5;
/// Species beyond which eigenvalues would take long: the work grows with the third power.
const MOST: usize = 1500;
/// Iterations of the decomposition for each species: it takes a few.
const ITERATIONS: usize = 100;
/// A mode that grows more slowly than the interval lasts, this many times, is none.
const OF_INTERVAL: f64 = 1.0;

/// A mode that grows.
#[derive(Clone, Debug)]
pub(super) struct Growing {
    /// The time in which it grows by e \[s\].
    pub(super) time_s: f64,
    /// The species that change most in it, relative to themselves and their tolerance.
    pub(super) species: Vec<usize>,
}

/// The fastest modes.
#[derive(Clone, Debug)]
pub(super) struct Modes {
    /// Species with the largest -J_ii, and 1 over it \[s\].
    pub(super) species: Vec<(usize, f64)>,
    /// Times of the fastest modes that decay \[s\]; none where eigenvalues were not found.
    pub(super) decay_s: Vec<f64>,
    /// The fastest one that grows.
    pub(super) growing: Option<Growing>,
    /// Whether there are eigenvalues.
    pub(super) solved: bool,
}

impl Modes {
    /// The modes at a state; none where it is not finite.
    pub(super) fn of(mechanism: &Mechanism, state: &State, options: &Options) -> Option<Self> {
        let (pattern, variable) = (mechanism.compiled().pattern(), mechanism.variable());
        if !state.jacobian.iter().all(|x| x.is_finite()) {
            return None;
        }
        let mut matrix = DMatrix::zeros(variable, variable);
        for row in 0..variable {
            for place in pattern.row_start[row]..pattern.row_start[row + 1] {
                matrix[(row, pattern.column[place])] = state.jacobian[place];
            }
        }
        let mut species: Vec<(usize, f64)> =
            (0..variable).filter(|&i| matrix[(i, i)] < 0.0).map(|i| (i, -1.0 / matrix[(i, i)])).collect();
        species.sort_by(|one, other| one.1.total_cmp(&other.1));
        species.truncate(NAMED);
        let [absolute, relative] = options.tolerances(variable);
        let scale: Vec<f64> = (0..variable)
            .map(|i| {
                let absolute = if absolute[i].is_finite() { absolute[i] } else { 1.0 };
                absolute + relative[i] * state.concentrations[i].abs()
            })
            .collect();
        // What only counts drives nothing.
        let acts: Vec<bool> = (0..variable).map(|j| matrix.column(j).iter().any(|&x| x != 0.0)).collect();
        let Some(eigenvalues) = eigenvalues(&matrix) else {
            return Some(Self { species, decay_s: vec![], growing: None, solved: false });
        };
        let mut decay_s: Vec<f64> = eigenvalues.iter().filter(|&&x| x < 0.0).map(|x| -1.0 / x).collect();
        decay_s.sort_by(f64::total_cmp);
        decay_s.truncate(NAMED);
        let largest = eigenvalues.iter().copied().fold(0.0, f64::max);
        // What is a rounding of the fastest one is none.
        let fastest = eigenvalues.iter().copied().fold(0.0, |most: f64, x| most.max(x.abs()));
        let growing = (largest > 1e-12 * fastest)
            .then(|| Growing { time_s: 1.0 / largest, species: direction(&matrix, &scale, largest, &acts) });
        Some(Self { species, decay_s, growing, solved: true })
    }

    /// The mode that grows by more than e in an interval.
    pub(super) fn explosive(&self, length_s: f64) -> Option<&Growing> {
        self.growing.as_ref().filter(|growing| growing.time_s < OF_INTERVAL * length_s)
    }
}

/// Real parts of the eigenvalues of a matrix.
fn eigenvalues(matrix: &DMatrix<f64>) -> Option<Vec<f64>> {
    let size = matrix.nrows();
    if size > MOST {
        return None;
    }
    let mut balanced = matrix.clone();
    balance_parlett_reinsch(&mut balanced);
    // What counts as zero beside its neighbours: roundings of a matrix with a wide range may be larger.
    let schur = [1.0, 16.0, 256.0].into_iter();
    let mut schur = schur.map(|of| Schur::try_new(balanced.clone(), of * f64::EPSILON, ITERATIONS * size));
    Some(schur.find_map(|schur| schur)?.complex_eigenvalues().iter().map(|value| value.re).collect())
}

/// The species that act and change most in the mode of an eigenvalue, by two steps of inverse iteration.
fn direction(matrix: &DMatrix<f64>, scale: &[f64], eigenvalue: f64, acts: &[bool]) -> Vec<usize> {
    let size = matrix.nrows();
    // Beside the eigenvalue, for the matrix at it is singular.
    let beside = eigenvalue * (1.0 + 1e-6);
    let shifted =
        DMatrix::from_fn(size, size, |i, j| matrix[(i, j)] * scale[j] / scale[i] - if i == j { beside } else { 0.0 });
    let factors = shifted.lu();
    let mut vector = DVector::from_element(size, 1.0);
    for _ in 0..2 {
        let Some(next) = factors.solve(&vector) else { return vec![] };
        let length = next.norm();
        vector = next / length;
    }
    let mut order: Vec<usize> = (0..size).filter(|&i| acts[i] && vector[i].is_finite()).collect();
    order.sort_by(|&one, &other| vector[other].abs().total_cmp(&vector[one].abs()));
    order.truncate(3);
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eigenvalues_are_those_of_a_triangle() {
        let matrix = DMatrix::from_row_slice(3, 3, &[-1e8, 5.0, 1e3, 0.0, 2.0, 7.0, 0.0, 0.0, -1e-3]);
        let mut found = eigenvalues(&matrix).unwrap();
        found.sort_by(f64::total_cmp);
        for (got, want) in found.iter().zip([-1e8, -1e-3, 2.0]) {
            assert!((got - want).abs() <= 1e-9 * want.abs().max(1.0), "{found:?}");
        }
        // The eigenvector of 2 has its second component; the first is 5/(1e8 + 2) of it.
        assert_eq!(direction(&matrix, &[1.0, 1.0, 1.0], 2.0, &[true; 3])[0], 1);
        assert_eq!(direction(&matrix, &[1.0, 1.0, 1.0], 2.0, &[true, false, true])[0], 0);
    }
}
