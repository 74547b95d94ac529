//! Columns in the host's memory.

use isobar_core::Real;

use crate::band::{GASES, HALOCARBONS};

/// Columns of air over their surfaces, the column the fastest index: `[layer * columns + column]`, the lowest layer or
/// level first.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Columns<R> {
    /// Pressure of the layers \[Pa\], between that of the levels around.
    pub pressure: Vec<R>,
    /// Pressure of the levels, one more than layers \[Pa\], falling with height; the top may be at 0.
    pub level_pressure: Vec<R>,
    /// Temperature of the layers \[K\], 100 to 400.
    pub temperature: Vec<R>,
    /// Temperature of the levels \[K\], likewise.
    pub level_temperature: Vec<R>,
    /// Mixing ratios relative to dry air \[mol/mol\], in the order of [`GASES`]; each of layers and columns, one value
    /// for all, or none for no gas.
    pub gases: [Vec<R>; 7],
    /// The same of the [`HALOCARBONS`].
    pub halocarbons: [Vec<R>; 4],
    /// Columns of dry air \[molecules/cm^2\]. With them, gases are columns \[molecules/cm^2\] and halocarbons columns
    /// \[1e20 molecules/cm^2\]; empty where they follow from the levels' pressure.
    pub dry_column: Vec<R>,
    /// Columns of all that broadens lines besides the gases, likewise.
    pub broadening_column: Vec<R>,
    /// Temperature of the surface \[K\], 100 to 400: one a column.
    pub surface_temperature: Vec<R>,
    /// Emissivity of the surface, 0 to 1: `[band * columns + column]`, or one value for all.
    pub emissivity: Vec<R>,
    /// Absorption optical depth of aerosol, `[(layer * bands + band) * columns + column]`; empty for none.
    pub aerosol: Vec<R>,
    /// Clouds; `None` for clear sky alone.
    pub clouds: Option<CloudColumns<R>>,
}

/// Clouds, `[layer * columns + column]`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct CloudColumns<R> {
    /// The cloudy part of the layer, 0 to 1.
    pub fraction: Vec<R>,
    /// Ice water path of the cloudy part \[g/m^2\]; this and the next three may be empty where optical depths are
    /// given.
    pub ice_path: Vec<R>,
    /// Liquid water path of the cloudy part \[g/m^2\].
    pub liquid_path: Vec<R>,
    /// Size of ice particles \[um\], in the range of [`crate::IceOptics`]; read where there is ice.
    pub ice_size: Vec<R>,
    /// Effective radius of droplets \[um\], in the range of [`crate::LiquidOptics`]; read where there is liquid.
    pub liquid_radius: Vec<R>,
    /// Absorption optical depth of the cloudy part, `[(layer * bands + band) * columns + column]`, instead of water;
    /// otherwise empty.
    pub optical_depth: Vec<R>,
    /// Thickness of the layers \[m\]; read only, and needed, to generate masks with exponential overlap.
    pub thickness_m: Vec<R>,
    /// Latitude of each column \[degrees\]; read only for a decorrelation length by latitude, 0 if empty.
    pub latitude_deg: Vec<R>,
    /// What the clouds that a g-point sees have of the layer's water or optical depth,
    /// `[(layer * points + point) * columns + column]`; empty if all have 1.
    pub share: Vec<R>,
    /// Which g-points see the cloud, `[(layer * words + word) * columns + column]` with `words` of 32 bits for all of
    /// them; empty to have them generated.
    pub mask: Vec<u32>,
}

fn convert<R: Real, T: Real>(values: &[R]) -> Vec<T> {
    values.iter().map(|x| T::from_f64(x.value())).collect()
}

impl<R: Real> Columns<R> {
    /// The number of columns.
    #[must_use]
    pub fn columns(&self) -> usize {
        self.surface_temperature.len()
    }

    /// The number of layers.
    #[must_use]
    pub fn layers(&self) -> usize {
        self.temperature.len().checked_div(self.columns()).unwrap_or(0)
    }

    /// The same columns in another precision.
    #[must_use]
    pub fn rounded<T: Real>(&self) -> Columns<T> {
        let clouds = self.clouds.as_ref().map(|clouds| CloudColumns {
            fraction: convert(&clouds.fraction),
            ice_path: convert(&clouds.ice_path),
            liquid_path: convert(&clouds.liquid_path),
            ice_size: convert(&clouds.ice_size),
            liquid_radius: convert(&clouds.liquid_radius),
            optical_depth: convert(&clouds.optical_depth),
            share: convert(&clouds.share),
            thickness_m: convert(&clouds.thickness_m),
            latitude_deg: convert(&clouds.latitude_deg),
            mask: clouds.mask.clone(),
        });
        Columns {
            pressure: convert(&self.pressure),
            level_pressure: convert(&self.level_pressure),
            temperature: convert(&self.temperature),
            level_temperature: convert(&self.level_temperature),
            gases: self.gases.each_ref().map(|values| convert(values)),
            halocarbons: self.halocarbons.each_ref().map(|values| convert(values)),
            dry_column: convert(&self.dry_column),
            broadening_column: convert(&self.broadening_column),
            surface_temperature: convert(&self.surface_temperature),
            emissivity: convert(&self.emissivity),
            aerosol: convert(&self.aerosol),
            clouds,
        }
    }

    /// The names and values of all fields of layers that gases have.
    pub(crate) fn amounts(&self) -> impl Iterator<Item = (&'static str, &Vec<R>)> {
        let gases = GASES.iter().map(|gas| gas.name()).zip(&self.gases);
        gases.chain(HALOCARBONS.iter().map(|gas| gas.name()).zip(&self.halocarbons))
    }
}
