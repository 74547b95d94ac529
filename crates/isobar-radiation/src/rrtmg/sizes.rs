//! Sizes that tables, lists and schedules share.

use crate::rrtmg::band::MOST_HALOCARBONS;

/// The layers of a chunk, all in one region.
pub(crate) const CHUNK: usize = 8;
/// The most bands.
pub(crate) const MOST_BANDS: usize = 16;
/// The warps of a block: those of RRTMG_LW's g-points.
pub(crate) const WARPS: usize = 5;
/// The most warps of g-points.
pub(crate) const MOST_SEGMENTS: usize = 6;
/// The most terms of a layer in all bands.
pub(crate) const MOST_TERMS: usize = 160;
/// Terms that a GPU's thread reads before it adds them: lists are filled up to a multiple.
pub(crate) const PAIR: u32 = 2;
/// The most g-points of a band of which a CPU's thread adds terms at once.
pub(crate) const MOST_AT_ONCE: usize = 16;

const _: () = assert!(MOST_HALOCARBONS == 2, "two halocarbons make one term");
const _: () = assert!(MOST_BANDS <= isobar_core::kernel::WARP, "a lane has a band");
