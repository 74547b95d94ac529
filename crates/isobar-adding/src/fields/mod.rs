//! What goes into the two schemes and what comes out. Layers and levels count from the top; every radiance has one
//! unit, that of the Planck radiances, whatever it is.

pub mod adjoint;
pub mod azimuth;
pub mod clear_sky;
pub mod scattering;

/// The rows of the first vector of more than one value.
#[cfg(feature = "std")]
pub(crate) fn rows<R, const N: usize>(fields: [&Vec<R>; N], items: usize) -> Option<usize> {
    fields.into_iter().find(|values| values.len() > 1).map(|values| values.len() / items.max(1))
}
