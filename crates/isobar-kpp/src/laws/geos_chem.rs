//! GEOS-Chem's laws for reactions in the gas phase (its `GCARR_*`, `GCJPL*`, `GC_*`, `ARRPLUS_*`, `TUNPLUS_*`).
//!
//! `T` is the temperature, `M` the number density of air (`NUMDEN`). The letters behind a name say which parameters it
//! takes: `a (300/T)^b exp(c/T)`, so that a `c` is a temperature with a plus.
//! Where they come from: Bates and Jacob 2019 (doi:10.5194/acp-19-9613-2019) for the chemistry of isoprene, with
//! tunnelling and yields of nitrates (Wennberg and others 2018, doi:10.1021/acs.chemrev.7b00439); Arey and others 2001
//! (doi:10.1021/jp010292z) for those of alkyl nitrates; JPL's evaluations for falloff.

use isobar_rosenbrock::Operation;

use super::{Air, falloff, iupac_width};
use crate::graph::Value;

/// The names of all laws.
pub(super) const NAMES: [&str; 32] = [
    "ARRPLUS_abde",
    "ARRPLUS_ade",
    "GCARR_ab",
    "GCARR_abc",
    "GCARR_ac",
    "GCJPLAC_ababac",
    "GCJPLEQ_acabab",
    "GCJPLPR_aa",
    "GCJPLPR_aba",
    "GCJPLPR_abab",
    "GCJPLPR_abcabc",
    "GC_ALK",
    "GC_DMSOH_acac",
    "GC_EPO_a",
    "GC_GLYCOH_A_a",
    "GC_GLYCOH_B_a",
    "GC_GLYXNO3_ac",
    "GC_HACOH_A_ac",
    "GC_HACOH_B_ac",
    "GC_HO2HO2_acac",
    "GC_ISO1",
    "GC_ISO2",
    "GC_NIT",
    "GC_PAN_abab",
    "GC_PAN_acac",
    "GC_RO2HO2_aca",
    "GC_RO2NO_A1_ac",
    "GC_RO2NO_A2_aca",
    "GC_RO2NO_B1_ac",
    "GC_RO2NO_B2_aca",
    "GC_TBRANCH_1_acac",
    "TUNPLUS_abcde",
];

/// The part of air that is oxygen.
const OXYGEN: f64 = 0.2095;

/// `a exp(c/T)`
fn arrhenius<'g>(a: Value<'g>, c: Value<'g>, t: Value<'g>) -> Value<'g> {
    a * (c / t).exp()
}

/// `a (300/T)^b`
fn by_temperature<'g>(a: Value<'g>, b: Value<'g>, t: Value<'g>) -> Value<'g> {
    a * (300.0 / t).pow(b)
}

/// What cannot fall below 0.
fn not_negative(x: Value<'_>) -> Value<'_> {
    x.binary(Operation::Maximum, x.constant(0.0))
}

/// The part `x/(x + z)` of peroxy radicals with NO that becomes a nitrate, where `x` is of isoprene's kind: falloff
/// between `2e-22 exp(n) M` and `0.43 (T/298)^-8` with 0.41 at its centre.
fn nitrates_of_isoprene<'g>(n: Value<'g>, z: Value<'g>, t: Value<'g>, m: Value<'g>) -> Value<'g> {
    let x = falloff(2e-22 * n.exp() * m, 0.43 * (t / 298.0).pow(t.constant(-8.0)), t.constant(0.41), None);
    x / (x + z)
}

/// The part of alkyl peroxy radicals of `n` atoms of carbon with NO that becomes a nitrate.
fn nitrates_of_alkanes<'g>(n: Value<'g>, t: Value<'g>, m: Value<'g>) -> Value<'g> {
    let high = 0.826 * (300.0 / t).pow(t.constant(8.1));
    let ratio = falloff(1.94e-22 * (0.97 * n).exp() * m, high, t.constant(0.411), None);
    ratio / (1.0 + ratio)
}

/// The part `1 - a exp(-T/b)` of a channel, at least 0.
fn channel(a: f64, b: f64, t: Value<'_>) -> Value<'_> {
    not_negative(1.0 - a * (-t / b).exp())
}

/// The part `c k/(k + f exp(g/T))` of an isomerisation, with `k = d exp(e/T + 1e8/T^3)`.
fn isomerised<'g>([c, d, e, f, g]: [Value<'g>; 5], t: Value<'g>) -> Value<'g> {
    let k = arrhenius(d, e, t) * (1e8 / (t * t * t)).exp();
    c * k / (k + arrhenius(f, g, t))
}

/// A law by its name in lower case, if there is one with this number of arguments.
pub(super) fn law<'g>(name: &str, x: &[Value<'g>], air: &mut dyn Air<'g>) -> Option<Value<'g>> {
    if !NAMES.iter().any(|law| law.eq_ignore_ascii_case(name)) {
        return None;
    }
    simple(name, x, air).or_else(|| of_pressure(name, x, air))
}

/// Laws of the temperature alone.
fn simple<'g>(name: &str, x: &[Value<'g>], air: &mut dyn Air<'g>) -> Option<Value<'g>> {
    let t = air.temperature();
    Some(match (name, x) {
        ("gcarr_ab", &[a, b]) => by_temperature(a, b, t),
        ("gcarr_ac", &[a, c]) => arrhenius(a, c, t),
        ("gcarr_abc", &[a, b, c]) => by_temperature(arrhenius(a, c, t), b, t),
        ("arrplus_ade", &[a, d, e]) => not_negative(a * (d + t * e)),
        // Here b is a temperature with a minus.
        ("arrplus_abde", &[a, b, d, e]) => not_negative(arrhenius(a, -b, t) * (d + t * e)),
        ("tunplus_abcde", &[a, b, c, d, e]) => not_negative(arrhenius(a, b, t) * (d + t * e) * (c / (t * t * t)).exp()),
        ("gc_iso1", &[a, b, c, d, e, f, g]) => arrhenius(a, b, t) * (1.0 - isomerised([c, d, e, f, g], t)),
        ("gc_iso2", &[a, b, c, d, e, f, g]) => arrhenius(a, b, t) * isomerised([c, d, e, f, g], t),
        ("gc_tbranch_1_acac", &[a0, c0, a1, c1]) => arrhenius(a0, c0, t) / (1.0 + arrhenius(a1, c1, t)),
        // Of radicals of a1 atoms of carbon.
        ("gc_ro2ho2_aca", &[a, c, n]) => arrhenius(a, c, t) * (1.0 - (-0.245 * n).exp()),
        ("gc_glycoh_a_a", &[a]) => a * channel(11.0729, 73.0, t),
        ("gc_glycoh_b_a", &[a]) => a * (1.0 - channel(11.0729, 73.0, t)),
        ("gc_hacoh_a_ac", &[a, c]) => arrhenius(a, c, t) * channel(23.7, 60.0, t),
        ("gc_hacoh_b_ac", &[a, c]) => arrhenius(a, c, t) * (1.0 - channel(23.7, 60.0, t)),
        // Of methyl peroxy, 3e-4 of which become a nitrate.
        ("gc_ro2no_a1_ac", &[a, c]) => arrhenius(a, c, t) * 3e-4,
        ("gc_ro2no_b1_ac", &[a, c]) => arrhenius(a, c, t) * (1.0 - 3e-4),
        _ => return None,
    })
}

/// Laws of the density of air, too.
fn of_pressure<'g>(name: &str, x: &[Value<'g>], air: &mut dyn Air<'g>) -> Option<Value<'g>> {
    let (t, m) = (air.temperature(), air.number_density());
    let jpl = |[a0, b0, a1, b1]: [Value<'g>; 4], f| {
        falloff(by_temperature(a0, b0, t) * m, by_temperature(a1, b1, t), f, None)
    };
    Some(match (name, x) {
        ("gcjplpr_aa", &[a0, a1, f]) => falloff(a0 * m, a1, f, None),
        ("gcjplpr_aba", &[a0, b0, a1, f]) => falloff(by_temperature(a0, b0, t) * m, a1, f, None),
        ("gcjplpr_abab", &[a0, b0, a1, b1, f]) => jpl([a0, b0, a1, b1], f),
        ("gcjplpr_abcabc", &[a0, b0, c0, a1, b1, c1, f]) => {
            let limit = |a, b, c| by_temperature(arrhenius(a, c, t), b, t);
            falloff(limit(a0, b0, c0) * m, limit(a1, b1, c1), f, None)
        }
        // Back from what falloff makes, by the equilibrium a exp(c/T).
        ("gcjpleq_acabab", &[a, c, a0, b0, a1, b1, f]) => jpl([a0, b0, a1, b1], f) / arrhenius(a, c, t),
        // What is activated and does not become what falloff makes.
        ("gcjplac_ababac", &[a0, b0, a1, b1, a, c, f]) => {
            arrhenius(a, c, t) * (1.0 - jpl([a0, b0, a1, b1], f) / by_temperature(a1, b1, t))
        }
        ("gc_pan_abab", &[a0, c0, a1, c1, f]) => {
            falloff(arrhenius(a0, c0, t) * m, arrhenius(a1, c1, t), f, Some(iupac_width(f)))
        }
        ("gc_pan_acac", &[a0, c0, a1, c1, f]) => {
            let limit = |a, c: Value<'g>| by_temperature(a, -c, t);
            falloff(limit(a0, c0) * m, limit(a1, c1), f, Some(iupac_width(f)))
        }
        ("gc_epo_a", &[a, e, m1]) => arrhenius(a, e, t) / (m1 * m + 1.0),
        ("gc_nit", &[a, b, c, n, x, y]) => {
            not_negative(arrhenius(a, b, t) * (x - t * y) * nitrates_of_isoprene(n, c, t, m))
        }
        ("gc_alk", &[a, b, c, n, x, y]) => {
            not_negative(arrhenius(a, b, t) * (x - t * y) * (1.0 - nitrates_of_isoprene(n, c, t, m)))
        }
        ("gc_ro2no_a2_aca", &[a, c, n]) => arrhenius(a, c, t) * nitrates_of_alkanes(n, t, m),
        ("gc_ro2no_b2_aca", &[a, c, n]) => arrhenius(a, c, t) * (1.0 - nitrates_of_alkanes(n, t, m)),
        ("gc_dmsoh_acac", &[a0, c0, a1, c1]) => {
            arrhenius(a0, c0, t) * (OXYGEN * m) / (1.0 + arrhenius(a1, c1, t) * OXYGEN)
        }
        ("gc_glyxno3_ac", &[a, c]) => {
            let oxygen = OXYGEN * m;
            arrhenius(a, c, t) * (oxygen + 3.5e18) / (2.0 * oxygen + 3.5e18)
        }
        ("gc_ho2ho2_acac", &[a0, c0, a1, c1]) => {
            let dry = arrhenius(a0, c0, t) + arrhenius(a1, c1, t) * m;
            dry * (1.0 + 1.4e-21 * air.water() * (2200.0 / t).exp())
        }
        _ => return None,
    })
}

/// What GEOS-Chem computes of the temperature before it calls KPP, by its name in lower case; gas constants are its
/// own: 0.083144598 bar L/(mol K), 8.2057e-2 atm L/(mol K) and 8.3144598 J/(mol K).
pub(crate) fn of_temperature(name: &str) -> Option<for<'g> fn(Value<'g>) -> Value<'g>> {
    Some(match name {
        "inv_temp" => |t| 1.0 / t,
        "sr_temp" => |t| t.unary(Operation::SquareRoot),
        "temp_over_k300" => |t| t / 300.0,
        "k300_over_temp" => |t| 300.0 / t,
        "four_r_t" => |t| 4.0 * 0.083_144_598 * t,
        "four_rgaslatm_t" => |t| 4.0 * 8.2057e-2 * t,
        "eight_rstarg_t" => |t| 8.0 * 8.314_459_8 * t,
        _ => return None,
    })
}
