//! The precisions in which models are compiled.

use isobar_launch::{Job, compiled_here};

use super::clear_sky::{self, ClearSky};
use super::scattering::{self, Scattering};

compiled_here! {
    /// A precision in which radiances are computed: `f32` or `f64`.
    pub trait Precision {
        fn enqueue_clear_sky(job: Job<'_, '_, '_, ClearSky<Self>>) = clear_sky::enqueue;
        fn enqueue_scattering(job: Job<'_, '_, '_, Scattering<Self>>) = scattering::enqueue;
    }
}
