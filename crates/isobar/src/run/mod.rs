//! A column model from a case file: radiation, surface fluxes, boundary layers and chemistry through the day.
//!
//! A [`Case`] is opened, perhaps changed, and run; nothing is printed, and a file is written only where the [`Options`]
//! name one. What comes back is an [`Outcome`]: the results of the columns at the times of the output, what a satellite
//! sees of them, and what the run did. The command `isobar run` is this with a progress bar.
//!
//! ```no_run
//! use isobar::run::{Case, Options, run};
//!
//! let mut case = Case::open("data/column/case.toml")?;
//! case.set_hours(3.0);
//! let options = Options { output: Some("day.nc".into()), ..Options::default() };
//! let outcome = run::<f64>(&mut case, &options)?;
//! println!("{} columns in {:.1} s", outcome.report.columns, outcome.report.seconds);
//! # Ok::<(), isobar::run::Error>(())
//! ```
//!
//! Several devices share the columns, and so do several processes, a [`Team`], with the feature `mpi` and [`run_in`].
//! The number of CPU threads is that of the caller's pool: `isobar_launch::with_threads` sets another.
//!
//! | what | where |
//! |---|---|
//! | keys of a case, units, defaults | `description.rs`, `processes.rs`, `prescribed_keys.rs` |
//! | reading them | `reader.rs`, `number.rs`, `prescribed.rs`, `forcing.rs`, `soil.rs` |
//! | what they mean | `setup.rs`, with `air.rs`, `start_file.rs`, `idle.rs`, `clouds.rs`, `spectra.rs`, `species.rs`, `satellite.rs` |
//! | the loop | `simulate.rs`, `pace.rs` |
//! | what it takes | `memory.rs` |
//! | columns on a device | `model.rs`, `block.rs`, `blocks.rs` |
//! | several devices and processes | `team/` |
//! | results, restart files, radiances | `records.rs` and `kept.rs`, `restart.rs`, `sight.rs` |
//! | files | `write.rs`, `collected.rs` |

mod air;
mod block;
mod blocks;
mod case;
mod case_cloud;
mod clouds;
mod collected;
mod copy;
mod description;
mod error;
mod forcing;
mod hydrostatic;
mod idle;
mod kept;
mod light;
mod memory;
mod model;
mod number;
mod options;
mod pace;
mod precision;
mod prescribed;
mod prescribed_keys;
mod processes;
mod reader;
mod records;
mod report;
mod restart;
mod satellite;
mod setup;
mod sight;
mod simulate;
mod soil;
mod solar_time;
mod species;
mod spectra;
mod start_file;
mod start_memory;
mod surface_keys;
mod surface_layer;
mod team;
mod times;
mod write;

pub use blocks::Spent;
pub use case::Case;
pub use copy::copy_bandwidth;
pub use error::Error;
pub use options::{Options, Outcome};
pub use precision::Precision;
pub use records::Records;
pub use report::Report;
pub use satellite::{Satellite, View};
pub use setup::Setup;
pub use simulate::{run, run_in};
pub use team::Team;
pub use team::share::devices_of;
