//! The adding method for layered atmospheres, clear sky and with scattering.
//!
//! A clear layer along an angle is an affine map: radiance `x` leaves as `t x + s` with the transmittance
//! `t = exp(-tau/mu)` and the source `s = -B expm1(-tau/mu)`. Upward and downward maps share `t`, so that a stack is
//! three numbers, [`clear_sky::Element`], and their composition is associative: `t = tA tB`, `u = uA + tA uB`,
//! `d = dB + tB dA`. The layers are composed in the one order of [`clear_sky::order`], whoever does it, so that every
//! [`schedule::Schedule`] gives the same bits.
//!
//! With scattering a layer is two matrices and two vectors, component by component in azimuth: [`azimuth`], for light
//! from any direction. [`scattering`] is its first component along the nodes, over a surface whose emissivity is given
//! by direction, as in CRTM.
//!
//! The files in the order of the data; `physics` has pure functions of lanes and layers, `schedule` says who computes
//! what, and the public modules have both under one name:
//!
//! | file | what |
//! |---|---|
//! | [`fields`] | what goes in and what comes out |
//! | [`clear_sky::Options`], [`azimuth::Options`], [`scattering::Options`] | what is chosen; the sizes of a batch |
//! | `physics/clear_sky`: [`clear_sky::slant`], `layer` | absorption along an angle, a layer |
//! | [`clear_sky::element`] | a stack as an affine map |
//! | [`clear_sky::surface`] | sunlight and diffuse light that the surface sends up |
//! | `schedule/clear_sky`: [`clear_sky::order`] | the one order of composition |
//! | [`clear_sky::batch`], `tile`, `segment`, `reading` | arguments, and a warp's layers and profiles |
//! | [`clear_sky::sequential`], [`clear_sky::sequential_levels`] | a lane a profile |
//! | `tree_scan`, [`clear_sky::warp`] | eight lanes a profile |
//! | `shared_slots`, [`clear_sky::block`], [`clear_sky::deep`] | a block for 32 profiles, or for one |
//! | `physics/azimuth`: [`azimuth::spherical`], [`azimuth::medium`], [`azimuth::operator`], [`azimuth::square`] | a component in azimuth: coefficients, and matrices with views and suns |
//! | [`azimuth::impedance`], [`azimuth::layer`] | a layer of any depth |
//! | [`azimuth::surface`], [`azimuth::single`] | reflectances; light that is scattered once |
//! | `schedule/azimuth`: [`azimuth::batch`], [`azimuth::beams`], [`azimuth::layers`], `surface`, [`azimuth::add`], [`azimuth::sum`], [`azimuth::corrections`], [`azimuth::streams`] | the kernels in their order |
//! | [`limits`] | guards and cut-offs, with the reason for each |
//! | `kernels` | what launchers call |
//! | `model` | [`ClearSky`], [`Scattering`], [`Adding`]: batches on threads and GPUs |
//!
//! ```
//! use isobar_adding::clear_sky::Element;
//!
//! let thin = Element { transmittance: 0.9_f64, up: 10.0, down: 10.0 };
//! let thick = Element { transmittance: 0.1, up: 90.0, down: 90.0 };
//! let both = thin.over(&thick);
//! assert_eq!(both.transmittance, 0.9 * 0.1);
//! assert!((both.up - 91.0).abs() < 1e-13 && (both.down - 91.0).abs() < 1e-13);
//! // Over a surface that sends 100 upward:
//! assert!((both.upward(100.0) - 100.0).abs() < 1e-13);
//! ```
//!
//! # Accuracy
//! Reference sets of CRTM's solvers, `tests/clear_sky/golden.rs`: f64 within 2.7e-15 of the largest Planck radiance,
//! f32 within 4.4e-7. `tests/scattering/golden.rs`: 3.5e-11 (its own error) and 2.4e-6.
#![cfg_attr(not(any(test, feature = "std")), no_std)]

#[macro_use]
pub mod schedule;

#[cfg(not(target_arch = "nvptx64"))]
mod adjoint_kernels;
pub mod azimuth;
pub mod clear_sky;
pub mod fields;
mod kernels;
pub mod limits;
#[cfg(feature = "launch")]
mod model;
mod physics;
#[cfg(feature = "launch")]
mod ptx;
pub mod scattering;

#[cfg(feature = "launch")]
pub use isobar_launch::{BadItems, Device, Model, RunError};
#[cfg(feature = "adjoint")]
pub use model::AddingAdjoint;
#[cfg(feature = "launch")]
pub use model::{Adding, ClearSky, Precision, Scattering};
#[cfg(feature = "launch")]
pub use ptx::PTX;

/// The example for readers of crates.io, which needs this crate alone.
#[cfg(all(doctest, feature = "launch"))]
#[doc = include_str!("../README.md")]
struct Readme;
