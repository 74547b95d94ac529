//! Infrared radiances of many rays, on CPU threads and GPUs: paths, absorption and emission.
//!
//! [`Infrared`] is a setup with its tables; [`Infrared::on`] makes the model of some devices. [`InfraredModel::run`] takes
//! an atmosphere and rays and gives radiances, [`InfraredModel::jacobian`] their derivatives,
//! [`InfraredModel::jacobians`] those of many atmospheres.
//!
//! ```
//! use isobar_ega::band_model::{Band, TableGrid};
//! use isobar_ega::launch::Infrared;
//! use isobar_ega::{Filter, ForwardSetup, TableData};
//! use isobar_launch::Device;
//! use isobar_raytrace::{Atmosphere, Position, Ray};
//!
//! let band = Band { strength: 1e-21, lorentz: 0.1, doppler: 1e-3, energy_per_cm: 500.0 };
//! let grid = TableGrid {
//!     pressures_hpa: vec![0.01, 0.1, 1.0, 10.0, 100.0, 1000.0],
//!     temperatures_k: vec![vec![200.0, 250.0, 300.0]; 6],
//!     column_factor: 1.122,
//!     emissivities: (1e-6, 0.9999),
//! };
//! let tables = TableData::new(&[Some(band.table(&grid))], 1, false)?;
//! let setup = ForwardSetup {
//!     gases: vec!["CO2".into()],
//!     wavenumbers_per_cm: vec![792.0],
//!     filters: vec![Filter { wavenumber_per_cm: vec![791.0, 793.0], transmission: vec![1.0, 1.0] }],
//!     windows: vec![0],
//!     ..ForwardSetup::default()
//! };
//! let height_km: Vec<f64> = (0..=80).map(f64::from).collect();
//! let pressure_hpa = height_km.iter().map(|z| 1013.25 * isobar_core::Real::exp(-z / 7.0)).collect();
//! let mut atmosphere = Atmosphere::new(height_km, pressure_hpa, vec![250.0; 81])?;
//! atmosphere.mixing_ratio = vec![vec![400e-6; 81]];
//!
//! let at = |height_km, latitude_deg| Position { height_km, longitude_deg: 0.0, latitude_deg };
//! let limb = |tangent_km| Ray { time_s: 0.0, observer: at(780.0, 0.0), view_point: at(tangent_km, 26.8) };
//! let rays = [limb(10.0), limb(20.0), limb(30.0)];
//! let seen = Infrared::<f64>::new(&setup, tables)?.on(&[Device::Cpu]).run(&atmosphere, &rays)?;
//! assert!(seen.transmittance[0] < seen.transmittance[2]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | file | what |
//! |---|---|
//! | `scheme` | the items of [`isobar_launch::Model`]: rays |
//! | `job`, `scratch`, `resident` | the kernels of some rays, their memory, and what stays on a device |
//! | `model` | atmosphere and rays in, radiances out |
//! | `jacobian`, `batch` | derivatives, and the kernels of many atmospheres |
//! | `clock`, `plain`, `ptx` | time a kernel, types on devices, kernels of GPUs |
#![allow(unsafe_code, reason = "types travel as bytes, and copies go on while the host does something else")]

mod batch;
mod clock;
mod jacobian;
mod job;
mod model;
mod plain;
mod ptx;
mod resident;
mod scheme;
mod scratch;

pub use clock::StageTimes;
pub use jacobian::{Jacobian, Jacobians};
pub use model::{InfraredError, InfraredModel, Radiances};
pub use ptx::{PTX, load};
pub use scheme::{Infrared, Precision, PreparedAtmosphere};
