//! What gas optics reads of columns.

use isobar_core::Field;

use crate::gases::GASES;

/// Views of columns, from the surface up.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Atmosphere<'a, R> {
    /// Pressure of layers \[Pa\].
    pub pressure_pa: Field<'a, R>,
    /// Pressure of levels \[Pa\].
    pub level_pressure_pa: Field<'a, R>,
    /// Temperature of layers \[K\].
    pub temperature_k: Field<'a, R>,
    /// Temperature of levels \[K\]; for the long wave only.
    pub level_temperature_k: Field<'a, R>,
    /// Temperature of the surface \[K\], one level; for the long wave only.
    pub surface_temperature_k: Field<'a, R>,
    /// Mixing ratios of the gases, relative to dry air, in the order of [`GASES`]; empty where there is none.
    pub gases: [Field<'a, R>; GASES.len()],
}
