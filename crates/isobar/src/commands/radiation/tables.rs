//! Which k-distributions and tables of clouds.

use std::path::{Path, PathBuf};

use isobar_io::{coefficient_doubt, read_aerosol_tables, read_cloud_tables, read_k_distribution};
use isobar_optics::{AerosolTables, CloudTables, GasOptics};
use isobar_radiation::{CloudOptics, Precision, Radiation};

use crate::case::warn;
use crate::commands::Failure;
use crate::data_folder;

/// Which spectra a command computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Waves {
    /// The long wave, by `isobar longwave`.
    Long,
    /// The short wave, by `isobar shortwave`.
    Short,
    /// Those of the k-distributions, or both.
    Any,
}

/// A spectrum: its k-distribution with its file, and perhaps tables of clouds.
struct Spectrum {
    path: PathBuf,
    gases: GasOptics,
    clouds: Option<CloudOptics>,
    /// Of these tables as their file has them: how many roughnesses ice has, whether there are rain and snow.
    kinds: Option<(usize, [bool; 2])>,
}

/// What is made of tables of clouds.
type MakeOptics<'a> = &'a dyn Fn(&CloudTables) -> CloudOptics;

/// The spectra that are computed.
pub(crate) struct Tables {
    spectra: Vec<Spectrum>,
    /// Files with tables of clouds.
    clouds: Vec<PathBuf>,
    aerosols: Vec<AerosolTables>,
    /// Their files.
    aerosol_paths: Vec<PathBuf>,
}

impl Tables {
    /// The k-distributions that were asked for, or those of both spectra that come with the program, and theirs of
    /// clouds where no others are asked for, with the optics that are made of them. Tables of clouds go to the
    /// k-distribution that they fit.
    pub(crate) fn find(
        (asked, waves): (&[PathBuf], Waves),
        (clouds, optics): (&[PathBuf], MakeOptics<'_>),
        columns: &Path,
    ) -> Result<Self, Failure> {
        let paths = if asked.is_empty() { search(columns, waves)? } else { asked.to_vec() };
        let clouds: Vec<PathBuf> = match (asked, clouds) {
            ([], []) => paths.iter().filter_map(|path| data_folder::clouds_beside(path)).collect(),
            _ => clouds.iter().map(|path| data_folder::named(path)).collect(),
        };
        let paths = paths.iter().map(|path| data_folder::named(path));
        let mut tables = Self { spectra: Vec::new(), clouds, aerosols: Vec::new(), aerosol_paths: Vec::new() };
        for path in paths {
            coefficient_doubt(&path)?.into_iter().for_each(warn);
            let gases = read_k_distribution(&path)?.gas_optics();
            let gases = gases.map_err(|error| Failure::new(format!("{}: {error}", path.display())))?;
            match (waves, gases.is_longwave()) {
                (Waves::Any, _) | (Waves::Long, true) | (Waves::Short, false) => {}
                (_, longwave) => {
                    let (is, other) = if longwave { ("long", "short") } else { ("short", "long") };
                    let path = path.display();
                    let text =
                        format!("--kdist: {path} is of the {is} wave: isobar {is}wave computes it, this the {other}");
                    return Err(Failure::usage(text));
                }
            }
            let same = |other: &&Spectrum| other.gases.is_longwave() == gases.is_longwave();
            if let Some(other) = tables.spectra.iter().find(same) {
                return Err(Failure::new(format!(
                    "--kdist: {} and {} are both of the {} wave",
                    other.path.display(),
                    path.display(),
                    wave(&gases)
                )));
            }
            tables.spectra.push(Spectrum { path, gases, clouds: None, kinds: None });
        }
        for path in tables.clouds.clone() {
            coefficient_doubt(&path)?.into_iter().for_each(warn);
            tables.add_clouds(&path, &read_cloud_tables(&path)?, optics)?;
        }
        Ok(tables)
    }

    fn add_clouds(&mut self, path: &Path, clouds: &CloudTables, optics: MakeOptics<'_>) -> Result<(), Failure> {
        let place = path.display();
        let Some(spectrum) = self.spectra.iter_mut().find(|spectrum| clouds.fit(&spectrum.gases)) else {
            let what = if clouds.by_point { "g-points" } else { "bands" };
            let limits = clouds.bands.iter().flatten();
            let (low, high) =
                (limits.clone().copied().fold(f64::INFINITY, f64::min), limits.copied().fold(0.0, f64::max));
            let all: Vec<_> = self.spectra.iter().map(Spectrum::description).collect();
            return Err(Failure::new(format!(
                "{place}: tables of clouds for {} {what} from {low} to {high} cm-1 fit none of: {}",
                clouds.spectral,
                all.join("; ")
            )));
        };
        if spectrum.clouds.is_some() {
            return Err(Failure::new(format!(
                "{place}: there are tables of clouds for {} already",
                spectrum.path.display()
            )));
        }
        spectrum.clouds = Some(optics(clouds));
        spectrum.kinds = Some((clouds.ice.len(), [clouds.rain.is_some(), clouds.snow.is_some()]));
        Ok(())
    }

    /// The same with tables of aerosols, each for the k-distribution whose bands it has.
    pub(super) fn with_aerosols(mut self, paths: &[PathBuf]) -> Result<Self, Failure> {
        for path in paths {
            let path = data_folder::named(path);
            let tables = read_aerosol_tables(&path)?;
            if !self.gases().any(|gases| tables.fit(gases)) {
                let text = format!("{} bands of aerosols fit none of: {}", tables.bands.len(), self.description());
                return Err(Failure::new(format!("{}: {text}", path.display())));
            }
            if self.aerosols.iter().any(|other| other.bands == tables.bands) {
                return Err(Failure::new(format!(
                    "{}: there are tables of aerosols of its bands already",
                    path.display()
                )));
            }
            self.aerosols.push(tables);
            self.aerosol_paths.push(path);
        }
        Ok(self)
    }

    /// Do all tables of clouds have ice of one roughness?
    pub(super) fn ice_is_of_one_roughness(&self) -> bool {
        self.spectra.iter().filter_map(|spectrum| spectrum.kinds).all(|(roughnesses, _)| roughnesses == 1)
    }

    /// Do all tables of clouds have rain?
    pub(super) fn have_rain(&self) -> bool {
        self.spectra.iter().filter_map(|spectrum| spectrum.kinds).all(|(_, [rain, _])| rain)
    }

    /// Do all tables of clouds have snow?
    pub(super) fn have_snow(&self) -> bool {
        self.spectra.iter().filter_map(|spectrum| spectrum.kinds).all(|(_, [_, snow])| snow)
    }

    /// Tables of aerosols.
    pub(super) fn aerosols(&self) -> &[AerosolTables] {
        &self.aerosols
    }

    /// The scheme.
    pub(crate) fn radiation<R: Precision>(&self) -> Result<Radiation<R>, Failure> {
        let with =
            |radiation: Radiation<R>, spectrum: &Spectrum| radiation.with(&spectrum.gases, spectrum.clouds.as_ref());
        Ok(self.spectra.iter().try_fold(Radiation::new(), with)?)
    }

    /// Whether the long wave and the short wave are computed.
    pub(super) fn waves(&self) -> [bool; 2] {
        [true, false].map(|longwave| self.spectra.iter().any(|spectrum| spectrum.gases.is_longwave() == longwave))
    }

    /// Gas optics of each spectrum.
    pub(super) fn gases(&self) -> impl Iterator<Item = &GasOptics> {
        self.spectra.iter().map(|spectrum| &spectrum.gases)
    }

    /// Bands of fluxes by band, of the long wave and of the short wave.
    pub(super) fn flux_bands(&self) -> [usize; 2] {
        let of = |longwave| self.gases().find(|gases| gases.is_longwave() == longwave);
        [true, false].map(|longwave| of(longwave).map_or(0, |gases| gases.band_limits_per_cm.len()))
    }

    /// All files.
    pub(super) fn paths(&self) -> impl Iterator<Item = &PathBuf> {
        self.spectra.iter().map(|spectrum| &spectrum.path).chain(&self.clouds).chain(&self.aerosol_paths)
    }

    /// The kinds, the sizes, and where they lie.
    pub(crate) fn description(&self) -> String {
        self.spectra.iter().map(Spectrum::description).collect::<Vec<_>>().join("; ")
    }
}

impl Spectrum {
    fn description(&self) -> String {
        let kind = if self.gases.is_ecckd() { "sum of gases (ecCKD)" } else { "RRTMGP" };
        let (bands, points) = (self.gases.points_of_bands.len(), self.gases.points);
        let bands = if bands == 1 { "one band".to_owned() } else { format!("{bands} bands") };
        format!(
            "{} wave, {kind}, {bands}, {points} g-points, {}",
            wave(&self.gases),
            isobar_io::netcdf::path_in_words(&self.path)
        )
    }
}

fn wave(gases: &GasOptics) -> &'static str {
    if gases.is_longwave() { "long" } else { "short" }
}

/// Those that come with the program, in the folders of data or beside the columns.
fn search(columns: &Path, waves: Waves) -> Result<Vec<PathBuf>, Failure> {
    let names = match waves {
        Waves::Long => &data_folder::K_DISTRIBUTIONS[..1],
        Waves::Short => &data_folder::K_DISTRIBUTIONS[1..],
        Waves::Any => &data_folder::K_DISTRIBUTIONS,
    };
    let missing = |lacking: String| Failure::new(format!("no k-distribution: no {lacking}; give one with --kdist"));
    names.iter().map(|name| data_folder::search(name, columns).map_err(missing)).collect()
}
