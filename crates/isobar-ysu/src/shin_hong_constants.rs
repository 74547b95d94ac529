//! The numbers in which Shin-Hong differs from YSU, SI units, with their names in `bl_shinhong.F90` of MMM-physics in
//! `code` letters.

/// The exponents by which velocities follow from their cubes (`h1`), and squares of them (`h2`).
pub(crate) const EXPONENTS: [f64; 2] = [0.333333, 0.666666];

// The size of eddies against the grid (Shin and Hong 2013, doi:10.1175/JAS-D-12-0290.1).

/// Eddies of a convective layer are `0.5 (tanh(14 - 80 |u*/w* - 0.5|) + 3)` times its height: the number without shear
/// ...
pub(crate) const SHEAR_OFFSET: f64 = 14.0;
/// ... the slope ...
pub(crate) const SHEAR_SLOPE: f64 = 80.0;
/// ... and the ratio of velocities at which it has its largest.
pub(crate) const SHEAR_RATIO: f64 = 0.5;
/// Near the ground eddies are smaller than the layer: local mixing sees a grid of `0.2 h / z` times the distance.
pub(crate) const NEAR_GROUND: f64 = 0.2;

// The profile of the nonlocal heat flux (Shin and Hong 2015, doi:10.1175/MWR-D-14-00116.1).

/// The top of the surface layer over the height (`sfcfracn1`).
pub(crate) const SURFACE_FRACTION: f64 = 0.075;
/// The bottom of the entrainment zone over the height (`entfracn1`).
pub(crate) const ENTRAINMENT_FRACTION: f64 = 0.87;
/// The nonlocal share of the flux (`nlfrac`).
pub(crate) const NONLOCAL_SHARE: f64 = 0.7;
/// What the flux loses up to the top of the surface layer, times that over the height (`a12`).
pub(crate) const SURFACE_LOSS: f64 = 1.15;
/// The entrainment flux over the nonlocal one (`cent` times `fent`) ...
pub(crate) const ENTRAINMENT_SHARE: f64 = -0.2 * 2.0;
/// ... times `wm^3 / w*^3`, at most this.
pub(crate) const LARGEST_SHEAR_SHARE: f64 = 2.0;
/// The least height over the layer's (`zfmin`).
pub(crate) const LEAST_FRACTION: f64 = 1e-8;
/// Beyond as many depths of the entrainment zone from the top nothing is left of it. A guard of this crate.
pub(crate) const FARTHEST_DEPTHS: f64 = 80.0;

// Turbulent energy (Mellor and Yamada 1982, as Janjic 2001 has it).

/// The least energy, twice \[m^2/s^2\] (`epsq2l`).
pub(crate) const LEAST_DOUBLE_ENERGY: f64 = 0.01;
/// The same, before it is used in lengths.
pub(crate) const LEAST_DOUBLE_ENERGY_OF_LENGTHS: f64 = 1e-4;
/// Gravity: of the source, whatever the host's (`g` of `mixlen` and `prodq2`).
pub(crate) const GRAVITY: f64 = 9.81;
/// Latent heat of condensate \[J/kg\] (`elocp` times `cp`).
pub(crate) const CONDENSATE_HEAT: f64 = 2.72e6;
/// The surface's energy, twice, over the squared friction velocity: `2 / 0.55^2` (`rc02`).
pub(crate) const SURFACE_ENERGY: f64 = 2.0 / (0.55 * 0.55);
/// Dissipation is `q^3 / (16.6 l)` (`ceps`) ...
pub(crate) const DISSIPATION_LENGTH: f64 = 16.6;
/// ... over a length of at least this \[m\].
pub(crate) const LEAST_DISSIPATION_LENGTH: f64 = 0.01;
/// The factor of the countergradient flux of energy: `0.2 * 2.5` ...
pub(crate) const ENERGY_FLUX: f64 = 0.5;
/// ... and its largest with what stands beside it (`gamcre`).
pub(crate) const LARGEST_ENERGY_FLUX: f64 = 0.224;
/// Energy at the top falls by this times its difference over three levels.
pub(crate) const ENTRAINED_ENERGY: f64 = 0.25;

// Mixing lengths.

/// The least length \[m\] (`epsl`).
pub(crate) const LEAST_LENGTH: f64 = 0.32;
/// The asymptotic length over the mean height of turbulence (`alph`) ...
pub(crate) const ASYMPTOTIC: f64 = 0.3;
/// ... at least \[m\] (`el0min`) ...
pub(crate) const LEAST_ASYMPTOTIC: f64 = 1.0;
/// ... and at most (`el0max`).
pub(crate) const LARGEST_ASYMPTOTIC: f64 = 1000.0;
/// The length above the boundary layer over the thickness of two layers (`elfc`).
pub(crate) const LENGTH_OF_LAYERS: f64 = 0.23 * 0.5;
/// In a mixed layer lengths are `0.77 (1 - 8 z/L)^(1/3)` times as long (`elcbl`) ...
pub(crate) const MIXED_LENGTH: f64 = 0.77;
/// ... with this slope.
pub(crate) const MIXED_SLOPE: f64 = 8.0;
/// Lengths of stable air (QNSE: Sukoriansky et al. 2005): `1/l = f / (0.0063 u*) + 1 / (k z) + sqrt(2 N^2 / q^2) /
/// 0.75` (`blckdr`) ...
pub(crate) const ROTATION: f64 = 0.0063;
/// ... (`cn`).
pub(crate) const BUOYANCY: f64 = 0.75;
/// The least rotation \[1/s\] (`eps1`).
pub(crate) const LEAST_ROTATION: f64 = 1e-12;

/// The limits of the mixing length where turbulence is in equilibrium (Janjic 2001, "Nonsingular implementation of the
/// Mellor-Yamada level 2.5 scheme", Eqs. 3.6 to 3.19): polynomials of the squared shear and of the gradient of
/// potential temperature.
pub(crate) mod equilibrium {
    const A1: f64 = 0.659_888_514_560_862_6;
    const A2: f64 = 0.657_420_992_266_778_4;
    const B1: f64 = 11.877_993_262_095_528;
    const B2: f64 = 7.226_971_804_046_074;
    const C1: f64 = 0.000_830_955_950_095_854_4;
    /// Gravity over 273 K.
    const G: f64 = super::GRAVITY / 273.0;

    /// The denominator's terms: of gradients to the fourth power, heat with itself and with shear ...
    pub(crate) const A_HEAT: f64 = 9.0 * A1 * A2 * A2 * (12.0 * A1 + 3.0 * B2) * G * G;
    pub(crate) const A_SHEAR: f64 = 18.0 * A1 * A1 * A2 * (B2 - 3.0 * A2) * G;
    /// ... and squared.
    pub(crate) const B_HEAT: f64 = 3.0 * A2 * (7.0 * A1 + B2) * G;
    pub(crate) const B_SHEAR: f64 = 6.0 * A1 * A1;
    const FREE_HEAT: f64 = 9.0 * A1 * A2 * A2 * B1 * G * G + A_HEAT;
    const FREE_SHEAR: f64 = 3.0 * A1 * A2 * B1 * (3.0 * A2 + 3.0 * B2 * C1 + 18.0 * A1 * C1 - B2) * G + A_SHEAR;
    /// Squared shear over the gradient below which there is no turbulence (`requ`).
    pub(crate) const LEAST_RATIO: f64 = -FREE_HEAT / FREE_SHEAR;
    /// The least gradient \[K/m\] (`epsgh`) and squared shear (`epsgm`).
    pub(crate) const LEAST_GRADIENT: f64 = 1e-9;
    pub(crate) const LEAST_SHEAR: f64 = LEAST_RATIO * LEAST_GRADIENT;
    /// Three times the least share of vertical motion (`ubry3`).
    const LEAST_VERTICAL: f64 = 3.0
        * (1.0 + 1e-7)
        * ((18.0 * LEAST_RATIO * A1 * A1 * A2 * B2 * C1 * G + 9.0 * A1 * A2 * A2 * B2 * G * G)
            / (LEAST_RATIO * A_SHEAR + A_HEAT));
    /// The same polynomials of stable air, where vertical motion has this share (`aubh`, `aubm`, `bubh`, `bubm`).
    pub(crate) const STABLE_A_HEAT: f64 = 27.0 * A1 * A2 * A2 * B2 * G * G - A_HEAT * LEAST_VERTICAL;
    pub(crate) const STABLE_A_SHEAR: f64 = 54.0 * A1 * A1 * A2 * B2 * C1 * G - A_SHEAR * LEAST_VERTICAL;
    pub(crate) const STABLE_B_HEAT: f64 = (9.0 * A1 * A2 + 3.0 * A2 * B2) * G - B_HEAT * LEAST_VERTICAL;
    pub(crate) const STABLE_B_SHEAR: f64 = 18.0 * A1 * A1 * C1 - B_SHEAR * LEAST_VERTICAL;
    /// `cubr`.
    pub(crate) const STABLE_C: f64 = 1.0 - LEAST_VERTICAL;
    /// Added to the squared ratio of velocity and length (`epsru`).
    pub(crate) const LEAST_QUOTIENT: f64 = 1e-7;
}
