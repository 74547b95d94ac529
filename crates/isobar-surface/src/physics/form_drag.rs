//! Drag of orography that the grid does not resolve (`if_kim_tofd`).

use isobar_core::Real;

use crate::constants::{FORM_DRAG, LEAST_DEVIATION};
use crate::options::Parameters;
use crate::physics::point::Point;

/// What it adds to the drag coefficient: less in stable air, nothing over what is nearly flat.
#[inline(always)]
pub(crate) fn form_drag<R: Real>(parameters: &Parameters<R>, point: &Point<R>, height: R, richardson: R) -> R {
    if !parameters.form_drag() {
        return R::ZERO;
    }
    // Where it is flat, something that can be divided by: it is not taken.
    let rough = point.deviation > R::from_f64(LEAST_DEVIATION);
    let deviation = if rough { point.deviation } else { R::ONE };
    let hills = (deviation * parameters.form_drag_factor).min(height);
    let logarithm = ((height + hills) / hills).plain_ln();
    let mixed = (R::ONE - richardson).clamp(R::ZERO, R::ONE);
    let drag = R::from_f64(FORM_DRAG) / (logarithm * logarithm) * mixed;
    if rough { drag } else { R::ZERO }
}
