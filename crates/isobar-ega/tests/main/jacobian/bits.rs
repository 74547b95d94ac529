//! The bits of Jacobians, which no other order of the same work may change.

use isobar_ega::jacobian::Geometry;
use isobar_ega::{Approximation, GroundKind};

use super::case::{Case, rays};
use super::tracks::track;

/// A number that tells all results of a case's rays from others (FNV-1a). A zero is a zero.
fn mark(case: &Case, geometry: Geometry) -> u64 {
    let mut mark: u64 = 0xcbf2_9ce4_8422_2325;
    for (_, ray) in rays() {
        let found = case.model(&case.atmosphere, geometry).ray(&ray).expect("a ray");
        for x in [found.radiance, found.transmittance, found.derivative].concat() {
            let bits = if x == 0.0 { 0 } else { x.to_bits() };
            for byte in bits.to_le_bytes() {
                mark = (mark ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
            }
        }
    }
    mark
}

#[test]
fn stay_as_they_were() {
    let mut found = Vec::new();
    let mut both = |what: &'static str, case: &Case| {
        found.push((what, mark(case, Geometry::Moving), mark(case, Geometry::Frozen)));
    };
    both("growth", &Case::new());
    for jurassic_exact in [false, true] {
        for approximation in [Approximation::EmissivityGrowth, Approximation::CurtisGodson] {
            let mut case = Case::new();
            (case.setup.jurassic_exact, case.setup.approximation) = (jurassic_exact, approximation);
            case.setup.ground = GroundKind::Sky;
            both("a rule", &case);
        }
    }
    let mut case = Case::new();
    (case.setup.path.step_height_km, case.setup.path.step_length_km) = (0.0, 31.0);
    both("steps over many levels", &case);
    case.atmosphere.surface.as_mut().expect("one").temperature_k = 0.0;
    case.atmosphere.cloud = None;
    both("less of everything", &case);
    let mut case = Case::new();
    case.atmosphere = track(&case);
    both("a track", &case);
    let before = [
        ("growth", 11756668188377328223, 15043342251308274942),
        ("a rule", 14240694245599198354, 6821720707724486519),
        ("a rule", 3481753574099373540, 142176028120619738),
        ("a rule", 827002009604166621, 11362268045321674910),
        ("a rule", 10978482591691753312, 10892728591426338643),
        ("steps over many levels", 4677514666006633612, 346944195491586817),
        ("less of everything", 10383769017752333757, 9858101387094133130),
        ("a track", 460318705584410482, 14846477846473907214),
    ];
    assert_eq!(found, before);
}
