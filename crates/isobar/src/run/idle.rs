//! Keys of a case that have no effect in it, where a mistake is unlikely: all of them in one line.

use isobar_column::Initial;
use isobar_surface::Fluxes;
use toml::Spanned;

use super::description::{Description, GroundKind};
use super::number::Spread;
use super::processes::{Chemistry, Scattering};
use super::reader::CaseFile;
use super::solar_time::has_sun;

/// Who may see the ozone that the columns start with, radiation and photolysis aside.
#[derive(Clone, Copy)]
pub(super) struct OzoneSeen {
    /// It is what a tracer of the chemistry starts with.
    pub(super) as_tracer: bool,
    pub(super) by_satellite: bool,
}

/// The line, if there are any in a run of so many steps with a restart file every so many.
pub(super) fn idle(
    file: &CaseFile,
    case: &Description,
    initial: &Initial,
    (steps, restart_every): (u64, Option<u64>),
    ozone: OzoneSeen,
) -> Option<String> {
    let has_radiation = case.longwave.is_some() || case.shortwave.is_some();
    let above = match (&case.above.temperature, *case.above.layers.get_ref()) {
        (Some(_), _) if !has_radiation => Some("[above] temperature (there is no radiation)"),
        (Some(_), 0) => Some("[above] temperature (there are no layers above the top)"),
        _ => None,
    };
    let no_clouds = case.clouds.is_some() && initial.clouds.is_none();
    let scatters = case.longwave.as_ref().is_some_and(|section| section.scattering != Scattering::None);
    let has_photolysis = case.chemistry.as_ref().is_some_and(|chemistry| chemistry.photolysis.is_some());
    let has_least_ozone = case.initial.least_ozone > 0.0;
    let no_ozone = has_least_ozone && !(has_radiation || has_photolysis || ozone.as_tracer || ozone.by_satellite);
    let why_no_ozone = if case.chemistry.is_none() {
        "[initial] least_ozone (there is neither radiation nor chemistry)"
    } else {
        "[initial] least_ozone (there is neither radiation nor photolysis, and the chemistry has no tracer O3)"
    };
    let own_ozone = ozone.as_tracer && has_least_ozone && case.chemistry.as_ref().is_some_and(gives_ozone);
    let has_overlap = case.clouds.as_ref().is_some_and(|section| section.get_ref().overlap.is_some());
    let no_overlap = has_overlap && initial.clouds.is_some() && !has_radiation;
    let is_dark = !has_sun(case);
    // In a run from a file the day is that of the output's dates, too.
    let has_day = case.day_of_year.is_some() && case.initial.file.is_none();
    let has_longitude = !case.site.longitude_deg.span().is_empty();
    let too_late = restart_every.is_some_and(|every| every >= steps);
    let (ground, range) = (&case.ground, &initial.ground_amplitude_k);
    let no_range = ground.kind == GroundKind::Given && range.iter().all(|&range| range == 0.0);
    let is_slab = ground.kind == GroundKind::Slab;
    let has_range = !ground.amplitude_k.span().is_empty() || ground.warmest_hour.is_some();
    let no_fluxes = case.surface_layer.fluxes.as_ref().is_some_and(|fluxes| *fluxes.get_ref() == Fluxes::Zero);
    let no_evaporation = no_fluxes && case.site.moisture_availability.is_some();
    let all = [
        above,
        no_evaporation.then_some("[site] moisture_availability (the surface layer has no fluxes)"),
        (scatters && initial.clouds.is_none()).then_some("[longwave] scattering (there are no clouds)"),
        no_clouds.then_some("[clouds] (there are no clouds)"),
        no_overlap.then_some("[clouds] overlap (there is no radiation, and photolysis takes layers one by one)"),
        (is_dark && case.solar_time.is_some()).then_some("solar_time (nothing sees the Sun)"),
        (is_dark && has_day).then_some("day_of_year (nothing sees the Sun)"),
        (is_dark && has_longitude).then_some("[site] longitude_deg (nothing sees the Sun)"),
        no_ozone.then_some(why_no_ozone),
        own_ozone.then_some("[initial] least_ozone ([chemistry.initial] gives the tracer O3)"),
        too_late.then_some("[output] restart_hours (the run is over by then)"),
        (is_slab && has_range).then_some("[ground] amplitude_k and warmest_hour (a slab has the range of its balance)"),
        (ground.warmest_hour.is_some() && no_range).then_some("[ground] warmest_hour (there is no amplitude_k)"),
    ];
    let seconds = (initial.columns == 1).then(|| pairs(case).join(", ")).filter(|keys| !keys.is_empty());
    let seconds = seconds.map(|keys| format!("the second value of {keys} (there is one column)"));
    let all: Vec<String> =
        all.into_iter().flatten().map(str::to_owned).chain(seconds).chain(sizes(case, initial)).collect();
    (!all.is_empty()).then(|| format!("{}: without effect: {}", file.path.display(), all.join(", ")))
}

/// What has a size in clouds.
struct Phase<'a> {
    name: &'static str,
    key: &'static str,
    /// Is the key given for all clouds?
    is_given: bool,
    paths: &'a [f64],
    /// Of each cloud of the case: does it have that, and its own size?
    of_clouds: Vec<(bool, bool)>,
}

/// Sizes of particles that no cloud has.
fn sizes(case: &Description, initial: &Initial) -> Vec<String> {
    let (Some(section), Some(clouds)) = (&case.clouds, &initial.clouds) else { return Vec::new() };
    let section = section.get_ref();
    let has = |amounts: [&Option<Spanned<f64>>; 2]| amounts.into_iter().flatten().any(|amount| *amount.get_ref() > 0.0);
    let layers = || section.layers.iter().map(Spanned::get_ref);
    let liquid = layers().map(|cloud| {
        (has([&cloud.liquid_path_g_per_m2, &cloud.liquid_content_g_per_m3]), cloud.liquid_radius_um.is_some())
    });
    let ice = layers()
        .map(|cloud| (has([&cloud.ice_path_g_per_m2, &cloud.ice_content_g_per_m3]), cloud.ice_size_um.is_some()));
    let phases = [
        Phase {
            name: "liquid",
            key: "liquid_radius_um",
            is_given: section.liquid_radius_um.is_some(),
            paths: &clouds.liquid_path_g_per_m2,
            of_clouds: liquid.collect(),
        },
        Phase {
            name: "ice",
            key: "ice_size_um",
            is_given: section.ice_size_um.is_some(),
            paths: &clouds.ice_path_g_per_m2,
            of_clouds: ice.collect(),
        },
    ];
    let mut keys = Vec::new();
    for Phase { name, key, is_given, paths, of_clouds } in phases {
        let is_none = paths.iter().all(|&path| path == 0.0);
        let all_own = !of_clouds.is_empty() && of_clouds.iter().all(|&(has, own)| own || !has);
        if is_given && (is_none || all_own) {
            let why = if is_none { format!("there is no {name}") } else { "every cloud has its own".to_owned() };
            keys.push(format!("[clouds] {key} ({why})"));
        }
        if of_clouds.iter().any(|&(has, own)| own && !has) {
            keys.push(format!("[[clouds.layers]] {key} (its cloud has no {name})"));
        }
    }
    keys
}

/// The keys with a value of the first column and another one of the last.
fn pairs(case: &Description) -> Vec<&'static str> {
    let (site, ground) = (&case.site, &case.ground);
    let given = [
        ("latitude_deg", Some(&site.latitude_deg)),
        ("longitude_deg", Some(&site.longitude_deg)),
        ("wind_east_m_per_s", Some(&site.wind_east_m_per_s)),
        ("wind_north_m_per_s", Some(&site.wind_north_m_per_s)),
        ("roughness_m", site.roughness_m.as_ref()),
        ("roughness_heat_m", site.roughness_heat_m.as_ref()),
        ("moisture_availability", site.moisture_availability.as_ref()),
        ("water_depth_m", site.water_depth_m.as_ref()),
        ("orography_deviation_m", site.orography_deviation_m.as_ref()),
        ("mean_k", ground.mean_k.as_ref()),
        ("amplitude_k", Some(&ground.amplitude_k)),
        ("albedo", case.shortwave.as_ref().and_then(|section| section.albedo.as_ref())),
    ];
    let clouds = case.clouds.iter().flat_map(|section| &section.get_ref().layers);
    let fractions = clouds.map(|cloud| ("fraction", Some(&cloud.get_ref().fraction)));
    let is_pair = |given: Option<&Spanned<Spread>>| given.is_some_and(|given| given.get_ref().is_pair());
    let mut keys: Vec<&str> =
        given.into_iter().chain(fractions).filter(|(_, given)| is_pair(*given)).map(|(key, _)| key).collect();
    keys.dedup();
    keys
}

/// Whether the case says what ozone its chemistry starts with.
fn gives_ozone(chemistry: &Chemistry) -> bool {
    chemistry.initial.keys().any(|name| name.get_ref().eq_ignore_ascii_case("O3"))
}
