//! Columns for the boundary-layer scheme from files of several layouts.

use crate::common::message;
use crate::common::netcdf::Make;
use isobar_core::{Real, Status};
use isobar_io::boundary_layer::similarity::SurfaceLayer;
use isobar_io::netcdf::Orientation;
use isobar_io::{BoundaryLayerInput, BoundaryLayerRequest, Error, read_boundary_layer, read_boundary_layer_files};
use isobar_ysu::Options;
use netcdf_writer::NcWriteFormat;

const N: usize = 5;
const U: [f64; 10] = [3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0];
const T: [f64; 10] = [290.0, 291.0, 288.0, 289.0, 286.0, 287.0, 284.0, 285.0, 282.0, 283.0];
const P: [f64; 10] = [98e3, 97e3, 94e3, 93e3, 90e3, 89e3, 86e3, 85e3, 82e3, 81e3];
const P_INT: [f64; 12] = [1e5, 99e3, 96e3, 95e3, 92e3, 91e3, 88e3, 87e3, 84e3, 83e3, 80e3, 79e3];
const QV: [f64; 10] = [0.01, 0.011, 0.009, 0.01, 0.008, 0.009, 0.007, 0.008, 0.006, 0.007];

fn empty() -> Make {
    Make::new(&[("column", 2), ("layer", N as u64), ("level", N as u64 + 1)])
}

/// The air, by the reference's names.
fn air() -> Make {
    empty()
        .with("u(layer, column)", &["units=m s-1"], &U)
        .with("v(layer, column)", &["units=m s-1"], &U.map(|u| -0.5 * u))
        .with("t(layer, column)", &["units=K"], &T)
        .with("qv(layer, column)", &["units=kg kg-1"], &QV)
        .with("p(layer, column)", &["units=Pa"], &P)
        .with("p_int(level, column)", &["units=Pa"], &P_INT)
}

/// The air without one of its variables.
fn air_without(name: &str) -> Make {
    let all = [("u", "m s-1", U), ("v", "m s-1", U), ("t", "K", T), ("qv", "kg kg-1", QV), ("p", "Pa", P)];
    let make = empty().with("p_int(level, column)", &["units=Pa"], &P_INT);
    all.iter().filter(|(other, ..)| *other != name).fold(make, |make, (name, units, values)| {
        make.with(&format!("{name}(layer, column)"), &[&format!("units={units}")], values)
    })
}

/// What every surface has.
fn surface(make: Make) -> Make {
    make.with("znt(column)", &["units=m"], &[0.1, 0.02])
        .with("xland(column)", &["units=1"], &[1.0, 2.0])
        .with("hfx(column)", &["units=W m-2"], &[150.0, -2.5])
        .with("qfx(column)", &["units=kg m-2 s-1"], &[5e-5, 1e-5])
}

fn options() -> Options {
    Options::new(60.0)
}

fn try_read(make: Make, options: &Options, keep_going: bool) -> Result<BoundaryLayerInput, String> {
    let (_folder, path) = make.save(NcWriteFormat::Nc4);
    let result: Result<_, Error> = read_boundary_layer(&path, options, keep_going);
    match result {
        Ok(input) => Ok(input),
        error => Err(message(error, &path)),
    }
}

fn read(make: Make) -> BoundaryLayerInput {
    try_read(make, &options(), false).unwrap()
}

fn is_valid(columns: &isobar_ysu::Columns<f64>) -> bool {
    let views = isobar_ysu::ColumnViews::try_from(columns).unwrap();
    views.check(&columns.extents(), 0..columns.columns()).is_empty()
}

fn close(got: f64, expected: f64) {
    assert!((got - expected).abs() <= 1e-12 * expected.abs(), "{got} instead of {expected}");
}

#[test]
fn the_reference_names_and_what_is_derived() {
    let input = read(surface(air()));
    let air = &input.air.columns;
    assert_eq!((&air.u_m_per_s[..], &air.temperature_k[..], &air.pressure_pa[..]), (&U[..], &T[..], &P[..]));
    assert_eq!(input.air.columns.interface_pressure_pa, P_INT);
    assert_eq!((air.cloud_water_kg_per_kg.clone(), air.cloud_ice_kg_per_kg.clone()), (vec![0.0; 10], vec![0.0; 10]));
    assert_eq!(air.exner, P.map(|p| Real::powf(p / 1e5, 2.0 / 7.0)));
    // Hypsometrically.
    let tv = T[2] * (1.0 + (461.6 / 287.0 - 1.0) * QV[2]);
    close(air.thickness_m[2], 287.0 * tv / 9.81 * Real::ln(96e3 / 92e3));
    let surface = &input.air.columns;
    assert_eq!(surface.surface_pressure_pa, [1e5, 99e3]);
    assert_eq!(surface.u_current_m_per_s, [0.0; 2]);
    close(surface.wind_speed_m_per_s[0], Real::sqrt(9.0 + 2.25));
    assert_eq!(input.air.horizontal, [("column".to_owned(), 2)]);
    assert_eq!(
        (input.air.vertical, input.air.orientation),
        (["layer".to_owned(), "level".to_owned()], Orientation::BottomFirst)
    );
    assert!(input.air.bad.is_empty());
    let derived = input.air.derived.join("\n");
    for part in
        ["exner = ", "thickness = Rd Tv", "cloud_ice = 0", "wind_speed = wind", "similarity, from wind and fluxes"]
    {
        assert!(derived.contains(part), "{derived}");
    }
    assert!(is_valid(&input.air.columns));
}

/// The scheme's own `z / L` of what is derived fits the friction velocity and the fluxes.
#[test]
fn the_surface_layer_is_consistent() {
    let by_wind = read(surface(air()));
    let s = &by_wind.air.columns;
    for i in 0..2 {
        let roughness = s.roughness_m[i];
        let height = 0.5 * by_wind.air.columns.thickness_m[i];
        let layer = SurfaceLayer { height_m: height, roughness_m: roughness, roughness_heat_m: roughness };
        let zeta = s.richardson[i] * s.profile_momentum[i] * s.profile_momentum[i] / s.profile_heat[i];
        assert!(if i == 0 { zeta < 0.0 } else { zeta > 0.0 });
        close(s.profile_momentum[i], layer.momentum(zeta));
        close(s.profile_heat[i], layer.heat(zeta));
        close(s.friction_velocity_m_per_s[i], 0.4 * s.wind_speed_m_per_s[i] / s.profile_momentum[i]);
        close(s.u_10m_m_per_s[i], by_wind.air.columns.u_m_per_s[i] * layer.ten_metres(zeta));
    }
    // What was derived, given, derives the rest alike.
    let near = |got: &[f64], expected: &[f64]| {
        got.iter().zip(expected).for_each(|(got, expected)| {
            assert!((got / expected - 1.0).abs() < 1e-9, "{got} instead of {expected}");
        });
    };
    for (name, units, values, way) in [
        ("ust(column)", "units=m s-1", &s.friction_velocity_m_per_s, "from friction velocity and fluxes"),
        ("br(column)", "units=1", &s.richardson, "from the bulk Richardson number"),
    ] {
        let input = read(surface(air()).with(name, &[units], values));
        assert!(input.air.derived.join("\n").contains(way), "{:?}", input.air.derived);
        let other = &input.air.columns;
        near(&other.friction_velocity_m_per_s, &s.friction_velocity_m_per_s);
        near(&other.profile_momentum, &s.profile_momentum);
        near(&other.profile_heat, &s.profile_heat);
        near(&other.richardson, &s.richardson);
        near(&other.v_10m_m_per_s, &s.v_10m_m_per_s);
    }
    let given = surface(air())
        .with("br(column)", &["units=1"], &s.richardson)
        .with("psim(column)", &["units=1"], &s.profile_momentum)
        .with("psih(column)", &["units=1"], &s.profile_heat);
    near(&read(given).air.columns.u_10m_m_per_s, &s.u_10m_m_per_s);
}

#[test]
fn a_boundary_layer_height_enhances_the_wind_over_a_warm_surface() {
    let plain = read(surface(air()));
    let enhanced = read(surface(air()).with("pblh(column)", &["units=km"], &[1.0, 0.3]));
    let (plain, enhanced) = (&plain.air.columns, &enhanced.air.columns);
    let flux = 150.0 / 1004.5;
    // Within the density and the moisture.
    let velocity = Real::cbrt(9.81 / 290.0 * flux / 1.2 * 1000.0);
    let got = Real::sqrt(
        enhanced.wind_speed_m_per_s[0] * enhanced.wind_speed_m_per_s[0]
            - plain.wind_speed_m_per_s[0] * plain.wind_speed_m_per_s[0],
    );
    assert!((got / velocity - 1.0).abs() < 0.05, "{got} {velocity}");
    assert_eq!(enhanced.wind_speed_m_per_s[1], plain.wind_speed_m_per_s[1]);
}

#[test]
fn standard_names_units_and_other_variables() {
    let expected = read(surface(air()).with("dz(layer)", &["units=m"], &[300.0, 310.0, 320.0, 330.0, 340.0]));
    let heights = [0.0, 300.0, 610.0, 930.0, 1260.0, 1600.0];
    let exner: Vec<f64> = P.iter().map(|p| Real::powf(p / 1e5, 2.0 / 7.0)).collect();
    let theta: Vec<f64> = T.iter().zip(&exner).map(|(t, exner)| t / exner).collect();
    let make = empty()
        .with("ua(layer, column)", &["units=m/s", "standard_name=eastward_wind"], &U)
        .with("va(layer, column)", &["units=m/s", "standard_name=northward_wind"], &U.map(|u| -0.5 * u))
        .with("pot(layer, column)", &["units=K", "standard_name=air_potential_temperature"], &theta)
        .with("w(layer, column)", &["units=g kg-1", "standard_name=humidity_mixing_ratio"], &QV.map(|q| 1e3 * q))
        .with("pf(layer, column)", &["units=hPa", "standard_name=air_pressure"], &P.map(|p| p / 100.0))
        .with("ph(level, column)", &["units=hPa", "standard_name=air_pressure"], &P_INT.map(|p| p / 100.0))
        .with("interface_height(level)", &["units=km"], &heights.map(|z| 1e-3 * z))
        .with("z0(column)", &["units=cm", "standard_name=surface_roughness_length"], &[10.0, 2.0])
        .with("lsm(column)", &["units=1", "standard_name=land_binary_mask"], &[1.0, 0.0])
        .with("sh(column)", &["units=W m-2", "standard_name=surface_upward_sensible_heat_flux"], &[150.0, -2.5])
        .with("e(column)", &["units=kg m-2 s-1", "standard_name=water_evapotranspiration_flux"], &[5e-5, 1e-5]);
    let got = read(make);
    let close_all = |got: &[f64], expected: &[f64]| {
        assert_eq!(got.len(), expected.len());
        got.iter().zip(expected).for_each(|(got, expected)| close(*got, *expected));
    };
    close_all(&got.air.columns.u_m_per_s, &expected.air.columns.u_m_per_s);
    close_all(&got.air.columns.temperature_k, &expected.air.columns.temperature_k);
    close_all(&got.air.columns.vapour_kg_per_kg, &expected.air.columns.vapour_kg_per_kg);
    close_all(&got.air.columns.thickness_m, &expected.air.columns.thickness_m);
    close_all(&got.air.columns.interface_pressure_pa, &expected.air.columns.interface_pressure_pa);
    assert_eq!(got.air.columns.land_or_water, [1.0, 2.0]);
    close_all(&got.air.columns.roughness_m, &[0.1, 0.02]);
}

#[test]
fn grids_and_times_make_up_the_columns() {
    let make = |dimensions: &[(&'static str, u64)], horizontal: &str| {
        let field = |name: &str| format!("{name}(layer, {horizontal})");
        Make::new(dimensions)
            .with(&field("u"), &["units=m s-1"], &U)
            .with(&field("v"), &["units=m s-1"], &U.map(|u| -0.5 * u))
            .with(&field("t"), &["units=K"], &T)
            .with(&field("qv"), &["units=kg kg-1"], &QV)
            .with(&field("p"), &["units=Pa"], &P)
            .with(&format!("p_int(level, {horizontal})"), &["units=Pa"], &P_INT)
            .with("znt", &["units=m"], &[0.1])
            .with("xland", &["units=1"], &[1.0])
            .with(&format!("hfx({horizontal})"), &["units=W m-2"], &[150.0, -2.5])
            .with("qfx", &["units=kg m-2 s-1"], &[5e-5])
    };
    let vertical = [("layer", N as u64), ("level", N as u64 + 1)];
    let mut all = Vec::new();
    for (dimensions, horizontal, shape) in [
        (&[("column", 2)][..], "column", &[("column", 2)][..]),
        (&[("time", 2)], "time", &[("time", 2), ("column", 1)]),
        (&[("south_north", 1), ("west_east", 2)], "south_north, west_east", &[("south_north", 1), ("west_east", 2)]),
        (&[("lat", 2), ("lon", 1)], "lat, lon", &[("lat", 2), ("lon", 1)]),
        (&[("nCells", 2)], "nCells", &[("nCells", 2)]),
        (&[("Time", 2), ("south_north", 1)], "Time, south_north", &[("Time", 2), ("south_north", 1), ("west_east", 1)]),
    ] {
        let input = read(make(&[dimensions, &vertical].concat(), horizontal));
        let found: Vec<(&str, usize)> = input.air.horizontal.iter().map(|(name, size)| (&**name, *size)).collect();
        assert_eq!(found, shape);
        all.push(input.air.columns);
    }
    assert!(all.windows(2).all(|pair| pair[0] == pair[1]));
    assert_eq!(all[0].roughness_m, [0.1; 2]);
}

/// WRF's own weights between layers, and its two rates of heating.
#[test]
fn wrf_has_weights_and_rates_of_its_own() {
    let mass = "Time, bottom_top, south_north, west_east";
    let field = |name: &str| format!("{name}({mass})");
    let column: Vec<f64> = P.iter().step_by(2).copied().collect();
    let base = |make: Make| {
        make.with(&field("P"), &["units=Pa"], &[0.0; N])
            .with(&field("PB"), &["units=Pa"], &column)
            .with("PH(Time, bottom_top_stag, south_north, west_east)", &["units=m2 s-2"], &[0.0; N + 1])
            .with(
                "PHB(Time, bottom_top_stag, south_north, west_east)",
                &["units=m2 s-2"],
                &[0.0, 3e3, 6e3, 9e3, 12e3, 15e3],
            )
            .with(&field("T"), &["units=K"], &[-5.0, -4.5, -4.0, -3.0, -2.0])
            .with(&field("QVAPOR"), &["units=kg kg-1"], &[0.005; N])
            .with("U(Time, bottom_top, south_north, west_east_stag)", &["units=m s-1"], &[4.0, 6.0].repeat(N))
            .with("V(Time, bottom_top, south_north_stag, west_east)", &["units=m s-1"], &[1.0, 2.0].repeat(N))
            .with("PSFC(Time, south_north, west_east)", &["units=Pa"], &[99_500.0])
            .with("ZNT(Time, south_north, west_east)", &["units=m"], &[0.1])
            .with("XLAND(Time, south_north, west_east)", &["units="], &[1.0])
            .with("HFX(Time, south_north, west_east)", &["units=W m-2"], &[100.0])
            .with("QFX(Time, south_north, west_east)", &["units=kg m-2 s-1"], &[0.0])
            .with("RTHRATEN(Time, bottom_top, south_north, west_east)", &["units=Pa K s-1"], &[9.0; N])
            .with(&field("RTHRATLW"), &["units=K s-1"], &[-3e-5; N])
            .with(&field("RTHRATSW"), &["units=K s-1"], &[1e-5; N])
    };
    let dimensions = [
        ("Time", 1),
        ("bottom_top", N as u64),
        ("bottom_top_stag", N as u64 + 1),
        ("south_north", 1),
        ("south_north_stag", 2),
        ("west_east", 1),
        ("west_east_stag", 2),
    ];
    let top_down = Options { top_down: true, ..options() };
    let input = try_read(base(Make::new(&dimensions)), &top_down, false).unwrap();
    let air = &input.air.columns;
    assert_eq!((&air.u_m_per_s[..], &air.v_m_per_s[..]), (&[5.0; N][..], &[1.5; N][..]));
    assert_eq!(air.radiative_heating_k_per_s, [-3e-5 + 1e-5; N]);
    close(air.temperature_k[1], 295.5 * Real::powf(column[1] / 1e5, 2.0 / 7.0));
    close(air.thickness_m[3], 3e3 / 9.81);
    assert_eq!(input.air.columns.interface_pressure_pa[0], 99_500.0);
    close(input.air.columns.interface_pressure_pa[1], 0.5 * (column[0] + column[1]));
    assert_eq!(input.air.vertical, ["bottom_top", "bottom_top_stag"]);
    let weighted = base(Make::new(&dimensions))
        .with("FNM(Time, bottom_top)", &["units="], &[0.0, 0.25, 0.5, 0.5, 0.5])
        .with("FNP(Time, bottom_top)", &["units="], &[0.0, 0.75, 0.5, 0.5, 0.5]);
    close(read(weighted).air.columns.interface_pressure_pa[1], 0.25 * column[1] + 0.75 * column[0]);
    // A face too few.
    let mut dimensions = dimensions;
    dimensions[6] = ("west_east_stag", 2);
    dimensions[5] = ("west_east", 1);
    assert!(try_read(base(Make::new(&dimensions)), &options(), false).is_ok());
}

#[test]
fn bad_columns_have_a_status_and_a_reason() {
    let mut t = T;
    t[5] = f64::NAN;
    let make = || {
        empty()
            .with("u(layer, column)", &["units=m s-1"], &U)
            .with("v(layer, column)", &["units=m s-1"], &U)
            .with("t(layer, column)", &["units=K"], &t)
            .with("qv(layer, column)", &["units=kg kg-1"], &QV)
            .with("p(layer, column)", &["units=Pa"], &P)
            .with("p_int(level, column)", &["units=Pa"], &P_INT)
    };
    let text = "t = NaN K at layer 2, column 1 lies outside [100, 400]";
    assert_eq!(try_read(surface(make()), &options(), false).unwrap_err(), format!("in.nc: {text}"));
    let input = try_read(surface(make()), &options(), true).unwrap();
    assert_eq!((input.air.bad.len(), input.air.bad[0].column, input.air.bad[0].status), (1, 1, Status::NOT_FINITE));
    assert_eq!(input.air.bad[0].text, text);
    // The other stands in for it.
    assert!(input.air.columns.u_m_per_s.chunks(2).all(|row| row[0] == row[1]));
    assert!(is_valid(&input.air.columns));
}

/// Levels in one group and the surface in another, or in a group of that.
#[test]
fn variables_of_groups_are_found() {
    let expected = read(surface(air()));
    let group = |make: Make| {
        make.with("levels/u(layer, column)", &["units=m s-1"], &U)
            .with("levels/v(layer, column)", &["units=m s-1"], &U.map(|u| -0.5 * u))
            .with("levels/state/t(layer, column)", &["units=K"], &T)
            .with("levels/state/qv(layer, column)", &["units=kg kg-1"], &QV)
            .with("levels/p(layer, column)", &["units=Pa"], &P)
            .with("levels/p_int(level, column)", &["units=Pa"], &P_INT)
    };
    let found = read(surface(group(empty())));
    assert_eq!(found.air.columns, expected.air.columns);
    // The root's wins; of two groups nobody knows.
    let root = surface(group(empty())).with("t(layer, column)", &["units=K"], &T.map(|t| t + 1.0));
    assert_eq!(read(root).air.columns.temperature_k, T.map(|t| t + 1.0));
    let two = || surface(group(empty())).with("forecast/t(layer, column)", &["units=K"], &T.map(|t| t + 1.0));
    let text = try_read(two(), &options(), false).unwrap_err();
    let expected = "in.nc: both /forecast/t and /levels/state/t could be temperature; call one of them temperature";
    assert!(text.starts_with(expected), "{text}");
    for name in ["/forecast/t", "forecast/t"] {
        let (_folder, path) = two().save(NcWriteFormat::Nc4);
        let names = [("temperature".to_owned(), name.to_owned())];
        let request = BoundaryLayerRequest { names: &names, ..BoundaryLayerRequest::default() };
        let input = read_boundary_layer_files(&[path], &options(), &request).unwrap();
        assert_eq!(input.air.columns.temperature_k, T.map(|t| t + 1.0));
    }
    // Of one name in two groups, found by its standard name.
    let standard = ["units=K", "standard_name=air_temperature"];
    let mut make = surface(air_without("t"));
    for group in ["one", "two"] {
        make = make.with(&format!("{group}/temp_of_air(layer, column)"), &standard, &T);
    }
    let text = try_read(make, &options(), false).unwrap_err();
    assert!(text.contains("both /one/temp_of_air and /two/temp_of_air could be temperature"), "{text}");
}

#[test]
fn stated_and_real_orientation_have_to_agree() {
    let refused = |make: Make| try_read(make, &options(), false).unwrap_err();
    let text = refused(surface(air()).global("orientation", "top_first"));
    let expected = "in.nc: attribute orientation = \"top_first\" says that index 0 is the top, but p_int falls with \
                    the index, from the bottom";
    assert_eq!(text, expected);
    let stated = surface(air()).global("orientation", "bottom_first");
    assert_eq!(read(stated).air.columns, read(surface(air())).air.columns);
}
