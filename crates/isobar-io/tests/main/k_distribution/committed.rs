//! The k-distributions in `data/radiation` are ecCKD's, their tables of clouds averages of ecRad's.

use std::path::{Path, PathBuf};

use isobar_io::netcdf::Dataset;
use isobar_io::{read_cloud_tables, read_scattering_table};
use isobar_optics::CloudTables;

use super::ecckd::FILES;
use super::read_ecckd;
use super::scattering::{DROPLETS, ICE};

/// Among the reference's files or not.
const RAIN: &str = "ecckd/mie_rain_scattering.nc";

const COMMITTED: [(&str, &str); 2] = [("ecckd-longwave-32.nc", FILES[0]), ("ecckd-shortwave-32.nc", FILES[2])];

const CLOUDS: [&str; 2] = ["ecckd-longwave-32-clouds.nc", "ecckd-shortwave-32-clouds.nc"];

fn committed(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/radiation").join(name)
}

#[test]
fn they_have_the_values_of_the_originals() {
    let Some(folder) = isobar_golden::find("rrtmgp") else { return };
    for (name, original) in COMMITTED {
        assert!(read_ecckd(&committed(name)) == read_ecckd(&folder.join(original)), "{name}");
    }
}

#[test]
fn clouds_are_averages() {
    let Some(folder) = isobar_golden::find("rrtmgp") else { return };
    let [liquid, ice] = [DROPLETS, ICE].map(|name| read_scattering_table(&folder.join(name)).unwrap());
    for ((model, _), clouds) in COMMITTED.iter().zip(CLOUDS) {
        let model = read_ecckd(&committed(model));
        let mut averages = CloudTables::averaged(&model, &liquid, &ice).unwrap();
        let mut found = read_cloud_tables(&committed(clouds)).unwrap();
        let rain = folder.join(RAIN);
        if rain.exists() {
            averages = averages.with_rain(&model, &read_scattering_table(&rain).unwrap()).unwrap();
        } else {
            found.rain = None;
        }
        assert!(found == averages, "{clouds}");
    }
}

#[test]
fn clouds_are_plausible() {
    for ((model, _), clouds) in COMMITTED.iter().zip(CLOUDS) {
        let (model, tables) = (read_ecckd(&committed(model)), read_cloud_tables(&committed(clouds)).unwrap());
        assert_eq!((tables.spectral, tables.by_point, tables.ice.len()), (model.points, true, 1));
        assert_eq!((tables.liquid.size_um, tables.ice[0].size_um), ([1.0, 50.0], [10.0, 120.0]));
        let rain = tables.rain.as_ref().expect("there is rain");
        assert!(rain.size_um == [25.0, 3000.0] && tables.snow.is_none());
        for (table, nodes, density) in [(&tables.liquid, 50, 1.0), (&tables.ice[0], 23, 0.917), (rain, 120, 1.0)] {
            assert_eq!(table.extinction.len(), 32 * nodes);
            assert!(table.extinction.iter().all(|&value| value > 0.0 && value < 2.5));
            assert!(table.albedo.iter().all(|&value| value > 0.0 && value <= 1.0));
            assert!(table.asymmetry.iter().all(|&value| value > 0.0 && value < 1.0));
            // Large particles take twice the light that falls on them, 3 / (2 density radius). Roughly: what is scaled
            // back has the albedo for thick clouds, and waves of the far infrared are as long as ice crystals.
            let radius = table.size_um[1] * if density < 1.0 { 0.5 } else { 1.0 };
            for point in 0..32 {
                let [large, geometric] = [table.extinction[(point + 1) * nodes - 1], 1.5 / (density * radius)];
                assert!((0.7..1.5).contains(&(large / geometric)), "{clouds} {point}: {large}, {geometric}");
            }
        }
    }
}

#[test]
fn they_say_whose_they_are() {
    for (name, _) in COMMITTED {
        assert_eq!(read_ecckd(&committed(name)).points, 32);
    }
    let files = COMMITTED.map(|(name, _)| (name, "correlated k-distribution", "ecCKD"));
    let clouds = CLOUDS.map(|name| (name, "clouds", "droplets"));
    for (name, title, source) in files.into_iter().chain(clouds) {
        let file = Dataset::open(&committed(name)).unwrap();
        for (attribute, part) in [
            ("title", title),
            ("source", source),
            ("references", "10.1029/2022MS003033"),
            ("license", "Apache"),
            ("license", "ECMWF"),
            ("history", "sha256:"),
        ] {
            let text = file.attribute(attribute).unwrap();
            assert!(text.contains(part), "{name}: {attribute} = {text:?}");
        }
    }
}
