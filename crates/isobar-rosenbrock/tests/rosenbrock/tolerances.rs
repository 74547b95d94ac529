//! How far results may be from the reference, and why.

/// Rates, relative: the products have the reference's order; two or three roundings of 1.1e-16.
pub(crate) const RATE: f64 = 5e-16;

/// dc/dt and Jacobian, of the sum of the absolute terms: at most 200 terms, each rounded to 1.1e-16.
pub(crate) const SUM: f64 = 3e-14;

/// Concentrations after an interval, relative to themselves and the absolute tolerance. We fuse multiply-adds, invert
/// pivots, and have another power in step control; the reference itself, with and without fused operations, agrees to
/// 1e-12 and, with forced rejections, to 2e-11. A hundred times the first for what cells of other mechanisms may do.
pub(crate) const CONCENTRATION: f64 = 1e-10;

/// Concentrations after an interval from a long first step that is rejected many times.
pub(crate) const AFTER_REJECTIONS: f64 = 1e-9;

/// Steps, relative: they follow a root of the estimated error, a small difference of large terms. Where it is 1e-10 of
/// the concentrations, roundings are 1e-6 of it; the root takes a third.
pub(crate) const STEP: f64 = 1e-6;

/// Sums that the reactions keep, relative, per step: a solve keeps them to within some ten roundings of 1.1e-16.
pub(crate) const CONSERVED: f64 = 1e-15;

/// Derivatives of concentrations, of the largest of their row, from differences of fourth order in steps of 1e-3: the
/// fourth power of that, times what curvature there is. Found: 3e-11, and 5e-9 where df/dt is a difference of functions
/// 6e-8 s apart, which amplifies their roundings.
pub(crate) const DERIVATIVE: f64 = 1e-8;

/// Changes of concentrations, relative to them, for what hardly depends on a variable: a step of a stiff system rounds
/// by some hundred times 1.1e-16.
pub(crate) const CHANGE: f64 = 1e-13;

/// Products of tangents and weights against those of adjoints and changes, of their largest term; derivatives against
/// those of dual numbers.
pub(crate) const TRANSPOSE: f64 = 1e-12;
