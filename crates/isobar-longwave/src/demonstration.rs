//! Bands of the demonstration set: those of RRTMG_LW in wavenumber, with water, carbon dioxide and ozone alone and six
//! g-points each.
//!
//! The coefficients come from a band model, not from spectroscopy: `cargo xtask demo-kdist` of the repository.

use crate::band::Gas::{Co2, H2o, O3};
use crate::band::{Absorbers, Band, Fractions, Key, PressureFactor};
use crate::rrtmg;

/// The g-points of a band.
pub const POINTS: usize = 6;
/// Nodes along a mixture.
const NODES: u8 = 5;

/// Water alone has both continua, everywhere below the tropopause.
const fn absorbers(key: Key, lower: bool) -> Absorbers {
    Absorbers {
        key,
        fractions: Fractions::Plain,
        minors: &[],
        self_continuum: lower,
        foreign_continuum: lower,
        halocarbons: false,
        factor: PressureFactor::ONE,
        point_factors: (0, &[]),
    }
}

const fn band(number: usize, lower: Key, upper: Key) -> Band {
    Band {
        wavenumbers_per_cm: rrtmg::BANDS[number - 1].wavenumbers_per_cm,
        groups: &[1; POINTS],
        secant: [1.66, 0.0, 0.0],
        lower: absorbers(lower, true),
        upper: absorbers(upper, false),
        minor_tables: &[],
        halocarbons: &[],
    }
}

const WATER: Key = Key::One(H2o);
const DIOXIDE: Key = Key::One(Co2);
const OZONE: Key = Key::One(O3);
const WATER_AND_DIOXIDE: Key = Key::Two(H2o, Co2, NODES);
const WATER_AND_OZONE: Key = Key::Two(H2o, O3, NODES);

/// The bands.
pub static BANDS: [Band; 16] = [
    band(1, WATER, WATER),
    band(2, WATER, WATER),
    band(3, WATER_AND_DIOXIDE, DIOXIDE),
    band(4, WATER_AND_DIOXIDE, DIOXIDE),
    band(5, WATER_AND_DIOXIDE, DIOXIDE),
    band(6, WATER, WATER),
    band(7, WATER_AND_OZONE, OZONE),
    band(8, WATER, WATER),
    band(9, WATER, WATER),
    band(10, WATER, WATER),
    band(11, WATER, WATER),
    band(12, WATER, WATER),
    band(13, WATER, WATER),
    band(14, DIOXIDE, DIOXIDE),
    band(15, WATER, WATER),
    band(16, WATER, WATER),
];
