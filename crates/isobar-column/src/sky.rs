//! Columns as radiation sees them, up to space, and what it gives back.
//!
//! A model ends where its top is; radiation does not. Between the model's top, at pressure `p_t`, and `p_e`, [`TOP_PA`]
//! or half of `p_t` where that is less, lie layers for radiation alone, `n` of them with
//! `p_(i+1) / p_i = (p_e / p_t)^(1/n)`. Their water is that of the model's uppermost layer, ozone RCEMIP's profile
//! ([`crate::rcemip::ozone`]), and the temperature at pressure `p` either that of the uppermost layer, at pressure
//! `p_l`, or
//!
//! `T(p) = T_us(p) + (T_l - T_us(p_l)) p / p_l`
//!
//! with the US Standard Atmosphere's `T_us`: it goes on from the model's, and forgets it with the mass of the air
//! above.

use isobar_core::{Column, Field, FieldMut, Kernel, Lanes, Real, Status, Team};

use crate::constants::{DAY_S, GRAVITY, HEAT_CAPACITY};
use crate::{rcemip, standard_atmosphere};

/// The pressure at which layers above the model's top end \[Pa\].
pub const TOP_PA: f64 = 1.0;

/// The temperature above the model's top is that of its uppermost layer.
pub const CONSTANT: u32 = 0;
/// It goes over to that of the US Standard Atmosphere.
pub const STANDARD: u32 = 1;

/// Each column with the layers above the model's top: an item. What one spectrum does not read, and clouds where there
/// are none, have no items.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct ToRadiation<'a, R> {
    /// [`CONSTANT`] or [`STANDARD`].
    pub above: u32,
    /// What the random numbers of sub-columns begin with, besides pressure and temperature of the column.
    pub seed: u32,
    /// The sun's irradiance outside of the atmosphere \[W/m^2\].
    pub irradiance_w_per_m2: R,
    /// Pressure of `(level, column)` \[Pa\]; this and what is read below of the model's layers.
    pub interface_pressure_pa: Field<'a, R>,
    /// Pressure of `(layer, column)` \[Pa\].
    pub pressure_pa: Field<'a, R>,
    /// Temperature of the layers \[K\].
    pub temperature_k: Field<'a, R>,
    /// Temperature of the levels \[K\].
    pub level_temperature_k: Field<'a, R>,
    /// Water vapour relative to dry air \[mol/mol\].
    pub water_mol_per_mol: Field<'a, R>,
    /// Ozone \[mol/mol\]; below 0, as chemistry and mixing may leave it, it is 0.
    pub ozone_mol_per_mol: Field<'a, R>,
    /// The cloudy part of the layers.
    pub cloud_fraction: Field<'a, R>,
    /// In-cloud liquid path \[g/m^2\].
    pub liquid_path_g_per_m2: Field<'a, R>,
    /// In-cloud ice path \[g/m^2\].
    pub ice_path_g_per_m2: Field<'a, R>,
    /// Effective radius of droplets \[um\].
    pub liquid_radius_um: Field<'a, R>,
    /// Effective size of ice \[um\].
    pub ice_size_um: Field<'a, R>,
    /// With the layers above, as all that follow: pressure of levels \[Pa\].
    pub all_interface_pressure_pa: FieldMut<'a, R>,
    /// Pressure of layers \[Pa\].
    pub all_pressure_pa: FieldMut<'a, R>,
    /// Temperature of layers \[K\].
    pub all_temperature_k: FieldMut<'a, R>,
    /// Temperature of levels \[K\].
    pub all_level_temperature_k: FieldMut<'a, R>,
    /// Water vapour \[mol/mol\].
    pub all_water_mol_per_mol: FieldMut<'a, R>,
    /// Ozone \[mol/mol\].
    pub all_ozone_mol_per_mol: FieldMut<'a, R>,
    /// Cloudy part.
    pub all_cloud_fraction: FieldMut<'a, R>,
    /// In-cloud liquid path \[g/m^2\].
    pub all_liquid_path_g_per_m2: FieldMut<'a, R>,
    /// In-cloud ice path \[g/m^2\].
    pub all_ice_path_g_per_m2: FieldMut<'a, R>,
    /// Radius of droplets \[um\].
    pub all_liquid_radius_um: FieldMut<'a, R>,
    /// Size of ice \[um\].
    pub all_ice_size_um: FieldMut<'a, R>,
    /// The sun's irradiance of each column \[W/m^2\], one level.
    pub all_irradiance_w_per_m2: FieldMut<'a, R>,
    /// The seed of each column, one level.
    pub all_seed: FieldMut<'a, u32>,
}

// SAFETY: an item writes its own column and reads the inputs.
unsafe impl<R: Real> Kernel for ToRadiation<'_, R> {
    const NAME: &'static str = "column_to_radiation";
    const PRECISION: &'static str = R::NAME;
    const TEAM: Team = Team::Lane;
    const VECTOR_BITS: u32 = 256;

    fn items(&self) -> usize {
        self.temperature_k.items()
    }

    #[inline(always)]
    unsafe fn item<const W: usize>(&self, column: usize, _lanes: Lanes<W>) -> Status {
        let layers = self.temperature_k.levels();
        for layer in 0..layers {
            self.all_interface_pressure_pa.set(layer, column, self.interface_pressure_pa.at(layer, column));
            self.all_pressure_pa.set(layer, column, self.pressure_pa.at(layer, column));
            self.all_temperature_k.set(layer, column, self.temperature_k.at(layer, column));
            self.all_level_temperature_k.set(layer, column, self.level_temperature_k.at(layer, column));
            self.all_water_mol_per_mol.set(layer, column, self.water_mol_per_mol.at(layer, column));
            self.all_ozone_mol_per_mol.set(layer, column, self.ozone_mol_per_mol.at(layer, column).max(R::ZERO));
        }
        self.add_layers(column);
        if !self.cloud_fraction.is_empty() {
            self.add_clouds(column);
            self.all_seed.set(0, column, self.seed);
        }
        if !self.all_irradiance_w_per_m2.is_empty() {
            self.all_irradiance_w_per_m2.set(0, column, self.irradiance_w_per_m2);
        }
        Status::OK
    }
}

impl<R: Real> ToRadiation<'_, R> {
    /// The model's top, and all above it.
    #[inline(always)]
    fn add_layers(&self, column: usize) {
        let (layers, all) = (self.temperature_k.levels(), self.all_temperature_k.levels());
        let top = self.interface_pressure_pa.at(layers, column);
        self.all_interface_pressure_pa.set(layers, column, top);
        let (last, last_pressure) =
            (self.temperature_k.at(layers - 1, column), self.pressure_pa.at(layers - 1, column));
        if all == layers {
            self.all_level_temperature_k.set(layers, column, self.level_temperature_k.at(layers, column));
            return;
        }
        let offset = last - standard_atmosphere::temperature(last_pressure);
        let water = self.water_mol_per_mol.at(layers - 1, column);
        let count = R::from_f64((all - layers) as f64);
        let end = R::from_f64(TOP_PA).min(R::from_f64(0.5) * top);
        let way = (end / top).ln() / count;
        let mut below = top;
        self.all_level_temperature_k.set(layers, column, self.temperature(top, last, last_pressure, offset));
        for layer in layers..all {
            let step = R::from_f64((layer + 1 - layers) as f64);
            let above = top * (way * step).exp();
            let middle = top * (way * (step - R::from_f64(0.5))).exp();
            self.all_interface_pressure_pa.set(layer + 1, column, above);
            self.all_pressure_pa.set(layer, column, middle.clamp(above, below));
            self.all_temperature_k.set(layer, column, self.temperature(middle, last, last_pressure, offset));
            self.all_level_temperature_k.set(layer + 1, column, self.temperature(above, last, last_pressure, offset));
            self.all_water_mol_per_mol.set(layer, column, water);
            self.all_ozone_mol_per_mol.set(layer, column, rcemip::ozone(middle));
            below = above;
        }
    }

    /// The temperature above the uppermost layer.
    #[inline(always)]
    fn temperature(&self, pressure: R, last: R, last_pressure: R, offset: R) -> R {
        if self.above == CONSTANT {
            return last;
        }
        let temperature = standard_atmosphere::temperature(pressure) + offset * (pressure / last_pressure);
        // Whatever the model has made of its uppermost layer.
        temperature.clamp(R::from_f64(100.0), R::from_f64(400.0))
    }

    /// Clouds, of which there are none above.
    #[inline(always)]
    fn add_clouds(&self, column: usize) {
        let layers = self.temperature_k.levels();
        for layer in 0..self.all_temperature_k.levels() {
            let (from, there) = (layer.min(layers - 1), layer < layers);
            let fraction = if there { self.cloud_fraction.at(from, column) } else { R::ZERO };
            self.all_cloud_fraction.set(layer, column, fraction);
            self.all_liquid_path_g_per_m2.set(layer, column, self.liquid_path_g_per_m2.at(from, column));
            self.all_ice_path_g_per_m2.set(layer, column, self.ice_path_g_per_m2.at(from, column));
            self.all_liquid_radius_um.set(layer, column, self.liquid_radius_um.at(from, column));
            self.all_ice_size_um.set(layer, column, self.ice_size_um.at(from, column));
        }
    }
}

/// What radiation gives of the model's own layers: an item is a column. What a spectrum does not have has no items.
///
/// The derivative of the upward flux by the surface's temperature becomes that of the layers' heating.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct FromRadiation<'a, R> {
    /// Pressure of `(level, column)` \[Pa\].
    pub interface_pressure_pa: Field<'a, R>,
    /// Temperature of the ground \[K\].
    pub surface_temperature_k: Column<'a, R>,
    /// Upward flux of all levels \[W/m^2\].
    pub all_up_w_per_m2: Field<'a, R>,
    /// Downward flux of all levels.
    pub all_down_w_per_m2: Field<'a, R>,
    /// The sun's beam at all levels.
    pub all_direct_w_per_m2: Field<'a, R>,
    /// Derivative of the upward flux by the ground's temperature at all levels \[W/(m^2 K)\].
    pub all_derivative_w_per_m2_k: Field<'a, R>,
    /// Heating of all layers \[K/day\].
    pub all_heating_k_per_day: Field<'a, R>,
    /// Upward flux of the model's levels \[W/m^2\].
    pub up_w_per_m2: FieldMut<'a, R>,
    /// Downward flux.
    pub down_w_per_m2: FieldMut<'a, R>,
    /// The sun's beam.
    pub direct_w_per_m2: FieldMut<'a, R>,
    /// Heating of the model's layers \[K/day\].
    pub heating_k_per_day: FieldMut<'a, R>,
    /// Its derivative by the ground's temperature \[K/day/K\].
    pub heating_derivative_per_day: FieldMut<'a, R>,
    /// Derivative of what the ground sends upward \[W/(m^2 K)\], one level.
    pub emission_derivative_w_per_m2_k: FieldMut<'a, R>,
    /// The ground's temperature for which the fluxes are \[K\], one level.
    pub emission_temperature_k: FieldMut<'a, R>,
}

// SAFETY: an item writes its own column and reads the inputs.
unsafe impl<R: Real> Kernel for FromRadiation<'_, R> {
    const NAME: &'static str = "column_from_radiation";
    const PRECISION: &'static str = R::NAME;
    const TEAM: Team = Team::Lane;
    const VECTOR_BITS: u32 = 256;

    fn items(&self) -> usize {
        self.up_w_per_m2.items()
    }

    #[inline(always)]
    unsafe fn item<const W: usize>(&self, column: usize, _lanes: Lanes<W>) -> Status {
        let levels = self.up_w_per_m2.levels();
        for level in 0..levels {
            self.up_w_per_m2.set(level, column, self.all_up_w_per_m2.at(level, column));
            self.down_w_per_m2.set(level, column, self.all_down_w_per_m2.at(level, column));
            if !self.direct_w_per_m2.is_empty() {
                self.direct_w_per_m2.set(level, column, self.all_direct_w_per_m2.at(level, column));
            }
        }
        for layer in 0..levels - 1 {
            self.heating_k_per_day.set(layer, column, self.all_heating_k_per_day.at(layer, column));
        }
        if self.heating_derivative_per_day.is_empty() {
            return Status::OK;
        }
        let factor = R::from_f64(GRAVITY * DAY_S / HEAT_CAPACITY);
        let mut below = self.all_derivative_w_per_m2_k.at(0, column);
        self.emission_derivative_w_per_m2_k.set(0, column, below);
        self.emission_temperature_k.set(0, column, self.surface_temperature_k.at(column));
        for layer in 0..levels - 1 {
            let above = self.all_derivative_w_per_m2_k.at(layer + 1, column);
            let weight =
                self.interface_pressure_pa.at(layer, column) - self.interface_pressure_pa.at(layer + 1, column);
            self.heating_derivative_per_day.set(layer, column, factor * (below - above) / weight);
            below = above;
        }
        Status::OK
    }
}
