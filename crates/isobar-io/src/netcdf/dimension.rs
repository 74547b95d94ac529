//! What dimensions are called.

use std::fmt;

/// A dimension by what runs along it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Dimension {
    /// Atmospheric columns.
    Profile,
    /// Layers.
    Layer,
    /// Levels: the boundaries of layers.
    Level,
    /// The boundaries between layers: levels without the lowest and the uppermost.
    Interface,
    /// Viewing angles.
    Angle,
    /// Quadrature angles.
    Stream,
    /// Moments of a phase function.
    Moment,
    /// Spectral bands.
    Band,
    /// Spectral bands of the long wave, beside those of the short wave.
    LongwaveBand,
    /// Spectral bands of the short wave.
    ShortwaveBand,
    /// Grid cells.
    Cell,
    /// Chemical reactions.
    Reaction,
    /// Tracers.
    Tracer,
    /// Points in time.
    Time,
    /// Rows of a grid of columns, from south to north.
    SouthNorth,
    /// Columns of such a row, from west to east.
    WestEast,
    /// The faces between rows, one more than those.
    SouthNorthStaggered,
    /// The faces between the columns of a row, one more than those.
    WestEastStaggered,
    /// Experiments on the same columns.
    Experiment,
    /// Places, the columns of an experiment.
    Site,
}

use Dimension::{
    Angle, Band, Cell, Experiment, Interface, Layer, Level, LongwaveBand, Moment, Profile, Reaction, ShortwaveBand,
    Site, SouthNorth, SouthNorthStaggered, Stream, Time, Tracer, WestEast, WestEastStaggered,
};

/// Our name first; small letters.
const NAMES: [(Dimension, &[&str]); 20] = [
    (
        Profile,
        &["profile", "profiles", "column", "columns", "col", "nprofile", "nprofiles", "nprof", "ncol", "ncolumns"],
    ),
    (Layer, &["layer", "layers", "lay", "nlay", "nlayer", "nlayers", "full_level", "full_levels", "bottom_top"]),
    (
        Level,
        &[
            "level",
            "levels",
            "lev",
            "nlev",
            "nlevel",
            "nlevels",
            "interface",
            "interfaces",
            "ilev",
            "half_level",
            "half_levels",
            "bottom_top_stag",
        ],
    ),
    (Interface, &["layer_interface", "layer_interfaces", "level_interface", "level_interfaces"]),
    (Angle, &["angle", "angles", "nangle", "nangles", "mu", "nmu", "zenith", "zenith_angle"]),
    (Stream, &["stream", "streams", "nstream", "nstreams", "quadrature"]),
    (Moment, &["moment", "moments", "nmoment", "nmoments", "nmom", "legendre"]),
    (Band, &["band", "bands", "nband", "nbands", "bnd", "nbnd"]),
    (LongwaveBand, &["longwave_band", "longwave_bands", "lw_band", "band_lw", "lw_emissivity_band"]),
    (ShortwaveBand, &["shortwave_band", "shortwave_bands", "sw_band", "band_sw", "sw_albedo_band"]),
    (Cell, &["cell", "cells", "ncell", "ncells"]),
    (Reaction, &["reaction", "reactions", "nreaction", "nreactions", "nreact"]),
    (Tracer, &["tracer", "tracers", "ntracer", "ntracers", "species", "nspecies"]),
    (Time, &["time", "times", "ntime"]),
    // As WRF calls them.
    (SouthNorth, &["south_north"]),
    (WestEast, &["west_east"]),
    (SouthNorthStaggered, &["south_north_stag"]),
    (WestEastStaggered, &["west_east_stag"]),
    // As RFMIP calls them.
    (Experiment, &["experiment", "expt", "experiments"]),
    (Site, &["site", "sites"]),
];

impl Dimension {
    /// Our name.
    #[must_use]
    pub fn name(self) -> &'static str {
        NAMES.iter().find(|(dimension, _)| *dimension == self).map_or("", |(_, names)| names[0])
    }

    /// The dimension that goes by a name: case, and `n_` or `num_` before it, do not matter.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        let name = name.to_lowercase();
        let plain = name.strip_prefix("n_").or_else(|| name.strip_prefix("num_")).unwrap_or(&name);
        NAMES.iter().find(|(_, names)| names.contains(&plain)).map(|(dimension, _)| *dimension)
    }

    /// Whether it runs along the vertical.
    #[must_use]
    pub fn is_vertical(self) -> bool {
        matches!(self, Layer | Level | Interface)
    }
}

impl fmt::Display for Dimension {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The dimension that goes by a name in a file with these dimensions. Where there is `ilev`, `lev` are the layers
/// between; so are ecRad's `level` beside `half_level`.
pub(super) fn in_file<'a>(name: &str, mut all: impl Iterator<Item = &'a str>) -> Option<Dimension> {
    let between = [("lev", "ilev"), ("level", "half_level")];
    let found = between.into_iter().find(|(layers, _)| name.eq_ignore_ascii_case(layers));
    match found {
        Some((_, levels)) if all.any(|other| other.eq_ignore_ascii_case(levels)) => Some(Layer),
        _ => Dimension::from_name(name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_again_and_are_of_one_dimension() {
        let mut all: Vec<&str> = NAMES.iter().flat_map(|(_, names)| names.iter().copied()).collect();
        for (dimension, names) in NAMES {
            assert_eq!(dimension.name(), names[0]);
            assert!(names.iter().all(|name| Dimension::from_name(name) == Some(dimension)));
        }
        let count = all.len();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), count);
        assert_eq!(Dimension::from_name("n_Layers"), Some(Layer));
        assert_eq!(Dimension::from_name("longitude"), None);
    }

    #[test]
    fn lev_beside_ilev_is_the_layers() {
        assert_eq!(in_file("lev", ["lev", "ncol"].into_iter()), Some(Level));
        assert_eq!(in_file("lev", ["lev", "ilev"].into_iter()), Some(Layer));
        assert_eq!(in_file("ilev", ["lev", "ilev"].into_iter()), Some(Level));
        assert_eq!(in_file("level", ["level", "layer"].into_iter()), Some(Level));
        assert_eq!(in_file("level", ["level", "half_level"].into_iter()), Some(Layer));
        assert_eq!(in_file("half_level", ["level", "half_level"].into_iter()), Some(Level));
    }
}
