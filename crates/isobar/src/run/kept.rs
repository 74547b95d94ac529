//! The values of fields at one time.

use isobar_column::stages::Budget;
use isobar_column::stages::quantity as q;
use isobar_column::{Error, Precision, Quantity, State, Step};
use rayon::prelude::*;

/// Fields, each with the values of all times that are kept.
pub(super) type Kept<R> = [KeptField<R>];
/// A field with its values.
pub(super) type KeptField<R> = (Quantity, Vec<R>);

/// Adds the values of fields as they are now, budgets among them; of columns that have stopped, NaN.
pub(super) fn keep<R: Precision>(state: &mut State<R>, kept: &mut Kept<R>) -> Result<(), Error> {
    state.apply(&mut Budget, &Step::first(0.0))?;
    let (columns, stopped) = (state.columns(), state.stopped()?);
    let stopped: Vec<usize> = (0..columns).filter(|&column| stopped[column].is_some()).collect();
    for (quantity, values) in kept {
        let before = values.len();
        if *quantity == q::TEMPERATURE {
            // The state's is that before the step.
            let (theta, exner) = (state.to_host(q::POTENTIAL_TEMPERATURE)?, state.to_host(q::EXNER)?);
            values.par_extend(theta.par_iter().zip(&exner).map(|(&theta, &exner)| theta * exner));
        } else {
            state.append_to(values, *quantity)?;
        }
        for &column in &stopped {
            values[before..].iter_mut().skip(column).step_by(columns).for_each(|value| *value = R::from_f64(f64::NAN));
        }
    }
    Ok(())
}
