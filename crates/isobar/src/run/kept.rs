//! The values of fields at one time.

use isobar_column::stages::Budget;
use isobar_column::stages::quantity as q;
use isobar_column::{Error, Precision, Quantity, State, Step};

/// The values of some fields, field by field.
pub(super) type Kept<R> = Vec<Vec<R>>;

/// The values of fields as they are now, budgets among them; of columns that have stopped, NaN.
pub(super) fn keep<R: Precision>(state: &mut State<R>, quantities: &[Quantity]) -> Result<Kept<R>, Error> {
    state.apply(&mut Budget, &Step::first(0.0))?;
    let value = |&quantity: &Quantity| {
        if quantity != q::TEMPERATURE {
            return state.to_host(quantity);
        }
        // The state's is that before the step.
        let (theta, exner) = (state.to_host(q::POTENTIAL_TEMPERATURE)?, state.to_host(q::EXNER)?);
        Ok(theta.iter().zip(&exner).map(|(&theta, &exner)| theta * exner).collect())
    };
    let mut kept = quantities.iter().map(value).collect::<Result<Kept<R>, Error>>()?;
    let (columns, stopped) = (state.columns(), state.stopped()?);
    for column in (0..columns).filter(|&column| stopped[column].is_some()) {
        let values = kept.iter_mut().flat_map(|field| field.iter_mut().skip(column).step_by(columns));
        values.for_each(|value| *value = R::from_f64(f64::NAN));
    }
    Ok(kept)
}
