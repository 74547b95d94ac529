//! What there is to say of a ground: a reflectance that the streams do not resolve, or that sends up more than comes.

use core::f64::consts::FRAC_PI_2;
use std::collections::BTreeSet;

use isobar_core::{Field, Real};

use crate::azimuth::quadrature::Quadrature;
use crate::azimuth::{MOST_NODES, Options, ProfileViews, Surface};
use crate::physics::azimuth::surface::{Kind, PARAMETERS, Reflectance};

/// How far the share of light that is reflected may be off: as a change of the emission it is 0.07 K of 300 K at
/// 900 cm^-1.
const TOLERANCE: f64 = 1e-3;
/// The same as a part of the light that is reflected, where this is bright.
const RELATIVE_TOLERANCE: f64 = 1e-2;
/// How much more than all may be reflected: as roundings and reflectances fitted to measurements have it.
const MOST_REFLECTED: f64 = 1.01;

/// Nodes and azimuths of the finer quadrature: 3e-5 off at most, which is Cox and Munk's waves without wind.
const FINE_NODES: usize = 64;
const AZIMUTHS: usize = 128;
/// Numbers of nodes that may mend it.
const MORE_NODES: [usize; 4] = [12, 16, 24, MOST_NODES];
/// Views of a profile that are looked at, at most.
const MOST_VIEWS: usize = 6;

/// Sentences on the ground: of all profiles those with the extremes of a parameter, and with the lowest Sun.
pub(super) fn doubts_of<R: Real>(inputs: &ProfileViews<'_, R>, options: &Options, profiles: usize) -> Vec<String> {
    let Some(kind) = options.surface.kind() else { return Vec::new() };
    let (coarse, fine) = (Rule::new(options.nodes), Rule::new(FINE_NODES));
    let mut all = Vec::new();
    for profile in looked_at(inputs, profiles) {
        let ground = Ground::of(kind, &inputs.surface_parameters, profile);
        for (what, cosine) in directions(inputs, profile) {
            let [by_streams, exactly] = [&coarse, &fine].map(|rule| ground.reflected(cosine, rule));
            all.push(Found { ground, profile, what, cosine, by_streams, exactly });
        }
    }
    let unresolved = all.iter().filter(|found| !found.is_resolved(found.by_streams));
    let unresolved = unresolved.max_by(|a, b| a.error().total_cmp(&b.error()));
    let bright = all.iter().filter(|found| found.exactly > MOST_REFLECTED);
    let bright = bright.max_by(|a, b| a.exactly.total_cmp(&b.exactly));
    let unresolved = unresolved.map(|found| found.unresolved(options));
    unresolved.into_iter().chain(bright.map(|found| found.too_bright(options.surface))).collect()
}

const SUN: &str = "a Sun";
const VIEW: &str = "a view";

/// Profiles with the extremes of each parameter and the lowest Sun: reflectances change with these in one direction.
fn looked_at<R: Real>(inputs: &ProfileViews<'_, R>, profiles: usize) -> BTreeSet<usize> {
    let mut all = BTreeSet::new();
    let parameters = &inputs.surface_parameters;
    for row in 0..parameters.levels() {
        let by = |a: &usize, b: &usize| parameters.at(row, *a).value().total_cmp(&parameters.at(row, *b).value());
        all.extend((0..profiles).min_by(by).into_iter().chain((0..profiles).max_by(by)));
    }
    let suns = &inputs.sun_cosine;
    for row in 0..suns.levels() {
        let by_day = (0..profiles).filter(|&profile| suns.at(row, profile).value() > 0.0);
        all.extend(by_day.min_by(|&a, &b| suns.at(row, a).value().total_cmp(&suns.at(row, b).value())));
    }
    all
}

/// The directions whose light counts: of suns, and where the ground emits, of views.
fn directions<R: Real>(inputs: &ProfileViews<'_, R>, profile: usize) -> Vec<(&'static str, f64)> {
    let suns = &inputs.sun_cosine;
    let suns = (0..suns.levels()).map(|row| (SUN, suns.at(row, profile).value()));
    let views = &inputs.viewing_cosine;
    let step = views.levels().div_ceil(MOST_VIEWS).max(1);
    let emission = &inputs.surface_planck_radiance;
    let emits = !emission.is_empty() && emission.at(profile).value() > 0.0;
    let seen = if emits { views.levels() } else { 0 };
    let views = (0..seen).step_by(step).map(|row| (VIEW, views.at(row, profile).value()));
    suns.chain(views).filter(|&(_, cosine)| cosine > 0.0 && cosine <= 1.0).collect()
}

/// The nodes of a hemisphere.
struct Rule {
    cosine: Vec<f64>,
    weight: Vec<f64>,
    /// Squares of the cosines of half of azimuths, and the weight of each.
    azimuths: Vec<(f64, f64)>,
}

impl Rule {
    fn new(nodes: usize) -> Self {
        let Quadrature { cosine, weight, .. } = Quadrature::double_gauss(nodes);
        let around = Quadrature::double_gauss(AZIMUTHS);
        let half = |share: &f64| isobar_core::math::double::cos(FRAC_PI_2 * share);
        let squares = around.cosine.iter().map(half).map(|cosine| cosine * cosine);
        Self { cosine, weight, azimuths: squares.zip(around.weight.iter().copied()).collect() }
    }
}

/// A profile's ground.
#[derive(Clone, Copy)]
struct Ground(Reflectance<f64>);

impl Ground {
    fn of<R: Real>(kind: Kind, given: &Field<'_, R>, profile: usize) -> Self {
        let parameter = |row: usize| if row < given.levels() { given.at(row, profile).value() } else { 0.0 };
        Self(Reflectance { kind, parameters: core::array::from_fn::<f64, PARAMETERS, _>(parameter) })
    }

    /// The share of light from a direction that is reflected into all, as the kernels sum it; and by reciprocity what
    /// a view lacks of the emission of a black ground.
    fn reflected(self, cosine: f64, rule: &Rule) -> f64 {
        let of_node = |(&node, &weight): (&f64, &f64)| {
            let mean: f64 = rule.azimuths.iter().map(|&(half, weight)| weight * self.0.at(node, cosine, half)).sum();
            2.0 * weight * node * mean
        };
        rule.cosine.iter().zip(&rule.weight).map(of_node).sum()
    }
}

/// What is reflected of light from a direction.
struct Found {
    ground: Ground,
    profile: usize,
    what: &'static str,
    cosine: f64,
    by_streams: f64,
    exactly: f64,
}

impl Found {
    fn error(&self) -> f64 {
        (self.by_streams - self.exactly).abs()
    }

    fn is_resolved(&self, reflected: f64) -> bool {
        let error = (reflected - self.exactly).abs();
        // Not a number: others say so.
        error.is_nan() || error <= TOLERANCE || error <= RELATIVE_TOLERANCE * self.exactly
    }

    /// `the ground of profile 0 (wind 0, refractive index 1.34) reflects`.
    fn in_words(&self, surface: Surface) -> String {
        let names = surface.parameters().iter().zip(self.ground.0.parameters);
        let names: Vec<String> = names.map(|((name, ..), value)| format!("{name} {value}")).collect();
        format!("the ground of profile {} ({})", self.profile, names.join(", "))
    }

    fn unresolved(&self, options: &Options) -> String {
        let Self { what, cosine, by_streams, exactly, .. } = self;
        let enough = MORE_NODES.into_iter().filter(|&nodes| nodes > options.nodes);
        let enough =
            enough.into_iter().find(|&nodes| self.is_resolved(self.ground.reflected(*cosine, &Rule::new(nodes))));
        let mends = enough.map_or_else(
            || format!("{} streams are not enough, either", 2 * MOST_NODES),
            |nodes| format!("{} streams are enough", 2 * nodes),
        );
        format!(
            "{} streams do not resolve how {} reflects: of light along {what} of cosine {cosine:.4} it reflects \
             {by_streams:.4} by their directions, and {exactly:.4} by finer ones, and what it emits and the fluxes it \
             reflects are off by as much; {mends}",
            2 * options.nodes,
            self.in_words(options.surface)
        )
    }

    fn too_bright(&self, surface: Surface) -> String {
        let Self { what, cosine, exactly, .. } = self;
        format!(
            "{} reflects {exactly:.2} times the light along {what} of cosine {cosine:.4}, more than all of it: no \
             ground has these parameters at so low an angle; what it reflects is too much, and what it emits below \
             zero",
            self.in_words(surface)
        )
    }
}
