//! Isobar's own layout, written.

use std::path::Path;

use isobar_optics::{Ecckd, EcckdDependence};

use super::names::{CODES, MOLE_FRACTION, Names, REFERENCE};
use super::valid;
use crate::error::{Error, Place};
use crate::netcdf::{DatasetWriter, OutputVariable};

/// What Isobar calls it.
pub(super) const NAMES: Names = Names {
    kind: "Isobar's",
    gases: "gases",
    absorption: "_absorption",
    dependence: "_dependence",
    bands: ["band_lower_wavenumber", "band_upper_wavenumber"],
    band_of_point: "band_of_g_point",
    interval: "interval",
    intervals: ["interval_lower_wavenumber", "interval_upper_wavenumber"],
    fraction: "interval_fraction",
    interval_solar: "interval_solar_irradiance",
    planck_temperature: "planck_temperature",
    planck: "planck_irradiance",
    solar: "solar_irradiance",
    rayleigh: "rayleigh_scattering",
};

/// What the global attributes of a k-distribution or of tables of clouds say. Those that are empty are left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KDistributionAttributes {
    /// What it is, in one line.
    pub title: String,
    /// Who or what made it.
    pub source: String,
    /// Where it is published.
    pub references: String,
    /// Under which conditions it may be used.
    pub license: String,
    /// What was done to it.
    pub history: String,
}

/// Writes a k-distribution that is a sum of gases in [Isobar's layout](super#isobars-layout).
///
/// Numbers are in single precision where all of their variable are numbers of single precision, else in double
/// precision: [`read_k_distribution`](super::read_k_distribution) gives the same back.
///
/// # Errors
/// The k-distribution makes no sense, as [`read_k_distribution`](super::read_k_distribution) would say; the file cannot
/// be written.
pub fn write_k_distribution(path: &Path, model: &Ecckd, attributes: &KDistributionAttributes) -> Result<(), Error> {
    valid::check(model, &NAMES).map_err(|problem| Error::invalid(Place::File(path.to_owned()), problem))?;
    let mut out = Output(DatasetWriter::create(path)?);
    out.attributes(attributes)?;
    let gases: Vec<&str> = model.gases.iter().map(|gas| gas.name.as_str()).collect();
    out.0.attribute(NAMES.gases, &gases.join(" "))?;
    out.0.dimension("g_point", model.points)?;
    out.0.dimension("pressure", model.pressure_pa.len())?;
    out.0.dimension("temperature", model.temperature_k.len() / model.pressure_pa.len())?;
    out.0.dimension("band", model.bands.len())?;
    out.grid(model)?;
    out.spectrum(model)?;
    out.sources(model)?;
    out.gases(model)?;
    out.0.commit()
}

/// A file of coefficients in the making.
pub(super) struct Output(pub(super) DatasetWriter);

impl Output {
    pub(super) fn attributes(&mut self, attributes: &KDistributionAttributes) -> Result<(), Error> {
        for (name, text) in [
            ("title", &attributes.title),
            ("source", &attributes.source),
            ("references", &attributes.references),
            ("license", &attributes.license),
            ("history", &attributes.history),
        ] {
            if !text.is_empty() {
                self.0.attribute(name, text)?;
            }
        }
        Ok(())
    }

    /// Numbers in single precision where all of them are such numbers.
    pub(super) fn real(
        &mut self,
        name: &str,
        dimensions: &[&str],
        units: &str,
        long_name: &str,
        values: &[f64],
    ) -> Result<(), Error> {
        let variable = described(name, dimensions, units, long_name);
        let singles: Vec<f32> = values.iter().map(|&value| value as f32).collect();
        let exact = singles.iter().zip(values).all(|(&single, &value)| f64::from(single) == value);
        if exact { self.0.variable(&variable, &singles) } else { self.0.variable(&variable, values) }
    }

    pub(super) fn limits(
        &mut self,
        names: [&str; 2],
        dimension: &str,
        what: &str,
        limits: &[[f64; 2]],
    ) -> Result<(), Error> {
        for (end, (name, side)) in names.into_iter().zip(["lower", "upper"]).enumerate() {
            let values: Vec<f64> = limits.iter().map(|limits| limits[end]).collect();
            self.real(name, &[dimension], "cm-1", &format!("{side} limit of the {what}"), &values)?;
        }
        Ok(())
    }

    fn grid(&mut self, model: &Ecckd) -> Result<(), Error> {
        self.real("pressure", &["pressure"], "Pa", "pressure", &model.pressure_pa)?;
        let long_name = "temperature at each pressure";
        self.real("temperature", &["temperature", "pressure"], "K", long_name, &model.temperature_k)
    }

    fn spectrum(&mut self, model: &Ecckd) -> Result<(), Error> {
        self.limits(NAMES.bands, "band", "band", &model.bands)?;
        let bands: Vec<i32> = model.band_of_point.iter().map(|&band| band as i32).collect();
        let long_name = "band of the g-point, from 0";
        self.0.variable(&described(NAMES.band_of_point, &["g_point"], "1", long_name), &bands)?;
        let Some(spectrum) = &model.spectrum else { return Ok(()) };
        self.0.dimension(NAMES.interval, spectrum.intervals.len())?;
        self.limits(NAMES.intervals, NAMES.interval, "interval of the spectrum", &spectrum.intervals)?;
        let long_name = "part of the g-point that lies in the interval";
        self.real(NAMES.fraction, &["g_point", NAMES.interval], "1", long_name, &spectrum.fraction)?;
        let Some(solar) = &spectrum.solar_irradiance else { return Ok(()) };
        self.real(NAMES.interval_solar, &[NAMES.interval], "W m-2", "irradiance of the sun in the interval", solar)
    }

    fn sources(&mut self, model: &Ecckd) -> Result<(), Error> {
        if let Some(planck) = &model.planck {
            let along = NAMES.planck_temperature;
            self.0.dimension(along, planck.temperature_k.len())?;
            self.real(along, &[along], "K", "temperature of the black body", &planck.temperature_k)?;
            let long_name = "irradiance of a black body at the g-point";
            self.real(NAMES.planck, &[along, "g_point"], "W m-2", long_name, &planck.irradiance)?;
        }
        if let Some(solar) = &model.solar {
            let long_name = "irradiance of the sun at the g-point";
            self.real(NAMES.solar, &["g_point"], "W m-2", long_name, &solar.irradiance)?;
            let long_name = "Rayleigh scattering of a mole of air";
            self.real(NAMES.rayleigh, &["g_point"], "m2 mol-1", long_name, &solar.rayleigh)?;
        }
        Ok(())
    }

    fn gases(&mut self, model: &Ecckd) -> Result<(), Error> {
        for gas in &model.gases {
            let name = &gas.name;
            let code = match gas.dependence {
                EcckdDependence::None => 0,
                EcckdDependence::Linear => 1,
                EcckdDependence::LookUp(_) => 2,
                EcckdDependence::RelativeLinear(_) => 3,
            };
            let dependence = format!("{name}{}", NAMES.dependence);
            let long_name = format!("how absorption depends on the mole fraction of {name}");
            self.0.flags(&described(&dependence, &[], "1", &long_name), &[code], &CODES)?;
            let (absorption, fraction) = (format!("{name}{}", NAMES.absorption), format!("{name}{MOLE_FRACTION}"));
            let mut dimensions = vec!["temperature", "pressure", "g_point"];
            match &gas.dependence {
                EcckdDependence::LookUp(fractions) => {
                    self.0.dimension(&fraction, fractions.len())?;
                    let long_name = format!("mole fraction of {name}");
                    self.real(&fraction, &[&fraction], "mol mol-1", &long_name, fractions)?;
                    dimensions.insert(0, &fraction);
                }
                EcckdDependence::RelativeLinear(reference) => {
                    let long_name = format!("mole fraction of {name} that the other gases include");
                    self.real(&format!("{name}{REFERENCE}"), &[], "mol mol-1", &long_name, &[*reference])?;
                }
                EcckdDependence::None | EcckdDependence::Linear => {}
            }
            let of = if gas.dependence == EcckdDependence::None { "air" } else { name };
            let long_name = format!("absorption by {name} per mole of {of}");
            self.real(&absorption, &dimensions, "m2 mol-1", &long_name, &gas.absorption)?;
        }
        Ok(())
    }
}

fn described<'a>(name: &'a str, dimensions: &'a [&'a str], units: &'a str, long_name: &'a str) -> OutputVariable<'a> {
    OutputVariable { name, dimensions, units, long_name, standard_name: None, reference_name: None }
}
