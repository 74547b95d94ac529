//! Autoreduction: species that are made and lost slowly are not solved for (Santillana and others 2010,
//! doi:10.1016/j.atmosenv.2010.07.044; Lin and others 2023, doi:10.1029/2022MS003293).
//!
//! With the gross production `P` and loss `L` of a species at the start of the interval, it is slow where both are
//! below a threshold \[concentration/s\]. Steps solve for the others alone, of whose rates slow species are a part that
//! does not change. At the end of the interval slow species have relaxed towards `P/k` with the frequency `k = L/c`.

use isobar_core::{Column, Real};

use crate::physics::limits::NONE_AT_ALL;

/// Which species are left out.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct ReductionRules<'a> {
    /// The threshold of cells that have none of their own, where there are no targets \[concentration/s\].
    pub threshold: f64,
    /// Not 0: at the start of each step, slow species that have become fast are solved for from there on.
    pub append: u32,
    /// Not 0 for each variable species that is never left out.
    pub keep: Column<'a, u32>,
    /// Variable species whose larger one of production and loss, times a ratio, is the threshold of the cells that have
    /// this target.
    pub targets: Column<'a, u32>,
    /// The ratio of each.
    pub ratios: Column<'a, f64>,
}

/// Is a species slow?
#[inline(always)]
pub(crate) fn is_slow(production: f64, loss: f64, threshold: f64) -> bool {
    Real::abs(production) < threshold && Real::abs(loss) < threshold
}

/// What a slow species comes to after a time \[s\]: it stays where it has no loss to speak of, or was not there.
#[inline(always)]
pub(crate) fn relaxed<R: Real>(start: R, production: R, frequency: R, time_s: f64) -> R {
    if !(frequency.value() > NONE_AT_ALL && start.value() > NONE_AT_ALL) {
        return start;
    }
    // As start + (P/k - start) (1 - exp(-k t)): where k t is small, nothing cancels.
    let part = -Real::exp_m1(-frequency * R::from_f64(time_s));
    Real::mul_add(production / frequency - start, part, start)
}

#[cfg(test)]
mod tests {
    use super::relaxed;

    #[test]
    fn slow_species_relax() {
        let end: f64 = relaxed(4.0, 6.0, 2.0, 0.5);
        // 3 + 1/e
        assert!((end - (3.0 + 0.367_879_441_171_442_33)).abs() < 1e-15, "{end}");
        // Almost without loss, what is made adds up.
        let end: f64 = relaxed(4.0, 6.0, 1e-20, 100.0);
        assert!((end - 604.0).abs() < 1e-9, "{end}");
        assert_eq!(relaxed(4.0, 6.0, 0.0, 0.5), 4.0);
        assert_eq!(relaxed(0.0, 6.0, f64::NAN, 0.5), 0.0);
    }
}
