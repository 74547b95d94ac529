//! Observations in NetCDF, as JURASSIC of 2026 has them (`OBSFMT` 3): profiles over `profile` and `ray`, of which each
//! has `nray` rays.

use std::path::Path;

use super::{Observation, columns};
use crate::control::Control;
use crate::error::Error;
use crate::netcdf::{NetcdfOutput, OutputVariable, Sample};
use crate::profiles::{Along, ProfileDataset, Values, invalid};

const ALONG: Along = Along { dimension: "ray", count: "nray" };

/// Name, unit and long name of the variable of each column of the text, in the order of [`columns`].
fn variables(control: &Control) -> Vec<(String, &'static str, String)> {
    let mut all = vec![("time".to_owned(), "s", "time in seconds since 2000-01-01, 00:00 UTC".to_owned())];
    for (short, point) in [("obs", "observer"), ("vp", "view point"), ("tp", "tangent point")] {
        for (axis, unit, name) in
            [("z", "km", "altitude"), ("lon", "degrees_east", "longitude"), ("lat", "degrees_north", "latitude")]
        {
            all.push((format!("{short}_{axis}"), unit, format!("{point} {name}")));
        }
    }
    let (quantity, unit) = match control.brightness_temperature {
        true => ("brightness temperature", "K"),
        false => ("radiance", "W/(m^2 sr cm^-1)"),
    };
    for (short, unit, quantity) in [("rad", unit, quantity), ("tau", "1", "transmittance")] {
        let channel = |nu: &f64| (format!("{short}_{nu:.4}"), unit, format!("{quantity} ({nu:.4} cm^-1)"));
        all.extend(control.wavenumbers_per_cm.iter().map(channel));
    }
    all
}

/// The observations of a NetCDF file: those of some profiles, or all.
///
/// # Errors
/// A file that cannot be read or is no NetCDF; a profile that it has not; a variable that is missing or has another
/// unit or other dimensions; a coordinate that is not finite.
pub fn read_observations_netcdf(
    path: &Path,
    control: &Control,
    profiles: Option<&[usize]>,
) -> Result<Vec<Observation>, Error> {
    let file = ProfileDataset::open(path, ALONG)?;
    let (columns, channels) = (columns(control), control.wavenumbers_per_cm.len());
    let read = |(name, unit, _): &(String, &'static str, String)| file.read(name, unit);
    let values = variables(control).iter().map(read).collect::<Result<Vec<Values>, Error>>()?;
    let one = |&profile: &usize| {
        let mut observation = Observation::default();
        for ray in 0..file.entries(profile)? {
            let at = |(values, column): (&Values, _)| values.at(path, (profile, ray), column, "ray");
            let row = values.iter().zip(&columns).map(at).collect::<Result<Vec<f64>, Error>>()?;
            observation.push(&row, channels);
        }
        Ok(observation)
    };
    let all: Vec<usize> = (0..file.profiles()).collect();
    profiles.unwrap_or(&all).iter().map(one).collect()
}

/// Writes observations as the profiles of a NetCDF file, in their order; where there is none, the profile stays empty.
///
/// # Errors
/// A file that cannot be written; no ray; vectors that do not fit the number of rays and channels.
pub fn write_observations_netcdf(
    path: &Path,
    control: &Control,
    observations: &[Option<&Observation>],
) -> Result<(), Error> {
    let channels = control.wavenumbers_per_cm.len();
    let mut rows = Vec::new();
    for (profile, observation) in observations.iter().enumerate() {
        let misfit = observation.and_then(|observation| observation.misfit(channels));
        if let Some(problem) = misfit {
            return Err(invalid(path, format!("profile {profile}: {problem}")));
        }
        let of_rays = |observation: &&Observation| -> Vec<Vec<f64>> {
            (0..observation.rays.len()).map(|ray| observation.row(ray, channels)).collect()
        };
        rows.push(observation.as_ref().map(of_rays).unwrap_or_default());
    }
    let rays = rows.iter().map(Vec::len).max().unwrap_or(0);
    if rays == 0 {
        return Err(invalid(path, "there is no ray to write".into()));
    }
    let mut output = NetcdfOutput::create(path)?.any_units();
    output.unlimited("profile", observations.len())?;
    output.dimension(ALONG.dimension, rays)?;
    let counts: Vec<i32> = rows.iter().map(|rows| rows.len() as i32).collect();
    let both: &[&str] = &["profile", ALONG.dimension];
    let plain = |name, units, long_name, dimensions| OutputVariable {
        name,
        dimensions,
        units,
        long_name,
        standard_name: None,
        reference_name: None,
    };
    output.variable(&plain(ALONG.count, "1", "number of ray paths", &both[..1]), &counts)?;
    for (i, (name, unit, long_name)) in variables(control).iter().enumerate() {
        let value = |rows: &Vec<Vec<f64>>, ray: usize| rows.get(ray).map_or(f64::FILL, |row| row[i]);
        let values: Vec<f64> = rows.iter().flat_map(|rows| (0..rays).map(move |ray| value(rows, ray))).collect();
        output.variable(&plain(name, unit, long_name, both), &values)?;
    }
    output.commit()
}
