//! What there is to say of phase moments: those that are cut off, and those that end too early.

use isobar_core::{Field, Real};

use super::ground;
use crate::azimuth::phase_function::ends_early;
use crate::azimuth::{Options, ProfileViews, sizes};

/// What there is to say of layers that are seen from any direction: of options without effect, of their moments and of
/// the ground.
pub(super) fn doubts_of<R: Real>(inputs: &ProfileViews<'_, R>, options: &Options) -> Vec<String> {
    let layers = inputs.single_scattering_albedo.levels().max(inputs.optical_depth.levels());
    let moments = Moments { values: &inputs.phase_moments, layers, terms: 2 * options.nodes };
    let doubts = moments.doubts(options.delta_scaling, options.corrects(inputs));
    let profiles = sizes(inputs).items();
    let of_ground = ground::doubts_of(inputs, options, profiles);
    options.idle_components(inputs).into_iter().chain(doubts).chain(of_ground).collect()
}

/// The moments of some layers.
pub(super) struct Moments<'a, 'b, R> {
    /// `[layer * count + number]`.
    pub(super) values: &'a Field<'b, R>,
    pub(super) layers: usize,
    /// How many the matrices have.
    pub(super) terms: usize,
}

impl<R: Real> Moments<'_, '_, R> {
    pub(super) fn doubts(&self, delta_scaling: bool, corrected: bool) -> Vec<String> {
        let doubt = if delta_scaling { self.early_end(corrected) } else { self.cut() };
        doubt.into_iter().collect()
    }

    fn count(&self) -> usize {
        self.values.levels() / self.layers.max(1)
    }

    fn at(&self, number: usize, (layer, item): (usize, usize)) -> f64 {
        self.values.at(layer * self.count() + number, item).value()
    }

    /// Every phase function: layer and item.
    fn places(&self) -> impl Iterator<Item = (usize, usize)> {
        let items = self.values.items();
        (0..self.layers).flat_map(move |layer| (0..items).map(move |item| (layer, item)))
    }

    /// Says what is lost where moments beyond the streams are cut and not scaled away.
    fn cut(&self) -> Option<String> {
        let Self { terms, .. } = *self;
        let all = self.places().flat_map(|place| (terms..self.count()).map(move |number| (number, place)));
        let size = |&(number, place): &(usize, (usize, usize))| self.at(number, place).abs();
        let (number, place) = all.max_by(|a, b| size(a).total_cmp(&size(b)))?;
        let ((layer, item), value) = (place, self.at(number, place));
        (value != 0.0).then(|| {
            format!(
                "without delta scaling the phase moments from number {terms} on are cut off, of which the largest is \
                 {value} (number {number} of layer {layer}, profile {item})"
            )
        })
    }

    /// Moments that end too early for delta scaling, whose peak is the first that the matrices do not have, or for
    /// light that is scattered once by the whole phase function, if that is `corrected`.
    fn early_end(&self, corrected: bool) -> Option<String> {
        let Self { terms, .. } = *self;
        let last = self.count().checked_sub(1).filter(|&last| corrected || last < terms)?;
        let early = |&place: &(usize, usize)| ends_early(last, self.at(last, place)) && !self.is_whole(place);
        let size = |place: (usize, usize)| self.at(last, place).abs();
        let place = self.places().filter(early).max_by(|&a, &b| size(a).total_cmp(&size(b)))?;
        let ((layer, item), value) = (place, self.at(last, place));
        let lost = if last < terms {
            format!(
                "the peak that delta scaling takes off, number {terms}, counts as 0, and light near the peaks of such \
                 phase functions is wrong; give more moments, or an asymmetry"
            )
        } else {
            "light that is scattered once is that of phase functions cut off there, wrong near their peaks, and may be \
             negative; give more moments, or leave out the corrections"
                .to_owned()
        };
        // Rayleigh's 1, 0, 0.1 with the factor are 1, 0, 0.5.
        let factor = if self.count() <= 3 {
            "; or divide by 2 l + 1 what has that factor: this phase function is negative somewhere"
        } else {
            ""
        };
        let end = format!("phase moments end at number {last}, which is {value} in layer {layer}, profile {item}");
        Some(format!("{end}: {lost}{factor}"))
    }

    /// Whether a phase function of three moments at most may be meant as it is, as Rayleigh's: what was cut off a peak
    /// is negative somewhere.
    fn is_whole(&self, place: (usize, usize)) -> bool {
        let moment = |number: usize| if number < self.count() { self.at(number, place) } else { 0.0 };
        // 1 + b x + c (3 x^2 - 1)/2.
        let (b, c) = (3.0 * moment(1), 5.0 * moment(2));
        let ends = 1.0 - b.abs() + c;
        let within = if b.abs() < 3.0 * c { 1.0 - 0.5 * c - b * b / (6.0 * c) } else { ends };
        self.count() <= 3 && ends.min(within) >= -ROUNDING
    }
}

/// A phase function that is 0 somewhere may be less by roundings of single precision.
const ROUNDING: f64 = 1e-6;
