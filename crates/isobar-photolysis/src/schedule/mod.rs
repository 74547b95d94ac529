//! The way through layers, bins and reactions.

pub(crate) mod arguments;
pub(crate) mod flux;
pub(crate) mod paths;
pub(crate) mod rates;
