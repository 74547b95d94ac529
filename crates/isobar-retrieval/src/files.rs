//! The files that a retrieval leaves, with JURASSIC's names and layouts.

use std::io::{self, Write};
use std::path::Path;

use isobar_io::{
    AtomicFile, Control, MatrixView, ProfileMeaning, SharedMatrix, Space, write_atmosphere_as_asked,
    write_observation_as_asked, write_profiles_as_asked,
};

use crate::{Error, Estimate};

/// The names of all files that [`write()`] may write.
pub const NAMES: [&str; 14] = [
    "atm_final.tab",
    "obs_final.tab",
    "costs.tab",
    "matrix_kernel.tab",
    "matrix_cov_apr.tab",
    "atm_err_total.tab",
    "atm_err_noise.tab",
    "atm_err_formod.tab",
    "atm_cont.tab",
    "atm_res.tab",
    "matrix_cov_ret.tab",
    "matrix_corr.tab",
    "matrix_gain.tab",
    "matrix_avk.tab",
];

/// Those that [`write()`] writes without an analysis.
const WITHOUT_ANALYSIS: [&str; 5] =
    ["atm_final.tab", "obs_final.tab", "costs.tab", "matrix_kernel.tab", "matrix_cov_apr.tab"];

/// Those of [`NAMES`] that [`write()`] leaves out: those of an earlier run stay.
pub fn left_out(estimate: &Estimate, matrices: bool) -> impl Iterator<Item = &'static str> {
    let has_analysis = estimate.analysis.is_some();
    let is_written = move |name: &str| {
        (has_analysis || WITHOUT_ANALYSIS.contains(&name)) && (matrices || !name.starts_with("matrix_"))
    };
    NAMES.into_iter().filter(move |name| !is_written(name))
}

/// Writes all result files into a folder, in the formats that `ATMFMT`, `OBSFMT` and `MATRIXFMT` ask for, whatever
/// their names end in; all of them, or on a failure none.
///
/// # Errors
/// A file that cannot be written.
pub fn write(folder: &Path, estimate: &Estimate, control: &Control, matrices: bool) -> Result<(), Error> {
    let mut files = Vec::new();
    let mut write = |name: &str, content: &dyn Fn(&mut AtomicFile) -> io::Result<()>| {
        debug_assert!(NAMES.contains(&name), "{name} is none of the names");
        let path = folder.join(name);
        let mut file = AtomicFile::create(&path)?;
        content(&mut file).map_err(|cause| isobar_io::Error::Io { path, action: "write", cause })?;
        files.push(file);
        Ok::<(), isobar_io::Error>(())
    };
    let e = estimate;
    write("atm_final.tab", &|out| write_atmosphere_as_asked(out, &e.atmosphere, control))?;
    write("obs_final.tab", &|out| write_observation_as_asked(out, &e.observation, control))?;
    write("costs.tab", &|out| write_costs(out, e))?;
    let mut matrix = |name: &str, which: SharedMatrix| match matrices {
        true => {
            write(name, &|out| with_matrix(e, which, |view| view.write(out, control.matrix_format)).unwrap_or(Ok(())))
        }
        false => Ok(()),
    };
    matrix("matrix_kernel.tab", SharedMatrix::Kernel)?;
    matrix("matrix_cov_apr.tab", SharedMatrix::CovarianceBefore)?;
    if e.analysis.is_some() {
        matrix("matrix_cov_ret.tab", SharedMatrix::Covariance)?;
        matrix("matrix_corr.tab", SharedMatrix::Correlation)?;
        matrix("matrix_gain.tab", SharedMatrix::Gain)?;
        matrix("matrix_avk.tab", SharedMatrix::AveragingKernel)?;
    }
    if let Some(analysis) = &e.analysis {
        for (name, values, meaning) in [
            ("atm_err_total.tab", &analysis.total_error, ProfileMeaning::Values),
            ("atm_err_noise.tab", &analysis.noise_error, ProfileMeaning::Values),
            ("atm_err_formod.tab", &analysis.forward_error, ProfileMeaning::Values),
            ("atm_cont.tab", &analysis.contribution, ProfileMeaning::Contribution),
            ("atm_res.tab", &analysis.resolution, ProfileMeaning::Resolution),
        ] {
            let alone = e.state.alone(&e.atmosphere, values.as_slice());
            write(name, &|out| write_profiles_as_asked(out, &alone, control, meaning))?;
        }
    }
    for file in files {
        file.commit()?;
    }
    Ok(())
}

/// Gives a matrix of an estimate, with what its rows and columns are, to `f`; nothing where there was no analysis.
pub fn with_matrix<T>(estimate: &Estimate, which: SharedMatrix, f: impl FnOnce(MatrixView<'_>) -> T) -> Option<T> {
    let states = estimate.state.labels();
    let (x, y) = ((Space::State, &states[..]), (Space::Measurement, &estimate.measurement.labels[..]));
    let analysis = estimate.analysis.as_ref();
    let (values, rows, columns) = match which {
        SharedMatrix::Kernel => (&estimate.kernel, y, x),
        SharedMatrix::CovarianceBefore => (&estimate.prior.covariance, x, x),
        SharedMatrix::Covariance => (&analysis?.covariance, x, x),
        SharedMatrix::Correlation => (&analysis?.correlation, x, x),
        SharedMatrix::Gain => (&analysis?.gain, x, y),
        SharedMatrix::AveragingKernel => (&analysis?.averaging_kernel, x, x),
    };
    // nalgebra stores columns.
    let by_rows = values.transpose();
    let columns_first = which == SharedMatrix::Gain;
    Some(f(MatrixView { rows, columns, values: by_rows.as_slice(), columns_first }))
}

fn write_costs(out: &mut AtomicFile, estimate: &Estimate) -> io::Result<()> {
    let titles =
        ["iteration number", "normalized cost function", "number of measurements", "number of state vector elements"];
    for (i, title) in titles.iter().enumerate() {
        writeln!(out, "# ${} = {title}", i + 1)?;
    }
    writeln!(out)?;
    for (iteration, cost) in estimate.costs.iter().enumerate() {
        writeln!(out, "{iteration} {cost} {} {}", estimate.measurement.len(), estimate.state.len())?;
    }
    Ok(())
}
