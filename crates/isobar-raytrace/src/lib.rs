//! Refracted ray paths in a spherical atmosphere, as the limb and nadir sounders see it.
//!
//! A ray starts at a [`Position`] (a satellite, a balloon, the ground) towards a view point and is followed
//! through one vertical profile, or through several along a track, until it leaves into space or meets the ground. Each
//! step bends by the gradient of the refractive index (Hase and Hoepfner, 1999; Hoffmann, 2006); the numbers are those
//! of JURASSIC, whose rules for steps and boundaries are kept. The files in the order of the data:
//!
//! | file | what |
//! |---|---|
//! | [`atmosphere`], [`ray`] | what a host owns: a profile and lines of sight |
//! | [`hydrostatic`], [`hydrostatic_slopes`] | pressure made hydrostatic before a run, and how it follows the state |
//! | [`profile`] | the state at a height |
//! | [`air`], [`track`] | what a path asks of the atmosphere, and profiles along a track |
//! | [`refraction`], [`trace`] | one step, one path |
//! | [`tangent`] | the tangent point |
//! | [`path`] | the points of a path and its summary |
//! | [`status`] | why a ray could not be traced |
//! | [`kernel`] | a batch of rays, on any device |
//! | [`one_ray`] | one ray on the thread that calls |
//! | `varied`, [`varied_track`] | profiles in which some levels are variables |
//! | [`sensitivity`] | how a path follows the levels |
//! | [`constants`], [`limits`] | constants of the Earth and of air; guards and cut-offs |
//! | [`geodesy`] | positions on the Earth |
//!
//! # Example
//! ```
//! use isobar_raytrace::{Atmosphere, Position, Ray, trace_ray, PathOptions};
//!
//! // An isothermal atmosphere with a scale height of 7 km.
//! let height_km: Vec<f64> = (0..=80).map(f64::from).collect();
//! let pressure_hpa = height_km.iter().map(|z| 1013.25 * isobar_core::Real::exp(-z / 7.0)).collect();
//! let atmosphere = Atmosphere::new(height_km, pressure_hpa, vec![250.0; 81])?;
//!
//! let ray = Ray {
//!     time_s: 0.0,
//!     observer: Position { height_km: 780.0, longitude_deg: 0.0, latitude_deg: 0.0 },
//!     view_point: Position { height_km: 12.0, longitude_deg: 0.0, latitude_deg: 26.8 },
//! };
//! let path = trace_ray(&atmosphere, &ray, &PathOptions::default())?;
//! assert!(path.summary.tangent_height_km < 12.0); // refraction pulls the ray down
//! # Ok::<(), isobar_raytrace::Error>(())
//! ```
//!
//! Lengths are in km, pressure in hPa, column densities in molecules/cm^2: the units of the files and tables of
//! this field, named in every identifier.
#![cfg_attr(not(any(test, feature = "std")), no_std)]
#![deny(unsafe_code)]

pub mod air;
#[cfg(feature = "std")]
pub mod atmosphere;
pub mod constants;
pub mod geodesy;
pub mod hydrostatic;
pub mod hydrostatic_slopes;
pub mod kernel;
#[cfg(feature = "launch")]
mod launch;
pub mod limits;
#[cfg(feature = "std")]
pub mod one_ray;
pub mod path;
pub mod profile;
#[cfg(feature = "std")]
pub mod ray;
pub mod refraction;
pub mod sensitivity;
pub mod status;
pub mod tangent;
pub mod trace;
pub mod track;
mod varied;
pub mod varied_track;

#[cfg(feature = "std")]
pub use atmosphere::{Atmosphere, CloudLayer, Error, Horizontal, ProfileData, SurfaceLayer};
#[cfg(feature = "std")]
pub use one_ray::{Path, PathOptions, trace_ray};
#[cfg(feature = "std")]
pub use ray::{Position, Ray};
