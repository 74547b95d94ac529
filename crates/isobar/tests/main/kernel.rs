//! `isobar kernel` on the demonstration's limb case.

use std::fs;

use crate::common::{Case, said};

const STATE: [&str; 6] =
    ["RETT_ZMIN=10", "RETT_ZMAX=30", "RETQ_ZMIN[2]=15", "RETQ_ZMAX[2]=25", "RETP_ZMIN=12", "RETP_ZMAX=20"];

/// The matrix in a file: labels of the columns, and rows of values.
fn matrix(text: &str) -> (Vec<String>, Vec<Vec<f64>>) {
    let (mut names, mut rows) = (Vec::new(), Vec::<Vec<f64>>::new());
    for line in text.lines().filter(|line| !line.starts_with('#') && !line.is_empty()) {
        let words: Vec<&str> = line.split(' ').collect();
        let [row, column]: [usize; 2] = [0, 6].map(|i| words[i].parse().expect("an index"));
        if row == rows.len() {
            rows.push(Vec::new());
        }
        assert_eq!((row + 1, column), (rows.len(), rows[row].len()), "rows and columns in order");
        if row == 0 {
            names.push(words[7].to_owned());
        }
        rows[row].push(words[12].parse().expect("a number"));
    }
    (names, rows)
}

fn kernel(case: &Case, more: &[&str]) -> (Vec<String>, Vec<Vec<f64>>) {
    let out = case.path("limb/kernel.tab");
    let output = case.command("kernel", &out, &[&STATE[..], more].concat());
    assert!(output.status.success(), "{}", said(&output));
    matrix(&fs::read_to_string(out).unwrap())
}

#[test]
fn differences_see_what_is_exact() {
    let case = Case::limb();
    let (names, exact) = kernel(&case, &[]);
    let (_, finite) = kernel(&case, &["--derivative", "finite"]);
    let (_, frozen) = kernel(&case, &["--frozen-path"]);
    let mut order = names.clone();
    order.dedup();
    assert_eq!(order, ["PRESSURE", "TEMPERATURE", "O3"]);
    assert_eq!((exact.len(), finite.len()), (14 * 4, 14 * 4));
    let (mut worst, mut moved) = (0.0_f64, 0.0_f64);
    for quantity in &order {
        let these = || (0..names.len()).filter(|&i| &names[i] == quantity);
        let largest = exact.iter().flat_map(|row| these().map(|i| row[i].abs())).fold(0.0, f64::max);
        for ((exact, finite), frozen) in exact.iter().zip(&finite).zip(&frozen) {
            for i in these() {
                worst = worst.max((exact[i] - finite[i]).abs() / largest);
                moved = moved.max((exact[i] - frozen[i]).abs() / largest);
            }
        }
    }
    // Steps of 1 % and 1 K go over nodes of the tables, and curve.
    assert!(worst < 0.3, "{worst}");
    assert!(moved > 1e-3, "refraction counts: {moved}");
}

#[test]
fn masked_values_have_no_row() {
    let case = Case::limb();
    let (_, all) = kernel(&case, &[]);
    case.set("limb/obs.tab", 2, 11, "nan");
    let (_, others) = kernel(&case, &[]);
    assert_eq!(others.len() + 1, all.len());
    assert_eq!(others[..9], all[..9]);
    assert_eq!(others[9..], all[10..]);
    // As instruments' files have it.
    case.set("limb/obs.tab", 2, 11, "-9999");
    assert_eq!(kernel(&case, &[]).1, others);
}

#[test]
fn threads_change_nothing_and_plots_are_drawn() {
    let case = Case::limb();
    let plot = case.path("limb/kernel.svg");
    let one = kernel(&case, &["--threads", "1", "--plot", plot.to_str().unwrap()]);
    assert_eq!(one, kernel(&case, &["--threads", "3"]));
    let svg = fs::read_to_string(plot).unwrap();
    assert!(svg.contains("by TEMPERATURE") && svg.contains("by O3"));
}

#[test]
fn what_cannot_be_leaves_no_output() {
    let case = Case::limb();
    let out = case.path("limb/kernel.tab");
    for (more, expected) in [
        (&[][..], "nothing is to be retrieved: set RETP_ZMIN"),
        (&["RETQ_ZMIN[3]=1"], "command line: RETQ_ZMIN[3] asks for more elements than are declared: NG = 3"),
        (
            &["RETT_ZMIN=1", "RETT_ZMAX=9", "--frozen-path", "--derivative", "finite"],
            "--frozen-path is for exact derivatives",
        ),
        (&["RETT_ZMIN=1", "RETT_ZMAX=9", "--precision", "f32"], "Jacobians are computed in double precision only"),
    ] {
        let output = case.command("kernel", &out, more);
        assert!(!output.status.success());
        assert!(said(&output).contains(expected), "{}", said(&output));
        assert!(!out.exists());
    }
}

/// A Jacobian says of its paths and rays what the radiances say.
#[test]
fn paths_outside_the_tables_and_rays_that_see_nothing_are_told() {
    let case = Case::limb();
    case.set("limb/atm.tab", 30, 5, "401");
    case.set("limb/obs.tab", 13, 4, "95");
    let told = |output: &str| -> Vec<String> {
        let beyond = |line: &&str| ["lie outside the", "see nothing"].iter().any(|words| line.contains(words));
        output.lines().filter(beyond).map(str::to_owned).collect()
    };
    let (_, of_radiances) = case.forward(&[]);
    let out = case.path("limb/kernel.tab");
    for how in ["exact", "finite"] {
        let output = case.command("kernel", &out, &[&STATE[..], &["--derivative", how]].concat());
        assert!(output.status.success(), "{}", said(&output));
        assert_eq!(told(&said(&output)), told(&of_radiances), "{how}");
    }
    // Three gases, the temperature of a level, and a ray.
    assert_eq!(told(&of_radiances).len(), 5, "{of_radiances}");
}
