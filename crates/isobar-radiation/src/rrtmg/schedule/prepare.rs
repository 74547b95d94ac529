//! What the lanes of a column's block prepare for eight layers, before they turn to g-points: a lane has a layer and a
//! band.

use isobar_core::{Lanes, Real};

use crate::rrtmg::arguments::Sources;
use crate::rrtmg::clouds::Clouds;
use crate::rrtmg::physics::planck::Position;
use crate::rrtmg::schedule::band_list::{self, SlotStates};
use crate::rrtmg::schedule::chunk::{Chunk, Slots};
use crate::rrtmg::schedule::lane_groups::{layer_groups, layer_lanes};
use crate::rrtmg::schedule::scratch::Scratch;
use crate::rrtmg::sizes::CHUNK;

/// The boundary of a layer to which its Planck radiance is inclined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Towards {
    /// The lower: for radiation downward.
    Bottom,
    /// The upper.
    Top,
}

/// Runs a function for as many layers as a thread with `W` lanes has of a chunk.
macro_rules! for_layers {
    ($self:ident.$function:ident::<$lanes:ident>($($argument:expr),*)) => {
        if layer_lanes::<$lanes>() == CHUNK {
            $self.$function::<$lanes, CHUNK>($($argument),*);
        } else {
            $self.$function::<$lanes, 1>($($argument),*);
        }
    };
}

/// Runs the block for this thread's bands. (A closure would not be compiled with its caller's instructions.)
macro_rules! for_bands {
    ($self:ident, $lanes:ident, |$band:ident, $bands:ident| $body:block) => {
        let $bands = $self.tables.band_count();
        for share in $lanes.shares($bands.div_ceil(4)) {
            for group in 0..layer_groups::<W>() {
                let $band = share * 4 + $lanes.first() / CHUNK + group;
                if $band < $bands $body
            }
        }
    };
}

/// All warps of the block come by, and wait for each other before they read what was written.
impl<R: Real> Sources<'_, R> {
    /// Writes the lists of a chunk and its aerosol.
    #[inline(always)]
    pub(crate) fn write_terms<const W: usize>(
        &self,
        lanes: Lanes<W>,
        (column, chunk): (usize, Chunk),
        scratch: &Scratch<R>,
    ) {
        for_layers!(self.write_terms_of::<W>(lanes, (column, chunk), scratch));
    }

    #[inline(always)]
    fn write_terms_of<const W: usize, const L: usize>(
        &self,
        lanes: Lanes<W>,
        (column, chunk): (usize, Chunk),
        scratch: &Scratch<R>,
    ) {
        let slots = Slots::<L>::new(chunk, lanes, column);
        let states = SlotStates::read(&self.states, slots);
        for_bands!(self, lanes, |band, bands| {
            band_list::write(&self.tables, &states, band, scratch.lists());
            for lane in 0..L {
                let depth = if self.columns.aerosol_optical_depth.is_empty() {
                    R::ZERO
                } else {
                    self.columns.aerosol_optical_depth.at(slots.layer(lane) * bands + band, column)
                };
                scratch.aerosol[band][slots.first + lane].set(depth);
            }
        });
    }

    /// Writes the Planck radiances of a chunk.
    #[inline(always)]
    pub(crate) fn write_planck<const W: usize>(
        &self,
        lanes: Lanes<W>,
        (column, chunk): (usize, Chunk),
        towards: Towards,
        scratch: &Scratch<R>,
    ) {
        for_layers!(self.write_planck_of::<W>(lanes, (column, chunk), towards, scratch));
    }

    #[inline(always)]
    fn write_planck_of<const W: usize, const L: usize>(
        &self,
        lanes: Lanes<W>,
        (column, chunk): (usize, Chunk),
        towards: Towards,
        scratch: &Scratch<R>,
    ) {
        let slots = Slots::<L>::new(chunk, lanes, column);
        let middle = slots.read(&self.columns.temperature_k, 0, R::ZERO);
        let boundary = slots.read(&self.columns.level_temperature_k, usize::from(towards == Towards::Top), R::ZERO);
        for_bands!(self, lanes, |band, _bands| {
            for lane in 0..L {
                let planck = Position::of(middle[lane]).radiance(&self.tables.planck, band);
                let step = Position::of(boundary[lane]).radiance(&self.tables.planck, band) - planck;
                scratch.planck[slots.first + lane][band].set(planck);
                scratch.planck_step[slots.first + lane][band].set(step);
            }
        });
    }

    /// Writes the optical depths of a chunk's clouds, and which layers have any.
    #[inline(always)]
    pub(crate) fn write_clouds<const W: usize>(
        &self,
        lanes: Lanes<W>,
        (column, chunk): (usize, Chunk),
        clouds: &Clouds<'_>,
        scratch: &Scratch<R>,
    ) {
        for_layers!(self.write_clouds_of::<W>(lanes, (column, chunk), clouds, scratch));
    }

    #[inline(always)]
    fn write_clouds_of<const W: usize, const L: usize>(
        &self,
        lanes: Lanes<W>,
        (column, chunk): (usize, Chunk),
        clouds: &Clouds<'_>,
        scratch: &Scratch<R>,
    ) {
        let slots = Slots::<L>::new(chunk, lanes, column);
        let mut cloudy = [0; L];
        for lane in 0..L {
            cloudy[lane] = clouds.any(&self.columns, slots.layer(lane), column);
        }
        for _ in lanes.shares(1) {
            for lane in 0..L {
                // The first warp's lanes write the same where they have the same layer.
                scratch.cloudy[slots.first + lane].set(cloudy[lane]);
            }
        }
        for_bands!(self, lanes, |band, bands| {
            for lane in 0..L {
                let mut depth = R::ZERO;
                if cloudy[lane] != 0 {
                    let layer = slots.layer(lane);
                    depth = clouds.optical_depth(&self.columns, &self.tables.clouds, (band, bands), layer, column);
                }
                scratch.cloud[band][slots.first + lane].set(depth);
            }
        });
    }
}
