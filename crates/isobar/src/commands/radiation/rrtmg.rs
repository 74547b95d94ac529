//! Options with RRTMG_LW's k-distribution of the long wave.

use clap::{Args, ValueEnum};
use isobar_radiation::rrtmg::{Decorrelation, IceOptics, LiquidOptics, Options, Transmittance};

use super::choices::Choices;

/// Choices with RRTMG_LW's k-distribution alone.
#[derive(Args, Debug)]
pub(in crate::commands) struct RrtmgChoices {
    /// Transmittances by RRTMG_LW's table, to compare with it digit by digit
    #[arg(long)]
    pub(super) rrtmg_exact: bool,
    /// How ice absorbs: fu, unless it is given
    #[arg(long, value_enum)]
    pub(super) ice: Option<Ice>,
    /// How droplets absorb: hu-stamnes, unless it is given
    #[arg(long, value_enum)]
    pub(super) liquid: Option<Liquid>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Ice {
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
pub(super) enum Liquid {
    /// One coefficient for all (`liqflag` 0)
    One,
    /// Hu and Stamnes, effective radius 2.5 to 60 um (1)
    HuStamnes,
}

impl RrtmgChoices {
    /// The options of RRTMG_LW's scheme.
    pub(super) fn scheme(&self, common: &Choices) -> Options {
        let default = Options::default();
        Options {
            transmittance: if self.rrtmg_exact { Transmittance::Table } else { Transmittance::Exact },
            ice: match self.ice {
                Some(Ice::One) => IceOptics::OneCoefficient,
                Some(Ice::EbertCurry) => IceOptics::EbertCurry,
                Some(Ice::Spheres) => IceOptics::Spheres,
                None | Some(Ice::Fu) => IceOptics::Fu,
            },
            liquid: match self.liquid {
                Some(Liquid::One) => LiquidOptics::OneCoefficient,
                None | Some(Liquid::HuStamnes) => LiquidOptics::HuStamnes,
            },
            seed: common.seed(),
            decorrelation: common.decorrelation.map_or(default.decorrelation, Decorrelation::Length),
        }
    }
}

/// What is computed of RRTMG_LW, in words.
pub(super) fn in_words(options: &Options, angles: &str) -> String {
    let transmittance = match options.transmittance {
        Transmittance::Exact => "exact transmittances",
        Transmittance::Table => "transmittances by RRTMG_LW's table",
    };
    format!("long-wave radiation as RRTMG_LW 5.0 computes it, {transmittance}, {angles}")
}
