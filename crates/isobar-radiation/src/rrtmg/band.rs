//! What a band is: its gases, tables and rules as rows of data. RRTMG_LW's sixteen are in [`crate::rrtmg::bands`].

/// A gas with a column in every layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u32)]
pub enum Gas {
    /// Water vapour.
    H2o = 0,
    /// Carbon dioxide.
    Co2 = 1,
    /// Ozone.
    O3 = 2,
    /// Nitrous oxide.
    N2o = 3,
    /// Carbon monoxide.
    Co = 4,
    /// Methane.
    Ch4 = 5,
    /// Oxygen.
    O2 = 6,
    /// What broadens lines besides those: nitrogen, nearly.
    N2 = 7,
}

/// The gases that have a mixing ratio.
pub const GASES: [Gas; 7] = [Gas::H2o, Gas::Co2, Gas::O3, Gas::N2o, Gas::Co, Gas::Ch4, Gas::O2];

impl Gas {
    /// The formula in small letters, as in the names of variables.
    #[must_use]
    pub fn name(self) -> &'static str {
        ["h2o", "co2", "o3", "n2o", "co", "ch4", "o2", "n2"][self as usize]
    }
}

/// A gas that absorbs by a cross section without lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u32)]
pub enum Halocarbon {
    /// Carbon tetrachloride.
    Ccl4 = 0,
    /// Trichlorofluoromethane.
    Cfc11 = 1,
    /// Dichlorodifluoromethane.
    Cfc12 = 2,
    /// Chlorodifluoromethane.
    Cfc22 = 3,
}

/// The halocarbons in the order of their numbers.
pub const HALOCARBONS: [Halocarbon; 4] = [Halocarbon::Ccl4, Halocarbon::Cfc11, Halocarbon::Cfc12, Halocarbon::Cfc22];

impl Halocarbon {
    /// The name in small letters, as in the names of variables.
    #[must_use]
    pub fn name(self) -> &'static str {
        ["ccl4", "cfc11", "cfc12", "cfc22"][self as usize]
    }
}

/// The part of the atmosphere that a table is for: below or above some 96 hPa.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Region {
    /// Layers whose pressure has a logarithm above 4.56, in hPa.
    Lower = 0,
    /// The rest.
    Upper = 1,
}

/// The gases whose mixture the main table of a region resolves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Key {
    /// Nothing.
    None,
    /// One gas.
    One(Gas),
    /// Two, and the number of nodes along their binary mixture.
    Two(Gas, Gas, u8),
    /// One, read at the first level and its first two temperatures whatever the layer's: what RRTMG_LW does, not what
    /// it means, in its last band.
    FirstLevel(Gas),
}

impl Key {
    /// Nodes along the mixture: 0 without a table, 1 for one gas.
    #[must_use]
    pub fn nodes(&self) -> usize {
        match self {
            Self::None => 0,
            Self::One(_) | Self::FirstLevel(_) => 1,
            Self::Two(_, _, nodes) => usize::from(*nodes),
        }
    }
}

/// The part of a band's Planck function that belongs to each g-point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Fractions {
    /// None: the region does not emit.
    None,
    /// One vector.
    Plain,
    /// The other region's vector.
    OfLower,
    /// Along the key mixture, with the ratio of the two gases at this reference level, counted from 1.
    Mixture(u8),
}

/// How much of a minor gas counts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Amount {
    /// Its column.
    Column,
    /// Its column times pressure over temperature \[hPa/K\].
    TimesDensity,
    /// Its column times pressure over temperature and the share of the broadening gases in all molecules.
    TimesBroadening,
    /// Its column, or less where it is `threshold` times the reference or more: `shift + (x - shift)^exponent` times
    /// the reference for a ratio x.
    Adjusted {
        /// The ratio above which less counts.
        threshold: f64,
        /// See above.
        shift: f64,
        /// See above.
        exponent: f64,
        /// The reference's mixing ratio, or 0 for that of the reference atmosphere at the layer's upper level.
        reference: f64,
    },
}

/// A gas of lesser weight.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Minor {
    /// Which.
    pub gas: Gas,
    /// The reference level, counted from 1, whose ratio of the key gases gives the position along their mixture; `None`
    /// for a table of temperature only.
    pub mixture: Option<u8>,
    /// How much.
    pub amount: Amount,
}

/// A factor of the whole optical depth of a layer: `1 - slope (p - origin)`, 1 above `limit`; pressures in hPa.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PressureFactor {
    /// Per hPa.
    pub slope: f64,
    /// In hPa.
    pub origin: f64,
    /// In hPa.
    pub limit: f64,
}

impl PressureFactor {
    /// One.
    pub const ONE: Self = Self { slope: 0.0, origin: 0.0, limit: 0.0 };
}

/// What absorbs in a band in one region.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Absorbers {
    /// The main table.
    pub key: Key,
    /// Planck fractions.
    pub fractions: Fractions,
    /// Lesser gases, at most [`MOST_MINORS`].
    pub minors: &'static [Minor],
    /// The self-broadened continuum of water?
    pub self_continuum: bool,
    /// The foreign-broadened one?
    pub foreign_continuum: bool,
    /// The halocarbons of the band?
    pub halocarbons: bool,
    /// A factor of everything.
    pub factor: PressureFactor,
    /// Factors of single g-points after the reduction: the first of them, counted from 0, and the factors.
    pub point_factors: (usize, &'static [f64]),
}

/// The most lesser gases of a region.
pub const MOST_MINORS: usize = 3;

/// The most halocarbons of a band.
pub const MOST_HALOCARBONS: usize = 2;

/// A band.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Band {
    /// Its limits \[cm^-1\].
    pub wavenumbers_per_cm: [f64; 2],
    /// How many of the 16 original points make each g-point.
    pub groups: &'static [u8],
    /// The secant of the diffusivity angle: `a0 + a1 exp(a2 w)` for w cm of precipitable water, from 1.5 to 1.8; a0
    /// itself where a1 is 0.
    pub secant: [f64; 3],
    /// The lower region.
    pub lower: Absorbers,
    /// The upper region.
    pub upper: Absorbers,
    /// Minor tables in the order of the coefficient file.
    pub minor_tables: &'static [(Region, Gas)],
    /// Halocarbons in that order, at most [`MOST_HALOCARBONS`].
    pub halocarbons: &'static [Halocarbon],
}

impl Band {
    /// What absorbs in a region.
    #[must_use]
    pub fn absorbers(&self, region: Region) -> &Absorbers {
        match region {
            Region::Lower => &self.lower,
            Region::Upper => &self.upper,
        }
    }

    /// The number of g-points.
    #[must_use]
    pub fn points(&self) -> usize {
        self.groups.len()
    }

    /// The nodes of a minor table along the mixture of the key gases: 1 for a table of temperature only.
    #[must_use]
    pub fn minor_nodes(&self, region: Region, gas: Gas) -> usize {
        let absorbers = self.absorbers(region);
        let mixed = absorbers.minors.iter().any(|minor| minor.gas == gas && minor.mixture.is_some());
        if mixed { absorbers.key.nodes() } else { 1 }
    }
}
