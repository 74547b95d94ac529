//! Control files: gases, channels and options of a run.

mod keys;
mod pairs;
mod warning;
mod write;

use std::path::{Path, PathBuf};

pub use isobar_ega::{Approximation, Continua, Interpolation, NitrogenContinuum};
pub use isobar_raytrace::Horizontal;

use crate::error::{Error, Place};
use crate::number::Range;
use pairs::Pairs;
pub use warning::Warning;

/// More than anyone has; a misprint must not exhaust the memory.
const MAX_COUNT: usize = 1_000_000;

/// The format of emissivity tables.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TableFormat {
    /// Text, `.tab`.
    #[default]
    Ascii,
    /// Binary, `.bin`: that of JURASSIC until 2025, or of 2026.
    Binary,
    /// NetCDF, a file a gas.
    Netcdf,
}

/// The format of atmospheres, observations and matrices.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ProfileFormat {
    /// Text.
    #[default]
    Ascii,
    /// Binary, JURASSIC's.
    Binary,
    /// NetCDF, with one profile or many.
    Netcdf,
}

/// What a control file says. Keys that it lacks have the defaults of the reference.
#[derive(Clone, Debug, PartialEq)]
pub struct Control {
    /// The gases, no two alike (`EMITTER`).
    pub emitters: Vec<String>,
    /// Centre of each channel \[cm^-1\] (`NU`).
    pub wavenumbers_per_cm: Vec<f64>,
    /// Extinction window of each channel (`WINDOW`).
    pub windows: Vec<usize>,
    /// Extinction windows that an atmosphere file has (`NW`).
    pub window_count: usize,
    /// Wavenumber nodes of the cloud's extinction \[cm^-1\], strictly monotone; none or at least 2 (`CLNU`).
    pub cloud_wavenumbers_per_cm: Vec<f64>,
    /// Wavenumber nodes of the surface emissivity \[cm^-1\], strictly monotone; none or at least 2 (`SFNU`).
    pub surface_wavenumbers_per_cm: Vec<f64>,
    /// What the ground does: 0 nothing, 1 emits, 2 also mirrors the sky, 3 also mirrors the Sun (`SFTYPE`).
    pub surface_type: u8,
    /// Solar zenith angle \[deg\]; none: from time and place (`SFSZA`).
    pub solar_zenith_deg: Option<f64>,
    /// How the names of tables and filters begin, as an absolute path (`TBLBASE`).
    pub table_base: Option<PathBuf>,
    /// Format of the tables (`TBLFMT`).
    pub table_format: TableFormat,
    /// Format of atmospheres (`ATMFMT`). A binary file and one in NetCDF are read as such whatever this is.
    pub atmosphere_format: ProfileFormat,
    /// Format of observations (`OBSFMT`). A binary file and one in NetCDF are read as such whatever this is.
    pub observation_format: ProfileFormat,
    /// Format of matrices that are written (`MATRIXFMT`).
    pub matrix_format: ProfileFormat,
    /// The profile that is read of a file with several (`PROF_IN`).
    pub profile: usize,
    /// Whether an atmosphere's file has one profile, or several along a track (`IP`).
    pub horizontal: Horizontal,
    /// Height around which the pressure is made hydrostatic \[km\] (`HYDZ`).
    pub hydrostatic_reference_km: Option<f64>,
    /// Which continua count (`CTM_CO2`, `CTM_H2O`, `CTM_N2`, `CTM_O2`).
    pub continua: Continua,
    /// Whether rays bend (`REFRAC`).
    pub refraction: bool,
    /// Longest step along a ray \[km\] (`RAYDS`).
    pub step_length_km: f64,
    /// Longest vertical step \[km\]; 0: no limit (`RAYDZ`).
    pub step_height_km: f64,
    /// File with the field of view, as an absolute path (`FOV`).
    pub field_of_view: Option<PathBuf>,
    /// Whether radiances are given as brightness temperatures \[K\] (`WRITE_BBT`).
    pub brightness_temperature: bool,
    /// How the absorption of a gas is followed along a path (`FORMOD`).
    pub approximation: Approximation,
    /// How tables are interpolated (`TBLINTERP`).
    pub interpolation: Interpolation,
    pub(crate) pairs: Pairs,
}

impl Default for Control {
    /// What an empty control file means: no gas, no channel.
    fn default() -> Self {
        Self {
            emitters: Vec::new(),
            wavenumbers_per_cm: Vec::new(),
            windows: Vec::new(),
            window_count: 1,
            cloud_wavenumbers_per_cm: Vec::new(),
            surface_wavenumbers_per_cm: Vec::new(),
            surface_type: 2,
            solar_zenith_deg: None,
            table_base: None,
            table_format: TableFormat::Ascii,
            atmosphere_format: ProfileFormat::Ascii,
            observation_format: ProfileFormat::Ascii,
            matrix_format: ProfileFormat::Ascii,
            profile: 0,
            horizontal: Horizontal::Uniform,
            hydrostatic_reference_km: None,
            continua: Continua::default(),
            refraction: true,
            step_length_km: 10.0,
            step_height_km: 0.1,
            field_of_view: None,
            brightness_temperature: false,
            approximation: Approximation::EmissivityGrowth,
            interpolation: Interpolation::Linear,
            pairs: Pairs::default(),
        }
    }
}

impl Control {
    /// Reads a control file: `KEY = VALUE` a line, with blanks around a sign that may be anything. Keys count in any
    /// case, an index in any spelling (`NU[01]` is `NU[1]`), and the first line that matches one wins; `KEY[*]` stands
    /// for every index. Blank lines, lines that start with `#` and what follows the value are ignored.
    ///
    /// `overrides` win over the file. Paths are relative to the folder of the control file, those among the overrides
    /// to the current folder.
    ///
    /// # Errors
    /// A file that cannot be read, a line of another form, a value that is no number or out of range, a missing array
    /// element, two emitters alike, more than 1000 unknown keys.
    pub fn read(path: &Path, overrides: &[(String, String)]) -> Result<(Self, Vec<Warning>), Error> {
        Self::parse(Pairs::new(overrides).read(path)?)
    }

    /// As [`Control::read`], without a file.
    ///
    /// # Errors
    /// As [`Control::read`].
    pub fn from_pairs(pairs: &[(String, String)]) -> Result<(Self, Vec<Warning>), Error> {
        Self::parse(Pairs::new(pairs))
    }

    /// The value that was given for a key, as it was spelt: `"ERR_TEMP"`, `"ERR_Q[2]"`, in any case. Values that were
    /// changed in a field of this struct do not show.
    #[must_use]
    pub fn raw(&self, key: &str) -> Option<&str> {
        self.pairs.get(key).map(|pair| pair.value.as_str())
    }

    /// Where a key was set, for an error about its value; the file as a whole when it was not.
    #[must_use]
    pub fn place(&self, key: &str) -> Place {
        self.pairs.place(key)
    }

    /// Refuses a control without channels; ray tracing needs none.
    ///
    /// # Errors
    /// There is no channel.
    pub fn require_channels(&self) -> Result<(), Error> {
        if self.wavenumbers_per_cm.is_empty() {
            let problem = "no channel is configured: set ND and NU[0] to NU[ND-1]";
            return Err(Error::invalid(self.pairs.place("ND"), problem));
        }
        Ok(())
    }

    /// How the names of tables and filters begin.
    ///
    /// # Errors
    /// `TBLBASE` is not set.
    pub fn require_table_base(&self) -> Result<&Path, Error> {
        let problem = "TBLBASE is not set: it says where emissivity tables and filters lie";
        self.table_base.as_deref().ok_or_else(|| Error::invalid(self.pairs.place("TBLBASE"), problem))
    }

    fn parse(pairs: Pairs) -> Result<(Self, Vec<Warning>), Error> {
        let mut warnings = pairs.warnings()?;
        let default = Self::default();
        let channels = pairs.whole("ND", 0, MAX_COUNT)?;
        let window_count = pairs.whole("NW", 1, MAX_COUNT)?;
        // Without a window, all channels share one without extinction.
        let last_window = window_count.saturating_sub(1);
        let windows = (0..channels).map(|i| pairs.whole(&format!("WINDOW[{i}]"), 0, last_window));
        // A negative value, such as the reference's -999, means none.
        let optional = |key: &str, range| Ok::<_, Error>(Some(pairs.number(key, -999.0, range)?).filter(|&x| x >= 0.0));
        let control = Self {
            emitters: emitters(&pairs)?,
            wavenumbers_per_cm: pairs.numbers("NU", "ND", channels, Range::POSITIVE)?,
            windows: windows.collect::<Result<_, _>>()?,
            window_count,
            cloud_wavenumbers_per_cm: nodes(&pairs, "CLNU", "NCL")?,
            surface_wavenumbers_per_cm: nodes(&pairs, "SFNU", "NSF")?,
            surface_type: pairs.whole("SFTYPE", usize::from(default.surface_type), 3)? as u8,
            solar_zenith_deg: optional("SFSZA", Range::above_to(f64::NEG_INFINITY, 180.0))?,
            table_base: pairs.path("TBLBASE")?,
            table_format: match pairs.choice("TBLFMT", 1)? {
                Some(1) => TableFormat::Ascii,
                Some(2) => TableFormat::Binary,
                Some(3) if cfg!(feature = "netcdf") => TableFormat::Netcdf,
                _ => return Err(pairs.refuse("TBLFMT", "{1 (text), 2 (binary), 3 (NetCDF)}")),
            },
            atmosphere_format: profile_format(&pairs, "ATMFMT")?,
            observation_format: profile_format(&pairs, "OBSFMT")?,
            matrix_format: profile_format(&pairs, "MATRIXFMT")?,
            profile: pairs.whole("PROF_IN", 0, usize::MAX)?,
            horizontal: match pairs.choice("IP", 1)? {
                Some(1) => Horizontal::Uniform,
                Some(2) => Horizontal::Track,
                _ => return Err(pairs.refuse("IP", "{1 (one profile), 2 (profiles along a track)}")),
            },
            hydrostatic_reference_km: optional("HYDZ", Range::FINITE)?,
            continua: Continua {
                co2: pairs.switch("CTM_CO2", true)?,
                h2o: pairs.switch("CTM_H2O", true)?,
                n2: match pairs.choice("CTM_N2", 1)? {
                    Some(0) => NitrogenContinuum::Off,
                    Some(1) => NitrogenContinuum::Jurassic,
                    Some(2) => NitrogenContinuum::Measured,
                    _ => return Err(pairs.refuse("CTM_N2", "{0 (none), 1 (as in JURASSIC), 2 (as measured)}")),
                },
                o2: pairs.switch("CTM_O2", true)?,
            },
            refraction: pairs.switch("REFRAC", default.refraction)?,
            step_length_km: pairs.number("RAYDS", default.step_length_km, Range::POSITIVE)?,
            step_height_km: pairs.number("RAYDZ", default.step_height_km, Range::NOT_NEGATIVE)?,
            field_of_view: pairs.path("FOV")?,
            brightness_temperature: pairs.switch("WRITE_BBT", default.brightness_temperature)?,
            approximation: approximation(&pairs)?,
            interpolation: match pairs.choice("TBLINTERP", 0)? {
                Some(0) => Interpolation::Linear,
                Some(1) => Interpolation::Logarithmic,
                _ => {
                    return Err(
                        pairs.refuse("TBLINTERP", "{0 (linear, JURASSIC until 2025), 1 (logarithms, since 2026)}")
                    );
                }
            },
            pairs,
        };
        let declared = [
            ("EMITTER", "NG", control.emitters.len()),
            ("NU", "ND", channels),
            ("WINDOW", "ND", channels),
            ("CLNU", "NCL", control.cloud_wavenumbers_per_cm.len()),
            ("SFNU", "NSF", control.surface_wavenumbers_per_cm.len()),
        ];
        warnings.extend(declared.iter().filter_map(|(key, size, count)| control.pairs.beyond(key, size, *count)));
        Ok((control, warnings))
    }
}

fn emitters(pairs: &Pairs) -> Result<Vec<String>, Error> {
    let emitters = pairs.texts("EMITTER", "NG", pairs.whole("NG", 0, MAX_COUNT)?)?;
    for (i, emitter) in emitters.iter().enumerate() {
        if let Some(first) = emitters[..i].iter().position(|other| other.eq_ignore_ascii_case(emitter)) {
            let problem = format!("EMITTER[{i}] = {emitter} is EMITTER[{first}] again");
            return Err(Error::invalid(pairs.place(&format!("EMITTER[{i}]")), problem));
        }
    }
    Ok(emitters)
}

fn profile_format(pairs: &Pairs, key: &str) -> Result<ProfileFormat, Error> {
    match pairs.choice(key, 1)? {
        Some(1) => Ok(ProfileFormat::Ascii),
        Some(2) => Ok(ProfileFormat::Binary),
        Some(3) if cfg!(feature = "netcdf") => Ok(ProfileFormat::Netcdf),
        _ => Err(pairs.refuse(key, "{1 (text), 2 (binary), 3 (NetCDF)}")),
    }
}

/// Wavenumber nodes to interpolate between.
fn nodes(pairs: &Pairs, key: &str, size_key: &str) -> Result<Vec<f64>, Error> {
    let count = pairs.whole(size_key, 0, MAX_COUNT)?;
    if count == 1 {
        return Err(pairs.refuse(size_key, "{0, 2, 3, ...}"));
    }
    let nodes = pairs.numbers(key, size_key, count, Range::POSITIVE)?;
    for i in 1..count {
        if nodes[i] == nodes[i - 1] || (nodes[i] > nodes[i - 1]) != (nodes[1] > nodes[0]) {
            let problem = format!("{key}[{i}] = {} breaks the order of {key}[0] to {key}[{}]", nodes[i], i - 1);
            return Err(Error::invalid(pairs.place(&format!("{key}[{i}]")), problem));
        }
    }
    Ok(nodes)
}

fn approximation(pairs: &Pairs) -> Result<Approximation, Error> {
    match pairs.choice("FORMOD", 1)? {
        Some(0) => Ok(Approximation::CurtisGodson),
        Some(1) => Ok(Approximation::EmissivityGrowth),
        Some(2) => {
            let problem = "FORMOD = 2 asks for the external line-by-line model RFM, which is not supported; \
                           set 1 (emissivity growth) or 0 (Curtis-Godson)";
            Err(Error::invalid(pairs.place("FORMOD"), problem))
        }
        _ => Err(pairs.refuse("FORMOD", "{0 (Curtis-Godson), 1 (emissivity growth)}")),
    }
}
