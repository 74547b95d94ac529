//! Files of coefficients, and their reduction.

use isobar_io::{Error, RRTMG_LW_FILES, read_rrtmg_lw, rrtmg_lw_doubt};
use isobar_radiation::rrtmg::band::Gas;
use isobar_radiation::rrtmg::band::Region;
use isobar_radiation::rrtmg::bands::BANDS;
use isobar_radiation::rrtmg::{KDistribution, TableData, TableKind, analytic};

/// The reference's name of a table.
fn name(kind: TableKind) -> String {
    use isobar_radiation::rrtmg::band::Region::{Lower, Upper};
    let side = |region| if region == Lower { 'a' } else { 'b' };
    match kind {
        TableKind::Fractions(region) => format!("fracref{}", side(region)),
        TableKind::Key(Lower) => "ka".to_owned(),
        TableKind::Key(Upper) => "kb".to_owned(),
        TableKind::Minor(region, gas) => format!("k{}_m{}", side(region), gas.name()),
        TableKind::CrossSection(gas) => gas.name().to_owned(),
        TableKind::SelfContinuum => "selfref".to_owned(),
        TableKind::ForeignContinuum => "forref".to_owned(),
    }
}

#[test]
fn reduction_is_the_references() {
    let Some(dir) = isobar_golden::find("rrtmg_lw") else { return };
    let k = read_rrtmg_lw(&dir.join("coeff/RRTMG_LW_DATA_DBL")).expect("the file is there");
    assert_eq!(k.points(), 140);
    let (_, flat) = isobar_golden::npy(&dir.join("tables/reduced.npy"));
    let index = isobar_golden::json(&dir.join("tables/reduced_index.json"));
    let mut compared = 0;
    for entry in index.as_array().expect("a list") {
        let band = entry["band"].as_u64().expect("a number") as usize - 1;
        let wanted = entry["name"].as_str().expect("a name");
        let kind = TableKind::of(&BANDS[band]).into_iter().find(|&kind| {
            let name = name(kind);
            name == wanted || wanted == format!("{name}adj")
        });
        let kind = kind.unwrap_or_else(|| panic!("band {} has no {wanted}", band + 1));
        let ours = k.table(band, kind).expect("a table");
        let offset = entry["offset"].as_u64().expect("a number") as usize;
        let theirs = &flat[offset..offset + entry["count"].as_u64().expect("a number") as usize];
        assert_eq!(ours.len(), theirs.len(), "band {} {wanted}", band + 1);
        let points = BANDS[band].points();
        let rows = ours.len() / points;
        for (i, value) in ours.iter().enumerate() {
            let at = if matches!(kind, TableKind::Fractions(_)) { i } else { i % points * rows + i / points };
            let error = (value - theirs[at]).abs();
            assert!(error <= 1e-15 * theirs[at].abs(), "band {} {wanted} {i}: {value} {}", band + 1, theirs[at]);
        }
        compared += ours.len();
    }
    assert_eq!(compared, flat.len());
}

#[test]
fn singles_are_the_doubles_rounded() {
    let Some(dir) = isobar_golden::find("rrtmg_lw") else { return };
    let doubles = read_rrtmg_lw(&dir.join("coeff/RRTMG_LW_DATA_DBL")).expect("the file is there");
    let singles = read_rrtmg_lw(&dir.join("coeff/RRTMG_LW_DATA")).expect("the file is there");
    for (a, b) in doubles.tables.iter().flatten().zip(singles.tables.iter().flatten()) {
        assert_eq!(a.kind, b.kind);
        for (a, b) in a.values.iter().zip(&b.values) {
            assert!((a - b).abs() <= 1e-7 * a.abs() + 1e-38, "{a} {b}");
        }
    }
}

/// Bytes of a made-up coefficient file: every value is the number of its band, but for Planck fractions, which are
/// 1/16.
fn made_up(width: usize, big_endian: bool) -> Vec<u8> {
    let mut bytes = Vec::new();
    for (number, band) in (1_u8..).zip(&BANDS) {
        let values: Vec<f64> = TableKind::of(band)
            .into_iter()
            .flat_map(|kind| {
                let value = if matches!(kind, TableKind::Fractions(_)) { 1.0 / 16.0 } else { f64::from(number) };
                std::iter::repeat_n(value, kind.rows(band) * 16)
            })
            .collect();
        let length = (values.len() * width) as u32;
        let marker = if big_endian { length.to_be_bytes() } else { length.to_le_bytes() };
        bytes.extend(marker);
        for value in values {
            match (width, big_endian) {
                (4, true) => bytes.extend((value as f32).to_be_bytes()),
                (4, false) => bytes.extend((value as f32).to_le_bytes()),
                (_, true) => bytes.extend(value.to_be_bytes()),
                (_, false) => bytes.extend(value.to_le_bytes()),
            }
        }
        bytes.extend(marker);
    }
    bytes
}

fn read(bytes: &[u8]) -> Result<KDistribution, Error> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("RRTMG_LW_DATA");
    std::fs::write(&path, bytes).expect("it can be written");
    read_rrtmg_lw(&path)
}

#[test]
fn either_byte_order_and_precision_is_read() {
    let expected = read(&made_up(8, true)).expect("a good file");
    for (width, big_endian) in [(4, true), (4, false), (8, false)] {
        assert_eq!(read(&made_up(width, big_endian)).expect("a good file"), expected);
    }
    let table = expected
        .table(2, TableKind::Minor(isobar_radiation::rrtmg::band::Region::Lower, Gas::N2o))
        .expect("it is there");
    assert!(table.iter().all(|x| (x - 3.0).abs() < 1e-12));
}

#[test]
fn damaged_files_are_refused_with_their_place() {
    let good = made_up(4, true);
    let message = |bytes: &[u8]| read(bytes).expect_err("it is damaged").to_string();
    assert!(message(&[]).contains("RRTMG_LW_DATA: the file has 0 bytes"));
    assert!(message(b"CDF\x01 and so on").contains("22656 bytes of singles or 45312 of doubles"));
    assert!(message(&good[..good.len() - 5]).contains("record 16 (band 16)"));
    let mut longer = good.clone();
    longer.push(0);
    assert!(message(&longer).contains("1 bytes follow"));
    let mut wrong = good.clone();
    let second = 22656 + 8;
    wrong[second + 3] ^= 1;
    assert!(message(&wrong).contains("record 2 (band 2): it begins with a length of 20225 bytes instead of 20224"));
    let mut nan = good;
    nan[4..8].copy_from_slice(&f32::NAN.to_be_bytes());
    assert!(message(&nan).contains("value 1 of Fractions(Lower) is NaN"));
}

/// What reading and reducing gives again, but for the rounding of means of equal numbers.
#[test]
fn made_up_coefficients_are_read_again() {
    let k = analytic::k_distribution();
    let again = read(&analytic::rrtmg_file(&k)).expect("a good file");
    assert_eq!(again.gases(), [0, 1, 2, 3, 4, 5, 6, 8, 9, 10, 11]);
    for (ours, theirs) in k.tables.iter().flatten().zip(again.tables.iter().flatten()) {
        assert_eq!((ours.kind, ours.values.len()), (theirs.kind, theirs.values.len()));
        for (ours, theirs) in ours.values.iter().zip(&theirs.values) {
            assert!((ours - theirs).abs() <= 4.0 * f64::EPSILON * ours.abs(), "{ours} {theirs}");
        }
    }
}

/// What the speed on a GPU goes by; and no g-point is left out or taken twice.
#[test]
fn g_points_of_rrtmg_fill_five_warps_of_whole_bands() {
    let tables = TableData::<f64>::new(&analytic::k_distribution());
    assert_eq!(tables.quads.len(), 5 * 8);
    let mut seen = vec![0; tables.points];
    let mut warp_of_band = vec![None; tables.bands.len()];
    // Fillers have no flux.
    for (number, quad) in tables.quads.iter().enumerate().filter(|(_, quad)| quad.flux != 0.0) {
        let band = &tables.bands[quad.band as usize];
        assert_eq!(quad.point, band.first_point + quad.first);
        (quad.first..band.points.min(quad.first + 4)).for_each(|point| seen[(band.first_point + point) as usize] += 1);
        assert_eq!(*warp_of_band[quad.band as usize].get_or_insert(number / 8), number / 8, "band {}", quad.band);
    }
    assert!(seen.iter().all(|&times| times == 1), "{seen:?}");
}

#[test]
fn published_files_are_known_and_damaged_ones_are_not() {
    let Some(dir) = isobar_golden::find("rrtmg_lw") else { return };
    let folder = tempfile::tempdir().unwrap();
    let copy = folder.path().join("copy");
    let (mut refused, mut doubted) = (0, 0);
    for file in RRTMG_LW_FILES {
        let path = dir.join("coeff").join(file.name);
        assert_eq!(rrtmg_lw_doubt(&path).unwrap(), None);
        let whole = std::fs::read(&path).unwrap();
        assert_eq!(whole.len() as u64, file.bytes);
        for flip in 0..40_usize {
            let bit = (flip * 0x9E37_79B9 + 12_345) % (8 * whole.len());
            let mut bytes = whole.clone();
            bytes[bit / 8] ^= 1 << (bit % 8);
            std::fs::write(&copy, &bytes).unwrap();
            match read_rrtmg_lw(&copy) {
                Err(_) => refused += 1,
                Ok(_) => {
                    let doubt = rrtmg_lw_doubt(&copy).unwrap().expect("it is not as it was");
                    assert!(doubt.contains("SHA-256") && doubt.contains("RRTMG_LW_DATA_DBL"), "{doubt}");
                    doubted += 1;
                }
            }
        }
    }
    assert_eq!(refused + doubted, 80);
    assert!(refused > 0, "{refused}");
}

#[test]
fn implausible_coefficients_are_refused_with_their_place() {
    let whole = analytic::k_distribution();
    for (change, parts) in [
        ((TableKind::Fractions(Region::Lower), 3, -0.1), ["band 2", "value 4", "outside [0, 1]"]),
        ((TableKind::Fractions(Region::Lower), 3, 0.9), ["band 2", "row 1", "instead of 1"]),
        ((TableKind::Key(Region::Lower), 5, -1.0), ["band 2", "value 6", "outside [0, 1e8]"]),
        ((TableKind::Key(Region::Upper), 0, 1e9), ["band 2", "value 1", "outside [0, 1e8]"]),
        ((TableKind::SelfContinuum, 1, f64::NAN), ["band 2", "value 2", "NaN"]),
    ] {
        let (kind, index, value) = change;
        let mut k = whole.clone();
        let table = k.tables[1].iter_mut().find(|table| table.kind == kind).expect("band 2 has it");
        table.values[index] = value;
        let message = read(&analytic::rrtmg_file(&k)).unwrap_err().to_string();
        for part in parts {
            assert!(message.contains(part), "{part:?} is not in {message}");
        }
    }
}
