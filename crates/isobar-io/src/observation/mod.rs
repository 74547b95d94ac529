//! Observation files: one row a ray, geometry and measurements; or profiles in NetCDF.

#[cfg(feature = "netcdf")]
mod netcdf;

use std::io::{self, Write};
use std::path::Path;

use isobar_raytrace::{Position, Ray};

use crate::binary::{BinaryFile, begins_with, write_head, write_values};
use crate::column::{Column, TIME, parse_row};
use crate::control::Control;
use crate::control::ProfileFormat;
use crate::error::{Error, Place};
use crate::number::Range;
#[cfg(feature = "netcdf")]
use crate::profiles::profiles_left_out;
use crate::text::{read_bytes, rows, titles, to_text, unwritable, write_header, write_row};

#[cfg(feature = "netcdf")]
pub use netcdf::{
    add_observations_netcdf, count_observations_netcdf, read_each_observation_netcdf, read_observations_netcdf,
    write_observations_netcdf,
};

/// How a binary file begins.
const LETTERS: [u8; 4] = *b"OBS1";
/// Columns of time, observer and view point, which every row has.
const GEOMETRY: usize = 7;
/// Those and the tangent point.
const FIXED: usize = 10;

/// Values that stand for one that is missing.
const MISSING: [f64; 2] = [-999.0, -9999.0];

/// Is a radiance or brightness temperature one that was measured? Neither is one that is not finite, nor -999 or -9999,
/// which instruments' files have where a value is missing.
#[must_use]
pub fn is_measured(value: f64) -> bool {
    value.is_finite() && !MISSING.contains(&value)
}

/// Rays and what was measured or calculated along them.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Observation {
    /// The rays.
    pub rays: Vec<Ray>,
    /// The lowest point of each ray; its view point where nothing better is known.
    pub tangent_points: Vec<Position>,
    /// Radiances \[W/(m^2 sr cm^-1)\] or brightness temperatures \[K\], `ray * channels + channel`; a value that is not
    /// finite masks its measurement.
    pub radiance: Vec<f64>,
    /// Transmittances, laid out as the radiances.
    pub transmittance: Vec<f64>,
}

impl Observation {
    /// Adds a row.
    fn push(&mut self, values: &[f64], channels: usize) {
        let point =
            |i: usize| Position { height_km: values[i], longitude_deg: values[i + 1], latitude_deg: values[i + 2] };
        self.rays.push(Ray { time_s: values[0], observer: point(1), view_point: point(4) });
        self.tangent_points.push(point(GEOMETRY));
        self.radiance.extend(&values[FIXED..FIXED + channels]);
        self.transmittance.extend(&values[FIXED + channels..]);
    }

    /// The row of a ray.
    fn row(&self, ray: usize, channels: usize) -> Vec<f64> {
        let Ray { time_s, observer, view_point } = &self.rays[ray];
        let mut row = vec![*time_s];
        for point in [observer, view_point, &self.tangent_points[ray]] {
            row.extend([point.height_km, point.longitude_deg, point.latitude_deg]);
        }
        let channels = ray * channels..(ray + 1) * channels;
        row.extend(&self.radiance[channels.clone()]);
        row.extend(&self.transmittance[channels]);
        row
    }

    /// What does not fit, if anything.
    fn misfit(&self, channels: usize) -> Option<String> {
        let Self { rays, tangent_points, radiance, transmittance } = self;
        let values = rays.len() * channels;
        let fits = (tangent_points.len(), radiance.len(), transmittance.len()) == (rays.len(), values, values);
        (!fits).then(|| {
            format!(
                "{} rays of {channels} channels have {} tangent points, {} radiances and {} transmittances",
                rays.len(),
                tangent_points.len(),
                radiance.len(),
                transmittance.len()
            )
        })
    }
}

fn columns(control: &Control) -> Vec<Column> {
    let mut columns = vec![Column::new(TIME, "", Range::FINITE)];
    for point in ["observer", "view point", "tangent point"] {
        for (axis, unit, range) in [
            ("altitude", "km", Range::FINITE),
            ("longitude", "deg", Range::FINITE),
            ("latitude", "deg", Range::LATITUDE),
        ] {
            columns.push(Column::new(format!("{point} {axis}"), unit, range));
        }
    }
    let (quantity, unit) = match control.brightness_temperature {
        true => ("brightness temperature", "K"),
        false => ("radiance", "W/(m^2 sr cm^-1)"),
    };
    for (quantity, unit) in [(quantity, unit), ("transmittance", "-")] {
        let channel = |nu: &f64| Column::anything(format!("{quantity} ({nu:.4} cm^-1)"), unit);
        columns.extend(control.wavenumbers_per_cm.iter().map(channel));
    }
    columns
}

/// Reads an observation, of a file in NetCDF the profile that `PROF_IN` names. A row of a text may end after the view
/// point: then the tangent point is the view point, radiances and transmittances are 0. Columns beyond those that the
/// control file asks for are ignored.
///
/// # Errors
/// A file that cannot be read, no row, a row that is too short or holds something else than numbers, a coordinate that
/// is not finite, a latitude beyond 90 degrees.
pub fn read_observation(path: &Path, control: &Control) -> Result<Observation, Error> {
    read(path, control, Counts::Geometry)
}

/// Reads an observation whose measurements count, as [`read_observation`] does: a text whose header says that they are
/// radiances where `WRITE_BBT` asks for brightness temperatures, or the other way round, is refused, as a file in
/// NetCDF always is.
///
/// # Errors
/// As [`read_observation`], and a row that ends after the view point, without measurements.
pub fn read_measurement(path: &Path, control: &Control) -> Result<Observation, Error> {
    read(path, control, Counts::Measurements)
}

/// Reads an observation to be written in another format: headers count as for [`read_measurement`], but rows may end
/// after the view point; their number is the second part of the result.
///
/// # Errors
/// As [`read_observation`].
pub fn read_observation_and_titles(path: &Path, control: &Control) -> Result<(Observation, usize), Error> {
    let observation = read(path, control, Counts::Titles)?;
    let is_text = !begins_with(path, LETTERS) && !begins_with(path, *b"\x89HDF");
    let bytes = if is_text { read_bytes(path)? } else { Vec::new() };
    Ok((observation, rows(&to_text(&bytes)).filter(|(_, row)| is_geometry(row)).count()))
}

/// What there is to say of a file that [`read_observation`] has read: profiles that are left out because nothing says
/// which one is wanted.
#[must_use]
pub fn observation_remark(path: &Path, control: &Control) -> Option<String> {
    #[cfg(feature = "netcdf")]
    if crate::netcdf::is_netcdf(path) {
        return profiles_left_out(path, control, netcdf::left_out(path, control), "");
    }
    let _ = (path, control);
    None
}

/// What of a file is wanted.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Counts {
    /// The rays.
    Geometry,
    /// Those, and what headers say of the rest.
    Titles,
    /// All.
    Measurements,
}

/// Does a row end after the view point?
fn is_geometry(row: &str) -> bool {
    row.split_ascii_whitespace().nth(GEOMETRY).is_none()
}

fn read(path: &Path, control: &Control, counts: Counts) -> Result<Observation, Error> {
    #[cfg(feature = "netcdf")]
    if crate::netcdf::is_netcdf(path)
        || control.observation_format == ProfileFormat::Netcdf && !begins_with(path, LETTERS)
    {
        let mut found = read_observations_netcdf(path, control, Some(&[control.profile]))?;
        return Ok(found.swap_remove(0));
    }
    let columns = columns(control);
    let channels = control.wavenumbers_per_cm.len();
    if control.observation_format == ProfileFormat::Binary || begins_with(path, LETTERS) {
        let mut file = BinaryFile::open(path, LETTERS, &[("ND", channels)])?;
        let count = file.count("rays")?;
        let lists = columns.iter().map(|column| file.column(column, count, "ray"));
        let lists = lists.collect::<Result<Vec<_>, Error>>()?;
        file.end()?;
        let mut observation = Observation::default();
        for ray in 0..count {
            observation.push(&lists.iter().map(|list| list[ray]).collect::<Vec<f64>>(), channels);
        }
        return Ok(observation);
    }
    let bytes = read_bytes(path)?;
    let text = to_text(&bytes);
    check_header(path, &text, &columns, control, counts != Counts::Geometry)?;
    let mut observation = Observation::default();
    for (line, row) in rows(&text) {
        let place = Place::line(path, line);
        let alone = is_geometry(row) && counts != Counts::Measurements;
        let wanted = if alone { &columns[..GEOMETRY] } else { &columns[..] };
        let mut values = parse_row(&place, row, wanted, "ray", observation.rays.len())?;
        if alone {
            values.extend_from_within(4..GEOMETRY);
            values.resize(columns.len(), 0.0);
        }
        observation.push(&values, channels);
    }
    if observation.rays.is_empty() {
        return Err(Error::invalid(Place::File(path.to_owned()), "the file holds no ray"));
    }
    Ok(observation)
}

/// The line of a text on which a row stands, counted from 0 as rays and levels are; none in a file of another kind.
#[must_use]
pub fn line_of_row(path: &Path, row: usize) -> Option<usize> {
    if begins_with(path, LETTERS) || begins_with(path, *b"ATM1") || begins_with(path, *b"\x89HDF") {
        return None;
    }
    let bytes = read_bytes(path).ok()?;
    rows(&to_text(&bytes)).nth(row).map(|(line, _)| line)
}

/// Are columns what the control file takes them for, where a header says it? Radiances where they count alone.
fn check_header(
    path: &Path,
    text: &str,
    columns: &[Column],
    control: &Control,
    measurements_count: bool,
) -> Result<(), Error> {
    let counting = if measurements_count { columns } else { &columns[..FIXED] };
    for (line, number, held) in titles(text) {
        let refuse = |problem: String| Error::invalid(Place::line(path, line), format!("column {number} {problem}"));
        let Some(wanted) = counting.get(number.wrapping_sub(1)) else { continue };
        let (held_bbt, held_radiance) = (held.starts_with("brightness temperature"), held.starts_with("radiance"));
        if if control.brightness_temperature { held_radiance } else { held_bbt } {
            let switch = u8::from(control.brightness_temperature);
            return Err(refuse(format!("holds {held}, which WRITE_BBT = {switch} does not ask for")));
        }
        if let Some(problem) = wanted.contradiction(held, columns) {
            return Err(refuse(problem));
        }
    }
    Ok(())
}

/// Writes an observation as JURASSIC's binary file.
///
/// # Errors
/// Those of `out`; vectors that do not fit the number of rays and channels.
pub fn write_observation_binary(out: &mut impl Write, observation: &Observation, control: &Control) -> io::Result<()> {
    let channels = control.wavenumbers_per_cm.len();
    if let Some(problem) = observation.misfit(channels) {
        return Err(unwritable(problem));
    }
    let rows: Vec<Vec<f64>> = (0..observation.rays.len()).map(|ray| observation.row(ray, channels)).collect();
    write_head(out, LETTERS, &[channels], rows.len())?;
    (0..FIXED + 2 * channels).try_for_each(|column| write_values(out, rows.iter().map(|row| row[column])))
}

/// Writes an observation, with a blank line before each change of time.
///
/// # Errors
/// Those of `out`; vectors that do not fit the number of rays and channels.
pub fn write_observation(out: &mut impl Write, observation: &Observation, control: &Control) -> io::Result<()> {
    let channels = control.wavenumbers_per_cm.len();
    if let Some(problem) = observation.misfit(channels) {
        return Err(unwritable(problem));
    }
    write_header(out, columns(control))?;
    let rays = &observation.rays;
    for (i, ray) in rays.iter().enumerate() {
        if i == 0 || ray.time_s != rays[i - 1].time_s {
            writeln!(out)?;
        }
        write_row(out, observation.row(i, channels))?;
    }
    Ok(())
}

/// Writes an observation as text, in binary or as the profile of a NetCDF file, as `OBSFMT` asks for it.
///
/// # Errors
/// Those of `out`; vectors that do not fit the number of rays and channels.
pub fn write_observation_as_asked(
    out: &mut impl Write,
    observation: &Observation,
    control: &Control,
) -> io::Result<()> {
    match control.observation_format {
        ProfileFormat::Ascii => write_observation(out, observation, control),
        ProfileFormat::Binary => write_observation_binary(out, observation, control),
        #[cfg(feature = "netcdf")]
        ProfileFormat::Netcdf => out.write_all(&netcdf::bytes(control, &[Some(observation)])?),
        #[cfg(not(feature = "netcdf"))]
        ProfileFormat::Netcdf => Err(unwritable("OBSFMT = 3 asks for NetCDF, which this build lacks")),
    }
}
