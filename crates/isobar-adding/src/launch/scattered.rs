//! What is chosen where layers scatter, and what comes out.

/// In which order the layers are added.
///
/// The two orders round differently: results agree to about the accuracy of the precision, not bit for bit. Each order
/// by itself gives the same bits on every device, whatever the chunks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ScatteringSchedule {
    /// The faster one on a GPU: see [`ScatteringSchedule::resolve`].
    #[default]
    Auto,
    /// From the surface up, a team of lanes a profile: the least work.
    Sequential,
    /// As a tree, all layers at once: three times the work, and for few profiles or many layers the shorter way on a
    /// GPU.
    Tree,
}

/// From so many profiles times streams on, `Auto` is `Sequential`: measured on an H200 (docs/performance.md).
const MANY: usize = 5000;

impl ScatteringSchedule {
    /// The schedule itself, or if it is `Auto` the one for a batch of so many profiles and streams a hemisphere.
    ///
    /// It depends on the whole batch and on nothing else, neither chunks nor devices, for the two round differently.
    #[must_use]
    pub fn resolve(self, profiles: usize, streams: usize) -> Self {
        match self {
            Self::Auto if profiles * streams < MANY => Self::Tree,
            Self::Auto => Self::Sequential,
            given => given,
        }
    }

    /// The name on a command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Sequential => "sequential",
            Self::Tree => "tree",
        }
    }
}

/// Radiances of a batch that scatters, in the unit of its Planck radiances. The profile is the fastest index, then the
/// stream, then the level from the top.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ScatteringRadiances<R> {
    /// Upward at the top, `[stream * profiles + profile]`.
    pub top: Vec<R>,
    /// Upward, `[(level * streams + stream) * profiles + profile]`; empty unless all levels are wanted.
    pub level_up: Vec<R>,
    /// Downward, likewise; without the direct beam of the Sun.
    pub level_down: Vec<R>,
}
