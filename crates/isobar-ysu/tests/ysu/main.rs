//! The scheme against reference columns, its budgets, its invariances, and what it refuses.

mod budget;
mod case;
mod derivatives;
mod errors;
mod golden;
mod invariance;
mod tolerances;
