//! What a satellite looks at: channels, views and times, from the section `satellite` of a case.

use std::path::PathBuf;
use std::sync::Arc;

use isobar_column::Initial;
use isobar_core::Real;
use isobar_ega::{ForwardSetup, GroundKind, TableData};
use isobar_io::{Control, filter_path, read_setup, read_tables, table_path};
use isobar_raytrace::constants::EARTH_RADIUS_KM;
use isobar_raytrace::{Atmosphere, Position, Ray};

use super::description::Description;
use super::error::Error;
use super::hydrostatic::thickness_km;
use super::processes::{Longwave, Satellite as Section};
use super::reader::{CaseFile, closest};
use super::species::{ChemistrySetup, tracer};
use crate::jurassic::table_warnings;

/// Where a gas of the forward model comes from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Source {
    /// The columns' water vapour.
    Vapour,
    /// The columns' field of ozone.
    Ozone,
    /// The tracer of this number.
    Tracer(usize),
    /// One value everywhere \[mol/mol\].
    Fixed(f64),
}

/// A line of sight.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum View {
    /// Down to the ground, at an angle at the satellite from straight down \[degrees\].
    Nadir(f64),
    /// Past the ground, by the height of the geometric tangent point \[km\].
    Limb(f64),
}

/// What is looked at, and how.
pub struct Satellite {
    pub(super) model: ForwardSetup,
    pub(super) tables: Arc<TableData>,
    pub(super) sources: Vec<Source>,
    pub(super) emissivity: f64,
    pub(super) views: Vec<View>,
    pub(super) rays: Vec<Ray>,
    /// The numbers of the records that are looked at.
    pub(super) records: Vec<usize>,
}

impl Satellite {
    /// The centre of each channel \[1/cm\].
    #[must_use]
    pub fn wavenumbers_per_cm(&self) -> &[f64] {
        &self.model.wavenumbers_per_cm
    }

    /// The lines of sight.
    #[must_use]
    pub fn views(&self) -> &[View] {
        &self.views
    }

    /// The numbers of the records that are looked at, in ascending order.
    #[must_use]
    pub fn records(&self) -> &[usize] {
        &self.records
    }

    /// Whether it sees the columns' field of ozone.
    pub(super) fn sees_ozone_of_columns(&self) -> bool {
        self.sources.contains(&Source::Ozone)
    }

    /// The satellite of a case, by its number of steps and the steps between outputs.
    pub(super) fn new(
        file: &CaseFile,
        case: &Description,
        section: &Section,
        (initial, chemistry): (&Initial, Option<&ChemistrySetup>),
        (steps, output_every): (u64, u64),
        (inputs, warn): (&mut Vec<PathBuf>, &mut dyn FnMut(String)),
    ) -> Result<Self, Error> {
        let refuse = |problem: &str| file.refuse(&section.control, problem);
        let path = file.named(&section.control)?;
        let (control, complaints) = Control::read(&path, &[])?;
        complaints.iter().for_each(|complaint| warn(complaint.to_string()));
        control.require_channels()?;
        if control.field_of_view.is_some() {
            return Err(refuse("the control file has a field of view (FOV), which needs a scan: leave it out"));
        }
        let Some(longwave) = &case.longwave else {
            return Err(refuse(
                "a satellite takes the ground's emissivity and gases from [longwave], and there is none",
            ));
        };
        let mut model = read_setup(&control)?;
        if model.ground == GroundKind::SkyAndSun {
            return Err(refuse(
                "the ground mirrors the Sun (SFTYPE): take 0, 1 or 2, for the Sun is not followed here",
            ));
        }
        // Heights are hydrostatic already, and both radiances and brightness temperatures are given.
        (model.hydrostatic_reference_km, model.brightness_temperature) = (None, false);
        let (low, high) = extremes(&model.wavenumbers_per_cm);
        model.surface_wavenumbers_per_cm = vec![low - 1.0, high + 1.0];
        let set = read_tables(&control)?;
        // Its atmosphere, which comes later, has no cloud, and nodes around all channels.
        let remarks = model.remarks(&Atmosphere::default());
        table_warnings(&control, &set, false).into_iter().chain(remarks).for_each(warn);
        let tables = TableData::packed(&set.tables, model.wavenumbers_per_cm.len(), false, model.interpolation)?;
        inputs.push(path);
        if let Some(base) = &control.table_base {
            let nu = &control.wavenumbers_per_cm;
            inputs.extend(nu.iter().map(|&nu| filter_path(base, nu)));
            let all = control.emitters.iter().flat_map(|gas| nu.iter().map(move |&nu| (gas, nu)));
            let all = all.map(|(gas, nu)| table_path(base, nu, gas, control.table_format));
            inputs.extend(all.filter(|path| !set.missing.contains(path)));
        }
        for name in section.gases.keys() {
            let (wanted, known) = (name.get_ref(), &control.emitters);
            if !known.iter().any(|gas| gas.eq_ignore_ascii_case(wanted)) {
                let near =
                    closest(wanted, known.iter().map(String::as_str)).map(|near| format!("did you mean `{near}`?"));
                let near = near.unwrap_or_else(|| format!("there are {}", known.join(", ")));
                return Err(file.refuse(name, format!("the control file has no gas `{wanted}`; {near}")));
            }
        }
        let sources = control.emitters.iter().map(|gas| source(file, longwave, section, gas, chemistry));
        let sources = sources.collect::<Result<_, _>>()?;
        let (views, rays) = views(file, section, top_km(initial))?;
        Ok(Self {
            model,
            tables: tables.into(),
            sources,
            emissivity: longwave.emissivity,
            views,
            rays,
            records: records(file, case, section, (steps, output_every))?,
        })
    }
}

fn extremes(values: &[f64]) -> (f64, f64) {
    values.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), &x| (low.min(x), high.max(x)))
}

/// The numbers of the records at the hours that are asked for.
fn records(
    file: &CaseFile,
    case: &Description,
    section: &Section,
    (steps, output_every): (u64, u64),
) -> Result<Vec<usize>, Error> {
    let hours = section.hours.get_ref();
    let record = |&hour: &f64| {
        let step = 3600.0 * hour / case.step_s;
        let whole = step.round();
        let is_step = (step - whole).abs() < 1e-9 * whole.max(1.0) && (0.0..=steps as f64).contains(&whole);
        let number = whole as u64;
        let kept = is_step && (number.is_multiple_of(output_every) || number == steps);
        kept.then_some(number.div_ceil(output_every) as usize).ok_or_else(|| {
            let problem = format!(
                "there is no output {hour} hours after the start: take a multiple of output.minutes, \
                                   up to the length of the run"
            );
            file.refuse(&section.hours, problem)
        })
    };
    let mut records = hours.iter().map(record).collect::<Result<Vec<_>, _>>()?;
    records.sort_unstable();
    records.dedup();
    if records.is_empty() {
        return Err(file.refuse(&section.hours, "give at least one time"));
    }
    Ok(records)
}

/// Where a gas comes from.
fn source(
    file: &CaseFile,
    longwave: &Longwave,
    section: &Section,
    gas: &str,
    chemistry: Option<&ChemistrySetup>,
) -> Result<Source, Error> {
    if let Some((_, value)) = section.gases.iter().find(|(name, _)| name.get_ref().eq_ignore_ascii_case(gas)) {
        return Ok(Source::Fixed(file.check(value, (0.0, 1.0))?));
    }
    let name = gas.to_uppercase();
    let transported = chemistry.and_then(|chemistry| tracer(&chemistry.mechanism, &name));
    Ok(match (name.as_str(), transported) {
        ("H2O", _) => Source::Vapour,
        (_, Some(number)) => Source::Tracer(number),
        ("O3", None) => Source::Ozone,
        ("CO2", None) => Source::Fixed(longwave.co2),
        ("CH4", None) => Source::Fixed(longwave.ch4),
        ("N2O", None) => Source::Fixed(longwave.n2o),
        ("O2", None) => Source::Fixed(0.209),
        ("N2", None) => Source::Fixed(0.781),
        _ => {
            let problem = format!("nothing says how much {gas} there is: give its mole fraction in satellite.gases");
            return Err(file.refuse(&section.control, problem));
        }
    })
}

/// The rays of all views, over the equator: the columns are the same all around, and nothing depends on the place.
fn views(file: &CaseFile, section: &Section, top_km: f64) -> Result<(Vec<View>, Vec<Ray>), Error> {
    let height_km = file.check(&section.height_km, (top_km, 1e5))?;
    let ratio = EARTH_RADIUS_KM / (EARTH_RADIUS_KM + height_km);
    let degree = std::f64::consts::PI / 180.0;
    let widest = (Real::asin(ratio) / degree * 100.0).floor() / 100.0;
    let ray = |view_height_km: f64, angle: f64| Ray {
        time_s: 0.0,
        observer: Position { height_km, longitude_deg: 0.0, latitude_deg: 0.0 },
        view_point: Position { height_km: view_height_km, longitude_deg: 0.0, latitude_deg: angle / degree },
    };
    let (mut views, mut rays) = (Vec::new(), Vec::new());
    for &angle in section.nadir_deg.get_ref() {
        if !(0.0..=widest).contains(&angle) {
            return Err(
                file.refuse(&section.nadir_deg, format!("{angle} is not in [0, {widest}]: it misses the ground"))
            );
        }
        // The zenith angle at the ground is larger by the angle at the Earth's centre.
        views.push(View::Nadir(angle));
        rays.push(ray(0.0, Real::asin(Real::sin(angle * degree) / ratio) - angle * degree));
    }
    for &tangent_km in section.limb_km.get_ref() {
        if !(tangent_km > 0.0 && tangent_km < top_km) {
            let problem =
                format!("{tangent_km} is not in (0, {top_km:.3}), between the ground and the top of the columns");
            return Err(file.refuse(&section.limb_km, problem));
        }
        views.push(View::Limb(tangent_km));
        let ratio = (EARTH_RADIUS_KM + tangent_km) / (EARTH_RADIUS_KM + height_km);
        rays.push(ray(tangent_km, Real::acos(ratio)));
    }
    if views.is_empty() {
        return Err(file.refuse(&section.control, "give nadir_deg or limb_km: there is nothing to look at"));
    }
    Ok((views, rays))
}

/// The height of the lowest top of all columns at the start \[km\].
fn top_km(initial: &Initial) -> f64 {
    let columns = initial.columns;
    let top = |column: usize| {
        let layer = |layer: usize| {
            let i = layer * columns + column;
            let (p, above) = (initial.interface_pressure_pa[i], initial.interface_pressure_pa[i + columns]);
            thickness_km(initial.temperature_k[i], initial.vapour_kg_per_kg[i], p, above)
        };
        (0..initial.layers()).map(layer).sum::<f64>()
    };
    (0..columns).map(top).fold(f64::INFINITY, f64::min)
}
