//! GEOS-Chem's laws for reactions in the gas phase, against rate constants of cells of the model.

use isobar_golden::npy;
use isobar_kpp::Reader;

use crate::reference::dir;

/// A law, and the reactions that have it, from 0: in the full chemistry of GEOS-Chem 14.0 (48 cells), unless its
/// parameters changed since, and in that of 14.3 (a cell).
const LAWS: [(Option<usize>, usize, &str); 32] = [
    (Some(400), 373, "ARRPLUS_abde(2.12d-13, -1300d0, 1.1644d0, -7.0485d-4)"),
    (Some(408), 381, "ARRPLUS_ade(6.92d-14, 1.1644d0, -7.0485d-4)"),
    (Some(199), 180, "GCARR_ab(6.00d-34, 2.4d0)*NUMDEN"),
    (Some(27), 27, "GCARR_abc(4.10d-13, 0.0d0, 750.0d0)"),
    (None, 59, "GCARR_abc(8.54d-13, 1.54d0, -19.0d0)"),
    (Some(13), 13, "GCARR_ac(1.70d-12, -940.0d0)"),
    (None, 188, "GCJPLAC_ababac(3.4d-31, 1.6d0, 2.3d-11, 0.2d0, 5.3d-12, 2.0d2, 0.6d0)"),
    (Some(275), 254, "GCJPLEQ_acabab(6.60d-25, 2502.0d0, 2.20d-33, 3.1d+00, 1.8d-10, 0.0d0, 0.6d0)"),
    (Some(302), 280, "GCJPLPR_aa(4.00d-28, 2.8d-10, 0.6d0)"),
    (Some(185), 169, "GCJPLPR_aba(4.20d-31, 2.4d0, 2.7d-11, 0.6d0)"),
    (Some(113), 109, "GCJPLPR_abab(4.60d-27, 4.0d0, 2.6d-11, 1.3d0, 0.5d0)"),
    (Some(162), 146, "GCJPLPR_abcabc(1.05d-02, 4.8d+00, -11234.0d0, 7.58d16, 2.1d0, -11234.0d0, 0.6d0)"),
    (Some(419), 392, "GC_ALK(2.7d-12, 3.50d2, 1.19d0, 6.0d0, 1.1644d0, 7.05d-4)"),
    (Some(164), 148, "GC_DMSOH_acac(8.20d-39, 5376.0d0, 1.05d-5, 3644.0d0)"),
    (Some(434), 407, "GC_EPO_a(1.62d-11, 3.90d2, 4.77d-21)"),
    (Some(115), 111, "GC_GLYCOH_A_a(8.00d-12)"),
    (Some(116), 112, "GC_GLYCOH_B_a(8.00d-12)"),
    (Some(120), 116, "GC_GLYXNO3_ac(1.40d-12, -1860.0d0)"),
    (None, 118, "GC_HACOH_A_ac(2.00d-12, 320.0d0)"),
    (None, 119, "GC_HACOH_B_ac(2.00d-12, 320.0d0)"),
    (Some(396), 369, "GC_ISO1(1.7d-11, 3.90d2, 9.33d-2, 5.05d15, -1.22d4, 1.79d14, -8.830d3)"),
    (Some(398), 371, "GC_ISO2(1.7d-11, 3.90d2, 9.33d-2, 5.05d15, -1.22d4, 1.79d14, -8.830d3)"),
    (Some(418), 391, "GC_NIT(2.7d-12, 3.50d2, 1.19d0, 6.0d0, 1.1644d0, 7.05d-4)"),
    (Some(636), 609, "GC_PAN_abab(1.10d-5, -10100.0d0, 1.90d+17, -14100.0d0, 0.3d0)*0.67d0"),
    (Some(579), 552, "GC_PAN_acac(2.591d-28, -6.87d0, 1.125d-11, -1.105d0, 0.3d0)"),
    (Some(110), 106, "GC_RO2HO2_aca(2.91d-13, 1300.0d0, 3.0d0)"),
    (Some(26), 26, "GC_RO2NO_A1_ac(2.80d-12, 300.0d0)"),
    (Some(59), 57, "GC_RO2NO_A2_aca(2.60d-12, 365.0d0, 2.0d0)"),
    (Some(25), 25, "GC_RO2NO_B1_ac(2.80d-12, 300.0d0)"),
    (Some(58), 56, "GC_RO2NO_B2_aca(2.60d-12, 365.0d0, 2.0d0)"),
    (Some(28), 28, "GC_TBRANCH_1_acac(9.50d-14, 390.0d0, 2.62d1, -1130.0d0)"),
    (Some(405), 378, "TUNPLUS_abcde(5.05d15, -1.22d4, 1.0d8, -0.0128d0, 5.1242d-5)"),
];

/// `O3 + NO = NO2 + O2`, which says the temperature.
const TEMPERATURE: (usize, &str) = (12, "GCARR_ac(3.00d-12, -1500.0d0)");
/// `HO2 + HO2 = H2O2 + O2`, the one that water vapour speeds up.
const WATER: (usize, &str) = (22, "GC_HO2HO2_acac(3.00d-13, 460.0d0, 2.1d-33, 920.0d0)");

/// Relative. The constants have 15 digits, of which the temperature comes with an error of up to 5e-15 divided by the
/// 5 to 8 of the exponent there; exponents of up to 75 make 7e-14 of it.
const RATE: f64 = 1e-13;
/// Relative, where water is read: the model's is of the humidity, from which the species' differs by up to 2e-4.
const WET: f64 = 2e-4;

#[test]
fn rate_constants_are_those_of_the_model() {
    let Some(folder) = dir().map(|dir| dir.join("fullchem")) else { return };
    let mut text = String::from("#DEFVAR A; B; H2O; #EQUATIONS H2O + A = H2O : 1.0;\n");
    LAWS.iter().map(|law| law.2).chain([WATER.1]).for_each(|rate| text += &format!("A = B : {rate};\n"));
    let mechanism = Reader::new().read_text("laws.eqn", &text).unwrap_or_else(|error| panic!("{error}"));
    let inputs: Vec<&str> = mechanism.inputs().iter().map(|input| input.name.as_str()).collect();
    assert_eq!(inputs, ["TEMP", "NUMDEN"]);

    let mut compared = 0;
    for (conc, rconst, mechanism_file, of_first) in [
        ("conc_init.npy", "rconst.npy", "mechanism/gc14.kpp", true),
        ("beijing/conc_init.npy", "beijing/rconst.npy", "beijing/gc_beijing.kpp", false),
    ] {
        let given = Reader::new().read_file(folder.join(mechanism_file)).unwrap_or_else(|error| panic!("{error}"));
        let (_, start) = npy(&folder.join(conc));
        let (_, want) = npy(&folder.join(rconst));
        let (reactions, species) = (given.reactions().len(), given.species().len());
        let water = given.species_index("H2O").expect("a species");
        for (want, start) in want.chunks(reactions).zip(start.chunks(species)) {
            #[allow(clippy::disallowed_methods, reason = "another computation than the program's")]
            let (t, cold) = {
                let t = -1500.0 / (want[TEMPERATURE.0] / 3e-12).ln();
                (t, (300.0 / t).powf(2.4))
            };
            let density = want[if of_first { 199 } else { 180 }] / (6e-34 * cold);
            let mut concentration = vec![0.0; mechanism.species().len()];
            concentration[mechanism.species_index("H2O").expect("a species")] = start[water];
            let got = mechanism.program().rate_constants(&concentration, &[t, density], 0.0);
            for (got, (first, second, law)) in
                got[1..].iter().zip(LAWS.iter().chain([&(Some(WATER.0), WATER.0, WATER.1)]))
            {
                let Some(reaction) = (if of_first { *first } else { Some(*second) }) else { continue };
                let tolerance = if *law == WATER.1 { WET } else { RATE };
                let error = (got - want[reaction]).abs();
                assert!(
                    error <= tolerance * want[reaction].abs(),
                    "{law} at {t} K: {got} instead of {}",
                    want[reaction]
                );
                compared += 1;
            }
        }
    }
    // All of one cell, and those of which the parameters did not change in 48.
    assert_eq!(compared, 33 + 48 * (33 - 4));
}
