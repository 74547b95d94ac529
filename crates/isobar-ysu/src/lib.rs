//! The YSU boundary-layer scheme: turbulent mixing of heat, moisture, momentum and tracers in columns of air.
//!
//! A first-order scheme with a non-local part (Hong, Noh and Dudhia 2006, doi:10.1175/MWR3199.1; stable layers: Hong
//! 2010, doi:10.1002/qj.665), as WRF 4.6 computes it, or WRF 3.6.1: [`Version`]. The boundary layer ends where the bulk
//! Richardson number of a thermal becomes critical. Below, diffusivities follow a cubic profile, thermals carry heat
//! and momentum against the gradient, and fluxes of entrainment reach down from the top; above, diffusivities follow
//! the local Richardson number. Two options: turbulence that cloud tops drive downward, and drag over unresolved
//! orography.
//!
//! The implicit systems are solved for the tendencies themselves, not for new profiles: in single precision nothing
//! cancels.
//!
//! | file | what it has |
//! |---|---|
//! | `fields` | what goes in and comes out, declared once: [`Columns`], [`Results`] |
//! | `version` | [`Options`]: whose version, time step, top-down mixing, orography, towns |
//! | `physical` | [`Constants`]: those of the host model |
//! | `shin_hong` | [`ShinHongOptions`] |
//! | `chosen`, `check` | what options and columns are accepted |
//! | `model` | [`Ysu`] and [`ShinHong`] on CPU threads and GPUs |
//! | `compute` | the same on one thread in any type of numbers, as for derivatives |
//! | `kernel`, `arguments` | the kernels ([`YsuKernel`]: an item is 32 neighbouring columns; [`MixTracers`]) |
//! | `schedule/` | who computes what, and where numbers lie meanwhile |
//! | `physics/` | the scheme itself, a file a stage |
//! | `similarity` | the surface layer, for who lacks its profiles and Richardson number |
//! | `constants`, `constants_by_name` | numbers and guards, with their sources; a host's from words |
//! | `analytic` | columns from formulas |
//!
//! ```
//! use isobar_ysu::{Columns, Device, Options, Ysu};
//!
//! // One column of 20 layers of 100 m: well mixed up to 1 km, stable above, over ground that heats it.
//! let layers = 20;
//! let profile = |value: fn(f64) -> f64| (0..layers).map(|k| value(50.0 + 100.0 * f64::from(k))).collect::<Vec<_>>();
//! let pressure = |z: f64| 1e5 - 11.0 * z;
//! let columns = Columns::<f64> {
//!     u_m_per_s: profile(|_| 5.0),
//!     v_m_per_s: profile(|_| 0.0),
//!     temperature_k: profile(|z| (300.0 + (0.01 * (z - 1000.0)).max(0.0)) * (1.0 - 3.2e-5 * z)),
//!     vapour_kg_per_kg: profile(|_| 0.008),
//!     cloud_water_kg_per_kg: vec![0.0], // one value for all
//!     cloud_ice_kg_per_kg: vec![0.0],
//!     pressure_pa: profile(|z| 1e5 - 11.0 * z),
//!     exner: profile(|z| 1.0 - 3.2e-5 * z),
//!     thickness_m: vec![100.0],
//!     interface_pressure_pa: (0..=layers).map(|k| pressure(100.0 * f64::from(k))).collect(),
//!     surface_pressure_pa: vec![1e5],
//!     roughness_m: vec![0.1],
//!     friction_velocity_m_per_s: vec![0.4],
//!     profile_momentum: vec![5.0],
//!     profile_heat: vec![5.0],
//!     land_or_water: vec![1.0],
//!     sensible_heat_flux_w_per_m2: vec![200.0],
//!     moisture_flux_kg_per_m2_s: vec![1e-4],
//!     wind_speed_m_per_s: vec![5.0],
//!     richardson: vec![-0.5],
//!     u_10m_m_per_s: vec![4.0],
//!     v_10m_m_per_s: vec![0.0],
//!     u_current_m_per_s: vec![0.0],
//!     v_current_m_per_s: vec![0.0],
//!     ..Columns::default()
//! };
//! let results = Ysu::on(&[Device::Thread]).run(&columns, &Options::new(60.0))?;
//! assert!(results.height_m[0] > 900.0 && results.height_m[0] < 1300.0);
//! assert!((results.heat_w_per_m2[0] - 200.0).abs() < 1e-9); // what the ground gives is in the air
//! # Ok::<(), isobar_ysu::RunError>(())
//! ```
//!
//! Arrays of a model, in any layout, need no copy on a CPU: see [`ColumnViews`] and [`isobar_core::Field`]. Results of
//! the step before are used again with [`Model::run_into`].
//!
//! # Accuracy
//! Against columns of WRF's code, `tests/ysu/golden.rs`: in f64 diffusivities and heights within 1e-12, tendencies
//! within 1e-9 of a column's largest; in f32 nearer to the f64 result than WRF's own f32 run in median and 99th
//! percentile of every output.
#![cfg_attr(not(any(test, feature = "std")), no_std)]
// A lane's number indexes many arrays at once, in loops that have to vectorise.
#![allow(clippy::needless_range_loop)]

#[cfg(feature = "std")]
pub mod analytic;
mod arguments;
#[cfg(feature = "std")]
mod check;
#[cfg(feature = "std")]
mod chosen;
#[cfg(feature = "std")]
mod compute;
pub mod constants;
#[cfg(feature = "std")]
mod constants_by_name;
mod fields;
mod kernel;
#[cfg(feature = "launch")]
mod model;
mod physical;
mod physics;
#[cfg(feature = "launch")]
mod ptx;
mod schedule;
mod shin_hong;
mod shin_hong_constants;
pub mod similarity;
mod version;

pub use arguments::{MixTracers, Workspace, YsuArgs};
#[cfg(feature = "std")]
pub use check::ITEM;
#[cfg(feature = "std")]
pub use chosen::{Chosen, Form};
#[cfg(feature = "std")]
pub use compute::compute;
#[cfg(feature = "std")]
#[doc(hidden)]
pub use compute::compute_by_lanes;
pub use fields::{ColumnViews, ResultViews};
#[cfg(feature = "std")]
pub use fields::{Columns, Results};
pub use isobar_core::Field;
#[cfg(feature = "launch")]
pub use isobar_launch::{BadItems, Device, Model, RunError};
pub use kernel::{ShinHongKernel, UrbanKernel, YsuKernel};
#[cfg(feature = "launch")]
pub use model::{BoundaryLayers, Buffers, Launched, Precision, ShinHong, Ysu};
pub use physical::Constants;
#[cfg(feature = "launch")]
pub use ptx::PTX;
pub use shin_hong::ShinHongOptions;
pub use version::{Options, Parameters, Version};

/// The example for readers of crates.io, which needs this crate alone.
#[cfg(all(doctest, feature = "launch"))]
#[doc = include_str!("../README.md")]
struct Readme;
