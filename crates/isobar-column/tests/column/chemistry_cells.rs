//! Mole fractions as molecules, and back.

use isobar_column::cells::{FromCells, NO_ROW, ToCells, number_density};
use isobar_column::limits::WORDS;
use isobar_core::{Column, Field, FieldMut, Real};

use crate::{close, run};

const LAYERS: usize = 3;
const COLUMNS: usize = 2;
const CELLS: usize = LAYERS * COLUMNS;

/// Loschmidt's number at 0 degrees Celsius and 101,325 Pa (CODATA 2018).
#[test]
fn air_has_loschmidts_number_of_molecules() {
    close(number_density(273.15, 101_325.0), 2.686_780_111e19, 1e-9, "number density");
}

fn there_and_back<R: Real>(tolerance: f64) {
    let real = R::from_f64;
    let temperature: Vec<R> = (0..CELLS).map(|i| real(300.0 - 7.3 * i as f64)).collect();
    let pressure: Vec<R> = (0..CELLS).map(|i| real(1e5 - 12_345.6 * i as f64)).collect();
    let tracers: Vec<R> = (0..2 * CELLS).map(|i| real(1e-9 * (1.0 + 0.37 * i as f64))).collect();
    let (mut concentrations, mut inputs) = (vec![0.0; 3 * CELLS], vec![-1.0; 3 * CELLS]);
    let temperatures = Field::item_fastest(&temperature, LAYERS, COLUMNS);
    let pressures = Field::item_fastest(&pressure, LAYERS, COLUMNS);
    let sun = [real(0.25), real(0.5)];
    let to = ToCells {
        temperature_k: temperatures,
        pressure_pa: pressures,
        photolysis_factor: Column::from(&sun[..]),
        tracers: Field::item_fastest(&tracers, LAYERS, 2 * COLUMNS),
        fixed: Column::from(&[0.21][..]),
        concentrations_per_cm3: FieldMut::item_fastest(&mut concentrations, 3, CELLS),
        inputs: FieldMut::item_fastest(&mut inputs, 3, CELLS),
        temperature_row: 2,
        pressure_row: NO_ROW,
        sun_row: 0,
        air_row: NO_ROW,
    };
    run(&to);
    for layer in 0..LAYERS {
        for column in 0..COLUMNS {
            let cell = layer * COLUMNS + column;
            let air = number_density(temperature[cell].value(), pressure[cell].value());
            for species in 0..2 {
                let fraction = tracers[(layer * 2 + species) * COLUMNS + column].value();
                assert_eq!(concentrations[species * CELLS + cell], fraction * air);
            }
            assert_eq!(concentrations[2 * CELLS + cell], 0.21 * air);
            assert_eq!(inputs[cell], if column == 0 { 0.25 } else { 0.5 });
            assert_eq!(inputs[CELLS + cell], -1.0, "an input that nobody sets stays");
            assert_eq!(inputs[2 * CELLS + cell], temperature[cell].value());
        }
    }
    let mut back = vec![R::ZERO; 2 * CELLS];
    let (status, mut words) = ([0, 0, 0, 17, 0, 0], [0_u32; WORDS * COLUMNS]);
    words[0] = 2;
    let from = FromCells {
        step: 0,
        temperature_k: temperatures,
        pressure_pa: pressures,
        concentrations_per_cm3: Field::item_fastest(&concentrations, 3, CELLS),
        cell_status: Column::from(&status[..]),
        tracers: FieldMut::item_fastest(&mut back, LAYERS, 2 * COLUMNS),
        words: FieldMut::item_fastest(&mut words, WORDS, COLUMNS),
    };
    run(&from);
    for (got, expected) in back.iter().zip(&tracers) {
        close(got.value(), expected.value(), tolerance, "mole fraction");
    }
    // A cell of column 1 failed, and what was known before stays known.
    assert_eq!((&words[..COLUMNS], &words[COLUMNS..]), (&[2, 17][..], &[0; (WORDS - 1) * COLUMNS][..]));
}

/// A product and a quotient, each rounded once: 1.1e-16 each. Double precision holds what single precision needs, so
/// that nothing changes there.
#[test]
fn fractions_come_back() {
    there_and_back::<f64>(2.3e-16);
    there_and_back::<f32>(0.0);
}
