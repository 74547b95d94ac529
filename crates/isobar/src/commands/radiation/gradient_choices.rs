//! Options of radiative kernels.

use clap::{Args, ValueEnum};

/// Which derivatives are written.
#[derive(Args, Debug)]
pub(in crate::commands) struct GradientChoices {
    /// Also write radiative kernels, the derivatives of these fluxes, separated by commas
    #[arg(long, value_enum, value_delimiter = ',', value_name = "FLUX", conflicts_with = "top_layer")]
    pub(super) gradient: Vec<GradientOf>,
    /// By what, separated by commas, as the file or `isobar check` calls it, such as temperature,h2o: all that they
    /// depend on, unless it is given. Temperatures, gases, clouds' water and the surface count as independent of each
    /// other; temperatures, pressures and water paths that were derived from a file's follow these. surface_pressure:
    /// where pressures of levels follow from it, as with hybrid coefficients
    #[arg(long, value_delimiter = ',', value_name = "NAME", requires = "gradient")]
    pub(super) by: Vec<String>,
}

/// A flux whose derivatives there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "snake_case")]
pub(in crate::commands) enum GradientOf {
    /// What comes in at the top less what goes out, of both spectra
    ToaNet,
    /// What goes out at the top in the long wave
    ToaLongwaveUp,
    /// What goes out at the top in the short wave
    ToaShortwaveUp,
    /// What the surface takes up, of both spectra
    SurfaceNet,
    /// What the surface gets in the long wave
    SurfaceLongwaveDown,
    /// What the surface gets in the short wave
    SurfaceShortwaveDown,
}
