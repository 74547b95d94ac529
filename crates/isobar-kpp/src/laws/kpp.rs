//! The laws of KPP, of WRF-Chem and of MECCA.
//!
//! `T` is the temperature, and `M` the density of air, 1e6 CFACTOR, where a law does not take them as arguments, as
//! those of WRF-Chem do.
//! Formulas: KPP's manual, section 3.2.10 "Rate laws"; falloff as in JPL's evaluations (Burkholder and others 2019) and
//! in IUPAC's (Atkinson and others 2004, doi:10.5194/acp-4-1461-2004).

use super::{Air, falloff, iupac_width};
use crate::graph::Value;

/// `a exp(-b/T)`
fn arrhenius<'g>(a: Value<'g>, b: Value<'g>, t: Value<'g>) -> Value<'g> {
    a * (-b / t).exp()
}

/// `(T/300)^c`
fn by_temperature<'g>(t: Value<'g>, c: Value<'g>) -> Value<'g> {
    (t / 300.0).pow(c)
}

/// Falloff between `k0 (300/T)^n M` and `k1 (300/T)^m`.
fn troe<'g>(t: Value<'g>, m: Value<'g>, [k0, n, k1, p]: [Value<'g>; 4], f: Value<'g>, iupac: bool) -> Value<'g> {
    let cold = 300.0 / t;
    let width = iupac.then(|| iupac_width(f));
    falloff(k0 * cold.pow(n) * m, k1 * cold.pow(p), f, width)
}

/// `k0 + k3/(1 + k3/k2)`, where `k3` has the density of air in it.
fn two_ways<'g>([a0, c0, a2, c2]: [Value<'g>; 4], k3: Value<'g>, t: Value<'g>) -> Value<'g> {
    arrhenius(a0, c0, t) + k3 / (1.0 + k3 / arrhenius(a2, c2, t))
}

/// Falloff between `a exp(-b/T) (T/300)^c` of both limits.
fn limits<'g>(
    [a0, b0, c0, a1, b1, c1]: [Value<'g>; 6],
    f: Value<'g>,
    n: Option<Value<'g>>,
    t: Value<'g>,
    m: Value<'g>,
) -> Value<'g> {
    let low = arrhenius(a0, b0, t) * by_temperature(t, c0) * m;
    falloff(low, arrhenius(a1, b1, t) * by_temperature(t, c1), f, n)
}

/// The names of all laws.
pub(super) const NAMES: [&str; 18] = [
    "ARR",
    "ARR2",
    "ARR_ab",
    "ARR_ac",
    "ARR_abc",
    "EP2",
    "EP3",
    "F2",
    "FALL",
    "k_3rd",
    "k_3rd_iupac",
    "k_arr",
    "k3rd_jpl",
    "k3rd_iupac",
    "JPL_TROE",
    "THERMAL_T2",
    "TROE",
    "TROEE",
];

/// A law by its name in lower case, if there is one with this number of arguments.
pub(super) fn law<'g>(name: &str, x: &[Value<'g>], air: &mut dyn Air<'g>) -> Option<Value<'g>> {
    Some(match (name, x) {
        ("arr_ab", &[a, b]) => arrhenius(a, b, air.temperature()),
        ("arr_ac", &[a, c]) => a * by_temperature(air.temperature(), c),
        ("arr" | "arr_abc", &[a, b, c]) => {
            let t = air.temperature();
            arrhenius(a, b, t) * by_temperature(t, c)
        }
        // KPP up to 2.1 has a exp(b/T); WRF, which gives the temperature, has a exp(-b/T).
        ("arr2", &[a, b]) => arrhenius(a, -b, air.temperature()),
        ("arr2", &[a, b, t]) => arrhenius(a, b, t),
        ("arr", &[a, b, c, t]) => arrhenius(a, b, t) * by_temperature(t, c),
        ("ep2", &[a0, c0, a2, c2, a3, c3]) => {
            let (t, m) = (air.temperature(), air.cfactor() * 1e6);
            two_ways([a0, c0, a2, c2], arrhenius(a3, c3, t) * m, t)
        }
        ("ep2", &[a0, c0, a2, c2, a3, c3, t, m]) => two_ways([a0, c0, a2, c2], arrhenius(a3, c3, t) * m, t),
        ("ep3", &[a1, c1, a2, c2]) => {
            let (t, m) = (air.temperature(), air.cfactor() * 1e6);
            arrhenius(a1, c1, t) + arrhenius(a2, c2, t) * m
        }
        ("ep3", &[a1, c1, a2, c2, t, m]) => arrhenius(a1, c1, t) + arrhenius(a2, c2, t) * m,
        ("fall", &[a0, b0, c0, a1, b1, c1, f]) => {
            let (t, m) = (air.temperature(), air.cfactor() * 1e6);
            let k0 = arrhenius(a0, b0, t) * by_temperature(t, c0) * m;
            falloff(k0, arrhenius(a1, b1, t) * by_temperature(t, c1), f, None)
        }
        ("fall", &[a0, b0, c0, a1, b1, c1, f, t, m]) => limits([a0, b0, c0, a1, b1, c1], f, None, t, m),
        ("f2", &[a0, b0, c0, a1, b1, c1, f, n, t, m]) => limits([a0, b0, c0, a1, b1, c1], f, Some(n), t, m),
        ("thermal_t2", &[c, d, t]) => t * t * arrhenius(c, d, t),
        ("k_3rd", &[t, m, k0, n, k1, p, f]) => troe(t, m, [k0, n, k1, p], f, false),
        ("k_3rd_iupac", &[t, m, k0, n, k1, p, f]) => troe(t, m, [k0, n, k1, p], f, true),
        // MECCA's, from the rate constant at 298.15 K, whose inverse has four digits there.
        ("k_arr", &[k, b, t]) => k * (b * (1.0 / t - 3.354e-3)).exp(),
        ("k3rd_jpl", &[m, k0, n, k1, p, f]) => troe(air.temperature(), m, [k0, n, k1, p], f, false),
        ("k3rd_iupac", &[m, k0, n, k1, p, f]) => troe(air.temperature(), m, [k0, n, k1, p], f, true),
        ("jpl_troe", &[k0, n, k1, p, f, t, m]) => troe(t, m, [k0, n, k1, p], f, false),
        ("troe", &[k0, n, k1, p, t, m]) => troe(t, m, [k0, n, k1, p], t.constant(0.6), false),
        ("troee", &[a, b, k0, n, k1, p, t, m]) => {
            arrhenius(a, b, t) * troe(t, m, [k0, n, k1, p], t.constant(0.6), false)
        }
        _ => return None,
    })
}
