//! Tests of retrievals, a module for each question.

mod batch;
mod golden;
mod options;
mod statistics;
