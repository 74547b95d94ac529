//! Filters and fields of view: round trips and refusals.

use crate::common::{control, file, message, written};
use isobar_ega::Filter;
use isobar_io::{Shape, read_filters, read_shape, write_shape};
use proptest::prelude::*;

#[test]
fn refusals_name_line_and_value() {
    let cases = [
        ("1 0\n", "fov.tab: a shape needs at least 2 rows, the file has 1"),
        ("1 0\n2\n", "fov.tab:2: column 2 (shape y) is missing: the row has 1 of 2 columns"),
        ("1 0\n\n1 1\n", "fov.tab:3: shape x 1 of row 1 does not exceed 1 of the row before"),
        ("1 0\n2 inf\n", "fov.tab:2: shape y inf of row 1 lies outside (-inf, inf)"),
        ("1 0\n2,1 0\n", "fov.tab:2: \"2,1\" is not a number (column 1, shape x)"),
    ];
    for (text, expected) in cases {
        let (_folder, path) = file(text, "fov.tab");
        assert_eq!(message(read_shape(&path), &path), expected);
    }
}

#[test]
fn filters_lie_beside_the_tables() {
    let (folder, path) = file("831.5 1\n832.5 1\n", "syn_832.0000.filt");
    let base = folder.path().join("syn");
    let lines =
        |nd: &'static str, base: &str| control(&[("ND", nd), ("NU[0]", "832"), ("NU[1]", "792"), ("TBLBASE", base)]);
    let base = base.to_str().unwrap();
    let filters = read_filters(&lines("1", base)).unwrap();
    assert_eq!(filters, [Shape { x: vec![831.5, 832.5], y: vec![1.0, 1.0] }]);
    assert_eq!(Filter::from(filters[0].clone()).wavenumber_per_cm, [831.5, 832.5]);
    assert_eq!(
        message(read_filters(&lines("2", base)), &path),
        "syn_792.0000.filt: cannot read: No such file or directory (os error 2)"
    );
    assert_eq!(
        read_filters(&lines("1", "-")).unwrap_err().to_string(),
        "command line: TBLBASE is not set: it says where emissivity tables and filters lie"
    );
    assert!(read_filters(&lines("0", "-")).unwrap().is_empty());
}

/// Each sample is averaged over at 1,201 temperatures.
#[test]
fn filters_that_take_minutes_to_average_are_refused() {
    for (text, expected) in [
        ("831.5 1\n1000000 1\n", "f_832.0000.filt:2: wavenumber 1e6 cm^-1 of row 1 lies outside [0, 20000]"),
        (
            "700 1\n800 1\n800.0001 0\n",
            "f_832.0000.filt: from 700 to 800.0001 cm^-1 at its smallest spacing, 1.000e-4 cm^-1, the \
             filter has 1000001 samples; at most 200000 are accepted",
        ),
    ] {
        let (folder, path) = file(text, "f_832.0000.filt");
        let base = folder.path().join("f");
        let control = control(&[("ND", "1"), ("NU[0]", "832"), ("TBLBASE", base.to_str().unwrap())]);
        assert_eq!(message(read_filters(&control), &path), expected);
    }
}

/// There is nothing to average over.
#[test]
fn weights_have_a_sum() {
    for (text, sum) in [("-1 0\n0 0\n1 0\n", "0"), ("-1 1\n0 -2\n1 1\n", "0"), ("0 -1\n1 -1\n", "-2")] {
        let (_folder, path) = file(text, "fov.tab");
        let error = message(read_shape(&path), &path);
        assert_eq!(error, format!("fov.tab: the weights of the shape sum to {sum}, outside (0, inf)"));
    }
}

proptest! {
    #[test]
    fn written_shape_reads_back_equal(
        mut x in prop::collection::vec(-1e300f64..1e300, 2..30),
        mut y in prop::array::uniform30(0.0f64..1e300),
    ) {
        x.sort_by(f64::total_cmp);
        x.dedup();
        prop_assume!(x.len() > 1);
        y[0] += 1.0;
        let y = y[..x.len()].to_vec();
        let shape = Shape { x, y };
        let (_folder, path) = written("a.filt", |out| write_shape(out, &shape)).unwrap();
        prop_assert_eq!(read_shape(&path).unwrap(), shape);
    }
}
