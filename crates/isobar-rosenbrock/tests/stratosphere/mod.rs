//! Cells of the stratosphere.

use isobar_kpp::{Mechanism, Reader};
use isobar_rosenbrock::{Cells, Method, Options};

/// The mechanism of `data/mechanisms/chapman_nox.kpp`.
pub(crate) fn stratosphere() -> Mechanism {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/mechanisms/chapman_nox.kpp");
    Reader::new().read_file(path).unwrap_or_else(|error| panic!("{error}"))
}

/// Cells of any temperature and sunlight, every fifth one in the dark.
pub(crate) fn cells(mechanism: &Mechanism, count: usize) -> Cells<f64> {
    let unit = |i: usize| (i as f64 * 0.754_877_666).fract();
    let start = |i: usize, cell: usize| mechanism.initial()[i] * (0.3 + 1.4 * unit(7 * i + cell));
    let temperature: Vec<f64> = (0..count).map(|cell| 200.0 + 60.0 * unit(cell)).collect();
    let sun: Vec<f64> = (0..count).map(|cell| if cell % 5 == 0 { 0.0 } else { unit(3 * cell) }).collect();
    let inputs = mechanism.input_values(&[("TEMP", &temperature), ("SUN", &sun)], count);
    Cells {
        concentration: (0..mechanism.species().len())
            .flat_map(|i| (0..count).map(move |cell| start(i, cell)))
            .collect(),
        rate_input: inputs.unwrap_or_else(|error| panic!("{error}")),
        first_step_s: vec![0.0; count],
        ..Cells::default()
    }
}

/// Tolerances that give some tens of steps an hour.
pub(crate) fn options(method: Method) -> Options {
    Options::new(method, 1e-3, 10.0)
}
