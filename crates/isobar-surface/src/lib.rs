//! The revised MM5 surface layer: fluxes of momentum, heat and moisture between the surface and the lowest layer of a
//! column of air, by Monin and Obukhov's similarity (Jimenez et al. 2012, doi:10.1175/MWR-D-11-00056.1), as the shared
//! physics of WRF and MPAS has it (`sf_sfclayrev`).
//!
//! The bulk Richardson number of the lowest layer gives `z / L`; that gives profiles of wind, temperature and moisture;
//! those give friction velocity, fluxes, exchange coefficients, and values at 2 m and 10 m. Over land heat and moisture
//! come by the molecular layer or a roughness of their own; water has the roughness of its waves. Results are the
//! inputs of the boundary-layer scheme `isobar-ysu`, by name.
//!
//! | file | what it has |
//! |---|---|
//! | `fields` | what goes in and comes out, declared once: [`Columns`], [`Results`] |
//! | `options`, `constants` | [`Options`] and [`Constants`]: what is chosen, and the numbers, with their sources |
//! | `check` | what is accepted |
//! | `model` | [`SurfaceLayer`]: the scheme on CPU threads and GPUs |
//! | `compute` | the same on one thread in any type of numbers, as for derivatives |
//! | `kernel`, `arguments` | the kernel ([`SurfaceKernel`]: an item is 32 neighbouring columns) |
//! | `table` | stability corrections at nodes, between which the scheme interpolates |
//! | `schedule/` | who computes what: tiles of columns, searches, look-ups |
//! | `physics/` | the scheme itself, in its order |
//! | `analytic` | columns from formulas |
//!
//! ```
//! use isobar_surface::{Columns, Device, Options, SurfaceLayer};
//!
//! // Grass at noon: 5 m/s at 20 m, ground 6 K warmer than the air.
//! let columns = Columns::<f64> {
//!     u_m_per_s: vec![5.0],
//!     v_m_per_s: vec![0.0],
//!     temperature_k: vec![294.0],
//!     vapour_kg_per_kg: vec![0.008],
//!     pressure_pa: vec![99_765.0],
//!     thickness_m: vec![40.0],
//!     surface_pressure_pa: vec![1e5],
//!     boundary_layer_height_m: vec![800.0],
//!     moisture_availability: vec![0.3],
//!     land_or_water: vec![1.0],
//!     surface_temperature_k: vec![300.0],
//!     grid_length_m: vec![3000.0],
//!     roughness_m: vec![0.05],
//!     friction_velocity_m_per_s: vec![0.4],
//!     temperature_scale_k: vec![-0.5],
//!     sensible_heat_flux_w_per_m2: vec![200.0],
//!     moisture_flux_kg_per_m2_s: vec![1e-4],
//!     surface_vapour_kg_per_kg: vec![0.0], // that of saturated air
//!     ..Columns::default()
//! };
//! let results = SurfaceLayer::on(&[Device::Thread]).run(&columns, &Options::default())?;
//! let flux = results.sensible_heat_flux_w_per_m2[0];
//! assert!(flux > 150.0 && flux < 300.0, "{flux} W/m^2");
//! # Ok::<(), isobar_surface::RunError>(())
//! ```
//!
//! # Accuracy
//! Against the shared physics' code, 2100 columns in eleven cases, `tests/surface/golden.rs`: in f64 within 1e-11,
//! `z / L` and stability corrections within 1e-9; in f32 nearer to the f64 result than that code's own f32 run.
#![cfg_attr(not(any(test, feature = "std")), no_std)]
// A lane's number indexes many arrays at once, in loops that have to vectorise.
#![allow(clippy::needless_range_loop)]

#[cfg(feature = "std")]
pub mod analytic;
mod arguments;
#[cfg(feature = "std")]
mod check;
#[cfg(feature = "std")]
mod compute;
pub mod constants;
mod fields;
mod kernel;
#[cfg(feature = "launch")]
mod model;
mod options;
mod physics;
#[cfg(feature = "launch")]
mod ptx;
mod schedule;
mod table;

pub use arguments::SurfaceKernel;
#[cfg(feature = "std")]
pub use check::ITEM;
#[cfg(feature = "std")]
pub use compute::compute;
#[cfg(feature = "std")]
#[doc(hidden)]
pub use compute::compute_by_lanes;
pub use constants::Constants;
pub use fields::{ColumnViews, ResultViews};
#[cfg(feature = "std")]
pub use fields::{Columns, Results};
pub use isobar_core::Field;
#[cfg(feature = "launch")]
pub use isobar_launch::{BadItems, Device, Model, RunError};
#[cfg(feature = "launch")]
pub use model::{Precision, SurfaceLayer};
pub use options::{Fluxes, LandRoughness, Options, Parameters, Root, WaterRoughness};
#[cfg(feature = "launch")]
pub use ptx::PTX;
#[cfg(feature = "std")]
pub use table::corrections;

/// The example for readers of crates.io, which needs this crate alone.
#[cfg(all(doctest, feature = "launch"))]
#[doc = include_str!("../README.md")]
struct Readme;
