//! The sixteen bands of RRTMG_LW (Mlawer et al. 1997, doi:10.1029/97JD00237; Iacono et al. 2008,
//! doi:10.1029/2008JD009944).
//!
//! The description follows AER's release 5.0; `data/LICENSE-AER` has its terms.

use crate::rrtmg::band::Amount::{Adjusted, Column, TimesBroadening, TimesDensity};
use crate::rrtmg::band::Gas::{Ch4, Co, Co2, H2o, N2, N2o, O2, O3};
use crate::rrtmg::band::Halocarbon::{Ccl4, Cfc11, Cfc12, Cfc22};
use crate::rrtmg::band::{Absorbers, Amount, Band, Fractions, Gas, Key, Minor, PressureFactor, Region};

/// The original quadrature weights of 16 points.
pub const WEIGHTS: [f64; 16] = [
    0.1527534276,
    0.1491729617,
    0.1420961469,
    0.1316886544,
    0.1181945205,
    0.1019300893,
    0.0832767040,
    0.0626720116,
    0.0424925000,
    0.0046269894,
    0.0038279891,
    0.0030260086,
    0.0022199750,
    0.0014140010,
    0.0005330000,
    0.0000750000,
];

const ALL: &[u8] = &[1; 16];
const EIGHT_PAIRS: &[u8] = &[2; 8];
const EIGHT_AND_PAIRS: &[u8] = &[1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2];

const fn adjusted(threshold: f64, shift: f64, exponent: f64) -> Amount {
    Adjusted { threshold, shift, exponent, reference: 0.0 }
}
const N2O_ADJUSTED: Amount = adjusted(1.5, 0.5, 0.65);

const fn minor(gas: Gas, amount: Amount) -> Minor {
    Minor { gas, mixture: None, amount }
}
const fn mixed(gas: Gas, level: u8, amount: Amount) -> Minor {
    Minor { gas, mixture: Some(level), amount }
}

/// Lower regions have both continua.
const fn lower(key: Key, fractions: Fractions, minors: &'static [Minor]) -> Absorbers {
    Absorbers {
        key,
        fractions,
        minors,
        self_continuum: true,
        foreign_continuum: true,
        halocarbons: true,
        factor: PressureFactor::ONE,
        point_factors: (0, &[]),
    }
}
const fn upper(key: Key, fractions: Fractions, minors: &'static [Minor]) -> Absorbers {
    Absorbers { self_continuum: false, foreign_continuum: false, ..lower(key, fractions, minors) }
}
const fn with_foreign(absorbers: Absorbers) -> Absorbers {
    Absorbers { foreign_continuum: true, ..absorbers }
}
const fn with_factor(absorbers: Absorbers, slope: f64, origin: f64, limit: f64) -> Absorbers {
    Absorbers { factor: PressureFactor { slope, origin, limit }, ..absorbers }
}
const fn with_point_factors(absorbers: Absorbers, first: usize, factors: &'static [f64]) -> Absorbers {
    Absorbers { point_factors: (first, factors), ..absorbers }
}

const fn band(from: f64, to: f64, groups: &'static [u8], lower: Absorbers, upper: Absorbers) -> Band {
    let secant = [1.66, 0.0, 0.0];
    Band { wavenumbers_per_cm: [from, to], groups, secant, lower, upper, minor_tables: &[], halocarbons: &[] }
}
const fn with_secant(band: Band, a0: f64, a1: f64, a2: f64) -> Band {
    Band { secant: [a0, a1, a2], ..band }
}
const fn with_tables(band: Band, minor_tables: &'static [(Region, Gas)]) -> Band {
    Band { minor_tables, ..band }
}

use Fractions::{Mixture, Plain};
use Key::{FirstLevel, One, Two};
use Region::{Lower, Upper};

/// No limit of a pressure factor \[hPa\].
const NO_LIMIT: f64 = 1e30;

/// The bands.
pub static BANDS: [Band; 16] = [
    with_tables(
        band(
            10.0,
            350.0,
            &[1, 1, 2, 2, 2, 2, 2, 2, 1, 1],
            with_factor(lower(One(H2o), Plain, &[minor(N2, TimesBroadening)]), -0.15 / 154.4, 250.0, 250.0),
            with_factor(
                with_foreign(upper(One(H2o), Plain, &[minor(N2, TimesBroadening)])),
                0.15 / 95.6,
                0.0,
                NO_LIMIT,
            ),
        ),
        &[(Lower, N2), (Upper, N2)],
    ),
    with_secant(
        band(
            350.0,
            500.0,
            EIGHT_AND_PAIRS,
            with_factor(lower(One(H2o), Plain, &[]), 0.05 / 900.0, 100.0, NO_LIMIT),
            with_foreign(upper(One(H2o), Plain, &[])),
        ),
        1.55,
        0.25,
        -12.0,
    ),
    with_tables(
        with_secant(
            band(
                500.0,
                630.0,
                ALL,
                lower(Two(H2o, Co2, 9), Mixture(9), &[mixed(N2o, 3, N2O_ADJUSTED)]),
                with_foreign(upper(Two(H2o, Co2, 5), Mixture(13), &[mixed(N2o, 13, N2O_ADJUSTED)])),
            ),
            1.58,
            0.22,
            -11.7,
        ),
        &[(Lower, N2o), (Upper, N2o)],
    ),
    band(
        630.0,
        700.0,
        &[1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 3],
        lower(Two(H2o, Co2, 9), Mixture(11), &[]),
        with_point_factors(upper(Two(O3, Co2, 5), Mixture(13), &[]), 7, &[0.92, 0.88, 1.07, 1.1, 0.99, 0.88, 0.943]),
    ),
    Band {
        halocarbons: &[Ccl4],
        minor_tables: &[(Lower, O3)],
        ..with_secant(
            band(
                700.0,
                820.0,
                ALL,
                lower(Two(H2o, Co2, 9), Mixture(5), &[mixed(O3, 7, Column)]),
                upper(Two(O3, Co2, 5), Mixture(43), &[]),
            ),
            1.54,
            0.13,
            -0.72,
        )
    },
    Band {
        halocarbons: &[Cfc11, Cfc12],
        minor_tables: &[(Lower, Co2)],
        ..with_secant(
            band(
                820.0,
                980.0,
                EIGHT_PAIRS,
                lower(One(H2o), Plain, &[minor(Co2, adjusted(3.0, 2.0, 0.77))]),
                upper(Key::None, Fractions::OfLower, &[]),
            ),
            1.454,
            0.446,
            -0.243,
        )
    },
    with_tables(
        with_secant(
            band(
                980.0,
                1080.0,
                &[2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2],
                lower(Two(H2o, O3, 9), Mixture(3), &[mixed(Co2, 3, adjusted(3.0, 3.0, 0.79))]),
                with_point_factors(
                    upper(One(O3), Plain, &[minor(Co2, adjusted(3.0, 2.0, 0.79))]),
                    5,
                    &[0.92, 0.88, 1.07, 1.1, 0.99, 0.855],
                ),
            ),
            1.89,
            -0.10,
            0.19,
        ),
        &[(Lower, Co2), (Upper, Co2)],
    ),
    Band {
        halocarbons: &[Cfc12, Cfc22],
        minor_tables: &[(Lower, Co2), (Upper, Co2), (Lower, N2o), (Upper, N2o), (Lower, O3)],
        ..with_secant(
            band(
                1080.0,
                1180.0,
                EIGHT_PAIRS,
                lower(One(H2o), Plain, &[minor(Co2, adjusted(3.0, 2.0, 0.65)), minor(O3, Column), minor(N2o, Column)]),
                upper(One(O3), Plain, &[minor(Co2, adjusted(3.0, 2.0, 0.65)), minor(N2o, Column)]),
            ),
            1.33,
            0.40,
            -0.062,
        )
    },
    with_tables(
        with_secant(
            band(
                1180.0,
                1390.0,
                EIGHT_AND_PAIRS,
                lower(Two(H2o, Ch4, 9), Mixture(9), &[mixed(N2o, 3, N2O_ADJUSTED)]),
                upper(One(Ch4), Plain, &[minor(N2o, N2O_ADJUSTED)]),
            ),
            1.668,
            -0.006,
            0.414,
        ),
        &[(Lower, N2o), (Upper, N2o)],
    ),
    band(1390.0, 1480.0, &[2, 2, 2, 2, 4, 4], lower(One(H2o), Plain, &[]), with_foreign(upper(One(H2o), Plain, &[]))),
    with_tables(
        band(
            1480.0,
            1800.0,
            &[1, 1, 2, 2, 2, 2, 3, 3],
            lower(One(H2o), Plain, &[minor(O2, TimesDensity)]),
            with_foreign(upper(One(H2o), Plain, &[minor(O2, TimesDensity)])),
        ),
        &[(Lower, O2), (Upper, O2)],
    ),
    band(
        1800.0,
        2080.0,
        &[1, 1, 1, 1, 2, 2, 4, 4],
        lower(Two(H2o, Co2, 9), Mixture(10), &[]),
        upper(Key::None, Fractions::None, &[]),
    ),
    with_tables(
        band(
            2080.0,
            2250.0,
            &[3, 3, 4, 6],
            lower(
                Two(H2o, N2o, 9),
                Mixture(5),
                &[
                    mixed(Co2, 1, Adjusted { threshold: 3.0, shift: 2.0, exponent: 0.68, reference: 3.55e-4 }),
                    mixed(Co, 3, Column),
                ],
            ),
            upper(Key::None, Plain, &[minor(O3, Column)]),
        ),
        &[(Lower, Co2), (Lower, Co), (Upper, O3)],
    ),
    band(2250.0, 2380.0, &[8, 8], lower(One(Co2), Plain, &[]), upper(One(Co2), Plain, &[])),
    with_tables(
        band(
            2380.0,
            2600.0,
            &[8, 8],
            lower(Two(N2o, Co2, 9), Mixture(1), &[mixed(N2, 1, TimesDensity)]),
            upper(Key::None, Fractions::None, &[]),
        ),
        &[(Lower, N2)],
    ),
    band(2600.0, 3250.0, &[4, 12], lower(Two(H2o, Ch4, 9), Mixture(6), &[]), upper(FirstLevel(Ch4), Plain, &[])),
];
