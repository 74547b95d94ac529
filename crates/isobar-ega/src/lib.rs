//! Infrared radiances by the emissivity growth approximation (EGA; Weinreb and Neuendorffer, 1973; Gordley and Russell,
//! 1981) and the Curtis-Godson approximation (CGA), from emissivity look-up tables, as JURASSIC computes them
//! (Hoffmann, 2006; Baumeister and Hoffmann, 2022).
//!
//! A path of `isobar-raytrace` goes in; radiance and transmittance of each channel come out. The files in the order of
//! the data:
//!
//! | file | what |
//! |---|---|
//! | [`interpolation`] | how tables are interpolated |
//! | [`setup`] | what a forward calculation is asked for |
//! | [`mod@fields`] | rays and what is seen along them |
//! | [`table`], [`table_data`], [`band_model`] | tables as a host owns them, packed for a core, and made by a formula |
//! | [`tables`], [`curve`], `column_runs` | the packed tables, the search on one curve, and how curves share memory |
//! | [`channel_data`], [`continuum_data`] | what a host makes of filters, spectra and continua |
//! | [`physics`] | formulas and recursions of one channel, gas or segment: |
//! | [`physics::channel`], [`physics::continuum`], [`physics::planck`], [`physics::sun`] | - single formulas |
//! | [`physics::cell`], [`physics::coverage`] | - pressure and temperature in a table's grid, and outside it |
//! | [`physics::rule`] | - one gas along a path: what the approximations share |
//! | [`physics::law`] | - a curve between its nodes: linear, or in logarithms |
//! | [`physics::growth`], [`physics::log_growth`], [`physics::mean_path`] | - EGA with either, CGA with both |
//! | [`physics::jurassic`] | - both with JURASSIC's own arithmetic, for comparison |
//! | [`physics::transfer`] | - the equation of transfer along a path, and the ground |
//! | [`kernels`] | all gases, channels and rays: who computes what |
//! | `state`, `sequence` | what the rays of an atmosphere share, and the order of the kernels |
//! | [`one_ray`], `path_here`, `here` | all of it for one ray, on the thread that calls |
//! | `beyond` | what lies beyond tables and nodes: said, or refused |
//! | [`field_of_view`] | pencil beams to what an instrument sees |
//! | [`jacobian`] | derivatives of the radiances by everything |
//! | [`constants`], [`limits`] | constants of JURASSIC; guards and cut-offs |
//!
//! Wavenumbers are in cm^-1, pressure in hPa, column densities in molecules/cm^2, radiance in W/(m^2 sr cm^-1): the
//! units of the files and tables of this field. Identifiers name them, but for radiances, sources and mixing ratios
//! \[mol/mol\], which have one unit everywhere. [`ray_radiance`] computes one ray on the thread that calls;
//! the module `launch` many rays on any device, with the same bits.
//!
//! # Example
//! On a homogeneous path two halves absorb as much as the whole:
//! ```
//! use isobar_ega::TableData;
//! use isobar_ega::band_model::{Band, TableGrid};
//! use isobar_ega::growth::Growth;
//! use isobar_ega::rule::{Rule, Segment};
//!
//! // One gas in one channel, with a table from a band model.
//! let band = Band { strength: 1e-21, lorentz: 0.1, doppler: 1e-3, energy_per_cm: 500.0 };
//! let grid = TableGrid {
//!     pressures_hpa: vec![10.0, 100.0, 1000.0],
//!     temperatures_k: vec![vec![200.0, 250.0, 300.0]; 3],
//!     column_factor: 1.122,
//!     emissivities: (1e-6, 0.9999),
//! };
//! let data = TableData::new(&[Some(band.table(&grid))], 1, false)?;
//! let tables = data.view();
//! let table = tables.tables.at(0);
//!
//! let (pressure_hpa, temperature_k) = (100.0, 250.0);
//! let grid = tables.grids.at(table.grid as usize);
//! let cell = tables.locate(&grid, pressure_hpa, temperature_k, &mut [0; 3], false, false);
//! let absorbed = |columns_per_cm2: &[f64]| {
//!     let (mut gas, mut passed) = (Growth::<f64>::start(), 1.0);
//!     for &column_per_cm2 in columns_per_cm2 {
//!         let segment = Segment { pressure_hpa, temperature_k, column_per_cm2, cell };
//!         passed *= 1.0 - gas.add(&tables, &table, &segment);
//!     }
//!     1.0 - passed
//! };
//! let whole = absorbed(&[2e21]);
//! assert!((absorbed(&[1e21, 1e21]) - whole).abs() < 1e-12);
//! assert!((whole - band.emissivity(pressure_hpa, temperature_k, 2e21)).abs() < 1e-3);
//! # Ok::<(), isobar_ega::TableError>(())
//! ```
//!
//! # Accuracy
//! Against JURASSIC's own numbers: `tests/units.rs` here, and segments and whole cases in the tests of the crate
//! `isobar`; docs/validation.md of the repository holds the figures.
#![cfg_attr(not(any(test, feature = "std")), no_std)]
#![cfg_attr(test, allow(dead_code, unused_imports, reason = "the models are left out"))]
#![deny(unsafe_code)]

#[cfg(feature = "std")]
pub mod band_model;
#[cfg(feature = "std")]
mod beyond;
#[cfg(feature = "std")]
pub mod channel_data;
#[cfg(feature = "std")]
mod column_runs;
pub mod constants;
#[cfg(feature = "std")]
pub mod continuum_data;
pub mod curve;
#[cfg(feature = "std")]
pub mod field_of_view;
#[cfg(feature = "std")]
pub mod fields;
#[cfg(feature = "std")]
mod here;
#[cfg(feature = "std")]
pub mod interpolation;
pub mod jacobian;
pub mod kernels;
#[cfg(all(feature = "launch", not(test)))]
pub mod launch;
pub mod limits;
#[cfg(feature = "std")]
pub mod one_ray;
#[cfg(feature = "std")]
mod path_here;
pub mod physics;
#[cfg(feature = "std")]
mod sequence;
#[cfg(feature = "std")]
pub mod setup;
#[cfg(feature = "std")]
mod state;
#[cfg(feature = "std")]
pub mod table;
#[cfg(feature = "std")]
pub mod table_data;
pub mod tables;

pub use physics::{channel, continuum, growth, jurassic, law, log_growth, mean_path, planck, rule};

/// Pressure and temperature in the grid of a table: [`physics::cell`], [`kernels`].
pub mod cell {
    pub use crate::kernels::LocateCells;
}

/// Where paths leave the tables: [`physics::coverage`], [`kernels`].
pub mod coverage {
    pub use crate::kernels::CheckCoverage;
    pub use crate::physics::coverage::Outside;
}

/// All gases along paths: [`kernels`].
pub mod grow {
    pub use crate::kernels::Grow;
}

/// The equation of transfer: [`physics::transfer`], [`kernels`].
pub mod radiance {
    pub use crate::kernels::{BrightnessTemperature, Integrate};
    pub use crate::physics::transfer::{Cloud, Ground, NO_GAS};
}

/// The Sun over the ground: [`physics::sun`], [`kernels`].
pub mod sun {
    pub use crate::kernels::SunOnGround;
    pub use crate::physics::sun::{share, zenith_deg};
}

#[cfg(feature = "std")]
pub use channel_data::{ChannelSetup, Filter};
#[cfg(feature = "std")]
pub use continuum_data::{Continua, NitrogenContinuum};
#[cfg(feature = "std")]
pub use field_of_view::{FieldOfView, FieldOfViewError};
#[cfg(feature = "std")]
pub use interpolation::Interpolation;
#[cfg(all(feature = "launch", not(test)))]
pub use launch::{Infrared, InfraredError, InfraredModel, Radiances};
#[cfg(feature = "std")]
pub use one_ray::{Forward, RayRadiance, ray_radiance};
#[cfg(feature = "std")]
pub use setup::{Approximation, ForwardError, ForwardSetup, GroundKind};
#[cfg(feature = "std")]
pub use table::{Curve, EmissivityTable, PressureLevel, TableError};
#[cfg(feature = "std")]
pub use table_data::TableData;
