//! Physical constants, which models have in different values, and the numbers of the scheme itself.

/// The physical constants, SI units but where it says so: those of a host model, or one's own. In a file, what is left
/// out is WRF's.
///
/// Names are those of the shared physics (`sf_sfclayrev`). What follows from them is computed: [`Constants::ep1`],
/// [`Constants::ep2`], [`Constants::rovcp`].
///
/// ```
/// use isobar_surface::Constants;
///
/// let dry = Constants { xlv: 2.45e6, ..Constants::wrf() };
/// assert_eq!((dry.g, dry.rovcp()), (9.81, 2.0 / 7.0));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize), serde(default, deny_unknown_fields))]
pub struct Constants {
    /// Specific heat of dry air at constant pressure \[J/(kg K)\].
    pub cp: f64,
    /// Acceleration of gravity \[m/s^2\].
    pub g: f64,
    /// Gas constant of dry air \[J/(kg K)\].
    pub rd: f64,
    /// Gas constant of water vapour \[J/(kg K)\].
    pub rv: f64,
    /// Von Karman's constant.
    pub karman: f64,
    /// Latent heat of vaporisation \[J/kg\].
    pub xlv: f64,
    /// Saturation pressure is `svp1 exp(svp2 (T - svpt0) / (T - svp3))` (Bolton 1980, Eq. 10): the factor \[kPa\].
    pub svp1: f64,
    /// The slope of it.
    pub svp2: f64,
    /// The pole of it \[K\].
    pub svp3: f64,
    /// The freezing point \[K\].
    pub svpt0: f64,
    /// Pressure to which potential temperature belongs \[Pa\].
    pub p1000mb: f64,
}

impl Constants {
    /// WRF's, whose gravity is 9.81 m/s^2.
    #[must_use]
    pub const fn wrf() -> Self {
        Self {
            cp: 1004.5,
            g: 9.81,
            rd: 287.0,
            rv: 461.6,
            karman: 0.4,
            xlv: 2.5e6,
            svp1: 0.6112,
            svp2: 17.67,
            svp3: 29.65,
            svpt0: 273.15,
            p1000mb: 1e5,
        }
    }

    /// MPAS's, whose gravity is 9.80616 m/s^2.
    #[must_use]
    pub const fn mpas() -> Self {
        Self { g: 9.80616, ..Self::wrf() }
    }

    /// CAM-SIMA's, those of CESM's `shr_const_mod`: the gas constants are Avogadro's number times Boltzmann's constant
    /// over molar masses. Saturation is WRF's.
    #[must_use]
    pub const fn cam_sima() -> Self {
        Self {
            cp: 1004.64,
            g: 9.80616,
            rd: 6.02214e26 * 1.38065e-23 / 28.966,
            rv: 6.02214e26 * 1.38065e-23 / 18.016,
            xlv: 2.501e6,
            ..Self::wrf()
        }
    }

    /// Those of UFS and other hosts of CCPP.
    #[must_use]
    pub const fn ufs() -> Self {
        Self { cp: 1004.6, g: 9.80665, rd: 287.05, rv: 461.5, ..Self::wrf() }
    }

    /// `rv / rd - 1`: what vapour adds to the virtual temperature.
    #[must_use]
    pub const fn ep1(&self) -> f64 {
        self.rv / self.rd - 1.0
    }

    /// `rd / rv`.
    #[must_use]
    pub const fn ep2(&self) -> f64 {
        self.rd / self.rv
    }

    /// `rd / cp`.
    #[must_use]
    pub const fn rovcp(&self) -> f64 {
        self.rd / self.cp
    }

    /// The constants by name, to check them.
    #[cfg(feature = "std")]
    pub(crate) const fn by_name(&self) -> [(&'static str, f64); 11] {
        let Self { cp, g, rd, rv, karman, xlv, svp1, svp2, svp3, svpt0, p1000mb } = *self;
        [
            ("cp", cp),
            ("g", g),
            ("rd", rd),
            ("rv", rv),
            ("karman", karman),
            ("xlv", xlv),
            ("svp1", svp1),
            ("svp2", svp2),
            ("svp3", svp3),
            ("svpt0", svpt0),
            ("p1000mb", p1000mb),
        ]
    }
}

impl Default for Constants {
    fn default() -> Self {
        Self::wrf()
    }
}

// The surface and the air over it.

/// The land mask is 1 over land and ice and 2 over water.
pub(crate) const LAND: f64 = 1.0;
/// See above.
pub(crate) const WATER: f64 = 2.0;
/// Salt lowers the saturation pressure over the sea.
pub(crate) const SALT: f64 = 0.98;
/// The most vapour that saturated air has, as a part of its pressure: water boils with 1.
pub(crate) const MOST_VAPOUR: f64 = 0.9;
/// Vapour's part in the specific heat: `1 + 0.8 q`.
pub(crate) const VAPOUR_CAPACITY: f64 = 0.8;
/// Pascals of a kilopascal.
pub(crate) const PA_PER_KPA: f64 = 1000.0;
/// Winds and temperatures of a screen are at 2 m and 10 m.
pub(crate) const SCREEN: f64 = 2.0;
/// See above.
pub(crate) const TEN_METRES: f64 = 10.0;

// Gusts, wind and Richardson number.

/// The exponent of velocities' cubes: not a third.
pub(crate) const THIRD: f64 = 0.33;
/// Gusts that a grid does not resolve: `0.32 (dx / 5 km - 1)^0.33` \[m/s\], the factor ...
pub(crate) const GUST: f64 = 0.32;
/// ... and the length of grids without any \[m\].
pub(crate) const GUSTLESS_GRID: f64 = 5000.0;
/// The least wind \[m/s\].
pub(crate) const LEAST_WIND: f64 = 0.1;
/// The largest magnitude of the Richardson number of which `z / L` is looked for.
pub(crate) const LARGEST_RICHARDSON: f64 = 250.0;
/// The friction velocity below which unstable air has `z / L = Ri ln(z/z0)` \[m/s\], and the least over land.
pub(crate) const LEAST_FRICTION: f64 = 0.001;

// The root, by WRF's secants.

/// The ends from which the secants start are 0 and this, with the sign of the Richardson number.
pub(crate) const FAR_END: f64 = 5.0;
/// Secants stop where the ends are as near as this, converged or not ...
pub(crate) const NEAR_ENDS: f64 = 0.01;
/// ... or after so many.
pub(crate) const SECANTS: usize = 10;

// The profiles.

/// The part of the logarithm that unstable air may take.
pub(crate) const LARGEST_PART: f64 = 0.9;
/// The foot of the profile of moisture over land \[m\].
pub(crate) const MOISTURE_FOOT: f64 = 0.01;
/// The molecular diffusivity of vapour in the resistance to it \[m^2/s\].
pub(crate) const VAPOUR_DIFFUSIVITY: f64 = 2.4e-5;

// Roughness of heat and moisture, and of water.

/// Kinematic viscosity of air, `(1.32 + 0.009 (T - 273.15)) 1e-5` \[m^2/s\]: the constant ...
pub(crate) const VISCOSITY: f64 = 1.32;
/// ... the slope ...
pub(crate) const VISCOSITY_SLOPE: f64 = 0.009;
/// ... the temperature \[K\] ...
pub(crate) const VISCOSITY_AT: f64 = 273.15;
/// ... and the unit.
pub(crate) const VISCOSITY_UNIT: f64 = 1e-5;
/// COARE 3.0 (Fairall et al. 2003): `5.5e-5 Re^-0.6` \[m\], the factor ...
pub(crate) const COARE_FACTOR: f64 = 5.5e-5;
/// ... the exponent ...
pub(crate) const COARE_EXPONENT: f64 = -0.6;
/// ... the least ...
pub(crate) const COARE_LEAST: f64 = 2e-9;
/// ... and the largest \[m\], which is also the constant one.
pub(crate) const COARE_LARGEST: f64 = 1e-4;
/// Garratt (1992): `ln(z0/z0t) = 0.4 (7.3 Re^(1/4) Pr^(1/2) - 5)`: the factor outside ...
pub(crate) const GARRATT_OUTSIDE: f64 = 0.4;
/// ... the one inside ...
pub(crate) const GARRATT_FACTOR: f64 = 7.3;
/// ... the offset ...
pub(crate) const GARRATT_OFFSET: f64 = 5.0;
/// ... the Prandtl number of heat ...
pub(crate) const GARRATT_HEAT: f64 = 0.71;
/// ... and the Schmidt number of vapour.
pub(crate) const GARRATT_VAPOUR: f64 = 0.60;
/// Chen and Zhang (2009): `ln(z0/z0t) = C k Re^(1/2)` with `C = 10^(-0.4 z0 / 0.07 m)` ...
pub(crate) const ZILITINKEVICH_SLOPE: f64 = -0.4 / 0.07;
/// ... or this constant.
pub(crate) const ZILITINKEVICH: f64 = 0.1;
/// Roughness of water by Charnock's relation with a smooth part: `0.0185 u*^2 / g + 0.11 nu / u*` ...
pub(crate) const CHARNOCK: f64 = 0.0185;
/// ... the smooth part's factor ...
pub(crate) const SMOOTH: f64 = 0.11;
/// ... its viscosity \[m^2/s\] ...
pub(crate) const SMOOTH_VISCOSITY: f64 = 1.5e-5;
/// ... and the largest \[m\].
pub(crate) const LARGEST_WATER_ROUGHNESS: f64 = 2.85e-3;
/// Shallow water: depths count between these \[m\] ...
pub(crate) const SHALLOWEST: f64 = 10.0;
/// ... and this ...
pub(crate) const DEEPEST: f64 = 100.0;
/// ... `b = ln(1260 / d) / 30` ...
pub(crate) const DEPTH_SCALE: f64 = 1260.0;
/// ... its divisor ...
pub(crate) const DEPTH_DIVISOR: f64 = 30.0;
/// ... `exp((2.7 u* - 1.8/b) / (u* + 0.17/b))` ...
pub(crate) const SHALLOW: [f64; 3] = [2.7, 1.8, 0.17];
/// ... and the largest roughness \[m\].
pub(crate) const LARGEST_SHALLOW_ROUGHNESS: f64 = 0.1;
/// Of strong winds: between two laws, by `(u* / 1.06)^0.3` \[m/s\] ...
pub(crate) const STRONG_FRICTION: f64 = 1.06;
/// ... with this exponent ...
pub(crate) const STRONG_EXPONENT: f64 = 0.3;
/// ... that of weak winds, `0.011 u*^2 / g + 1.59e-5` ...
pub(crate) const WEAK_CHARNOCK: f64 = 0.011;
/// ... with this rest \[m\] ...
pub(crate) const WEAK_REST: f64 = 1.59e-5;
/// ... that of strong winds, `10 exp(-9.5 u*^(-0.3333))` and a smooth part, the factor \[m\] ...
pub(crate) const STRONG_FACTOR: f64 = 10.0;
/// ... the slope ...
pub(crate) const STRONG_SLOPE: f64 = -9.5;
/// ... the exponent ...
pub(crate) const STRONG_POWER: f64 = -0.3333;
/// ... the least friction velocity of the smooth part \[m/s\] ...
pub(crate) const LEAST_SMOOTH_FRICTION: f64 = 0.01;
/// ... and the least roughness of all \[m\].
pub(crate) const LEAST_WATER_ROUGHNESS: f64 = 1.27e-7;

// Drag of orography that the grid does not resolve.

/// The deviation of heights below which there is none \[m\].
pub(crate) const LEAST_DEVIATION: f64 = 5.0;
/// The factor of `1 / ln((z + zf) / zf)^2`.
pub(crate) const FORM_DRAG: f64 = 0.16;

/// The least difference of temperatures that heat is exchanged by \[K\].
pub(crate) const LEAST_WARMER: f64 = 1e-5;

// Guards of this crate.

/// Powers of smaller numbers count as nothing, and so do Reynolds numbers.
pub(crate) const TINY: f64 = 1e-30;
/// The largest magnitude of an exponent: `exp` of it is nothing, or everything.
pub(crate) const LARGEST_EXPONENT: f64 = 80.0;
