//! What is computed, and how.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use isobar_io::Outside;
use isobar_optics::CloudTables;
use isobar_radiation::{
    Angles, CloudOptics, CloudSolver, DeltaScaling, LongwaveScattering, Options, Overlap, Roughness,
};

use crate::commands::Failure;

/// Choices that there are with each k-distribution.
#[derive(Args, Debug)]
pub(in crate::commands) struct Choices {
    /// Pressures, temperatures and sizes of particles outside of the tables
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
    #[arg(long, value_name = "M", value_parser = length)]
    pub(in crate::commands) decorrelation: Option<f64>,
    /// For the random numbers of sub-columns: 1, unless it is given
    #[arg(long)]
    pub(super) seed: Option<u32>,
    /// Also write the fluxes of each band
    #[arg(long)]
    pub(in crate::commands) bands: bool,
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
    /// That of k-distributions of RRTMGP, ecCKD or our own.
    pub(in crate::commands) fn of_tables(self) -> Result<CloudSolver, Failure> {
        let refused = |solver: &str| {
            let why = "it is for RRTMG_LW's k-distribution; with all others there are mcica and tripleclouds";
            Err(Failure::usage(format!("--solver {solver}: {why}")))
        };
        match self {
            Self::Mcica => Ok(CloudSolver::McIca),
            Self::Tripleclouds => Ok(CloudSolver::Tripleclouds),
            Self::Random => refused("random"),
            Self::MaximumRandom => refused("maximum-random"),
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

/// A length that is positive.
fn length(text: &str) -> Result<f64, String> {
    let value = text.parse().ok().filter(|value: &f64| *value > 0.0 && value.is_finite());
    value.ok_or_else(|| "not a number in (0, inf)".to_owned())
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
    /// Also write the derivative of the upward long-wave flux by the surface's temperature
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

/// All choices of a computation.
#[derive(Clone, Copy)]
pub(in crate::commands) struct AllChoices<'a> {
    pub(in crate::commands) common: &'a Choices,
    pub(in crate::commands) of_tables: &'a TableChoices,
    /// None where the short wave alone is computed.
    pub(in crate::commands) longwave: Option<&'a LongwaveChoices>,
}

impl AllChoices<'_> {
    fn angles(&self) -> Angles {
        self.longwave.and_then(|longwave| longwave.angles).unwrap_or_default()
    }

    pub(super) fn scattering(&self) -> Option<ScatteringOf> {
        self.longwave.and_then(|longwave| longwave.longwave_scattering)
    }

    pub(super) fn scales_mixtures(&self) -> bool {
        self.of_tables.delta_scaling == Some(DeltaScalingOf::Mixture)
    }

    fn longwave_scattering(&self) -> LongwaveScattering {
        match self.scattering() {
            None | Some(ScatteringOf::None) => LongwaveScattering::None,
            Some(ScatteringOf::Rescaled) => LongwaveScattering::Rescaled,
            Some(ScatteringOf::TwoStream) => LongwaveScattering::TwoStream,
        }
    }

    /// The options of the scheme, for a computation of these spectra.
    pub(super) fn scheme(&self, [longwave, shortwave]: [bool; 2]) -> Result<Options, Failure> {
        let without = |option: &str| Err(Failure::usage(format!("{option}: no long wave is computed")));
        if !shortwave && self.of_tables.delta_scaling.is_some() {
            return Err(Failure::usage("--delta-scaling: no short wave is computed".to_owned()));
        }
        self.refuse_useless()?;
        let cloud_solver = self.common.solver().of_tables()?;
        if let (false, Some(choices)) = (longwave, self.longwave) {
            if choices.angles.is_some() {
                return without("--angles");
            }
            if choices.longwave_scattering.is_some() {
                return without("--longwave-scattering");
            }
            if choices.derivative {
                return without("--derivative");
            }
        }
        let default = Options::default();
        Ok(Options {
            angles: self.angles(),
            longwave_scattering: self.longwave_scattering(),
            derivative: self.longwave.is_some_and(|longwave| longwave.derivative),
            clear_sky: self.of_tables.clear_sky,
            cloud_solver,
            delta_scaling: match self.of_tables.delta_scaling {
                None | Some(DeltaScalingOf::Particles) => DeltaScaling::Particles,
                Some(DeltaScalingOf::Mixture) => DeltaScaling::Mixture,
            },
            band_fluxes: self.common.bands,
            overlap: match self.common.overlap() {
                OverlapOf::Random => Overlap::Random,
                OverlapOf::MaximumRandom => Overlap::MaximumRandom,
                OverlapOf::Maximum => Overlap::Maximum,
                OverlapOf::Exponential => Overlap::Exponential,
                OverlapOf::ExponentialRandom => Overlap::ExponentialRandom,
            },
            decorrelation_m: self.common.decorrelation.unwrap_or(default.decorrelation_m),
            ..default
        })
    }

    /// What is computed of these spectra, in words.
    pub(super) fn in_words(&self, scheme: &Options, [longwave, shortwave]: [bool; 2], cloudy: bool) -> String {
        let mut parts = Vec::new();
        if longwave {
            let angles = match scheme.angles {
                Angles::Own | Angles::Gauss(1) => "one angle".to_owned(),
                Angles::Gauss(count) => format!("{count} angles"),
                Angles::Best => "the best angle".to_owned(),
                Angles::Secant(secant) => format!("an angle of secant {secant}"),
            };
            parts.push(match scheme.longwave_scattering {
                LongwaveScattering::None => format!("long-wave radiation without scattering, {angles}"),
                LongwaveScattering::Rescaled => format!("long-wave radiation with rescaled scattering, {angles}"),
                LongwaveScattering::TwoStream => "long-wave radiation by two streams".to_owned(),
            });
        }
        parts.extend(shortwave.then(|| {
            let mixture = scheme.delta_scaling == DeltaScaling::Mixture;
            format!(
                "short-wave radiation by two streams (PIFM){}",
                if mixture { ", delta scaling of particles and gases together" } else { "" }
            )
        }));
        if cloudy {
            let over = if scheme.overlap.is_exponential() {
                format!(" over {} m", scheme.decorrelation_m)
            } else {
                String::new()
            };
            let overlap = self.common.overlap().to_possible_value();
            let overlap = overlap.map(|value| value.get_name().to_owned()).unwrap_or_default();
            parts.push(match scheme.cloud_solver {
                CloudSolver::McIca => {
                    format!("sub-columns (McICA), overlap {overlap}{over}, seed {}", self.common.seed())
                }
                CloudSolver::Tripleclouds => format!("Tripleclouds, overlap {overlap}{over}"),
            });
            let stand_ins = [
                (self.of_tables.rain_as_liquid, "optics of droplets for rain that has none"),
                (self.of_tables.snow_as_ice, "optics of ice for snow that has none"),
            ];
            parts.extend(stand_ins.into_iter().filter(|(is, _)| *is).map(|(_, text)| text.to_owned()));
        } else {
            parts.push("clear sky".to_owned());
        }
        parts.join("; ")
    }
}
