//! Absorption spectra line by line: from a list of lines to the cross-section of a gas at any pressure and temperature,
//! on CPU threads and GPUs, with the same bits on both.
//!
//! A line at `nu0` with intensity `S`, Doppler half width `gamma_D`, Lorentz half width `gamma_L` and shift `delta`
//! adds
//!
//! ```text
//! sigma(nu) = S a / sqrt(pi) Re w(x + i y),   a = sqrt(ln 2) / gamma_D,   x = a (nu - nu0 - delta),   y = a gamma_L
//! ```
//!
//! to the cross-section \[cm^2/molecule\]. The files in the order of the data:
//!
//! | file | what |
//! |---|---|
//! | [`lists`] | line lists, isotopologues, partition sums, and the files in which users have them |
//! | [`grid`] | the points of a spectrum |
//! | [`physics::line`], [`physics::partition`] | intensity, widths and shift in some air; partition sums |
//! | [`physics::voigt`] | the Voigt function, with its accuracy |
//! | [`physics::wing`], [`physics::carbon_dioxide_wing`] | where lines end; CO2's weakened wings |
//! | [`physics::collision_induced`], [`physics::cross_section`], [`physics::water_continuum`] | what has no lines |
//! | [`physics::chebyshev`] | polynomials that carry wings |
//! | [`schedule`] | who computes what: lines, tiles of points, cells of a tree; the order of sums |
//! | [`kernel`] | the kernels |
//! | [`launch`] | a gas on a device, options, many states on several devices |
//! | [`constants`], `limits` | constants, with their sources; guards and cut-offs |
//!
//! Wavenumbers are in cm^-1, pressures in hPa, widths in cm^-1 or cm^-1/atm, cross-sections in cm^2/molecule: the units
//! of this field's files. Widths are half widths at half maximum.
//!
//! # Example
#![cfg_attr(feature = "launch", doc = "```")]
#![cfg_attr(not(feature = "launch"), doc = "```ignore")]
//! use isobar_launch::{Device, Queue};
//! use isobar_spectra::{Absorber, Air, Grid, Options, lists::made_up_gas};
//!
//! // A made-up gas; `lists::read_par` and `Gas::from_records` read HITRAN's lists.
//! let gas = made_up_gas("X", 200, (990.0, 1020.0))?;
//! let grid = Grid::regular(1000.0, 1010.0, 0.001)?;
//! let mut absorber = Absorber::<f64>::new(Queue::parallel(Device::Cpu)?, &gas, &grid, Options::default())?;
//! let air = Air { pressure_hpa: 500.0, temperature_k: 250.0, mole_fraction: 1e-4 };
//! let cross_sections_cm2 = absorber.cross_sections(&air)?;
//! assert_eq!(cross_sections_cm2.len(), 10_001);
//! assert!(cross_sections_cm2.iter().all(|&sigma| sigma > 0.0));
//! # Ok::<(), isobar_spectra::SpectraError>(())
//! ```
//!
//! # Accuracy
//! Of the Voigt function 5e-6 relative in f32 and 1e-10 in f64; of a spectrum by [`Method::Exact`](launch::Method) 1e-5
//! and 1e-9; by [`Method::Tree`](launch::Method) 1e-4 of the largest value nearby. docs/validation.md of the repository
//! has what was measured.
#![cfg_attr(not(any(test, feature = "std")), no_std)]
#![cfg_attr(test, allow(dead_code, unused_imports, reason = "the models are left out"))]
#![deny(unsafe_code)]

pub mod constants;
#[cfg(feature = "std")]
mod error;
#[cfg(feature = "std")]
pub mod grid;
pub mod kernel;
#[cfg(all(feature = "launch", not(test)))]
pub mod launch;
#[cfg(feature = "std")]
mod limits;
#[cfg(feature = "std")]
pub mod lists;
pub mod physics;
pub mod schedule;

pub use constants::Constants;
#[cfg(feature = "std")]
pub use error::SpectraError;
#[cfg(feature = "std")]
pub use grid::Grid;
#[cfg(all(feature = "launch", not(test)))]
pub use launch::{Absorber, Method, Options, Wings, cross_sections, each_cross_sections};
#[cfg(feature = "std")]
pub use lists::{Gas, Isotopologue, PartitionSum};
pub use physics::line::{Air, BroadenedLine, Line};
pub use physics::voigt;
