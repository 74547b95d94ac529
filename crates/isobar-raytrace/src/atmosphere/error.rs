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
    /// The height around which the pressure is made hydrostatic lies outside a profile.
    #[error(
        "the height whose pressure stays, HYDZ = {reference_km} km, lies outside [{low_km}, {high_km}], the levels"
    )]
    Reference {
        /// The height \[km\].
        reference_km: f64,
        /// The lowest level of the profile \[km\].
        low_km: f64,
        /// Its highest.
        high_km: f64,
    },
    /// The ground is no lower than the top of the atmosphere.
    #[error(
        "the surface, by its height of {height_km} km or its pressure of {pressure_hpa} hPa, lies at {found_km} km: \
         outside (-inf, {top_km}), below the top of the atmosphere"
    )]
    Surface {
        /// The height that was given \[km\].
        height_km: f64,
        /// The pressure that was given \[hPa\].
        pressure_hpa: f64,
        /// Where rays would meet it \[km\].
        found_km: f64,
        /// The highest level \[km\].
        top_km: f64,
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
