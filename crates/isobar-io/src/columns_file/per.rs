//! For what a quantity has values.

use crate::netcdf::Dimension;

/// What a quantity has a value for, in each column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Per {
    Layer,
    Level,
    /// The boundaries between layers.
    Interface,
    Column,
    /// Each layer and band.
    LayerAndBand(Bands),
    /// Each band, or all of them.
    Band(Bands),
    /// Each layer, or all of them.
    AnyLayer,
}

/// The spectrum that bands belong to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bands {
    /// The only spectrum.
    Any,
    /// The long wave.
    Longwave,
    /// The short wave.
    Shortwave,
}

impl Bands {
    pub(crate) fn dimension(self) -> Dimension {
        match self {
            Self::Any => Dimension::Band,
            Self::Longwave => Dimension::LongwaveBand,
            Self::Shortwave => Dimension::ShortwaveBand,
        }
    }
}
