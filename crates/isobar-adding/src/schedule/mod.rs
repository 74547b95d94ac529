//! Who computes what: the ways to share a batch among lanes. All give the same bits.

pub(crate) mod azimuth;
pub(crate) mod clear_sky;

/// `by_size!("add", N)` is `"add_8"` for `N = 8`.
macro_rules! by_size {
    ($name:literal, $n:ident) => {
        match $n {
            4 => concat!($name, "_4"),
            8 => concat!($name, "_8"),
            16 => concat!($name, "_16"),
            32 => concat!($name, "_32"),
            _ => panic!("there is room for 4, 8, 16 or 32 nodes a hemisphere"),
        }
    };
}

/// A way to share a clear-sky batch among the lanes of a GPU. A CPU's thread has one of its own, with the same bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize), serde(rename_all = "snake_case"))]
pub enum Schedule {
    /// The fastest for the batch's shape, by measurement: [`Schedule::resolve`].
    #[default]
    Auto,
    /// A lane a profile and angle.
    Sequential,
    /// Eight lanes a profile and angle, a segment of every group each.
    Warp,
    /// Eight warps for 32 profiles and several angles; for all levels as [`Schedule::Sequential`].
    Block,
    /// A block a profile and angle, 2048 layers at once.
    Deep,
}

impl Schedule {
    /// All but `Auto`.
    pub const ALL: [Self; 4] = [Self::Sequential, Self::Warp, Self::Block, Self::Deep];

    /// The name on a command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Sequential => "sequential",
            Self::Warp => "warp",
            Self::Block => "block",
            Self::Deep => "deep",
        }
    }
}

/// What decides which schedule is the fastest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Profiles.
    pub profiles: usize,
    /// Layers of each.
    pub layers: usize,
    /// Angles of each.
    pub angles: usize,
    /// Are the radiances of all levels wanted?
    pub levels: bool,
}

impl Schedule {
    /// The schedule itself, or if it is `Auto` the fastest one for a shape on a GPU: measured on an H200
    /// (docs/notes/adding.md).
    ///
    /// Few radiances of a deep atmosphere take a block each; a batch that fills the machine with shallow profiles or
    /// few angles takes a lane each; in between the segments are shared among warps, or for all levels among lanes.
    #[must_use]
    pub fn resolve(self, shape: Shape) -> Self {
        let Shape { layers, angles, levels, .. } = shape;
        let radiances = shape.profiles * angles;
        match self {
            Self::Auto if radiances <= 100 && layers > if levels { 384 } else { 128 } => Self::Deep,
            Self::Auto if levels && radiances < 20_000 => Self::Warp,
            Self::Auto if levels => Self::Sequential,
            Self::Auto if radiances >= 50_000 && layers < 48 || radiances >= 150_000 && angles <= 2 => Self::Sequential,
            Self::Auto => Self::Block,
            given => given,
        }
    }
}
