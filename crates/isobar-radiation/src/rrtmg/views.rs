//! What the kernels read of columns and write of fluxes: those of [`crate::ColumnViews`] and [`crate::FluxViews`] that
//! RRTMG_LW has, since arguments of a kernel have 4 kB.

#[cfg(feature = "std")]
use core::ops::Range;

use isobar_core::{Column, Field, FieldMut};

macro_rules! views {
    ($(#[$doc:meta])* $name:ident<$a:lifetime, $real:ident> { $($field:ident: $type:ty = $source:ident),* $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        #[repr(C)]
        #[allow(missing_docs, reason = "they are those of the columns and fluxes")]
        pub struct $name<$a, $real> {
            $(pub $field: $type),*
        }

        impl<$a, $real: Copy> $name<$a, $real> {
            /// Those of columns or fluxes.
            #[must_use]
            pub fn of(whole: &crate::$name<$a, $real>) -> Self {
                Self { $($field: whole.$source),* }
            }
        }
    };
}

views! {
    /// What is read.
    ColumnViews<'a, R> {
        level_pressure_pa: Field<'a, R> = level_pressure_pa,
        pressure_pa: Field<'a, R> = pressure_pa,
        temperature_k: Field<'a, R> = temperature_k,
        level_temperature_k: Field<'a, R> = level_temperature_k,
        surface_temperature_k: Column<'a, R> = surface_temperature_k,
        emissivity: Field<'a, R> = emissivity,
        h2o: Field<'a, R> = h2o,
        co2: Field<'a, R> = co2,
        o3: Field<'a, R> = o3,
        n2o: Field<'a, R> = n2o,
        co: Field<'a, R> = co,
        ch4: Field<'a, R> = ch4,
        o2: Field<'a, R> = o2,
        ccl4: Field<'a, R> = ccl4,
        cfc11: Field<'a, R> = cfc11,
        cfc12: Field<'a, R> = cfc12,
        cfc22: Field<'a, R> = cfc22,
        dry_column_per_cm2: Field<'a, R> = dry_column_per_cm2,
        broadening_column_per_cm2: Field<'a, R> = broadening_column_per_cm2,
        aerosol_optical_depth: Field<'a, R> = aerosol_absorption_longwave,
        cloud_fraction: Field<'a, R> = cloud_fraction,
        ice_path_g_per_m2: Field<'a, R> = ice_path_g_per_m2,
        liquid_path_g_per_m2: Field<'a, R> = liquid_path_g_per_m2,
        ice_size_um: Field<'a, R> = ice_size_um,
        liquid_radius_um: Field<'a, R> = liquid_radius_um,
        cloud_optical_depth: Field<'a, R> = cloud_absorption_longwave,
        thickness_m: Field<'a, R> = thickness_m,
        latitude_deg: Column<'a, R> = latitude_deg,
        cloud_share: Field<'a, R> = cloud_share,
        cloud_mask: Field<'a, u32> = cloud_mask,
    }
}

views! {
    /// What is written; what is not wanted is empty.
    FluxViews<'a, R> {
        up_w_per_m2: FieldMut<'a, R> = longwave_up_w_per_m2,
        down_w_per_m2: FieldMut<'a, R> = longwave_down_w_per_m2,
        heating_k_per_day: FieldMut<'a, R> = longwave_heating_k_per_day,
        up_clear_w_per_m2: FieldMut<'a, R> = longwave_up_clear_w_per_m2,
        down_clear_w_per_m2: FieldMut<'a, R> = longwave_down_clear_w_per_m2,
        heating_clear_k_per_day: FieldMut<'a, R> = longwave_heating_clear_k_per_day,
        up_derivative_w_per_m2_k: FieldMut<'a, R> = longwave_up_derivative_w_per_m2_k,
        up_clear_derivative_w_per_m2_k: FieldMut<'a, R> = longwave_up_clear_derivative_w_per_m2_k,
        band_up_w_per_m2: FieldMut<'a, R> = longwave_up_by_band_w_per_m2,
        band_down_w_per_m2: FieldMut<'a, R> = longwave_down_by_band_w_per_m2,
        status: FieldMut<'a, u32> = status,
    }
}

impl<R: Copy> ColumnViews<'_, R> {
    /// The number of columns.
    #[inline(always)]
    #[must_use]
    pub fn columns(&self) -> usize {
        self.temperature_k.items()
    }

    /// The number of layers.
    #[inline(always)]
    #[must_use]
    pub fn layers(&self) -> usize {
        self.temperature_k.levels()
    }

    /// Are there clouds?
    #[must_use]
    pub fn is_cloudy(&self) -> bool {
        !self.cloud_fraction.is_empty()
    }
}

/// Fluxes and heating rates of a column, without the status.
#[cfg(feature = "std")]
pub(crate) const RESULTS: usize = 10;

#[cfg(feature = "std")]
impl<'a, R: Copy> FluxViews<'a, R> {
    /// Nothing is wanted.
    pub(crate) fn none() -> Self {
        Self::from_results([FieldMut::empty(); RESULTS], FieldMut::empty())
    }

    pub(crate) fn from_results(results: [FieldMut<'a, R>; RESULTS], status: FieldMut<'a, u32>) -> Self {
        let [up, down, heating, up_clear, down_clear, heating_clear, derivative, clear_derivative, band_up, band_down] =
            results;
        Self {
            up_w_per_m2: up,
            down_w_per_m2: down,
            heating_k_per_day: heating,
            up_clear_w_per_m2: up_clear,
            down_clear_w_per_m2: down_clear,
            heating_clear_k_per_day: heating_clear,
            up_derivative_w_per_m2_k: derivative,
            up_clear_derivative_w_per_m2_k: clear_derivative,
            band_up_w_per_m2: band_up,
            band_down_w_per_m2: band_down,
            status,
        }
    }

    /// All but the status.
    pub(crate) fn results(&self) -> [FieldMut<'a, R>; RESULTS] {
        [
            self.up_w_per_m2,
            self.down_w_per_m2,
            self.heating_k_per_day,
            self.up_clear_w_per_m2,
            self.down_clear_w_per_m2,
            self.heating_clear_k_per_day,
            self.up_derivative_w_per_m2_k,
            self.up_clear_derivative_w_per_m2_k,
            self.band_up_w_per_m2,
            self.band_down_w_per_m2,
        ]
    }

    /// Those of some columns.
    pub(crate) fn range(&self, columns: &Range<usize>) -> Self {
        let results = self.results().map(|field| field.range(columns.clone()));
        Self::from_results(results, self.status.range(columns.clone()))
    }

    /// Without those of a clear sky.
    pub(crate) fn without_clear(self) -> Self {
        let none = FieldMut::empty();
        Self {
            up_clear_w_per_m2: none,
            down_clear_w_per_m2: none,
            heating_clear_k_per_day: none,
            up_clear_derivative_w_per_m2_k: none,
            ..self
        }
    }

    /// All sky and clear sky of the same result.
    pub(crate) fn skies(&self) -> [[FieldMut<'a, R>; 2]; 4] {
        [
            [self.up_w_per_m2, self.up_clear_w_per_m2],
            [self.down_w_per_m2, self.down_clear_w_per_m2],
            [self.heating_k_per_day, self.heating_clear_k_per_day],
            [self.up_derivative_w_per_m2_k, self.up_clear_derivative_w_per_m2_k],
        ]
    }
}
