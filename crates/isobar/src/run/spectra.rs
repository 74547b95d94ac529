//! The k-distributions of a run.

use std::path::{Path, PathBuf};

use isobar_column::{Initial, Precision};
use isobar_io::netcdf::is_netcdf;
use isobar_io::{read_cloud_tables, read_k_distribution, read_rrtmg_lw, rrtmg_lw_doubt};
use isobar_optics::GasOptics;
use isobar_radiation::rrtmg::KDistribution;
use isobar_radiation::{CloudOptics, Radiation, Roughness};
use toml::Spanned;

use super::description::Description;
use super::error::Error;
use super::reader::CaseFile;
use crate::data_folder;

/// A k-distribution of one spectrum, and perhaps tables of clouds.
pub(super) struct Spectrum {
    pub(super) gases: GasOptics,
    pub(super) clouds: Option<CloudOptics>,
    /// The k-distribution's file.
    pub(super) path: PathBuf,
}

impl Spectrum {
    /// The scheme.
    pub(super) fn radiation<R: Precision>(&self) -> Radiation<R> {
        let radiation = Radiation::new().with(&self.gases, self.clouds.as_ref());
        radiation.expect("the tables of clouds were found to fit")
    }
}

/// How the long wave is computed.
pub(super) enum Longwave {
    /// As RRTMG does.
    Rrtmg(Box<KDistribution>),
    /// With any other k-distribution.
    Spectrum(Box<Spectrum>),
}

/// The long wave, and the short wave with its steps, if there are any.
pub(super) type Spectra<'c> = (Option<&'c Longwave>, Option<&'c (Spectrum, u64)>);

/// Refuses pressures at which a k-distribution of RRTMGP has no tables.
pub(super) fn check(
    file: &CaseFile,
    case: &Description,
    initial: &Initial,
    (longwave, shortwave): Spectra<'_>,
) -> Result<(), Error> {
    let longwave = match longwave {
        None | Some(Longwave::Rrtmg(_)) => None,
        Some(Longwave::Spectrum(spectrum)) => {
            Some((&**spectrum, case.longwave.as_ref().and_then(|section| section.kdist.as_ref())))
        }
    };
    let kdist = || case.shortwave.as_ref().and_then(|section| section.kdist.as_ref());
    let shortwave = shortwave.map(|(spectrum, _)| (spectrum, kdist()));
    let all = longwave.into_iter().chain(shortwave).filter(|(spectrum, _)| !spectrum.gases.is_ecckd());
    for (spectrum, kdist) in all {
        let [low, high] = spectrum.gases.pressure_range_pa;
        let outside = |pressure: &f64| !(low..=high).contains(pressure);
        if let (Some(place), Some(kdist)) = (initial.pressure_pa.iter().position(outside), kdist) {
            let (layer, column, value) = (place / initial.columns, place % initial.columns, initial.pressure_pa[place]);
            let problem =
                format!("layer {layer} of column {column} is at {value} Pa, and the tables are for [{low}, {high}] Pa");
            return Err(file.refuse(kdist, problem));
        }
    }
    Ok(())
}

/// What a section of a case says of its files.
#[derive(Clone, Copy)]
pub(super) struct Asked<'c> {
    pub(super) kdist: Option<&'c Spanned<PathBuf>>,
    pub(super) clouds: Option<&'c Spanned<PathBuf>>,
    /// The key of the section, and whether it is of the long wave.
    pub(super) section: &'static str,
    pub(super) longwave: bool,
}

/// The long wave of a case.
pub(super) fn longwave(
    file: &CaseFile,
    asked: Asked<'_>,
    inputs: &mut Vec<PathBuf>,
    warn: &mut dyn FnMut(String),
) -> Result<Longwave, Error> {
    let Some(kdist) = asked.kdist else {
        return spectrum(file, asked, inputs).map(|spectrum| Longwave::Spectrum(Box::new(spectrum)));
    };
    let path = named(file, kdist)?;
    if is_netcdf(&path) {
        return spectrum(file, asked, inputs).map(|spectrum| Longwave::Spectrum(Box::new(spectrum)));
    }
    let k_distribution = read_rrtmg_lw(&path).map_err(|error| file.refuse(kdist, error))?;
    if let Some(clouds) = asked.clouds {
        return Err(file.refuse(clouds, "RRTMG's k-distributions have no tables of clouds here"));
    }
    if let Some(doubt) = rrtmg_lw_doubt(&path).map_err(|error| file.refuse(kdist, error))? {
        warn(doubt);
    }
    inputs.push(path);
    Ok(Longwave::Rrtmg(Box::new(k_distribution)))
}

/// A spectrum of a case: the files that it names, or those that come with the program, with their own of clouds.
pub(super) fn spectrum(file: &CaseFile, asked: Asked<'_>, inputs: &mut Vec<PathBuf>) -> Result<Spectrum, Error> {
    let refuse = |span: Option<&Spanned<PathBuf>>, problem: String| match span {
        Some(span) => file.refuse(span, problem),
        None => file.in_section(asked.section, problem),
    };
    let path = match asked.kdist {
        Some(path) => named(file, path)?,
        None => {
            let found = data_folder::search(data_folder::K_DISTRIBUTIONS[usize::from(!asked.longwave)], &file.path);
            found.map_err(|lacking| file.in_section(asked.section, format!("no kdist: there is no {lacking}")))?
        }
    };
    let read = |path: &Path| read_k_distribution(path).map_err(|error| refuse(asked.kdist, error.to_string()));
    let gases = read(&path)?.gas_optics();
    let gases = gases.map_err(|error| refuse(asked.kdist, format!("{}: {error}", path.display())))?;
    if gases.is_longwave() != asked.longwave {
        let [wrong, wanted] = if asked.longwave { ["short", "long"] } else { ["long", "short"] };
        let problem = format!("{} is of the {wrong} wave, and the {wanted} wave's is wanted", path.display());
        return Err(refuse(asked.kdist, problem));
    }
    let tables = asked.clouds.map(|path| named(file, path)).transpose()?;
    let tables = tables.or_else(|| data_folder::clouds_beside(&path));
    inputs.push(path.clone());
    let mut clouds = None;
    if let Some(tables) = tables {
        let read = read_cloud_tables(&tables).map_err(|error| refuse(asked.clouds, error.to_string()))?;
        let optics = CloudOptics::new(&read, Roughness::default());
        let fits = Radiation::<f64>::new().with(&gases, Some(&optics));
        fits.map_err(|error| refuse(asked.clouds, format!("{}: {error}", tables.display())))?;
        inputs.push(tables);
        clouds = Some(optics);
    }
    Ok(Spectrum { gases, clouds, path })
}

/// A file that the case names, beside it or, where that is a name alone, in the folders of data.
fn named(file: &CaseFile, path: &Spanned<PathBuf>) -> Result<PathBuf, Error> {
    let name = path.get_ref();
    let beside = file.path.parent().unwrap_or(Path::new("")).join(name);
    if beside.exists() || name.components().count() > 1 {
        return file.named(path);
    }
    data_folder::find(name).map_or_else(|| file.named(path), Ok)
}
