//! The functions of Fortran and C.

use isobar_rosenbrock::Operation;

use super::remainder::{modulo, remainder};
use crate::graph::{Graph, Value};

/// A function of Fortran or C by its name in lower case, if there is one with this number of arguments.
pub(crate) fn intrinsic<'g>(name: &str, x: &[Value<'g>]) -> Option<Value<'g>> {
    // What Fortran 77 has for double precision.
    let plain = match name {
        "dexp" | "dlog" | "dlog10" | "dsqrt" | "dabs" | "dsign" | "dsin" | "dcos" | "dtan" | "dmin1" | "dmax1"
        | "dble" => &name[1..],
        "alog" | "alog10" | "amin1" | "amax1" | "iabs" => &name[1..],
        "idint" | "ifix" => "int",
        "idnint" => "nint",
        "dint" | "trunc" => "aint",
        "dnint" | "round" => "anint",
        "min0" | "max0" => &name[..3],
        other => other,
    };
    // C's are of real numbers, whatever they are given.
    if matches!(name, "fabs" | "fmin" | "fmax" | "fmod") {
        let x: Vec<Value<'g>> = x.iter().map(|x| x.real()).collect();
        return intrinsic(&name[1..], &x);
    }
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
        ("floor", [x]) => Some(x.unary(Operation::Floor).whole()),
        ("ceiling", [x]) => Some(-(-*x).unary(Operation::Floor).whole()),
        ("ceil", [x]) => Some((-(-*x).unary(Operation::Floor)).real()),
        ("int", [x]) => Some(x.cut()),
        ("aint", _) => one(Operation::Truncate),
        ("nint", [x]) => Some(x.nearest()),
        ("anint", [x]) => Some(x.nearest().real()),
        ("min" | "min1", _) => all(Operation::Minimum),
        ("max" | "max1", _) => all(Operation::Maximum),
        ("atan2", [y, x]) => Some(y.binary(Operation::ArcTangent2, *x)),
        ("sign", [x, sign]) => {
            let (zero, size) = (sign.constant(0.0), x.unary(Operation::Absolute));
            Some((-size).where_true(sign.binary(Operation::Less, zero), size))
        }
        ("pow", [x, y]) => Some(x.real().pow(y.real())),
        ("mod", [x, y]) if x.integer && y.integer => Some(*x - *x / *y * *y),
        ("mod", [x, y]) => Some(remainder(x.real(), y.real())),
        ("modulo", [x, y]) if x.integer && y.integer => {
            Some(*x - (x.real() / y.real()).unary(Operation::Floor).whole() * *y)
        }
        ("modulo", [x, y]) => Some(modulo(x.real(), y.real())),
        ("merge", [x, y, condition]) => Some(x.where_true(*condition, *y)),
        // Of double precision, whatever the argument.
        ("epsilon", [x]) => Some(x.constant(f64::EPSILON)),
        ("tiny", [x]) => Some(x.constant(f64::MIN_POSITIVE)),
        ("huge", [x]) if x.integer => Some(x.constant(f64::from(i32::MAX)).whole()),
        ("huge", [x]) => Some(x.constant(f64::MAX)),
        ("maxexponent", [x]) => Some(x.constant(1024.0).whole()),
        ("minexponent", [x]) => Some(x.constant(-1021.0).whole()),
        // Next to a power of two it may be one off.
        ("exponent", [x]) => {
            let size = x.unary(Operation::Absolute);
            let exponent = (size.ln() / std::f64::consts::LN_2).unary(Operation::Floor) + 1.0;
            Some(x.constant(0.0).where_true(size.binary(Operation::Equal, x.constant(0.0)), exponent).whole())
        }
        ("sinh", [x]) => Some(0.5 * (x.exp() - (-*x).exp())),
        ("cosh", [x]) => Some(0.5 * (x.exp() + (-*x).exp())),
        ("real" | "ble" | "double" | "float" | "dfloat" | "sngl", [x] | [x, _]) => Some(x.real()),
        _ => None,
    }
}

/// Is this the name, in lower case, of a function with any number of arguments?
pub(crate) fn is_intrinsic(name: &str, graph: &Graph) -> bool {
    let one = graph.constant(1.0);
    (1..=3).any(|count| intrinsic(name, &[one; 3][..count]).is_some())
}
