//! Rate constants that are given with the labels of their reactions.

use isobar_core::Real;

use crate::chem::{CELL, Case, DENSITY, close};
use crate::common::classic::{Classic, LETTERS, letters};
use crate::common::{printed, said};

const LABELLED: &str = "#DEFVAR A = IGNORE; B = IGNORE; #EQUATIONS <R1> A = B : K; <R2> B = PROD : K;";

/// One cell, with the rate constants 5e-3/s and 1e-3/s of these reactions.
fn given(labels: [&str; 2]) -> Classic {
    Classic { dimensions: vec![("reaction", 2), ("cell", 1), (LETTERS, 8)], ..Classic::default() }
        .with("A", CELL, DENSITY, &[1e9])
        .with("B", CELL, DENSITY, &[0.0])
        .with("rate_constant", &["reaction", "cell"], "s-1", &[5e-3, 1e-3])
        .with("reaction", &["reaction", LETTERS], "", &labels.map(letters))
}

#[test]
fn rate_constants_go_to_the_reactions_of_their_labels() {
    let left = |rate: f64| 1e9 * Real::exp(-3600.0 * rate);
    let case = Case::new(LABELLED, &given(["R1", "R2"]));
    case.solve(&[]);
    close(case.read("A", DENSITY)[6], left(5e-3), 1e-5);
    let other = Case::new(LABELLED, &given(["R2", "R1"]));
    let output = other.command(&["--json"]);
    assert!(output.status.success(), "{}", said(&output));
    let told = "rate_constant is taken by the labels of reaction, whose order is not the mechanism's";
    assert!(printed(&output).contains(told), "{}", printed(&output));
    close(other.read("A", DENSITY)[6], left(1e-3), 1e-6);
    let words = "in.nc: reaction has other labels of the mechanism, but not \"R2\"; reaction[1] is \"R7\"";
    Case::new(LABELLED, &given(["R1", "R7"])).refused(&[], &[words]);
}
