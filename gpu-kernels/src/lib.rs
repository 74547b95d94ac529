//! The GPU entries: find the item, call the core. No physics here.
//!
//! `cargo xtask ptx` compiles this crate to the PTX that the crates hold as data, a module for each file with entries,
//! which says whose it is: the driver compiles what a program needs. An entry is named after its kernel, as in
//! `team_sum_f64`; its arguments are the kernel itself, by value, their number, and an array with one status an item.
#![cfg_attr(target_arch = "nvptx64", no_std)]
#![cfg_attr(target_arch = "nvptx64", feature(abi_ptx))]

pub mod azimuth;
pub mod azimuth_16;
pub mod azimuth_32;
pub mod azimuth_8;
pub mod chemistry;
pub mod clear_sky;
pub mod column;
pub mod infrared;
pub mod jacobian;
pub mod photolysis;
pub mod radiation;
pub mod radiation_adjoint;
pub mod rrtmg;
pub mod selftest;
pub mod spectra;
pub mod surface;
pub mod ysu;
