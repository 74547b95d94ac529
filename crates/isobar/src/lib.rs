//! Radiative transfer and atmospheric column physics on CPU and GPU, the same bits on both: all crates under one name,
//! the runner of column models, the plots. The command `isobar` is thin on top of it.
//!
//! Each part is there with the feature of its name, and brings what it needs and no more; `default-features = false`
//! leaves out the command. With `features = ["ysu"]`, a boundary layer is computed like this:
//!
//! ```
//! # #[cfg(feature = "ysu")] {
//! use isobar::ysu::{Device, Options, Ysu, analytic};
//!
//! let air = analytic::columns::<f64>(2, 20, 0);
//! let results = Ysu::on(&[Device::Cpu]).run(&air, &Options::new(60.0))?;
//! assert!(results.height_m[0] > 10.0);
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | name | feature | brings the features | what |
//! |---|---|---|---|
//! | [`isobar::core`](crate::core) | `core` | | functions with the same bits everywhere, views of columns, kernels |
//! | [`isobar::launch`](crate::launch) | `launch` | `core` | devices, queues, models of any number of items |
//! | [`isobar::raytrace`](crate::raytrace) | `raytrace` | `core` | refracted paths of rays |
//! | [`isobar::ega`](crate::ega) | `ega` | `launch`, `raytrace` | infrared radiances from emissivity tables |
//! | [`isobar::adding`](crate::adding) | `adding` | `launch` | radiances of layered profiles by adding |
//! | [`isobar::optics`](crate::optics) | `optics` | `core` | k-distributions and tables of clouds, as files have them |
//! | [`isobar::radiation`](crate::radiation) | `radiation` | `launch`, `optics` | long-wave and short-wave fluxes with them |
//! | [`isobar::spectra`](crate::spectra) | `spectra` | `launch` | absorption spectra line by line |
//! | [`isobar::surface`](crate::surface) | `surface` | `launch` | surface layers by the revised MM5 scheme |
//! | [`isobar::ysu`](crate::ysu) | `ysu` | `launch` | boundary layers by the YSU scheme |
//! | [`isobar::rosenbrock`](crate::rosenbrock) | `rosenbrock` | `launch` | stiff chemistry in cells of air |
//! | [`isobar::kpp`](crate::kpp) | `kpp` | `rosenbrock` | mechanisms in KPP's language |
//! | [`isobar::column`](crate::column) | `column` | `radiation`, `rosenbrock`, `ysu` | stages of a column model |
//! | [`isobar::io`](crate::io) | `io` | `raytrace` | JURASSIC's files; with `netcdf`, those of columns and results |
//! | [`isobar::retrieval`](crate::retrieval) | `retrieval` | `ega`, `io` | optimal estimation of atmospheres |
//! | [`isobar::jurassic`](crate::jurassic) | `io` | | a case of JURASSIC, all of its files read |
//! | [`isobar::line_by_line`](crate::line_by_line) | `line-by-line` | `ega`, `netcdf`, `radiation`, `spectra` | emissivity tables, radiances and k-distributions line by line |
//! | [`isobar::run`](crate::run) | `run` | `column`, `ega`, `kpp`, `netcdf`, `surface` | a column model from a case file |
//! | [`isobar::cli`](crate::cli) | `cli` | all of these | the command line; with `infrared` in its place, that of JURASSIC's cases alone |
//! | [`isobar::plot`](crate::plot) | `plot` | `core` | figures of results, as SVG, of the features that are there |
//!
//! `cuda` adds NVIDIA GPUs to whatever is there, `mpi` adds several machines to `run`, and `cli`, the default, is the
//! command with all of the above.
//!
//! `isobar::core` has the name of Rust's own `core`: write `isobar::core::Real` in full, or `use isobar::core as
//! isobar_core`. A plain `use isobar::core`, or a glob of everything, hides Rust's in that module; derives and macros
//! do not mind, for they say `::core`.

// All that the command says goes through `print`.
#![cfg_attr(all(feature = "infrared", not(test)), warn(clippy::print_stdout, clippy::print_stderr))]

#[cfg(feature = "adding")]
pub use isobar_adding as adding;
#[cfg(feature = "column")]
pub use isobar_column as column;
#[cfg(feature = "core")]
pub use isobar_core as core;
#[cfg(feature = "ega")]
pub use isobar_ega as ega;
#[cfg(feature = "io")]
pub use isobar_io as io;
#[cfg(feature = "kpp")]
pub use isobar_kpp as kpp;
#[cfg(feature = "launch")]
pub use isobar_launch as launch;
#[cfg(feature = "optics")]
pub use isobar_optics as optics;
#[cfg(feature = "radiation")]
pub use isobar_radiation as radiation;
#[cfg(feature = "raytrace")]
pub use isobar_raytrace as raytrace;
#[cfg(feature = "retrieval")]
pub use isobar_retrieval as retrieval;
#[cfg(feature = "rosenbrock")]
pub use isobar_rosenbrock as rosenbrock;
#[cfg(feature = "spectra")]
pub use isobar_spectra as spectra;
#[cfg(feature = "surface")]
pub use isobar_surface as surface;
#[cfg(feature = "ysu")]
pub use isobar_ysu as ysu;

#[cfg(feature = "run")]
#[cfg_attr(not(feature = "cli"), allow(dead_code, reason = "the command uses the rest of it"))]
mod data_folder;
#[cfg(feature = "io")]
pub mod jurassic;
#[cfg(feature = "line-by-line")]
pub mod line_by_line;
#[cfg(feature = "plot")]
pub mod plot;
#[cfg(feature = "run")]
pub mod run;

// What the command is made of has the paths of a program on top of the library.
#[cfg(feature = "infrared")]
extern crate self as isobar;

#[cfg(feature = "infrared")]
#[cfg_attr(not(feature = "cli"), allow(dead_code, reason = "commands of columns use the rest of it"))]
#[doc(hidden)]
#[macro_use]
pub mod program;
#[cfg(feature = "infrared")]
pub mod cli;
#[cfg(feature = "infrared")]
mod commands;
#[cfg(feature = "infrared")]
#[doc(hidden)]
pub mod inputs;
