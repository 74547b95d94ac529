//! A small stiff system of our own, where the reference is not needed.

use std::ops::Range;
use std::sync::Arc;

use isobar_rosenbrock::{BadItems, Cells, Chemistry, Compiled, Device, Integrated, Method, Network, Options, Reaction};

/// Robertson's problem (1966) with a dimer, whose variables are 1 or less: A -> B, 2 B -> B + C, B + C -> A + C, A + F
/// -> D of a fixed F.
pub(crate) fn mechanism() -> Arc<Compiled> {
    let reaction = |reactants: &[(usize, u32)], net: &[(usize, f64)]| Reaction {
        reactants: reactants.to_vec(),
        net: net.to_vec(),
    };
    let reactions = vec![
        reaction(&[(0, 1)], &[(0, -1.0), (1, 1.0)]),
        reaction(&[(1, 2)], &[(1, -1.0), (2, 1.0)]),
        reaction(&[(1, 1), (2, 1)], &[(1, -1.0), (0, 1.0)]),
        reaction(&[(0, 1), (4, 1)], &[(0, -1.0), (3, 1.0)]),
        reaction(&[(0, 2), (1, 1)], &[(1, -1.0), (2, 1.0)]),
    ];
    Arc::new(Compiled::new(Network::new(4, 1, reactions).expect("a network")).expect("tables"))
}

/// Cells that differ in their start and their rate constants.
pub(crate) fn cells(count: usize) -> Cells<f64> {
    let vary = |i: usize, cell: usize| 1.0 + 0.5 * f64::from(((i * 7 + cell * 13) % 17) as u32) / 17.0;
    let rows = |values: &[f64]| {
        let row = |(i, value): (usize, &f64)| (0..count).map(|cell| value * vary(i, cell)).collect::<Vec<_>>();
        values.iter().enumerate().flat_map(row).collect::<Vec<_>>()
    };
    Cells {
        concentration: rows(&[1.0, 0.2, 0.1, 0.0, 0.5]),
        rate_constant: rows(&[0.04, 30.0, 1e2, 0.02, 0.3]),
        first_step_s: vec![0.0; count],
        ..Cells::default()
    }
}

/// Any cells after an interval, on this thread.
pub(crate) fn integrate(
    mechanism: &Arc<Compiled>,
    cells: &Cells<f64>,
    options: &Options,
    interval_s: Range<f64>,
) -> Integrated<f64> {
    let model = Chemistry::new(mechanism.clone(), None).on(&[Device::Thread]).bad_items(BadItems::Compute);
    model.run(cells, &options.over(interval_s)).unwrap_or_else(|error| panic!("{error}"))
}

/// The values of one cell.
pub(crate) fn of_cell<T: Copy>(values: &[T], cells: usize, cell: usize) -> Vec<T> {
    values.iter().skip(cell).step_by(cells).copied().collect()
}

/// Concentrations of one cell at the end.
pub(crate) fn end(done: &Integrated<f64>, cell: usize) -> Vec<f64> {
    of_cell(&done.concentration, done.status.len(), cell)
}

/// With tight tolerances.
pub(crate) fn exact(length_s: f64) -> Vec<f64> {
    end(&integrate(&mechanism(), &cells(1), &Options::new(Method::Rodas4, 1e-12, 1e-14), 0.0..length_s), 0)
}
