//! All choices of a computation: the options of the scheme, and in words what is computed.

use clap::ValueEnum;
use isobar_radiation::{Angles, CloudSolver, DeltaScaling, LongwaveScattering, Options, Overlap};

use super::choices::{Choices, DeltaScalingOf, LongwaveChoices, ScatteringOf, TableChoices};
use super::gradient_choices::GradientChoices;
use super::rrtmg::{self, RrtmgChoices};
use super::sample_choices::SampleChoices;
use crate::inputs::k_distributions::Tables;
use crate::program::failure::Failure;

/// All choices of a computation.
#[derive(Clone, Copy)]
pub(in crate::commands) struct AllChoices<'a> {
    pub(in crate::commands) common: &'a Choices,
    pub(in crate::commands) of_tables: &'a TableChoices,
    /// None where the short wave alone is computed.
    pub(in crate::commands) longwave: Option<&'a LongwaveChoices>,
    /// None where there are no derivatives.
    pub(in crate::commands) gradient: Option<&'a GradientChoices>,
    /// None where columns are the file's.
    pub(in crate::commands) samples: Option<&'a SampleChoices>,
    /// None where the short wave alone is computed.
    pub(in crate::commands) of_rrtmg: Option<&'a RrtmgChoices>,
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

    /// The options of the scheme, for a computation of these spectra, the long wave RRTMG_LW's or another one's.
    pub(super) fn scheme(&self, [longwave, shortwave]: [bool; 2], is_rrtmg: bool) -> Result<Options, Failure> {
        let without = |option: &str| Err(Failure::usage(format!("{option}: no long wave is computed")));
        if !shortwave && self.of_tables.delta_scaling.is_some() {
            return Err(Failure::usage("--delta-scaling: no short wave is computed".to_owned()));
        }
        self.refuse_useless()?;
        let (cloud_solver, overlap) = self.common.solver().of_scheme(is_rrtmg && !shortwave)?;
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
        let default = if is_rrtmg && !shortwave { Options::of_rrtmg() } else { Options::default() };
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
            overlap: overlap.unwrap_or_else(|| self.common.overlap().into()),
            decorrelation_m: self.common.decorrelation.unwrap_or(default.decorrelation_m),
            rrtmg: self.of_rrtmg.map(|choices| choices.scheme(self.common)).unwrap_or_default(),
            ..default
        })
    }

    /// What is computed of these spectra, in words.
    pub(super) fn in_words(&self, scheme: &Options, tables: &Tables, cloudy: bool) -> String {
        let ([longwave, shortwave], is_rrtmg) = (tables.waves(), tables.rrtmg_path().is_some());
        let mut parts = Vec::new();
        if longwave {
            let angles = match scheme.angles {
                Angles::Own if is_rrtmg => "the mean angle".to_owned(),
                Angles::Own | Angles::Gauss(1) => "one angle".to_owned(),
                Angles::Gauss(count) => format!("{count} angles"),
                Angles::Best => "the best angle".to_owned(),
                Angles::Secant(secant) => format!("an angle of secant {secant}"),
            };
            parts.push(match scheme.longwave_scattering {
                _ if is_rrtmg => rrtmg::in_words(&scheme.rrtmg, &angles),
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
                let [length, of_rrtmg] = [scheme.decorrelation_m, scheme.rrtmg.decorrelation.parameters().0];
                format!(" over {} m", if is_rrtmg && !shortwave { of_rrtmg } else { length })
            } else {
                String::new()
            };
            let overlap = self.common.overlap().to_possible_value();
            let overlap = overlap.map(|value| value.get_name().to_owned()).unwrap_or_default();
            parts.push(match scheme.cloud_solver {
                CloudSolver::Fractions => {
                    let random = if scheme.overlap == Overlap::Random { "random" } else { "maximum-random" };
                    format!("cloud fractions with {random} overlap")
                }
                CloudSolver::McIca => {
                    format!("sub-columns (McICA), overlap {overlap}{over}, seed {}", self.common.seed())
                }
                CloudSolver::Tripleclouds => format!("Tripleclouds, overlap {overlap}{over}"),
            });
            let stand_ins = [
                (self.of_tables.rain_as_liquid, "optics of droplets for rain that has none"),
                (self.of_tables.snow_as_ice, "optics of ice for snow that has none"),
            ];
            let flags = (scheme.rrtmg.ice.flag(), scheme.rrtmg.liquid.flag());
            parts.extend(is_rrtmg.then(|| format!("iceflag {}, liqflag {}", flags.0, flags.1)));
            parts.extend(stand_ins.into_iter().filter(|(is, _)| *is).map(|(_, text)| text.to_owned()));
        } else {
            parts.push("clear sky".to_owned());
        }
        parts.join("; ")
    }
}
