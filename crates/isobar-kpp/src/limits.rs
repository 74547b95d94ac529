//! Guards and cut-offs, each with its reason. Where mechanisms could nest, include or call without end, the bounds are
//! far above what any published one has, and far below what would exhaust stack or memory.

/// The most files that may be included: one that includes others twice, which do so again, has no end otherwise.
pub(crate) const MOST_FILES: usize = 4096;
/// The most bytes that are read of them.
pub(crate) const MOST_BYTES: usize = 1 << 28;
/// The most levels of files that include each other: reading recurses.
pub(crate) const MOST_NESTED_FILES: usize = 64;

/// The most lines that all replacements of a mechanism look through together: each looks through all.
pub(crate) const MOST_REPLACED_LINES: usize = 1 << 25;

/// The most levels of blocks in inlined code: reading recurses.
pub(crate) const MOST_BLOCKS: usize = 50;
/// The most levels of parentheses, powers and signs: reading recurses.
pub(crate) const MOST_NESTED_FORMULAS: usize = 100;
/// The most levels of functions that call each other: evaluation recurses.
pub(crate) const MOST_NESTED_CALLS: usize = 50;
/// The most calls in all: functions that call two others, which do so again, have no end otherwise.
pub(crate) const MOST_CALLS: usize = 100_000;

/// The most turns of all loops, which are run while a mechanism is read, and elements of whole arrays that are set.
pub(crate) const MOST_TURNS: usize = 200_000;
/// The most steps of formulas, and copies of elements, while a mechanism is read: loops and calls of long formulas
/// would have no end otherwise.
pub(crate) const MOST_WORK: usize = 1 << 21;
/// The most elements of an array.
pub(crate) const MOST_ELEMENTS: i64 = 100_000;

/// The most nodes of all formulas: each takes some tens of bytes, and their numbers fit 32 bits.
pub(crate) const MOST_NODES: usize = 1 << 22;
/// The most steps of all walks through formulas together: what derivatives take more for is too large for a table.
pub(crate) const MOST_STEPS: usize = 1 << 18;
/// The number of changing terms from which on a sum is a variable of its own, a row and a column more of the matrix:
/// otherwise every row that reads it would have a derivative by each term, and the matrix would not stay sparse.
pub(crate) const LEAST_TERMS: u32 = 6;
/// Whole powers up to this are products, which take less than a power and have fewer roundings.
pub(crate) const MOST_PRODUCT_POWER: f64 = 8.0;

/// The most notes of what is read over, of which a broken file could have one a character.
pub(crate) const MOST_STRAY_NOTES: usize = 1000;
/// The most notes that are kept, for places take time to find.
pub(crate) const MOST_NOTES: usize = 200;

/// A net factor of less than this part of the largest is the rounding of factors with decimals.
pub(crate) const LEAST_NET_PART: f64 = 1e-12;
/// A family's gain below this is the rounding of factors with decimals.
pub(crate) const LEAST_GAIN: f64 = 1e-12;
/// Atoms made or lost below this are the rounding of factors. KPP's threshold.
pub(crate) const LEAST_IMBALANCE: f64 = 1e-5;
