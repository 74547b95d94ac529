//! What can become of a ray.

use isobar_core::Status;

/// The observer is below the ground.
pub const OBSERVER_BELOW_GROUND: Status = Status(16);
/// Observer and view point coincide, or are not finite.
pub const NO_DIRECTION: Status = Status(17);
/// The path has more points than the rules allow: the steps are too short, or the ray is trapped.
pub const TOO_MANY_POINTS: Status = Status(18);
