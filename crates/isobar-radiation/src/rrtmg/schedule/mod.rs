//! Who computes what where: lanes, chunks of layers, what threads share and store, and the order of sums.

pub(crate) mod band_list;
pub(crate) mod block;
pub(crate) mod block_totals;
pub(crate) mod chunk;
pub(crate) mod column_sums;
pub(crate) mod gas_states;
pub(crate) mod lane_groups;
pub(crate) mod lists;
pub(crate) mod masks;
pub(crate) mod minor_terms;
pub(crate) mod optical_depths;
pub(crate) mod points;
pub(crate) mod prefetch;
pub(crate) mod prepare;
pub(crate) mod quad_sums;
pub(crate) mod scratch;
pub(crate) mod seen_clouds;
pub(crate) mod spread;
pub(crate) mod stored;
pub(crate) mod surface;
pub(crate) mod sweep;
pub(crate) mod terms;
