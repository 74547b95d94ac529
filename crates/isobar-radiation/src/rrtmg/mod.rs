//! Longwave radiation in columns of air, as RRTMG_LW computes it.
//!
//! Correlated k-distributions (Mlawer et al. 1997, doi:10.1029/97JD00237) of sixteen bands with 140 g-points, clouds by
//! independent columns (McICA; Pincus et al. 2003, doi:10.1029/2002JD003322) or by fractions. Absorption and emission
//! along one diffusivity angle, a Planck source linear in optical depth within a layer, no scattering. Release 5.0 of
//! AER's RRTMG_LW is the reference.
//!
//! Equations. Of a layer with slant optical depth t, a radiance I becomes `I + (S - I) a` with the absorptance `a = 1 -
//! exp(-t)`, and the source `S = f (B + s (B' - B))` of Planck fraction f, radiance B in the layer's middle and B' at
//! its far boundary, and `s = 1 - 2 (1/t - exp(-t)/a)`.
//!
//! Data flow. A warp has 32 lanes; a GPU's thread computes one, a CPU's thread all. In [`Layers`] a lane has a column
//! or a layer, in lists of terms a layer and band, in transfer a g-point: its optical depth is the sum of weights times
//! neighbouring rows of one table, whatever its band. [`Transfer`] takes a column as a block, eight layers at a time;
//! [`spread`] does the same in kernels with smaller items, as a GPU wants it. Both run one sweep over different
//! storage: a CPU's thread and `spread` store the downward sweep for that upward, [`Transfer`] of any sky computes
//! layers again. Bands are padded to [`tables::QUAD`] g-points, so that four neighbouring lanes read four neighbouring
//! numbers by the same list; 140 g-points take 152 lanes of five warps.
//!
//! | Files | What they do |
//! | --- | --- |
//! | `constants`, [`grid`], [`band`], [`bands`], [`angles`] | bands, gases, angles |
//! | [`views`], `sizes`, [`state`], [`tables`], [`clouds`], [`jump`], `arguments` | data of kernels |
//! | `physics/amounts`, `interpolation` | amounts of gases, positions in the tables |
//! | `physics/diffusivity` | precipitable water gives each band's diffusivity angle |
//! | `physics/random`, `subcolumns` | which g-points see clouds |
//! | `physics/mixture`, `lesser_gases` | weights of rows |
//! | `physics/planck`, `clouds`, `cloud_entries` | Planck radiance, optical depths of clouds |
//! | `physics/absorption`, `passage` | what a layer absorbs and emits, and does to a radiance |
//! | `physics/cloud_fractions`, `overlap_weights` | the same with fractions of clouds |
//! | `physics/surface`, `heating` | reflection; heating rates |
//! | `schedule/gas_states`, `column_sums`, `masks` | lanes before transfer: columns, layers, g-points |
//! | `schedule/lane_groups`, `chunk`, `points` | lanes that have a chunk, or a quad |
//! | `schedule/terms`, `minor_terms` | lists of terms |
//! | `schedule/lists`, `band_list` | lists in memory, and who writes them |
//! | `schedule/scratch`, `prepare`, `block`, `quad_sums`, `block_totals`, `optical_depths` | a column as a block |
//! | `schedule/stored`, `prefetch` | what a CPU's thread adds: the stored downward sweep |
//! | `schedule/spread/` | a column's memory, lists, sweeps and totals as kernels of their own |
//! | `schedule/sweep`, `seen_clouds`, `surface` | down and up, for both; clouds as g-points see them, reflection |
//! | `kernel` | the kernels |
//! | `order`, `workspace`, `buffers` | which kernels run in which order, and what they leave to each other |
//! | `check` | what is accepted besides what all k-distributions accept |
//! | `compute` | the kernels on one thread in any type of numbers |
//! | `host/` | coefficients, options, and what files and hosts of RRTMG_LW need besides |
//!
//! Words: a *chunk* is up to eight neighbouring layers of one region; a *slot* a layer's number in it; a *segment* a
//! warp of g-points; a *quad* four g-points of one band; a *list* the terms of a layer's optical depth in a band; a
//! *stream* a radiance that a g-point carries; a *sky* all sky or clear sky.
//!
//! ```
//! use isobar_radiation::{Columns, Device, Options, Radiation, rrtmg};
//!
//! // Coefficients that have no meaning: `isobar_io::read_rrtmg_lw` reads those that come with WRF.
//! let k = rrtmg::analytic::k_distribution();
//! // One column of three layers, from the surface up.
//! let columns = Columns {
//!     pressure_pa: vec![9e4, 5e4, 1e4],
//!     level_pressure_pa: vec![1e5, 8e4, 2e4, 0.0],
//!     temperature_k: vec![285.0, 255.0, 220.0],
//!     level_temperature_k: vec![290.0, 275.0, 235.0, 215.0],
//!     surface_temperature_k: vec![291.0],
//!     h2o: vec![0.01, 0.001, 4e-6],
//!     o3: vec![3e-8, 6e-8, 3e-6],
//!     co2: vec![4e-4], // one value for all layers; a gas that is left out is not there
//!     n2o: vec![3e-7],
//!     ch4: vec![1.8e-6],
//!     o2: vec![0.209],
//!     emissivity: vec![0.99],
//!     ..Columns::default()
//! };
//! let radiation = Radiation::<f64>::new().with_rrtmg(&k)?.on(&[Device::Thread]);
//! let fluxes = radiation.run(&columns, &Options::of_rrtmg())?;
//! println!("outgoing {} W/m^2", fluxes.longwave_up_w_per_m2[3]);
//! assert_eq!(fluxes.status, [0]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Accuracy
//! `tests/radiation/rrtmg/`, against RRTMG_LW in f64: optical depths within 3e-14, fluxes within 3e-13 W/m^2 with its
//! table of transmittances (`Transmittance::Table`) and within 1e-2 with exact ones, sub-columns bit for bit, AER's 14
//! published examples to half of their last digit. f32 against f64: fluxes within 1.1e-4 W/m^2, heating rates within
//! 5e-5 K/day, for each layer's gain is summed for itself.

pub mod angles;
mod arguments;
pub mod band;
pub mod bands;
#[cfg(feature = "launch")]
mod buffers;
#[cfg(feature = "std")]
pub(crate) mod check;
pub mod clouds;
#[cfg(feature = "std")]
pub(crate) mod compute;
pub mod constants;
pub mod grid;
#[cfg(feature = "std")]
mod host;
pub mod jump;
mod kernel;
#[cfg(feature = "std")]
mod order;
mod physics;
mod schedule;
mod sizes;
pub mod state;
pub mod tables;
pub mod views;
#[cfg(feature = "std")]
mod workspace;

/// Random sub-columns: which g-points see the clouds of a column.
pub mod cloud_mask {
    pub use crate::rrtmg::arguments::CloudMask;
    pub use crate::rrtmg::jump::Jumps;
}

/// Transfer in kernels of which each has many small items: how a GPU does it, which hides the time that memory takes by
/// work of other warps.
///
/// [`ListTerms`](spread::ListTerms) writes the lists of terms of every layer and band, [`Sweeps`](spread::Sweeps) takes
/// a warp of g-points of a column down and up through its layers, [`Totals`](spread::Totals) adds the warps' sums. What
/// they leave to each other lies in the device's memory, for some columns at a time; no warp waits for another. The
/// sweep is that of [`Transfer`], in another order of work: so the bits are the same.
pub mod spread {
    pub use crate::rrtmg::arguments::{ListTerms, Spread, Sweeps, Totals};
    #[cfg(feature = "std")]
    pub use crate::rrtmg::schedule::spread::levels;
}

/// Transfer without scattering: radiation down and up through the layers of a column, without an array over g-points.
pub mod transfer {
    pub use crate::rrtmg::arguments::{ANY, CLEAR, MAXIMUM_RANDOM, RANDOM, SUBCOLUMNS, Transfer, TransferArgs};
}

pub use arguments::{
    AddSlant, CloudEntries, CloudMask, LayerStates, Layers, OpticalDepths, Slants, Sources, Transfer, TransferArgs,
};

#[cfg(feature = "launch")]
pub(crate) use buffers::{Buffers, CHUNK, columns_at_a_time};
#[cfg(feature = "std")]
pub use check::GASES;
#[cfg(feature = "std")]
pub use compute::compute;
#[cfg(feature = "std")]
#[doc(hidden)]
pub use compute::{Memory, compute_layers_by_lanes, compute_spread, compute_stages};
#[cfg(feature = "std")]
pub use host::aligned::Aligned;
#[cfg(feature = "std")]
pub use host::analytic;
#[cfg(feature = "std")]
pub use host::decorrelation::Decorrelation;
#[cfg(feature = "std")]
pub use host::k_distribution::{KDistribution, Table, TableKind};
#[cfg(feature = "std")]
pub use host::mersenne_mask::mersenne_mask;
#[cfg(feature = "std")]
pub use host::options::{IceOptics, LiquidOptics, Options, Transmittance};
#[cfg(feature = "std")]
pub use host::reference_atmosphere::{ReferenceLevel, TableRange, reference_levels};
#[cfg(feature = "std")]
pub use host::table_data::TableData;
#[cfg(feature = "launch")]
pub(crate) use order::{Launcher, Work};
#[cfg(feature = "launch")]
pub(crate) use workspace::{Rows, is_cloudy};
