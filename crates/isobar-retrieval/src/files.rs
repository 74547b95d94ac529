//! The files that a retrieval leaves, with JURASSIC's names and layouts.

use std::io::{self, Write};
use std::path::Path;

use isobar_io::{AtomicFile, Control, Label, Space, write_atmosphere, write_matrix, write_observation};
use nalgebra::DMatrix;

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

/// Writes all result files into a folder; all of them, or on a failure none.
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
    write("atm_final.tab", &|out| write_atmosphere(out, &e.atmosphere, control))?;
    write("obs_final.tab", &|out| write_observation(out, &e.observation, control))?;
    write("costs.tab", &|out| write_costs(out, e))?;
    let states = e.state.labels();
    let (state, measurement) = ((Space::State, &states[..]), (Space::Measurement, &e.measurement.labels[..]));
    if matrices {
        write("matrix_kernel.tab", &|out| matrix(out, measurement, state, &e.kernel, false))?;
        write("matrix_cov_apr.tab", &|out| matrix(out, state, state, &e.prior.covariance, false))?;
    }
    if let Some(analysis) = &e.analysis {
        for (name, values) in [
            ("atm_err_total.tab", &analysis.total_error),
            ("atm_err_noise.tab", &analysis.noise_error),
            ("atm_err_formod.tab", &analysis.forward_error),
            ("atm_cont.tab", &analysis.contribution),
            ("atm_res.tab", &analysis.resolution),
        ] {
            let alone = e.state.alone(&e.atmosphere, values.as_slice());
            write(name, &|out| write_atmosphere(out, &alone, control))?;
        }
        if matrices {
            write("matrix_cov_ret.tab", &|out| matrix(out, state, state, &analysis.covariance, false))?;
            write("matrix_corr.tab", &|out| matrix(out, state, state, &analysis.correlation, false))?;
            write("matrix_gain.tab", &|out| matrix(out, state, measurement, &analysis.gain, true))?;
            write("matrix_avk.tab", &|out| matrix(out, state, state, &analysis.averaging_kernel, false))?;
        }
    }
    for file in files {
        file.commit()?;
    }
    Ok(())
}

fn matrix(
    out: &mut AtomicFile,
    rows: (Space, &[Label]),
    columns: (Space, &[Label]),
    values: &DMatrix<f64>,
    columns_first: bool,
) -> io::Result<()> {
    // nalgebra stores columns.
    let by_rows = values.transpose();
    write_matrix(out, rows, columns, by_rows.as_slice(), columns_first)
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
