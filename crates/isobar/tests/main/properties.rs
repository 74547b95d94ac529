//! What must hold for every case: order of rays, number of threads, direction of the profile, precedence of keys.

use std::fs;

use crate::common::{Case, numbers};

#[test]
fn permuted_rays_give_permuted_results_bit_for_bit() {
    let case = Case::limb();
    let (text, _) = case.forward(&[]);
    let mut rows = numbers(&text);
    let shuffle = |n: usize| (0..n).map(move |i| (5 * i + 3) % n);
    case.reorder("limb/obs.tab", |lines| *lines = shuffle(lines.len()).map(|i| lines[i].clone()).collect());
    let (text, _) = case.forward(&[]);
    rows = shuffle(rows.len()).map(|i| rows[i].clone()).collect();
    // Numbers are written with all their digits.
    assert_eq!(numbers(&text), rows);
}

#[test]
fn one_thread_and_two_write_the_same_bytes() {
    let case = Case::limb();
    for options in [&["--precision", "f64"][..], &["--precision", "f32"], &["--jurassic-exact"]] {
        let on = |threads: &str| case.forward(&[options, &["--threads", threads]].concat()).0;
        assert!(on("1") == on("2"), "{options:?}");
    }
}

#[test]
fn a_profile_from_the_top_down_gives_the_same_radiances() {
    let case = Case::limb();
    let (upwards, _) = case.forward(&[]);
    case.reorder("limb/atm.tab", |lines| lines.reverse());
    let (downwards, _) = case.forward(&[]);
    for (up, down) in numbers(&upwards).into_iter().flatten().zip(numbers(&downwards).into_iter().flatten()) {
        assert!((up - down).abs() <= 1e-12 * up.abs(), "{up} {down}");
    }
}

#[test]
fn keys_on_the_command_line_win() {
    let case = Case::limb();
    let (plain, _) = case.forward(&[]);
    let (overridden, _) = case.forward(&["REFRAC=0", "raydz=0.3"]);
    assert!(plain != overridden);
    case.edit("limb/limb.ctl", |text| text.replace("RAYDZ = 0.5", "RAYDZ = 0.3\nREFRAC = 0"));
    assert!(case.forward(&[]).0 == overridden);

    let (kelvin, _) = case.forward(&["WRITE_BBT=1"]);
    assert!(kelvin.contains("brightness temperature (792.0000 cm^-1) [K]"), "{kelvin}");
    assert!(numbers(&kelvin).iter().all(|row| (50.0..300.0).contains(&row[10])));
}

#[test]
fn a_masked_measurement_stays_masked() {
    let case = Case::limb();
    let (plain, _) = case.forward(&[]);
    case.set("limb/obs.tab", 4, 11, "nan");
    let (masked, _) = case.forward(&[]);
    for (i, (plain, masked)) in numbers(&plain).iter().zip(numbers(&masked)).enumerate() {
        for (j, (a, b)) in plain.iter().zip(masked).enumerate() {
            assert!(if (i, j) == (4, 11) { b.is_nan() } else { *a == b }, "row {i} column {j}: {a} {b}");
        }
    }
}

#[test]
fn the_order_of_a_tables_pressures_and_bytes_does_not_matter() {
    let case = Case::limb();
    let (plain, _) = case.forward(&[]);
    let name = case.path("tables/demo_792.0000_CO2.bin");
    let (mut table, _) = isobar_io::read_table(&name).unwrap();
    let mut write = |endian| {
        let mut bytes = Vec::new();
        isobar_io::table::write_table_binary(&mut bytes, &table, endian).unwrap();
        fs::write(&name, &bytes).unwrap();
        table.pressures.reverse();
        bytes
    };
    let original = write(isobar_io::table::Endian::Little);
    let descending = write(isobar_io::table::Endian::Little);
    assert!(original != descending);
    assert!(case.forward(&[]).0 == plain, "descending pressures");
    write(isobar_io::table::Endian::Big);
    assert!(case.forward(&[]).0 == plain, "the other byte order");
}

/// Such a channel is opaque, in both precisions; with JURASSIC's arithmetic it keeps its frozen transmittance, and the
/// command says so.
#[test]
fn a_channel_that_ends_within_one_step_is_told() {
    let case = Case::limb();
    let wet = |text: String| {
        let row = |line: &str| {
            let mut words: Vec<&str> = line.split_whitespace().collect();
            if words.first().is_some_and(|word| *word != "#") {
                words[7] = "0.3"; // H2O
            }
            words.join(" ")
        };
        text.lines().map(row).collect::<Vec<_>>().join("\n") + "\n"
    };
    case.edit("limb/atm.tab", wet);
    case.edit("limb/obs.tab", |_| "0 0.02 0 0 60 0 3\n0 780 0 0 68 0 25.8\n".to_owned());

    let (frozen, said) = case.forward(&["RAYDS=20", "RAYDZ=0", "--jurassic-exact"]);
    assert!(said.contains("warning: 1 of 2 rays: a gas becomes opaque within one step"), "{said}");
    let (_, said) = case.forward(&["RAYDS=2", "RAYDZ=0", "--jurassic-exact"]);
    assert!(!said.contains("opaque"), "{said}");
    let transmittance = |text: &str| numbers(text)[0][14..18].to_vec();
    for precision in ["f32", "f64"] {
        let (opaque, said) = case.forward(&["RAYDS=20", "RAYDZ=0", "--precision", precision]);
        assert!(!said.contains("opaque"), "{said}");
        let both = transmittance(&frozen).into_iter().zip(transmittance(&opaque));
        assert!(both.clone().any(|(frozen, opaque)| frozen > 0.01 && opaque == 0.0), "{precision}: {both:?}");
    }
}
