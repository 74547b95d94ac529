//! Keys of a case that have no effect in it, where a mistake is unlikely: all of them in one line.

use isobar_column::Initial;

use super::description::{Description, GroundKind};
use super::processes::Scattering;
use super::reader::CaseFile;
use super::solar_time::has_sun;

/// The line, if there are any in a run of so many steps with a restart file every so many.
pub(super) fn idle(
    file: &CaseFile,
    case: &Description,
    initial: &Initial,
    (steps, restart_every): (u64, Option<u64>),
) -> Option<String> {
    let has_radiation = case.longwave.is_some() || case.shortwave.is_some();
    let above = match (&case.above.temperature, *case.above.layers.get_ref()) {
        (Some(_), _) if !has_radiation => Some("[above] temperature (there is no radiation)"),
        (Some(_), 0) => Some("[above] temperature (there are no layers above the top)"),
        _ => None,
    };
    let no_clouds = case.clouds.is_some() && initial.clouds.is_none();
    let scatters = case.longwave.as_ref().is_some_and(|section| section.scattering != Scattering::None);
    let no_ozone = case.initial.least_ozone > 0.0 && !has_radiation && case.chemistry.is_none();
    let too_late = restart_every.is_some_and(|every| every >= steps);
    let (ground, range) = (&case.ground, &initial.ground_amplitude_k);
    let no_range = ground.kind == GroundKind::Given && range.iter().all(|&range| range == 0.0);
    let is_slab = ground.kind == GroundKind::Slab;
    let has_range = !ground.amplitude_k.span().is_empty() || ground.warmest_hour.is_some();
    let all = [
        above,
        (scatters && initial.clouds.is_none()).then_some("[longwave] scattering (there are no clouds)"),
        no_clouds.then_some("[clouds] (there are no clouds)"),
        (case.solar_time.is_some() && !has_sun(case)).then_some("solar_time (nothing sees the Sun)"),
        no_ozone.then_some("[initial] least_ozone (there is neither radiation nor chemistry)"),
        too_late.then_some("[output] restart_hours (the run is over by then)"),
        (is_slab && has_range).then_some("[ground] amplitude_k and warmest_hour (a slab has the range of its balance)"),
        (ground.warmest_hour.is_some() && no_range).then_some("[ground] warmest_hour (there is no amplitude_k)"),
    ];
    let all: Vec<&str> = all.into_iter().flatten().collect();
    (!all.is_empty()).then(|| format!("{}: without effect: {}", file.path.display(), all.join(", ")))
}
