//! The scheme against reference points, closed forms, invariances, and what it refuses.

mod case;
mod golden;
