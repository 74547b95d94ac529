//! Which dimensions make up the columns: those of variables that are read.

use crate::common::classic::{Case, Classic};
use crate::common::radiation_file::Numbers;
use crate::common::said;

const NAMES: [&str; 3] = ["longwave_upward_flux", "shortwave_downward_flux", "longwave_heating_rate"];

/// Columns of four layers; a single one without a dimension.
fn columns(count: Option<usize>) -> Classic {
    let (mut layer, mut level, mut column) = (vec!["layer"], vec!["level"], vec![]);
    let mut dimensions = vec![("layer", 4), ("level", 5), ("kind", 3), ("other", 4)];
    if let Some(count) = count {
        [&mut layer, &mut level, &mut column].into_iter().for_each(|of| of.push("column"));
        dimensions.push(("column", count));
    }
    let count = count.unwrap_or(1);
    let of = |values: &[f64]| -> Vec<f64> {
        values.iter().flat_map(|&value| (0..count).map(move |i| value * (1.0 - 0.01 * i as f64))).collect()
    };
    Classic { dimensions, ..Classic::default() }
        .with("level_pressure", &level, "Pa", &of(&[1e5, 8e4, 5e4, 2e4, 1e3]))
        .with("temperature", &layer, "K", &of(&[285.0, 270.0, 240.0, 215.0]))
        .with("h2o", &layer, "mol mol-1", &of(&[0.02, 0.005, 0.0003, 4e-6]))
        .with("o3", &layer, "mol mol-1", &of(&[3e-8, 4e-8, 8e-8, 4e-6]))
        .with("surface_temperature", &column, "K", &of(&[290.0]))
        .with("surface_albedo", &column, "1", &of(&[0.2]))
        .with("cosine_zenith", &column, "1", &of(&[0.7]))
}

fn solved(file: &Classic) -> Numbers {
    let case = Case::of("radiation", &file.bytes());
    let output = case.command(&["--assume-zero"]);
    assert!(output.status.success(), "{}", said(&output));
    Numbers::open(&case.out())
}

/// What nobody reads changes nothing, whatever its dimensions are: not its values, not the dimensions of results.
#[test]
fn what_is_not_read_makes_no_columns() {
    for count in [None, Some(2)] {
        let file = columns(count);
        let expected = solved(&file);
        let mut along = vec!["kind", "layer"];
        along.extend(count.map(|_| "column"));
        let size = 12 * count.unwrap_or(1);
        for other in [
            file.clone().with("aerosol_mmr", &["kind", "layer"], "kg kg-1", &[0.0; 12]),
            file.clone().with("t_quantile", &along, "K", &vec![250.0; size]),
            file.clone().with("covariance", &["layer", "other"], "K", &[0.0; 16]),
        ] {
            let found = solved(&other);
            for name in NAMES {
                assert_eq!(found.shape(name), expected.shape(name), "{name}");
                assert_eq!(found.all(name), expected.all(name), "{name}");
            }
        }
    }
}

/// A gas may have columns where temperature has none.
#[test]
fn one_temperature_holds_for_all() {
    let mut file = columns(None);
    file.dimensions.extend([("lat", 2), ("lon", 3)]);
    let water = file.variable("h2o");
    water.dimensions = vec!["layer", "lat", "lon"];
    water.values = [0.02, 0.005, 0.0003, 4e-6].iter().flat_map(|&value| vec![value; 6]).collect();
    let found = solved(&file);
    let names: Vec<String> = found.shape(NAMES[0]).into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["level", "lat", "lon"]);
    let one = solved(&columns(None)).all(NAMES[0]);
    assert_eq!(found.all(NAMES[0]).into_iter().step_by(6).collect::<Vec<_>>(), one);
}
