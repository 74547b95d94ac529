//! The operations of a rate program, for one number or a number a lane.

use isobar_core::Real;

/// What an [`Instruction`] does. `l` and `r` are the registers `left` and `right`, the result goes to `target`.
///
/// Conditions are numbers: 0 is false, all others are true, and comparisons give 0 or 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u32)]
pub enum Operation {
    /// Number `left` of the pool of constants.
    Constant,
    /// Input column number `left` of the cell.
    Input,
    /// The concentration of species number `left`.
    Concentration,
    /// The time \[s\].
    Time,
    /// Register `left` becomes rate constant number `target`.
    Store,
    /// `l`.
    Copy,
    /// `l + r`
    Add,
    /// `l - r`
    Subtract,
    /// `l * r`
    Multiply,
    /// `l / r`
    Divide,
    /// `-l`
    Negate,
    /// `l` to the power of `r`.
    Power,
    /// The exponential.
    Exp,
    /// The natural logarithm.
    Ln,
    /// The decimal logarithm.
    Log10,
    /// The square root.
    SquareRoot,
    /// The cube root.
    CubeRoot,
    /// The absolute value.
    Absolute,
    /// The smaller of two.
    Minimum,
    /// The larger of two.
    Maximum,
    /// The sine of radians.
    Sine,
    /// The cosine of radians.
    Cosine,
    /// The tangent of radians.
    Tangent,
    /// The angle of a sine.
    ArcSine,
    /// The angle of a cosine.
    ArcCosine,
    /// The angle of a tangent.
    ArcTangent,
    /// The angle of the point (`r`, `l`).
    ArcTangent2,
    /// The hyperbolic tangent.
    HyperbolicTangent,
    /// The integer part, rounded towards zero.
    Truncate,
    /// The largest integer that is not above.
    Floor,
    /// Is `l < r`?
    Less,
    /// Is `l <= r`?
    LessOrEqual,
    /// Is `l == r`?
    Equal,
    /// Are both true?
    And,
    /// Is one true?
    Or,
    /// Is it false?
    Not,
    /// `r` where `l` is true; elsewhere `target` keeps what it has.
    Choose,
}

/// One step of a rate program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Instruction {
    /// What is done.
    pub operation: Operation,
    /// The register of the result, or the rate constant.
    pub target: u32,
    /// The first register, or the number of a constant, input or species.
    pub left: u32,
    /// The second register.
    pub right: u32,
}

/// Of numbers from 2^52 on, all are integers.
const INTEGERS: f64 = 4_503_599_627_370_496.0;

/// What a condition gives. Conditions compare plain values: of an `R`, the compiler makes another comparison for a GPU.
#[inline(always)]
fn truth<R: Real>(condition: bool) -> R {
    if condition { R::ONE } else { R::ZERO }
}

/// The integer part, by an exact sum with 2^52.
#[inline(always)]
fn truncate(x: f64) -> f64 {
    let magnitude = Real::abs(x);
    let rounded = (magnitude + INTEGERS) - INTEGERS;
    let lower = if rounded > magnitude { rounded - 1.0 } else { rounded };
    let whole = if magnitude < INTEGERS { lower } else { magnitude };
    if x < 0.0 { -whole } else { whole }
}

#[inline(always)]
fn floor(x: f64) -> f64 {
    let whole = truncate(x);
    if whole > x { whole - 1.0 } else { whole }
}

impl Operation {
    /// How many of `left` and `right` are registers.
    #[must_use]
    pub fn operands(self) -> usize {
        use Operation::*;
        match self {
            Constant | Input | Concentration | Time => 0,
            Store | Copy | Negate | Exp | Ln | Log10 | SquareRoot | CubeRoot | Absolute | Sine | Cosine | Tangent
            | ArcSine | ArcCosine | ArcTangent | HyperbolicTangent | Truncate | Floor | Not => 1,
            Add | Subtract | Multiply | Divide | Power | Minimum | Maximum | ArcTangent2 | Less | LessOrEqual
            | Equal | And | Or | Choose => 2,
        }
    }

    /// The result for one or two registers of `W` lanes, and what `target` had.
    ///
    /// The match is outside of the loops over lanes, which vectorise. What has no registers gives `before`.
    #[inline(always)]
    #[must_use]
    pub fn apply<R: Real, const W: usize>(self, left: &[R; W], right: &[R; W], before: &[R; W]) -> [R; W] {
        let mut result = *before;
        macro_rules! lanes {
            ($l:ident, $r:ident => $value:expr) => {
                for lane in 0..W {
                    let ($l, $r) = (left[lane], right[lane]);
                    result[lane] = $value;
                }
            };
        }
        match self {
            Self::Constant | Self::Input | Self::Concentration | Self::Time | Self::Store => {}
            Self::Copy => result = *left,
            Self::Add => lanes!(l, r => l + r),
            Self::Subtract => lanes!(l, r => l - r),
            Self::Multiply => lanes!(l, r => l * r),
            Self::Divide => lanes!(l, r => l / r),
            Self::Negate => lanes!(l, _r => -l),
            Self::Power => lanes!(l, r => Real::powf(l, r)),
            Self::Exp => lanes!(l, _r => Real::exp(l)),
            Self::Ln => lanes!(l, _r => Real::ln(l)),
            Self::Log10 => lanes!(l, _r => Real::ln(l) * R::from_f64(core::f64::consts::LOG10_E)),
            Self::SquareRoot => lanes!(l, _r => Real::sqrt(l)),
            Self::CubeRoot => lanes!(l, _r => Real::cbrt(l)),
            Self::Absolute => lanes!(l, _r => Real::abs(l)),
            Self::Minimum => lanes!(l, r => Real::min(l, r)),
            Self::Maximum => lanes!(l, r => Real::max(l, r)),
            Self::Sine => lanes!(l, _r => Real::sin(l)),
            Self::Cosine => lanes!(l, _r => Real::cos(l)),
            Self::Tangent => lanes!(l, _r => Real::tan(l)),
            Self::ArcSine => lanes!(l, _r => Real::asin(l)),
            Self::ArcCosine => lanes!(l, _r => Real::acos(l)),
            Self::ArcTangent => lanes!(l, _r => Real::atan(l)),
            Self::ArcTangent2 => lanes!(l, r => Real::atan2(l, r)),
            Self::HyperbolicTangent => lanes!(l, _r => Real::tanh(l)),
            Self::Truncate => lanes!(l, _r => R::from_f64(truncate(l.value()))),
            Self::Floor => lanes!(l, _r => R::from_f64(floor(l.value()))),
            Self::Less => lanes!(l, r => truth(l.value() < r.value())),
            Self::LessOrEqual => lanes!(l, r => truth(l.value() <= r.value())),
            Self::Equal => lanes!(l, r => truth(l.value() == r.value())),
            Self::And => lanes!(l, r => truth((l.value() != 0.0) & (r.value() != 0.0))),
            Self::Or => lanes!(l, r => truth((l.value() != 0.0) | (r.value() != 0.0))),
            Self::Not => lanes!(l, _r => truth(l.value() == 0.0)),
            Self::Choose => {
                for lane in 0..W {
                    result[lane] = if left[lane].value() != 0.0 { right[lane] } else { before[lane] };
                }
            }
        }
        result
    }

    /// The result for one number each: what a cell would get, bit for bit.
    #[must_use]
    pub fn fold(self, left: f64, right: f64, before: f64) -> f64 {
        self.apply::<f64, 1>(&[left], &[right], &[before])[0]
    }
}

#[cfg(test)]
mod tests {
    use super::Operation;

    #[test]
    fn integer_parts() {
        for (x, whole, below) in
            [(2.75, 2.0, 2.0), (-2.75, -2.0, -3.0), (-0.5, 0.0, -1.0), (7.0, 7.0, 7.0), (1e300, 1e300, 1e300)]
        {
            assert_eq!(Operation::Truncate.fold(x, 0.0, 0.0), whole);
            assert_eq!(Operation::Floor.fold(x, 0.0, 0.0), below);
        }
        assert_eq!(Operation::Choose.fold(0.0, 1.0, 2.0), 2.0);
        assert_eq!(Operation::Choose.fold(1.0, 1.0, 2.0), 1.0);
    }
}
