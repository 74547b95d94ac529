//! The methods against KPP's generated code, their orders, their invariances, and what they refuse.

mod case;
mod errors;
mod golden;
mod invariance;
mod order;
mod own;
mod tolerances;
