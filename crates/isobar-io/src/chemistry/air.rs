//! What is known of the air.

use super::air_check;
use super::ranges::{DENSITY_NAMES, NUMBER_DENSITY, PRESSURE, TEMPERATURE};
use super::request::ChemistryRequest;
use super::series::{Of, Series};
use super::variables::Variables;
use crate::error::Error;
use crate::netcdf::Accepted;

/// Temperature, pressure and density of the cells, and in what these contradict each other.
pub(super) struct Air {
    pub(super) temperature: Option<Series>,
    pub(super) pressure: Option<Series>,
    pub(super) number_density: Option<Series>,
    pub(super) contradictions: Vec<String>,
}

/// What of the air is found by its standard name, too.
pub(super) const QUANTITIES: [&str; 2] = ["air_temperature", "air_pressure"];

impl Air {
    pub(super) fn read(
        file: &mut Variables,
        request: &ChemistryRequest<'_>,
        derived: &mut Vec<String>,
    ) -> Result<Self, Error> {
        let mut contradictions = Vec::new();
        let mut maybe = |names: &[&str], units: &[(&'static str, Accepted)]| -> Result<Option<Series>, Error> {
            let standard_name = names.iter().copied().find(|name| QUANTITIES.contains(name));
            let by_name = file.find(names);
            let Some(name) = by_name.or_else(|| file.find(&[&file.with_standard_name(standard_name?)?])) else {
                return Ok(None);
            };
            Ok(Some(file.read(&name, units, standard_name.as_slice())?.0))
        };
        let mut or_given = |names: &[&str], others: &[&str], units: &[(&'static str, Accepted)]| {
            let read = maybe(&[others, names].concat(), units)?;
            let given = names.iter().find_map(|name| request.given(name, derived));
            Ok::<_, Error>(given.map(Series::constant).or(read))
        };
        let temperature = or_given(&["TEMP"], &["air_temperature", "temperature"], &TEMPERATURE)?;
        let pressure = or_given(&["PRESS"], &["air_pressure", "pressure"], &PRESSURE)?;
        let looks = pressure.as_ref().zip(temperature.as_ref());
        let looks = looks.and_then(|(pressure, temperature)| air_check::looks_like_hectopascals(pressure, temperature));
        let density = or_given(&DENSITY_NAMES, &[], &NUMBER_DENSITY)?;
        // A mechanism without CFACTOR has 1.
        let of_mechanism = request.part_of_air.or(Some(1.0).filter(|&one| request.cfactor == one));
        let of_cfactor = match of_mechanism.filter(|_| density.is_none()) {
            Some(part) => {
                let cfactor = or_given(&["cfactor"], &[], &NUMBER_DENSITY)?;
                cfactor.map(|cfactor| cfactor.with(&Series::constant(part), Of::Quotient))
            }
            None => None,
        };
        let given = density.or(of_cfactor);
        let number_density = match (given, &temperature, &pressure) {
            (Some(given), Some(temperature), Some(pressure)) => {
                let of_air = pressure.with(temperature, Of::NumberDensity);
                let (what, contradiction) = air_check::beside_pressure(&given, &of_air);
                derived.push(what);
                // What holds in all cells, whatever the file has, is meant to.
                let is_set = request.given.iter().any(|(name, _)| request.is_of_air(&name.to_lowercase()));
                contradictions.extend(contradiction.filter(|_| !is_set));
                Some(given)
            }
            (Some(given), ..) => Some(given),
            (None, None, Some(pressure)) => match request.default("temp") {
                Some(temperature) => {
                    derived.push(format!("number density from air_pressure and TEMP = {temperature}"));
                    Some(pressure.with(&Series::constant(temperature), Of::NumberDensity))
                }
                None => {
                    derived.push("no number density of air_pressure: air_temperature is missing".to_owned());
                    None
                }
            },
            (None, Some(temperature), Some(pressure)) => {
                derived.push("number density from air_pressure and air_temperature".to_owned());
                Some(pressure.with(temperature, Of::NumberDensity))
            }
            _ => None,
        };
        contradictions.extend(looks);
        Ok(Self { temperature, pressure, number_density, contradictions })
    }
}
