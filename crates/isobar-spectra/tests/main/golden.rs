//! Against spectra of a Voigt function of 1e-13, from line parameters as HAPI computes them.

mod case;
mod parameters;
mod spectra;
mod transmittance;
