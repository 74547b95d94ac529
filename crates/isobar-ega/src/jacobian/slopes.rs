//! The variables by which steps are differentiated, and what a segment has by them.

/// A segment's variables after those that the rule remembers: its column density, pressure and temperature.
pub const INPUTS: usize = 3;
/// Variables of a segment with emissivity growth, which remembers one number.
pub const GROWTH: usize = 1 + INPUTS;
/// With Curtis-Godson means, which remember four.
pub const MEANS: usize = 4 + INPUTS;

/// What the emissivity of a segment depends on.
pub(super) mod by {
    pub(crate) const PRESSURE: usize = 0;
    pub(crate) const TEMPERATURE: usize = 1;
    pub(crate) const LENGTH: usize = 2;
    /// Column density of CO2.
    pub(crate) const CO2: usize = 3;
    /// Column density of H2O.
    pub(crate) const H2O: usize = 4;
    /// Mixing ratio of H2O.
    pub(crate) const HUMIDITY: usize = 5;
    pub(crate) const EXTINCTION: usize = 6;
    /// What the gases absorb.
    pub(crate) const GASES: usize = 7;
    pub(crate) const COUNT: usize = 8;
}

/// A segment in a channel.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C)]
pub struct Emitted {
    /// Its emissivity; 1 where the channel ends.
    pub emissivity: f64,
    /// What it depends on: pressure, temperature, length, columns of CO2 and H2O, mixing ratio of H2O, extinction, what
    /// the gases absorb.
    pub emissivity_by: [f64; by::COUNT],
    /// Its source \[W/(m^2 sr cm^-1)\].
    pub source: f64,
    /// By temperature.
    pub source_by_temperature: f64,
    /// 1: the channel ends before it; otherwise 0.
    pub ends: f64,
}
