//! Which end of the layers is the top.

/// Which end of the layers and levels has index 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Orientation {
    /// The top of the atmosphere.
    TopFirst,
    /// The surface.
    BottomFirst,
}

impl Orientation {
    pub(crate) fn text(self) -> &'static str {
        match self {
            Self::TopFirst => "that index 0 is the top",
            Self::BottomFirst => "that index 0 is the bottom",
        }
    }
}
