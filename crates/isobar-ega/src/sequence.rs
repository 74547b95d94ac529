//! The kernels of radiances, in their order.

use core::marker::PhantomData;

use isobar_core::{Column, FieldMut, Real};
use isobar_raytrace::path::{PathSummary, Paths};

use crate::interpolation::Interpolation;
use crate::jacobian::Launcher;
use crate::kernels::{BrightnessTemperature, CheckCoverage, Grow, Integrate, LocateCells, Rows, SunOnGround};
use crate::physics::channel::Channels;
use crate::physics::coverage::Outside;
use crate::physics::growth::Growth;
use crate::physics::jurassic::{JurassicGrowth, JurassicMeanPath};
use crate::physics::law::Logarithmic;
use crate::physics::log_growth::LogGrowth;
use crate::physics::mean_path::MeanPath;
use crate::setup::{Approximation, ForwardSetup, GroundKind};
use crate::state::State;
use crate::tables::{Cell, Tables};

/// What the kernels of some rays read and write, whose paths are traced.
pub(crate) struct Traced<'a, R> {
    pub(crate) tables: Tables<'a>,
    pub(crate) channels: Channels<'a, R>,
    pub(crate) wavenumber_per_cm: Column<'a, f64>,
    pub(crate) summaries: Column<'a, PathSummary<f64>>,
    pub(crate) paths: Paths<'a, f64>,
    pub(crate) time_s: Column<'a, f64>,
    pub(crate) outside: FieldMut<'a, Outside>,
    pub(crate) cells: FieldMut<'a, Cell<R>>,
    pub(crate) absorptance: FieldMut<'a, R>,
    /// The rows of `absorptance`.
    pub(crate) rows: Rows,
    pub(crate) sun: FieldMut<'a, R>,
    pub(crate) radiance: FieldMut<'a, R>,
    pub(crate) transmittance: FieldMut<'a, R>,
    /// 1 where a channel was cut short; nothing unless JURASSIC's arithmetic is repeated.
    pub(crate) cut_short: FieldMut<'a, u32>,
}

/// Radiances, or brightness temperatures where the state asks for them, and transmittances.
#[inline(always)]
pub(crate) fn compute<R: Real, L: Launcher>(
    setup: &ForwardSetup,
    state: &State<R>,
    traced: Traced<'_, R>,
    launcher: &mut L,
) -> Result<(), L::Error> {
    let Traced { tables, channels, summaries, paths, time_s, outside, cells, absorptance, rows, sun, .. } = traced;
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
            ln_pressure: u32::from(setup.interpolation == Interpolation::Logarithmic),
        })?;
    }
    macro_rules! grow {
        ($rule:ty) => {{
            let rule = PhantomData::<$rule>;
            let channels = count;
            launcher.launch(&Grow { tables, summaries, paths, cells, absorptance, rows, gases, channels, rule })?;
        }};
    }
    match (setup.approximation, setup.jurassic_exact, setup.interpolation) {
        (Approximation::EmissivityGrowth, false, Interpolation::Linear) => grow!(Growth<R>),
        (Approximation::EmissivityGrowth, false, Interpolation::Logarithmic) => grow!(LogGrowth<R>),
        (Approximation::EmissivityGrowth, true, Interpolation::Linear) => grow!(JurassicGrowth<R>),
        (Approximation::EmissivityGrowth, true, Interpolation::Logarithmic) => grow!(JurassicGrowth<R, Logarithmic>),
        (Approximation::CurtisGodson, false, Interpolation::Linear) => grow!(MeanPath<R>),
        (Approximation::CurtisGodson, false, Interpolation::Logarithmic) => grow!(MeanPath<R, Logarithmic>),
        (Approximation::CurtisGodson, true, Interpolation::Linear) => grow!(JurassicMeanPath<R>),
        (Approximation::CurtisGodson, true, Interpolation::Logarithmic) => grow!(JurassicMeanPath<R, Logarithmic>),
    }
    if setup.ground == GroundKind::SkyAndSun {
        let zenith_deg = setup.solar_zenith_deg.unwrap_or(-1.0);
        let jurassic = u32::from(setup.jurassic_exact);
        launcher.launch(&SunOnGround { summaries, time_s, zenith_deg, share: sun, jurassic, unused: 0 })?;
    }
    launcher.launch(&Integrate {
        channels,
        summaries,
        paths,
        absorptance,
        sun,
        radiance: traced.radiance,
        transmittance: traced.transmittance,
        cut_short: traced.cut_short,
        ground: state.ground,
        cloud: state.cloud,
        co2: state.co2,
        h2o: state.h2o,
        transmittances_given: u32::from(setup.jurassic_exact),
        unused: 0,
        rows,
    })?;
    if state.brightness_temperature {
        let (wavenumber_per_cm, radiance) = (traced.wavenumber_per_cm, traced.radiance);
        launcher.launch(&BrightnessTemperature { wavenumber_per_cm, radiance })?;
    }
    Ok(())
}
