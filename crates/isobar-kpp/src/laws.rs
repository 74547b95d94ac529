//! Rate laws that KPP's mechanisms call by name, and the functions of Fortran and C.
//!
//! `T` is the temperature, and `M` the density of air, 1e6 CFACTOR, where a law does not take them as arguments, as
//! those of WRF-Chem do.
//! Formulas: KPP's manual, section 3.2.10 "Rate laws"; falloff as in JPL's evaluations (Burkholder and others 2019) and
//! in IUPAC's (Atkinson and others 2004, doi:10.5194/acp-4-1461-2004).

use isobar_rosenbrock::Operation;

use crate::graph::Value;

/// What laws know besides their arguments.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Air<'g> {
    pub(crate) temperature: Value<'g>,
    pub(crate) cfactor: Value<'g>,
}

/// `a exp(-b/T)`
fn arrhenius<'g>(a: Value<'g>, b: Value<'g>, t: Value<'g>) -> Value<'g> {
    a * (-b / t).exp()
}

/// `(T/300)^c`
fn by_temperature<'g>(t: Value<'g>, c: Value<'g>) -> Value<'g> {
    (t / 300.0).pow(c)
}

/// `k0/(1 + r) f^(1/(1 + (log10(r)/n)^2))` with `r = k0/k1`.
fn falloff<'g>(k0: Value<'g>, k1: Value<'g>, f: Value<'g>, n: Option<Value<'g>>) -> Value<'g> {
    let ratio = k0 / k1;
    let width = n.map_or(ratio.log10(), |n| ratio.log10() / n);
    k0 / (1.0 + ratio) * f.pow(1.0 / (1.0 + width * width))
}

/// Falloff between `k0 (300/T)^n M` and `k1 (300/T)^m`.
fn troe<'g>(t: Value<'g>, m: Value<'g>, [k0, n, k1, p]: [Value<'g>; 4], f: Value<'g>, iupac: bool) -> Value<'g> {
    let cold = 300.0 / t;
    let width = iupac.then(|| 0.75 - 1.27 * f.log10());
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
pub(crate) const LAWS: [&str; 17] = [
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
    "k3rd_jpl",
    "k3rd_iupac",
    "JPL_TROE",
    "THERMAL_T2",
    "TROE",
    "TROEE",
];

/// Does a law, by its name in lower case, have the density of air in it?
pub(crate) fn reads_density(name: &str) -> bool {
    ["ep2", "ep3", "fall"].contains(&name)
}

/// A law by its name in lower case, if there is one of so many arguments.
pub(crate) fn law<'g>(name: &str, x: &[Value<'g>], air: impl FnOnce() -> Air<'g>) -> Option<Value<'g>> {
    Some(match (name, x) {
        ("arr_ab", &[a, b]) => arrhenius(a, b, air().temperature),
        ("arr_ac", &[a, c]) => a * by_temperature(air().temperature, c),
        ("arr" | "arr_abc", &[a, b, c]) => {
            let t = air().temperature;
            arrhenius(a, b, t) * by_temperature(t, c)
        }
        // KPP up to 2.1 has a exp(b/T); WRF, which gives the temperature, has a exp(-b/T).
        ("arr2", &[a, b]) => arrhenius(a, -b, air().temperature),
        ("arr2", &[a, b, t]) => arrhenius(a, b, t),
        ("arr", &[a, b, c, t]) => arrhenius(a, b, t) * by_temperature(t, c),
        ("ep2", &[a0, c0, a2, c2, a3, c3]) => {
            let Air { temperature: t, cfactor } = air();
            two_ways([a0, c0, a2, c2], arrhenius(a3, c3, t) * cfactor * 1e6, t)
        }
        ("ep2", &[a0, c0, a2, c2, a3, c3, t, m]) => two_ways([a0, c0, a2, c2], arrhenius(a3, c3, t) * m, t),
        ("ep3", &[a1, c1, a2, c2]) => {
            let Air { temperature: t, cfactor } = air();
            arrhenius(a1, c1, t) + arrhenius(a2, c2, t) * (1e6 * cfactor)
        }
        ("ep3", &[a1, c1, a2, c2, t, m]) => arrhenius(a1, c1, t) + arrhenius(a2, c2, t) * m,
        ("fall", &[a0, b0, c0, a1, b1, c1, f]) => {
            let Air { temperature: t, cfactor } = air();
            let k0 = arrhenius(a0, b0, t) * by_temperature(t, c0) * cfactor * 1e6;
            falloff(k0, arrhenius(a1, b1, t) * by_temperature(t, c1), f, None)
        }
        ("fall", &[a0, b0, c0, a1, b1, c1, f, t, m]) => limits([a0, b0, c0, a1, b1, c1], f, None, t, m),
        ("f2", &[a0, b0, c0, a1, b1, c1, f, n, t, m]) => limits([a0, b0, c0, a1, b1, c1], f, Some(n), t, m),
        ("thermal_t2", &[c, d, t]) => t * t * arrhenius(c, d, t),
        ("k_3rd", &[t, m, k0, n, k1, p, f]) => troe(t, m, [k0, n, k1, p], f, false),
        ("k_3rd_iupac", &[t, m, k0, n, k1, p, f]) => troe(t, m, [k0, n, k1, p], f, true),
        ("k3rd_jpl", &[m, k0, n, k1, p, f]) => troe(air().temperature, m, [k0, n, k1, p], f, false),
        ("k3rd_iupac", &[m, k0, n, k1, p, f]) => troe(air().temperature, m, [k0, n, k1, p], f, true),
        ("jpl_troe", &[k0, n, k1, p, f, t, m]) => troe(t, m, [k0, n, k1, p], f, false),
        ("troe", &[k0, n, k1, p, t, m]) => troe(t, m, [k0, n, k1, p], t.constant(0.6), false),
        ("troee", &[a, b, k0, n, k1, p, t, m]) => {
            arrhenius(a, b, t) * troe(t, m, [k0, n, k1, p], t.constant(0.6), false)
        }
        _ => return None,
    })
}

/// A function of Fortran or C by its name in lower case, if there is one of so many arguments.
pub(crate) fn intrinsic<'g>(name: &str, x: &[Value<'g>]) -> Option<Value<'g>> {
    // What Fortran 77 has for double precision.
    let plain = match name {
        "dexp" | "dlog" | "dlog10" | "dsqrt" | "dabs" | "dsign" | "dsin" | "dcos" | "dtan" | "dmin1" | "dmax1"
        | "dble" => &name[1..],
        "alog" | "alog10" | "amin1" | "amax1" => &name[1..],
        "fabs" | "fmin" | "fmax" | "fmod" => &name[1..],
        other => other,
    };
    let one = |operation: Operation| match x {
        [x] => Some(x.unary(operation)),
        _ => None,
    };
    let all = |operation: Operation| match x {
        [first, rest @ ..] if !rest.is_empty() => {
            Some(rest.iter().fold(*first, |result, &next| result.binary(operation, next)))
        }
        _ => None,
    };
    match (plain, x) {
        ("exp", _) => one(Operation::Exp),
        ("log", _) => one(Operation::Ln),
        ("log10", _) => one(Operation::Log10),
        ("sqrt", _) => one(Operation::SquareRoot),
        ("cbrt", _) => one(Operation::CubeRoot),
        ("abs", _) => one(Operation::Absolute),
        ("sin", _) => one(Operation::Sine),
        ("cos", _) => one(Operation::Cosine),
        ("tan", _) => one(Operation::Tangent),
        ("asin", _) => one(Operation::ArcSine),
        ("acos", _) => one(Operation::ArcCosine),
        ("atan", _) => one(Operation::ArcTangent),
        ("tanh", _) => one(Operation::HyperbolicTangent),
        ("floor", _) => one(Operation::Floor),
        ("int" | "aint", _) => one(Operation::Truncate),
        ("min" | "min1", _) => all(Operation::Minimum),
        ("max" | "max1", _) => all(Operation::Maximum),
        ("atan2", [y, x]) => Some(y.binary(Operation::ArcTangent2, *x)),
        ("sign", [x, sign]) => {
            let (zero, size) = (sign.constant(0.0), x.unary(Operation::Absolute));
            Some((-size).where_true(sign.binary(Operation::Less, zero), size))
        }
        ("pow", [x, y]) => Some(x.pow(*y)),
        ("mod", [x, y]) => Some(*x - (*x / *y).unary(Operation::Truncate) * *y),
        ("merge", [x, y, condition]) => Some(x.where_true(*condition, *y)),
        ("real" | "ble" | "double", [x] | [x, _]) => Some(x.real()),
        _ => None,
    }
}
