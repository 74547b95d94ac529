//! The arguments of the kernel, and what an item is.

use isobar_core::kernel::WARP;
use isobar_core::{Column, Field, FieldMut, Kernel, Lanes, Real, Status, Team};

use crate::coming::Coming;
use crate::tile::{Tile, vector};
use crate::version::Parameters;
use crate::{boundary_layer, diagnostics, drag, near, sweep};

/// The air, `(layer, column)`, from the surface up.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Air<'a, R> {
    /// Eastward wind \[m/s\].
    pub u: Field<'a, R>,
    /// Northward wind \[m/s\].
    pub v: Field<'a, R>,
    /// Temperature \[K\].
    pub temperature: Field<'a, R>,
    /// Mixing ratio of water vapour \[kg/kg\].
    pub vapour: Field<'a, R>,
    /// Mixing ratio of cloud water \[kg/kg\].
    pub cloud_water: Field<'a, R>,
    /// Mixing ratio of cloud ice \[kg/kg\].
    pub cloud_ice: Field<'a, R>,
    /// Pressure in the middle of the layer \[Pa\].
    pub pressure: Field<'a, R>,
    /// Exner function there, `(p / 1e5 Pa)^(Rd/cp)`.
    pub exner: Field<'a, R>,
    /// Thickness of the layer \[m\].
    pub thickness: Field<'a, R>,
    /// Radiative tendency of potential temperature \[K/s\]; without items where top-down mixing is off.
    pub radiative_heating: Field<'a, R>,
}

/// The surface of each column.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Surface<'a, R> {
    /// Pressure \[Pa\].
    pub pressure: Column<'a, R>,
    /// Roughness length \[m\].
    pub roughness: Column<'a, R>,
    /// Friction velocity \[m/s\].
    pub friction_velocity: Column<'a, R>,
    /// `ln(z/z0)` less the stability correction of momentum.
    pub profile_momentum: Column<'a, R>,
    /// The same of heat.
    pub profile_heat: Column<'a, R>,
    /// Below 1.5 land, above water.
    pub land_or_water: Column<'a, R>,
    /// Upward flux of sensible heat \[W/m^2\].
    pub sensible_heat_flux: Column<'a, R>,
    /// Upward flux of moisture \[kg/(m^2 s)\].
    pub moisture_flux: Column<'a, R>,
    /// Wind of the lowest layer with its convective enhancement \[m/s\].
    pub wind_speed: Column<'a, R>,
    /// Bulk Richardson number of the surface layer.
    pub richardson: Column<'a, R>,
    /// Eastward wind at 10 m \[m/s\].
    pub u_10m: Column<'a, R>,
    /// Northward wind at 10 m \[m/s\].
    pub v_10m: Column<'a, R>,
    /// Eastward surface current \[m/s\].
    pub u_current: Column<'a, R>,
    /// Northward surface current \[m/s\].
    pub v_current: Column<'a, R>,
    /// Factor of the surface drag over unresolved orography; read only with the topographic option.
    pub drag_factor: Column<'a, R>,
    /// Weight of the 10 m wind against that of the lowest layer; likewise.
    pub wind_weight: Column<'a, R>,
}

/// Tendencies by mixing, `(layer, column)`.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Tendencies<'a, R> {
    /// Of the eastward wind \[m/s^2\].
    pub u: FieldMut<'a, R>,
    /// Of the northward wind \[m/s^2\].
    pub v: FieldMut<'a, R>,
    /// Of potential temperature \[K/s\].
    pub theta: FieldMut<'a, R>,
    /// Of water vapour \[kg/(kg s)\].
    pub vapour: FieldMut<'a, R>,
    /// Of cloud water \[kg/(kg s)\].
    pub cloud_water: FieldMut<'a, R>,
    /// Of cloud ice \[kg/(kg s)\].
    pub cloud_ice: FieldMut<'a, R>,
}

/// What is known of each column afterwards; one level each.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Diagnostics<'a, R> {
    /// Height of the boundary layer \[m\].
    pub height: FieldMut<'a, R>,
    /// The layer in which it ends, counted from 1.
    pub level: FieldMut<'a, u32>,
    /// Convective velocity scale w* \[m/s\].
    pub convective_velocity: FieldMut<'a, R>,
    /// Depth of the entrainment zone \[m\]; 0 where nothing is entrained.
    pub entrainment_depth: FieldMut<'a, R>,
    /// Eastward wind at 10 m, adjusted if topographic \[m/s\].
    pub u_10m: FieldMut<'a, R>,
    /// Northward wind at 10 m, likewise \[m/s\].
    pub v_10m: FieldMut<'a, R>,
    /// Integral of the tendency of eastward momentum \[N/m^2\]. Integrals are summed from the top layer down.
    pub stress_u: FieldMut<'a, R>,
    /// The same northward \[N/m^2\].
    pub stress_v: FieldMut<'a, R>,
    /// Integral of the heating \[W/m^2\].
    pub heat: FieldMut<'a, R>,
    /// Integral of the moistening, as latent heat \[W/m^2\].
    pub latent_heat: FieldMut<'a, R>,
    /// [`Status`] of each column: `OK`, or `NOT_FINITE`.
    pub status: FieldMut<'a, u32>,
}

/// Room for the elimination, `(layer, column)`, on a GPU; nothing is read that was not written. On a CPU the
/// topographic option alone needs that for momentum.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Scratch<'a, R> {
    /// For the system of heat.
    pub heat: FieldMut<'a, R>,
    /// For that of moisture and tracers.
    pub moisture: FieldMut<'a, R>,
    /// For that of momentum.
    pub momentum: FieldMut<'a, R>,
}

/// The arguments of the kernel [`Ysu`].
///
/// All fields of `(layer, column)` have the strides of the temperature ([`YsuArgs::layouts_agree`]), and fewer than
/// 2^31 values; the pressure of interfaces has strides of its own. At least 4 layers.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct YsuArgs<'a, R> {
    /// The options.
    pub parameters: Parameters<R>,
    /// The air.
    pub air: Air<'a, R>,
    /// Pressure of `(interface, column)` \[Pa\], interface 0 at the surface, one more than layers.
    pub interface_pressure: Field<'a, R>,
    /// The surface.
    pub surface: Surface<'a, R>,
    /// The tendencies.
    pub tendencies: Tendencies<'a, R>,
    /// Diffusivity of heat at the lower interface of `(layer, column)`, 0 at the surface \[m^2/s\].
    pub diffusivity_heat: FieldMut<'a, R>,
    /// The same of momentum.
    pub diffusivity_momentum: FieldMut<'a, R>,
    /// Values a column.
    pub diagnostics: Diagnostics<'a, R>,
    /// Room for the elimination.
    pub scratch: Scratch<'a, R>,
    /// The system of moisture for [`crate::MixTracers`], `(layer, column)`; without items where there are no further
    /// tracers.
    pub exchange: FieldMut<'a, R>,
    /// The same.
    pub reciprocal: FieldMut<'a, R>,
}

/// The boundary layer of 32 neighbouring columns: an item. `OPTIONS` says whether the options top-down and topographic,
/// where they are chosen, count: without their code, a thread of a GPU needs two thirds of the registers. A CPU needs
/// the kernel with them alone.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Ysu<'a, R, const OPTIONS: bool>(
    /// The batch.
    pub YsuArgs<'a, R>,
);

// SAFETY: an item writes its own columns and reads what it wrote and the inputs.
unsafe impl<R: Real, const OPTIONS: bool> Kernel for Ysu<'_, R, OPTIONS> {
    const NAME: &'static str = if OPTIONS { "ysu_options" } else { "ysu" };
    const PRECISION: &'static str = R::NAME;
    const TEAM: Team = Team::Block { warps: 1, scratch_bytes: near::bytes::<R>() };
    const ON_CPU: bool = OPTIONS;

    fn items(&self) -> usize {
        self.0.columns().div_ceil(WARP)
    }

    fn memory_bytes(&self) -> usize {
        near::memory_bytes::<R>(self.0.layers())
    }

    #[inline(always)]
    unsafe fn item<const W: usize>(&self, index: usize, lanes: Lanes<W>) -> Status {
        let mut batch = self.0;
        if !OPTIONS {
            batch.parameters.top_down = 0;
            batch.parameters.topographic = 0;
        }
        if const { W == 1 } {
            return columns(&batch, &Tile::new(index, lanes, batch.columns()));
        }
        if const { vector::<R>() == 16 } {
            in_vectors::<R, W, 16>(&batch, index, &lanes)
        } else {
            in_vectors::<R, W, 8>(&batch, index, &lanes)
        }
    }
}

/// A CPU's item, a vector of columns at a time.
#[inline(always)]
fn in_vectors<R: Real, const W: usize, const VECTOR: usize>(
    batch: &YsuArgs<'_, R>,
    index: usize,
    lanes: &Lanes<W>,
) -> Status {
    let mut status = Status::OK;
    for first in (0..WARP.min(batch.columns() - index * WARP)).step_by(VECTOR) {
        let lanes = Lanes::<VECTOR>::in_block(first, 0, 1, lanes.scratch()).with_memory(lanes.memory());
        status = status.or(columns(batch, &Tile::new(index, lanes, batch.columns())));
    }
    status
}

/// The columns of a tile.
#[inline(always)]
fn columns<R: Real, const W: usize>(batch: &YsuArgs<'_, R>, tile: &Tile<W>) -> Status {
    let mut coming = Coming::start(batch, tile);
    let boundary_layer = boundary_layer::find(batch, tile, &mut coming);
    let drag = drag::drag(batch, tile, &boundary_layer);
    diagnostics::write(batch, tile, &boundary_layer);
    let integrals = sweep::diffuse(batch, tile, &mut coming, &boundary_layer, &drag);
    diagnostics::write_integrals(batch, tile, &integrals)
}

impl<R: Real> YsuArgs<'_, R> {
    #[inline(always)]
    pub(crate) fn columns(&self) -> usize {
        self.air.temperature.items()
    }

    #[inline(always)]
    pub(crate) fn layers(&self) -> usize {
        self.air.temperature.levels()
    }

    /// Is an option chosen that needs [`Ysu`] with `OPTIONS`?
    #[must_use]
    pub fn has_options(&self) -> bool {
        self.parameters.top_down != 0 || self.parameters.topographic != 0
    }

    /// Do all fields of layers have the layout of the temperature, and all views the sizes that belong together?
    #[must_use]
    pub fn layouts_agree(&self) -> bool {
        let (layers, columns) = (self.layers(), self.columns());
        let strides = self.air.temperature.strides();
        let air = &self.air;
        let radiation = if self.parameters.top_down != 0 { &air.radiative_heating } else { &air.temperature };
        let inputs = [&air.u, &air.v, &air.vapour, &air.cloud_water, &air.cloud_ice, &air.pressure, &air.exner]
            .into_iter()
            .chain([&air.thickness, radiation])
            .all(|field| (field.levels(), field.items(), field.strides()) == (layers, columns, strides));
        let tendencies = &self.tendencies;
        let outputs = [&tendencies.u, &tendencies.v, &tendencies.theta, &tendencies.vapour, &tendencies.cloud_water]
            .into_iter()
            .chain([&tendencies.cloud_ice, &self.diffusivity_heat, &self.diffusivity_momentum])
            .chain([&self.scratch.heat, &self.scratch.moisture, &self.scratch.momentum])
            .all(|field| (field.levels(), field.items(), field.strides()) == (layers, columns, strides));
        let interfaces = (self.interface_pressure.levels(), self.interface_pressure.items()) == (layers + 1, columns);
        let tracers = [&self.exchange, &self.reciprocal].into_iter().all(|field| {
            self.exchange.is_empty() || (field.levels(), field.items(), field.strides()) == (layers, columns, strides)
        });
        let fits = layers >= 4 && columns > 0 && (layers + 1).saturating_mul(columns) <= i32::MAX as usize;
        inputs && outputs && interfaces && tracers && fits
    }
}
