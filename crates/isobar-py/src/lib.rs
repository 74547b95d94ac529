//! Isobar in Python: the module `isobar._isobar`, over which the package `isobar` is written.
//!
//! | file | what it has |
//! |---|---|
//! | `model`, `made` | `Model`: a scheme on its devices, called with arrays by name |
//! | `results` | results and warnings as Python's |
//! | `jurassic` | `Jurassic`: radiances, Jacobians and retrievals of JURASSIC's cases |
//! | `sensitivity` | tangents and adjoints of chemistry |
//! | `command` | the command line |
//! | `units` | conversion of units |
//! | `phase_functions` | moments of phase functions |
//! | `arrays` | NumPy's and others' arrays as those of [`isobar_interface`], and new ones for results |
//! | `foreign` | those of CuPy, PyTorch and JAX, on the host or a GPU |
//! | `values` | Python's values as JSON and back |
//! | `errors` | errors as Python's exceptions |
//! | `declared` | what is declared of a scheme, as Python's values |
#![allow(missing_docs, reason = "documented in Python")]
#![allow(clippy::missing_errors_doc, reason = "as above")]

mod arrays;
mod command;
mod declared;
mod elements;
mod errors;
mod foreign;
mod jurassic;
mod made;
mod model;
mod phase_functions;
mod results;
mod sensitivity;
mod units;
mod values;

use pyo3::prelude::*;

#[pymodule]
mod _isobar {
    use super::*;

    #[pymodule_export]
    use super::command::command;
    #[pymodule_export]
    use super::declared::{describe, schemes};
    #[pymodule_export]
    use super::jurassic::Jurassic;
    #[pymodule_export]
    use super::model::Model;
    #[pymodule_export]
    use super::phase_functions::{henyey_greenstein_moments, mixed_moments, rayleigh_moments, tabulated_moments};
    #[pymodule_export]
    use super::sensitivity::Sensitivity;
    #[pymodule_export]
    use super::units::{convert, is_same_unit};

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))?;
        module.add("CUDA", cfg!(feature = "cuda"))
    }

    /// The processors that can compute, as text.
    #[pyfunction]
    fn devices() -> Vec<String> {
        isobar_launch::Device::list().iter().map(ToString::to_string).collect()
    }
}
