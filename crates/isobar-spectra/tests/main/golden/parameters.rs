//! Line parameters.

use isobar_golden::npy;

use super::case::{HAPI, cases, relative};

/// They are a few operations of double precision on the same numbers.
#[test]
fn intensities_widths_and_shifts() {
    for case in cases() {
        let (_, index) = npy(&case.folder.join("line_index.npy"));
        let golden = case.golden("line_parameters");
        for (air, golden) in case.states.iter().zip(&golden) {
            let ratios = case.gas.partition_ratios(air.temperature_k).expect("in the table");
            for (&number, golden) in index.iter().zip(golden.chunks(4)) {
                let place = case.gas.isotopologue_of()[number as usize] as usize;
                let line = &case.gas.lines()[number as usize];
                let got = line.at(air, &HAPI, ratios[place], case.gas.isotopologues()[place].mass_u);
                let got = [got.intensity, got.lorentz_width_per_cm, got.shift_per_cm, got.doppler_width_per_cm];
                let error = relative(&got, golden);
                assert!(error < 1e-12, "{} line {number} {air:?}: {got:?} {golden:?}", case.gas.name());
            }
        }
    }
}
