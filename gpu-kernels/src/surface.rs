//! Surface layers.
//!
//! PTX of isobar-surface.

use isobar_surface::SurfaceKernel;

use isobar_core::entry;

entry!(surface_f32: SurfaceKernel<'_, f32>);
entry!(surface_f64: SurfaceKernel<'_, f64>);
