//! Who computes what: lines, tiles of 32 points, and cells of a binary tree.
//!
//! The one order of a sum, whoever computes it: lines ascend; those whose numbers in the list agree but for the last
//! four bits, and that one stretch has ([`exact`], [`tree`]), are summed in the precision of the run, and these sums
//! are added in double precision.

pub mod exact;
pub mod lines;
pub mod nodes;
pub mod prepare;
pub mod tiles;
pub mod tree;

/// The points of a tile.
pub const TILE: usize = 32;
