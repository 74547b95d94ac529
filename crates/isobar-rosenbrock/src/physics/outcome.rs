//! What became of a cell.

use isobar_core::Status;

/// More steps were attempted than allowed.
pub const TOO_MANY_STEPS: Status = Status(16);
/// The step became too small: nothing is added to the time, or no error is small enough.
pub const STEP_TOO_SMALL: Status = Status(32);
/// The matrix was singular six times in a row.
pub const SINGULAR: Status = Status(64);
/// NaN or infinity, in what the cell started from or at every step however small.
///
/// KPP accepts such a step as one without error.
pub const NOT_FINITE: Status = Status::NOT_FINITE;

/// The code that KPP gives: 1 for success; -9, which KPP does not have, for what is not finite; 0 for a cell that was
/// not computed.
#[must_use]
pub fn kpp_code(status: Status) -> i32 {
    match status {
        Status::OK => 1,
        TOO_MANY_STEPS => -6,
        STEP_TOO_SMALL => -7,
        SINGULAR => -8,
        NOT_FINITE => -9,
        _ => 0,
    }
}

/// The status in words.
#[must_use]
pub fn describe(status: Status) -> &'static str {
    match status {
        Status::OK => "success",
        TOO_MANY_STEPS => "too many steps",
        STEP_TOO_SMALL => "step too small",
        SINGULAR => "singular matrix",
        NOT_FINITE => "not a finite number",
        Status::OUT_OF_RANGE => "input out of range",
        _ => "not computed",
    }
}
