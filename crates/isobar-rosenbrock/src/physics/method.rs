//! The methods, as numbers.
//!
//! With the Jacobian J and the step H, stage i solves
//! `(1/(gamma_1 H) - J) k_i = f(t + alpha_i H, y + sum a_ij k_j) + sum (c_ij/H) k_j + gamma_i H df/dt`; then
//! `y + sum m_i k_i` is the result and `sum e_i k_i` its estimated error. In this form (Hairer and Wanner, Solving
//! Ordinary Differential Equations II, 1996, chapter IV, Eq. 7.25; the method itself is Eq. 7.4) no product with J is
//! needed. Coefficients as in Sandu, Verwer, Blom, Spee, Carmichael and Potra 1997 (Atmos. Environ. 31, 3459,
//! doi:10.1016/S1352-2310(97)83212-8), which made them the methods of KPP.
//!
//! Units: t, H and times of stages \[s\]; y, k and the result \[molecules/cm^3\] or what else cells are given in; f
//! \[that/s\]; J \[1/s\]; all coefficients are pure numbers.

use isobar_core::Column;

/// The most stages of a method.
pub const MOST_STAGES: usize = 6;
/// The most pairs of stages.
const PAIRS: usize = MOST_STAGES * (MOST_STAGES - 1) / 2;

/// All coefficients of a method.
pub const NUMBERS: usize = 2 * PAIRS + 5 * MOST_STAGES;

/// A Rosenbrock method.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize), serde(rename_all = "snake_case"))]
pub enum Method {
    /// Two stages, order 2, L-stable (Verwer, Spee, Blom and Hundsdorfer 1999, SIAM J. Sci. Comput. 20, 1456). For
    /// loose tolerances.
    Ros2,
    /// Three stages, order 3, L-stable (Sandu and others 1997).
    Ros3,
    /// Four stages, order 4, L-stable (Hairer and Wanner 1996).
    Ros4,
    /// Four stages, order 3, stiffly accurate (Sandu and others 1997). KPP's default.
    Rodas3,
    /// Six stages, order 4, stiffly accurate (Hairer and Wanner 1996).
    Rodas4,
    /// Four stages, order 3, stiffly accurate: that of KPP 3.5, which takes fewer steps than Rodas3.
    #[cfg_attr(feature = "serde", serde(rename = "rodas3.1"))]
    Rodas31,
    /// Four stages, order 3, stiffly accurate also with another matrix in place of the Jacobian: ROS34PW1a (Rang and
    /// Angermann 2005, BIT 45, 761, doi:10.1007/s10543-005-0035-y). Its error estimate is zero, with KPP's coefficients
    /// as well, for what is linear in the concentrations: there steps grow to the longest that is allowed, whatever the
    /// tolerances.
    Rang3,
}

impl Method {
    /// All of them.
    pub const ALL: [Self; 7] =
        [Self::Ros2, Self::Ros3, Self::Ros4, Self::Rodas3, Self::Rodas4, Self::Rodas31, Self::Rang3];

    /// The name in lower case, as `--method` has it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Ros2 => "ros2",
            Self::Ros3 => "ros3",
            Self::Ros4 => "ros4",
            Self::Rodas3 => "rodas3",
            Self::Rodas4 => "rodas4",
            Self::Rodas31 => "rodas3.1",
            Self::Rang3 => "rang3",
        }
    }

    /// The method of a name, in any case.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|method| method.name().eq_ignore_ascii_case(name))
    }

    /// The method of KPP's `icntrl(3)`, where it is one of these; 0 is Rodas3.
    #[must_use]
    pub fn of_icntrl3(number: i32) -> Option<Self> {
        match number {
            0 | 4 => Some(Self::Rodas3),
            1 => Some(Self::Ros2),
            2 => Some(Self::Ros3),
            3 => Some(Self::Ros4),
            5 => Some(Self::Rodas4),
            6 => Some(Self::Rang3),
            7 => Some(Self::Rodas31),
            _ => None,
        }
    }

    /// The coefficients.
    #[must_use]
    pub fn tableau(self) -> Tableau {
        match self {
            Self::Ros2 => ROS2,
            Self::Ros3 => ROS3,
            Self::Ros4 => ROS4,
            Self::Rodas3 => RODAS3,
            Self::Rodas4 => RODAS4,
            Self::Rodas31 => RODAS31,
            Self::Rang3 => RANG3,
        }
    }
}

/// The coefficients of a method. Pairs (i, j) of stages are in rows: 21; 31, 32; 41, 42, 43; and so on.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct Tableau {
    /// The number of stages.
    pub stages: u32,
    /// Bit i: stage i calls the function; otherwise it takes the value of the stage before, whose argument was the
    /// same.
    pub calls: u32,
    /// The order of the error estimate, by whose root the step follows.
    pub order: f64,
    /// `a_ij`.
    pub a: [f64; PAIRS],
    /// `c_ij`.
    pub c: [f64; PAIRS],
    /// Weights of the result.
    pub m: [f64; MOST_STAGES],
    /// Weights of the error.
    pub e: [f64; MOST_STAGES],
    /// Times of the stages.
    pub alpha: [f64; MOST_STAGES],
    /// Weights of df/dt; the first is that of the matrix.
    pub gamma: [f64; MOST_STAGES],
}

impl Tableau {
    /// The place of pair (`i`, `j`), `j < i`.
    #[inline(always)]
    #[must_use]
    pub fn pair(i: usize, j: usize) -> usize {
        i * (i - 1) / 2 + j
    }

    /// All coefficients in one list, as [`Coefficients`] has them.
    #[must_use]
    pub fn numbers(&self) -> [f64; NUMBERS] {
        let mut all = [0.0; NUMBERS];
        let weights = self.weights();
        let lists: [&[f64]; 7] = [&self.a, &self.c, &self.m, &self.e, &self.alpha, &self.gamma, &weights];
        for (place, &value) in all.iter_mut().zip(lists.into_iter().flatten()) {
            *place = value;
        }
        all
    }

    /// The weights `b_i` of the stages in the form without `c` (Hairer and Wanner 1996, chapter IV, Eq. 7.4), in which
    /// the result is `y + H sum b_i (f_i + J k_i + gamma_i H df/dt)`: `b = gamma_1 m (1 - gamma_1 c)^-1`.
    #[must_use]
    pub fn weights(&self) -> [f64; MOST_STAGES] {
        let (mut weights, gamma) = ([0.0; MOST_STAGES], self.gamma[0]);
        for j in (0..self.stages as usize).rev() {
            let later = (j + 1..self.stages as usize).map(|i| weights[i] * self.c[Self::pair(i, j)]).sum::<f64>();
            weights[j] = gamma * (self.m[j] + later);
        }
        weights
    }

    /// What the kernel takes; `numbers` are those of [`Tableau::numbers`].
    #[must_use]
    pub fn coefficients<'a>(&self, numbers: Column<'a, f64>) -> Coefficients<'a> {
        Coefficients { stages: self.stages, calls: self.calls, order: self.order, numbers }
    }

    /// The number of stages that call the function.
    #[must_use]
    pub fn function_calls(&self) -> u32 {
        self.calls.count_ones()
    }
}

/// The coefficients as the kernel takes them: a list in memory, for a GPU's registers and arguments have no index that
/// changes.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Coefficients<'a> {
    /// The number of stages.
    pub stages: u32,
    /// Bit i: stage i calls the function.
    pub calls: u32,
    /// The order of the error estimate.
    pub order: f64,
    /// `a`, `c`, `m`, `e`, `alpha` and `gamma` of [`Tableau`], then its weights.
    pub numbers: Column<'a, f64>,
}

/// Which coefficients of pairs, by their place in the list.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Pairs {
    /// `a_ij`
    A = 0,
    /// `c_ij`
    C = PAIRS as isize,
}

impl Coefficients<'_> {
    /// `a_ij` or `c_ij`.
    #[inline(always)]
    pub(crate) fn of_pair(&self, which: Pairs, i: usize, j: usize) -> f64 {
        self.numbers.at(which as usize + Tableau::pair(i, j))
    }

    /// The weight of a stage in the result.
    #[inline(always)]
    pub(crate) fn m(&self, stage: usize) -> f64 {
        self.numbers.at(2 * PAIRS + stage)
    }

    /// Its weight in the error.
    #[inline(always)]
    pub(crate) fn e(&self, stage: usize) -> f64 {
        self.numbers.at(2 * PAIRS + MOST_STAGES + stage)
    }

    /// Its time.
    #[inline(always)]
    pub(crate) fn alpha(&self, stage: usize) -> f64 {
        self.numbers.at(2 * PAIRS + 2 * MOST_STAGES + stage)
    }

    /// Its weight of df/dt.
    #[inline(always)]
    pub(crate) fn gamma(&self, stage: usize) -> f64 {
        self.numbers.at(2 * PAIRS + 3 * MOST_STAGES + stage)
    }

    /// Its weight where rates are integrated: see [`Tableau::weights`].
    #[inline(always)]
    pub(crate) fn weight(&self, stage: usize) -> f64 {
        self.numbers.at(2 * PAIRS + 4 * MOST_STAGES + stage)
    }
}

/// Numbers, and zeros behind them.
const fn padded<const N: usize, const M: usize>(values: [f64; M]) -> [f64; N] {
    let mut all = [0.0; N];
    let mut i = 0;
    while i < M {
        all[i] = values[i];
        i += 1;
    }
    all
}

/// gamma = 1 + 1/sqrt 2.
const G: f64 = 1.707_106_781_186_547_5;

const ROS2: Tableau = Tableau {
    stages: 2,
    calls: 0b11,
    order: 2.0,
    a: padded([1.0 / G]),
    c: padded([-2.0 / G]),
    m: padded([3.0 / (2.0 * G), 1.0 / (2.0 * G)]),
    e: padded([1.0 / (2.0 * G), 1.0 / (2.0 * G)]),
    alpha: padded([0.0, 1.0]),
    gamma: padded([G, -G]),
};

const ROS3: Tableau = Tableau {
    stages: 3,
    calls: 0b011,
    order: 3.0,
    a: padded([1.0, 1.0, 0.0]),
    c: padded([-1.015_617_108_387_770_2, 4.075_995_645_253_77, 9.207_679_429_833_08]),
    m: padded([1.0, 6.169_794_704_382_824_5, -0.427_722_565_432_185_73]),
    e: padded([0.5, -2.907_955_871_680_547, 0.223_540_698_978_115_7]),
    alpha: padded([0.0, 0.435_866_521_508_459, 0.435_866_521_508_459]),
    gamma: padded([0.435_866_521_508_459, 0.242_919_964_548_168_05, 2.185_138_002_766_406]),
};

const ROS4: Tableau = Tableau {
    stages: 4,
    calls: 0b0111,
    order: 4.0,
    a: padded([
        2.0,
        1.867_943_637_803_922,
        0.234_444_971_139_915_6,
        1.867_943_637_803_922,
        0.234_444_971_139_915_6,
        0.0,
    ]),
    c: padded([
        -7.137_615_036_412_31,
        2.580_708_087_951_457,
        0.651_595_007_644_797_5,
        -2.137_148_994_382_534,
        -0.321_466_969_123_762_6,
        -0.694_974_250_178_177_9,
    ]),
    m: padded([2.255_570_073_418_735, 0.287_049_326_218_679_2, 0.435_317_943_184_018, 1.093_502_252_409_163]),
    e: padded([-0.281_543_193_214_115_5, -0.072_761_991_249_389_2, -0.108_219_620_149_531_1, -1.093_502_252_409_163]),
    alpha: padded([0.0, 1.145_64, 0.655_216_863_815_59, 0.655_216_863_815_59]),
    gamma: padded([0.572_82, -1.769_193_891_319_233, 0.759_263_343_792_048_2, -0.104_902_108_710_045]),
};

const RODAS3: Tableau = Tableau {
    stages: 4,
    calls: 0b1101,
    order: 3.0,
    a: padded([0.0, 2.0, 0.0, 2.0, 0.0, 1.0]),
    c: padded([4.0, 1.0, -1.0, 1.0, -1.0, -8.0 / 3.0]),
    m: padded([2.0, 0.0, 1.0, 1.0]),
    e: padded([0.0, 0.0, 0.0, 1.0]),
    alpha: padded([0.0, 0.0, 1.0, 1.0]),
    gamma: padded([0.5, 1.5, 0.0, 0.0]),
};

const RODAS31: Tableau = Tableau {
    stages: 4,
    calls: 0b1101,
    order: 3.0,
    a: padded([0.0, 0.646_601_929_740_551, 0.409_567_801_987_914, 0.646_601_929_740_551, 0.409_567_801_987_914, 1.0]),
    c: padded([
        4.198_495_621_784_201,
        3.711_590_161_613_01,
        -1.787_771_994_729_384,
        4.458_898_153_216_104,
        -2.024_095_448_516_552,
        -2.626_700_600_119_396,
    ]),
    m: padded([0.646_601_929_740_551, 0.409_567_801_987_914, 1.0, 1.0]),
    e: padded([0.0, 0.0, 0.0, 1.0]),
    alpha: padded([0.0, 0.0, 1.0, 1.0]),
    gamma: padded([0.515, 1.628_546_001_287_715, 0.0, 0.0]),
};

const RANG3: Tableau = Tableau {
    stages: 4,
    // As in KPP, though the third stage has the second one's argument: its calls are counted.
    calls: 0b1111,
    order: 3.0,
    a: padded([
        5.090_520_510_670_2,
        5.090_520_510_670_2,
        0.0,
        4.976_281_110_107_87,
        0.027_726_816_471_584_9,
        0.229_428_036_027_904,
    ]),
    c: padded([
        -11.679_081_231_228_3,
        -16.405_732_646_736_7,
        -0.277_268_164_715_85,
        -8.381_039_605_004_76,
        -0.848_328_409_199_343,
        0.287_009_860_433_106,
    ]),
    m: padded([5.225_827_612_330_94, -0.556_971_148_154_165, 0.357_979_469_353_645, 1.723_373_985_210_64]),
    e: padded([-5.168_452_127_840_4, -1.263_519_426_038_42, 0.0, 0.0]),
    alpha: padded([0.0, 2.218_787_467_653_29, 2.218_787_467_653_29, 1.553_923_375_357_88]),
    gamma: padded([0.435_866_521_508_459, -1.782_920_946_144_83, -2.465_419_004_969_34, -0.805_529_997_906_37]),
};

const RODAS4: Tableau = Tableau {
    stages: 6,
    calls: 0b11_1111,
    order: 4.0,
    a: [
        1.544,
        0.946_678_528_081_582_6,
        0.255_701_169_898_328_4,
        3.314_825_187_068_521,
        2.896_124_015_972_201,
        0.998_641_913_997_781_7,
        1.221_224_509_226_641,
        6.019_134_481_288_629,
        12.537_083_329_320_87,
        -0.687_886_036_105_895,
        1.221_224_509_226_641,
        6.019_134_481_288_629,
        12.537_083_329_320_87,
        -0.687_886_036_105_895,
        1.0,
    ],
    c: [
        -5.668_8,
        -2.430_093_356_833_875,
        -0.206_359_915_709_191_5,
        -0.107_352_905_815_137_5,
        -9.594_562_251_023_355,
        -20.470_286_148_096_16,
        7.496_443_313_967_647,
        -10.246_804_314_643_52,
        -33.999_903_528_199_05,
        11.708_908_932_061_6,
        8.083_246_795_921_522,
        -7.981_132_988_064_893,
        -31.521_594_328_743_71,
        16.319_305_431_231_36,
        -6.058_818_238_834_054,
    ],
    m: padded([1.221_224_509_226_641, 6.019_134_481_288_629, 12.537_083_329_320_87, -0.687_886_036_105_895, 1.0, 1.0]),
    e: padded([0.0, 0.0, 0.0, 0.0, 0.0, 1.0]),
    alpha: padded([0.0, 0.386, 0.21, 0.63, 1.0, 1.0]),
    gamma: padded([0.25, -0.104_3, 0.103_5, -0.036_200_000_000_000_23, 0.0, 0.0]),
};
