//! Elementary functions of `f32`.

/// See [`crate::Real::exp`].
#[inline]
#[must_use]
pub fn exp(x: f32) -> f32 {
    libm::expf(x)
}

/// See [`crate::Real::exp_m1`].
#[inline]
#[must_use]
pub fn exp_m1(x: f32) -> f32 {
    libm::expm1f(x)
}

/// See [`crate::Real::ln`].
#[inline]
#[must_use]
pub fn ln(x: f32) -> f32 {
    libm::logf(x)
}

/// See [`crate::Real::ln_1p`].
#[inline]
#[must_use]
pub fn ln_1p(x: f32) -> f32 {
    libm::log1pf(x)
}

/// See [`crate::Real::sqrt`].
#[inline]
#[must_use]
pub fn sqrt(x: f32) -> f32 {
    libm::sqrtf(x)
}

/// See [`crate::Real::cbrt`].
#[inline]
#[must_use]
pub fn cbrt(x: f32) -> f32 {
    libm::cbrtf(x)
}

/// See [`crate::Real::sin`].
#[inline]
#[must_use]
pub fn sin(x: f32) -> f32 {
    libm::sinf(x)
}

/// See [`crate::Real::cos`].
#[inline]
#[must_use]
pub fn cos(x: f32) -> f32 {
    libm::cosf(x)
}

/// See [`crate::Real::tan`].
#[inline]
#[must_use]
pub fn tan(x: f32) -> f32 {
    libm::tanf(x)
}

/// See [`crate::Real::asin`].
#[inline]
#[must_use]
pub fn asin(x: f32) -> f32 {
    libm::asinf(x)
}

/// See [`crate::Real::acos`].
#[inline]
#[must_use]
pub fn acos(x: f32) -> f32 {
    libm::acosf(x)
}

/// See [`crate::Real::atan`].
#[inline]
#[must_use]
pub fn atan(x: f32) -> f32 {
    libm::atanf(x)
}

/// See [`crate::Real::tanh`].
#[inline]
#[must_use]
pub fn tanh(x: f32) -> f32 {
    libm::tanhf(x)
}

/// See [`crate::Real::powf`].
#[inline]
#[must_use]
pub fn powf(x: f32, y: f32) -> f32 {
    libm::powf(x, y)
}

/// See [`crate::Real::atan2`].
#[inline]
#[must_use]
pub fn atan2(y: f32, x: f32) -> f32 {
    libm::atan2f(y, x)
}

/// See [`crate::Real::powi`].
#[inline]
#[must_use]
pub fn powi(x: f32, n: i32) -> f32 {
    let mut base = x;
    let mut power = n.unsigned_abs();
    let mut result = 1.0;
    while power > 0 {
        if power & 1 == 1 {
            result *= base;
        }
        base *= base;
        power >>= 1;
    }
    if n < 0 { 1.0 / result } else { result }
}
