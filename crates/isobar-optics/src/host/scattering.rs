//! Spectra of scattering by particles, and their averages at the g-points of a k-distribution, as ecRad's general cloud
//! optics has them (`radiation_general_cloud_optics_data.F90`).

use super::cloud_tables::{CloudTables, ParticleTable};
use super::ecckd::Ecckd;
use super::gas_optics::{CoefficientError, refuse};
use super::spectral_weights::spectral_weights;

/// Optical properties of particles over their size and wavenumber: what a file of ecRad such as
/// `mie_droplet_scattering.nc` holds. Tables are `[radius][wavenumber]`, the last index fastest.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ScatteringTable {
    /// Effective radii \[m\], at equal distances.
    pub radius_m: Vec<f64>,
    /// Wavenumbers \[cm^-1\], rising.
    pub wavenumber_per_cm: Vec<f64>,
    /// Extinction \[m^2/kg\].
    pub extinction: Vec<f64>,
    /// Single-scattering albedo.
    pub albedo: Vec<f64>,
    /// Asymmetry.
    pub asymmetry: Vec<f64>,
}

/// For which clouds the single-scattering albedo is averaged (Edwards and Slingo 1996, doi:10.1002/qj.49712253107).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Averaging {
    /// Thin ones, which scatter in proportion to it.
    Thin,
    /// Thick ones: the mean is that of what an infinitely thick cloud reflects.
    Thick,
}

impl ScatteringTable {
    /// The means at the g-points of a k-distribution, `[g-point][radius]`, over the radius in um.
    ///
    /// They are of delta-scaled properties, weighted by the sun's irradiance or a black body's, and scaled back.
    ///
    /// # Errors
    /// The k-distribution does not say where in the spectrum its g-points are; a table has another size than its axes.
    pub fn averaged(&self, model: &Ecckd, averaging: Averaging) -> Result<ParticleTable, CoefficientError> {
        let (radii, wavenumbers) = (self.radius_m.len(), self.wavenumber_per_cm.len());
        let [Some(first), Some(last)] = [self.radius_m.first(), self.radius_m.last()] else {
            return refuse("a table of scattering has no radius".to_owned());
        };
        for (name, values) in
            [("extinction", &self.extinction), ("albedo", &self.albedo), ("asymmetry", &self.asymmetry)]
        {
            if values.len() != radii * wavenumbers {
                let found = values.len();
                return refuse(format!("{name} has {found} values at {radii} radii and {wavenumbers} wavenumbers"));
            }
        }
        let weights = spectral_weights(model, &self.wavenumber_per_cm)?;
        let spectra: Vec<Vec<Properties>> = (0..radii).map(|radius| self.scaled(radius)).collect();
        let mut table = ParticleTable { size_um: [um(*first), um(*last)], ..ParticleTable::default() };
        for weights in weights.chunks_exact(wavenumbers) {
            for spectrum in &spectra {
                let mean = mean(spectrum, weights, averaging).scaled_back();
                table.extinction.push(G_PER_KG * mean.extinction);
                // Not beyond by rounding.
                table.albedo.push(mean.albedo.clamp(0.0, 1.0));
                table.asymmetry.push(mean.asymmetry.clamp(-1.0, 1.0));
            }
        }
        Ok(table)
    }

    /// Delta-scaled properties of particles of a size.
    fn scaled(&self, radius: usize) -> Vec<Properties> {
        let count = self.wavenumber_per_cm.len();
        let of = |index: usize| Properties {
            extinction: self.extinction[index],
            albedo: self.albedo[index],
            asymmetry: self.asymmetry[index],
        };
        (radius * count..(radius + 1) * count).map(|index| of(index).scaled()).collect()
    }
}

impl CloudTables {
    /// Clouds for a k-distribution, by g-point, with ecRad's averages, which are those for thick clouds.
    ///
    /// # Errors
    /// As [`ScatteringTable::averaged`].
    pub fn averaged(model: &Ecckd, liquid: &ScatteringTable, ice: &ScatteringTable) -> Result<Self, CoefficientError> {
        let liquid = liquid.averaged(model, Averaging::Thick)?;
        let ice = ice.averaged(model, Averaging::Thick)?.by_diameter();
        let bands = model.bands.clone();
        Ok(Self { spectral: model.points, by_point: true, bands, liquid, ice: vec![ice], rain: None, snow: None })
    }

    /// With averages of rain (ecRad's `mie_rain_scattering.nc`) for the same k-distribution.
    ///
    /// # Errors
    /// As [`ScatteringTable::averaged`].
    pub fn with_rain(self, model: &Ecckd, rain: &ScatteringTable) -> Result<Self, CoefficientError> {
        Ok(Self { rain: Some(rain.averaged(model, Averaging::Thick)?), ..self })
    }

    /// With averages of snow for the same k-distribution, whose size is its diameter.
    ///
    /// # Errors
    /// As [`ScatteringTable::averaged`].
    pub fn with_snow(self, model: &Ecckd, snow: &ScatteringTable) -> Result<Self, CoefficientError> {
        Ok(Self { snow: Some(snow.averaged(model, Averaging::Thick)?.by_diameter()), ..self })
    }
}

impl ParticleTable {
    /// The table over the diameter instead of the radius.
    fn by_diameter(mut self) -> Self {
        self.size_um = self.size_um.map(|radius| 2.0 * radius);
        self
    }
}

/// [m^2/g] of [m^2/kg].
const G_PER_KG: f64 = 1e-3;

/// Radii are numbers of single precision, round ones in um: so that 50 um are not 49.9999987.
fn um(radius_m: f64) -> f64 {
    f64::from((1e6 * radius_m) as f32)
}

#[derive(Clone, Copy, Debug)]
struct Properties {
    extinction: f64,
    albedo: f64,
    asymmetry: f64,
}

impl Properties {
    /// The forward peak counted as not scattered (Joseph et al. 1976).
    fn scaled(self) -> Self {
        let Self { extinction, albedo, asymmetry } = self;
        let peak = asymmetry * asymmetry;
        let rest = 1.0 - albedo * peak;
        let albedo = albedo * (1.0 - peak) / rest;
        Self { extinction: extinction * rest, albedo, asymmetry: asymmetry / (1.0 + asymmetry) }
    }

    /// The inverse.
    fn scaled_back(self) -> Self {
        let asymmetry = self.asymmetry / (1.0 - self.asymmetry);
        let peak = asymmetry * asymmetry;
        let albedo = self.albedo / (1.0 - peak + peak * self.albedo);
        Self { extinction: self.extinction / (1.0 - albedo * peak), albedo, asymmetry }
    }

    /// The part of diffuse light that a cloud without end reflects (Edwards and Slingo's equations 17 and 18).
    fn reflectance(&self) -> f64 {
        let root = ((1.0 - self.albedo) / (1.0 - self.albedo * self.asymmetry)).sqrt();
        (1.0 - root) / (1.0 + root)
    }
}

fn mean(spectrum: &[Properties], weights: &[f64], averaging: Averaging) -> Properties {
    let [mut extinction, mut scattering, mut forward, mut reflectance] = [0.0; 4];
    for (properties, weight) in spectrum.iter().zip(weights) {
        let extinct = weight * properties.extinction;
        extinction += extinct;
        scattering += extinct * properties.albedo;
        forward += extinct * properties.albedo * properties.asymmetry;
        reflectance += weight * properties.reflectance();
    }
    // Nothing scatters nothing: quotients that are 0.
    let asymmetry = forward / scattering.max(f64::MIN_POSITIVE);
    let albedo = match averaging {
        Averaging::Thin => scattering / extinction.max(f64::MIN_POSITIVE),
        Averaging::Thick => {
            // Equation 19.
            let [more, less] = [1.0 + reflectance, 1.0 - reflectance];
            4.0 * reflectance / (more * more - asymmetry * less * less)
        }
    };
    Properties { extinction, albedo, asymmetry }
}
