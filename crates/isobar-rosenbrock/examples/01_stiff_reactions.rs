//! Robertson's stiff reactions by three methods: A -> B slowly, 2 B -> B + C at once, B + C -> A + C fast.
//! `cargo run -p isobar-rosenbrock --example 01_stiff_reactions`

use std::fmt::Write as _;
use std::sync::Arc;

use isobar_rosenbrock::{Cells, Chemistry, Compiled, Device, Method, Network, Options, Reaction};

pub(crate) fn text() -> Result<String, Box<dyn std::error::Error>> {
    let reactions = vec![
        Reaction { reactants: vec![(0, 1)], net: vec![(0, -1.0), (1, 1.0)] },
        Reaction { reactants: vec![(1, 2)], net: vec![(1, -1.0), (2, 1.0)] },
        Reaction { reactants: vec![(1, 1), (2, 1)], net: vec![(1, -1.0), (0, 1.0)] },
    ];
    let mechanism = Arc::new(Compiled::new(Network::new(3, 0, reactions)?)?);
    let model = Chemistry::new(mechanism, None).on(&[Device::Thread]);
    let mut text = String::from("method    time [s]   A                B                C\n");
    for (name, method) in [("Ros3", Method::Ros3), ("Rodas3", Method::Rodas3), ("Rodas4", Method::Rodas4)] {
        let mut cells = Cells {
            concentration: vec![1.0, 0.0, 0.0],
            rate_constant: vec![0.04, 3e7, 1e4],
            first_step_s: vec![0.0],
            ..Cells::default()
        };
        let options = Options::new(method, 1e-6, 1e-10);
        let mut from = 0.0;
        for time in [0.4, 40.0, 4000.0] {
            let done = model.run(&cells, &options.over(from..time))?;
            assert_eq!(done.failures().count(), 0);
            // Every interval begins with the usual first step.
            cells.concentration.clone_from(&done.concentration);
            from = time;
            let [a, b, c] = cells.concentration[..] else { return Err("three species".into()) };
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
