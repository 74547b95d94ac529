//! A small stiff system of our own, where the reference is not needed.

use std::sync::Arc;

use isobar_rosenbrock::{Batch, Cells, Compiled, Method, Network, Options, Reaction};

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
pub(crate) fn cells(count: usize) -> Cells {
    let vary = |i: usize, cell: usize| 1.0 + 0.5 * f64::from(((i * 7 + cell * 13) % 17) as u32) / 17.0;
    let rows = |values: &[f64]| {
        let row = |(i, value): (usize, &f64)| (0..count).map(|cell| value * vary(i, cell)).collect::<Vec<_>>();
        values.iter().enumerate().flat_map(row).collect::<Vec<_>>()
    };
    Cells {
        count,
        concentrations: rows(&[1.0, 0.2, 0.1, 0.0, 0.5]),
        rate_constants: rows(&[0.04, 30.0, 1e2, 0.02, 0.3]),
        ..Cells::default()
    }
}

pub(crate) fn batch(cells: Cells, options: Options) -> Batch {
    Batch::new(mechanism(), None, cells, options).expect("a batch")
}

/// Concentrations of the variable species of one cell at the end.
pub(crate) fn end(batch: &Batch, cell: usize) -> Vec<f64> {
    batch.cells().concentrations.iter().skip(cell).step_by(batch.cells().count).copied().collect()
}

/// With tight tolerances.
pub(crate) fn exact(length: f64) -> Vec<f64> {
    let mut batch = batch(cells(1), Options::new(Method::Rodas4, 1e-12, 1e-14));
    batch.integrate(0.0, length).expect("an interval");
    end(&batch, 0)
}
