//! What is refused, and how.

use isobar_longwave::{
    Batch, CloudColumns, Columns, Error, Generator, KDistribution, Options, Overlap, Subcolumns, Table, TableData,
    TableKind, rrtmg,
};

/// Tables without absorption, which need no files.
fn tables() -> std::sync::Arc<TableData<f64>> {
    let tables = rrtmg::BANDS.iter().map(|band| {
        let table = |kind: TableKind| Table { kind, values: vec![0.0; kind.rows(band) * band.points()] };
        TableKind::of(band).into_iter().map(table).collect()
    });
    std::sync::Arc::new(TableData::new(&KDistribution { bands: &rrtmg::BANDS, tables: tables.collect() }))
}

/// Two columns of four layers.
fn columns() -> Columns<f64> {
    let twice = |values: &[f64]| values.iter().flat_map(|&x| [x, x]).collect::<Vec<_>>();
    Columns {
        pressure: twice(&[9.5e4, 8.5e4, 5e4, 1e4]),
        level_pressure: twice(&[1e5, 9e4, 8e4, 2e4, 0.0]),
        temperature: twice(&[290.0, 280.0, 250.0, 220.0]),
        level_temperature: twice(&[292.0, 285.0, 270.0, 230.0, 210.0]),
        gases: [vec![0.01], vec![4e-4], vec![3e-8], vec![3.2e-7], vec![], vec![1.8e-6], vec![0.209]],
        surface_temperature: vec![290.0; 2],
        emissivity: vec![1.0],
        ..Columns::default()
    }
}

fn refused(change: impl Fn(&mut Columns<f64>)) -> String {
    let mut columns = columns();
    change(&mut columns);
    Batch::new(tables(), columns, Options::default()).expect_err("it is wrong").to_string()
}

#[test]
fn good_columns_are_accepted_and_nothing_absorbs_without_coefficients() {
    let mut batch = Batch::new(tables(), columns(), Options::default()).expect("they are good");
    batch.compute();
    assert!(batch.outputs().heating.iter().all(|&rate| rate == 0.0));
    assert_eq!(batch.outputs().status, [0, 0]);
}

#[test]
fn messages_name_variable_column_level_value_and_range() {
    let expected = "surface pressure at column 0 is 1000, which is not in [20000, 200000] Pa (is it in hPa?)";
    let hectopascals = |c: &mut Columns<f64>| {
        c.pressure.iter_mut().chain(&mut c.level_pressure).for_each(|p| *p *= 0.01);
    };
    assert_eq!(refused(hectopascals), expected);
    let message = refused(|c| c.temperature[5] = f64::NAN);
    assert_eq!(message, "temperature at column 1, level 2 is NaN, which is not in [100, 400] K");
    let message = refused(|c| c.level_pressure[4] = 9.6e4);
    assert_eq!(
        message,
        "level_pressure at column 0, level 2 is 96000 Pa, which is not below the 90000 Pa of the level under it"
    );
    let message = refused(|c| c.level_pressure.reverse());
    assert!(
        message.starts_with("level_pressure at column 0, level 1 is 20000 Pa, which is not below the 0 Pa"),
        "{message}"
    );
    let message = refused(|c| c.pressure[2] = 9.5e4);
    assert!(message.starts_with("pressure at column 0, level 1 is 95000, which is not between the 90000 and 80000 Pa"));
    let message = refused(|c| c.gases[1] = vec![410.0]);
    assert_eq!(message, "co2 at column 0 is 410, which is not in [0, 1] mol/mol");
    let message = refused(|c| c.emissivity = vec![1.2]);
    assert_eq!(message, "emissivity at column 0 is 1.2, which is not in [0, 1]");
}

#[test]
fn sizes_are_checked() {
    assert_eq!(
        refused(|c| c.level_pressure.truncate(8)),
        "level_pressure has 8 values instead of 10 = 5 levels x 2 columns"
    );
    assert!(refused(|c| c.aerosol = vec![0.0; 3]).contains("128 = 4 layers x 16 bands x 2 columns"));
    assert!(refused(|c| *c = Columns::default()).contains("at least one column"));
    assert!(refused(|c| c.temperature.clear()).contains("at least one layer"));
}

/// Clouds in the second layer of the second column.
fn clouds() -> CloudColumns<f64> {
    let at = |value: f64| (0..8).map(|i| if i == 3 { value } else { 0.0 }).collect::<Vec<_>>();
    CloudColumns {
        fraction: at(0.5),
        ice_path: at(10.0),
        liquid_path: at(20.0),
        ice_size: at(30.0),
        liquid_radius: at(10.0),
        ..CloudColumns::default()
    }
}

fn cloud_refused(change: impl Fn(&mut CloudColumns<f64>)) -> String {
    let mut clouds = clouds();
    change(&mut clouds);
    refused(|c| c.clouds = Some(clouds.clone()))
}

#[test]
fn clouds_are_checked() {
    let message = cloud_refused(|c| c.fraction[3] = 1.5);
    assert_eq!(message, "cloud fraction at column 1, level 1 is 1.5, which is not in [0, 1]");
    let message = cloud_refused(|c| c.liquid_radius[3] = 70.0);
    assert_eq!(
        message,
        "liquid_radius at column 1, level 1 is 70, which is not in [2.5, 60] um, for which the chosen optics are"
    );
    let message = cloud_refused(|c| c.ice_size[3] = 4.0);
    assert!(message.starts_with("ice_size at column 1, level 1 is 4, which is not in [5, 140] um"));
    let with_clouds = Columns { clouds: Some(clouds()), ..columns() };
    let subcolumns =
        Subcolumns { overlap: Overlap::Exponential, generator: Generator::Mersenne, ..Subcolumns::default() };
    let options = Options { subcolumns, ..Options::default() };
    let error = Batch::new(tables(), with_clouds, options).expect_err("no thickness");
    assert!(matches!(error, Error::Size { variable: "thickness_m", .. }));
}
