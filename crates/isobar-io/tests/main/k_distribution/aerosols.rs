//! RRTMGP's tables of aerosol optics.

use isobar_io::read_aerosol_tables;
use isobar_optics::AerosolTables;

use super::{close, truncated_is_refused};
use crate::common::message;
use crate::common::tables::Tables;

/// Totals of extinction, albedo and asymmetry that h5py reads, in the order of `types`.
const LONG: [[f64; 3]; 7] = [
    [12_666.027_008_056_64, 40.523_043_507_942_93, 37.500_574_386_212_975],
    [1_925_497.443_395_733_8, 1_246.367_103_899_487, 1_205.639_673_420_719_2],
    [248_139.652_475_357_06, 29.276_150_754_012_633, 16.009_649_237_967_096],
    [8_118.859_245_300_293, 0.017_628_727_191_549_842, 0.121_333_893_417_613_58],
    [434_967.448_921_203_6, 1.074_892_374_786_031_7, 6.179_638_154_309_941_5],
    [570.126_083_374_023_4, 0.792_487_851_096_666_4, 0.160_130_008_531_268_69],
    [125_003.700_798_988_34, 46.034_185_087_008_154, 12.564_227_203_634_8],
];
const SHORT: [[f64; 3]; 7] = [
    [37_811.099_269_866_94, 57.802_065_491_676_33, 53.757_941_454_648_97],
    [9_185_478.395_294_905, 2_249.399_217_851_46, 1_668.392_308_354_959_8],
    [3_533_208.144_798_279, 413.348_509_279_545_4, 233.095_868_513_919_4],
    [95_455.396_118_164_06, 1.548_329_227_138_310_7, 2.798_516_016_453_504_6],
    [4_678_001.917_175_293, 75.280_316_516_873_43, 124.622_237_947_769_46],
    [27_205.822_151_184_082, 8.607_538_539_916_277, 4.319_606_979_377_568],
    [3_001_568.593_597_412, 368.226_979_291_066_5, 202.075_964_075_513_18],
];

/// The types, with their number of values in a band.
fn types(tables: &AerosolTables) -> [(&isobar_optics::AerosolTable, usize); 7] {
    let (bins, humidities) = (tables.bins_um.len(), tables.humidity.len());
    [
        (&tables.dust, bins),
        (&tables.salt, bins * humidities),
        (&tables.sulfate, humidities),
        (&tables.black_carbon, 1),
        (&tables.black_carbon_wet, humidities),
        (&tables.organic_carbon, 1),
        (&tables.organic_carbon_wet, humidities),
    ]
}

#[test]
fn both_files_are_read() {
    let Some(folder) = isobar_golden::find("rrtmgp") else { return };
    for (file, bands, totals) in [("lw", 16, LONG), ("sw", 14, SHORT)] {
        let tables = read_aerosol_tables(&folder.join(format!("aerosol/rrtmgp-aerosols-merra-{file}.nc"))).unwrap();
        assert_eq!((tables.bands.len(), tables.bins_um.len(), tables.humidity.len()), (bands, 5, 36));
        assert_eq!(tables.bins_um[0], [f64::from(0.1_f32), 1.0]);
        assert_eq!((tables.humidity[0], tables.humidity[35]), (0.0, f64::from(0.99_f32)));
        for ((table, values), totals) in types(&tables).into_iter().zip(totals) {
            for (part, total) in [&table.extinction, &table.albedo, &table.asymmetry].into_iter().zip(totals) {
                assert_eq!(part.len(), bands * values);
                close(part.iter().sum(), total);
            }
        }
        if file == "lw" {
            // Band 2, bin 3, humidity 7.
            assert_eq!(tables.salt.albedo[(2 * 5 + 3) * 36 + 7], f64::from(0.381_894_f32));
            assert_eq!(tables.organic_carbon_wet.asymmetry[2 * 36 + 7], f64::from(0.001_986_874_f32));
        }
    }
}

#[test]
fn truncated_files_are_refused() {
    let Some(folder) = isobar_golden::find("rrtmgp") else { return };
    truncated_is_refused(&folder.join("aerosol/rrtmgp-aerosols-merra-sw.nc"), read_aerosol_tables);
}

/// One band, one bin, two humidities.
fn small() -> Tables {
    let part = [100.0, 0.5, 0.25];
    let mut tables = Tables::new(&[("nval", 3), ("nbin", 1), ("nrh", 2), ("nband", 1), ("pair", 2)])
        .with("bnd_limits_wavenumber(nband, pair)", "cm-1", &[10.0, 250.0])
        .with("merra_aero_bin_lims(nbin, pair)", "microns", &[0.1, 1.0])
        .with("aero_rh(nrh)", "fraction", &[0.0, 0.9])
        .with("aero_dust_tbl(nband, nbin, nval)", "", &part)
        .with("aero_salt_tbl(nband, nbin, nrh, nval)", "", &part.repeat(2));
    for name in ["bcar", "ocar"] {
        tables = tables.with(&format!("aero_{name}_tbl(nband, nval)"), "", &part);
    }
    for name in ["sulf", "bcar_rh", "ocar_rh"] {
        tables = tables.with(&format!("aero_{name}_tbl(nband, nrh, nval)"), "", &part.repeat(2));
    }
    tables
}

#[test]
fn what_is_damaged_is_refused() {
    let (_folder, path) = small().save();
    let tables = read_aerosol_tables(&path).unwrap();
    for (table, values) in types(&tables) {
        let expected = [100.0, 0.5, 0.25].map(|value| vec![value; values]);
        assert_eq!([&table.extinction, &table.albedo, &table.asymmetry], expected.each_ref());
    }
    for (tables, expected) in [
        (
            small().without("aero_rh"),
            "it is no table of aerosol optics of RRTMGP: it lacks aero_rh; the file has: bnd_",
        ),
        (small().without("aero_ocar_tbl"), "aero_ocar_tbl(nband, nval) is missing"),
        (small().longer("nval"), "dimension nval = 4; expected 3"),
        (small().set("aero_rh", 1, 0.0), "aero_rh = 0 at nrh 1 follows 0; expected more"),
        (small().set("aero_rh", 1, 90.0), "aero_rh = 90 at nrh 1 lies outside [0, 1]"),
        (
            small().set("aero_salt_tbl", 4, 1.5),
            "aero_salt_tbl = 1.5 at nband 0, nbin 0, nrh 1, nval 1 (single-scattering albedo) lies outside [0, 1]",
        ),
        (small().set("aero_dust_tbl", 0, -1.0), "aero_dust_tbl = -1 m2 kg-1 at nband 0, nbin 0, nval 0 (extinction)"),
        (small().set("aero_bcar_tbl", 2, f64::NAN), "aero_bcar_tbl = NaN at nband 0, nval 2 lies outside the finite"),
        (small().set("merra_aero_bin_lims", 1, 0.05), "merra_aero_bin_lims: nbin 0 is from 0.1 to 0.05 um"),
        (
            small().along("aero_sulf_tbl", &["nband", "nval"]),
            "aero_sulf_tbl has dimensions (nband = 1, nval = 3); expected (nband, nrh, nval)",
        ),
    ] {
        let (_folder, path) = tables.save();
        let message = message(read_aerosol_tables(&path), &path);
        assert!(message.starts_with("in.nc: ") && message.contains(expected), "{message}\nexpected {expected}");
    }
}
