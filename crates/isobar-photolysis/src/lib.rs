//! Photolysis rates: how often light breaks up a molecule,
//!
//! ```text
//! J = sum over wavelength bins of cross-section x quantum yield x actinic flux
//! ```
//!
//! in the layers of columns of air. The actinic flux is the Sun's beam, attenuated along its slant path through
//! spherical shells, and what two streams (Meador and Weaver 1980, as [`isobar_radiation`] has them) make of it between
//! air, ozone, clouds and the ground. Products of cross-section and quantum yield are tables by temperature, with a
//! part that the density of air quenches; they are the user's, of which `isobar-io` reads TUV-x's files, or formulas
//! ([`formulas`]).
//!
//! The files in the order of the data:
//!
//! | file | what |
//! |---|---|
//! | [`fields`] | columns and rates, declared once |
//! | `host`: `columns`, `tables`, `options` | columns in vectors, what bins, reactions and absorbers are, choices |
//! | [`formulas`] | laws that need no table |
//! | `physics`: `path`, `beam`, `air`, `rate` | slant paths, the beam in a layer, what a layer is made of, the sum |
//! | `schedule`: `arguments`, `paths`, `flux`, `rates` | what kernels take, the way through layers, bins and reactions |
//! | `kernels`, `model`, `ptx` | what launchers call, and the scheme on devices |
//!
//! # Limits
//! Bands of O2 below 205 nm (Schumann-Runge, Lyman alpha) are not resolved. The Sun below the horizon lights what its
//! straight rays reach. Clouds fill their layers. Actinic flux by two streams is within some per cent of that by many.
//!
//! # Accuracy
//! `tests/photolysis`: without air J is the sum by hand to round-off, with absorption alone that of Lambert and Beer in
//! layers, slant paths are Chapman's to 1e-3, and light is kept to 1e-12 where nothing absorbs.
#![cfg_attr(not(any(test, feature = "std")), no_std)]
// A lane's number indexes many arrays at once, in loops that have to vectorise.
#![allow(clippy::needless_range_loop)]

pub mod fields;
#[cfg(feature = "std")]
mod host;
mod kernels;
#[cfg(feature = "launch")]
mod model;
mod physics;
#[cfg(feature = "launch")]
mod ptx;
mod schedule;

pub use fields::{BIN, ColumnViews, RateViews};
#[cfg(feature = "std")]
pub use fields::{Columns, Rates};
#[cfg(feature = "std")]
pub use host::formulas;
#[cfg(feature = "std")]
pub use host::options::Options;
#[cfg(feature = "std")]
pub use host::tables::{Error, Tables};
#[cfg(feature = "launch")]
pub use isobar_launch::{BadItems, Device, Model, RunError};
#[cfg(feature = "launch")]
pub use model::{DeviceTables, Photolysis, Precision, Workspace};
pub use physics::air::Optics;
#[cfg(feature = "launch")]
pub use ptx::PTX;
pub use schedule::arguments::{Flux, Paths, Rate};

/// The example for readers of crates.io, which needs this crate alone.
#[cfg(all(doctest, feature = "launch"))]
#[doc = include_str!("../README.md")]
struct Readme;
