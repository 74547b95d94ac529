//! What the adjoint model takes: profiles, and derivatives by what is computed of them.

use core::ops::Range;

use isobar_core::Real;
use isobar_core::fields::{AnyField, Declared, InputSet};

use super::azimuth::{CotangentViews, ProfileViews};

/// Profiles and cotangents, as views.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct AdjointViews<'a, R> {
    /// The profiles.
    pub profiles: ProfileViews<'a, R>,
    /// Derivatives by their radiances and fluxes.
    pub cotangents: CotangentViews<'a, R>,
}

const PROFILES: &[Declared] = ProfileViews::<'static, f64>::DECLARED;
const COTANGENTS: &[Declared] = CotangentViews::<'static, f64>::DECLARED;

/// Both, in the order in which they are visited.
const BOTH: [Declared; PROFILES.len() + COTANGENTS.len()] = {
    let mut both = [PROFILES[0]; PROFILES.len() + COTANGENTS.len()];
    let mut i = 0;
    while i < both.len() {
        both[i] = if i < PROFILES.len() { PROFILES[i] } else { COTANGENTS[i - PROFILES.len()] };
        i += 1;
    }
    both
};

impl<'a, R: Real> InputSet<'a> for AdjointViews<'a, R> {
    type Real = R;
    const DECLARED: &'static [Declared] = &BOTH;

    fn empty() -> Self {
        Self { profiles: ProfileViews::empty(), cotangents: CotangentViews::empty() }
    }

    fn visit(&self, visit: &mut dyn FnMut(&'static Declared, AnyField<'a, R>)) {
        self.profiles.visit(visit);
        self.cotangents.visit(visit);
    }

    fn build(make: &mut dyn FnMut(&'static Declared) -> AnyField<'a, R>) -> Self {
        Self { profiles: ProfileViews::build(make), cotangents: CotangentViews::build(make) }
    }

    fn range(&self, items: &Range<usize>) -> Self {
        Self { profiles: self.profiles.range(items), cotangents: self.cotangents.range(items) }
    }
}
