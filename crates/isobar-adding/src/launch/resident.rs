//! Profiles and their radiances in the memory of one device.

use std::f64::consts::PI;
use std::ops::Range;

use isobar_core::{Column, Field, FieldMut, Real};
use isobar_launch::{Buffer, Device, Error, Plain, Queue};

use super::ptx::load;
use super::share::part;
use super::{Outputs, Precision, Radiances};
use crate::clear_sky::block::Block;
use crate::clear_sky::deep::Deep;
use crate::clear_sky::sequential::Sequential;
use crate::clear_sky::sequential_levels::SequentialLevels;
use crate::clear_sky::surface::SurfaceSource;
use crate::clear_sky::warp::Warp;
use crate::clear_sky::{Absorption, ClearSky, EMISSION, LEVELS, Profiles, REFLECTION, Reflection, Slant, Source};
use crate::schedule::{Schedule, Shape};

/// Some profiles of a batch on the device of a queue, and room for their radiances.
pub struct Resident<R: Real + Plain> {
    profiles: usize,
    layers: usize,
    angles: usize,
    outputs: Outputs,
    linear: bool,
    specular: bool,
    slant: Buffer<Slant<R>>,
    optical_depth: Option<Buffer<R>>,
    transmittance: Option<Buffer<R>>,
    planck: Buffer<R>,
    surface_planck: Buffer<R>,
    emissivity: Buffer<R>,
    cosmic: Buffer<R>,
    /// `mu w / sum mu w` of a Lambertian surface.
    weight: Option<Buffer<R>>,
    sun: Option<SunOnSurface<R>>,
    surface_source: Option<Buffer<R>>,
    top: Buffer<R>,
    surface_down: Buffer<R>,
    levels: Option<[Buffer<R>; 2]>,
    statuses: Buffer<u32>,
}

struct SunOnSurface<R: Plain> {
    cosine: Buffer<R>,
    over_pi: Buffer<R>,
    reflectivity: Buffer<R>,
}

impl<R: Real + Plain> Resident<R> {
    /// Takes the profiles of a range, which are valid, to the queue's device.
    ///
    /// # Errors
    /// More than [`Resident::most_profiles`], [`Error::OutOfMemory`], or what the driver answers.
    pub fn new(queue: &Queue, batch: &Profiles, range: Range<usize>, outputs: Outputs) -> Result<Self, Error> {
        load(queue)?;
        let most = Self::most_profiles(batch);
        if range.len() > most {
            let what = format!("{} profiles are too many at a time: at most {most} of this shape", range.len());
            return Err(Error::Driver { device: queue.device(), doing: "take profiles", what });
        }
        let (profiles, layers, angles) = (range.len(), batch.layers(), batch.angles());
        let items = profiles * angles;
        let upload = |values: &[f64]| queue.upload(&part::<R>(values, batch.profiles(), &range));
        let (optical_depth, transmittance) = match &batch.absorption {
            Absorption::OpticalDepth(values) => (Some(upload(values)?), None),
            Absorption::Transmittance(values) => (None, Some(upload(values)?)),
        };
        let (linear, planck) = match &batch.source {
            Source::Isothermal(values) => (false, upload(values)?),
            Source::LinearInOpticalDepth(values) => (true, upload(values)?),
        };
        let weight = match &batch.reflection {
            Reflection::Lambertian { weight } => {
                let flux: Vec<f64> = batch.cosine.iter().zip(weight).map(|(mu, w)| mu * w).collect();
                let sum: f64 = flux.iter().sum();
                Some(queue.upload(&flux.iter().map(|x| R::from_f64(x / sum)).collect::<Vec<_>>())?)
            }
            Reflection::None | Reflection::Specular => None,
        };
        let sun = match &batch.sun {
            Some(sun) => Some(SunOnSurface {
                cosine: upload(&sun.cosine)?,
                over_pi: upload(&sun.irradiance.iter().map(|f| f / PI).collect::<Vec<_>>())?,
                reflectivity: upload(&sun.reflectivity)?,
            }),
            None => None,
        };
        let has_source = weight.is_some() || sun.is_some();
        let levels = (layers + 1) * items;
        let slant: Vec<Slant<R>> = batch.cosine.iter().map(|&mu| Slant::new(mu)).collect();
        Ok(Self {
            profiles,
            layers,
            angles,
            outputs,
            linear,
            specular: batch.reflection == Reflection::Specular,
            slant: queue.upload(&slant)?,
            optical_depth,
            transmittance,
            planck,
            surface_planck: upload(&batch.surface_planck)?,
            emissivity: upload(&batch.emissivity)?,
            cosmic: upload(&batch.cosmic)?,
            weight,
            sun,
            surface_source: if has_source { Some(queue.zeros(items)?) } else { None },
            top: queue.zeros(items)?,
            surface_down: queue.zeros(items)?,
            levels: if outputs == Outputs::Levels { Some([queue.zeros(levels)?, queue.zeros(levels)?]) } else { None },
            statuses: queue.zeros(items)?,
        })
    }

    /// The most profiles that can be brought at a time: kernels compute places in a field with 32 bits.
    #[must_use]
    pub fn most_profiles(batch: &Profiles) -> usize {
        (i32::MAX as usize / ((batch.layers() + 1) * batch.angles())).max(1)
    }

    /// The bytes that a profile takes on a device.
    #[must_use]
    pub fn bytes_per_profile(batch: &Profiles, outputs: Outputs) -> usize {
        let (layers, angles) = (batch.layers(), batch.angles());
        let absorption = match batch.absorption {
            Absorption::OpticalDepth(_) => layers,
            Absorption::Transmittance(_) => layers * angles,
        };
        let levels = if outputs == Outputs::Levels { 2 * (layers + 1) * angles } else { 0 };
        size_of::<R>() * (absorption + layers + 5 + 6 * angles + levels)
    }

    /// The shape that decides which schedule is the fastest.
    #[must_use]
    pub fn shape(&self) -> Shape {
        let levels = self.outputs == Outputs::Levels;
        Shape { profiles: self.profiles, layers: self.layers, angles: self.angles, levels }
    }

    /// Computes the radiances, by the queue with which the profiles were brought.
    ///
    /// # Errors
    /// What the driver answers; on a GPU also later, by [`Resident::radiances`].
    pub fn compute(&mut self, queue: &Queue, schedule: Schedule) -> Result<(), Error>
    where
        R: Precision,
    {
        R::compute_clear_sky(self, queue, schedule)
    }

    pub(crate) fn compute_any(&mut self, queue: &Queue, schedule: Schedule) -> Result<(), Error> {
        if self.weight.is_some() {
            // What falls on the surface has to be known before what it reflects.
            self.solve(queue, schedule, Outputs::Ends)?;
        }
        if self.surface_source.is_some() {
            self.light_surface(queue)?;
        }
        self.solve(queue, schedule, self.outputs)
    }

    /// The radiances that were computed.
    ///
    /// # Errors
    /// What the driver answers.
    pub fn radiances(&self, queue: &Queue) -> Result<Radiances<R>, Error> {
        let level = |i: usize| self.levels.as_ref().map_or(Ok(Vec::new()), |levels| queue.to_host(&levels[i]));
        Ok(Radiances {
            top: queue.to_host(&self.top)?,
            surface_down: if self.outputs == Outputs::Emission {
                Vec::new()
            } else {
                queue.to_host(&self.surface_down)?
            },
            level_up: level(0)?,
            level_down: level(1)?,
        })
    }

    fn solve(&mut self, queue: &Queue, schedule: Schedule, outputs: Outputs) -> Result<(), Error> {
        let schedule = match (schedule, queue.device()) {
            // A CPU's thread does the work of all lanes: what reads the layers once is the fastest.
            (Schedule::Auto, Device::Cpu) => Schedule::Block,
            _ => schedule.resolve(Shape { levels: outputs == Outputs::Levels, ..self.shape() }),
        };
        let (profiles, layers, angles) = (self.profiles, self.layers, self.angles);
        let items = profiles * angles;
        let [level_up, level_down] = match &mut self.levels {
            Some(levels) => levels.each_mut().map(|buffer| buffer.item_fastest_mut(layers + 1, items)),
            None => [FieldMut::empty(); 2],
        };
        let batch = ClearSky {
            optical_depth: field(&self.optical_depth, layers, profiles),
            transmittance: field(&self.transmittance, layers, items),
            planck: self.planck.item_fastest(layers + usize::from(self.linear), profiles),
            linear: u32::from(self.linear),
            specular: u32::from(self.specular),
            slant: self.slant.column(),
            surface_planck: self.surface_planck.column(),
            emissivity: self.emissivity.item_fastest(angles, profiles),
            surface_source: field(&self.surface_source, angles, profiles),
            cosmic: self.cosmic.column(),
            top: self.top.item_fastest_mut(angles, profiles),
            surface_down: self.surface_down.item_fastest_mut(angles, profiles),
            level_up,
            level_down,
        };
        let statuses = &mut self.statuses;
        match (schedule, outputs) {
            (Schedule::Warp, Outputs::Levels) => queue.launch(&Warp::<R, LEVELS>(batch), statuses),
            (Schedule::Warp, _) => queue.launch(&Warp::<R, REFLECTION>(batch), statuses),
            (Schedule::Deep, Outputs::Levels) => queue.launch(&Deep::<R, LEVELS>(batch), statuses),
            (Schedule::Deep, _) => queue.launch(&Deep::<R, REFLECTION>(batch), statuses),
            (Schedule::Block, Outputs::Ends) => queue.launch(&Block::<R, REFLECTION>::new(batch), statuses),
            (Schedule::Block, Outputs::Emission) => queue.launch(&Block::<R, EMISSION>::new(batch), statuses),
            (_, Outputs::Levels) => queue.launch(&SequentialLevels(batch), statuses),
            (_, Outputs::Ends) if angles == 1 => queue.launch(&Sequential::<R, REFLECTION, 1>(batch), statuses),
            (_, Outputs::Ends) => queue.launch(&Sequential::<R, REFLECTION, 2>(batch), statuses),
            (_, Outputs::Emission) if angles == 1 => queue.launch(&Sequential::<R, EMISSION, 1>(batch), statuses),
            (_, Outputs::Emission) => queue.launch(&Sequential::<R, EMISSION, 2>(batch), statuses),
        }
    }

    /// What the surface sends upward of sunlight and of diffuse light.
    fn light_surface(&mut self, queue: &Queue) -> Result<(), Error> {
        let (profiles, angles) = (self.profiles, self.angles);
        let (Some(source), sun) = (&mut self.surface_source, self.sun.as_ref()) else { return Ok(()) };
        let kernel = SurfaceSource {
            optical_depth: self
                .optical_depth
                .as_ref()
                .map_or(Field::empty(), |b| b.item_fastest(self.layers, profiles)),
            sun_cosine: column(sun.map(|sun| &sun.cosine)),
            sun_over_pi: column(sun.map(|sun| &sun.over_pi)),
            sun_reflectivity: sun.map_or(Field::empty(), |sun| sun.reflectivity.item_fastest(angles, profiles)),
            emissivity: self.emissivity.item_fastest(angles, profiles),
            weight: column(self.weight.as_ref()),
            surface_down: self.surface_down.item_fastest(angles, profiles),
            source: source.item_fastest_mut(angles, profiles),
        };
        queue.launch(&kernel, &mut self.statuses)
    }
}

/// A view of a buffer, or an empty one where there is none.
fn field<R: Plain>(buffer: &Option<Buffer<R>>, levels: usize, items: usize) -> Field<'_, R> {
    buffer.as_ref().map_or(Field::empty(), |buffer| buffer.item_fastest(levels, items))
}

/// As [`field`].
fn column<R: Plain>(buffer: Option<&Buffer<R>>) -> Column<'_, R> {
    buffer.map_or(Column::empty(), |buffer| buffer.column())
}
