//! Layers that scatter, seen from any direction: kernels that do not depend on the number of nodes.
//!
//! PTX of isobar-adding.

use isobar_adding::azimuth::beams::SunBeams;
use isobar_adding::azimuth::corrections::Corrections;
use isobar_adding::azimuth::streams::StreamRadiances;
use isobar_adding::azimuth::sum::SumComponents;
use isobar_adding::azimuth::surface_components::{GivenSurface, SurfaceComponents};

use isobar_core::entry;

entry!(sun_beams_f32: SunBeams<'_, f32>);
entry!(surface_components_f32: SurfaceComponents<'_, f32>);
entry!(given_surface_f32: GivenSurface<'_, f32>);
entry!(stream_radiances_f32: StreamRadiances<'_, f32>);
entry!(sum_components_f32: SumComponents<'_, f32>);
entry!(corrections_f32: Corrections<'_, f32>);
entry!(sun_beams_f64: SunBeams<'_, f64>);
entry!(surface_components_f64: SurfaceComponents<'_, f64>);
entry!(given_surface_f64: GivenSurface<'_, f64>);
entry!(stream_radiances_f64: StreamRadiances<'_, f64>);
entry!(sum_components_f64: SumComponents<'_, f64>);
entry!(corrections_f64: Corrections<'_, f64>);
