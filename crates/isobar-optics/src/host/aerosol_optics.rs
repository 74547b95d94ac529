//! What aerosol does to radiation, by the tables of RRTMGP.

use isobar_core::Real;

use super::aerosol_tables::{AerosolTable, AerosolTables};
use super::gas_optics::GasOptics;
use crate::constants::{RRTMGP_DRY_AIR, RRTMGP_WATER};

/// A type of particles of MERRA-2 (GOCART).
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum AerosolKind {
    /// Mineral dust of this radius \[um\].
    Dust(f64),
    /// Sea salt of this radius \[um\].
    Salt(f64),
    /// Sulfate.
    Sulfate,
    /// Black carbon that repels water.
    BlackCarbon,
    /// Black carbon that takes up water.
    BlackCarbonWet,
    /// Organic carbon that repels water.
    OrganicCarbon,
    /// Organic carbon that takes up water.
    OrganicCarbonWet,
}

impl AerosolKind {
    /// Whether it takes up water, so that its optics depend on the relative humidity.
    #[must_use]
    pub fn takes_up_water(self) -> bool {
        !matches!(self, Self::Dust(_) | Self::BlackCarbon | Self::OrganicCarbon)
    }
}

/// Why an aerosol has no optical properties.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("an aerosol's {quantity} of {value} is not {accepted}")]
pub struct AerosolError {
    quantity: &'static str,
    value: f64,
    accepted: String,
}

impl AerosolTables {
    /// Are they for the bands of a k-distribution?
    #[must_use]
    pub fn fit(&self, gases: &GasOptics) -> bool {
        self.bands.len() == gases.points_of_bands.len() && gases.has_bands(&self.bands)
    }

    /// Extinction optical depth, single-scattering albedo and asymmetry of a layer in each band, as RRTMGP has them.
    ///
    /// Dust and sea salt are those of the size bin in which the radius is, of two the one of larger particles where it
    /// is on their limit. Particles that take up water are interpolated between relative humidities; in air that is
    /// drier than the driest or moister than the moistest of the tables, they are as there. Other particles do not
    /// depend on `relative_humidity` (0 to 1; see [`relative_humidity`]).
    ///
    /// `mass_kg_per_m2` is what the layer holds of it. Of several types in a layer, optical depths are added, albedos
    /// are means by optical depth, and asymmetries means by what they scatter.
    ///
    /// # Errors
    /// A radius in none of the bins; a mass that is negative; a humidity that is negative or no number, of particles
    /// that take up water.
    pub fn properties(
        &self,
        kind: AerosolKind,
        mass_kg_per_m2: f64,
        relative_humidity: f64,
    ) -> Result<Vec<[f64; 3]>, AerosolError> {
        if !(mass_kg_per_m2 >= 0.0 && mass_kg_per_m2.is_finite()) {
            let accepted = "0 kg/m^2 or more".to_owned();
            return Err(AerosolError { quantity: "mass", value: mass_kg_per_m2, accepted });
        }
        let (table, bin) = match kind {
            AerosolKind::Dust(radius) => (&self.dust, Some(self.bin(radius)?)),
            AerosolKind::Salt(radius) => (&self.salt, Some(self.bin(radius)?)),
            AerosolKind::Sulfate => (&self.sulfate, None),
            AerosolKind::BlackCarbon => (&self.black_carbon, None),
            AerosolKind::BlackCarbonWet => (&self.black_carbon_wet, None),
            AerosolKind::OrganicCarbon => (&self.organic_carbon, None),
            AerosolKind::OrganicCarbonWet => (&self.organic_carbon_wet, None),
        };
        let bins = bin.map_or(1, |_| self.bins_um.len());
        let bin = bin.unwrap_or(0);
        let (humidities, (node, next, part)) = if kind.takes_up_water() {
            (self.humidity.len(), self.between(relative_humidity)?)
        } else {
            (1, (0, 0, 0.0))
        };
        let at = |values: &[f64], band: usize| {
            let values = &values[(band * bins + bin) * humidities..][..humidities];
            values[node] + part * (values[next] - values[node])
        };
        let AerosolTable { extinction, albedo, asymmetry } = table;
        let bands = 0..self.bands.len();
        Ok(bands.map(|band| [mass_kg_per_m2 * at(extinction, band), at(albedo, band), at(asymmetry, band)]).collect())
    }

    /// The size bin in which a radius is.
    fn bin(&self, radius_um: f64) -> Result<usize, AerosolError> {
        self.bin_of(radius_um).ok_or_else(|| {
            let bins = self.bins_um.iter().map(|[low, high]| format!("{low} to {high}"));
            let accepted = format!("in one of the bins, {} um", bins.collect::<Vec<_>>().join(", "));
            AerosolError { quantity: "radius", value: radius_um, accepted }
        })
    }

    /// The number of the size bin in which a radius is, if there is one.
    #[must_use]
    pub fn bin_of(&self, radius_um: f64) -> Option<usize> {
        let inside = |[low, high]: &[f64; 2]| (*low..=*high).contains(&radius_um);
        self.bins_um.iter().rposition(inside)
    }

    /// The humidities around one, and its part of the way from the first to the second.
    fn between(&self, humidity: f64) -> Result<(usize, usize, f64), AerosolError> {
        if humidity.is_nan() || humidity < 0.0 {
            let accepted = "0 or more".to_owned();
            return Err(AerosolError { quantity: "relative humidity", value: humidity, accepted });
        }
        let nodes = &self.humidity;
        let above = nodes.iter().position(|&node| node >= humidity).unwrap_or(nodes.len());
        if above == 0 || above == nodes.len() {
            let end = above.min(nodes.len() - 1);
            return Ok((end, end, 0.0));
        }
        let [low, high] = [nodes[above - 1], nodes[above]];
        Ok((above - 1, above, (humidity - low) / (high - low)))
    }
}

/// Relative humidity (1 is saturation over water) of air with so much water vapour, relative to dry air \[mol/mol\]:
/// the formula of RRTMGP's all-sky example, with the vapour pressure of Bolton (1980,
/// doi:10.1175/1520-0493(1980)108<1046:TCOEPT>2.0.CO;2).
#[must_use]
pub fn relative_humidity(pressure_pa: f64, temperature_k: f64, h2o: f64) -> f64 {
    let mixing_ratio = h2o * RRTMGP_WATER / RRTMGP_DRY_AIR;
    let specific = (mixing_ratio / (1.0 + mixing_ratio)).max(1e-7);
    let saturation = Real::exp(17.67 * (temperature_k - 273.16) / (temperature_k - 29.65));
    0.01 * (0.263 * pressure_pa * specific / saturation)
}
