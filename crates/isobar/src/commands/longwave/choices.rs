//! What is computed, and how.

use clap::{Args, ValueEnum};
use isobar_io::longwave::Outside;
use isobar_longwave::{IceOptics, LiquidOptics, Options, Overlap, Solver, Subcolumns, Transmittance};

/// Choices about the scheme.
#[derive(Args, Debug)]
pub(super) struct Choices {
    /// Transmittances by RRTMG_LW's table, to compare with it digit by digit
    #[arg(long)]
    rrtmg_exact: bool,
    /// Temperatures and pressures outside of the absorption tables
    #[arg(long, value_enum, default_value = "extrapolate")]
    outside: OutsidePolicy,
    /// Add an isothermal layer between the highest level and 1e-4 hPa, as many hosts do: without it nothing radiates
    /// from above
    #[arg(long)]
    pub(super) top_layer: bool,
    /// Leave out clouds
    #[arg(long)]
    no_clouds: bool,
    /// How clouds and clear sky share a layer
    #[arg(long, value_enum, default_value = "mcica")]
    solver: Of,
    /// How clouds of different layers overlap, with sub-columns
    #[arg(long, value_enum, default_value = "maximum-random")]
    overlap: OverlapOf,
    /// For the random numbers of sub-columns (`permuteseed`)
    #[arg(long, default_value_t = 1)]
    seed: u32,
    /// How ice absorbs
    #[arg(long, value_enum, default_value = "fu")]
    ice: Ice,
    /// How droplets absorb
    #[arg(long, value_enum, default_value = "hu-stamnes")]
    liquid: Liquid,
    /// Angles along which radiation is followed; 1 is the mean angle of RRTMG_LW
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=4))]
    slants: u8,
    /// Also write the fluxes of each band
    #[arg(long)]
    bands: bool,
    /// Also write the derivative of the upward flux by the surface's temperature
    #[arg(long)]
    derivative: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum OutsidePolicy {
    /// Extrapolate as RRTMG_LW does, and count
    Extrapolate,
    /// Bring them to the ends of the tables, and count
    Clamp,
    /// Stop
    Error,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Of {
    /// Each g-point sees clouds of its own: any overlap, and noise
    Mcica,
    /// Fractions, overlapping at random (`rtrn`)
    Random,
    /// Fractions, overlapping as much as possible within a cloud, at random otherwise (`rtrnmr`)
    MaximumRandom,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum OverlapOf {
    /// At random (`icld` 1)
    Random,
    /// As much as possible within a cloud, at random across clear layers (2)
    MaximumRandom,
    /// As much as possible (3)
    Maximum,
    /// Less with distance, over 2500 m (4)
    Exponential,
    /// Less with distance within a cloud, at random across clear layers (5)
    ExponentialRandom,
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

impl Choices {
    pub(super) fn scheme(&self) -> Options {
        Options {
            transmittance: if self.rrtmg_exact { Transmittance::Table } else { Transmittance::Exact },
            slants: self.slants.into(),
            derivative: self.derivative,
            band_fluxes: self.bands,
            solver: match self.solver {
                Of::Mcica => Solver::Subcolumns,
                Of::Random => Solver::Random,
                Of::MaximumRandom => Solver::MaximumRandom,
            },
            ice: match self.ice {
                Ice::One => IceOptics::OneCoefficient,
                Ice::EbertCurry => IceOptics::EbertCurry,
                Ice::Spheres => IceOptics::Spheres,
                Ice::Fu => IceOptics::Fu,
            },
            liquid: match self.liquid {
                Liquid::One => LiquidOptics::OneCoefficient,
                Liquid::HuStamnes => LiquidOptics::HuStamnes,
            },
            subcolumns: Subcolumns {
                overlap: match self.overlap {
                    OverlapOf::Random => Overlap::Random,
                    OverlapOf::MaximumRandom => Overlap::MaximumRandom,
                    OverlapOf::Maximum => Overlap::Maximum,
                    OverlapOf::Exponential => Overlap::Exponential,
                    OverlapOf::ExponentialRandom => Overlap::ExponentialRandom,
                },
                seed: self.seed,
                ..Subcolumns::default()
            },
            ..Options::default()
        }
    }

    pub(super) fn clouds(&self) -> bool {
        !self.no_clouds
    }

    pub(super) fn outside(&self) -> Outside {
        match self.outside {
            OutsidePolicy::Error => Outside::Error,
            OutsidePolicy::Clamp => Outside::Clamp,
            OutsidePolicy::Extrapolate => Outside::Extrapolate,
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
            format!(", sub-columns (McICA), overlap {}, KISS, seed {}", overlap(subcolumns.overlap), subcolumns.seed)
        }
        Solver::Random => ", cloud fractions with random overlap".to_owned(),
        Solver::MaximumRandom => ", cloud fractions with maximum-random overlap".to_owned(),
    };
    text + &format!(", iceflag {}, liqflag {}", scheme.ice.flag(), scheme.liquid.flag())
}

fn overlap(overlap: Overlap) -> &'static str {
    match overlap {
        Overlap::Random => "random",
        Overlap::MaximumRandom => "maximum-random",
        Overlap::Maximum => "maximum",
        Overlap::Exponential => "exponential over 2500 m",
        Overlap::ExponentialRandom => "exponential-random over 2500 m",
    }
}
