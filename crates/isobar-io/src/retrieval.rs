//! What a control file says of a retrieval: what is retrieved, how well it is known before, and how well it was
//! measured.

use std::path::PathBuf;

use crate::control::Control;
use crate::error::{Error, Place};
use crate::number::Range;

/// What is known beforehand of a profile, and where it is retrieved.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ProfileControl {
    /// Heights \[km\] between which it is retrieved, both included; none: not retrieved (`RET..._ZMIN`, `RET..._ZMAX`).
    pub range_km: Option<[f64; 2]>,
    /// Standard deviation before the measurement: % of pressure and of mixing ratios, K, 1/km (`ERR_...`).
    pub error: f64,
    /// Vertical correlation length \[km\] (`ERR_..._CZ`).
    pub vertical_km: Option<f64>,
    /// Horizontal correlation length \[km\] (`ERR_..._CH`); correlations need both lengths.
    pub horizontal_km: Option<f64>,
    /// Where its error stands.
    pub place: Option<Place>,
}

/// A number that is retrieved, or numbers a wavenumber node.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct NumberControl {
    /// Is it retrieved (`RET_...`)?
    pub retrieved: bool,
    /// Standard deviation before the measurement, in the unit of the atmosphere file; one a node of a spectrum
    /// (`ERR_...`).
    pub error: Vec<f64>,
    /// Where its error stands.
    pub place: Option<Place>,
}

/// What a shared file of results holds, a profile a retrieval.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum SharedOutput {
    /// The retrieved atmosphere (`SHARED_IO_ATM_FINAL_FILE`).
    Atmosphere,
    /// What it would be measured as (`SHARED_IO_OBS_FINAL_FILE`).
    Observation,
    /// Its error (`SHARED_IO_ATM_ERR_TOTAL_FILE`).
    TotalError,
    /// That by noise (`SHARED_IO_ATM_ERR_NOISE_FILE`).
    NoiseError,
    /// That by the forward model (`SHARED_IO_ATM_ERR_FORMOD_FILE`).
    ForwardError,
    /// The measurement's contribution (`SHARED_IO_ATM_CONT_FILE`).
    Contribution,
    /// Resolution (`SHARED_IO_ATM_RES_FILE`).
    Resolution,
    /// A matrix.
    Matrix(SharedMatrix),
}

/// A matrix of a retrieval.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum SharedMatrix {
    /// The covariance of what was known before (`SHARED_IO_MATRIX_COV_APR_FILE`).
    CovarianceBefore,
    /// The Jacobian (`SHARED_IO_MATRIX_KERNEL_FILE`).
    Kernel,
    /// The covariance of the result (`SHARED_IO_MATRIX_COV_RET_FILE`).
    Covariance,
    /// Its correlation (`SHARED_IO_MATRIX_CORR_FILE`).
    Correlation,
    /// The gain (`SHARED_IO_MATRIX_GAIN_FILE`).
    Gain,
    /// Averaging kernels (`SHARED_IO_MATRIX_AVK_FILE`).
    AveragingKernel,
}

/// Retrievals of the profiles of NetCDF files (`SHARED_IO_...`); paths are absolute.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SharedFiles {
    /// A text with numbers of profiles (`SHARED_IO_PROFLIST`).
    pub profiles: PathBuf,
    /// Atmospheres known before (`SHARED_IO_ATM_APR_FILE`).
    pub before: PathBuf,
    /// Measurements (`SHARED_IO_OBS_MEAS_FILE`).
    pub measured: PathBuf,
    /// Results.
    pub outputs: Vec<(SharedOutput, PathBuf)>,
}

/// The retrieval that a control file asks for.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct RetrievalControl {
    /// Pressure (`RETP_...`, `ERR_PRESS...`).
    pub pressure: ProfileControl,
    /// Temperature (`RETT_...`, `ERR_TEMP...`).
    pub temperature: ProfileControl,
    /// Mixing ratio of each gas (`RETQ_...[gas]`, `ERR_Q...[gas]`).
    pub gases: Vec<ProfileControl>,
    /// Extinction in each window (`RETK_...[window]`, `ERR_K...[window]`).
    pub windows: Vec<ProfileControl>,
    /// Height of the cloud \[km\] (`RET_CLZ`, `ERR_CLZ`).
    pub cloud_height: NumberControl,
    /// Depth of the cloud \[km\] (`RET_CLDZ`, `ERR_CLDZ`).
    pub cloud_depth: NumberControl,
    /// Extinction of the cloud \[1/km\] (`RET_CLK`, `ERR_CLK`).
    pub cloud_extinction: NumberControl,
    /// Height of the surface \[km\] (`RET_SFZ`, `ERR_SFZ`).
    pub surface_height: NumberControl,
    /// Pressure at the surface \[hPa\] (`RET_SFP`, `ERR_SFP`).
    pub surface_pressure: NumberControl,
    /// Temperature of the surface \[K\] (`RET_SFT`, `ERR_SFT`).
    pub surface_temperature: NumberControl,
    /// Emissivity of the surface (`RET_SFEPS`, `ERR_SFEPS`).
    pub surface_emissivity: NumberControl,
    /// Noise of each channel, in the unit of the measurement (`ERR_NOISE`).
    pub noise: Vec<f64>,
    /// Error of the forward model in each channel \[% of the measurement\] (`ERR_FORMOD`).
    pub forward_error_percent: Vec<f64>,
    /// Iterations after which the Jacobian is computed again, at least 1 (`KERNEL_RECOMP`).
    pub kernel_recomputation: usize,
    /// The most iterations (`CONV_ITMAX`).
    pub most_iterations: usize,
    /// A step below this ends the iteration (`CONV_DMIN`).
    pub convergence: f64,
    /// Is the result to be analysed (`ERR_ANA`)?
    pub analysis: bool,
    /// Are matrices to be written (`WRITE_MATRIX`)?
    pub matrices: bool,
    /// Are profiles of shared files retrieved?
    pub shared: Option<SharedFiles>,
}

impl RetrievalControl {
    /// What of it has no effect, in words.
    #[must_use]
    pub fn remarks(&self, control: &Control) -> Vec<String> {
        let mut profiles =
            vec![("ERR_PRESS", String::new(), &self.pressure), ("ERR_TEMP", String::new(), &self.temperature)];
        profiles.extend(self.gases.iter().enumerate().map(|(i, gas)| ("ERR_Q", format!("[{i}]"), gas)));
        profiles.extend(self.windows.iter().enumerate().map(|(i, window)| ("ERR_K", format!("[{i}]"), window)));
        let remark = |(key, index, profile): (&str, String, &ProfileControl)| {
            let (given, other) = match (profile.vertical_km, profile.horizontal_km) {
                (Some(_), None) => ("CZ", "CH"),
                (None, Some(_)) => ("CH", "CZ"),
                _ => return None,
            };
            let what = format!("{key}_{given}{index} has no effect without {key}_{other}{index}");
            profile.range_km.map(|_| format!("{what}: levels are not correlated"))
        };
        let pressure = control.hydrostatic_reference_km.zip(self.pressure.range_km).map(|(reference_km, [low, high])| {
            format!(
                "HYDZ = {reference_km} km: of the pressures from {low} to {high} km (RETP_ZMIN, RETP_ZMAX) that of the \
                 level nearest to it alone is retrieved; the others follow it and temperature, and get no error"
            )
        });
        profiles.into_iter().filter_map(remark).chain(pressure).collect()
    }
}

/// More than anyone waits for.
const MOST_ITERATIONS: usize = 1_000_000;

/// Sets of keys whose index counts gases, windows and so on, and the key that declares how many there are.
const INDEXED: &[(&[&str], &str)] = &[
    (&["RETQ_ZMIN", "RETQ_ZMAX", "ERR_Q", "ERR_Q_CZ", "ERR_Q_CH"], "NG"),
    (&["RETK_ZMIN", "RETK_ZMAX", "ERR_K", "ERR_K_CZ", "ERR_K_CH"], "NW"),
    (&["ERR_NOISE", "ERR_FORMOD"], "ND"),
    (&["ERR_CLK"], "NCL"),
    (&["ERR_SFEPS"], "NSF"),
];

impl Control {
    /// The retrieval that the control file asks for.
    ///
    /// # Errors
    /// A value that is no number or out of range, a correlation length of zero, an index beyond what the control file
    /// declares, a cloud or surface to be retrieved that it does not have.
    pub fn retrieval(&self) -> Result<RetrievalControl, Error> {
        let (gases, windows, channels) = (self.emitters.len(), self.window_count, self.wavenumbers_per_cm.len());
        let (cloud, surface) = (self.cloud_wavenumbers_per_cm.len(), self.surface_wavenumbers_per_cm.len());
        let declared = [gases, windows, channels, cloud, surface];
        for ((keys, size_key), count) in INDEXED.iter().zip(declared) {
            self.pairs.check_indices(keys, size_key, count)?;
        }
        let indexed = |key: &str, error: &str, count: usize| {
            let one = |i: usize| self.profile(key, error, &format!("[{i}]"));
            (0..count).map(one).collect::<Result<Vec<_>, _>>()
        };
        let each = |key: &str, range: Range| {
            let one = |i: usize| self.pairs.number(&format!("{key}[{i}]"), 0.0, range);
            (0..channels).map(one).collect::<Result<Vec<_>, _>>()
        };
        Ok(RetrievalControl {
            pressure: self.profile("RETP", "ERR_PRESS", "")?,
            temperature: self.profile("RETT", "ERR_TEMP", "")?,
            gases: indexed("RETQ", "ERR_Q", gases)?,
            windows: indexed("RETK", "ERR_K", windows)?,
            cloud_height: self.one("CLZ", ("NCL", cloud), None)?,
            cloud_depth: self.one("CLDZ", ("NCL", cloud), None)?,
            cloud_extinction: self.one("CLK", ("NCL", cloud), Some(cloud))?,
            surface_height: self.one("SFZ", ("NSF", surface), None)?,
            surface_pressure: self.one("SFP", ("NSF", surface), None)?,
            surface_temperature: self.one("SFT", ("NSF", surface), None)?,
            surface_emissivity: self.one("SFEPS", ("NSF", surface), Some(surface))?,
            noise: each("ERR_NOISE", Range::NOT_NEGATIVE)?,
            forward_error_percent: each("ERR_FORMOD", Range::NOT_NEGATIVE)?,
            kernel_recomputation: match self.pairs.whole("KERNEL_RECOMP", 3, MOST_ITERATIONS)? {
                0 => return Err(self.pairs.refuse("KERNEL_RECOMP", Range::closed(1.0, MOST_ITERATIONS as f64))),
                iterations => iterations,
            },
            most_iterations: self.pairs.whole("CONV_ITMAX", 30, MOST_ITERATIONS)?,
            convergence: self.pairs.number("CONV_DMIN", 0.1, Range::NOT_NEGATIVE)?,
            analysis: self.pairs.switch("ERR_ANA", true)?,
            matrices: self.pairs.switch("WRITE_MATRIX", false)?,
            shared: self.shared()?,
        })
    }

    fn shared(&self) -> Result<Option<SharedFiles>, Error> {
        const LIST: &str = "SHARED_IO_PROFLIST";
        let Some(profiles) = self.pairs.path(LIST)? else { return Ok(None) };
        let need = |key: &str| {
            let missing = || Error::invalid(self.place(LIST), format!("{LIST} needs {key}"));
            self.pairs.path(key)?.ok_or_else(missing)
        };
        let (before, measured) = (need("SHARED_IO_ATM_APR_FILE")?, need("SHARED_IO_OBS_MEAS_FILE")?);
        let mut outputs = Vec::new();
        for (output, key) in [
            (SharedOutput::Atmosphere, "SHARED_IO_ATM_FINAL_FILE"),
            (SharedOutput::Observation, "SHARED_IO_OBS_FINAL_FILE"),
            (SharedOutput::TotalError, "SHARED_IO_ATM_ERR_TOTAL_FILE"),
            (SharedOutput::NoiseError, "SHARED_IO_ATM_ERR_NOISE_FILE"),
            (SharedOutput::ForwardError, "SHARED_IO_ATM_ERR_FORMOD_FILE"),
            (SharedOutput::Contribution, "SHARED_IO_ATM_CONT_FILE"),
            (SharedOutput::Resolution, "SHARED_IO_ATM_RES_FILE"),
        ] {
            outputs.extend(self.pairs.path(key)?.map(|path| (output, path)));
        }
        for (matrix, key) in [
            (SharedMatrix::CovarianceBefore, "SHARED_IO_MATRIX_COV_APR_FILE"),
            (SharedMatrix::Kernel, "SHARED_IO_MATRIX_KERNEL_FILE"),
            (SharedMatrix::Covariance, "SHARED_IO_MATRIX_COV_RET_FILE"),
            (SharedMatrix::Correlation, "SHARED_IO_MATRIX_CORR_FILE"),
            (SharedMatrix::Gain, "SHARED_IO_MATRIX_GAIN_FILE"),
            (SharedMatrix::AveragingKernel, "SHARED_IO_MATRIX_AVK_FILE"),
        ] {
            let Some(path) = self.pairs.path(key)? else { continue };
            if !self.pairs.switch("WRITE_MATRIX", false)? {
                return Err(Error::invalid(self.place(key), format!("{key} needs WRITE_MATRIX = 1")));
            }
            outputs.push((SharedOutput::Matrix(matrix), path));
        }
        if outputs.is_empty() {
            return Err(Error::invalid(self.place(LIST), format!("{LIST} needs SHARED_IO_ATM_FINAL_FILE or the like")));
        }
        Ok(Some(SharedFiles { profiles, before, measured, outputs }))
    }

    fn profile(&self, key: &str, error: &str, index: &str) -> Result<ProfileControl, Error> {
        let ends = ["ZMIN", "ZMAX"].map(|end| format!("{key}_{end}{index}"));
        let [low, high] = [&ends[0], &ends[1]].map(|end| self.pairs.number(end, -999.0, Range::FINITE));
        let (low, high) = (low?, high?);
        let is_given = |end: &String| self.raw(end).is_some();
        if low > high && is_given(&ends[0]) {
            let problem =
                format!("{} = {low} km lies above {} = {high} km: nothing would be retrieved", ends[0], ends[1]);
            return Err(Error::invalid(self.place(&ends[usize::from(is_given(&ends[1]))]), problem));
        }
        // -999 to -999 is the reference's way to say nowhere.
        let range_km = (ends.iter().any(|end| self.raw(end).is_some()) && high > -999.0).then_some([low, high]);
        let length = |which: &str| {
            let key = format!("{error}_{which}{index}");
            let value = self.pairs.number(&key, -999.0, Range::FINITE)?;
            if value == 0.0 {
                let range = "(0, inf), or a negative number for no correlation";
                return Err(Error::OutOfRange {
                    place: self.place(&key),
                    what: format!("correlation length {key} = 0 km"),
                    range: range.into(),
                });
            }
            Ok((value > 0.0).then_some(value))
        };
        let error_key = format!("{error}{index}");
        Ok(ProfileControl {
            range_km,
            error: self.pairs.number(&error_key, 0.0, Range::NOT_NEGATIVE)?,
            vertical_km: length("CZ")?,
            horizontal_km: length("CH")?,
            place: Some(self.place(&error_key)),
        })
    }

    /// `nodes`: there is an error a wavenumber node, with an index or one for all.
    fn one(&self, key: &str, (size_key, size): (&str, usize), nodes: Option<usize>) -> Result<NumberControl, Error> {
        let (switch, error) = (format!("RET_{key}"), format!("ERR_{key}"));
        let retrieved = self.pairs.switch(&switch, false)?;
        if retrieved && size == 0 {
            let problem = format!("{switch} = 1 asks for more elements than are declared: {size_key} = 0");
            return Err(Error::invalid(self.place(&switch), problem));
        }
        let all = self.pairs.number(&error, 0.0, Range::NOT_NEGATIVE)?;
        let errors = match nodes {
            None => vec![all],
            Some(nodes) => (0..nodes)
                .map(|i| self.pairs.number(&format!("{error}[{i}]"), all, Range::NOT_NEGATIVE))
                .collect::<Result<_, _>>()?,
        };
        Ok(NumberControl { retrieved, error: errors, place: Some(self.place(&error)) })
    }
}
