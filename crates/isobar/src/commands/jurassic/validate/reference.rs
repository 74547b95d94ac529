//! The files of a reference: spectra, geometry, and the gases of its atmosphere.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use isobar_raytrace::{Position, Ray};

use crate::program::failure::Failure;

/// A ray of the reference.
pub(super) struct Sight {
    pub(super) geometry: String,
    pub(super) number: usize,
    pub(super) ray: Ray,
}

/// The gases that the header of an atmosphere names.
pub(super) fn gases(path: &Path) -> Result<Vec<String>, Failure> {
    let titles = text(path)?;
    let gas = |line: &str| {
        let title = line.strip_prefix("# $")?.split_once(" = ")?.1;
        title.split_once(" volume mixing ratio").map(|(gas, _)| gas.to_owned())
    };
    Ok(titles.lines().filter_map(gas).collect())
}

fn text(path: &Path) -> Result<String, Failure> {
    let text = isobar_core::text::read_to_string(path);
    let unreadable = |cause| isobar_io::Error::Io { path: path.to_owned(), action: "read", cause };
    text.map_err(|cause| unreadable(cause).into())
}

/// A table of values between commas, whose first row names them.
struct Rows {
    path: PathBuf,
    titles: Vec<String>,
    rows: Vec<(usize, Vec<String>)>,
}

impl Rows {
    fn read(path: &Path) -> Result<Self, Failure> {
        let text = text(path)?;
        let words = |line: &str| line.split(',').map(|word| word.trim().to_owned()).collect::<Vec<_>>();
        let mut lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
        let titles = lines.next().map(|(_, line)| words(line)).unwrap_or_default();
        let rows = lines.map(|(number, line)| (number + 1, words(line))).collect();
        Ok(Self { path: path.to_owned(), titles, rows })
    }

    fn column(&self, title: &str) -> Result<usize, Failure> {
        let found = self.titles.iter().position(|other| other == title);
        found.ok_or_else(|| Failure::new(format!("{}: there is no column {title}", self.path.display())))
    }

    fn word<'a>(&self, (line, row): &'a (usize, Vec<String>), column: usize) -> Result<&'a str, Failure> {
        row.get(column).map(String::as_str).ok_or_else(|| {
            let title = &self.titles[column];
            Failure::new(format!("{}:{line}: column {title} is missing", self.path.display()))
        })
    }

    fn number(&self, row: &(usize, Vec<String>), column: usize) -> Result<f64, Failure> {
        let word = self.word(row, column)?;
        word.parse::<f64>().ok().filter(|number| number.is_finite()).ok_or_else(|| {
            let (path, line, title) = (self.path.display(), row.0, &self.titles[column]);
            Failure::new(format!("{path}:{line}: {word:?} is not a number ({title})"))
        })
    }
}

/// The reference.
pub(super) struct Spectra {
    /// \[cm^-1\], rising.
    pub(super) channels: Vec<f64>,
    /// By geometry, ray and the bits of the wavenumber.
    radiance: HashMap<(String, usize, u64), f64>,
}

impl Spectra {
    pub(super) fn read(path: &Path) -> Result<Self, Failure> {
        let rows = Rows::read(path)?;
        let [geometry, ray, nu, radiance] =
            ["geometry", "ray", "nu_cm-1", "radiance_W_m-2_sr-1_cm"].map(|title| rows.column(title));
        let (geometry, ray, nu, radiance) = (geometry?, ray?, nu?, radiance?);
        let mut all = HashMap::new();
        let mut channels = Vec::new();
        for row in &rows.rows {
            let wavenumber = rows.number(row, nu)?;
            channels.push(wavenumber);
            let key = (rows.word(row, geometry)?.to_owned(), rows.number(row, ray)? as usize, wavenumber.to_bits());
            all.insert(key, rows.number(row, radiance)?);
        }
        channels.sort_by(f64::total_cmp);
        channels.dedup();
        if channels.is_empty() {
            return Err(Failure::new(format!("{}: there is no spectrum", path.display())));
        }
        Ok(Self { channels, radiance: all })
    }

    pub(super) fn at(&self, sight: &Sight, nu: f64) -> Option<f64> {
        self.radiance.get(&(sight.geometry.clone(), sight.number, nu.to_bits())).copied()
    }
}

/// The rays of a geometry through air that ends at `top_km`.
pub(super) fn sights(path: &Path, top_km: f64) -> Result<Vec<Sight>, Failure> {
    let rows = Rows::read(path)?;
    let (geometry, number, time) = (rows.column("geometry")?, rows.column("ray")?, rows.column("time_s")?);
    let place = |name: &str| -> Result<[usize; 3], Failure> {
        let column = |what: &str| rows.column(&format!("{name}_{what}"));
        Ok([column("z_km")?, column("lon_deg")?, column("lat_deg")?])
    };
    let (observer, view) = (place("observer")?, place("view")?);
    let mut sights = Vec::new();
    for row in &rows.rows {
        let position = |[z, x, y]: [usize; 3]| -> Result<Position, Failure> {
            Ok(Position {
                height_km: rows.number(row, z)?,
                longitude_deg: rows.number(row, x)?,
                latitude_deg: rows.number(row, y)?,
            })
        };
        let (observer, mut view_point) = (position(observer)?, position(view)?);
        // A view point above the air means an empty path here, and the way there in JURASSIC of 2026.
        if observer.height_km < top_km && view_point.height_km > top_km {
            if (observer.longitude_deg, observer.latitude_deg) != (view_point.longitude_deg, view_point.latitude_deg) {
                let (path, line) = (path.display(), row.0);
                let text = "a slant ray from the air to a view point above it: name one within it";
                return Err(Failure::new(format!("{path}:{line}: {text}")));
            }
            view_point.height_km = top_km;
        }
        sights.push(Sight {
            geometry: rows.word(row, geometry)?.to_owned(),
            number: rows.number(row, number)? as usize,
            ray: Ray { time_s: rows.number(row, time)?, observer, view_point },
        });
    }
    if sights.is_empty() {
        return Err(Failure::new(format!("{}: there is no ray", path.display())));
    }
    Ok(sights)
}
