//! The two points that define a ray.

/// A point on or above the spherical Earth.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(C)]
pub struct Position {
    /// Height above the sphere \[km\].
    pub height_km: f64,
    /// Longitude, positive to the east \[deg\].
    pub longitude_deg: f64,
    /// Latitude, positive to the north \[deg\].
    pub latitude_deg: f64,
}

/// A line of sight: from an observer towards a view point (for a limb ray its geometric tangent
/// point, for a nadir ray a point on the ground).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(C)]
pub struct Ray {
    /// Time of the measurement \[s since 2000-01-01T00:00Z\].
    pub time_s: f64,
    /// Where the instrument is.
    pub observer: Position,
    /// What it looks at.
    pub view_point: Position,
}
