//! Constants.

/// Acceleration of gravity \[m/s^2\].
pub const GRAVITY: f64 = isobar_optics::constants::GRAVITY;
/// Heat capacity of dry air at constant pressure \[J/(kg K)\].
pub const HEAT_CAPACITY: f64 = 1004.64;
/// Gas constant of dry air \[J/(kg K)\], for the thickness of a layer.
pub const DRY_AIR_GAS_CONSTANT: f64 = 287.0;
/// Seconds of a day.
pub const DAY_S: f64 = 86400.0;

/// Cosines and weights of the angles of the long wave: Gauss-Jacobi quadrature of the fifth kind (Hogan 2023,
/// doi:10.1002/qj.4598), as RTE has it since 1.8.
pub const ANGLES: [&[(f64, f64)]; 4] = [
    &[(0.609_674_875_1, 1.0)],
    &[(0.250_990_735_6, 0.230_025_376_4), (0.790_847_398_8, 0.769_974_623_6)],
    &[(0.102_492_216_9, 0.043_782_021_8), (0.441_796_032_0, 0.387_579_673_8), (0.863_375_162_1, 0.568_638_304_4)],
    &[
        (0.045_458_672_7, 0.009_206_878_5),
        (0.232_233_441_6, 0.128_570_427_8),
        (0.574_019_877_5, 0.432_338_185_0),
        (0.903_077_597_3, 0.429_884_508_7),
    ],
];

/// Standard deviation of a cloud's water relative to its mean where none is given: as in ECMWF's model and the input of
/// ecRad's tests. Observations have 0.75 on average (Shonk et al. 2010, doi:10.1002/qj.647).
pub const FRACTIONAL_STANDARD_DEVIATION: f64 = 1.0;

/// The secant of ecRad's one angle.
pub const ECRAD_SECANT: f64 = 1.66;

/// The square root of the distance of two numbers near one, and its square root: as numbers, for a GPU's compiler would
/// compute the roots anew each time.
#[inline(always)]
pub(crate) fn roots_of_epsilon<R: isobar_core::Real>() -> [R; 2] {
    let single = R::EPSILON.to_f32() > 1e-10;
    let roots = if single {
        [3.452_669_830_012_439e-4, 0.018_581_361_171_917_516]
    } else {
        [1.490_116_119_384_765_6e-8, 1.220_703_125e-4]
    };
    roots.map(R::from_f64)
}
