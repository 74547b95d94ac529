//! Options of columns that are drawn from a file's.

use std::num::NonZeroUsize;

use clap::Args;
use isobar_io::Parts;
use isobar_io::netcdf::Part;

use crate::program::options::positive;

/// What is drawn.
#[derive(Args, Debug)]
pub(in crate::commands) struct SampleChoices {
    /// Instead of the file's columns, compute this number that are drawn from them, each one of the file's, changed at
    /// random (--vary), with the random numbers of --seed: training data. The output has the inputs, too; what was
    /// computed stays if the command is stopped, and the same command goes on
    #[arg(long, value_name = "N")]
    pub(super) samples: Option<NonZeroUsize>,
    /// How far columns are changed, separated by commas. Temperatures: a standard deviation in K. cosine_zenith:
    /// anywhere up to this far from the file's. What lies between 0 and 1, such as albedos and cloud fractions: the
    /// standard deviation of the logarithm of the odds x / (1 - x). Gases, paths and sizes: that of the logarithm.
    /// Temperatures of levels go with those of layers, the albedo for diffuse light with that for the beam
    #[arg(
        long,
        value_delimiter = ',',
        value_name = "NAME=SPREAD",
        value_parser = spread,
        requires = "samples",
        default_value = DEFAULT
    )]
    pub(super) vary: Vec<(String, f64)>,
    /// Over which part of the logarithm of pressure changes of layers are alike: their correlation is
    /// exp(-|ln(p1 / p2)| / L)
    #[arg(long, value_name = "L", value_parser = positive, requires = "samples", default_value_t = 1.0)]
    pub(super) correlation: f64,
}

/// Samples that are drawn, computed and written at a time, where `--at-once` is not given.
const AT_ONCE: usize = 10_000;

/// Where `--vary` is not given; what a file does not have stays out of it.
const DEFAULT: &str = "temperature=3,surface_temperature=3,h2o=0.3,cosine_zenith=2,liquid_water_path=0.5,\
                                  ice_water_path=0.5";

impl SampleChoices {
    /// In what parts samples are computed.
    pub(super) fn parts(&self, at_once: Option<usize>) -> Option<Parts> {
        let (size, step) = (self.samples?.get(), at_once.unwrap_or(AT_ONCE));
        let dimension = "column".to_owned();
        let part = |start| Part { dimension: dimension.clone(), range: start..(start + step).min(size), faces: None };
        Some(Parts {
            all: (0..size).step_by(step).map(part).collect(),
            size,
            columns: size,
            dimension: dimension.clone(),
        })
    }

    /// Is what changes left to the default?
    pub(super) fn is_default(&self) -> bool {
        DEFAULT.split(',').map(spread).eq(self.vary.iter().cloned().map(Ok))
    }
}

/// `h2o=0.3`.
fn spread(text: &str) -> Result<(String, f64), String> {
    let (name, value) = text.split_once('=').ok_or("not of the form NAME=SPREAD, such as h2o=0.3")?;
    let value = value.parse().ok().filter(|value: &f64| *value >= 0.0 && value.is_finite());
    Ok((name.to_owned(), value.ok_or("the spread is a number of at least 0")?))
}
