//! What the lanes of a column's block prepare for eight layers, before they turn to g-points: a lane has a layer and a
//! band.

use isobar_core::{Field, Lanes, Real};

use crate::chunk::{Chunk, Slots, octet_lanes, octets};
use crate::clouds::Clouds;
use crate::layers::LayerStates;
use crate::scratch::{CHUNK, Scratch};
use crate::tables::Tables;
use crate::terms;

/// The boundary of a layer to which its Planck radiance is inclined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Towards {
    /// The lower: for radiation downward.
    Bottom,
    /// The upper.
    Top,
}

/// What lists and sources are made of.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Sources<'a, R> {
    /// The tables.
    pub tables: Tables<'a, R>,
    /// What [`crate::Layers`] left.
    pub states: LayerStates<'a, R>,
    /// Temperature of `(layer, column)` \[K\].
    pub temperature: Field<'a, R>,
    /// Temperature of `(level, column)`, one level more \[K\].
    pub level_temperature: Field<'a, R>,
    /// Optical depth of aerosol in `(layer * bands + band, column)`; without items where there is none.
    pub aerosol: Field<'a, R>,
}

/// Runs the block for this thread's bands. (A closure would not be compiled with its caller's instructions.)
macro_rules! for_bands {
    ($self:ident, $lanes:ident, |$band:ident, $bands:ident| $body:block) => {
        let $bands = $self.tables.band_count();
        for share in $lanes.shares($bands.div_ceil(4)) {
            for octet in 0..octets::<W>() {
                let $band = share * 4 + $lanes.first() / CHUNK + octet;
                if $band < $bands $body
            }
        }
    };
}

impl<R: Real> Sources<'_, R> {
    /// Writes the lists of a chunk and its aerosol.
    ///
    /// # Safety
    /// The scratch is the block's, whose warps all come by and then wait for each other.
    #[inline(always)]
    pub(crate) unsafe fn write_terms<const W: usize>(
        &self,
        lanes: Lanes<W>,
        column: usize,
        chunk: Chunk,
        scratch: *mut Scratch<R>,
    ) {
        let slots = Slots::<W>::new(chunk, lanes, column);
        let layers = terms::Layers::read(&self.states, slots);
        for_bands!(self, lanes, |band, bands| {
            // SAFETY: the band is this thread's.
            unsafe { terms::write(&self.tables, &layers, (band, self.tables.band(band)), Scratch::lists(scratch)) };
            for lane in 0..octet_lanes::<W>() {
                let depth = if self.aerosol.is_empty() {
                    R::ZERO
                } else {
                    self.aerosol.at(slots.layer(lane) * bands + band, column)
                };
                // SAFETY: as above.
                unsafe { (*scratch).aerosol[band][slots.first + lane] = depth };
            }
        });
    }

    /// Writes the Planck radiances of a chunk.
    ///
    /// # Safety
    /// As [`Sources::write_terms`].
    #[inline(always)]
    pub(crate) unsafe fn write_planck<const W: usize>(
        &self,
        lanes: Lanes<W>,
        column: usize,
        (chunk, towards): (Chunk, Towards),
        scratch: *mut Scratch<R>,
    ) {
        let slots = Slots::<W>::new(chunk, lanes, column);
        let middle = slots.read(&self.temperature, 0, R::ZERO);
        let boundary = slots.read(&self.level_temperature, usize::from(towards == Towards::Top), R::ZERO);
        for_bands!(self, lanes, |band, _bands| {
            for lane in 0..octet_lanes::<W>() {
                let planck = self.tables.planck(&self.tables.planck, band, middle[lane]);
                let step = self.tables.planck(&self.tables.planck, band, boundary[lane]) - planck;
                // SAFETY: the band is this thread's.
                unsafe {
                    (*scratch).planck[slots.first + lane][band] = planck;
                    (*scratch).planck_step[slots.first + lane][band] = step;
                }
            }
        });
    }

    /// Writes the optical depths of a chunk's clouds, and which layers have any.
    ///
    /// # Safety
    /// As [`Sources::write_terms`].
    #[inline(always)]
    pub(crate) unsafe fn write_clouds<const W: usize>(
        &self,
        lanes: Lanes<W>,
        column: usize,
        (chunk, clouds): (Chunk, &Clouds<'_, R>),
        scratch: *mut Scratch<R>,
    ) {
        let slots = Slots::<W>::new(chunk, lanes, column);
        let mut cloudy = [0; CHUNK];
        for lane in 0..octet_lanes::<W>() {
            cloudy[lane] = clouds.any(slots.layer(lane), column);
        }
        for _ in lanes.shares(1) {
            for lane in 0..octet_lanes::<W>() {
                // SAFETY: the first warp's lanes write the same where they have the same layer.
                unsafe { (*scratch).cloudy[slots.first + lane] = cloudy[lane] };
            }
        }
        for_bands!(self, lanes, |band, bands| {
            for lane in 0..octet_lanes::<W>() {
                let mut depth = R::ZERO;
                if cloudy[lane] != 0 {
                    depth = clouds.optical_depth(&self.tables.clouds, (band, bands), slots.layer(lane), column);
                }
                // SAFETY: the band is this thread's.
                unsafe { (*scratch).cloud[band][slots.first + lane] = depth };
            }
        });
    }
}
