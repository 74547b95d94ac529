//! Formulas of one line, one point or one node, generic over the number.
#![forbid(unsafe_code)]

pub mod carbon_dioxide_wing;
pub mod chebyshev;
pub mod collision_induced;
pub mod cross_section;
pub mod line;
pub mod partition;
pub mod voigt;
pub mod water_continuum;
pub mod wing;
