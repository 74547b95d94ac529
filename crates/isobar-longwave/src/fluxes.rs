//! Results, where kernels write them.

use isobar_core::FieldMut;
#[cfg(feature = "std")]
use isobar_core::Real;

/// Results, of `(level, column)` or `(layer, column)` from the surface up. Fluxes are positive in their direction.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Fluxes<'a, R> {
    /// Upward flux at the levels \[W/m^2\].
    pub up: FieldMut<'a, R>,
    /// Downward flux at the levels \[W/m^2\].
    pub down: FieldMut<'a, R>,
    /// Heating rate of the layers \[K/day\].
    pub heating: FieldMut<'a, R>,
    /// The same three without clouds; without items where they are not wanted, or not different.
    pub up_clear: FieldMut<'a, R>,
    /// See above.
    pub down_clear: FieldMut<'a, R>,
    /// See above.
    pub heating_clear: FieldMut<'a, R>,
    /// Derivative of the upward flux by the temperature of the surface \[W/(m^2 K)\]; without items where it is not
    /// wanted.
    pub derivative: FieldMut<'a, R>,
    /// The same without clouds.
    pub derivative_clear: FieldMut<'a, R>,
    /// Upward flux of each band, `(level * bands + band, column)`; without items where it is not wanted.
    pub band_up: FieldMut<'a, R>,
    /// Downward flux of each band, likewise.
    pub band_down: FieldMut<'a, R>,
}

#[cfg(feature = "std")]
impl<'a, R: Real> Fluxes<'a, R> {
    /// All fields, in the order of [`crate::Outputs::fields_mut`].
    #[must_use]
    pub fn fields(&self) -> [FieldMut<'a, R>; 10] {
        let Self { up, down, heating, up_clear, down_clear, heating_clear, .. } = *self;
        let Self { derivative, derivative_clear, band_up, band_down, .. } = *self;
        [up, down, heating, up_clear, down_clear, heating_clear, derivative, derivative_clear, band_up, band_down]
    }

    /// Fluxes of fields in that order.
    #[must_use]
    pub fn of_fields(fields: [FieldMut<'a, R>; 10]) -> Self {
        let [up, down, heating, up_clear, down_clear, heating_clear, rest @ ..] = fields;
        let [derivative, derivative_clear, band_up, band_down] = rest;
        Self {
            up,
            down,
            heating,
            up_clear,
            down_clear,
            heating_clear,
            derivative,
            derivative_clear,
            band_up,
            band_down,
        }
    }

    /// Those of some columns.
    #[must_use]
    pub fn range(&self, columns: &core::ops::Range<usize>) -> Self {
        Self::of_fields(self.fields().map(|field| field.range(columns.clone())))
    }
}
