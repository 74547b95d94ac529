//! A step of the iteration within the limits of the state.

use nalgebra::{Cholesky, DMatrix, DVector};

/// Where a step leads.
pub(crate) struct Step {
    /// The state there, within its limits.
    pub(crate) values: DVector<f64>,
    /// `dx^T S^-1 dx`, its length in units of the errors (Eq. 5.29).
    pub(crate) length: f64,
}

/// The solution of `left dx = right` from a state, without the elements that it would lead out of their limits: those
/// at a limit beyond which the cost falls stay there, and the others are solved for without them (Bertsekas 1982,
/// doi:10.1137/0320018). A step that crosses a limit from within ends there. Nothing if the equations are singular.
pub(crate) fn within_limits(
    left: DMatrix<f64>,
    right: &DVector<f64>,
    here: &DVector<f64>,
    limits: &[(f64, f64)],
) -> Option<Step> {
    let leads_out = |i: usize, towards: f64| {
        let (low, high) = limits[i];
        (here[i] <= low && towards < 0.0) || (here[i] >= high && towards > 0.0)
    };
    let mut held: Vec<bool> = (0..here.len()).map(|i| leads_out(i, right[i])).collect();
    let step = loop {
        let step = solved_without(&left, right, &held)?;
        let more: Vec<usize> = (0..here.len()).filter(|&i| !held[i] && leads_out(i, step[i])).collect();
        if more.is_empty() {
            break step;
        }
        more.into_iter().for_each(|i| held[i] = true);
    };
    let free = here + &step;
    let values = DVector::from_fn(here.len(), |i, _| free[i].clamp(limits[i].0, limits[i].1));
    let length = if values == free {
        step.dot(right)
    } else {
        let cut = &values - here;
        cut.dot(&(left * &cut))
    };
    Some(Step { values, length })
}

/// The solution where some elements are 0.
fn solved_without(left: &DMatrix<f64>, right: &DVector<f64>, held: &[bool]) -> Option<DVector<f64>> {
    if !held.contains(&true) {
        return Some(Cholesky::new(left.clone())?.solve(right));
    }
    let is_left = |i: usize, j: usize| !held[i] && !held[j];
    let of_the_others = DMatrix::from_fn(held.len(), held.len(), |i, j| match is_left(i, j) {
        true => left[(i, j)],
        false => f64::from(i == j),
    });
    let right = DVector::from_fn(held.len(), |i, _| if held[i] { 0.0 } else { right[i] });
    Some(Cholesky::new(of_the_others)?.solve(&right))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The least of a quadratic form over a box is where each element either has no slope, or is at a limit beyond
    /// which the form falls (Karush, Kuhn and Tucker). Steps from whatever state lead there.
    #[test]
    fn steps_lead_to_the_least_within_limits() {
        let n = 6;
        let correlated = |i: usize, j: usize| 1.0 / (1.0 + 3.0 * (i as f64 - j as f64).abs());
        let left = DMatrix::from_fn(n, n, correlated);
        let least = DVector::from_vec(vec![-1.0, 0.5, 3.0, -0.2, 0.7, 1.4]);
        let limits = vec![(0.0, 1.0); n];
        for start in [0.0, 0.4, 1.0] {
            let mut here = DVector::from_element(n, start);
            for _ in 0..50 {
                let right = &left * (&least - &here);
                here = within_limits(left.clone(), &right, &here, &limits).expect("not singular").values;
            }
            let slope = &left * (&here - &least);
            for i in 0..n {
                let fits = match here[i] {
                    0.0 => slope[i] > 0.0,
                    1.0 => slope[i] < 0.0,
                    _ => slope[i].abs() < 1e-12,
                };
                assert!(fits, "element {i} is {}, its slope {}", here[i], slope[i]);
            }
            let end = within_limits(left.clone(), &-slope, &here, &limits).expect("not singular");
            assert!(here.iter().any(|&x| x == 0.0 || x == 1.0) && end.length.abs() < 1e-20, "{}", end.length);
        }
    }
}
