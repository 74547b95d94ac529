//! A batch in memory, and every schedule run on it by one thread.

use isobar_adding::clear_sky::block::Block;
use isobar_adding::clear_sky::deep::Deep;
use isobar_adding::clear_sky::sequential::Sequential;
use isobar_adding::clear_sky::sequential_levels::SequentialLevels;
use isobar_adding::clear_sky::warp::Warp;
use isobar_adding::clear_sky::{Batch, EMISSION, LEVELS, ProfileViews, REFLECTION, RadianceViews, Slant};
use isobar_core::fields::InputSet;
use isobar_core::kernel::{ThreadMemory, WARP};
use isobar_core::{Column, Field, FieldMut, Kernel, Real, Status};

/// Profiles with the profile fastest: `optical_depth[layer * profiles + profile]`.
#[derive(Clone, Debug)]
pub(crate) struct Case<R> {
    pub(crate) profiles: usize,
    pub(crate) layers: usize,
    pub(crate) cosine: Vec<f64>,
    pub(crate) optical_depth: Vec<R>,
    /// `[layer, angle, profile]`, or nothing.
    pub(crate) transmittance: Vec<R>,
    pub(crate) planck: Vec<R>,
    pub(crate) linear: bool,
    pub(crate) specular: bool,
    pub(crate) surface_planck: Vec<R>,
    pub(crate) emissivity: Vec<R>,
    pub(crate) cosmic: Vec<R>,
}

/// All radiances, with the profile fastest, then the angle, then the level.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Radiances<R> {
    pub(crate) top: Vec<R>,
    pub(crate) surface_down: Vec<R>,
    pub(crate) level_up: Vec<R>,
    pub(crate) level_down: Vec<R>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Schedule {
    Sequential,
    Pair,
    Warp,
    Block(u32),
    Deep,
}

pub(crate) const SCHEDULES: [Schedule; 6] =
    [Schedule::Sequential, Schedule::Pair, Schedule::Warp, Schedule::Block(1), Schedule::Block(6), Schedule::Deep];

impl<R: Real> Case<R> {
    pub(crate) fn angles(&self) -> usize {
        self.cosine.len()
    }

    /// No radiances yet.
    fn zeros(&self) -> Radiances<R> {
        let (items, levels) = (self.angles() * self.profiles, self.layers + 1);
        Radiances {
            top: vec![R::ZERO; items],
            surface_down: vec![R::ZERO; items],
            level_up: vec![R::ZERO; levels * items],
            level_down: vec![R::ZERO; levels * items],
        }
    }

    /// The outputs of the two kernels that CPUs have: of levels, or of the ends.
    pub(crate) fn on_cpu(&self, levels: bool) -> Radiances<R> {
        let mut radiances = self.zeros();
        self.solve(&mut radiances, |batch| match levels {
            true => run(&SequentialLevels(batch)),
            false => run(&Block::<R, REFLECTION>::with_angles(batch, 1)),
        });
        radiances
    }

    /// The outputs of a kernel; what it does not write stays zero.
    pub(crate) fn run(&self, schedule: Schedule, output: usize) -> Radiances<R> {
        let mut radiances = self.zeros();
        self.solve(&mut radiances, |batch| match (schedule, output) {
            (Schedule::Sequential | Schedule::Pair, LEVELS) => run(&SequentialLevels(batch)),
            (Schedule::Sequential, EMISSION) => run(&Sequential::<R, EMISSION, 1>(batch)),
            (Schedule::Sequential, _) => run(&Sequential::<R, REFLECTION, 1>(batch)),
            (Schedule::Pair, EMISSION) => run(&Sequential::<R, EMISSION, 2>(batch)),
            (Schedule::Pair, _) => run(&Sequential::<R, REFLECTION, 2>(batch)),
            (Schedule::Warp, LEVELS) => run(&Warp::<R, LEVELS>(batch)),
            (Schedule::Warp, _) => run(&Warp::<R, REFLECTION>(batch)),
            (Schedule::Block(angles), EMISSION) => run(&Block::<R, EMISSION>::with_angles(batch, angles)),
            (Schedule::Block(angles), _) => run(&Block::<R, REFLECTION>::with_angles(batch, angles)),
            (Schedule::Deep, LEVELS) => run(&Deep::<R, LEVELS>(batch)),
            (Schedule::Deep, _) => run(&Deep::<R, REFLECTION>(batch)),
        });
        radiances
    }

    /// Gives the batch to `kernels`, which write the radiances.
    fn solve(&self, radiances: &mut Radiances<R>, kernels: impl FnOnce(Batch<'_, R>)) {
        let levels = self.layers + 1;
        let slant: Vec<Slant<R>> = self.cosine.iter().map(|&mu| Slant::new(mu)).collect();
        let (profiles, angles) = (self.profiles, self.angles());
        let field = |values, rows| Field::item_fastest(values, rows, profiles);
        let mut inputs = ProfileViews {
            optical_depth: field(&self.optical_depth, self.layers),
            surface_planck_radiance: Column::from(&self.surface_planck[..]),
            emissivity: field(&self.emissivity, angles),
            cosmic_background: Column::from(&self.cosmic[..]),
            ..ProfileViews::empty()
        };
        if !self.transmittance.is_empty() {
            inputs.transmittance = field(&self.transmittance, self.layers * angles);
        }
        if self.linear {
            inputs.planck_radiance_level = field(&self.planck, levels);
        } else {
            inputs.planck_radiance = field(&self.planck, self.layers);
        }
        let batch = Batch {
            inputs,
            outputs: RadianceViews {
                top_radiance: FieldMut::item_fastest(&mut radiances.top, angles, profiles),
                surface_downward_radiance: FieldMut::item_fastest(&mut radiances.surface_down, angles, profiles),
                upward_radiance: FieldMut::item_fastest(&mut radiances.level_up, levels * angles, profiles),
                downward_radiance: FieldMut::item_fastest(&mut radiances.level_down, levels * angles, profiles),
                status: FieldMut::empty(),
            },
            slant: Column::from(&slant[..]),
            surface_source: Field::empty(),
            layers: self.layers as u32,
            specular: u32::from(self.specular),
        };
        kernels(batch);
    }
}

/// Computes every item of a kernel on the calling thread.
fn run<K: Kernel>(kernel: &K) {
    let mut memory = ThreadMemory::of(kernel);
    for index in 0..kernel.items() {
        // SAFETY: each index once; the views are those of living slices.
        let status = unsafe { kernel.item::<WARP>(index, memory.lanes()) };
        assert_eq!(status, Status::OK);
    }
}
