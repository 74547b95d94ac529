//! What the diffusivities and fluxes of all levels need of a column.

use isobar_core::per_lane;

per_lane! {
    /// The constants of a column's diffusivities and fluxes.
    pub(crate) struct Mixing {
        /// Height of the boundary layer \[m\].
        height,
        /// Its reciprocal, and that of its distance from the middle of the lowest layer \[1/m\].
        per_height,
        per_depth,
        /// Below zero: the surface is unstable. Otherwise `5 z / L` over the height \[1/m\].
        stable_slope,
        friction,
        shear_cubed,
        /// w* to the third power, as it enters the velocity scale of a level.
        convective_cubed,
        /// w* of turbulence from a cloud's top, to the third power.
        cloud_cubed,
        /// Prandtl numbers at the surface, less 1.
        prandtl_moisture,
        prandtl_heat,
        /// Counter-gradient terms over the height, per metre.
        counter_heat,
        counter_u,
        counter_v,
        /// Fluxes at the height.
        flux_heat,
        flux_vapour,
        flux_u,
        flux_v,
        /// Diffusivity of the entrainment zone at the height \[m^2/s\].
        zone_diffusivity,
        /// Depth of the entrainment zone; 0 where there is none \[m\].
        zone_depth,
        /// Its reciprocal, infinite where there is none \[1/m\].
        per_zone_depth,
    }
}
