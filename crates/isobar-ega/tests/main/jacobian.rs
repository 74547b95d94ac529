//! Exact derivatives of radiances against differences of fourth order, for every element of the state.

mod bits;
mod case;
mod differences;
mod sums;
mod tracks;
