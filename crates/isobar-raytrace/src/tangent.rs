//! The tangent point: the vertex of a parabola through the lowest point of a path and its neighbours.

use isobar_core::Real;
use nalgebra::Vector3;

use crate::geodesy::from_cartesian;

/// The neighbourhood of the lowest point of a path, gathered while the path is traced.
#[derive(Clone, Copy, Debug)]
pub struct Lowest<R> {
    /// The index of the lowest point (the first, on a tie).
    pub index: usize,
    /// Its height \[km\].
    pub height_km: R,
    before: Neighbour<R>,
    after: Neighbour<R>,
    latest: Neighbour<R>,
    step_km: R,
}

#[derive(Clone, Copy, Debug)]
struct Neighbour<R> {
    position_km: Vector3<R>,
    height_km: R,
    step_km: R,
}

impl<R: Real> Lowest<R> {
    /// Before the first point.
    #[must_use]
    pub fn new() -> Self {
        let nowhere =
            Neighbour { position_km: Vector3::new(R::ZERO, R::ZERO, R::ZERO), height_km: R::ZERO, step_km: R::ZERO };
        Self { index: 0, height_km: R::INFINITY, before: nowhere, after: nowhere, latest: nowhere, step_km: R::ZERO }
    }

    /// Takes the next point of the path, with the step that leaves it.
    #[inline(always)]
    pub fn add(&mut self, index: usize, position_km: Vector3<R>, height_km: R, step_km: R) {
        let here = Neighbour { position_km, height_km, step_km };
        if height_km < self.height_km {
            self.index = index;
            self.height_km = height_km;
            self.before = self.latest;
            self.step_km = step_km;
        } else if index == self.index + 1 {
            self.after = here;
        }
        self.latest = here;
    }

    /// The step that leaves the latest point but one was shortened, for the path ended.
    #[inline(always)]
    pub fn shorten_step(&mut self, index: usize, step_km: R) {
        if index == self.index {
            self.step_km = step_km;
        } else if index == self.index + 1 {
            self.after.step_km = step_km;
        }
    }

    /// Height \[km\], longitude and latitude \[deg\] of the tangent point of a path of `points` points,
    /// the last one where the path has its lowest point at an end.
    #[must_use]
    pub fn tangent_point(&self, points: usize) -> (R, R, R) {
        if self.index == 0 || self.index + 1 >= points {
            return from_cartesian(self.latest.position_km);
        }
        // Heights over horizontal distance from the point before. The step that leaves the lowest point stands
        // for the one that arrives at it, as in JURASSIC: they differ only where the step length varies.
        let (z0, z1, z2) = (self.before.height_km, self.height_km, self.after.height_km);
        let leg = |step: R, rise: R| (step * step - rise * rise).sqrt();
        let x1 = leg(self.step_km, z1 - z0);
        let x2 = x1 + leg(self.after.step_km, z2 - z1);
        let a = (-(z0 - z1) / x1 + (z0 - z2) / x2) / (x1 - x2);
        let b = -(z0 - z1) / x1 - a * x1;
        let x = -b / (R::from_f64(2.0) * a);
        let height_km = a * x * x + b * x + z0;
        if !height_km.is_finite() {
            return from_cartesian(self.latest.position_km);
        }
        let there = self.before.position_km + (self.after.position_km - self.before.position_km) * (x / x2);
        let (_, longitude_deg, latitude_deg) = from_cartesian(there);
        (height_km, longitude_deg, latitude_deg)
    }
}

impl<R: Real> Default for Lowest<R> {
    fn default() -> Self {
        Self::new()
    }
}
