//! Long-wave and short-wave radiation in columns of air, with k-distributions of RRTMGP and ecCKD ([`isobar_optics`]),
//! or the long wave with that of RRTMG_LW ([`rrtmg`]).
//!
//! Long wave: absorption and emission along one to four angles, as RTE has it; scattering by rescaling along the same,
//! or by two streams. Along a path a radiance `I` becomes `I - (a I - S)` with the absorptance `a` and the emission `S`
//! of a source linear in optical depth. Short wave: two streams (PIFM) of delta-scaled optical properties, layers
//! composed from the top downward. Clouds by random sub-columns (McICA), the same for both spectra, or without noise by
//! a clear, a thin and a thick part of each layer (Tripleclouds).
//!
//! Data flow. [`isobar_optics::GasStates`] finds where each layer lies in the tables. A warp of 32 g-points takes a
//! column down and up ([`LongwaveSweeps`], [`ShortwaveSweeps`]): optical depths are used where they are computed, and
//! what the way up needs is kept: two numbers a layer and g-point of the long wave, four of the short wave. [`Totals`]
//! adds the warps' sums.
//!
//! | Files | What they do |
//! | --- | --- |
//! | `fields` | what goes in and comes out, declared once: [`Columns`], [`Fluxes`] |
//! | `constants`, `arguments`, `cloud_tables` | angles; what kernels are given |
//! | `physics/emission` | a layer that absorbs and emits, and one that sends some back |
//! | `physics/longwave_two_stream`, `two_stream` | a layer that scatters, emits; one that scatters sunlight |
//! | `physics/adding` | layers that scatter, one below the other |
//! | `physics/regions` | clear, thin and thick parts of a layer, and how they overlap |
//! | `physics/particles`, `random`, `subcolumns` | optics of clouds, and which g-points see them |
//! | `schedule/warp`, `sky` | a column and a warp; clouds as its lanes see them |
//! | `schedule/longwave_air` | what is in a layer, and what black bodies emit |
//! | `schedule/sunlight` | the sun's beam, gases and aerosol, the surface |
//! | `schedule/longwave`, `longwave_two_stream`, `shortwave` | a column's way down and up |
//! | `schedule/triple_longwave`, `triple_shortwave`, `triple` | up and down with regions (Tripleclouds) |
//! | `schedule/saved`, `totals`, `bands` | what is kept, and sums |
//! | `fields_adjoint`, `physics/adjoint`, `schedule/adjoint` | all of it backward: derivatives by columns from those by fluxes |
//! | `order` | which kernels run in which order, and what they leave to each other |
//! | `model`, `device_tables`, `buffers` | [`Radiation`]: the scheme on CPU threads and GPUs |
//! | `order_adjoint`, `model_adjoint` | [`RadiationAdjoint`], on CPU threads and GPUs |
//! | `compute` | the same on one thread in any type of numbers, as for derivatives |
//! | `host/` | options, checks, tables of clouds, columns from formulas |
//! | [`rrtmg`] | tables and kernels of RRTMG_LW |
//!
//! ```
//! use isobar_radiation::{Device, Options, Radiation, analytic};
//!
//! let data = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/radiation/ecckd-longwave-32.nc");
//! let longwave = isobar_io::read_k_distribution(data.as_ref())?.gas_optics()?;
//! let radiation = Radiation::<f64>::new().with(&longwave, None)?.on(&[Device::Thread]);
//! let fluxes = radiation.run(&analytic::columns(4, 60, false), &Options::default())?;
//! assert!(fluxes.longwave_up_w_per_m2[60 * 4] > 150.0 && fluxes.longwave_up_w_per_m2[60 * 4] < 320.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Accuracy
//! `tests/radiation/`: RTE+RRTMGP in f64 within 1e-9 W/m^2 in the long wave and 1e-6 in the short wave, where RTE
//! itself has 8 digits of what layers reflect that absorb nothing. ecRad with ecCKD: the short wave within 1e-9 W/m^2,
//! the long wave within 3e-3, for ecRad takes a mean of sources in thin layers.
#![cfg_attr(not(any(test, feature = "std")), no_std)]
#![cfg_attr(test, allow(dead_code, unused_imports, reason = "the models are left out"))]
// A lane's number indexes many arrays at once, in loops that have to vectorise.
#![allow(clippy::needless_range_loop)]

mod arguments;
#[cfg(feature = "launch")]
mod buffers;
mod cloud_tables;
#[cfg(feature = "std")]
mod compute;
pub mod constants;
#[cfg(feature = "launch")]
mod device_tables;
mod fields;
#[cfg(feature = "adjoint")]
mod fields_adjoint;
#[cfg(feature = "std")]
mod host;
// Kernels are not compiled once more for the tests of single functions.
#[cfg(all(feature = "launch", not(test)))]
mod model;
#[cfg(all(feature = "adjoint", not(test)))]
mod model_adjoint;
#[cfg(feature = "std")]
mod order;
#[cfg(feature = "adjoint")]
mod order_adjoint;
mod physics;
#[cfg(feature = "launch")]
mod ptx;
pub mod rrtmg;
mod schedule;

/// What a layer does to light, and layers one below the other: for schemes with wavelengths of their own.
pub mod light {
    pub use crate::physics::absorbed::absorbed;
    pub use crate::physics::adding::{Above, Rise};
    pub use crate::physics::particles::Depths;
    pub use crate::physics::two_stream::{Decay, Layer, decay, layer};
}

pub use arguments::{
    ANY_SKY, BandTotals, BandViews, CLEAR, CLOUDY, LongwaveSweeps, LongwaveTwoStream, RESCALED, ShortwaveSweeps,
    SpectrumViews, Sweep, Totals, TripleLongwaveSweeps, TripleShortwaveSweeps,
};
pub use cloud_tables::{CloudTables, Particles};
pub use fields::{
    ColumnViews, FluxViews, INTERFACE, ITEM, LONGWAVE_BAND, LONGWAVE_FLUX_BAND, SHORTWAVE_BAND, SHORTWAVE_FLUX_BAND,
};

pub use schedule::adjoint::all::{CheckGradients, ClearGradients};
pub use schedule::adjoint::longwave::LongwaveAdjoint;
pub use schedule::adjoint::shortwave::ShortwaveAdjoint;

#[cfg(feature = "adjoint")]
pub use fields_adjoint::{AdjointViews, CotangentViews, Cotangents, GradientViews, Gradients};

#[cfg(feature = "launch")]
pub use buffers::Memory;
#[cfg(feature = "std")]
pub use compute::compute;
#[cfg(feature = "launch")]
pub use device_tables::DeviceTables;
#[cfg(feature = "std")]
pub use fields::{Columns, Fluxes};
#[cfg(feature = "std")]
pub use host::analytic;
#[cfg(feature = "std")]
pub use host::cloud_optics::{CloudOptics, Roughness};
#[cfg(feature = "std")]
pub use host::low_sun::least_cosine_zenith;
#[cfg(feature = "std")]
pub use host::options::{Angles, CloudSolver, DeltaScaling, LongwaveScattering, Options};
#[cfg(feature = "std")]
pub use host::spectrum::Spectra;
#[cfg(feature = "launch")]
pub use isobar_launch::{BadItems, Device, Model, RunError};
pub use isobar_optics::Overlap;
#[cfg(all(feature = "launch", not(test)))]
pub use model::{Precision, Radiation};
#[cfg(all(feature = "adjoint", not(test)))]
pub use model_adjoint::{Precision as AdjointPrecision, RadiationAdjoint};
#[cfg(feature = "launch")]
pub use ptx::PTX;
