//! A k-distribution from formulas, for tests and benches.

use isobar_core::Real;

use crate::rrtmg::bands::BANDS;
use crate::rrtmg::grid::ORIGINAL_POINTS;
use crate::rrtmg::host::k_distribution::{KDistribution, Table, TableKind};

/// Absorption that has the shape of a real one and no meaning: smooth in level, temperature and mixture, a thousandfold
/// from the first to the last g-point of a band.
///
/// ```
/// use isobar_radiation::rrtmg::{TableData, analytic};
/// assert_eq!(TableData::<f32>::new(&analytic::k_distribution()).points, 140);
/// ```
#[must_use]
pub fn k_distribution() -> KDistribution {
    let table = |number: usize, kind: TableKind| {
        let band = &BANDS[number];
        let (rows, points) = (kind.rows(band), band.points());
        let place = |point: usize| (point as f64 + 0.5) / points as f64;
        let weights = |point: usize| 1.0 + place(point);
        let total: f64 = (0..points).map(weights).sum();
        let size = match kind {
            TableKind::Fractions(_) => 1.0,
            TableKind::Key(_) => 3e-4,
            TableKind::Minor(..) => 1e-5,
            TableKind::CrossSection(_) => 1e3,
            TableKind::SelfContinuum => 1e-4,
            TableKind::ForeignContinuum => 1e-6,
        };
        let value = |row: usize, point: usize| {
            let slope = 1.0 + 0.3 * Real::sin(0.7 * row as f64 + number as f64);
            match kind {
                TableKind::Fractions(_) => weights(point) / total,
                _ => size * slope * Real::exp(7.0 * place(point) - 3.5) / (1.0 + number as f64 / 8.0),
            }
        };
        let values = (0..rows).flat_map(|row| (0..points).map(move |point| (row, point)));
        Table { kind, values: values.map(|(row, point)| value(row, point)).collect() }
    };
    let tables = BANDS.iter().enumerate().map(|(number, band)| {
        let kinds = TableKind::of(band).into_iter();
        kinds.map(|kind| table(number, kind)).collect()
    });
    KDistribution { bands: &BANDS, tables: tables.collect() }
}

/// A coefficient file of RRTMG_LW (doubles, big endian) that reads as these coefficients to rounding: what the original
/// g-points of a group absorb is the same, and they share its Planck fraction.
#[must_use]
pub fn rrtmg_file(k: &KDistribution) -> Vec<u8> {
    let mut file = Vec::new();
    for (band, tables) in k.bands.iter().zip(&k.tables) {
        let mut values = Vec::new();
        for table in tables {
            let fractions = matches!(table.kind, TableKind::Fractions(_));
            let original = |(&value, &size): (&f64, &u8)| {
                let value = if fractions { value / f64::from(size) } else { value };
                std::iter::repeat_n(value, size.into())
            };
            let row = |row: &[f64]| row.iter().zip(band.groups).flat_map(original).collect::<Vec<_>>();
            let rows: Vec<_> = table.values.chunks_exact(band.points()).map(row).collect();
            if fractions {
                values.extend(rows.concat());
            } else {
                values.extend((0..ORIGINAL_POINTS).flat_map(|point| rows.iter().map(move |row| row[point])));
            }
        }
        let length = (8 * values.len() as u32).to_be_bytes();
        file.extend(length);
        file.extend(values.iter().flat_map(|value| value.to_be_bytes()));
        file.extend(length);
    }
    file
}
