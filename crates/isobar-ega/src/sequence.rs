//! The kernels of radiances, in their order.

use core::marker::PhantomData;

use isobar_core::{Column, FieldMut, Real};
use isobar_raytrace::path::{PathSummary, Paths};

use crate::jacobian::Launcher;
use crate::kernels::{CheckCoverage, Grow, Integrate, LocateCells, SunOnGround};
use crate::physics::channel::Channels;
use crate::physics::coverage::Outside;
use crate::physics::growth::Growth;
use crate::physics::jurassic::{JurassicGrowth, JurassicMeanPath};
use crate::physics::mean_path::MeanPath;
use crate::setup::{Approximation, ForwardSetup, GroundKind};
use crate::state::State;
use crate::tables::{Cell, Tables};

/// What the kernels of some rays read and write, whose paths are traced.
pub(crate) struct Traced<'a, R> {
    pub(crate) tables: Tables<'a>,
    pub(crate) channels: Channels<'a, R>,
    pub(crate) summaries: Column<'a, PathSummary<f64>>,
    pub(crate) paths: Paths<'a, f64>,
    pub(crate) time_s: Column<'a, f64>,
    pub(crate) outside: FieldMut<'a, Outside>,
    pub(crate) cells: FieldMut<'a, Cell<R>>,
    pub(crate) absorptance: FieldMut<'a, R>,
    pub(crate) sun: FieldMut<'a, R>,
    pub(crate) radiance: FieldMut<'a, R>,
    pub(crate) transmittance: FieldMut<'a, R>,
}

/// Radiances and transmittances. The statuses of the last kernel say which rays are cut short.
#[inline(always)]
pub(crate) fn compute<R: Real, L: Launcher>(
    setup: &ForwardSetup,
    state: &State<R>,
    traced: Traced<'_, R>,
    launcher: &mut L,
) -> Result<(), L::Error> {
    let Traced { tables, channels, summaries, paths, time_s, outside, cells, absorptance, sun, .. } = traced;
    let (gases, count) = (setup.gases.len() as u32, setup.wavenumbers_per_cm.len() as u32);
    if gases > 0 {
        launcher.launch(&CheckCoverage { tables, summaries, paths, outside, channels: count, unused: 0 })?;
    }
    if setup.approximation == Approximation::EmissivityGrowth {
        launcher.launch(&LocateCells {
            tables,
            summaries,
            pressure_hpa: paths.pressure_hpa,
            temperature_k: paths.temperature_k,
            cells,
            equidistant_temperatures: u32::from(setup.jurassic_exact),
            unused: 0,
        })?;
    }
    macro_rules! grow {
        ($rule:ty) => {{
            let rule = PhantomData::<$rule>;
            launcher.launch(&Grow { tables, summaries, paths, cells, absorptance, gases, channels: count, rule })?;
        }};
    }
    match (setup.approximation, setup.jurassic_exact) {
        (Approximation::EmissivityGrowth, false) => grow!(Growth<R>),
        (Approximation::EmissivityGrowth, true) => grow!(JurassicGrowth<R>),
        (Approximation::CurtisGodson, false) => grow!(MeanPath<R>),
        (Approximation::CurtisGodson, true) => grow!(JurassicMeanPath<R>),
    }
    if setup.ground == GroundKind::SkyAndSun {
        let zenith_deg = setup.solar_zenith_deg.unwrap_or(-1.0);
        launcher.launch(&SunOnGround { summaries, time_s, zenith_deg, share: sun })?;
    }
    launcher.launch(&Integrate {
        channels,
        summaries,
        paths,
        absorptance,
        sun,
        radiance: traced.radiance,
        transmittance: traced.transmittance,
        ground: state.ground,
        cloud: state.cloud,
        co2: state.co2,
        h2o: state.h2o,
        transmittances_given: u32::from(setup.jurassic_exact),
        unused: 0,
    })
}
