//! k-distributions: RRTMG_LW's file and our own, as edits of files that are good, and as they come.
#![no_main]

use std::sync::LazyLock;

use isobar::longwave::{KDistribution, TableKind, analytic, rrtmg};
use isobar_fuzz::edits::edited;
use isobar_fuzz::{check_error, with_file};
use libfuzzer_sys::fuzz_target;

/// The numbers of a record of RRTMG_LW's file: 16 g-points.
const POINTS: usize = 16;

/// A file of ours, and one in RRTMG_LW's format with its sizes and numbers of no meaning.
static GOOD: LazyLock<[Vec<u8>; 2]> = LazyLock::new(|| {
    let mut records = Vec::new();
    for band in &rrtmg::BANDS {
        let kinds = TableKind::of(band);
        let length = (kinds.iter().map(|kind| kind.rows(band)).sum::<usize>() * POINTS * 4) as u32;
        records.extend(length.to_be_bytes());
        for kind in kinds {
            // Planck fractions of a band add up to 1.
            let value = if matches!(kind, TableKind::Fractions(_)) { 1.0 / POINTS as f32 } else { 1e-3 };
            (0..kind.rows(band) * POINTS).for_each(|_| records.extend(value.to_be_bytes()));
        }
        records.extend(length.to_be_bytes());
    }
    let good = [analytic::k_distribution().to_bytes(), records];
    for bytes in &good {
        with_file("fuzz.kd", bytes, |path| KDistribution::open(path)).expect("they are good");
    }
    good
});

fuzz_target!(|bytes: &[u8]| {
    let Some((&which, script)) = bytes.split_first() else { return };
    let file = match GOOD.get(usize::from(which % 3)) {
        Some(good) => edited(good, script),
        None => script.to_vec(),
    };
    match with_file("fuzz.kd", &file, |path| KDistribution::open(path)) {
        Ok(read) => {
            // Nothing of ours that is damaged is taken.
            assert!(file == GOOD[0] || which % 3 > 0, "a file that was changed is taken");
            let _ = (read.gases(), read.halocarbons());
        }
        Err(error) => check_error(&error, "fuzz.kd"),
    }
});
