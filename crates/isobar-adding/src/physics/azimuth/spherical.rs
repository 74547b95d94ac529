//! Normalised associated Legendre functions, the dependence of light on its zenith angle.

use isobar_core::{Column, Real};

/// Coefficients of the recurrence in `l` of all components.
///
/// ```text
/// Y_m^m = sqrt((2m - 1)!! / (2m)!!) (1 - x^2)^(m/2),
/// Y_l^m = [(2 l - 1) x Y_(l-1)^m - sqrt((l - 1)^2 - m^2) Y_(l-2)^m] / sqrt(l^2 - m^2)
/// ```
///
/// `Y_l^m = sqrt((l - m)!/(l + m)!) P_l^m` (NIST Digital Library of Mathematical Functions, Eq. 14.10.3), without the
/// sign of Condon and Shortley, so that `sum_l (2 l + 1) chi_l P_l(cos Theta)` is a sum over `m` of
/// `(2 - delta_m0) sum_l (2 l + 1) chi_l Y_l^m Y_l^m cos(m phi)`.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Recurrence<'a, R> {
    /// `sqrt((2m - 1)!!/(2m)!!)` of each component.
    pub first: Column<'a, R>,
    /// `(2 l - 1)/sqrt(l^2 - m^2)` at `m * terms + l`.
    pub ahead: Column<'a, R>,
    /// `sqrt((l - 1)^2 - m^2)/sqrt(l^2 - m^2)` at `m * terms + l`.
    pub back: Column<'a, R>,
}

/// `Y_l^m(x)` for `l` from `m` up.
#[derive(Clone, Copy, Debug)]
pub struct Spherical<R> {
    x: R,
    before: R,
    now: R,
}

impl<R: Real> Spherical<R> {
    /// At `l = m`.
    #[inline(always)]
    pub fn start(recurrence: &Recurrence<'_, R>, m: usize, x: R) -> Self {
        let sine = ((R::ONE - x) * (R::ONE + x)).sqrt();
        let mut now = recurrence.first.at(m);
        for _ in 0..m {
            now *= sine;
        }
        Self { x, before: R::ZERO, now }
    }

    /// `Y_l^m`.
    #[inline(always)]
    pub fn value(&self) -> R {
        self.now
    }

    /// On to `l`, which is one more than the last.
    #[inline(always)]
    pub fn advance(&mut self, recurrence: &Recurrence<'_, R>, m: usize, terms: usize, l: usize) {
        let next =
            recurrence.ahead.at(m * terms + l) * self.x * self.now - recurrence.back.at(m * terms + l) * self.before;
        self.before = self.now;
        self.now = next;
    }
}
