//! Which types travel to a device as bytes.

use isobar_launch::Plain;

use crate::channel::Channel;
use crate::coverage::Outside;
use crate::curve::CurveHead;
use crate::jacobian::{Case, CaseRay};
use crate::tables::{Cell, GridHead, LevelHead, TableHead};

macro_rules! plain {
    ($($type:ty)*) => {$(
        // SAFETY: numbers in a `repr(C)` struct without gaps.
        unsafe impl Plain for $type {}
    )*};
}
plain!(TableHead GridHead LevelHead CurveHead Outside Case CaseRay);
// SAFETY: as above.
unsafe impl<R: Plain> Plain for Cell<R> {}
// SAFETY: as above.
unsafe impl<R: Plain> Plain for Channel<R> {}
