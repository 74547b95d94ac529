//! A case file of `isobar run`, shortened, run and plotted from Rust: `cargo run --release`.

use isobar::column::stages::quantity as q;
use isobar::plot;
use isobar::run::{Case, Options, run};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut case = Case::open("../../data/column/case.toml")?;
    case.set_columns(5);
    case.set_hours(2.0);
    case.set_satellite_hours(&[2.0]);
    let setup = case.prepare(&mut |warning| eprintln!("warning: {warning}"))?;
    setup.notes().iter().for_each(|note| eprintln!("{note}"));

    let options = Options { columns: Some(plot::run::columns(setup.columns())), ..Options::default() };
    let outcome = run::<f64>(&mut case, &options)?;
    outcome.warnings.iter().for_each(|warning| eprintln!("warning: {warning}"));

    let last = outcome.records.times.len() - 1;
    let ground_k = outcome.records.at(q::SURFACE_TEMPERATURE, last).ok_or("it is always kept")?;
    println!("the ground after 2 hours, by column: {ground_k:.2?} K");

    let folder = std::env::temp_dir().join("isobar-case");
    std::fs::create_dir_all(&folder)?;
    for (name, figure) in plot::run::names(&setup).into_iter().zip(plot::run::draw(&outcome)?) {
        let path = folder.join(format!("{name}.svg"));
        figure.save(&path)?;
        println!("{}", path.display());
    }
    Ok(())
}
