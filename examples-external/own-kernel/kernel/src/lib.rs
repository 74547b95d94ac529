//! A kernel of one's own, for the host and for GPUs.
#![cfg_attr(target_arch = "nvptx64", no_std)]
#![cfg_attr(target_arch = "nvptx64", feature(abi_ptx))]

use isobar_core::{Field, FieldMut, Kernel, Lanes, Real, Status, Team};

/// Precipitable water of columns \[kg/m^2\]: the sum of `q dp / g`.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct PrecipitableWater<'a, R> {
    /// Specific humidity of `(layer, column)` \[kg/kg\].
    pub humidity: Field<'a, R>,
    /// Pressure of `(level, column)` \[Pa\], from the surface up.
    pub interface_pressure_pa: Field<'a, R>,
    /// One value a column.
    pub water_kg_per_m2: FieldMut<'a, R>,
}

// SAFETY: an item writes its own column, and reads nothing that another writes.
unsafe impl<R: Real> Kernel for PrecipitableWater<'_, R> {
    const NAME: &'static str = "precipitable_water";
    const PRECISION: &'static str = R::NAME;
    const TEAM: Team = Team::Lane;

    fn items(&self) -> usize {
        self.water_kg_per_m2.items()
    }

    #[inline(always)]
    unsafe fn item<const W: usize>(&self, column: usize, _: Lanes<W>) -> Status {
        let mut sum = R::ZERO;
        for layer in 0..self.humidity.levels() {
            let below = self.interface_pressure_pa.at(layer, column);
            sum += self.humidity.at(layer, column) * (below - self.interface_pressure_pa.at(layer + 1, column));
        }
        self.water_kg_per_m2.set(0, column, sum / R::from_f64(9.80665));
        if sum.is_finite() { Status::OK } else { Status::NOT_FINITE }
    }
}

isobar_core::entry!(precipitable_water_f32: PrecipitableWater<'_, f32>);
isobar_core::entry!(precipitable_water_f64: PrecipitableWater<'_, f64>);
