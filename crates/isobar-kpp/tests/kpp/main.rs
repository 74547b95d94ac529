//! Mechanisms of the reference against KPP, the language, and what is refused.

mod budget;
mod closed_forms;
mod configurations;
mod days;
mod diurnal;
mod errors;
mod facsimile;
mod fortran;
mod full_chemistry;
mod golden;
mod hostile;
mod language;
mod left_out;
mod mecca;
mod musica;
mod musica_notes;
mod named_loops;
mod own;
mod own_names;
mod radau;
mod reference;
mod slopes;
mod types;

#[allow(dead_code, reason = "its main is for `cargo run --example 01_photostationary`")]
#[path = "../../examples/01_photostationary.rs"]
mod example_01;

#[test]
fn example_01_prints_what_stands_beside_it() {
    assert_eq!(example_01::text().unwrap(), include_str!("../../examples/01_photostationary.txt"));
}
