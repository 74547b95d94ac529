//! The infrared radiances of columns as a satellite sees them, from the records of a run.

use isobar_column::constants::{DRY_AIR_KG_PER_MOL, WATER_KG_PER_MOL};
use isobar_column::stages::quantity as q;
use isobar_ega::launch::Infrared;
use isobar_ega::planck::brightness_temperature;
use isobar_io::netcdf::{DatasetWriter, OutputVariable, Sample};
use isobar_launch::Device;
use isobar_raytrace::{Atmosphere, SurfaceLayer};
use rayon::prelude::*;

use super::collected::{Collected, filled};
use super::error::Error;
use super::hydrostatic::thickness_km;
use super::precision::Precision;
use super::records::Records;
use super::satellite::{Satellite, Source, View};
use super::setup::Setup;
use super::team::Member;
use super::times::put_times;

/// What is seen of a member's columns, `[((time * views + view) * channels + channel) * columns + column]`.
pub(super) struct Sight {
    /// \[W/(m^2 sr cm^-1)\]; NaN where there is none.
    pub(super) radiance: Vec<f64>,
    columns: usize,
    problems: Problems,
}

/// What did not go as it should.
#[derive(Default)]
struct Problems {
    /// Columns and times without radiances, and why the first one has none.
    failed: usize,
    reason: Option<String>,
    /// Points of paths outside the tables, and all points.
    outside: [u64; 2],
}

impl Sight {
    /// Looks at a member's columns: on CPU threads whatever the run's device, for a column has few rays, and the bits
    /// are the same.
    pub(super) fn new<R: Precision>(
        setup: &Setup,
        satellite: &Satellite,
        member: &Member<'_>,
        records: &Records<R>,
    ) -> Result<Self, Error> {
        let own = member.columns(setup.columns());
        let model = Infrared::<R>::new(&satellite.model, satellite.tables.clone())?.on(&[Device::Thread]);
        let times = &satellite.records;
        let seen: Vec<_> = (0..times.len() * own.len())
            .into_par_iter()
            .map(|i| {
                // A masked column never ran.
                if setup.masked.binary_search(&(own.start + i % own.len())).is_ok() {
                    return Ok((Vec::new(), [0; 2]));
                }
                let air = air(setup, satellite, records, (times[i / own.len()], own.start, i % own.len()));
                if air.surface.as_ref().is_some_and(|surface| !surface.temperature_k.is_finite()) {
                    return Err("it has stopped".to_owned());
                }
                let result = model.run(&air, &satellite.rays).map_err(|error| error.to_string())?;
                result.check().map_err(|error| error.to_string())?;
                let points = result.points.iter().map(|&points| u64::from(points)).sum::<u64>();
                let outside = result.outside.iter().map(|outside| u64::from(outside.points)).sum::<u64>();
                Ok::<_, String>((result.radiance, [outside, points * satellite.sources.len() as u64]))
            })
            .collect();
        let numbers = satellite.rays.len() * satellite.wavenumbers_per_cm().len();
        let mut radiance = vec![f64::NAN; seen.len() * numbers];
        let mut problems = Problems::default();
        for (i, seen) in seen.into_iter().enumerate() {
            let (time, column) = (i / own.len(), i % own.len());
            match seen {
                Ok((values, points)) => {
                    for (number, value) in values.into_iter().enumerate() {
                        radiance[(time * numbers + number) * own.len() + column] = value;
                    }
                    (0..2).for_each(|kind| problems.outside[kind] += points[kind]);
                }
                Err(reason) => {
                    problems.failed += 1;
                    let column = own.start + column;
                    problems.reason.get_or_insert_with(|| format!("column {column}: {reason}"));
                }
            }
        }
        Ok(Self { radiance, columns: own.len(), problems })
    }

    /// What did not go as it should for any member, in words, at the first one.
    pub(super) fn warnings(&self, member: &Member<'_>) -> Vec<String> {
        let Problems { failed, reason, outside: [outside, points] } = &self.problems;
        let numbers = member.gather(vec![*failed as u64, *outside, *points]);
        let reasons = member.gather(reason.clone().unwrap_or_default().into_bytes());
        let (Some(numbers), Some(reasons)) = (numbers, reasons) else { return Vec::new() };
        let sum = |kind: usize| numbers.iter().map(|own| own[kind]).sum::<u64>();
        let mut warnings = Vec::new();
        if sum(1) > 0 {
            let share = 100.0 * sum(1) as f64 / sum(2) as f64;
            warnings.push(format!(
                "{share:.2} % of the points of the lines of sight lie outside the emissivity tables; extrapolated"
            ));
        }
        if let Some(reason) = reasons.iter().find(|reason| !reason.is_empty()) {
            let reason = String::from_utf8_lossy(reason);
            warnings.push(format!("no radiances of {} columns and times: {reason}", sum(0)));
        }
        warnings
    }

    /// Writes radiances and brightness temperatures.
    pub(super) fn write(&self, file: &mut Collected<'_>, satellite: &Satellite) {
        let channels = satellite.wavenumbers_per_cm();
        let channel = |i: usize| channels[i / self.columns % channels.len()];
        let values = self.radiance.iter().enumerate();
        let brightness: Vec<f64> = values.map(|(i, &value)| brightness_temperature(value, channel(i))).collect();
        let variable = |name, units, long_name| OutputVariable {
            name,
            dimensions: &["satellite_time", "view", "channel", "column"],
            units,
            long_name,
            standard_name: None,
            reference_name: None,
        };
        let radiance = variable("radiance", "W m-2 sr-1 (cm-1)-1", "radiance at the satellite, per wavenumber");
        file.put(Ok(filled(&[&self.radiance])), |file, values| Ok(file.variable_with_gaps(&radiance, values)?));
        let temperature = variable("brightness_temperature", "K", "brightness temperature at the satellite");
        file.put(Ok(filled(&[&brightness])), |file, values| Ok(file.variable_with_gaps(&temperature, values)?));
    }
}

/// Times, views and channels, which the first member knows by itself.
pub(super) fn coordinates(
    file: &mut DatasetWriter,
    (setup, satellite): (&Setup, &Satellite),
    times: &[f64],
) -> Result<(), Error> {
    let seen: Vec<f64> = satellite.records.iter().map(|&record| times[record]).collect();
    let channels = satellite.wavenumbers_per_cm();
    let sizes = [("satellite_time", seen.len()), ("view", satellite.views.len()), ("channel", channels.len())];
    sizes.into_iter().try_for_each(|(name, size)| file.dimension(name, size))?;
    let variable = |name, dimensions, units, long_name| OutputVariable {
        name,
        dimensions,
        units,
        long_name,
        standard_name: None,
        reference_name: None,
    };
    let long_name = "time since midnight at longitude 0 of the first day, of what a satellite sees";
    put_times(setup, file, ("satellite_time", long_name), &seen)?;
    file.variable(&variable("wavenumber", &["channel"], "cm-1", "centre of each channel"), channels)?;
    let views = |value: fn(&View) -> Option<f64>| -> Vec<f64> {
        satellite.views.iter().map(|view| value(view).unwrap_or(f64::FILL)).collect()
    };
    let nadir = views(|view| if let View::Nadir(angle) = view { Some(*angle) } else { None });
    let long_name = "angle at the satellite from straight down, of a view of the ground";
    file.variable_with_gaps(&variable("nadir_angle", &["view"], "degree", long_name), &nadir)?;
    let limb = views(|view| if let View::Limb(tangent) = view { Some(*tangent) } else { None });
    let long_name = "height of the geometric tangent point, of a view of the limb";
    Ok(file.variable_with_gaps(&variable("tangent_height", &["view"], "km", long_name), &limb)?)
}

/// A column of a record as the forward model wants it: the ground, the middles of the layers, and the top, beyond which
/// there is nothing.
fn air<R: Precision>(
    setup: &Setup,
    satellite: &Satellite,
    records: &Records<R>,
    (record, first, column): (usize, usize, usize),
) -> Atmosphere {
    let layers = setup.layers();
    let columns = records.at(q::SURFACE_TEMPERATURE, record).unwrap_or_default().len();
    let value =
        |values: Option<&[R]>, row: usize| values.map_or(f64::NAN, |values| values[row * columns + column].value());
    let in_layers = |quantity| {
        let values = records.at(quantity, record);
        (0..layers).map(|layer| value(values, layer)).collect::<Vec<f64>>()
    };
    let (temperature, vapour) = (in_layers(q::TEMPERATURE), in_layers(q::VAPOUR));
    let (pressure, levels) = (records.constant(q::PRESSURE), records.constant(q::INTERFACE_PRESSURE));
    let (mut heights, mut pressures, mut bottom) = (vec![0.0], vec![0.01 * value(levels, 0)], 0.0);
    for layer in 0..layers {
        let (below, middle, above) = (value(levels, layer), value(pressure, layer), value(levels, layer + 1));
        heights.push(bottom + thickness_km(temperature[layer], vapour[layer], below, middle));
        pressures.push(0.01 * middle);
        bottom += thickness_km(temperature[layer], vapour[layer], below, above);
    }
    heights.push(bottom);
    pressures.push(0.01 * value(levels, layers));
    // The ground's air and the top's are those of the layers beside them.
    let padded = |values: &[f64]| [&values[..1], values, &values[layers - 1..]].concat();
    let mixing_ratio = |source: &Source| match *source {
        Source::Vapour => {
            let dry = |w: &f64| DRY_AIR_KG_PER_MOL / WATER_KG_PER_MOL * w.max(0.0);
            padded(&vapour.iter().map(|w| dry(w) / (1.0 + dry(w))).collect::<Vec<_>>())
        }
        Source::Ozone => {
            let ozone = |layer: usize| setup.initial.ozone_mol_per_mol[layer * setup.columns() + first + column];
            padded(&(0..layers).map(ozone).collect::<Vec<_>>())
        }
        Source::Tracer(number) => {
            let (values, tracers) = (records.at(q::TRACERS, record), setup.initial.tracers);
            padded(&(0..layers).map(|layer| value(values, layer * tracers + number).max(0.0)).collect::<Vec<_>>())
        }
        Source::Fixed(fraction) => vec![fraction; layers + 2],
    };
    let windows = satellite.model.windows.iter().max().map_or(1, |&window| window + 1);
    Atmosphere {
        horizontal: isobar_raytrace::Horizontal::Uniform,
        time_s: vec![0.0; layers + 2],
        longitude_deg: vec![0.0; layers + 2],
        latitude_deg: vec![0.0; layers + 2],
        height_km: heights,
        pressure_hpa: pressures,
        temperature_k: padded(&temperature),
        mixing_ratio: satellite.sources.iter().map(mixing_ratio).collect(),
        extinction_per_km: vec![vec![0.0; layers + 2]; windows],
        cloud: None,
        surface: Some(SurfaceLayer {
            height_km: 0.0,
            pressure_hpa: 0.0,
            temperature_k: value(records.at(q::SURFACE_TEMPERATURE, record), 0),
            emissivity: vec![satellite.emissivity; 2],
        }),
    }
}
