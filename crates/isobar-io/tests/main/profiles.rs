//! Atmospheres and observations of many profiles in NetCDF, as JURASSIC of 2026 has them.

mod grid;
mod matrices;
mod packed;

use std::path::{Path, PathBuf};

use crate::common::{control, file, message};
use isobar_io::{
    Control, Observation, ProfileMeaning, atmosphere_remarks, observation_remark, read_atmosphere,
    read_atmospheres_netcdf, read_observation, read_observations_netcdf, write_atmospheres_netcdf,
    write_observations_netcdf,
};
use isobar_raytrace::{Atmosphere, CloudLayer, Position, Ray, SurfaceLayer};
use netcdf_writer::{NcAttrValue, NcFileBuilder, NcWriteFormat, NcWriteOptions};
use tempfile::TempDir;

const KEYS: [(&str, &str); 12] = [
    ("NG", "1"),
    ("EMITTER[0]", "CO2"),
    ("ND", "2"),
    ("NU[0]", "792"),
    ("NU[1]", "832.5"),
    ("NCL", "2"),
    ("CLNU[0]", "700"),
    ("CLNU[1]", "900"),
    ("NSF", "2"),
    ("SFNU[0]", "600"),
    ("SFNU[1]", "900"),
    ("PROF_IN", "1"),
];

/// Numbers of a third, whose last bits count.
fn atmosphere(levels: usize) -> Atmosphere {
    let profile = |f: &dyn Fn(f64) -> f64| (0..levels).map(|i| f(i as f64)).collect::<Vec<f64>>();
    Atmosphere {
        horizontal: isobar_raytrace::Horizontal::Uniform,
        time_s: profile(&|_| 1e8 / 3.0),
        height_km: profile(&|i| 0.1 + i / 3.0),
        longitude_deg: profile(&|i| i / 3.0),
        latitude_deg: profile(&|i| -i / 7.0),
        pressure_hpa: profile(&|i| 1000.0 / (1.0 + i / 3.0)),
        temperature_k: profile(&|i| 280.0 - i / 3.0),
        mixing_ratio: vec![profile(&|i| 4e-4 / (3.0 + i))],
        extinction_per_km: vec![profile(&|i| 1e-3 / (3.0 + i))],
        cloud: Some(CloudLayer { height_km: 1.0 / 3.0, depth_km: 2.0 / 3.0, extinction_per_km: vec![0.1 / 3.0, 0.2] }),
        surface: Some(SurfaceLayer {
            height_km: 0.1,
            pressure_hpa: 0.0,
            temperature_k: 870.0 / 3.0,
            emissivity: vec![2.8 / 3.0, 0.9],
        }),
    }
}

fn observation(rays: usize) -> Observation {
    let at = |height_km, i: usize| Position { height_km, longitude_deg: i as f64 / 3.0, latitude_deg: 0.7 };
    let ray = |i: usize| Ray { time_s: 10.0, observer: at(780.0, i), view_point: at(i as f64 / 3.0, i) };
    Observation {
        rays: (0..rays).map(ray).collect(),
        tangent_points: (0..rays).map(|i| at(0.3, i)).collect(),
        radiance: (0..2 * rays).map(|i| 0.01 / (3.0 + i as f64)).collect(),
        transmittance: (0..2 * rays).map(|i| 1.0 / (3.0 + i as f64)).collect(),
    }
}

fn path(name: &str) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    (folder, path)
}

#[test]
fn atmospheres_keep_every_bit() {
    let (control, (_folder, path)) = (control(&KEYS), path("atm.nc"));
    let (long, short) = (atmosphere(5), atmosphere(3));
    write_atmospheres_netcdf(&path, &control, &[Some(&long), Some(&short), None], ProfileMeaning::Values).unwrap();
    assert_eq!(read_atmosphere(&path, &control).unwrap(), short);
    assert_eq!(read_atmospheres_netcdf(&path, &control, Some(&[0, 1, 0])).unwrap(), [long.clone(), short, long]);
    let empty = message(read_atmospheres_netcdf(&path, &control, None), &path);
    assert_eq!(empty, "atm.nc: profile 2 has no entries");
    // Profiles of a track have one cloud and one surface.
    let mut other = atmosphere(3);
    other.surface.as_mut().unwrap().temperature_k += 1.0;
    let (_another, two) = self::path("two.nc");
    write_atmospheres_netcdf(&two, &control, &[Some(&atmosphere(5)), Some(&other)], ProfileMeaning::Values).unwrap();
    let mut track = control.clone();
    track.horizontal = isobar_raytrace::Horizontal::Track;
    let refused = message(read_atmosphere(&two, &track), &two);
    assert!(refused.contains("profile 1 has another cloud or surface than profile 0"), "{refused}");
    let absent = message(read_atmospheres_netcdf(&path, &control, Some(&[3])), &path);
    assert_eq!(absent, "atm.nc: there is no profile 3: the file has 3, counted from 0");
}

/// Three profiles with levels, of which one is read, and an empty one, which nobody misses.
#[test]
fn profiles_and_variables_that_are_left_out_are_said() {
    let (named, (folder, path)) = (control(&KEYS), path("atm.nc"));
    let air = atmosphere(3);
    let all = [Some(&air), Some(&air), None, Some(&air)];
    write_atmospheres_netcdf(&path, &named, &all, ProfileMeaning::Values).unwrap();
    let seen = observation(2);
    let rays = folder.path().join("obs.nc");
    write_observations_netcdf(&rays, &named, &[Some(&seen), Some(&seen)]).unwrap();
    // Who names a profile knows.
    assert_eq!((atmosphere_remarks(&path, &named), observation_remark(&rays, &named)), (Vec::new(), None));
    let of = |name: &str, count: usize, all: usize| {
        let place = folder.path().join(name);
        let place = place.display();
        format!("{place}: {count} of {all} profiles are left out: PROF_IN names the one that is read, 0 by default")
    };
    let first = without_cloud();
    let place = path.display();
    let unread = format!(
        "{place}: not read: cld_z, cld_dz, cld_k_700.0000, cld_k_900.0000 (EMITTER, NW, NCL and NSF say what is)"
    );
    let left_out = format!("{}; IP = 2 takes all for a track", of("atm.nc", 2, 3));
    assert_eq!(atmosphere_remarks(&path, &first), [unread.clone(), left_out]);
    assert_eq!(observation_remark(&rays, &first), Some(of("obs.nc", 1, 2)));
    let mut track = first.clone();
    track.horizontal = isobar_raytrace::Horizontal::Track;
    assert_eq!(atmosphere_remarks(&path, &track), [unread]);
}

#[test]
fn observations_keep_every_bit() {
    let (control, (_folder, path)) = (control(&KEYS), path("obs.nc"));
    let (few, many) = (observation(1), observation(4));
    write_observations_netcdf(&path, &control, &[Some(&few), Some(&many)]).unwrap();
    assert_eq!(read_observation(&path, &control).unwrap(), many);
    assert_eq!(read_observations_netcdf(&path, &control, None).unwrap(), [few, many]);
    let none = write_observations_netcdf(&path, &control, &[None]).unwrap_err().to_string();
    assert!(none.ends_with("there is no ray to write"), "{none}");
}

/// Another unit and other values of a variable.
type Change<'a> = &'a dyn Fn(&str) -> Option<(&'static str, [f64; 2])>;

/// A file as JURASSIC's own writer makes it: an unlimited dimension, two levels, one profile.
fn jurassic(change: Change<'_>, skip: &str) -> (TempDir, PathBuf) {
    let mut builder = NcFileBuilder::new();
    let profile = builder.add_unlimited_dimension("profile").unwrap();
    let level = builder.add_dimension("level", 2).unwrap();
    let count = builder.add_variable::<i32>("nlev", &[profile]).unwrap();
    let levels = change("nlev").map_or(2, |(_, [levels, _])| levels as i32);
    builder.write_variable(count, &[levels]).unwrap();
    for (name, unit, values) in [
        ("time", "s", [0.0, 0.0]),
        ("z", "km", [0.0, 80.0]),
        ("lon", "degrees_east", [0.0, 0.0]),
        ("lat", "degrees_north", [0.0, 0.0]),
        ("p", "hPa", [1013.25, 0.01]),
        ("t", "K", [288.0, 200.0]),
        ("CO2", "ppv", [4e-4, 4e-4]),
        ("ext_win_0", "km**-1", [0.0, 0.0]),
    ] {
        if name == skip {
            continue;
        }
        let (unit, values) = change(name).unwrap_or((unit, values));
        let variable = builder.add_variable::<f64>(name, &[profile, level]).unwrap();
        builder.add_variable_attribute(variable, "units", NcAttrValue::Chars(unit.into())).unwrap();
        builder.write_variable(variable, &values).unwrap();
    }
    for (name, value) in [("srf_t", 290.0), ("srf_eps_600.0000", 0.9), ("srf_eps_900.0000", 0.8)] {
        let variable = builder.add_variable::<f64>(name, &[profile]).unwrap();
        builder.write_variable(variable, &[value]).unwrap();
    }
    file(builder.to_vec(NcWriteOptions { format: NcWriteFormat::Nc4 }).unwrap().1, "j.nc")
}

/// The keys without a cloud, of the first profile.
fn without_cloud() -> Control {
    let keys: Vec<_> = KEYS.into_iter().filter(|(key, _)| !key.contains("CL") && *key != "PROF_IN").collect();
    control(&keys)
}

#[test]
fn a_ground_of_jurassic_is_the_lowest_level() {
    let (_folder, path) = jurassic(&|_| None, "");
    let atmosphere = read_atmosphere(&path, &without_cloud()).unwrap();
    let surface = atmosphere.surface.expect("one");
    assert_eq!((surface.height_km, surface.pressure_hpa, surface.temperature_k), (0.0, 0.0, 290.0));
    assert_eq!(surface.emissivity, [0.9, 0.8]);
    assert_eq!(atmosphere.pressure_hpa, [1013.25, 0.01]);
}

#[test]
fn refusals_name_variable_profile_and_value() {
    let control = without_cloud();
    let refused = |change: Change<'_>, skip| {
        let (_folder, path) = jurassic(change, skip);
        message(read_atmosphere(&path, &control), &path)
    };
    assert_eq!(refused(&|_| None, "CO2"), "j.nc: variable CO2 is missing");
    assert_eq!(refused(&|_| None, "time"), "j.nc: variable time is missing");
    let unit = refused(&|name| (name == "p").then_some(("Pa", [1e5, 1.0])), "");
    assert_eq!(unit, "j.nc: p: units \"Pa\", expected \"hPa\"");
    let value = refused(&|name| (name == "t").then_some(("K", [288.0, -1.0])), "");
    assert_eq!(value, "j.nc: t, profile 0: temperature -1 K of level 1 lies outside (0, 1000]");
    let order = refused(&|name| (name == "z").then_some(("km", [1.0, 1.0])), "");
    assert!(order.starts_with("j.nc: profile 0: altitude 1 km of level 1 is that of level 0"), "{order}");
    for levels in [3.0, -1.0] {
        let count = refused(&|name| (name == "nlev").then_some(("1", [levels; 2])), "");
        assert_eq!(count, format!("j.nc: profile 0 has no entries: its nlev = {levels} lies outside [1, 2]"));
    }
    // Cut short anywhere, a file is one error.
    let (_folder, path) = jurassic(&|_| None, "");
    let whole = std::fs::read(&path).unwrap();
    for length in (4..whole.len()).step_by(211) {
        let (_folder, path) = file(&whole[..length], "j.nc");
        assert!(read_atmosphere(Path::new(&path), &control).is_err(), "{length}");
    }
}

/// As JURASSIC of 2026 names them; early in that year it called them radiances, in K.
#[test]
fn brightness_temperatures_have_a_name_of_their_own() {
    let keys: Vec<(&str, &str)> = KEYS.iter().copied().chain([("WRITE_BBT", "1")]).collect();
    let control = control(&keys);
    let (_folder, path) = path("obs.nc");
    let one = observation(3);
    write_observations_netcdf(&path, &control, &[Some(&one)]).unwrap();
    let bytes = std::fs::read(&path).unwrap();
    let holds = |name: &[u8]| bytes.windows(name.len()).any(|window| window == name);
    assert!(holds(b"bt_792.0000") && holds(b"bt_832.5000") && !holds(b"rad_792.0000"));
    assert_eq!(read_observations_netcdf(&path, &control, None).unwrap(), std::slice::from_ref(&one));
    // Names are padded to 4 bytes: another letter has room.
    let mut old = bytes;
    for (new, name) in [
        (&b"\0\0\0\x0bbt_792.0000\0"[..], b"\0\0\0\x0crad_792.0000"),
        (b"\0\0\0\x0bbt_832.5000\0", b"\0\0\0\x0crad_832.5000"),
    ] {
        let at = old.windows(new.len()).position(|window| window == new).unwrap();
        old[at..at + new.len()].copy_from_slice(name);
    }
    std::fs::write(&path, old).unwrap();
    assert_eq!(read_observations_netcdf(&path, &control, None).unwrap(), [one]);
}
