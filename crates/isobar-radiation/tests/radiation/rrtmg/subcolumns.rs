//! Sub-columns against the reference's, bit for bit.

use isobar_core::{FieldMut, Kernel, Lanes};
use isobar_radiation::rrtmg::cloud_mask::Jumps;
use isobar_radiation::rrtmg::{self, CloudMask, Decorrelation, mersenne_mask};
use isobar_radiation::{Columns, Options, Overlap};

use crate::rrtmg::case::{numbers, reference, views};

/// The mask of one column by the kernel.
fn by_kernel(columns: &Columns<f64>, options: &Options) -> Vec<u32> {
    let layers = columns.layers();
    let (length_m, centre_deg) = options.rrtmg.decorrelation.parameters();
    let (mut follows, mut mask) = (vec![0.0; layers], vec![0; layers * 5]);
    let kernel = CloudMask {
        overlap: options.overlap.number(),
        skip: options.rrtmg.seed,
        jumps: Jumps::new(options.overlap.number(), layers),
        points: 140,
        columns: rrtmg::views::ColumnViews::of(&views(columns)),
        length_m,
        centre_deg,
        follows: FieldMut::item_fastest(&mut follows, layers, 1),
        mask: FieldMut::item_fastest(&mut mask, layers * 5, 1),
    };
    // SAFETY: the views are those of living slices.
    let status = unsafe { kernel.item::<32>(0, Lanes::starting_at(0)) };
    assert!(status.is_ok());
    mask
}

#[test]
fn masks_are_the_references_bit_for_bit() {
    let Some(dir) = reference() else { return };
    let dir = dir.join("mcica");
    let meta = isobar_golden::json(&dir.join("meta.json"));
    let read = |name: &str| numbers(&dir.join(format!("{name}.npy"))).1;
    let (layers, bits) = (read("nlay"), read("out_mask_bits"));
    let (pressure, fraction, thickness) = (read("in_play"), read("in_cldfrac"), read("in_dz"));
    let mut cells = 0;
    for case in meta["cases"].as_array().expect("a list") {
        let number = |name: &str| case[name].as_f64().unwrap_or_else(|| panic!("{name} is no number"));
        let column = number("column") as usize;
        let count = layers[column] as usize;
        let first = layers[..column].iter().sum::<f64>() as usize;
        let of_layers = |values: &[f64]| values[first..first + count].to_vec();
        let columns = Columns::<f64> {
            pressure_pa: of_layers(&pressure).iter().map(|p| p * 100.0).collect(),
            level_pressure_pa: vec![1e5; count + 1],
            temperature_k: vec![250.0; count],
            level_temperature_k: vec![250.0],
            surface_temperature_k: vec![250.0],
            emissivity: vec![1.0],
            cloud_fraction: of_layers(&fraction),
            thickness_m: of_layers(&thickness),
            latitude_deg: vec![number("latitude_deg")],
            ..Columns::default()
        };
        let overlaps = [
            Overlap::Random,
            Overlap::MaximumRandom,
            Overlap::Maximum,
            Overlap::Exponential,
            Overlap::ExponentialRandom,
        ];
        let rrtmg = rrtmg::Options {
            seed: number("permute_seed") as u32,
            decorrelation: if number("idcor") == 0.0 {
                Decorrelation::Length(number("decorrelation_length_m"))
            } else {
                Decorrelation::Latitude { day: number("julian_day") as u32 }
            },
            ..rrtmg::Options::default()
        };
        let options = Options { overlap: overlaps[number("icld") as usize - 1], rrtmg, ..Options::of_rrtmg() };
        let mask = if number("irng") == 0.0 {
            by_kernel(&columns, &options)
        } else {
            mersenne_mask(&views(&columns), 140, &options).expect("there are clouds")
        };
        let row = number("row_offset") as usize;
        for layer in 0..count {
            for point in 0..140 {
                let ours = mask[layer * 5 + point / 32] >> (point % 32) & 1;
                let byte = bits[(row + layer) * 18 + point / 8] as u32;
                let theirs = byte >> (7 - point % 8) & 1;
                assert_eq!(ours, theirs, "layer {layer} g-point {point} of {case}");
                cells += theirs;
            }
        }
    }
    println!("{cells} cloudy cells");
}
