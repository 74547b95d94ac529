//! The scheme against reference points, closed forms, invariances, and what it refuses.

mod case;
mod choices;
mod closed_forms;
mod derivatives;
mod errors;
mod golden;
mod invariance;
