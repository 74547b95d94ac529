//! What is refused, and in which words.

use isobar_core::fields::Error;
use isobar_ysu::{Chosen, ColumnViews, Columns, Constants, Options, ShinHongOptions, Version, compute};

use crate::case::made_up;

fn refused(columns: &Columns<f64>, options: impl Chosen) -> String {
    let views = ColumnViews::try_from(columns);
    views.and_then(|views| compute(&views, &options)).expect_err("this is not valid").to_string()
}

fn refusal(options: impl Chosen, change: impl FnOnce(&mut Columns<f64>)) -> String {
    let mut columns = made_up(12, &[(100.0, 5.0, 0.005), (-10.0, 3.0, 0.004), (0.0, 8.0, 0.006)]);
    change(&mut columns);
    refused(&columns, options)
}

/// What makes columns bad.
type Change = fn(&mut Columns<f64>);

/// Layer 7 of column 1 of three.
const PLACE: usize = 7 * 3 + 1;

#[test]
fn a_bad_value_is_named_with_its_place_and_range() {
    let usual = Options::new(60.0);
    let cases: [(&str, Change); 8] = [
        ("thickness_m at column 1, layer 7 is -1, which is not in [0.001, 1e5] m", |c| c.thickness_m[PLACE] = -1.0),
        ("temperature_k at column 1, layer 7 is 25.5, which is not in [100, 400] K", |c| c.temperature_k[PLACE] = 25.5),
        ("u_m_per_s at column 1, layer 7 is NaN, which is not in [-1000, 1000] m s-1", |c| {
            c.u_m_per_s[PLACE] = f64::NAN
        }),
        ("vapour_kg_per_kg at column 1, layer 7 is 8, which is not in [-0.001, 1] kg kg-1", |c| {
            c.vapour_kg_per_kg[PLACE] = 8.0
        }),
        ("roughness_m at column 2 is -0.1, which is not in [0, inf) m", |c| c.roughness_m[2] = -0.1),
        ("friction_velocity_m_per_s at column 2 is 0, which is not in (0, 100] m s-1", |c| {
            c.friction_velocity_m_per_s[2] = 0.0;
        }),
        ("richardson at column 0 is NaN, which is not a finite number", |c| c.richardson[0] = f64::NAN),
        ("pressure_pa has 35 values instead of 36 = 12 layers x 3 columns", |c| {
            c.pressure_pa.truncate(35);
        }),
    ];
    for (words, change) in cases {
        assert_eq!(refusal(usual, change), words);
    }
    let message = refusal(usual, |c| c.pressure_pa[PLACE] = 99_000.0);
    assert!(message.starts_with("pressure_pa at column 1, layer 7 is 99000 Pa, which is not below the "), "{message}");
    let message = refusal(usual, |c| c.interface_pressure_pa[PLACE] = 101_000.0);
    assert!(message.starts_with("interface_pressure_pa at column 1, level 7 is 101000 Pa"), "{message}");
    // In another unit than their interfaces: each falls with height.
    let message = refusal(usual, |c| c.pressure_pa.iter_mut().for_each(|pressure| *pressure /= 100.0));
    assert!(
        message.starts_with("pressure_pa at column 0, layer 0 is ") && message.contains("not between the "),
        "{message}"
    );
}

#[test]
fn options_are_checked() {
    for step in [0.0, -60.0, f64::NAN, f64::INFINITY] {
        assert!(refusal(Options::new(step), |_| {}).starts_with("the time step is "));
    }
    let old = Options { version: Version::Wrf361, top_down: true, ..Options::new(60.0) };
    assert_eq!(refusal(old, |_| {}), "WRF 3.6.1 has no top-down mixing");
    let top_down = Options { top_down: true, ..Options::new(60.0) };
    assert!(
        refusal(top_down, |c| c.radiative_heating_k_per_s.clear())
            .starts_with("radiative_heating_k_per_s has 0 values")
    );
    let orography = Options { topographic: true, ..Options::new(60.0) };
    assert!(refusal(orography, |c| c.drag_factor.clear()).starts_with("drag_factor has 0 values"));
}

#[test]
fn constants_are_checked() {
    let with = |constants: Constants| Options { constants, ..Options::new(60.0) };
    assert_eq!(
        refusal(with(Constants { gravity_m_per_s2: -9.81, ..Constants::WRF }), |_| {}),
        "the constant gravity_m_per_s2 (g) is -9.81, which is not in [0.0981, 981]"
    );
    // In kJ.
    assert_eq!(
        refusal(with(Constants { heat_capacity_j_per_kg_k: 1.0045, ..Constants::WRF }), |_| {}),
        "the constant heat_capacity_j_per_kg_k (cp) is 1.0045, which is not in [10.045, 100450]"
    );
    assert_eq!(
        refusal(with(Constants { karman: f64::NAN, ..Constants::WRF }), |_| {}),
        "the constant karman is NaN, which is not in [0.004, 40]"
    );
    let little = Constants { heat_capacity_j_per_kg_k: 200.0, ..Constants::WRF };
    let text = "the constant heat_capacity_j_per_kg_k (cp) is 200, which is not above rd = 287";
    assert_eq!(refusal(with(little), |_| {}), text);
    assert_eq!(refusal(ShinHongOptions { constants: little, ..ShinHongOptions::new(60.0) }, |_| {}), text);
}

#[test]
fn constants_are_read_from_words() {
    assert_eq!("cam-sima".parse(), Ok(Constants::CAM_SIMA));
    assert_eq!("ufs, g=9.7803".parse(), Ok(Constants { gravity_m_per_s2: 9.7803, ..Constants::UFS }));
    let refused = |text: &str| text.parse::<Constants>().unwrap_err();
    assert_eq!(
        refused("wrv"),
        "'wrv' is no host model of known constants: wrf, mpas, cam_sima, ufs; nor is it NAME=NUMBER"
    );
    assert_eq!(refused("gee=9"), "'gee' is no constant: cp, g, rd, rv, karman, xlv");
    assert_eq!(refused("g=fast"), "the constant g is 'fast', no number");
    assert_eq!(refused("g=9.8,mpas"), "'mpas' comes first, and constants replace its own");
}

#[test]
fn towns_and_energy_are_checked() {
    let town = Options { urban: true, ..Options::new(60.0) };
    assert!(refusal(town, |_| {}).starts_with("urban_u_rate_per_s has 0 values instead of 36"));
    let old = Options { version: Version::Wrf361, ..town };
    assert!(refusal(old, |_| {}).starts_with("WRF 3.6.1 has no urban canopy"));
    let limited = Options { limited_entrainment: true, ..Options::new(60.0) };
    assert!(refusal(limited, |_| {}).starts_with("limited_entrainment is true, and wanted is false without top_down"));
    let shin_hong = ShinHongOptions::new(60.0);
    assert!(refusal(shin_hong, |_| {}).starts_with("turbulent_energy_m2_per_s2 has 0 values instead of 36"));
    let cloudy = ShinHongOptions { cloud_mixing: true, ..shin_hong };
    assert!(refusal(cloudy, |c| c.radiative_heating_k_per_s.clear()).starts_with("radiative_heating_k_per_s has 0"));
    let with_energy = |energy: f64| {
        move |c: &mut Columns<f64>| {
            c.turbulent_energy_m2_per_s2 = vec![energy; 36];
            (c.grid_distance_m, c.coriolis_per_s) = (vec![1000.0; 3], vec![1e-4; 3]);
        }
    };
    assert_eq!(
        refusal(shin_hong, with_energy(-1.0)),
        "turbulent_energy_m2_per_s2 at column 0, layer 0 is -1, which is not in [0, 10000] m2 s-2"
    );
}

#[test]
fn a_column_needs_four_layers() {
    let columns = made_up(3, &[(100.0, 5.0, 0.005)]);
    assert_eq!(refused(&columns, Options::new(60.0)), "3 layers are too few: at least 4");
    assert_eq!(refused(&Columns::default(), Options::new(60.0)), "a batch needs at least one column");
}

#[test]
fn columns_can_be_checked_one_by_one() {
    let mut columns = made_up(12, &[(100.0, 5.0, 0.005), (-10.0, 3.0, 0.004), (0.0, 8.0, 0.006)]);
    columns.temperature_k[PLACE] = 1.0;
    let views = ColumnViews::try_from(&columns).expect("sizes fit");
    let bad: Vec<_> = views.check(&columns.extents(), 0..3).iter().map(Error::item).collect();
    assert_eq!(bad, [Some(1)]);
}
