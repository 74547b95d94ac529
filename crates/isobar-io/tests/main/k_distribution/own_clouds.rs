//! Our own layout of tables of cloud optics: what is written is read.

use isobar_io::netcdf::Dataset;
use isobar_io::{KDistributionAttributes, read_cloud_tables, write_cloud_tables};
use isobar_optics::{CloudTables, ParticleTable};

use super::truncated_is_refused;
use crate::common::message;
use crate::common::tables::Tables;

/// Two g-points or bands, three or two sizes, ice of two roughnesses.
fn small(by_point: bool) -> CloudTables {
    let table = |size_um: [f64; 2], nodes: usize, offset: f64| {
        let values = |factor: f64| (0..2 * nodes).map(|index| offset + factor * index as f64).collect::<Vec<_>>();
        ParticleTable { size_um, extinction: values(0.5), albedo: values(0.1), asymmetry: values(-0.125) }
    };
    let bands = if by_point { vec![[10.0, 250.0]] } else { vec![[10.0, 250.0], [250.0, 1.0 / 3.0 + 300.0]] };
    let ice = vec![table([10.0, 20.0], 2, 0.25), table([10.0, 20.0], 2, 0.375)];
    CloudTables { spectral: 2, by_point, bands, liquid: table([2.5, 21.5], 3, 0.0), ice, rain: None, snow: None }
}

fn attributes() -> KDistributionAttributes {
    KDistributionAttributes { title: "Clouds".into(), license: "any".into(), ..Default::default() }
}

#[test]
fn what_is_written_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("clouds.nc");
    for by_point in [false, true] {
        let tables = small(by_point);
        write_cloud_tables(&path, &tables, &attributes()).unwrap();
        assert_eq!(read_cloud_tables(&path).unwrap(), tables);
    }
    let plain = std::fs::read(&path).unwrap();
    for (rain, snow) in [(true, false), (false, true), (true, true)] {
        let more = |is: bool, nodes: usize| {
            let values = |first: f64| (0..2 * nodes).map(|index| first + 0.0625 * index as f64).collect::<Vec<_>>();
            let (extinction, albedo, asymmetry) = (values(1.0), values(0.0), values(-0.25));
            is.then_some(ParticleTable { size_um: [25.0, 3000.0], extinction, albedo, asymmetry })
        };
        let tables = CloudTables { rain: more(rain, 4), snow: more(snow, 3), ..small(true) };
        write_cloud_tables(&path, &tables, &attributes()).unwrap();
        assert_eq!(read_cloud_tables(&path).unwrap(), tables);
        truncated_is_refused(&path, read_cloud_tables);
    }
    std::fs::write(&path, plain).unwrap();
    let file = Dataset::open(&path).unwrap();
    assert_eq!((file.attribute("title").as_deref(), file.attribute("history")), (Some("Clouds"), None));
    truncated_is_refused(&path, read_cloud_tables);
}

#[test]
fn tables_of_rrtmgp_survive() {
    let Some(reference) = isobar_golden::find("rrtmgp") else { return };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("clouds.nc");
    for file in ["lw-bnd", "sw-g224"] {
        let original = reference.join(format!("cloud/rrtmgp-clouds-{file}.nc"));
        let tables = read_cloud_tables(&original).unwrap();
        write_cloud_tables(&path, &tables, &attributes()).unwrap();
        assert!(read_cloud_tables(&path).unwrap() == tables, "{file}");
        // Numbers of single precision stay so.
        let size = |path: &std::path::Path| std::fs::metadata(path).unwrap().len();
        let numbers = 4 * 3 * (tables.spectral * (20 + 3 * 18)) as u64;
        assert!((numbers..numbers + 4096).contains(&size(&path)), "{file}: {}", size(&path));
    }
}

#[test]
fn what_makes_no_sense_is_not_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("clouds.nc");
    let broken = |change: &dyn Fn(&mut CloudTables)| {
        let mut tables = small(true);
        change(&mut tables);
        let message = message(write_cloud_tables(&path, &tables, &attributes()), &path);
        assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 0);
        message
    };
    assert_eq!(
        broken(&|tables| tables.ice.clear()),
        "clouds.nc: there are tables by 2, 1 bands and 0 roughnesses; expected at least 1"
    );
    assert_eq!(broken(&|tables| tables.by_point = false), "clouds.nc: spectral has 2 values; expected 1");
    assert_eq!(
        broken(&|tables| tables.liquid.size_um[1] = 1.0),
        "clouds.nc: liquid_radius is from 2.5 to 1 um; expected positive numbers that rise"
    );
    assert_eq!(
        broken(&|tables| tables.liquid.extinction.truncate(3)),
        "clouds.nc: liquid_extinction has 3 values; expected at least 2 for each of 2"
    );
    assert_eq!(broken(&|tables| tables.ice[1].albedo.truncate(3)), "clouds.nc: ice_albedo has 3 values; expected 4");
    assert_eq!(broken(&|tables| tables.ice[1].albedo[2] = 1.5), "clouds.nc: ice_albedo = 1.5 at 2 lies outside [0, 1]");
    assert_eq!(
        broken(&|tables| {
            tables.snow =
                Some(ParticleTable { size_um: [1.0, 2.0], extinction: vec![0.5; 3], ..ParticleTable::default() });
        }),
        "clouds.nc: snow_extinction has 3 values; expected at least 2 for each of 2"
    );
    assert_eq!(
        broken(&|tables| tables.ice[1].size_um[1] = 30.0),
        "clouds.nc: ice of each roughness has sizes of its own; expected the same"
    );
}

/// By band, written by hand: other units, another order.
fn by_hand() -> Tables {
    Tables::new(&[("band", 1), ("liquid_radius", 3), ("ice_diameter", 2), ("ice_roughness", 1)])
        .with("band_lower_wavenumber(band)", "m-1", &[0.0])
        .with("band_upper_wavenumber(band)", "cm-1", &[3000.0])
        .with("liquid_radius(liquid_radius)", "um", &[1.0, 2.0, 3.0])
        .with("liquid_extinction(liquid_radius, band)", "m2 kg-1", &[1000.0, 2000.0, 3000.0])
        .with("liquid_albedo(band, liquid_radius)", "1", &[0.5])
        .with("liquid_asymmetry(band, liquid_radius)", "1", &[0.75])
        .with("ice_diameter(ice_diameter)", "um", &[10.0, 20.0])
        .with("ice_extinction(ice_roughness, band, ice_diameter)", "m2 g-1", &[0.25])
        .with("ice_albedo(ice_roughness, band, ice_diameter)", "1", &[0.5])
        .with("ice_asymmetry(ice_roughness, band, ice_diameter)", "1", &[0.875])
}

#[test]
fn files_by_hand() {
    let (_folder, path) = by_hand().save();
    let tables = read_cloud_tables(&path).unwrap();
    assert_eq!((tables.spectral, tables.by_point, tables.bands[0]), (1, false, [0.0, 3000.0]));
    assert_eq!((&tables.liquid.extinction[..], tables.ice[0].size_um), (&[1.0, 2.0, 3.0][..], [10.0, 20.0]));
    for (tables, expected) in [
        (by_hand().with("rain_albedo(band)", "1", &[0.5]), "rain_radius"),
        (by_hand().without("ice_albedo"), "ice_albedo(ice_roughness, band, ice_diameter) is missing"),
        (
            by_hand().set("liquid_radius", 2, 3.5),
            "liquid_radius = 2 at liquid_radius 1 follows 1; expected values that",
        ),
        (by_hand().set("liquid_albedo", 1, 1.5), "liquid_albedo = 1.5 at band 0, liquid_radius 1 lies outside [0, 1]"),
        (by_hand().unit("ice_extinction", Some("m2")), "ice_extinction has units \"m2\", which do not convert"),
        (by_hand().set("band_upper_wavenumber", 0, 0.0), "is from 0 to 0 cm-1; expected limits that rise"),
    ] {
        let (_folder, path) = tables.save();
        let message = message(read_cloud_tables(&path), &path);
        assert!(message.starts_with("in.nc: ") && message.contains(expected), "{message}\nexpected {expected}");
    }
}
