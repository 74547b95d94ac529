//! Paths as text: a block a ray, a row a point.

use std::fmt;
use std::io::{self, Write};

use isobar_raytrace::{Path, Ray};

/// What the columns hold.
pub(super) struct PathTable<'a> {
    /// Names of the gases.
    pub(super) gases: &'a [String],
    /// Number of extinction windows.
    pub(super) windows: usize,
}

impl PathTable<'_> {
    /// Names the columns.
    pub(super) fn header(&self, out: &mut impl Write) -> io::Result<()> {
        let fixed = [
            "ray (from 0)",
            "point (from 0, at the observer or where the ray enters the atmosphere)",
            "time (seconds since 2000-01-01T00:00Z)",
            "altitude [km]",
            "longitude [deg]",
            "latitude [deg]",
            "pressure [hPa]",
            "temperature [K]",
            "segment length [km]",
        ];
        let gases = self.gases.iter().flat_map(|gas| {
            [
                format!("{gas} volume mixing ratio [ppv]"),
                format!("{gas} column density of the segment [molecules/cm^2]"),
            ]
        });
        let windows = (0..self.windows).map(|window| format!("extinction (window {window}) [km^-1]"));
        let titles = fixed.into_iter().map(str::to_owned).chain(gases).chain(windows);
        titles.enumerate().try_for_each(|(i, title)| writeln!(out, "# ${} = {title}", i + 1))
    }

    /// A blank line, the tangent point, the points.
    pub(super) fn ray(&self, out: &mut impl Write, number: usize, ray: &Ray, path: &Path) -> io::Result<()> {
        let end = match (path.points.is_empty(), path.summary.hits_ground != 0) {
            (true, _) => "misses the atmosphere",
            (_, true) => "ends on the ground",
            (_, false) => "leaves into space",
        };
        let summary = &path.summary;
        writeln!(
            out,
            "\n# ray {number}: {} points, {end}, tangent point {} km {} deg {} deg",
            path.points.len(),
            Number(summary.tangent_height_km),
            Number(summary.tangent_longitude_deg),
            Number(summary.tangent_latitude_deg)
        )?;
        for (i, point) in path.points.iter().enumerate() {
            write!(out, "{number} {i}")?;
            let fixed = [
                ray.time_s,
                point.height_km,
                point.longitude_deg,
                point.latitude_deg,
                point.pressure_hpa,
                point.temperature_k,
                point.length_km,
            ];
            let gases = point.gases.iter().flat_map(|gas| [gas.mixing_ratio, gas.column_per_cm2]);
            for value in fixed.into_iter().chain(gases).chain(point.extinction_per_km.iter().copied()) {
                write!(out, " {}", Number(value))?;
            }
            writeln!(out)?;
        }
        Ok(())
    }
}

/// The shortest digits that read back equal.
struct Number(f64);

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(value) = *self;
        let plain = value == 0.0 || !value.is_finite() || (1e-4..1e6).contains(&value.abs());
        if plain { write!(f, "{value}") } else { write!(f, "{value:e}") }
    }
}
