//! Tests of paths, a module for each kind of oracle.

mod geometry;
mod golden_paths;
