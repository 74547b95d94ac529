//! The demonstration k-distribution: line statistics of water, carbon dioxide and ozone in sixteen bands.
//!
//! Strengths and widths are of the order of published parameters of random-band models (Rodgers and Walshaw, 1966, Q.
//! J. R. Meteorol. Soc. 92, 67; Goody, 1964, Atmospheric Radiation), rounded, and weaker for carbon dioxide beside its
//! main band, so that outgoing radiation and heating rates look like the Earth's. The continuum of water is that of
//! Roberts, Selby and Biberman (1976, Appl. Opt. 15, 2085), used beyond its range. Not for science.

use isobar_core::Real;
use isobar_ega::band_model::Band as Lines;
use isobar_longwave::band::{Band, Gas, Key, Region};
use isobar_longwave::demonstration::{BANDS, POINTS};
use isobar_longwave::{KDistribution, ReferenceLevel, Table, TableKind, grid, reference_levels};

use super::super::short;
use super::{lines, mixture};

/// Gauss and Legendre's six nodes and weights on (0, 1).
const NODES: [(f64, f64); POINTS] = [
    (0.033_765_242_898_423_99, 0.085_662_246_189_585_17),
    (0.169_395_306_766_867_74, 0.180_380_786_524_069_3),
    (0.380_690_406_958_401_55, 0.233_956_967_286_345_53),
    (0.619_309_593_041_598_4, 0.233_956_967_286_345_53),
    (0.830_604_693_233_132_3, 0.180_380_786_524_069_3),
    (0.966_234_757_101_576, 0.085_662_246_189_585_17),
];
/// Points crowd where lines are strong: `1 - g = (1 - x)^POWER`.
const POWER: i32 = 3;
/// Parts of each gas's distribution that are combined with another gas's.
const PARTS: usize = 32;

/// Strength at 296 K \[1e-20 cm^2/molecule\], Lorentz width over spacing at 1013.25 hPa, lower energy \[cm^-1\].
const fn gas(strength: f64, lorentz: f64, energy_per_cm: f64) -> Lines {
    // Doppler widths are about a hundredth of the others at the ground.
    Lines { strength, lorentz, doppler: 0.005 * lorentz, energy_per_cm }
}

const WATER: [Lines; 16] = [
    gas(15.0, 0.04, 300.0),
    gas(1.3, 0.026, 900.0),
    gas(0.052, 0.021, 1400.0),
    gas(8.7e-3, 0.019, 1700.0),
    gas(1.8e-3, 0.019, 1900.0),
    gas(2.1e-4, 0.02, 2000.0),
    gas(1.8e-4, 0.02, 1800.0),
    gas(9e-4, 0.025, 1500.0),
    gas(0.09, 0.03, 900.0),
    gas(0.75, 0.08, 450.0),
    gas(1.2, 0.11, 250.0),
    gas(0.09, 0.04, 600.0),
    gas(3.6e-3, 0.035, 1200.0),
    gas(1e-3, 0.03, 1200.0),
    gas(1.5e-4, 0.03, 1200.0),
    gas(1.5e-3, 0.03, 800.0),
];
const DIOXIDE: [(usize, Lines); 4] = [
    (3, gas(0.06, 0.04, 1000.0)),
    (4, gas(8.0, 0.08, 300.0)),
    (5, gas(0.1, 0.04, 1000.0)),
    (14, gas(20.0, 0.08, 300.0)),
];
const OZONE: [(usize, Lines); 1] = [(7, gas(10.0, 0.3, 200.0))];

/// Roberts' continuum \[1e-20 cm^2/molecule\] at 296 K and one atmosphere of water; the foreign one is so much weaker.
const FOREIGN: f64 = 0.002;

fn continuum(band: &Band) -> f64 {
    let middle = 0.5 * (band.wavenumbers_per_cm[0] + band.wavenumbers_per_cm[1]);
    // cm^2/g to 1e-20 cm^2/molecule.
    let per_gram = 1e20 * 18.016 / 6.022e23;
    // Beyond some 1400 cm^-1 the formula is a constant that is known from nowhere.
    if middle > 1400.0 { 0.0 } else { per_gram * (4.18 + 5578.0 * Real::exp(-7.87e-3 * middle)) }
}

fn lines_of(gas: Gas, number: usize) -> Lines {
    let find = |all: &[(usize, Lines)]| all.iter().find(|(band, _)| *band == number).map(|(_, lines)| *lines);
    match gas {
        Gas::H2o => Some(WATER[number - 1]),
        Gas::Co2 => find(&DIOXIDE),
        Gas::O3 => find(&OZONE),
        _ => None,
    }
    .expect("the band's gases have lines")
}

/// The place of a node, and its weight, among all wavenumbers of a band.
fn points() -> [(f64, f64); POINTS] {
    NODES.map(|(x, weight)| {
        let share = 1.0 - Real::powi(1.0 - x, POWER);
        (share, weight * f64::from(POWER) * Real::powi(1.0 - x, POWER - 1))
    })
}

/// The coefficients.
pub(super) fn demonstration() -> KDistribution {
    let levels = reference_levels();
    let tables = BANDS.iter().enumerate().map(|(index, band)| {
        let table = |kind: TableKind| Table {
            kind,
            values: values(kind, index + 1, band, &levels).into_iter().map(short).collect(),
        };
        TableKind::of(band).into_iter().map(table).collect()
    });
    KDistribution { bands: &BANDS, tables: tables.collect() }
}

fn values(kind: TableKind, number: usize, band: &Band, levels: &[ReferenceLevel]) -> Vec<f64> {
    match kind {
        TableKind::Fractions(_) => points().iter().map(|point| point.1).collect(),
        TableKind::Key(region) => {
            let own = match region {
                Region::Lower => &levels[..grid::LOWER_LEVELS],
                Region::Upper => &levels[grid::UPPER_FIRST..],
            };
            own.iter().flat_map(|level| key(band.absorbers(region).key, number, level)).collect()
        }
        TableKind::SelfContinuum => (0..grid::SELF_TEMPERATURES)
            .flat_map(|i| {
                // 188 K and 7.2 K a row from the eighth on; grows in the cold by 1800 K.
                let temperature = 188.0 + 7.2 * (i + 8) as f64;
                [continuum(band) * Real::exp(1800.0 * (1.0 / temperature - 1.0 / 296.0)); POINTS]
            })
            .collect(),
        TableKind::ForeignContinuum => vec![FOREIGN * continuum(band); grid::FOREIGN_STATES * POINTS],
        TableKind::Minor(..) | TableKind::CrossSection(_) => unreachable!("the demonstration has neither"),
    }
}

/// Absorption of the key gases at a reference level: by temperature, place along the mixture, and g-point.
fn key(key: Key, number: usize, level: &ReferenceLevel) -> Vec<f64> {
    let pressure = Real::exp(level.ln_pressure_hpa);
    let g = points().map(|point| point.0);
    let temperature = |i: usize| level.temperature_k + 15.0 * (i as f64 - 2.0);
    let temperatures = (0..grid::KEY_TEMPERATURES).map(temperature);
    match key {
        Key::One(gas) => temperatures.flat_map(|t| lines::quantiles(&lines_of(gas, number), pressure, t, &g)).collect(),
        Key::Two(a, b, nodes) => {
            // Absorption per column of a + ratio b, of which a has a share.
            let ratio = level.mixing_ratios[a as usize] / level.mixing_ratios[b as usize];
            let (places, weights) = parts();
            let mut values = Vec::new();
            for t in temperatures {
                let of = |gas| lines::quantiles(&lines_of(gas, number), pressure, t, &places);
                let (first, second) = (of(a), of(b));
                for node in 0..nodes {
                    let share = f64::from(node) / f64::from(nodes - 1);
                    let times = |values: &[f64], by: f64| values.iter().map(|k| k * by).collect::<Vec<_>>();
                    let (first, second) = (times(&first, share), times(&second, (1.0 - share) / ratio));
                    values.extend(mixture::sum(&first, &second, &weights, &g));
                }
            }
            values
        }
        Key::None | Key::FirstLevel(_) => unreachable!("the demonstration's bands have key gases"),
    }
}

/// Places and weights of fine parts, which crowd where lines are strong, too.
fn parts() -> (Vec<f64>, Vec<f64>) {
    let end = |i: usize| 1.0 - Real::powi(1.0 - i as f64 / PARTS as f64, POWER);
    (0..PARTS).map(|i| (0.5 * (end(i) + end(i + 1)), end(i + 1) - end(i))).unzip()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_sum_to_one_and_absorption_grows_with_g() {
        let total: f64 = points().iter().map(|point| point.1).sum();
        assert!((total - 1.0).abs() < 1e-14, "{total}");
        assert!((parts().1.iter().sum::<f64>() - 1.0).abs() < 1e-14);
        let k = demonstration();
        for (band, tables) in BANDS.iter().zip(&k.tables) {
            for table in tables.iter().filter(|table| matches!(table.kind, TableKind::Key(_))) {
                assert_eq!(table.values.len(), table.kind.rows(band) * POINTS);
                for row in table.values.chunks(POINTS) {
                    assert!(row[0] > 0.0 && row.windows(2).all(|pair| pair[0] < pair[1]), "{:?} {row:?}", table.kind);
                }
            }
        }
    }
}
