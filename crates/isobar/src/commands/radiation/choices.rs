//! What is computed, and how.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use isobar_io::Outside;
use isobar_optics::CloudTables;
use isobar_radiation::{Angles, CloudOptics, CloudSolver, Overlap, Roughness};

use crate::program::failure::Failure;
use crate::program::options::positive;

/// Choices that there are with each k-distribution.
#[derive(Args, Debug)]
pub(in crate::commands) struct Choices {
    /// Pressures, temperatures, water vapour and sizes of particles outside of the tables
    #[arg(long, value_enum, default_value = "extrapolate")]
    outside: OutsidePolicy,
    /// Leave out clouds
    #[arg(long)]
    no_clouds: bool,
    /// The cloudy part of layers with cloud water, where the file has no cloud fraction: 1, unless it is given
    #[arg(long, value_name = "VALUE", value_parser = part, conflicts_with = "no_clouds")]
    pub(super) cloud_fraction: Option<f64>,
    /// How clouds and clear sky share a layer: mcica, unless it is given
    #[arg(long, value_enum)]
    pub(super) solver: Option<SolverOf>,
    /// How clouds of different layers overlap, with sub-columns or Tripleclouds: maximum-random, unless it is given
    #[arg(long, value_enum)]
    pub(super) overlap: Option<OverlapOf>,
    /// Distance over which exponential overlap is lost [m]; 2000, with RRTMG_LW's k-distribution 2500, unless it is
    /// given
    #[arg(long, value_name = "M", value_parser = positive)]
    pub(in crate::commands) decorrelation: Option<f64>,
    /// For the random numbers of sub-columns and of samples: 1, unless it is given
    #[arg(long)]
    pub(super) seed: Option<u32>,
    /// Also write the fluxes of each band
    #[arg(long)]
    pub(in crate::commands) bands: bool,
    /// Add a layer between the highest level and 0.01 Pa, or the lowest pressure of RRTMGP's tables, as many hosts do,
    /// with the temperature and the gases of the uppermost layer: without it nothing radiates from above, and no gas
    /// there absorbs sunlight
    #[arg(long)]
    pub(super) top_layer: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum OutsidePolicy {
    /// Leave them, and count: RRTMG_LW extrapolates; ecCKD's tables hold the values of their ends for air, and refuse
    /// such a ground; RRTMGP's refuse both, and all tables of clouds such sizes
    Extrapolate,
    /// Bring them to the ends of the tables, and count
    Clamp,
    /// Stop
    Error,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::commands) enum SolverOf {
    /// Each g-point sees clouds of its own: any overlap, and noise
    Mcica,
    /// Fractions, overlapping at random: RRTMG_LW's `rtrn`, with its k-distribution alone
    Random,
    /// Fractions, overlapping as much as possible within a cloud, at random otherwise: `rtrnmr`, likewise
    MaximumRandom,
    /// Tripleclouds: a clear, a thin and a thick part of each layer, without noise, for overlap of neighbouring layers;
    /// not with RRTMG_LW's k-distribution
    Tripleclouds,
}

impl SolverOf {
    /// The scheme's, with an overlap that it has of its own; is RRTMG_LW's long wave all that is computed?
    pub(super) fn of_scheme(self, is_rrtmg_alone: bool) -> Result<(CloudSolver, Option<Overlap>), Failure> {
        let fractions = |solver: &str, overlap: Overlap| {
            let why = "it is for RRTMG_LW's k-distribution; with all others there are mcica and tripleclouds";
            match is_rrtmg_alone {
                true => Ok((CloudSolver::Fractions, Some(overlap))),
                false => Err(Failure::usage(format!("--solver {solver}: {why}"))),
            }
        };
        match self {
            Self::Mcica => Ok((CloudSolver::McIca, None)),
            Self::Tripleclouds => Ok((CloudSolver::Tripleclouds, None)),
            Self::Random => fractions("random", Overlap::Random),
            Self::MaximumRandom => fractions("maximum-random", Overlap::MaximumRandom),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::commands) enum OverlapOf {
    /// At random (RRTMG_LW's `icld` 1)
    Random,
    /// As much as possible within a cloud, at random across clear layers (2)
    MaximumRandom,
    /// As much as possible (3)
    Maximum,
    /// Less with distance (4)
    Exponential,
    /// Less with distance within a cloud, at random across clear layers (5)
    ExponentialRandom,
}

/// A part of a whole, and not nothing.
fn part(text: &str) -> Result<f64, String> {
    let value = text.parse().ok().filter(|value| *value > 0.0 && *value <= 1.0);
    value.ok_or_else(|| "not a number in (0, 1]".to_owned())
}

impl From<OverlapOf> for Overlap {
    fn from(overlap: OverlapOf) -> Self {
        match overlap {
            OverlapOf::Random => Self::Random,
            OverlapOf::MaximumRandom => Self::MaximumRandom,
            OverlapOf::Maximum => Self::Maximum,
            OverlapOf::Exponential => Self::Exponential,
            OverlapOf::ExponentialRandom => Self::ExponentialRandom,
        }
    }
}

impl OverlapOf {
    /// Is it less with distance?
    pub(super) fn is_exponential(self) -> bool {
        matches!(self, Self::Exponential | Self::ExponentialRandom)
    }
}

impl Choices {
    pub(in crate::commands) fn solver(&self) -> SolverOf {
        self.solver.unwrap_or(SolverOf::Mcica)
    }

    pub(in crate::commands) fn overlap(&self) -> OverlapOf {
        self.overlap.unwrap_or(OverlapOf::MaximumRandom)
    }

    pub(in crate::commands) fn seed(&self) -> u32 {
        self.seed.unwrap_or(1)
    }

    pub(in crate::commands) fn cloud_fraction(&self) -> f64 {
        self.cloud_fraction.unwrap_or(1.0)
    }

    pub(in crate::commands) fn clouds(&self) -> bool {
        !self.no_clouds
    }

    pub(in crate::commands) fn outside(&self) -> Outside {
        match self.outside {
            OutsidePolicy::Error => Outside::Error,
            OutsidePolicy::Clamp => Outside::Clamp,
            OutsidePolicy::Extrapolate => Outside::Extrapolate,
        }
    }
}

/// Choices about the long wave.
#[derive(Args, Debug)]
pub(in crate::commands) struct LongwaveChoices {
    /// Angles along which long-wave radiation is followed: own, the one for which the k-distribution was made, unless
    /// they are given; 1 to 4 of a quadrature; best, one whose secant suits each g-point, with k-distributions of
    /// RRTMGP
    #[arg(long, value_name = "own|N|best", value_parser = angles)]
    pub(in crate::commands) angles: Option<Angles>,
    /// What becomes of long-wave radiation that clouds and aerosols scatter; none, unless it is given
    #[arg(long, value_enum)]
    pub(in crate::commands) longwave_scattering: Option<ScatteringOf>,
    /// Also write by how much the upward long-wave flux grows per kelvin of the surface's temperature: the difference
    /// that 1 K makes there, as RTE has it; with RRTMG_LW's k-distribution, the derivative of its tables
    #[arg(long)]
    pub(in crate::commands) derivative: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::commands) enum ScatteringOf {
    /// Clouds and aerosols only absorb
    None,
    /// Some goes back along the same angles (Tang et al. 2018)
    Rescaled,
    /// Two streams of secant 1.66, as in ecRad
    TwoStream,
}

/// `own`, `best`, or a number.
fn angles(text: &str) -> Result<Angles, String> {
    match text {
        "own" => return Ok(Angles::Own),
        "best" => return Ok(Angles::Best),
        _ => {}
    }
    let count = text.parse().ok().filter(|count| (1..=4).contains(count));
    count.map(Angles::Gauss).ok_or_else(|| "not own, not best, nor a number in [1, 4]".to_owned())
}

/// Choices with k-distributions of RRTMGP, ecCKD or our own.
#[derive(Args, Debug)]
pub(in crate::commands) struct TableChoices {
    /// Tables of cloud optics, once for each k-distribution of RRTMGP, ecCKD or Isobar's own; without k-distributions
    /// and these, those of data/radiation
    #[arg(long, value_name = "FILE")]
    pub(in crate::commands) clouds: Vec<PathBuf>,
    /// RRTMGP's tables of the optics of MERRA-2's aerosols, once for each spectrum, for the types and masses of
    /// aerosols that the columns have
    #[arg(long, value_name = "FILE")]
    pub(in crate::commands) aerosols: Vec<PathBuf>,
    /// Also write fluxes without clouds
    #[arg(long)]
    pub(in crate::commands) clear_sky: bool,
    /// Take for the sun the mean by day of the intervals that the file's times stand for, from latitude, longitude and
    /// time: their bounds, or half the way to their neighbours in the file; without it, it stands where it is at these
    /// times
    #[arg(long)]
    pub(in crate::commands) mean_sun: bool,
    /// What the forward peak of scattered light is that of, which is taken for light that is not scattered: particles,
    /// unless it is given
    #[arg(long, value_enum)]
    pub(in crate::commands) delta_scaling: Option<DeltaScalingOf>,
    /// How rough the ice of clouds is: medium, unless it is given
    #[arg(long, value_enum)]
    pub(in crate::commands) roughness: Option<RoughnessOf>,
    /// Also read rain and snow of WRF's files (QRAIN, QSNOW and RE_SNOW); those of other files are read wherever there
    /// are clouds
    #[arg(long)]
    pub(in crate::commands) rain_and_snow: bool,
    /// Take the optics of droplets for rain where tables of clouds have none of it: of the largest ones, for all that
    /// is larger
    #[arg(long)]
    pub(in crate::commands) rain_as_liquid: bool,
    /// Take the optics of ice for snow where tables of clouds have none of it, likewise
    #[arg(long)]
    pub(in crate::commands) snow_as_ice: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::commands) enum DeltaScalingOf {
    /// Clouds and aerosols, each by itself
    Particles,
    /// All that scatters in a layer, gases too (ecRad's `do_sw_delta_scaling_with_gases`)
    Mixture,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::commands) enum RoughnessOf {
    /// Smooth
    Smooth,
    /// Between
    Medium,
    /// Rough
    Rough,
}

impl TableChoices {
    fn roughness(&self) -> Roughness {
        match self.roughness {
            Some(RoughnessOf::Smooth) => Roughness::Smooth,
            None | Some(RoughnessOf::Medium) => Roughness::Medium,
            Some(RoughnessOf::Rough) => Roughness::Rough,
        }
    }

    /// The optics of tables of clouds.
    pub(super) fn cloud_optics(&self, tables: &CloudTables) -> CloudOptics {
        let mut optics = CloudOptics::new(tables, self.roughness());
        if self.rain_as_liquid {
            optics = optics.rain_as_liquid();
        }
        if self.snow_as_ice {
            optics = optics.snow_as_ice();
        }
        optics
    }
}
