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
    /// Angles by which light is scattered.
    ScatteringAngle,
    /// Azimuths of views.
    Azimuth,
    /// Suns over the same air.
    Sun,
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
    /// Layers of soil.
    SoilLayer,
    /// A dimension of whatever name along which the items of a file run, by its number among these.
    Other(u8),
}

use Dimension::{
    Angle, Azimuth, Band, Cell, Experiment, Interface, Layer, Level, LongwaveBand, Moment, Profile, Reaction,
    ScatteringAngle, ShortwaveBand, Site, SoilLayer, SouthNorth, SouthNorthStaggered, Stream, Sun, Time, Tracer,
    WestEast, WestEastStaggered,
};

/// Our name first; small letters.
const NAMES: [(Dimension, &[&str]); 24] = [
    (
        Profile,
        &["profile", "profiles", "column", "columns", "col", "nprofile", "nprofiles", "nprof", "ncol", "ncolumns"],
    ),
    (
        Layer,
        &[
            "layer",
            "layers",
            "lay",
            "nlay",
            "nlayer",
            "nlayers",
            "full_level",
            "full_levels",
            "mid_level",
            "mid_levels",
            "bottom_top",
            // As MPAS calls them, with those of its levels below.
            "nvertlevels",
        ],
    ),
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
            "interface_level",
            "interface_levels",
            "ilev",
            "half_level",
            "half_levels",
            "lev_bounds",
            "level_bounds",
            "bottom_top_stag",
            "nvertlevelsp1",
        ],
    ),
    (Interface, &["layer_interface", "layer_interfaces", "level_interface", "level_interfaces"]),
    (Angle, &["angle", "angles", "nangle", "nangles", "mu", "nmu", "zenith", "zenith_angle"]),
    (Stream, &["stream", "streams", "nstream", "nstreams", "quadrature"]),
    (Moment, &["moment", "moments", "nmoment", "nmoments", "nmom", "legendre"]),
    (ScatteringAngle, &["scattering_angle", "scattering_angles", "nscattering_angle", "theta", "ntheta"]),
    (Azimuth, &["azimuth", "azimuths", "nazimuth", "nazimuths", "relative_azimuth_angle", "phi", "nphi"]),
    (Sun, &["sun", "suns", "nsun", "nsuns", "solar_zenith_angle", "sza", "nsza"]),
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
    (SoilLayer, &["soil_layer"]),
];

impl Dimension {
    /// Our name; of [`Dimension::Other`] only what it is.
    #[must_use]
    pub fn name(self) -> &'static str {
        if let Self::Other(_) = self {
            return "horizontal";
        }
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

    /// Whether the items of a computation, as columns, run along it.
    pub(crate) fn is_of_items(self) -> bool {
        !self.is_vertical()
            && !matches!(
                self,
                Angle
                    | Stream
                    | Moment
                    | ScatteringAngle
                    | Azimuth
                    | Sun
                    | Band
                    | LongwaveBand
                    | ShortwaveBand
                    | Reaction
                    | Tracer
            )
    }
}

impl fmt::Display for Dimension {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Names of layers in some files and of levels in others; so are ICON's `height`, `height_2` and on.
const EITHER: [&str; 7] = ["lev", "nlev", "level", "levels", "nlevel", "nlevels", "height"];
/// Layers, where a file has the levels around them by the other name.
const BETWEEN: [(&str, &str); 5] =
    [("lev", "ilev"), ("lev", "lev_bounds"), ("lev", "half_level"), ("level", "half_level"), ("level", "ilev")];

/// The dimension that goes by a name in a file with these dimensions, which have these sizes. Where there is `ilev`,
/// `lev` are the layers between; so are ecRad's `level` beside `half_level`, and of ICON's `height` and `height_2` the
/// one that is smaller by one.
pub(super) fn in_file<'a>(name: &str, all: impl Iterator<Item = (&'a str, u64)> + Clone) -> Option<Dimension> {
    let is = |other: &str, wanted: &str| other.eq_ignore_ascii_case(wanted);
    let is_numbered = |name: &str| {
        let number = name.to_lowercase().strip_prefix("height_").map(str::to_owned);
        number.is_some_and(|number| !number.is_empty() && number.bytes().all(|digit| digit.is_ascii_digit()))
    };
    let either = |name: &str| EITHER.iter().any(|other| is(name, other)) || is_numbered(name);
    if !either(name) {
        return Dimension::from_name(name);
    }
    let levels = BETWEEN.iter().filter(|(layers, _)| is(name, layers)).map(|(_, levels)| levels);
    if levels.clone().any(|levels| all.clone().any(|(other, _)| is(other, levels))) {
        return Some(Layer);
    }
    if all.clone().any(|(other, _)| !either(other) && Dimension::from_name(other) == Some(Layer)) {
        return Dimension::from_name(name);
    }
    let size = all.clone().find(|(other, _)| *other == name).map_or(0, |(_, size)| size);
    let (mut above, mut below) = (false, false);
    for (other, other_size) in all {
        let vertical = either(other) || matches!(Dimension::from_name(other), Some(Layer | Level));
        above |= vertical && other != name && other_size == size + 1;
        below |= vertical && other != name && other_size + 1 == size;
    }
    match (above, below) {
        (true, false) => Some(Layer),
        (false, true) => Some(Level),
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
        for (name, all, expected) in [
            ("lev", &[("lev", 40), ("ncol", 41)][..], Some(Level)),
            ("lev", &[("lev", 40), ("ilev", 40)], Some(Layer)),
            ("ilev", &[("lev", 40), ("ilev", 41)], Some(Level)),
            ("level", &[("level", 41), ("layer", 40)], Some(Level)),
            ("level", &[("level", 40), ("half_level", 41)], Some(Layer)),
            ("half_level", &[("level", 40), ("half_level", 41)], Some(Level)),
            ("lev", &[("lev", 40), ("lev_bounds", 41)], Some(Layer)),
            ("lev_bounds", &[("lev", 40), ("lev_bounds", 41)], Some(Level)),
            ("level", &[("level", 40), ("layer", 40), ("nlev", 41)], Some(Level)),
            // Of other names the size says it.
            ("level", &[("level", 40), ("interface_levels", 41)], Some(Layer)),
            ("lev", &[("lev", 40), ("level", 41)], Some(Layer)),
            ("level", &[("lev", 40), ("level", 41)], Some(Level)),
            ("height", &[("height", 40), ("height_2", 41), ("ncells", 39)], Some(Layer)),
            ("height_2", &[("height", 40), ("height_2", 41), ("ncells", 42)], Some(Level)),
            ("height", &[("height", 41), ("height_2", 40)], Some(Level)),
            ("height_2", &[("height", 41), ("height_2", 40)], Some(Layer)),
            ("height", &[("height", 41), ("ncells", 40)], None),
            ("height", &[("height", 40), ("height_2", 1), ("height_4", 41)], Some(Layer)),
            ("height_4", &[("height", 40), ("height_2", 1), ("height_4", 41)], Some(Level)),
            ("height_2", &[("height", 40), ("height_2", 1), ("height_4", 41)], None),
            ("nVertLevels", &[("nVertLevels", 40), ("nVertLevelsP1", 41)], Some(Layer)),
            ("nVertLevelsP1", &[("nVertLevels", 40), ("nVertLevelsP1", 41)], Some(Level)),
            ("mid_levels", &[("mid_levels", 40), ("interface_levels", 41)], Some(Layer)),
        ] {
            assert_eq!(in_file(name, all.iter().copied()), expected, "{name} of {all:?}");
        }
    }
}
