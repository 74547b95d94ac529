//! Robertson's stiff reactions by three methods: A -> B slowly, 2 B -> B + C at once, B + C -> A + C fast.
//! `cargo run -p isobar-rosenbrock --example 01_stiff_reactions`

use std::fmt::Write as _;
use std::sync::Arc;

use isobar_rosenbrock::{Batch, Cells, Compiled, Method, Network, Options, Reaction};

pub(crate) fn text() -> Result<String, Box<dyn std::error::Error>> {
    let reactions = vec![
        Reaction { reactants: vec![(0, 1)], net: vec![(0, -1.0), (1, 1.0)] },
        Reaction { reactants: vec![(1, 2)], net: vec![(1, -1.0), (2, 1.0)] },
        Reaction { reactants: vec![(1, 1), (2, 1)], net: vec![(1, -1.0), (0, 1.0)] },
    ];
    let mechanism = Arc::new(Compiled::new(Network::new(3, 0, reactions)?)?);
    let mut text = String::from("method    time [s]   A                B                C\n");
    for (name, method) in [("Ros3", Method::Ros3), ("Rodas3", Method::Rodas3), ("Rodas4", Method::Rodas4)] {
        let cells = Cells {
            count: 1,
            concentrations: vec![1.0, 0.0, 0.0],
            rate_constants: vec![0.04, 3e7, 1e4],
            ..Cells::default()
        };
        let mut batch = Batch::new(mechanism.clone(), None, cells, Options::new(method, 1e-6, 1e-10))?;
        let mut from = 0.0;
        for time in [0.4, 40.0, 4000.0] {
            batch.integrate(from, time)?;
            from = time;
            assert_eq!(batch.failures().count(), 0);
            let [a, b, c] = batch.cells().concentrations[..] else { return Err("three species".into()) };
            // What reacts is neither lost nor made.
            assert!((a + b + c - 1.0).abs() < 1e-12);
            writeln!(text, "{name:<8}  {time:>8}   {a:<14.10}   {b:<14.6e}   {c:.10}")?;
        }
    }
    Ok(text)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    print!("{}", text()?);
    Ok(())
}
