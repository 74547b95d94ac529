//! What is refused, and how.

use isobar_core::fields::Error;
use isobar_radiation::rrtmg::{KDistribution, Table, TableKind, bands};
use isobar_radiation::{
    Angles, CloudSolver, Columns, Device, Fluxes, LongwaveScattering, Options, Overlap, Radiation, RunError,
};

/// Coefficients without absorption, which need no files.
fn coefficients() -> KDistribution {
    let tables = bands::BANDS.iter().map(|band| {
        let table = |kind: TableKind| Table { kind, values: vec![0.0; kind.rows(band) * band.points()] };
        TableKind::of(band).into_iter().map(table).collect()
    });
    KDistribution { bands: &bands::BANDS, tables: tables.collect() }
}

/// Two columns of four layers.
fn columns() -> Columns<f64> {
    let twice = |values: &[f64]| values.iter().flat_map(|&x| [x, x]).collect::<Vec<_>>();
    Columns {
        pressure_pa: twice(&[9.5e4, 8.5e4, 5e4, 1e4]),
        level_pressure_pa: twice(&[1e5, 9e4, 8e4, 2e4, 0.0]),
        temperature_k: twice(&[290.0, 280.0, 250.0, 220.0]),
        level_temperature_k: twice(&[292.0, 285.0, 270.0, 230.0, 210.0]),
        h2o: vec![0.01],
        co2: vec![4e-4],
        o3: vec![3e-8],
        n2o: vec![3.2e-7],
        ch4: vec![1.8e-6],
        o2: vec![0.209],
        surface_temperature_k: vec![290.0; 2],
        emissivity: vec![1.0],
        ..Columns::default()
    }
}

fn run(columns: &Columns<f64>, options: &Options) -> Result<Fluxes<f64>, Error> {
    let model = Radiation::<f64>::new().with_rrtmg(&coefficients()).unwrap().on(&[Device::Thread]);
    model.run(columns, options).map_err(|error| match error {
        RunError::Batch(error) => error,
        other => panic!("{other}"),
    })
}

fn refused(change: impl Fn(&mut Columns<f64>)) -> String {
    let mut columns = columns();
    change(&mut columns);
    run(&columns, &Options::of_rrtmg()).expect_err("it is wrong").to_string()
}

#[test]
fn good_columns_are_accepted_and_nothing_absorbs_without_coefficients() {
    let fluxes = run(&columns(), &Options::of_rrtmg()).expect("they are good");
    assert!(fluxes.longwave_heating_k_per_day.iter().all(|&rate| rate == 0.0));
    assert_eq!(fluxes.status, [0, 0]);
}

#[test]
fn messages_name_variable_column_level_value_and_range() {
    let expected = "level_pressure_pa at column 0, level 0 is 1000, which is not in [20000, 200000] Pa, as of a \
        surface (is it in \
                    hPa?)";
    let hectopascals = |c: &mut Columns<f64>| {
        c.pressure_pa.iter_mut().chain(&mut c.level_pressure_pa).for_each(|p| *p *= 0.01);
    };
    assert_eq!(refused(hectopascals), expected);
    let message = refused(|c| c.temperature_k[5] = f64::NAN);
    assert_eq!(message, "temperature_k at column 1, layer 2 is NaN, which is not in [100, 400] K");
    let message = refused(|c| c.level_pressure_pa[4] = 9.6e4);
    assert_eq!(
        message,
        "level_pressure_pa at column 0, level 2 is 96000 Pa, which is not below the 90000 Pa of the level under it"
    );
    let message = refused(|c| c.level_pressure_pa.reverse());
    assert!(
        message.starts_with("level_pressure_pa at column 0, level 1 is 20000 Pa, which is not below the 0 Pa"),
        "{message}"
    );
    let message = refused(|c| c.pressure_pa[2] = 9.5e4);
    assert!(
        message.starts_with("pressure_pa at column 0, layer 1 is 95000, which is not between the 90000 and 80000 Pa")
    );
    let message = refused(|c| c.co2 = vec![410.0]);
    assert_eq!(message, "co2 at column 0, layer 0 is 410, which is not in [0, 1] mol mol-1");
    let message = refused(|c| c.emissivity = vec![1.2]);
    assert_eq!(message, "emissivity at column 0, longwave_band 0 is 1.2, which is not in [0, 1]");
}

/// What other k-distributions know is not left out without a word.
#[test]
fn what_it_does_not_know_is_refused() {
    let scattering = |c: &mut Columns<f64>| c.aerosol_optical_depth_longwave = vec![0.1];
    assert!(refused(scattering).contains("its aerosol is aerosol_absorption_longwave"));
    assert!(cloud_refused(|c| c.rain_path_g_per_m2 = vec![1.0; 8]).contains("no optics of rain and snow"));
    let run = |options: Options| run(&columns(), &options).expect_err("it is wrong").to_string();
    let default = Options::of_rrtmg;
    assert!(run(Options { angles: Angles::Best, ..default() }).contains("no best angles"));
    assert!(run(Options { longwave_scattering: LongwaveScattering::TwoStream, ..default() }).contains("not scatter"));
    assert!(run(Options { cloud_solver: CloudSolver::Tripleclouds, ..default() }).contains("not Tripleclouds"));
}

#[test]
fn sizes_are_checked() {
    assert_eq!(
        refused(|c| c.level_pressure_pa.truncate(8)),
        "level_pressure_pa has 8 values instead of 10 = 5 levels x 2 columns"
    );
    let aerosol = |c: &mut Columns<f64>| {
        (c.emissivity, c.aerosol_absorption_longwave) = (vec![1.0; 32], vec![0.0; 8]);
    };
    let message = "aerosol_absorption_longwave has 8 values instead of 128 = 4 layers x 16 longwave_bands x 2 columns";
    assert_eq!(refused(aerosol), message);
    assert_eq!(refused(|c| *c = Columns::default()), "a batch needs at least one column");
    let message = refused(|c| c.temperature_k.clear());
    assert_eq!(message, "temperature_k has no values, and a column needs at least one layer");
}

/// Clouds in the second layer of the second column.
fn cloudy() -> Columns<f64> {
    let at = |value: f64| (0..8).map(|i| if i == 3 { value } else { 0.0 }).collect::<Vec<_>>();
    Columns {
        cloud_fraction: at(0.5),
        ice_path_g_per_m2: at(10.0),
        liquid_path_g_per_m2: at(20.0),
        ice_size_um: at(30.0),
        liquid_radius_um: at(10.0),
        ..columns()
    }
}

fn cloud_refused(change: impl Fn(&mut Columns<f64>)) -> String {
    refused(|columns| {
        *columns = cloudy();
        change(columns);
    })
}

#[test]
fn clouds_are_checked() {
    let message = cloud_refused(|c| c.cloud_fraction[3] = 1.5);
    assert_eq!(message, "cloud_fraction at column 1, layer 1 is 1.5, which is not in [0, 1]");
    let message = cloud_refused(|c| c.liquid_radius_um[3] = 70.0);
    assert_eq!(
        message,
        "liquid_radius_um at column 1, layer 1 is 70, which is not in [2.5, 60] um, for which the chosen optics are"
    );
    let message = cloud_refused(|c| c.ice_size_um[3] = 4.0);
    assert!(message.starts_with("ice_size_um at column 1, layer 1 is 4, which is not in [5, 140] um"));
    // Where there are no particles, nobody reads their size.
    let elsewhere = Columns { ice_size_um: [vec![f64::NAN; 3], vec![30.0], vec![f64::NAN; 4]].concat(), ..cloudy() };
    assert_eq!(run(&elsewhere, &Options::of_rrtmg()), run(&cloudy(), &Options::of_rrtmg()));
    assert_eq!(cloud_refused(|c| c.cloud_fraction.clear()), "clouds need a cloud_fraction");
    let message = cloud_refused(|c| c.liquid_path_g_per_m2.clear());
    assert_eq!(message, "liquid_path_g_per_m2 has 0 values instead of 8 = 4 layers x 2 columns");
    let exponential = Options { overlap: Overlap::Exponential, ..Options::of_rrtmg() };
    let error = run(&cloudy(), &exponential).expect_err("no thickness");
    assert!(matches!(error, Error::Size { variable: "thickness_m", .. }));
}

/// Columns of gases have no upper end, mixing ratios have; both begin at zero.
#[test]
fn amounts_are_checked_as_what_they_are() {
    let amounts =
        Columns { h2o: vec![1e22], dry_column_per_cm2: vec![1e25], broadening_column_per_cm2: vec![1e25], ..columns() };
    assert!(run(&amounts, &Options::of_rrtmg()).is_ok());
    let negative = Columns { co2: vec![-1.0], ..amounts };
    let message = run(&negative, &Options::of_rrtmg()).expect_err("it is wrong").to_string();
    assert_eq!(message, "co2 at column 0, layer 0 is -1, which is not a finite number of at least 0");
    assert!(refused(|c| c.dry_column_per_cm2 = vec![1e25]).contains("come together"));
}
