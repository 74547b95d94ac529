//! What is computed, and how.

use clap::{Args, ValueEnum};
use isobar_io::LongwaveInput;
use isobar_longwave::{Decorrelation, IceOptics, LiquidOptics, Options, Overlap, Solver, Subcolumns, Transmittance};

use super::super::{Longwave, Useless};
use crate::commands::radiation::choices::{OverlapOf, SolverOf};
use crate::commands::radiation::no_effect::warn_of;

/// Choices with RRTMG_LW's k-distribution alone.
#[derive(Args, Debug)]
pub(crate) struct RrtmgChoices {
    /// Transmittances by RRTMG_LW's table, to compare with it digit by digit
    #[arg(long)]
    rrtmg_exact: bool,
    /// Add an isothermal layer between the highest level and 1e-4 hPa, as many hosts do: without it nothing radiates
    /// from above
    #[arg(long)]
    pub(super) top_layer: bool,
    /// How ice absorbs: fu, unless it is given
    #[arg(long, value_enum)]
    ice: Option<Ice>,
    /// How droplets absorb: hu-stamnes, unless it is given
    #[arg(long, value_enum)]
    liquid: Option<Liquid>,
    /// Angles along which radiation is followed, 1 to 4: 1, the mean angle of RRTMG_LW, unless they are given
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=4))]
    slants: Option<u8>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Ice {
    /// One coefficient over the effective radius, 10 um or more (`iceflag` 0)
    One,
    /// Ebert and Curry, effective radius 13 to 130 um (1)
    EbertCurry,
    /// Spheres, effective radius 5 to 131 um (2)
    Spheres,
    /// Fu, generalised effective size 5 to 140 um (3)
    Fu,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Liquid {
    /// One coefficient for all (`liqflag` 0)
    One,
    /// Hu and Stamnes, effective radius 2.5 to 60 um (1)
    HuStamnes,
}

impl RrtmgChoices {
    /// The first that other k-distributions have no use for.
    pub(in crate::commands::longwave) fn with_tables(&self) -> Useless {
        [
            (self.rrtmg_exact, "--rrtmg-exact", "it is for RRTMG_LW's"),
            (self.top_layer, "--top-layer", "it is for RRTMG_LW's; others want columns up to their top"),
            (self.ice.is_some(), "--ice", "it is for RRTMG_LW's; of others the tables of --clouds say how ice absorbs"),
            (
                self.liquid.is_some(),
                "--liquid",
                "it is for RRTMG_LW's; of others the tables of --clouds say how droplets absorb",
            ),
            (self.slants.is_some(), "--slants", "it is for RRTMG_LW's; others have --angles"),
        ]
        .into_iter()
        .find(|(given, ..)| *given)
        .map(|(_, option, why)| (option, why))
    }
}

impl Longwave {
    /// Options without effect with these columns.
    pub(super) fn warn_of_useless(&self, input: &LongwaveInput) {
        let columns = &input.columns;
        let there = |paths: &[f64]| {
            let mut both = paths.iter().zip(&columns.cloud_fraction);
            both.any(|(&path, &fraction)| path > 0.0 && fraction > 0.0)
        };
        let by_depth = !columns.cloud_optical_depth.is_empty();
        let (liquid, ice) = (&columns.liquid_path_g_per_m2, &columns.ice_path_g_per_m2);
        let wet = |index: usize| by_depth || liquid[index] > 0.0 || ice[index] > 0.0;
        let fractions: Vec<f64> =
            columns.cloud_fraction.iter().enumerate().filter(|(index, _)| wet(*index)).map(|(_, &part)| part).collect();
        let cloudy = fractions.iter().any(|&fraction| fraction > 0.0);
        warn_of(self.choices.with_clouds(fractions.into_iter()));
        let given = by_depth.then_some("the file has optical depths of clouds");
        let none = |there: bool, what: &'static str| given.or((!there).then_some(what));
        warn_of([
            self.choices.assumed(cloudy, &input.notes),
            ("--ice", self.of_rrtmg.ice.is_some(), none(there(ice), "there is no ice")),
            ("--liquid", self.of_rrtmg.liquid.is_some(), none(there(liquid), "there are no droplets")),
        ]);
    }

    pub(super) fn scheme(&self) -> Options {
        let (choices, rrtmg) = (&self.choices, &self.of_rrtmg);
        let default = Subcolumns::default();
        Options {
            transmittance: if rrtmg.rrtmg_exact { Transmittance::Table } else { Transmittance::Exact },
            slants: rrtmg.slants.map_or(1, Into::into),
            derivative: self.longwave.derivative,
            band_fluxes: choices.bands,
            solver: match choices.solver() {
                // Tripleclouds was refused.
                SolverOf::Mcica | SolverOf::Tripleclouds => Solver::Subcolumns,
                SolverOf::Random => Solver::Random,
                SolverOf::MaximumRandom => Solver::MaximumRandom,
            },
            ice: match rrtmg.ice {
                Some(Ice::One) => IceOptics::OneCoefficient,
                Some(Ice::EbertCurry) => IceOptics::EbertCurry,
                Some(Ice::Spheres) => IceOptics::Spheres,
                None | Some(Ice::Fu) => IceOptics::Fu,
            },
            liquid: match rrtmg.liquid {
                Some(Liquid::One) => LiquidOptics::OneCoefficient,
                None | Some(Liquid::HuStamnes) => LiquidOptics::HuStamnes,
            },
            subcolumns: Subcolumns {
                overlap: match choices.overlap() {
                    OverlapOf::Random => Overlap::Random,
                    OverlapOf::MaximumRandom => Overlap::MaximumRandom,
                    OverlapOf::Maximum => Overlap::Maximum,
                    OverlapOf::Exponential => Overlap::Exponential,
                    OverlapOf::ExponentialRandom => Overlap::ExponentialRandom,
                },
                seed: choices.seed(),
                decorrelation: choices.decorrelation.map_or(default.decorrelation, Decorrelation::Length),
            },
            ..Options::default()
        }
    }
}

/// What is computed, in words.
pub(super) fn in_words(scheme: &Options, cloudy: bool) -> String {
    let transmittance = match scheme.transmittance {
        Transmittance::Exact => "exact transmittances",
        Transmittance::Table => "transmittances by RRTMG_LW's table",
    };
    let angles = match scheme.slants {
        1 => "the mean angle".to_owned(),
        slants => format!("{slants} angles"),
    };
    let mut text = format!("long-wave radiation as RRTMG_LW 5.0 computes it, {transmittance}, {angles}");
    if !cloudy {
        return text + ", clear sky";
    }
    let subcolumns = &scheme.subcolumns;
    text += &match scheme.solver {
        Solver::Subcolumns => {
            format!(", sub-columns (McICA), overlap {}, KISS, seed {}", overlap(subcolumns), subcolumns.seed)
        }
        Solver::Random => ", cloud fractions with random overlap".to_owned(),
        Solver::MaximumRandom => ", cloud fractions with maximum-random overlap".to_owned(),
    };
    text + &format!(", iceflag {}, liqflag {}", scheme.ice.flag(), scheme.liquid.flag())
}

fn overlap(subcolumns: &Subcolumns) -> String {
    let (length, _) = subcolumns.decorrelation.parameters();
    match subcolumns.overlap {
        Overlap::Random => "random".to_owned(),
        Overlap::MaximumRandom => "maximum-random".to_owned(),
        Overlap::Maximum => "maximum".to_owned(),
        Overlap::Exponential => format!("exponential over {length} m"),
        Overlap::ExponentialRandom => format!("exponential-random over {length} m"),
    }
}
