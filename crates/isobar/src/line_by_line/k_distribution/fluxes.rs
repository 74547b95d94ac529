//! Fluxes of part of a band.

use isobar_core::Real;
use isobar_radiation::constants::ECRAD_SECANT;

/// Fluxes at levels, from the surface up \[W/m^2\].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Fluxes {
    /// Upward.
    pub up: Vec<f64>,
    /// Downward.
    pub down: Vec<f64>,
}

impl Fluxes {
    pub(super) fn none(levels: usize) -> Self {
        Self { up: vec![0.0; levels], down: vec![0.0; levels] }
    }

    pub(super) fn add(&mut self, other: &Self, times: f64) {
        self.up.iter_mut().zip(&other.up).for_each(|(sum, value)| *sum += times * value);
        self.down.iter_mut().zip(&other.down).for_each(|(sum, value)| *sum += times * value);
    }

    /// The one with this number: upward fluxes first.
    pub(super) fn value(&self, number: usize) -> f64 {
        let levels = self.up.len();
        if number < levels { self.up[number] } else { self.down[number - levels] }
    }

    /// The largest of all, whatever its sign, and its number.
    pub(super) fn worst(&self) -> (usize, f64) {
        let all = (0..2 * self.up.len()).map(|number| (number, self.value(number)));
        all.fold((0, 0.0_f64), |most, one| if one.1.abs() > most.1.abs() { one } else { most })
    }

    /// The largest of all, whatever its sign.
    #[must_use]
    pub fn largest(&self) -> f64 {
        self.up.iter().chain(&self.down).fold(0.0, |most, value| value.abs().max(most))
    }
}

/// The absorption and Planck's functions of part of a band.
pub(super) struct Part {
    /// Optical depth of each layer.
    pub(super) depth: Vec<f64>,
    /// The emission of black bodies at the temperature of layers, of levels, and of the ground \[W/m^2\].
    pub(super) layers: Vec<f64>,
    pub(super) levels: Vec<f64>,
    pub(super) ground: f64,
}

impl Part {
    /// Along one slant path, with a source linear in optical depth, as `isobar-radiation` has it for ecCKD's models.
    pub(super) fn fluxes(&self) -> Fluxes {
        let layers = self.depth.len();
        let mut fluxes = Fluxes::none(layers + 1);
        let passes: Vec<(f64, f64)> = self.depth.iter().map(|depth| passage(ECRAD_SECANT * depth)).collect();
        for (layer, &(absorbed, shape)) in passes.iter().enumerate().rev() {
            let below = self.levels[layer];
            let emitted = absorbed * below + shape * (self.layers[layer] - below);
            fluxes.down[layer] = fluxes.down[layer + 1] * (1.0 - absorbed) + emitted;
        }
        fluxes.up[0] = self.ground;
        for (layer, (absorbed, shape)) in passes.into_iter().enumerate() {
            let above = self.levels[layer + 1];
            let emitted = absorbed * above + shape * (self.layers[layer] - above);
            fluxes.up[layer + 1] = fluxes.up[layer] * (1.0 - absorbed) + emitted;
        }
        fluxes
    }
}

/// What is absorbed, and twice the weight of the layer's middle against its boundary.
fn passage(depth: f64) -> (f64, f64) {
    let absorbed = -Real::exp_m1(-depth);
    // The quotient loses digits where it is a difference of near numbers.
    let shape = if depth > 1e-3 {
        absorbed / depth - (1.0 - absorbed)
    } else {
        depth * (0.5 + depth * (-1.0 / 3.0 + depth * 0.125))
    };
    (absorbed, 2.0 * shape)
}
