//! The air of a layer, whichever the tables.

isobar_core::per_lane! {
    /// A layer of air.
    pub(crate) struct Layer {
        pressure_pa,
        ln_pressure,
        temperature_k,
        /// What the air weighs, as a difference of pressure \[Pa\].
        weight_pa,
        /// Mixing ratio of water vapour, relative to dry air.
        water,
    }
}
