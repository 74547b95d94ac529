//! Profiles for the adding method from NetCDF files: the ways in which a file can say what it has.

use crate::common::message;
use crate::common::netcdf::Make;
use isobar_adding::clear_sky::{Options, Profiles, Reflection};
use isobar_core::fields::{ANGLE, LAYER};
use isobar_ega::planck;
use isobar_io::netcdf::Orientation;
use isobar_io::{AddingInput, AddingOptions, Error, SurfaceKind, read_adding};
use netcdf_writer::NcWriteFormat::{Classic, Nc4};

const MILLI: &str = "units=mW m-2 sr-1 cm";
const ONE: &str = "units=1";
const DEPTH: [f64; 6] = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6];
const PLANCK: [f64; 6] = [40., 41., 70., 71., 100., 101.];
const SURFACE: [f64; 2] = [110., 111.];

/// Three layers, two profiles, three angles: as many angles as layers, more than profiles.
fn empty() -> Make {
    Make::new(&[("layer", 3), ("level", 4), ("profile", 2), ("angle", 3)])
}

fn depths() -> Make {
    empty().with("optical_depth(layer, profile)", &[ONE], &DEPTH)
}

fn angles(make: Make) -> Make {
    make.with("cosine(angle)", &[ONE], &[1.0, 0.6, 0.3]).with("emissivity", &[ONE], &[0.9])
}

fn sources(make: Make) -> Make {
    make.with("planck_radiance(layer, profile)", &[MILLI], &PLANCK).with("surface_planck(profile)", &[MILLI], &SURFACE)
}

fn try_read(make: Make, options: AddingOptions) -> Result<AddingInput, String> {
    let (_folder, path) = make.save(Nc4);
    match read_adding(&path, &options) {
        Ok(input) => Ok(input),
        error @ Err(Error::Invalid { .. } | Error::OutOfRange { .. }) => Err(message(error, &path)),
        Err(other) => panic!("{other}"),
    }
}

fn read(make: Make) -> AddingInput {
    try_read(make, AddingOptions::default()).unwrap()
}

fn refused(make: Make) -> String {
    try_read(make, AddingOptions::default()).unwrap_err()
}

const LINEAR: AddingOptions = AddingOptions { surface: SurfaceKind::Specular, linear_source: true };

#[test]
fn all_is_as_in_the_file() {
    let input = read(angles(sources(depths())));
    let expected = Profiles {
        optical_depth: DEPTH.into(),
        planck_radiance: PLANCK.into(),
        surface_planck_radiance: SURFACE.into(),
        emissivity: vec![0.9; 6],
        cosmic_background: vec![0.0; 2],
        ..Profiles::default()
    };
    assert_eq!(input.profiles, expected);
    assert_eq!(input.options, Options::new(&[1.0, 0.6, 0.3]));
    assert_eq!((input.extents.items(), input.extents.size(LAYER), input.extents.size(ANGLE)), (2, 3, 3));
    assert_eq!((input.orientation, input.radiance_unit), (Orientation::TopFirst, "mW m-2 sr-1 cm"));
    assert_eq!(input.wavenumber_per_cm, None);
}

#[test]
fn radiances_are_converted_to_the_unit_of_their_kind() {
    let read_in = |units: &str, surface: &str| {
        let make = depths().with("planck_radiance(layer, profile)", &[units], &PLANCK);
        read(angles(make.with("surface_planck(profile)", &[surface], &SURFACE)))
    };
    let watts = read_in("units=W m-2 sr-1 cm", MILLI);
    assert_eq!(watts.radiance_unit, "mW m-2 sr-1 cm");
    assert_eq!(watts.profiles.planck_radiance, PLANCK.map(|b| 1e3 * b));
    assert_eq!(watts.profiles.surface_planck_radiance, SURFACE);
    for (units, unit, factor) in [
        ("units=W m-2 sr-1", "W m-2 sr-1", 1.0),
        ("units=mW m-2 sr-1", "W m-2 sr-1", 1e-3),
        ("units=W/(m2 sr um)", "W m-2 sr-1 um-1", 1.0),
        ("units=W m-2 sr-1 Hz-1", "W m-2 sr-1 Hz-1", 1.0),
    ] {
        let input = read_in(units, units);
        assert_eq!(input.radiance_unit, unit);
        for (got, expected) in input.profiles.surface_planck_radiance.iter().zip(SURFACE) {
            assert!((got - factor * expected).abs() <= 1e-15 * expected, "{units}: {got}");
        }
    }
}

#[test]
fn temperatures_stand_for_radiances_at_a_wavenumber() {
    let nu = 900.0;
    let kelvin = [220., 221., 250., 251., 280., 281.];
    let make = |surface: [f64; 2]| {
        angles(depths())
            .with("temperature(layer, profile)", &["units=K"], &kelvin)
            .with("surface_temperature(profile)", &["units=degC"], &surface)
            .with("wavenumber", &["units=m-1"], &[100.0 * nu])
    };
    let message = refused(make([10.0, 1e6]));
    assert!(message.contains("surface_temperature") && message.contains("[100, 400]"), "{message}");
    let input = read(make([10.0, 20.0]));
    let milliwatts = |t: f64| 1e3 * planck::radiance(t, nu);
    assert_eq!(input.profiles.planck_radiance, kelvin.map(milliwatts));
    assert_eq!(input.profiles.surface_planck_radiance, [283.15, 293.15].map(milliwatts));
    assert_eq!(input.profiles.cosmic_background, [milliwatts(2.7255); 2]);
    assert_eq!((input.radiance_unit, input.wavenumber_per_cm), ("mW m-2 sr-1 cm", Some(nu)));
    // 280 K by Planck's law with the constants of 2019; JURASSIC's are older.
    let values = &input.profiles.planck_radiance;
    assert!((values[4] - 85.996_261).abs() < 1e-3, "{}", values[4]);
}

#[test]
fn zenith_angles_stand_for_cosines() {
    let at = |units: &str, angles: [f64; 3]| {
        let make = sources(depths()).with("emissivity", &[ONE], &[0.9]);
        try_read(make.with("zenith_angle(angle)", &[units], &angles), AddingOptions::default())
    };
    for cosine in [
        at("units=degree", [0.0, 60.0, 89.9]).unwrap().options.cosine,
        at("units=rad", [0.0, 60.0, 89.9].map(f64::to_radians)).unwrap().options.cosine,
    ] {
        for (got, expected) in cosine.iter().zip([1.0, 0.5, 0.001_745_328_365_898_309]) {
            assert!((got - expected).abs() < 1e-15, "{got}");
        }
    }
    // CF's names of the direction to who looks, whatever the variable is called.
    for standard in ["sensor_zenith_angle", "platform_zenith_angle"] {
        let named = format!("standard_name={standard}");
        let make = sources(depths()).with("emissivity", &[ONE], &[0.9]);
        let input = read(make.with("vz(angle)", &["units=degree", &named], &[0.0, 60.0, 80.0]));
        assert!((input.options.cosine[1] - 0.5).abs() < 1e-15, "{standard}");
    }
    let expected = "in.nc: zenith_angle = 90 degree at angle 2 lies outside [0, 90)";
    assert_eq!(at("units=degree", [0.0, 60.0, 90.0]).unwrap_err(), expected);
    assert!(at("units=degree", [-1.0, 60.0, 80.0]).unwrap_err().contains("zenith_angle = -1 degree at angle 0"));
}

#[test]
fn emissivity_is_repeated_along_what_it_leaves_out() {
    let of = |what: &str, values: &[f64]| {
        let make = sources(depths()).with("cosine(angle)", &[ONE], &[1.0, 0.6, 0.3]);
        read(make.with(what, &[ONE], values)).profiles.emissivity
    };
    // [angle * profiles + profile]
    assert_eq!(of("emissivity", &[0.9]), [0.9; 6]);
    assert_eq!(of("emissivity(profile)", &[0.8, 0.9]), [0.8, 0.9, 0.8, 0.9, 0.8, 0.9]);
    assert_eq!(of("emissivity(angle)", &[0.7, 0.8, 0.9]), [0.7, 0.7, 0.8, 0.8, 0.9, 0.9]);
    let both = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6];
    assert_eq!(of("emissivity(angle, profile)", &both), both);
    assert_eq!(of("emissivity(profile, angle)", &both), [0.1, 0.4, 0.2, 0.5, 0.3, 0.6]);
    assert_eq!(of("emis(profile)", &[0.8, 0.9]), [0.8, 0.9, 0.8, 0.9, 0.8, 0.9]);
}

#[test]
fn one_value_can_hold_for_all_profiles() {
    let make = angles(depths().with("planck_radiance(layer, profile)", &[MILLI], &PLANCK));
    let make = make.with("surface_planck", &[MILLI], &[110.0]).with("cosmic_background", &[MILLI], &[0.5]);
    let profiles = read(make).profiles;
    assert_eq!((profiles.surface_planck_radiance, profiles.cosmic_background), (vec![110.0; 2], vec![0.5; 2]));
}

#[test]
fn a_linear_source_takes_the_levels() {
    let levels = [40., 41., 60., 61., 80., 81., 100., 101.];
    let make = || angles(sources(depths())).with("planck_radiance_level(level, profile)", &[MILLI], &levels);
    let source = |make| try_read(make, LINEAR).unwrap().profiles.planck_radiance_level;
    assert_eq!(source(make()), levels);
    assert_eq!(read(make()).profiles.planck_radiance, PLANCK);
    let turned = [100., 101., 80., 81., 60., 61., 40., 41.];
    assert_eq!(source(make().global("orientation", "bottom_first")), turned);

    let kelvin = [210., 211., 230., 231., 250., 251., 270., 271.];
    let make = angles(depths())
        .with("temperature_level(level, profile)", &["units=K"], &kelvin)
        .with("surface_temperature", &["units=K"], &[280.])
        .with("wavenumber", &["units=cm-1"], &[900.]);
    let expected = kelvin.map(|t| 1e3 * planck::radiance(t, 900.0));
    assert_eq!(source(make), expected);
}

#[test]
fn layers_are_turned_and_nothing_else() {
    let input = read(angles(sources(depths())).global("positive", "up"));
    assert_eq!(input.orientation, Orientation::BottomFirst);
    assert_eq!(input.profiles.optical_depth, vec![0.5, 0.6, 0.3, 0.4, 0.1, 0.2]);
    assert_eq!(input.profiles.planck_radiance, vec![100., 101., 70., 71., 40., 41.]);
    assert_eq!(input.profiles.surface_planck_radiance, SURFACE);
}

/// `[layer, angle, profile]`.
fn shares() -> Vec<f64> {
    (0..18).map(|i| f64::from(i) / 17.0).collect()
}

#[test]
fn transmittances_stand_for_optical_depths() {
    let make = || angles(sources(empty())).with("transmittance(layer, angle, profile)", &[ONE], &shares());
    assert_eq!(read(make()).profiles.transmittance, shares());
    let turned: Vec<f64> = shares().chunks(6).rev().flatten().copied().collect();
    let input = read(make().global("orientation", "bottom_first"));
    assert_eq!(input.profiles.transmittance, turned);
    // The order of the reference: profile, layer, angle.
    let make = angles(sources(empty())).with("layer_trans(profile, layer, angle)", &[ONE], &shares());
    let values = read(make).profiles.transmittance;
    assert_eq!((values[0], values[1], values[2]), (0.0, 9.0 / 17.0, 1.0 / 17.0));
    // Where there are both, optical depths count.
    let make = angles(sources(depths())).with("transmittance(layer, angle, profile)", &[ONE], &shares());
    assert_eq!(read(make).profiles.optical_depth, DEPTH);

    let make = angles(sources(empty())).with("transmittance(layer, angle, profile)", &[ONE], &[1.1; 18]);
    let expected = "in.nc: transmittance = 1.1 at layer 0, angle 0, profile 0 lies outside [0, 1]";
    assert_eq!(refused(make), expected);
    let make = angles(sources(empty())).with("transmittance(layer, angle, profile)", &[ONE], &shares());
    let make = make.with("planck_radiance_level(level, profile)", &[MILLI], &[1.0; 8]);
    assert!(try_read(make, LINEAR).unwrap_err().contains("needs optical depths, not transmittances"));
}

#[test]
fn sunlight_is_read_where_there_is_irradiance() {
    let flux = |make: Make| make.with("sun_irradiance", &["units=W m-2 cm"], &[0.25]);
    let sun = |make: Make| flux(make).with("sun_reflectivity(angle)", &[ONE], &[0.1, 0.2, 0.3]);
    let make = || angles(sources(depths()));
    assert!(read(make().with("sun_cosine", &[ONE], &[0.5])).profiles.sun_cosine.is_empty());
    let input = read(sun(make()).with("sun_cosine(profile)", &[ONE], &[0.5, -0.25]));
    assert_eq!(input.profiles.sun_cosine, [0.5, -0.25]);
    assert_eq!(input.profiles.sun_irradiance, [250.0; 2]);
    assert_eq!(input.profiles.sun_reflectivity, [0.1, 0.1, 0.2, 0.2, 0.3, 0.3]);
    let input = read(sun(make()).with("solar_zenith_angle(profile)", &["units=degree"], &[60.0, 180.0]));
    let cosine = input.profiles.sun_cosine;
    assert!((cosine[0] - 0.5).abs() < 1e-15 && cosine[1] == -1.0, "{cosine:?}");

    assert!(refused(sun(make())).contains("sun_cosine(profile) in \"1\" is missing"));
    assert!(refused(flux(make()).with("sun_cosine", &[ONE], &[0.5])).contains("sun_reflectivity(angle, profile)"));
    let expected = "in.nc: sun_cosine = 1.5 at profile 1 lies outside [-1, 1]";
    assert_eq!(refused(sun(make()).with("sun_cosine(profile)", &[ONE], &[0.5, 1.5])), expected);
    let expected = "in.nc: solar_zenith_angle = 181 degree lies outside [0, 180]";
    assert_eq!(refused(sun(make()).with("solar_zenith_angle", &["units=degree"], &[181.0])), expected);
}

#[test]
fn surfaces_reflect_as_asked() {
    let make = || angles(sources(depths())).with("weight(angle)", &[ONE], &[0.0, 0.5, 0.5]);
    let reflection = |surface| {
        let options = AddingOptions { surface, linear_source: false };
        try_read(make(), options).unwrap().options.reflection
    };
    assert_eq!(reflection(SurfaceKind::Black), Reflection::None);
    assert_eq!(reflection(SurfaceKind::Specular), Reflection::Specular);
    assert_eq!(reflection(SurfaceKind::Lambertian), Reflection::Lambertian { weight: vec![0.0, 0.5, 0.5] });
}

/// What is along latitudes alone is not repeated to what a damaged header says of a grid.
#[test]
fn the_file_is_as_long_as_its_grid() {
    let make = Make::new(&[("layer", 3), ("lat", 2), ("lon", 3), ("angle", 3)])
        .with("optical_depth(layer, lat)", &[ONE], &DEPTH)
        .with("planck_radiance(layer, lat, lon)", &[MILLI], &[50.0; 18])
        .with("surface_planck(lat, lon)", &[MILLI], &[110.0; 6]);
    let (_folder, path) = angles(make).save(Classic);
    assert_eq!(read_adding(&path, &AddingOptions::default()).unwrap().profiles.optical_depth.len(), 18);
    let mut bytes = std::fs::read(&path).unwrap();
    let lon = bytes.windows(8).position(|window| window == b"lon\0\0\0\0\x03").unwrap();
    bytes[lon + 4..lon + 8].copy_from_slice(&(1_u32 << 30).to_be_bytes());
    std::fs::write(&path, &bytes).unwrap();
    let expected =
        format!("in.nc: planck_radiance: {} bytes cannot hold its values along lat = 2, lon = 1073741824", bytes.len());
    assert_eq!(message(read_adding(&path, &AddingOptions::default()), &path), expected);
}
