//! Fluxes of heat and moisture at the surface, of whatever sign and kind files have them.

use isobar_ysu::Columns;
use isobar_ysu::constants::LATENT_HEAT;

use super::interval;
use super::quantity::{field, of_column};
use crate::columns_file::{Fields, Quantity, Reading, between};
use crate::error::Error;
use crate::netcdf::Accepted;

/// What a flux of heat may be \[W/m^2\], as the surface layer has it: no air or water has more, and numbers that stand
/// for missing values, as 1e20, are beyond.
const HEAT: Accepted = between(-1e6, 1e6);
/// Of moisture \[kg/(m^2 s)\].
const MOISTURE: Accepted = between(-1.0, 1.0);
/// Sums over time, in ten days \[J/m^2\].
const HEAT_SUM: Accepted = between(-1e12, 1e12);
/// Of moisture \[mm\].
const MOISTURE_SUM: Accepted = between(-1e6, 1e6);

const fn flux(
    name: &'static str,
    aliases: &'static [&'static str],
    standard_names: &'static [&'static str],
    unit: &'static str,
    accepted: Accepted,
) -> Quantity {
    of_column(name, aliases, standard_names, unit).within(accepted)
}

/// The scheme's own.
fn heat() -> Quantity {
    field("sensible_heat_flux_w_per_m2").within(HEAT)
}

fn moisture() -> Quantity {
    field("moisture_flux_kg_per_m2_s").within(MOISTURE)
}

/// ECMWF counts fluxes downward; its means have other names than the instantaneous ones, and its sums over time, too.
const DOWNWARD_HEAT: Quantity = flux(
    "downward_sensible_heat_flux",
    &["ishf", "msshf", "avg_ishf"],
    &["surface_downward_sensible_heat_flux"],
    "W m-2",
    HEAT,
);
const DOWNWARD_MOISTURE: Quantity =
    flux("downward_moisture_flux", &["ie", "mer", "avg_ie"], &[], "kg m-2 s-1", MOISTURE);
const DOWNWARD_LATENT_HEAT: Quantity =
    flux("downward_latent_heat_flux", &["mslhf", "avg_slhtf"], &["surface_downward_latent_heat_flux"], "W m-2", HEAT);
const DOWNWARD_HEAT_SUM: Quantity = flux(
    "accumulated_downward_sensible_heat_flux",
    &["sshf"],
    &["integral_wrt_time_of_surface_downward_sensible_heat_flux"],
    "J m-2",
    HEAT_SUM,
);
/// A millimetre of water is a kilogram on a square metre.
const DOWNWARD_MOISTURE_SUM: Quantity = flux("accumulated_downward_moisture_flux", &["e"], &[], "mm", MOISTURE_SUM);
const DOWNWARD_LATENT_HEAT_SUM: Quantity = flux(
    "accumulated_downward_latent_heat_flux",
    &["slhf"],
    &["integral_wrt_time_of_surface_downward_latent_heat_flux"],
    "J m-2",
    HEAT_SUM,
);
/// Sums over time that were divided by it keep their names.
const DOWNWARD_HEAT_OF_SUM: Quantity = flux("sshf", &[], &[], "W m-2", HEAT);
const DOWNWARD_LATENT_HEAT_OF_SUM: Quantity = flux("slhf", &[], &[], "W m-2", HEAT);
/// By the names of CAM, CMIP, WRF and MPAS.
const LATENT_HEAT_FLUX: Quantity =
    flux("latent_heat_flux", &["LHFLX", "hfls", "LH", "lh"], &["surface_upward_latent_heat_flux"], "W m-2", HEAT);

/// How a file has a flux: the variable, whether it counts downward, the heat of a kilogram, if it is that, and whether
/// it is a sum over time.
#[derive(Clone, Copy)]
struct Given {
    quantity: Quantity,
    /// By its name here.
    is_downward: bool,
    latent_heat: f64,
    is_sum: bool,
}

const fn given(quantity: Quantity, is_downward: bool, latent_heat: f64) -> Given {
    Given { quantity, is_downward, latent_heat, is_sum: false }
}

const fn sum(quantity: Quantity, latent_heat: f64) -> Given {
    Given { quantity, is_downward: true, latent_heat, is_sum: true }
}

/// In which order they are looked for beside the scheme's own.
const HEATS: [Given; 3] =
    [given(DOWNWARD_HEAT, true, 1.0), given(DOWNWARD_HEAT_OF_SUM, true, 1.0), sum(DOWNWARD_HEAT_SUM, 1.0)];
const MOISTURES: [Given; 6] = [
    given(DOWNWARD_MOISTURE, true, 1.0),
    given(LATENT_HEAT_FLUX, false, LATENT_HEAT),
    given(DOWNWARD_LATENT_HEAT, true, LATENT_HEAT),
    given(DOWNWARD_LATENT_HEAT_OF_SUM, true, LATENT_HEAT),
    sum(DOWNWARD_MOISTURE_SUM, 1.0),
    sum(DOWNWARD_LATENT_HEAT_SUM, LATENT_HEAT),
];

/// What says that a flux counts downward that goes by a name of upward ones.
enum Downward {
    /// The name that the file has for it is one of downward fluxes.
    Name,
    StandardName(String),
    /// Its attribute `positive`.
    Positive,
}

impl Downward {
    /// What a variable says, if it does: its name, where that is known, else its attributes.
    fn says(reading: &Reading, name: &str, others: &[Given]) -> Option<Self> {
        let is_known = |one: &&Given| one.quantity.goes_by(name);
        if let Some(one) = others.iter().find(is_known) {
            return one.is_downward.then_some(Self::Name);
        }
        let text = |attribute: &str| reading.file.text_attribute(name, attribute);
        let standard = text("standard_name").filter(|standard| standard.contains("downward"));
        let positive = text("positive").filter(|way| way.eq_ignore_ascii_case("down"));
        standard.map(Self::StandardName).or(positive.map(|_| Self::Positive))
    }

    /// The variable that is read for a flux of an upward name, and what it says against that.
    fn of(reading: &Reading, one: &Given, others: &[Given]) -> Option<(String, Self)> {
        let name = reading.name(&one.quantity).filter(|_| !one.is_downward && !reading.is_given(&one.quantity))?;
        Self::says(reading, &name, others).map(|says| (name, says))
    }

    fn in_words(&self) -> String {
        match self {
            Self::Name => ": it counts downward, as its name is known for".to_owned(),
            Self::StandardName(name) => format!(": it counts downward, as its standard_name {name} says"),
            Self::Positive => ": it counts downward, as its attribute positive says".to_owned(),
        }
    }
}

/// A flux, and what the variable that was found for it, by its name, says against its name here.
type Found = (Given, Option<(String, Downward)>);

/// Fluxes that were found for those of the scheme.
pub(super) struct Fluxes {
    heat: Found,
    moisture: Found,
}

impl Fluxes {
    /// Reads them; what must be there and is not [`Reading::arrange`] says, with a hint.
    pub(super) fn read(reading: &mut Reading, hint: &str) -> Result<Self, Error> {
        let heat = read((reading, hint), heat(), &HEATS)?;
        let moisture = read((reading, hint), moisture(), &MOISTURES)?;
        Ok(Self { heat, moisture })
    }

    /// Reads those of the step before, if they are there. Sums over time, as ECMWF has them, are those of no step.
    pub(super) fn of_step_before(reading: &mut Reading) -> Result<Self, Error> {
        let mut maybe = |ours: Quantity, others: &[Given]| -> Result<Found, Error> {
            let upward = given(ours, false, 1.0);
            if reading.has(&upward.quantity)? && reading.converts(&upward.quantity)? {
                reading.maybe(&upward.quantity)?;
                return Ok((upward, Downward::of(reading, &upward, others)));
            }
            Ok((upward, None))
        };
        let heat = maybe(heat(), &HEATS)?;
        let moisture = maybe(moisture(), &MOISTURES)?;
        Ok(Self { heat, moisture })
    }

    /// Fills in those that have other names than ours.
    pub(super) fn take(
        self,
        fields: &mut Fields,
        columns: &mut Columns<f64>,
        derived: &mut Vec<String>,
    ) -> Result<(), Error> {
        for ((given, downward), ours, values) in [
            (self.heat, "sensible_heat_flux", &mut columns.sensible_heat_flux_w_per_m2),
            (self.moisture, "moisture_flux", &mut columns.moisture_flux_kg_per_m2_s),
        ] {
            let Given { quantity, is_downward, latent_heat, is_sum } = given;
            let other = fields.name(quantity.name).filter(|_| quantity.name != ours);
            let Some(name) = other.or(downward.as_ref().map(|(name, _)| name.clone())) else { continue };
            let is_downward = is_downward || downward.is_some();
            let (mut found, mut interval) = match quantity.name == ours {
                true => (std::mem::take(values), String::new()),
                false => (fields.take(&quantity), String::new()),
            };
            if is_sum {
                (found, interval) = interval::means(fields, (&name, &found))?;
            }
            let sign = if is_downward { "-" } else { "" };
            let over = if latent_heat == 1.0 { String::new() } else { format!(" / {latent_heat} J/kg") };
            let standard = fields.file().text_attribute(&name, "standard_name");
            let whatever = standard.filter(|standard| is_downward && standard.contains("upward"));
            let whatever =
                whatever.map(|standard| format!(": it counts downward, though its standard_name is {standard}"));
            let why = downward.map(|(_, downward)| downward.in_words()).or(whatever).unwrap_or_default();
            derived.push(format!("{ours} = {sign}{name}{over}{interval}{why}"));
            let upward = |value: f64| if is_downward { -value } else { value };
            *values = found.into_iter().map(|value| upward(value) / latent_heat).collect();
        }
        Ok(())
    }
}

/// What is not the flux itself has to be there by its unit, too: sums over time have the same standard names.
fn read((reading, hint): (&mut Reading, &str), ours: Quantity, others: &[Given]) -> Result<Found, Error> {
    let upward = given(ours, false, 1.0);
    // Names of models come before standard names, which ECMWF's tools give to its downward fluxes, too.
    let goes_by = |quantity: &Quantity| reading.name(quantity).is_some_and(|name| quantity.goes_by(&name));
    let is_meant = |quantity: &Quantity| reading.is_given(quantity) || reading.file.is_named(quantity.name);
    let (by_name, by_standard_name): (Vec<Given>, Vec<Given>) = std::iter::once(upward)
        .chain(others.iter().copied())
        .partition(|one| is_meant(&one.quantity) || goes_by(&one.quantity));
    let mut sum = None;
    for one in by_name.into_iter().chain(by_standard_name) {
        if !reading.has(&one.quantity)? || !reading.converts(&one.quantity)? {
            continue;
        }
        if !one.is_sum || interval::read(reading, &one.quantity)? {
            reading.need(&one.quantity)?;
            return Ok((one, Downward::of(reading, &one, others)));
        }
        sum = sum.or(Some(one.quantity));
    }
    let is_there = reading.has(&ours)?;
    let sum = sum.or(Some(ours).filter(|_| is_there));
    match sum.and_then(|sum| reading.file.name_and_units(&sum.spec(reading.layout))) {
        Some((name, units)) if is_a_sum(&units) => {
            let (unknown, whose) = (interval::UNKNOWN, reading.file.whose(&name));
            reading.lacks(format!(
                "{name} in {units:?} is a sum over time{whose}, and no {}, {unknown}; {hint}",
                ours.name
            ));
        }
        // Its unit is what is wrong with it.
        _ if is_there => reading.need(&ours)?,
        _ => reading.need_in_words(&ours, |missing| format!("{missing}; {hint}"))?,
    }
    Ok((upward, None))
}

/// Whether a unit is that of what a flux adds up to: J m-2, kg m-2, m of water.
fn is_a_sum(units: &str) -> bool {
    use crate::netcdf::Unit;
    let of = |text: &str| text.parse::<Unit>().ok();
    let Some(found) = of(units) else { return false };
    ["J m-2", "kg m-2", "m"].iter().filter_map(|text| of(text)).any(|sum| found.conversion(&sum).is_some())
}
