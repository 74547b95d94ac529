//! The scheme against the reference, its laws, and what it refuses.

mod coefficients;
