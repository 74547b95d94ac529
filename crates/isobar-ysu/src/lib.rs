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
//! A kernel item ([`Ysu`]) is 32 neighbouring columns. With feature `std` there are owned [`Columns`], which are
//! checked, and a [`Batch`], which computes on the calling thread; the module `launch` has all threads and GPUs.
//!
//! ```
//! use isobar_ysu::{AirColumns, Batch, Columns, Options, SurfaceColumns};
//!
//! // One column of 20 layers of 100 m: well mixed up to 1 km, stable above, over ground that heats it.
//! let layers = 20;
//! let profile = |value: fn(f64) -> f64| (0..layers).map(|k| value(50.0 + 100.0 * f64::from(k))).collect::<Vec<_>>();
//! let pressure = |z: f64| 1e5 - 11.0 * z;
//! let columns = Columns::<f64> {
//!     air: AirColumns {
//!         u: profile(|_| 5.0),
//!         v: profile(|_| 0.0),
//!         temperature: profile(|z| (300.0 + (0.01 * (z - 1000.0)).max(0.0)) * (1.0 - 3.2e-5 * z)),
//!         vapour: profile(|_| 0.008),
//!         cloud_water: profile(|_| 0.0),
//!         cloud_ice: profile(|_| 0.0),
//!         pressure: profile(|z| 1e5 - 11.0 * z),
//!         exner: profile(|z| 1.0 - 3.2e-5 * z),
//!         thickness: profile(|_| 100.0),
//!         radiative_heating: vec![],
//!     },
//!     interface_pressure: (0..=layers).map(|k| pressure(100.0 * f64::from(k))).collect(),
//!     surface: SurfaceColumns {
//!         pressure: vec![1e5],
//!         roughness: vec![0.1],
//!         friction_velocity: vec![0.4],
//!         profile_momentum: vec![5.0],
//!         profile_heat: vec![5.0],
//!         land_or_water: vec![1.0],
//!         sensible_heat_flux: vec![200.0],
//!         moisture_flux: vec![1e-4],
//!         wind_speed: vec![5.0],
//!         richardson: vec![-0.5],
//!         u_10m: vec![4.0],
//!         v_10m: vec![0.0],
//!         u_current: vec![0.0],
//!         v_current: vec![0.0],
//!         ..SurfaceColumns::default()
//!     },
//!     tracers: vec![],
//! };
//! let mut batch = Batch::new(columns, Options::new(60.0))?;
//! batch.compute();
//! let results = batch.outputs();
//! assert!(results.height[0] > 900.0 && results.height[0] < 1300.0);
//! assert!((results.heat[0] - 200.0).abs() < 1e-9); // what the ground gives is in the air
//! # Ok::<(), isobar_ysu::Error>(())
//! ```
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
#[cfg(feature = "std")]
mod batch;
#[cfg(feature = "std")]
mod columns;
pub mod constants;
#[cfg(feature = "std")]
mod error;
mod kernel;
#[cfg(feature = "launch")]
pub mod launch;
mod layout;
mod physics;
mod schedule;
#[cfg(feature = "std")]
mod validate;
mod version;
mod views;

#[cfg(feature = "std")]
pub use batch::{Batch, Outputs, Room, arguments, tracers_kernel};
#[cfg(feature = "std")]
pub use columns::{AirColumns, Columns, SurfaceColumns};
#[cfg(feature = "std")]
pub use error::Error;
pub use kernel::Ysu;
pub use version::{Options, Parameters, Version};
pub use views::{Air, Diagnostics, MixTracers, Scratch, Surface, Tendencies, YsuArgs};
