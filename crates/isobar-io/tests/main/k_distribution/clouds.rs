//! RRTMGP's tables of cloud optics.

use isobar_io::read_cloud_tables;

use super::{close, truncated_is_refused};
use crate::common::message;
use crate::common::tables::Tables;

/// Totals of extinction, albedo and asymmetry.
type Totals = [f64; 3];

/// Numbers that h5py reads: how many bands or g-points, and totals of droplets and of ice of medium roughness.
const KNOWN: [(&str, usize, bool, Totals, Totals); 4] = [
    (
        "lw-bnd",
        16,
        false,
        [58.167_988_397_181_034, 192.453_383_142_128_6, 261.137_623_008_340_6],
        [17.209_067_106_246_95, 160.406_834_274_530_4, 268.000_838_667_154_3],
    ),
    (
        "lw-g256",
        256,
        true,
        [931.200_206_492_096_2, 3_045.682_504_447_177, 4_174.102_398_034_185],
        [275.366_239_078_342_9, 2_554.043_570_712_208_7, 4_296.850_532_859_564],
    ),
    (
        "sw-bnd",
        14,
        false,
        [56.852_207_645_773_89, 258.626_205_563_545_2, 240.716_328_322_887_42],
        [15.620_104_210_451_245, 223.211_216_866_970_06, 203.364_287_614_822_4],
    ),
    (
        "sw-g224",
        224,
        true,
        [910.258_221_365_511_4, 4_104.434_118_002_653, 3_866.518_929_481_506_3],
        [250.653_549_835_085_87, 3_582.454_191_148_281, 3_253.466_034_054_756],
    ),
];

#[test]
fn four_files_are_read() {
    let Some(folder) = isobar_golden::find("rrtmgp") else { return };
    for (file, spectral, by_point, liquid, ice) in KNOWN {
        let tables = read_cloud_tables(&folder.join(format!("cloud/rrtmgp-clouds-{file}.nc"))).unwrap();
        assert_eq!((tables.spectral, tables.by_point, tables.ice.len()), (spectral, by_point, 3));
        assert_eq!(tables.bands.len(), if file.starts_with("lw") { 16 } else { 14 });
        assert_eq!((tables.liquid.size_um, tables.ice[0].size_um), ([2.5, 21.5], [10.0, 180.0]));
        for (table, nodes, expected) in [(&tables.liquid, 20, liquid), (&tables.ice[1], 18, ice)] {
            for (values, expected) in [&table.extinction, &table.albedo, &table.asymmetry].into_iter().zip(expected) {
                assert_eq!(values.len(), spectral * nodes);
                close(values.iter().sum(), expected);
            }
        }
        if file == "lw-bnd" {
            assert_eq!(tables.liquid.albedo[2 * 20 + 5], f64::from(0.399_657_73_f32));
            assert_eq!(tables.ice[1].asymmetry[3 * 18 + 7], f64::from(0.940_517_f32));
        }
    }
}

/// Two of the six are damaged: all their tables are the extinction's.
#[test]
fn files_whose_albedo_is_the_extinction_are_refused() {
    let Some(folder) = isobar_golden::find("rrtmgp") else { return };
    for file in ["lw-g128", "sw-g112"] {
        let path = folder.join(format!("cloud/rrtmgp-clouds-{file}.nc"));
        let expected = format!("rrtmgp-clouds-{file}.nc: ssaliq has the values of extliq: the file is damaged");
        assert_eq!(message(read_cloud_tables(&path), &path), expected);
    }
}

#[test]
fn truncated_files_are_refused() {
    let Some(folder) = isobar_golden::find("rrtmgp") else { return };
    truncated_is_refused(&folder.join("cloud/rrtmgp-clouds-sw-bnd.nc"), read_cloud_tables);
}

/// Tables by two g-points of one band, two sizes, one roughness.
fn small() -> Tables {
    Tables::new(&[("nband", 1), ("ngpt", 2), ("pair", 2), ("nrghice", 1), ("nsize_liq", 2), ("nsize_ice", 3)])
        .with("bnd_limits_gpt(nband, pair)", "", &[1.0, 2.0])
        .with("bnd_limits_wavenumber(nband, pair)", "cm-1", &[10.0, 250.0])
        .with("radliq_lwr", "microns", &[2.5])
        .with("radliq_upr", "microns", &[21.5])
        .with("diamice_lwr", "microns", &[10.0])
        .with("diamice_upr", "microns", &[180.0])
        .with("extliq(ngpt, nsize_liq)", "m2/g", &[0.1, 0.2, 0.3, 0.4])
        .with("ssaliq(ngpt, nsize_liq)", "unitless", &[0.5])
        .with("asyliq(ngpt, nsize_liq)", "unitless", &[0.8])
        .with("extice(nrghice, ngpt, nsize_ice)", "m2/g", &[0.1])
        .with("ssaice(nrghice, ngpt, nsize_ice)", "unitless", &[0.5])
        .with("asyice(nrghice, ngpt, nsize_ice)", "unitless", &[0.9])
}

#[test]
fn what_is_damaged_is_refused() {
    let (_folder, path) = small().save();
    let tables = read_cloud_tables(&path).unwrap();
    assert_eq!((tables.spectral, tables.by_point, &tables.liquid.extinction[..]), (2, true, &[0.1, 0.2, 0.3, 0.4][..]));
    for (tables, expected) in [
        (small().without("asyliq"), "asyliq(ngpt, nsize_liq) is missing"),
        (
            small().without("extice"),
            "it is no table of cloud optics: it lacks extice (RRTMGP) and liquid_extinction (Isobar's); the file \
             has: bnd_",
        ),
        (small().set("ssaice", 5, 1.5), "ssaice = 1.5 at nrghice 0, ngpt 1, nsize_ice 2 lies outside [0, 1]"),
        (small().set("asyliq", 0, f64::NAN), "asyliq = NaN at ngpt 0, nsize_liq 0 lies outside [-1, 1]"),
        (small().set("radliq_upr", 0, 2.0), "radliq_lwr = 2.5 um and radliq_upr = 2 um; expected a larger one"),
        (small().set("bnd_limits_gpt", 1, 1.0), "bnd_limits_gpt ends with g-point 1; expected 2"),
        (small().set("bnd_limits_gpt", 0, 2.0), "bnd_limits_gpt = 2, 2 at nband 0; expected to begin with 1"),
        (
            small().along("ssaliq", &["nband", "nsize_liq"]),
            "ssaliq has dimensions (nband = 1, nsize_liq = 2); expected (ngpt, nsize_liq)",
        ),
    ] {
        let (_folder, path) = tables.save();
        let message = message(read_cloud_tables(&path), &path);
        assert!(message.starts_with("in.nc: ") && message.contains(expected), "{message}\nexpected {expected}");
    }
}
