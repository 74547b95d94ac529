//! Which k-distributions and tables of clouds.

use std::path::{Path, PathBuf};

use isobar_io::netcdf::is_netcdf;
use isobar_io::{
    coefficient_doubt, read_aerosol_tables, read_cloud_tables, read_k_distribution, read_rrtmg_lw, rrtmg_lw_doubt,
};
use isobar_optics::{AerosolTables, CloudTables, GasOptics};
use isobar_radiation::rrtmg::KDistribution;
use isobar_radiation::{CloudOptics, Precision, Radiation};

use crate::data_folder;
use crate::program::failure::Failure;
use crate::program::remarks::warn;

/// Which spectra a command computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Waves {
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
    /// The number of roughnesses that ice has in the file of these tables, and whether there are rain and snow.
    kinds: Option<(usize, [bool; 2])>,
}

/// What is made of tables of clouds.
type MakeOptics<'a> = &'a dyn Fn(&CloudTables) -> CloudOptics;

/// The spectra that are computed.
pub struct Tables {
    spectra: Vec<Spectrum>,
    /// RRTMG_LW's file, and what is in it.
    rrtmg: Option<(PathBuf, KDistribution)>,
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
    pub fn find(
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
        let mut tables =
            Self { spectra: Vec::new(), rrtmg: None, clouds, aerosols: Vec::new(), aerosol_paths: Vec::new() };
        for path in paths {
            if !is_netcdf(&path) {
                tables.add_rrtmg(path, waves)?;
                continue;
            }
            coefficient_doubt(&path)?.into_iter().for_each(warn);
            let gases = read_k_distribution(&path)?.gas_optics();
            let gases = gases.map_err(|error| Failure::new(format!("{}: {error}", path.display())))?;
            match (waves, gases.is_longwave()) {
                (Waves::Any, _) | (Waves::Long, true) | (Waves::Short, false) => {}
                (_, longwave) => return Err(of_other_wave(&path, longwave)),
            }
            if let Some(other) = tables.path_of(gases.is_longwave()) {
                return Err(both(other, &path, wave(&gases)));
            }
            tables.spectra.push(Spectrum { path, gases, clouds: None, kinds: None });
        }
        for path in tables.clouds.clone() {
            coefficient_doubt(&path)?.into_iter().for_each(warn);
            tables.add_clouds(&path, &read_cloud_tables(&path)?, optics)?;
        }
        Ok(tables)
    }

    /// Adds RRTMG_LW's k-distribution.
    fn add_rrtmg(&mut self, path: PathBuf, waves: Waves) -> Result<(), Failure> {
        let k = read_rrtmg_lw(&path)?;
        if waves == Waves::Short {
            return Err(of_other_wave(&path, true));
        }
        if let Some(other) = self.path_of(true) {
            return Err(both(other, &path, "long"));
        }
        self.rrtmg = Some((path, k));
        Ok(())
    }

    /// The file of the long wave's or the short wave's k-distribution.
    fn path_of(&self, longwave: bool) -> Option<&Path> {
        let of_rrtmg = self.rrtmg_path().filter(|_| longwave);
        let same = |spectrum: &&Spectrum| spectrum.gases.is_longwave() == longwave;
        of_rrtmg.or_else(|| self.spectra.iter().find(same).map(|spectrum| &*spectrum.path))
    }

    fn add_clouds(&mut self, path: &Path, clouds: &CloudTables, optics: MakeOptics<'_>) -> Result<(), Failure> {
        let place = path.display();
        let Some(spectrum) = self.spectra.iter_mut().find(|spectrum| clouds.fit(&spectrum.gases)) else {
            let what = if clouds.by_point { "g-points" } else { "bands" };
            let limits = clouds.bands.iter().flatten();
            let (low, high) =
                (limits.clone().copied().fold(f64::INFINITY, f64::min), limits.copied().fold(0.0, f64::max));
            return Err(Failure::new(format!(
                "{place}: tables of clouds for {} {what} from {low} to {high} cm-1 fit none of: {}",
                clouds.spectral,
                self.spectra.iter().map(Spectrum::description).collect::<Vec<_>>().join("; ")
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

    /// These k-distributions with tables of aerosols, each for the k-distribution whose bands it has.
    pub(crate) fn with_aerosols(mut self, paths: &[PathBuf]) -> Result<Self, Failure> {
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
    pub(crate) fn ice_is_of_one_roughness(&self) -> bool {
        self.spectra.iter().filter_map(|spectrum| spectrum.kinds).all(|(roughnesses, _)| roughnesses == 1)
    }

    /// Do all tables of clouds have rain?
    pub(crate) fn have_rain(&self) -> bool {
        self.spectra.iter().filter_map(|spectrum| spectrum.kinds).all(|(_, [rain, _])| rain)
    }

    /// Do all tables of clouds have snow?
    pub(crate) fn have_snow(&self) -> bool {
        self.spectra.iter().filter_map(|spectrum| spectrum.kinds).all(|(_, [_, snow])| snow)
    }

    /// Tables of aerosols.
    pub(crate) fn aerosols(&self) -> &[AerosolTables] {
        &self.aerosols
    }

    /// The scheme.
    pub fn radiation<R: Precision>(&self) -> Result<Radiation<R>, Failure> {
        let with =
            |radiation: Radiation<R>, spectrum: &Spectrum| radiation.with(&spectrum.gases, spectrum.clouds.as_ref());
        let radiation = self.rrtmg.iter().try_fold(Radiation::new(), |radiation, (_, k)| radiation.with_rrtmg(k))?;
        Ok(self.spectra.iter().try_fold(radiation, with)?)
    }

    /// Whether the long wave and the short wave are computed.
    pub(crate) fn waves(&self) -> [bool; 2] {
        [true, false].map(|longwave| self.path_of(longwave).is_some())
    }

    /// Says whether RRTMG_LW's file is not one of those that are known.
    pub(crate) fn warn_of_rrtmg(&self) -> Result<(), Failure> {
        if let Some(path) = self.rrtmg_path() {
            rrtmg_lw_doubt(path)?.into_iter().for_each(warn);
        }
        Ok(())
    }

    /// RRTMG_LW's file, if it is the long wave's.
    pub(crate) fn rrtmg_path(&self) -> Option<&Path> {
        self.rrtmg.as_ref().map(|(path, _)| &**path)
    }

    /// Does a k-distribution know this gas?
    pub(crate) fn know_gas(&self, number: usize) -> bool {
        let of_rrtmg = self.rrtmg.iter().any(|(_, k)| k.gases().contains(&number));
        of_rrtmg || self.gases().any(|optics| optics.gases.contains(&number))
    }

    /// Gas optics of each spectrum but RRTMG_LW's.
    pub(crate) fn gases(&self) -> impl Iterator<Item = &GasOptics> {
        self.spectra.iter().map(|spectrum| &spectrum.gases)
    }

    /// Limits of the bands of fluxes by band \[cm^-1\], of the long wave and of the short wave.
    pub(crate) fn band_limits(&self) -> [Vec<[f64; 2]>; 2] {
        let of = |longwave| self.gases().find(|gases| gases.is_longwave() == longwave);
        let mut limits =
            [true, false].map(|wave| of(wave).map_or_else(Vec::new, |gases| gases.band_limits_per_cm.clone()));
        if let Some((_, k)) = &self.rrtmg {
            limits[0] = k.bands.iter().map(|band| band.wavenumbers_per_cm).collect();
        }
        limits
    }

    /// Their numbers.
    pub(crate) fn flux_bands(&self) -> [usize; 2] {
        self.band_limits().map(|limits| limits.len())
    }

    /// All files.
    pub(crate) fn paths(&self) -> impl Iterator<Item = &PathBuf> {
        let of_rrtmg = self.rrtmg.iter().map(|(path, _)| path);
        let spectra = self.spectra.iter().map(|spectrum| &spectrum.path);
        of_rrtmg.chain(spectra).chain(&self.clouds).chain(&self.aerosol_paths)
    }

    /// The kinds, the sizes, and where they lie.
    pub fn description(&self) -> String {
        let of_rrtmg = self
            .rrtmg
            .iter()
            .map(|(path, k)| format!("RRTMG_LW, {} g-points, {}", k.points(), isobar_io::netcdf::path_in_words(path)));
        of_rrtmg.chain(self.spectra.iter().map(Spectrum::description)).collect::<Vec<_>>().join("; ")
    }
}

/// A k-distribution of a spectrum that the command does not compute.
fn of_other_wave(path: &Path, longwave: bool) -> Failure {
    let (is, other) = if longwave { ("long", "short") } else { ("short", "long") };
    let path = path.display();
    Failure::usage(format!("--kdist: {path} is of the {is} wave: isobar {is}wave computes it, this the {other}"))
}

/// Two k-distributions of one spectrum.
fn both(one: &Path, other: &Path, wave: &str) -> Failure {
    Failure::new(format!("--kdist: {} and {} are both of the {wave} wave", one.display(), other.display()))
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
