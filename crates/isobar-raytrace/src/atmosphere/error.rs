//! Why an atmosphere or a ray was refused.

/// Why a profile or a ray was refused.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Error {
    /// A profile has too few levels.
    #[error("the atmosphere has {0} level(s), it needs at least 2")]
    TooFewLevels(usize),
    /// The vectors of an atmosphere differ in length.
    #[error("{variable} has {got} levels, the heights have {expected}")]
    Length {
        /// Which vector.
        variable: String,
        /// Its length.
        got: usize,
        /// The number of heights.
        expected: usize,
    },
    /// A value lies outside its accepted range.
    #[error("{variable} {value} at level {level} lies outside {range}")]
    Value {
        /// Which variable.
        variable: String,
        /// The level, from 0.
        level: usize,
        /// The value found.
        value: f64,
        /// The accepted range.
        range: &'static str,
    },
    /// The heights are neither ascending nor descending.
    #[error(
        "height {value} km at level {level} breaks the order of the profile: heights must ascend or descend strictly"
    )]
    Order {
        /// The level, from 0.
        level: usize,
        /// The height found \[km\].
        value: f64,
    },
    /// A profile of a track has a single level, or two profiles stand at one place.
    #[error("profile {profile} (from level {level}, at {longitude_deg} E, {latitude_deg} N) {reason}")]
    Profile {
        /// The profile, from 0.
        profile: usize,
        /// Its first level, from 0.
        level: usize,
        /// Its longitude \[deg\].
        longitude_deg: f64,
        /// Its latitude \[deg\].
        latitude_deg: f64,
        /// What is wrong.
        reason: &'static str,
    },
    /// A ray could not be traced.
    #[error("ray {ray}: {reason}")]
    Ray {
        /// The ray, from 0.
        ray: usize,
        /// Why.
        reason: &'static str,
    },
}
