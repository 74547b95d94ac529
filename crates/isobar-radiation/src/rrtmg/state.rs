//! What the optics need of a layer besides its temperature: [`VALUES`] numbers and one word of indices.

/// Pressure \[hPa\].
pub const PRESSURE: usize = 0;
/// Weights of the tables at the layer's reference level, colder and warmer, and at the next level, colder and warmer.
pub const WEIGHTS: usize = 1;
/// Columns of the gases in the order of [`crate::rrtmg::band::Gas`] \[1e20 molecules/cm^2\].
pub const GASES: usize = 5;
/// Column of dry air, likewise.
pub const AIR: usize = 13;
/// Columns of the halocarbons in the order of [`crate::rrtmg::band::Halocarbon`], likewise.
pub const HALOCARBONS: usize = 14;
/// Amount of the self-broadened continuum.
pub const SELF: usize = 18;
/// Place between its temperatures.
pub const SELF_FRACTION: usize = 19;
/// Amount of the foreign-broadened continuum.
pub const FOREIGN: usize = 20;
/// Place between its states.
pub const FOREIGN_FRACTION: usize = 21;
/// Place between the temperatures of lesser gases.
pub const MINOR_FRACTION: usize = 22;
/// Pressure over temperature \[hPa/K\].
pub const DENSITY: usize = 23;
/// Pressure over temperature \[hPa/K\] times the share of the broadening gases in all molecules.
pub const BROADENING: usize = 24;
/// The numbers of a layer.
pub const VALUES: usize = 25;

/// [`Indices::foreign_continuum`] of the layers of the upper region, and of no others.
pub const UPPER_CONTINUUM: u32 = 2;

/// Indices of a layer into the tables, all from 0, packed into a word.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Indices {
    /// The reference level below the layer.
    pub level: u32,
    /// The colder temperature there.
    pub temperature: u32,
    /// The colder temperature at the next level.
    pub next_temperature: u32,
    /// The colder temperature of the self-broadened continuum.
    pub self_continuum: u32,
    /// The state of the foreign-broadened continuum.
    pub foreign_continuum: u32,
    /// The colder temperature of lesser gases.
    pub minor: u32,
}

impl Indices {
    /// The word.
    #[inline(always)]
    #[must_use]
    pub fn packed(self) -> u32 {
        self.level
            | self.temperature << 6
            | self.next_temperature << 9
            | self.self_continuum << 12
            | self.foreign_continuum << 16
            | self.minor << 18
    }

    /// The indices in a word.
    #[inline(always)]
    #[must_use]
    pub fn unpacked(word: u32) -> Self {
        Self {
            level: word & 63,
            temperature: (word >> 6) & 7,
            next_temperature: (word >> 9) & 7,
            self_continuum: (word >> 12) & 15,
            foreign_continuum: (word >> 16) & 3,
            minor: (word >> 18) & 31,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indices_fit_a_word() {
        let indices = Indices {
            level: 57,
            temperature: 3,
            next_temperature: 2,
            self_continuum: 8,
            foreign_continuum: 2,
            minor: 17,
        };
        assert_eq!(Indices::unpacked(indices.packed()), indices);
    }
}
