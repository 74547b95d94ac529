//! Light from any direction: matrices of every size, all surfaces and options.

use isobar_adding::azimuth::{Options, Profiles, Surface};
use isobar_adding::{Adding, Precision};
use isobar_core::Real;
use isobar_core::fields::{Extents, LAYER, LEVEL, MOMENT, OwnedInputs};
use isobar_launch::{Error, Queue};

use isobar_adding::azimuth::{AZIMUTH, PARAMETER, SUN, VIEW};
use isobar_golden::{Outputs, Random, conformance};

use crate::radiances;

const PROFILES: usize = 37;
const LAYERS: usize = 5;

conformance!(nodes_1, nodes_4, nodes_6, nodes_8, nodes_12, nodes_16, nodes_24, surfaces, emission);

fn nodes_1<R: Precision>(queue: &Queue) -> Result<Outputs, Error> {
    of_nodes::<R>(queue, 1)
}

fn nodes_4<R: Precision>(queue: &Queue) -> Result<Outputs, Error> {
    of_nodes::<R>(queue, 4)
}

fn nodes_6<R: Precision>(queue: &Queue) -> Result<Outputs, Error> {
    of_nodes::<R>(queue, 6)
}

fn nodes_8<R: Precision>(queue: &Queue) -> Result<Outputs, Error> {
    of_nodes::<R>(queue, 8)
}

fn nodes_12<R: Precision>(queue: &Queue) -> Result<Outputs, Error> {
    of_nodes::<R>(queue, 12)
}

fn nodes_16<R: Precision>(queue: &Queue) -> Result<Outputs, Error> {
    of_nodes::<R>(queue, 16)
}

fn nodes_24<R: Precision>(queue: &Queue) -> Result<Outputs, Error> {
    of_nodes::<R>(queue, 24)
}

/// Two suns, one of which sets, five views and two azimuths; with and without what options change.
fn of_nodes<R: Precision>(queue: &Queue, nodes: usize) -> Result<Outputs, Error> {
    let mut parts = Outputs::default();
    // Of many nodes fewer: tests without optimisation take minutes.
    let (profiles, components) = if nodes > 8 { (11, 3) } else { (PROFILES, Options::new(nodes).components) };
    let all = Options { levels: true, fluxes: true, components, ..Options::new(nodes) };
    let plain = Options { delta_scaling: false, components: components.min(3), ..Options::new(nodes) };
    for (name, options) in [("all", all), ("plain", plain)] {
        parts = add::<R>(parts, name, queue, &sunlit(profiles, 1), &options)?;
    }
    Ok(parts)
}

fn surfaces<R: Precision>(queue: &Queue) -> Result<Outputs, Error> {
    let mut parts = Outputs::default();
    for (surface, parameters) in [
        (Surface::Rpv, &[0.1, 0.8, -0.1, 0.2][..]),
        (Surface::Hapke, &[1.0, 0.06, 0.6]),
        (Surface::RossLi, &[0.2, 0.1, 0.03]),
        (Surface::CoxMunk, &[7.0, 1.34]),
    ] {
        let mut profiles = sunlit(PROFILES, parameters.len());
        for (i, value) in profiles.surface_parameters.iter_mut().enumerate() {
            *value = parameters[i / PROFILES];
        }
        let options = Options { surface, ..Options::new(3) };
        parts = add::<R>(parts, &format!("{surface:?}"), queue, &profiles, &options)?;
    }
    Ok(parts)
}

fn emission<R: Precision>(queue: &Queue) -> Result<Outputs, Error> {
    let random = &mut Random::new(5);
    let dark = Profiles {
        sun_cosine: Vec::new(),
        sun_irradiance: Vec::new(),
        relative_azimuth: Vec::new(),
        cosmic_background: values(random, PROFILES, 0.0, 3.0),
        ..sunlit(PROFILES, 1)
    };
    let level = Profiles { planck_radiance_level: values(random, (LAYERS + 1) * PROFILES, 1.0, 200.0), ..dark.clone() };
    let layer = Profiles { planck_radiance: values(random, LAYERS * PROFILES, 1.0, 200.0), ..dark };
    let options = Options { levels: true, fluxes: true, ..Options::new(8) };
    let parts = add::<R>(Outputs::default(), "levels", queue, &level, &options)?;
    add::<R>(parts, "layers", queue, &layer, &options)
}

fn add<R: Precision>(
    parts: Outputs,
    name: &str,
    queue: &Queue,
    profiles: &Profiles<f64>,
    options: &Options,
) -> Result<Outputs, Error> {
    let items = profiles.optical_depth.len() / LAYERS;
    let rows = |values: &Vec<f64>| (values.len() / items).max(1);
    let extents = Extents::new(items)
        .with(LAYER, LAYERS)
        .with(LEVEL, LAYERS + 1)
        .with(MOMENT, rows(&profiles.phase_moments) / LAYERS)
        .with(VIEW, rows(&profiles.viewing_cosine))
        .with(SUN, rows(&profiles.sun_cosine))
        .with(AZIMUTH, rows(&profiles.relative_azimuth))
        .with(PARAMETER, rows(&profiles.surface_parameters));
    let rounded = profiles.rounded::<R>();
    let views = rounded.views(&extents, "profile").expect("sizes that fit");
    let found = radiances(Adding::<R>::on(&[queue.device()]).run(views, options))?;
    let all = [
        ("top", &found.top_radiance),
        ("surface", &found.surface_downward_radiance),
        ("up", &found.upward_radiance),
        ("down", &found.downward_radiance),
        ("flux up", &found.upward_flux),
        ("flux down", &found.downward_flux),
        ("direct", &found.direct_flux),
        ("actinic", &found.actinic_flux),
    ];
    let mut parts = parts.counts(&format!("{name}: status"), &found.status);
    for (what, values) in all {
        assert!(values.iter().all(|x| x.is_finite()), "{name}: {what}");
        parts = parts.reals(&format!("{name}: {what}"), values);
    }
    Ok(parts)
}

/// Clear, thin, thick and conservative layers.
fn sunlit(profiles: usize, parameters: usize) -> Profiles<f64> {
    let random = &mut Random::new(17);
    let kind = |i: usize| (i + i / profiles) % 5;
    let optical_depth =
        (0..LAYERS * profiles).map(|i| [0.3, 1e-6, 40.0, 2e4, 0.0][kind(i)] * (0.5 + random.unit())).collect();
    let moment = |l: usize, g: f64| Real::powi(g, l as i32);
    let moments = 40;
    let asymmetry = values(random, LAYERS * profiles, -0.2, 1.0);
    let phase_moments = (0..LAYERS * moments * profiles).map(|i| {
        let (row, profile) = (i / profiles, i % profiles);
        moment(row % moments, asymmetry[row / moments * profiles + profile])
    });
    Profiles {
        viewing_cosine: values(random, 5 * profiles, 0.05, 0.95),
        relative_azimuth: values(random, 2 * profiles, -180.0, 360.0),
        optical_depth,
        single_scattering_albedo: (0..LAYERS * profiles).map(|i| [0.0, 0.5, 0.9, 1.0, 0.3][kind(i)]).collect(),
        phase_moments: phase_moments.collect(),
        surface_planck_radiance: values(random, profiles, 0.0, 300.0),
        surface_parameters: values(random, parameters * profiles, 0.0, 1.0),
        cosmic_background: vec![0.0; profiles],
        sun_cosine: values(random, 2 * profiles, -0.2, 1.2),
        sun_irradiance: values(random, 2 * profiles, 1.0, 1e3),
        ..Profiles::default()
    }
}

fn values(random: &mut Random, count: usize, low: f64, range: f64) -> Vec<f64> {
    (0..count).map(|_| low + range * random.unit()).collect()
}
