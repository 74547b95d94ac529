//! Dual numbers: exact derivatives, and values with the bits of plain numbers.

mod functions;
mod rules;
