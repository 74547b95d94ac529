//! Formulas at points that publications tabulate.

use isobar_photolysis::formulas::*;

/// Numbers of the evaluation's tables of H2O2 and O(1D), and of the tests of TUV-x, which has the same formulas: within
/// one of their last digit, for some are cut.
#[test]
fn formulas_give_the_tables_numbers() {
    let cases: [(&str, f64, f64, f64); 11] = [
        ("N2O at 201 nm and 288.15 K", nitrous_oxide(201.0, 288.15), 3.35e-20, 0.01 / 3.35),
        ("N2O at 201 nm and 281.65 K", nitrous_oxide(201.0, 281.65), 3.27e-20, 0.01 / 3.27),
        ("N2O at 181 nm and 288.15 K", nitrous_oxide(181.0, 288.15), 1.45e-19, 0.01 / 1.45),
        ("H2O2 at 260 nm and 298 K", hydrogen_peroxide(260.0, 298.0), 5.3e-20, 0.1 / 5.3),
        ("H2O2 at 300 nm and 298 K", hydrogen_peroxide(300.0, 298.0), 0.68e-20, 0.01 / 0.68),
        ("Cl2 at 219 nm and 288.15 K", chlorine(219.0, 288.15), 1.15e-25, 0.01 / 1.15),
        ("Cl2 at 219 nm and 281.65 K", chlorine(219.0, 281.65), 1.03e-25, 0.01 / 1.03),
        ("HOBr at 301 nm", hypobromous_acid(301.0), 1.84e-19, 0.01 / 1.84),
        ("air at 301 nm", scattering_of_air(301.0), 5.57e-26, 0.01 / 5.57),
        ("O(1D) at 308 nm and 298 K", singlet_oxygen_of_ozone(308.0, 298.0), 0.793, 0.001 / 0.793),
        ("O(1D) at 310 nm and 298 K", singlet_oxygen_of_ozone(310.0, 298.0), 0.523, 0.001 / 0.523),
    ];
    for (name, got, want, tolerance) in cases {
        println!("{name}: {got:e}, published {want:e}");
        assert!((got / want - 1.0).abs() < tolerance, "{name}: {got:e} instead of {want:e}");
    }
    // Warm ozone leaves more O(1D) at the edge, and there is no jump where the formula begins and ends.
    assert!(singlet_oxygen_of_ozone(315.0, 298.0) > 1.2 * singlet_oxygen_of_ozone(315.0, 203.0));
    for edge in [225.0, 306.0, 328.0] {
        let [below, above] = [edge - 1e-6, edge + 1e-6].map(|l| singlet_oxygen_of_ozone(l, 298.0));
        assert!((below - above).abs() < 0.03, "{edge}: {below} {above}");
    }
    for outside in [nitrous_oxide(241.0, 250.0), hydrogen_peroxide(351.0, 250.0), chlorine(551.0, 250.0)] {
        assert_eq!(outside, 0.0);
    }
}
