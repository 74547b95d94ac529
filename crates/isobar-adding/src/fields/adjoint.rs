//! What the adjoint model takes: profiles, and derivatives by what is computed of them.

use super::azimuth::{CotangentViews, ProfileViews};

isobar_core::input_pair! {
    /// Profiles and cotangents, as views.
    AdjointViews { profiles: ProfileViews, cotangents: CotangentViews }
}
