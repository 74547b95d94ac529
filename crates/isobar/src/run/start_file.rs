//! Columns at the start from a NetCDF file, with where and when they are.

use std::path::{Path, PathBuf};

use isobar_column::Initial;
use isobar_io::netcdf::Remarks;
use isobar_io::{
    BoundaryLayerRequest, SurfaceLayerSource, Whereabouts, date_of_seconds, read_boundary_layer_files, seconds_of_date,
};
use isobar_ysu::Columns;
use toml::Spanned;

use super::clouds::InFile;
use super::description::Description;
use super::error::Error;
use super::reader::CaseFile;

/// The roughness lengths of land and of water of which neither case nor file says anything \[m\].
pub(super) const ROUGHNESS_M: [f64; 2] = [0.1, 1e-4];

const DAY_S: f64 = 86_400.0;

/// What a run starts from.
pub(super) struct Start {
    /// The columns, clouds aside.
    pub(super) initial: Initial,
    /// Where and when they are, if they are a file's.
    pub(super) whereabouts: Option<(PathBuf, Whereabouts)>,
    /// The clouds of a file that has some.
    pub(super) clouds: Option<InFile>,
    /// What there is to say of the file.
    pub(super) notes: Vec<String>,
    /// The columns that the file has no values of, in order: another one stands in the place of each.
    pub(super) masked: Vec<usize>,
}

/// Columns of a file as `isobar pbl` reads it, without the surface layer, which the run has itself.
pub(super) fn from_file(file: &CaseFile, case: &Description, named: &Spanned<PathBuf>) -> Result<Start, Error> {
    let path = file.named(named)?;
    // A temperature that the case gives wins.
    let surface_temperature = case.ground.mean_k.is_none() && case.ground.temperature_k.is_none();
    let surface = SurfaceLayerSource::Elsewhere { surface_temperature };
    let request = BoundaryLayerRequest { surface, ..BoundaryLayerRequest::default() };
    let input = read_boundary_layer_files(&[&path], &isobar_ysu::Options::new(case.step_s), &request)?;
    let (input, mut whereabouts) = (input.air, input.start.unwrap_or_default());
    let has_roughness = input.names.iter().any(|(ours, _)| *ours == "roughness");
    let masked_in_words = input.masked_in_words();
    let mut air = input.columns;
    let count = air.columns();
    if !has_roughness {
        air.roughness_m = air.land_or_water.iter().map(|&kind| ROUGHNESS_M[usize::from(kind == 2.0)]).collect();
    }
    let top = close(&mut air, count);
    if let Some(columns) = case.columns.as_ref().filter(|columns| *columns.get_ref() != count) {
        return Err(file.refuse(columns, format!("{} has {count} columns", path.display())));
    }
    // Another column stands in for a masked one.
    let good = (0..count).find(|column| !input.masked.contains(column)).unwrap_or(0);
    let mut fraction = std::mem::take(&mut whereabouts.cloud_fraction);
    let Whereabouts { latitude_deg, longitude_deg, surface_temperature_k, .. } = &mut whereabouts;
    for values in [latitude_deg, longitude_deg, surface_temperature_k, &mut fraction] {
        for row in values.chunks_mut(count) {
            input.masked.iter().for_each(|&column| row[column] = row[good]);
        }
    }
    // As sites have them.
    let turned = |degrees: &mut f64| *degrees = if degrees.abs() > 180.0 { west_or_east(*degrees) } else { *degrees };
    whereabouts.longitude_deg.iter_mut().for_each(turned);
    let cloudy = air.cloud_water_kg_per_kg.iter().chain(&air.cloud_ice_kg_per_kg).any(|&cloud| cloud > 0.0);
    let ratios = [air.cloud_water_kg_per_kg, air.cloud_ice_kg_per_kg];
    // What the file lacks is 0.
    let filled = |ratios: Vec<f64>| if ratios.is_empty() { vec![0.0; air.pressure_pa.len()] } else { ratios };
    let masked = input.masked.clone();
    let in_file = || InFile { path: path.clone(), ratios: ratios.map(filled), fraction, masked };
    let clouds = cloudy.then(in_file);
    let remarks = input.remarks;
    let ozone = air.pressure_pa.iter().map(|&pressure| isobar_column::rcemip::ozone(pressure)).collect();
    let of_ground = input.names.iter().find(|(ours, _)| *ours == "surface_temperature").map(|(_, theirs)| theirs);
    let ground = if whereabouts.surface_temperature_k.is_empty() {
        air.temperature_k[..count].to_vec()
    } else {
        whereabouts.surface_temperature_k.clone()
    };
    let initial = Initial {
        columns: count,
        interface_pressure_pa: air.interface_pressure_pa,
        pressure_pa: air.pressure_pa,
        temperature_k: air.temperature_k,
        vapour_kg_per_kg: air.vapour_kg_per_kg,
        ozone_mol_per_mol: ozone,
        wind_east_m_per_s: air.u_m_per_s,
        wind_north_m_per_s: air.v_m_per_s,
        latitude_deg: vec![0.0; count],
        longitude_deg: vec![0.0; count],
        clouds: None,
        surface_albedo: vec![0.2; count],
        roughness_heat_m: air.roughness_m.clone(),
        roughness_m: air.roughness_m,
        land_or_water: air.land_or_water,
        moisture_availability: vec![0.0; count],
        water_depth_m: vec![],
        orography_deviation_m: vec![],
        ground_mean_k: ground,
        ground_amplitude_k: vec![0.0; count],
        tracers: 0,
        tracers_mol_per_mol: vec![],
    };
    let mut derived = input.derived;
    derived.extend(top);
    if surface_temperature {
        let found = of_ground.map_or("that of the lowest layer", String::as_str);
        derived.push(format!("temperature of the ground: {found}"));
    }
    let notes = in_words(file, case, (&path, &whereabouts, has_roughness), (derived, &remarks));
    let notes = notes.into_iter().chain(masked_in_words.map(|line| format!("{}: {line}", path.display()))).collect();
    Ok(Start { initial, whereabouts: Some((path, whereabouts)), clouds, notes, masked: input.masked })
}

/// Ends uppermost layers that end at no pressure where they are twice as thick as their lower half, as `isobar pbl`
/// has them: a column of air without an end has no height. What is said of it.
fn close(air: &mut Columns<f64>, count: usize) -> Option<String> {
    let (levels, layers) = (air.interface_pressure_pa.len(), air.pressure_pa.len());
    let [mut least, mut most] = [f64::INFINITY, 0.0_f64];
    for column in 0..count {
        let middle = air.pressure_pa[layers - count + column];
        let below = air.interface_pressure_pa[levels - 2 * count + column];
        let top = &mut air.interface_pressure_pa[levels - count + column];
        if *top == 0.0 {
            *top = middle * middle / below;
            (least, most) = (least.min(*top), most.max(*top));
        }
    }
    let pressures = if least == most { format!("{most} Pa") } else { format!("{least} to {most} Pa") };
    (most > 0.0).then(|| {
        format!(
            "top = {pressures} in place of 0 Pa, so that the uppermost layer is twice as thick as its lower half: the \
             air above is left out"
        )
    })
}

/// From -180 to 180.
fn west_or_east(degrees: f64) -> f64 {
    degrees - 360.0 * (degrees / 360.0).round()
}

/// Day of the year and hour of the day of a time.
fn day_and_hour(time_s: f64) -> Option<(f64, f64)> {
    let date = date_of_seconds(time_s)?;
    let since = time_s - seconds_of_date(&format!("{}-01-01", date.split('-').next()?))?;
    let days = (since / DAY_S).floor();
    Some((days + 1.0, (since - days * DAY_S) / 3600.0))
}

/// Day of the year and hour at the start: the case's, the file's, or midsummer's midnight.
pub(super) fn when(case: &Description, whereabouts: Option<&Whereabouts>) -> (f64, f64) {
    let of_file = whereabouts.and_then(|whereabouts| day_and_hour(whereabouts.time_s?));
    let (day, hour) = of_file.unwrap_or((172.0, 0.0));
    (case.day_of_year.unwrap_or(day), case.start_hour.unwrap_or(hour))
}

/// The midnight before the start \[s since 2000\], if a file says of what date it is and the case of no other day.
pub(super) fn midnight(case: &Description, whereabouts: Option<&Whereabouts>) -> Option<f64> {
    let of_file = whereabouts?.time_s.filter(|_| case.day_of_year.is_none())?;
    Some(DAY_S * (of_file / DAY_S).floor())
}

/// What was made up, what the case has in place of the file, what neither has, and what was not read.
fn in_words(
    file: &CaseFile,
    case: &Description,
    (path, whereabouts, has_roughness): (&Path, &Whereabouts, bool),
    (mut derived, remarks): (Vec<String>, &Remarks),
) -> Vec<String> {
    let site = &case.site;
    let date = whereabouts.time_s.and_then(date_of_seconds);
    let (day, hour) = when(case, Some(whereabouts));
    let (has_day, has_hour) = (case.day_of_year.is_some(), case.start_hour.is_some());
    let of_date = [(has_day, format!("day_of_year = {day}")), (has_hour, format!("start_hour = {hour}"))];
    let of_date: Vec<String> = of_date.into_iter().filter(|(own, _)| !own).map(|(_, what)| what).collect();
    if let Some(date) = date.as_ref().filter(|_| !of_date.is_empty()) {
        derived.push(format!("{}, of {date}", of_date.join(" and ")));
    }
    derived.push("ozone: RCEMIP's profile".to_owned());
    if site.moisture_availability.is_none() && case.surface_flux.is_none() {
        derived.push("moisture_availability = 0.3 over land, 1 over water".to_owned());
    }
    let (latitude, longitude) = (!site.latitude_deg.span().is_empty(), !site.longitude_deg.span().is_empty());
    let (has_latitude, has_longitude) = (!whereabouts.latitude_deg.is_empty(), !whereabouts.longitude_deg.is_empty());
    let [land, water] = ROUGHNESS_M;
    let roughness = format!("roughness_m = {land} over land and {water} over water");
    // What it is, whether the case has it and whether the file does, and what it is where neither has.
    let all = [
        ("latitude", latitude, has_latitude, "latitude_deg = 45".to_owned()),
        ("longitude", longitude, has_longitude, "longitude_deg = 0".to_owned()),
        ("day_of_year", has_day, date.is_some(), format!("day_of_year = {day}")),
        ("start_hour", has_hour, date.is_some(), format!("start_hour = {hour}")),
        ("roughness", site.roughness_m.is_some(), has_roughness, roughness),
    ];
    let both: Vec<&str> = all.iter().filter(|(_, own, files, _)| *own && *files).map(|(what, ..)| *what).collect();
    let neither = all.iter().filter(|(_, own, files, _)| !own && !files);
    let neither: Vec<&str> = neither.map(|(.., otherwise)| otherwise.as_str()).collect();
    let mut lines = Vec::new();
    if !both.is_empty() {
        let (both, path) = (both.join(", "), path.display());
        lines.push(format!("{}: taken in place of those of {path}: {both}", file.path.display()));
    }
    if !neither.is_empty() {
        lines.push(format!("{}: neither this nor the case says: {}", path.display(), neither.join(", ")));
    }
    lines.push(format!("{}: derived: {}", path.display(), derived.join("; ")));
    lines.extend(remarks.lines().into_iter().map(|line| format!("{}: {line}", path.display())));
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Days of the year by the calendar: 31 + 28 days before March, one more in leap years.
    #[test]
    fn days_and_hours_are_those_of_the_calendar() {
        for (date, expected) in [
            ("2020-12-21_06:00:00", (356.0, 6.0)),
            ("2021-03-01T18:30:00Z", (60.0, 18.5)),
            ("1999-12-31 23:00", (365.0, 23.0)),
            ("2000-01-01", (1.0, 0.0)),
        ] {
            assert_eq!(day_and_hour(seconds_of_date(date).unwrap()), Some(expected), "{date}");
        }
        assert_eq!([190.0, 360.0, -540.5, -185.0].map(west_or_east), [-170.0, 0.0, 179.5, 175.0]);
    }
}
