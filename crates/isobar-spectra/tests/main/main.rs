//! Tests of spectra, a module for each oracle.

#[path = "../common/mod.rs"]
mod common;

#[cfg(feature = "launch")]
mod closed_forms;
mod files;
#[cfg(feature = "launch")]
mod golden;
mod physics;
#[cfg(feature = "launch")]
mod trees;
mod voigt;
