//! Light from any direction against published and independent results.

mod adjoint;
mod adjoint_model;
mod beam;
mod case;
mod closed_forms;
mod derivatives;
mod golden;
mod ground;
mod inputs;
mod means;
mod phase_functions;
mod series;
