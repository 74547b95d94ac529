//! Fortran's drop-ins, called by small drivers with the interfaces of the originals: they have the bits of the library,
//! and the reference's numbers. Compiled with `FC`, or `gfortran`; where there is none, the tests say so and end.

#[path = "../programs/mod.rs"]
mod programs;

mod boundary_layer;
mod fortran;
mod interfaces;
mod kinetics;
mod kinetics_of_kpp;
mod library;
mod longwave;
mod longwave_errors;
mod radiation;
mod shin_hong;
mod surface;
mod threads;
