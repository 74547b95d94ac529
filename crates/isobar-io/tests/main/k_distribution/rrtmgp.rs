//! RRTMGP's layout.

use isobar_io::read_k_distribution;

use super::{close, read_rrtmgp, refused, truncated_is_refused};
use crate::common::tables::Tables;

/// Numbers that h5py reads of a file.
struct Known {
    file: &'static str,
    points: usize,
    mixtures: usize,
    minors: [(usize, usize); 2],
    major: f64,
    minor: [f64; 2],
    /// At temperature 3, pressure 20, mixture 4, g-points 0 and 17.
    two: [f64; 2],
}

const KNOWN: [Known; 4] = [
    Known {
        file: "lw-g128",
        points: 128,
        mixtures: 9,
        minors: [(60, 485), (34, 308)],
        major: 2.511_615_061_619_118e-11,
        minor: [8.817_224_419_279_518e-15, 1.021_763_570_957_476_7e-14],
        two: [3.874_820_41e-23, 4.930_464_41e-23],
    },
    Known {
        file: "lw-g256",
        points: 256,
        mixtures: 9,
        minors: [(60, 960), (34, 544)],
        major: 2.250_711_630_495_639e-10,
        minor: [1.629_842_068_403_977_7e-14, 2.110_890_164_554_377_7e-14],
        two: [3.874_820_41e-23, 1.172_934_09e-24],
    },
    Known {
        file: "sw-g112",
        points: 112,
        mixtures: 9,
        minors: [(34, 297), (24, 215)],
        major: 2.396_753_064_615_381e-11,
        minor: [7.018_245_317_176_953e-16, 1.669_436_824_348_706_7e-15],
        two: [5.564_058_05e-24, 8.216_670_96e-19],
    },
    Known {
        file: "sw-g224",
        points: 224,
        mixtures: 9,
        minors: [(34, 544), (24, 384)],
        major: 1.241_876_114_371_996e-10,
        minor: [1.618_372_296_037_098_3e-15, 4.219_311_003_467_328_6e-15],
        two: [7.311_783e-25, 8.883_865_83e-24],
    },
];

#[test]
fn all_four_files_are_read() {
    let Some(folder) = isobar_golden::find("rrtmgp") else { return };
    for known in KNOWN {
        let model = read_rrtmgp(&folder.join(format!("coeff/{}.nc", known.file)));
        let (points, bands) = (known.points, model.bands.len());
        assert_eq!((model.gases.len(), model.pressure_pa.len(), model.temperature_k.len()), (19, 59, 14));
        assert_eq!((model.mixtures, model.major.len()), (known.mixtures, 14 * 60 * known.mixtures * points));
        assert_eq!([&model.gases[0], &model.gases[18]], ["h2o", "no2"]);
        assert_eq!((model.temperature_k[0], model.temperature_k[13]), (160.0, 355.0));
        assert_eq!((model.pressure_pa[0], model.pressure_pa[58]), (109_663.315_842_846_06, 1.005_183_574_463));
        assert_eq!(model.tropopause_pa, 9_948.431_564_193_395);
        assert_eq!(model.bands[bands - 1].points.end, points);
        close(model.major.iter().sum(), known.major);
        for (value, expected) in
            [0, 17].map(|g| model.major[((3 * 60 + 20) * 9 + 4) * points + g]).iter().zip(known.two)
        {
            assert!((value / expected - 1.0).abs() < 1e-8, "{value} {expected}");
        }
        for ((minors, (absorbers, contributors)), total) in model.minor.iter().zip(known.minors).zip(known.minor) {
            assert_eq!((minors.absorbers.len(), minors.contributors), (absorbers, contributors));
            assert_eq!(minors.table.len(), 14 * known.mixtures * contributors);
            close(minors.table.iter().sum(), total);
        }
        assert_eq!(model.reference_mixing_ratio.len(), 14 * 20 * 2);
        // vmr_ref at temperature 5: of ozone, below and above.
        assert_eq!(model.reference_mixing_ratio[(5 * 20 + 3) * 2..][..2], [1.6596e-7, 1.7378e-6]);
        assert_eq!((model.planck.is_some(), model.solar.is_some()), (bands == 16, bands == 14));
    }
}

#[test]
fn long_wave_has_planck_functions_and_minor_gases() {
    let Some(folder) = isobar_golden::find("rrtmgp") else { return };
    for (file, fraction) in [("lw-g128", 120_954.613_729_561_23), ("lw-g256", 120_954.613_729_561_21)] {
        let model = read_rrtmgp(&folder.join(format!("coeff/{file}.nc")));
        let planck = model.planck.unwrap();
        assert_eq!((planck.temperature_k.len(), planck.secant.len()), (196, 16));
        assert!((0..196).all(|i| planck.temperature_k[i] == 160.0 + i as f64));
        close(planck.radiance.iter().sum(), 20_118.445_054_743_202);
        assert!((planck.radiance[4 * 196 + 128] - 14.375_909_707_997_495).abs() < 1e-12);
        close(planck.fraction.iter().sum(), fraction);
        assert_eq!(planck.secant[0], [0.0, f64::from(1.7_f32)]);
        assert_eq!(model.bands[0].wavenumber_per_cm, [10.0, 250.0]);
        // Of 980 to 1080 cm^-1: water and ozone below, ozone alone above; of the last band water and methane.
        assert_eq!((model.bands[6].key, model.bands[15].key), ([[1, 3], [3, 0]], [[1, 6], [6, 0]]));
        let minors = &model.minor[0].absorbers;
        let first = &minors[0];
        assert_eq!((first.name.as_str(), first.gas.as_str(), first.first), ("n2", "n2", 0));
        assert_eq!(first.points, model.bands[0].points);
        assert!(minors.iter().all(|minor| minor.scaling_gas.is_none() || minor.scales_with_density));
        let continua = minors.iter().filter(|minor| minor.name.starts_with("h2o_"));
        assert!(continua.clone().count() > 10 && continua.clone().all(|minor| minor.gas == "h2o"));
    }
}

#[test]
fn short_wave_has_the_sun_and_scattering() {
    let Some(folder) = isobar_golden::find("rrtmgp") else { return };
    let rayleigh = [
        ("sw-g112", [1.527_865_525_141_945_5e-22, 1.490_576_007_300_492_2e-22]),
        ("sw-g224", [6.875_093_514_300_506e-22, 5.726_378_729_333_002e-22]),
    ];
    for (file, totals) in rayleigh {
        let solar = read_rrtmgp(&folder.join(format!("coeff/{file}.nc"))).solar.unwrap();
        let total = |values: &[f64]| values.iter().sum::<f64>();
        close(total(&solar.quiet), 1_360.375_648_878_992_7);
        let (facular, sunspot) = (solar.facular_index - 0.149_595_4, solar.sunspot_index - 0.000_666_96);
        let sun = total(&solar.quiet) + facular * total(&solar.facular) + sunspot * total(&solar.sunspot);
        // `tsi_default` of the files, whose indices are in single precision.
        assert!((sun - 1_360.857_673_817_26).abs() < 1e-4, "{sun}");
        for (table, expected) in solar.rayleigh.iter().zip(totals) {
            close(total(table), expected);
        }
    }
}

#[test]
fn truncated_files_are_refused() {
    let Some(folder) = isobar_golden::find("rrtmgp") else { return };
    truncated_is_refused(&folder.join("coeff/sw-g112.nc"), read_k_distribution);
}

/// Two bands of three g-points, two gases.
fn small() -> Tables {
    let grid = "temperature, pressure_interp, mixing_fraction, gpt";
    let mut tables = Tables::new(&[
        ("bnd", 2),
        ("gpt", 3),
        ("pair", 2),
        ("atmos_layer", 2),
        ("temperature", 3),
        ("pressure", 3),
        ("pressure_interp", 4),
        ("mixing_fraction", 2),
        ("absorber", 2),
        ("absorber_ext", 3),
        ("minor_absorber", 2),
        ("temperature_Planck", 3),
        ("minor_absorber_intervals_lower", 2),
        ("minor_absorber_intervals_upper", 1),
        ("contributors_lower", 3),
        ("contributors_upper", 1),
    ])
    .with("press_ref(pressure)", "", &[1e5, 1e4, 1e3])
    .with("temp_ref(temperature)", "", &[200.0, 250.0, 300.0])
    .with("press_ref_trop", "", &[9e3])
    .texts("gas_names(absorber)", &["h2o", "co2"])
    .with("bnd_limits_gpt(bnd, pair)", "", &[1.0, 2.0, 3.0, 3.0])
    .with("bnd_limits_wavenumber(bnd, pair)", "", &[10.0, 500.0, 500.0, 800.0])
    .with("key_species(bnd, atmos_layer, pair)", "", &[1.0, 2.0, 1.0, 0.0, 2.0, 0.0, 0.0, 0.0])
    .with("vmr_ref(temperature, absorber_ext, atmos_layer)", "", &[1.0, 1.0, 0.01, 1e-6, 4e-4, 4e-4].repeat(3))
    .with(&format!("kmajor({grid})"), "", &[1e-22])
    .with(&format!("plank_fraction({grid})"), "", &[0.25, 0.75, 1.0].repeat(24))
    .with("totplnk(bnd, temperature_Planck)", "", &[10.0, 20.0, 30.0, 5.0, 6.0, 7.0])
    .texts("identifier_minor(minor_absorber)", &["h2o_self", "co2"])
    .texts("gas_minor(minor_absorber)", &["h2o", "co2"]);
    for (part, count) in [("lower", 2), ("upper", 1)] {
        let along = format!("minor_absorber_intervals_{part}");
        tables = tables
            .with(&format!("kminor_{part}(temperature, mixing_fraction, contributors_{part})"), "", &[1e-25])
            .texts(&format!("minor_gases_{part}({along})"), &["co2", "h2o_self"][2 - count..])
            .texts(&format!("scaling_gas_{part}({along})"), &["", "h2o"][2 - count..])
            .with(&format!("minor_limits_gpt_{part}({along}, pair)"), "", &[1.0, 2.0, 3.0, 3.0][4 - 2 * count..])
            .with(&format!("kminor_start_{part}({along})"), "", &[1.0, 3.0][..count])
            .with(&format!("minor_scales_with_density_{part}({along})"), "", &[0.0, 1.0][2 - count..])
            .with(&format!("scale_by_complement_{part}({along})"), "", &[0.0, 1.0][2 - count..]);
    }
    tables
}

#[test]
fn a_small_file_is_read() {
    let (_folder, path) = small().save();
    let model = read_rrtmgp(&path);
    assert_eq!((model.bands[0].points.clone(), model.bands[1].points.clone()), (0..2, 2..3));
    assert_eq!(model.bands[0].key, [[1, 2], [1, 0]]);
    assert_eq!(model.planck.unwrap().temperature_k, [200.0, 250.0, 300.0]);
    let [below, above] = model.minor.each_ref().map(|minors| minors.absorbers.last().unwrap());
    assert_eq!([below, above].map(|minor| (minor.name.as_str(), minor.gas.as_str())), [("h2o_self", "h2o"); 2]);
    assert_eq!((below.points.clone(), below.first, above.first), (2..3, 2, 0));
    assert_eq!(below.scaling_gas.as_deref(), Some("h2o"));
    assert!(below.by_complement && below.scales_with_density);
    let other = &model.minor[0].absorbers[0];
    assert_eq!((other.points.clone(), other.first, &other.scaling_gas), (0..2, 0, &None));
}

#[test]
fn dimensions_may_be_in_another_order() {
    let (_folder, path) = small().save();
    let (_other, transposed) = small().transposed("totplnk").transposed("bnd_limits_wavenumber").save();
    assert_eq!(read_rrtmgp(&path), read_rrtmgp(&transposed));
}

#[test]
fn what_is_damaged_is_refused() {
    for (tables, expected) in [
        (small().without("temp_ref"), "temp_ref(temperature) is missing; the file has: press_ref, "),
        (small().without("plank_fraction"), "neither plank_fraction (long wave) nor solar_source_quiet (short wave)"),
        (small().longer("pressure_interp"), "dimension pressure_interp = 5; expected 4"),
        (small().longer("absorber_ext"), "dimension absorber_ext = 4; expected 3"),
        (
            small().along("vmr_ref", &["temperature", "absorber", "atmos_layer"]),
            "vmr_ref has dimensions (temperature = 3, absorber = 2, atmos_layer = 2); expected (temperature, \
             absorber_ext, atmos_layer)",
        ),
        (
            small().set("kmajor", 9, f64::NAN),
            "kmajor = NaN cm2 at temperature 0, pressure_interp 1, mixing_fraction 1, gpt 0 lies outside [0, ",
        ),
        (
            small().set("kmajor", 9, 1e-9),
            "cm2 at temperature 0, pressure_interp 1, mixing_fraction 1, gpt 0 lies outside [0, ",
        ),
        (small().set("kminor_lower", 0, -1e-30), "kminor_lower = -0.000000000000000000000000000001 at temperature 0"),
        (
            small().set("press_ref", 1, 2e4),
            "press_ref = 20000 at pressure 1 follows 100000; expected values that fall by a constant factor",
        ),
        (small().set("temp_ref", 2, 301.0), "expected values that rise by a constant step"),
        (small().set("press_ref_trop", 0, 10.0), "press_ref_trop = 10 Pa lies outside [1000, 100000]"),
        (small().set("bnd_limits_gpt", 3, 4.0), "bnd_limits_gpt = 4 at bnd 1, pair 1 lies outside [1, 3]"),
        (
            small().set("bnd_limits_gpt", 2, 2.0),
            "bnd_limits_gpt = 2, 3 at bnd 1; expected to begin with 3, where the band before ends",
        ),
        (small().set("bnd_limits_gpt", 0, 1.5), "bnd_limits_gpt = 1.5 at bnd 0, pair 0 is no whole number"),
        (small().set("key_species", 7, 3.0), "key_species = 3 at bnd 1, atmos_layer 1, pair 1 lies outside [0, 2]"),
        (small().set("key_species", 0, 0.0), "key_species = 0, 2 at bnd 0; expected the first gas first"),
        (small().set("bnd_limits_wavenumber", 1, 5.0), "bnd_limits_wavenumber: band 0 is from 10 to 5 cm-1"),
        (small().set("vmr_ref", 6, 0.9), "vmr_ref = 0.9, 1 at temperature 1, absorber_ext 0; expected 1 for dry air"),
        (small().set("vmr_ref", 4, 0.0), "vmr_ref = 0 at temperature 0, absorber_ext 2, atmos_layer 0; expected (0,"),
        (small().set("minor_limits_gpt_lower", 1, 3.0), "minor_limits_gpt_lower = 1, 3 is no part of one band"),
        (
            small().set("kminor_start_lower", 0, 3.0),
            "kminor_start_lower = 3 and its 2 g-points lie outside the 3 of contributors_lower at \
             minor_absorber_intervals_lower 0",
        ),
        (
            small().set("minor_scales_with_density_upper", 0, 2.0),
            "minor_scales_with_density_upper = 2 at minor_absorber_intervals_upper 0 lies outside [0, 1]",
        ),
        (small().set_text("minor_gases_lower", 0, "o9"), "minor_gases_lower = \"o9\" is none of identifier_minor at"),
        (small().set_text("scaling_gas_upper", 0, "o9"), "scaling_gas_upper = \"o9\" is none of gas_names at"),
        (small().set_text("gas_minor", 1, "o9"), "gas_minor = \"o9\" of \"co2\" is none of gas_names at"),
        (small().set_text("gas_names", 1, "h2o"), "gas_names = \"h2o\" at absorber 1; expected a name of its own"),
        (
            small().set("plank_fraction", 9, 0.5),
            "plank_fraction of bnd 0 is 1.25 in all at temperature 0, pressure_interp 1, mixing_fraction 1; expected 1",
        ),
        (small().set("totplnk", 1, 9.0), "totplnk = 9 at bnd 0, temperature_Planck 1 follows 10; expected more"),
        (small().set("totplnk", 2, 3000.0), "W m-2 in all at 300 K; expected (0, 459."),
    ] {
        let message = refused(&tables);
        assert!(message.starts_with("in.nc: ") && message.contains(expected), "{message}\nexpected {expected}");
    }
}
