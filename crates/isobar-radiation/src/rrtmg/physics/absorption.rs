//! What a layer absorbs, and from where in it it shines.

use isobar_core::Real;

/// Absorptance `1 - exp(-t)` of an optical depth.
///
/// # Accuracy
/// Within 3 units in the last place: `tests` below.
#[inline(always)]
pub(crate) fn absorptance<R: Real>(depth: R) -> R {
    // Beyond this nothing is left to the last bit.
    let bounded = depth.at_most(R::from_f64(44.0));
    let [grown] = R::exp2_m1_products([bounded], R::from_f64(-core::f64::consts::LOG2_E));
    -grown
}

/// The shape of a source linear in optical depth: the weight `1 - 2 (1/t - exp(-t)/(1 - exp(-t)))` of the far boundary
/// against the middle of the layer.
///
/// # Accuracy
/// Within 1e-13 in f64, 1e-6 in f32: `tests` below.
#[inline(always)]
pub(crate) fn shape<R: Real>(depth: R, absorptance: R) -> R {
    let c = R::from_f64;
    // Where what the closed form loses by its difference, three roundings over t, is what the series leaves out, t^7 /
    // 604,800, or less.
    let thin = c(if R::EPSILON.value() < 1e-10 { 0.0625 } else { 0.25 });
    let squared = depth * depth;
    // The function is odd: Langevin's of t/2.
    let series = depth * (c(1.0 / 6.0) + squared * (c(-1.0 / 360.0) + squared * c(1.0 / 15120.0)));
    // The same to the last bit, and a plain number.
    let deep = depth.at_most(c(1e18));
    let difference = deep - absorptance;
    let closed = (difference + difference).plain_quotient(absorptance * deep) - R::ONE;
    if depth < thin { series } else { closed }
}

/// RRTMG_LW's own: Pade's form of the table's coordinate, 10,000 entries of which the nearest counts, and short forms
/// for thin layers.
pub(crate) mod table {
    use isobar_core::Real;

    /// Below or at this optical depth there are short forms.
    pub(crate) const THIN: f64 = 0.06;
    const ENTRIES: f64 = 10_000.0;
    const INVERSE_PADE: f64 = 1.0 / 0.278;
    const SMALLEST: f64 = 1e-20;

    /// Optical depth, absorptance and shape.
    #[derive(Clone, Copy, Debug)]
    pub(crate) struct Entry<R> {
        pub(crate) depth: R,
        pub(crate) absorptance: R,
        pub(crate) shape: R,
    }

    /// The short forms.
    #[inline(always)]
    pub(crate) fn thin<R: Real>(depth: R) -> Entry<R> {
        let absorptance = depth - R::from_f64(0.5) * depth * depth;
        Entry { depth, absorptance, shape: R::from_f64(0.166_667) * depth }
    }

    /// The nearest entry: computed, not stored.
    #[inline(always)]
    pub(crate) fn nearest<R: Real>(depth: R) -> Entry<R> {
        let c = R::from_f64;
        let coordinate = depth / (c(INVERSE_PADE) + depth);
        let index = (c(ENTRIES) * coordinate + c(0.5)).to_i32();
        let x = c(f64::from(index)) / c(ENTRIES);
        if index >= ENTRIES as i32 {
            return Entry { depth: c(1e10), absorptance: R::ONE - c(SMALLEST), shape: R::ONE };
        }
        let entry = c(INVERSE_PADE) * x / (R::ONE - x);
        let transmittance = (-entry).exp().max(c(SMALLEST));
        let thin = entry / c(6.0);
        let thick = R::ONE - c(2.0) * (R::ONE / entry - transmittance / (R::ONE - transmittance));
        Entry { depth: entry, absorptance: R::ONE - transmittance, shape: if entry < c(THIN) { thin } else { thick } }
    }

    /// A layer of gas.
    #[inline(always)]
    pub(crate) fn gas<R: Real>(depth: R) -> Entry<R> {
        if depth <= R::from_f64(THIN) { thin(depth) } else { nearest(depth) }
    }

    /// A layer of gas (`depth`, whose entry is `gas`) and cloud.
    #[inline(always)]
    pub(crate) fn cloudy<R: Real>(depth: R, cloud: R, gas: &Entry<R>) -> Entry<R> {
        if depth + cloud < R::from_f64(THIN) { thin(depth + cloud) } else { nearest(gas.depth + cloud) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exact<R: Real>(depth: R) -> (R, R) {
        let absorptance = absorptance(depth);
        (absorptance, shape(depth, absorptance))
    }

    fn check<R: Real>(tolerance: f64) {
        for i in 0..4000 {
            let t = 10.0_f64.powf_exact(f64::from(i) * 0.002 - 5.0);
            let t = R::from_f64(t);
            let (a, f) = exact(t);
            let t = t.value();
            let truth = -Real::exp_m1(-t);
            assert!((a.value() / truth - 1.0).abs() < 3.0 * R::EPSILON.value(), "{t}");
            let half = 0.5 * t;
            let shape = if half < 0.3 {
                // Langevin's function by its continued fraction.
                (0..12).rev().fold(0.0, |rest, k| half / (f64::from(2 * k + 3) + half * rest))
            } else {
                1.0 / Real::tanh(half) - 1.0 / half
            };
            assert!((f.value() - shape).abs() < tolerance, "{t}: {} {shape}", f);
        }
    }

    trait PowfExact {
        fn powf_exact(self, power: f64) -> f64;
    }
    impl PowfExact for f64 {
        fn powf_exact(self, power: f64) -> f64 {
            Real::powf(self, power)
        }
    }

    #[test]
    fn absorptance_and_shape_are_accurate() {
        check::<f64>(1e-13);
        check::<f32>(1e-6);
    }

    #[test]
    fn nothing_absorbs_nothing() {
        let (a, f) = exact(0.0_f64);
        assert_eq!((a, f), (0.0, 0.0));
        let (a, f) = exact(1e9_f32);
        assert_eq!(a, 1.0);
        assert!((f - 1.0).abs() < 1e-6);
    }

    #[test]
    fn entries_are_near_the_exact_values() {
        for i in 1..2000 {
            let t = 0.01 * f64::from(i);
            // Half a step is 1.8e-4 of optical depth where entries are densest, and less times exp(-t) elsewhere.
            let entry = table::gas(t);
            let (a, f) = exact(t);
            assert!((entry.absorptance - a).abs() < 2e-4 && (entry.shape - f).abs() < 2e-4, "{t}");
        }
    }
}
