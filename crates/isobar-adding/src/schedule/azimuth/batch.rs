//! What all kernels of a batch know, and where they leave their results to each other.

use core::ops::Range;

use isobar_core::kernel::WARP;
use isobar_core::{Field, FieldMut, Lanes, Real, Row};

use crate::fields::azimuth::ProfileViews;
use crate::physics::azimuth::medium::{Beams, Nodes};
use crate::physics::azimuth::operator::{Order, SUNS, VIEWS};
use crate::physics::azimuth::optics::Optics;
use crate::physics::azimuth::surface::{Kind, PARAMETERS, Reflectance};

/// Profiles, and what is computed of them.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Batch<'a, R> {
    /// The profiles.
    pub inputs: ProfileViews<'a, R>,
    /// The nodes of a hemisphere.
    pub nodes: Nodes<'a, R>,
    /// How many nodes there are.
    pub order: u32,
    /// Views, any number.
    pub views: u32,
    /// Suns, 1 where there is none.
    pub suns: u32,
    /// Moments of each layer in the inputs; 0 where they have asymmetries.
    pub moments: u32,
    /// Components in azimuth.
    pub components: u32,
    /// Is the forward peak, the first moment left out, taken as not scattered (delta-M)? 0 or 1.
    pub delta: u32,
    /// Do layers count as clear that do not scatter light of a component? Not where derivatives by that are wanted.
    /// 0 or 1.
    pub skips: u32,
}

/// What is known of a layer, without the forward peak.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LayerOptics<R> {
    /// The share of scattering that goes on straight.
    pub(crate) peak: R,
    /// Depth, albedo and absorption.
    pub(crate) scaled: Optics<R>,
}

impl<R: Real> LayerOptics<R> {
    /// Does all that is scattered go on straight? Then nothing is scattered, whatever the moments.
    #[inline(always)]
    pub(crate) fn is_peak(&self) -> bool {
        self.peak >= R::ONE
    }

    /// A moment of the phase function without the peak.
    #[inline(always)]
    pub(crate) fn without_peak(&self, moment: R) -> R {
        if self.is_peak() { R::ZERO } else { (moment - self.peak) / (R::ONE - self.peak) }
    }
}

impl<R: Real> Batch<'_, R> {
    #[inline(always)]
    pub(crate) fn layers(&self) -> usize {
        self.inputs.optical_depth.levels()
    }

    #[inline(always)]
    pub(crate) fn profiles(&self) -> usize {
        self.inputs.optical_depth.items()
    }

    #[inline(always)]
    pub(crate) fn n(&self) -> usize {
        self.order as usize
    }

    #[inline(always)]
    pub(crate) fn suns(&self) -> usize {
        (self.suns as usize).min(SUNS)
    }

    /// The Legendre terms of the matrices.
    #[inline(always)]
    pub(crate) fn terms(&self) -> usize {
        2 * self.n()
    }

    /// Legendre moment number `l` of a layer.
    #[inline(always)]
    pub(crate) fn moment(&self, layer: usize, profile: usize, l: usize) -> R {
        if self.moments == 0 {
            self.inputs.asymmetry.at(layer, profile).powi(l as i32)
        } else if l < self.moments as usize {
            self.inputs.phase_moments.at(layer * self.moments as usize + l, profile)
        } else {
            R::ZERO
        }
    }

    #[inline(always)]
    pub(crate) fn optics(&self, layer: usize, profile: usize) -> LayerOptics<R> {
        let peak = if self.delta == 0 { R::ZERO } else { self.moment(layer, profile, self.terms()) };
        let depth = self.inputs.optical_depth.at(layer, profile);
        let albedo = self.inputs.single_scattering_albedo.at(layer, profile);
        LayerOptics { peak, scaled: Optics::without_peak(depth, albedo, peak) }
    }

    /// `omega (2 l + 1) chi_l` of a layer.
    #[inline(always)]
    pub(crate) fn strength(&self, optics: &LayerOptics<R>, layer: usize, profile: usize, l: usize) -> R {
        let chi = optics.without_peak(self.moment(layer, profile, l));
        optics.scaled.albedo * R::from_f64((2 * l + 1) as f64) * chi
    }

    /// Does a layer count as one that scatters light of the component `m`?
    #[inline(always)]
    pub(crate) fn scatters(&self, optics: &LayerOptics<R>, m: usize, layer: usize, profile: usize) -> bool {
        let any = |l: usize| self.strength(optics, layer, profile, l) != R::ZERO;
        self.skips == 0 || optics.scaled.albedo != R::ZERO && (m..self.terms()).any(any)
    }

    /// The cosine of a sun's zenith angle, or any valid one at night, when its irradiance counts as zero.
    #[inline(always)]
    pub(crate) fn sun_cosine(&self, sun: usize, profile: usize) -> R {
        let cosine = if self.inputs.sun_cosine.is_empty() { R::ZERO } else { self.inputs.sun_cosine.at(sun, profile) };
        if cosine > R::ZERO { cosine } else { R::ONE }
    }

    /// The irradiance of a sun, normal to its beam; zero at night.
    #[inline(always)]
    pub(crate) fn irradiance(&self, sun: usize, profile: usize) -> R {
        let day = !self.inputs.sun_cosine.is_empty() && self.inputs.sun_cosine.at(sun, profile) > R::ZERO;
        if day { self.inputs.sun_irradiance.at(sun, profile) } else { R::ZERO }
    }

    /// The reflectance of a profile's surface.
    #[inline(always)]
    pub(crate) fn reflectance(&self, kind: Kind, profile: usize) -> Reflectance<R> {
        let given = &self.inputs.surface_parameters;
        let parameters = core::array::from_fn::<R, { PARAMETERS }, _>(|i| {
            if i < given.levels() { given.at(i, profile) } else { R::ZERO }
        });
        Reflectance { kind, parameters }
    }

    /// The directions of a block of views.
    #[inline(always)]
    pub(crate) fn beams(&self, block: usize, profile: usize) -> Beams<R> {
        let views = (self.views as usize - (block * VIEWS).min(self.views as usize)).min(VIEWS);
        Beams {
            view: core::array::from_fn(|v| {
                if v < views { self.inputs.viewing_cosine.at(block * VIEWS + v, profile) } else { R::ONE }
            }),
            sun: core::array::from_fn(|s| if s < self.suns() { self.sun_cosine(s, profile) } else { R::ONE }),
            order: Order { nodes: self.n(), views, suns: self.suns() },
        }
    }

    /// The number by which users know a node or view: they have the steepest node last.
    #[inline(always)]
    pub(crate) fn stream(&self, direction: usize) -> usize {
        if direction < self.n() { self.n() - 1 - direction } else { direction }
    }

    pub(crate) fn view_blocks(&self) -> usize {
        (self.views as usize).div_ceil(VIEWS).max(1)
    }
}

/// Where the operators of a layer and component stand among the rows of a field.
///
/// Of the nodes: reflection and transmission, `n * n` each; of each sun `2 n`; emission up and down. Then of each view
/// `2 n` for the nodes, 2 for each sun, emission up and down, and direct transmission.
#[derive(Clone, Copy, Debug)]
pub struct Places {
    n: usize,
    suns: usize,
    start: usize,
}

impl Places {
    /// Of all nodes and `views`: rows of a layer and component.
    #[must_use]
    pub const fn rows(n: usize, views: usize, suns: usize) -> usize {
        2 * n * n + 2 * n * suns + 2 * n + views * Self::of_view(n, suns)
    }

    const fn of_view(n: usize, suns: usize) -> usize {
        2 * n + 2 * suns + 3
    }

    #[inline(always)]
    pub(crate) fn new<R: Real>(batch: &Batch<'_, R>, m: usize, layer: usize) -> Self {
        let (n, suns) = (batch.n(), batch.suns());
        let rows = Self::rows(n, batch.views as usize, suns);
        Self { n, suns, start: (m * batch.layers() + layer) * rows }
    }

    #[inline(always)]
    pub(crate) fn reflection(&self) -> usize {
        self.start
    }

    #[inline(always)]
    pub(crate) fn transmission(&self) -> usize {
        self.start + self.n * self.n
    }

    #[inline(always)]
    pub(crate) fn sun_reflection(&self, sun: usize) -> usize {
        self.start + 2 * self.n * self.n + 2 * sun * self.n
    }

    #[inline(always)]
    pub(crate) fn sun_transmission(&self, sun: usize) -> usize {
        self.sun_reflection(sun) + self.n
    }

    #[inline(always)]
    pub(crate) fn up(&self) -> usize {
        self.sun_reflection(self.suns)
    }

    #[inline(always)]
    pub(crate) fn down(&self) -> usize {
        self.up() + self.n
    }

    #[inline(always)]
    pub(crate) fn view_reflection(&self, view: usize) -> usize {
        self.down() + self.n + view * Self::of_view(self.n, self.suns)
    }

    #[inline(always)]
    pub(crate) fn view_transmission(&self, view: usize) -> usize {
        self.view_reflection(view) + self.n
    }

    #[inline(always)]
    pub(crate) fn corner(&self, view: usize, sun: usize) -> usize {
        self.view_transmission(view) + self.n + 2 * sun
    }

    /// Emission up, down, and what passes directly.
    #[inline(always)]
    pub(crate) fn of_view_alone(&self, view: usize) -> usize {
        self.corner(view, self.suns)
    }
}

/// The warps that teams of `N` lanes make, of which each has a profile.
pub(crate) const fn warps<const N: usize>(profiles: usize) -> usize {
    profiles.div_ceil(WARP / N)
}

/// The profiles that the calling thread computes of a warp: a GPU's lane that of its team, a CPU's thread all. Teams
/// beyond the last profile have that too, for all lanes of a warp have to go the same way.
#[inline(always)]
pub(crate) fn of_warp<const N: usize, const W: usize>(warp: usize, lanes: Lanes<W>, profiles: usize) -> Range<usize> {
    let teams = WARP / N;
    if cfg!(target_arch = "nvptx64") {
        let profile = (warp * teams + lanes.first() / N).min(profiles - 1);
        profile..profile + 1
    } else {
        warp * teams..((warp + 1) * teams).min(profiles)
    }
}

/// All at once where a thread has all, else the lane's.
macro_rules! read_row {
    ($field:ident, $row:ident, $profile:ident, $n:ident) => {{
        #[cfg(not(target_arch = "nvptx64"))]
        {
            $field.some_levels($row, $profile, $n, R::ZERO).into()
        }
        #[cfg(target_arch = "nvptx64")]
        {
            Row::of_first($n, |j| $field.at($row + j, $profile))
        }
    }};
}

/// `n` neighbouring rows of a field as a row of a matrix, and zeros.
#[inline(always)]
pub(crate) fn read<R: Real, const N: usize>(field: &Field<'_, R>, row: usize, profile: usize, n: usize) -> Row<R, N> {
    read_row!(field, row, profile, n)
}

/// Reads what this team has written before.
#[inline(always)]
pub(crate) fn read_back<R: Real, const N: usize>(
    field: &FieldMut<'_, R>,
    row: usize,
    profile: usize,
    n: usize,
) -> Row<R, N> {
    read_row!(field, row, profile, n)
}

/// Writes `n` neighbouring rows.
#[inline(always)]
pub(crate) fn write<R: Real, const N: usize>(
    field: &FieldMut<'_, R>,
    row: usize,
    profile: usize,
    n: usize,
    values: &Row<R, N>,
) {
    values.each(|j, value| {
        if j < n {
            field.set(row + j, profile, value);
        }
    });
}
