//! The GPU entries: find the item, call the core. No physics here.
//!
//! `cargo xtask ptx` compiles this crate to the PTX that `isobar-launch` holds as data. An entry is named after its kernel, as in
//! `team_sum_f64`; its arguments are the kernel itself, by value, and an array with one status an item.
#![cfg_attr(target_arch = "nvptx64", no_std)]
#![cfg_attr(
    target_arch = "nvptx64",
    feature(abi_ptx, stdarch_nvptx, asm_experimental_arch)
)]

mod device;
mod entry;

use isobar_core::selftest::{ElementaryFunctions, TeamSum};

entry!(elementary_functions_f32: ElementaryFunctions<'_, f32>);
entry!(elementary_functions_f64: ElementaryFunctions<'_, f64>);
entry!(team_sum_f32: TeamSum<'_, f32>);
entry!(team_sum_f64: TeamSum<'_, f64>);
