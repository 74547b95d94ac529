//! What is computed, and how.

use clap::{Args, ValueEnum};
use isobar_io::radiation::Outside;
use isobar_radiation::{Angles, Options, Overlap, Roughness};

/// Choices about the scheme.
#[derive(Args, Debug)]
pub(super) struct Choices {
    /// Angles along which long-wave radiation is followed: own, the one for which the k-distribution was made; 1 to 4 of a
    /// quadrature; best, one whose secant suits each g-point, with k-distributions of RRTMGP
    #[arg(long, value_name = "own|N|best", default_value = "own", value_parser = angles)]
    angles: Angles,
    /// Pressures and temperatures outside of the tables
    #[arg(long, value_enum, default_value = "extrapolate")]
    outside: OutsidePolicy,
    /// Leave out clouds
    #[arg(long)]
    no_clouds: bool,
    /// Also write fluxes without clouds
    #[arg(long)]
    clear_sky: bool,
    /// How clouds of different layers overlap
    #[arg(long, value_enum, default_value = "maximum-random")]
    overlap: OverlapOf,
    /// Distance over which exponential overlap is lost [m]
    #[arg(long, value_name = "M", default_value_t = 2000.0)]
    decorrelation: f64,
    /// For the random numbers of sub-columns
    #[arg(long, default_value_t = 1)]
    pub(super) seed: u32,
    /// How rough the ice of clouds is
    #[arg(long, value_enum, default_value = "medium")]
    roughness: RoughnessOf,
    /// Also write the derivative of the upward long-wave flux by the surface's temperature
    #[arg(long)]
    derivative: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum OutsidePolicy {
    /// Leave them, and count: ecCKD's tables hold the values of their ends, RRTMGP's refuse such layers
    Extrapolate,
    /// Bring them to the ends of the tables, and count
    Clamp,
    /// Stop
    Error,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum OverlapOf {
    /// At random
    Random,
    /// As much as possible within a cloud, at random across clear layers
    MaximumRandom,
    /// As much as possible
    Maximum,
    /// Less with distance
    Exponential,
    /// Less with distance within a cloud, at random across clear layers
    ExponentialRandom,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum RoughnessOf {
    /// Smooth
    Smooth,
    /// Between
    Medium,
    /// Rough
    Rough,
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

impl Choices {
    pub(super) fn scheme(&self) -> Options {
        Options {
            angles: self.angles,
            derivative: self.derivative,
            clear_sky: self.clear_sky,
            overlap: match self.overlap {
                OverlapOf::Random => Overlap::Random,
                OverlapOf::MaximumRandom => Overlap::MaximumRandom,
                OverlapOf::Maximum => Overlap::Maximum,
                OverlapOf::Exponential => Overlap::Exponential,
                OverlapOf::ExponentialRandom => Overlap::ExponentialRandom,
            },
            decorrelation_m: self.decorrelation,
            ..Options::default()
        }
    }

    pub(super) fn clouds(&self) -> bool {
        !self.no_clouds
    }

    pub(super) fn roughness(&self) -> Roughness {
        match self.roughness {
            RoughnessOf::Smooth => Roughness::Smooth,
            RoughnessOf::Medium => Roughness::Medium,
            RoughnessOf::Rough => Roughness::Rough,
        }
    }

    pub(super) fn outside(&self) -> Outside {
        match self.outside {
            OutsidePolicy::Error => Outside::Error,
            OutsidePolicy::Clamp => Outside::Clamp,
            OutsidePolicy::Extrapolate => Outside::Extrapolate,
        }
    }

    /// What is computed of these spectra, in words.
    pub(super) fn in_words(&self, [longwave, shortwave]: [bool; 2], cloudy: bool) -> String {
        let mut parts = Vec::new();
        if longwave {
            let angles = match self.angles {
                Angles::Own | Angles::Gauss(1) => "one angle".to_owned(),
                Angles::Gauss(count) => format!("{count} angles"),
                Angles::Best => "the best angle".to_owned(),
                Angles::Secant(secant) => format!("an angle of secant {secant}"),
            };
            parts.push(format!("long-wave radiation without scattering, {angles}"));
        }
        parts.extend(shortwave.then(|| "short-wave radiation by two streams (PIFM)".to_owned()));
        if cloudy {
            let over = if self.scheme().overlap.is_exponential() {
                format!(" over {} m", self.decorrelation)
            } else {
                String::new()
            };
            let overlap = self.overlap.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default();
            parts.push(format!("sub-columns (McICA), overlap {overlap}{over}, seed {}", self.seed));
        } else {
            parts.push("clear sky".to_owned());
        }
        parts.join("; ")
    }
}
