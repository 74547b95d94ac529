//! The arguments of the kernel: views of a batch in a device's memory.

use isobar_core::{Column, Field, FieldMut};

use crate::version::Parameters;

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
    /// [`isobar_core::Status`] of each column: `OK`, or `NOT_FINITE`.
    pub status: FieldMut<'a, u32>,
}

/// Workspace of the elimination, `(layer, column)`, on a GPU; nothing is read that was not written. On a CPU the
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

/// The arguments of the kernel [`crate::Ysu`].
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
    /// Workspace of the elimination.
    pub scratch: Scratch<'a, R>,
    /// The system of moisture for [`crate::MixTracers`], `(layer, column)`; without items where there are no further
    /// tracers.
    pub exchange: FieldMut<'a, R>,
    /// The same.
    pub reciprocal: FieldMut<'a, R>,
}

/// One tracer of 32 neighbouring columns: an item of a kernel that comes after [`crate::Ysu`], and mixes any number of
/// further tracers with the system of moisture. No tracer comes through the surface.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct MixTracers<'a, R> {
    /// The options with which the diffusivities were computed.
    pub parameters: Parameters<R>,
    /// What [`crate::Ysu`] left of `(layer, column)`.
    pub exchange: Field<'a, R>,
    /// The same.
    pub reciprocal: Field<'a, R>,
    /// Mixing ratios of `(layer, tracer * columns + column)`, fewer than 2^31 values.
    pub tracers: Field<'a, R>,
    /// Their tendencies \[1/s times the unit\], in the same layout.
    pub tendencies: FieldMut<'a, R>,
}
