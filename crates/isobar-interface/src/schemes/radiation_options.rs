//! Options of radiation by name: what they are unless they are given, what is joined, and which have no effect.

use isobar_radiation::rrtmg::Decorrelation;
use isobar_radiation::{CloudSolver, Options};
use serde_json::{Map, Value};

use super::as_defaults;
use crate::error::CallError;
use crate::options;

/// The group of RRTMG_LW's own choices.
const GROUP: &str = "rrtmg";
/// The distance over which exponential overlap is lost, in all k-distributions but RRTMG_LW's, and in that.
const LENGTH: &str = "decorrelation_m";
const DECORRELATION: &str = "decorrelation";

/// What is computed.
#[derive(Clone, Copy)]
pub(super) struct Computed {
    pub(super) longwave: bool,
    pub(super) shortwave: bool,
    /// Is the long wave RRTMG_LW's?
    pub(super) is_rrtmg: bool,
}

impl Computed {
    /// What options are unless they are given: RRTMG_LW alone has a heat capacity of its own.
    pub(super) fn defaults(self) -> Map<String, Value> {
        let of_rrtmg = self.is_rrtmg && !self.shortwave;
        let own = if of_rrtmg { Options { clear_sky: false, ..Options::of_rrtmg() } } else { Options::default() };
        as_defaults(&own, &[])
    }

    /// Options by name, and in a sentence each those that are given and have no effect. A length of decorrelation is
    /// that of both waves, whichever of the two options has it.
    pub(super) fn read(
        self,
        defaults: &Map<String, Value>,
        given: &Map<String, Value>,
    ) -> Result<(Options, Vec<String>), CallError> {
        let (mut given, value) = (given.clone(), find(given, DECORRELATION).cloned());
        given.remove(DECORRELATION);
        given.get_mut(GROUP).and_then(Value::as_object_mut).and_then(|group| group.remove(DECORRELATION));
        let mut options: Options = options::read(defaults, &given)?;
        let has_length = find(&given, LENGTH).is_some();
        match value {
            Some(value) => {
                let decorrelation: Decorrelation = serde_json::from_value(value.clone())
                    .map_err(|error| CallError::Setup(format!("the option '{DECORRELATION}' is {value}: {error}")))?;
                decorrelation.check()?;
                options.rrtmg.decorrelation = decorrelation;
                if let (Decorrelation::Length(length), false) = (decorrelation, has_length) {
                    options.decorrelation_m = length;
                }
                given.insert(DECORRELATION.to_owned(), value);
            }
            None if has_length => options.rrtmg.decorrelation = Decorrelation::Length(options.decorrelation_m),
            None => {}
        }
        options.check()?;
        let useless = self.useless(&options, &given);
        Ok((options, useless))
    }

    /// Options without effect.
    fn useless(self, options: &Options, given: &Map<String, Value>) -> Vec<String> {
        let is_given = |name: &str| find(given, name).is_some();
        let if_so = |so: bool, why: &'static str| so.then_some(why);
        let no_longwave = if_so(!self.longwave, "no long wave is computed");
        let of_rrtmg = |why: &'static str| if_so(!self.is_rrtmg, why);
        let overlap = if_so(options.cloud_solver == CloudSolver::Fractions, "fractions of clouds have no such overlap")
            .or(if_so(!options.overlap.is_exponential(), "it is of the overlap exponential and exponential_random"));
        let (both, others) = (is_given(LENGTH) && is_given(DECORRELATION), self.shortwave || !self.is_rrtmg);
        let by_latitude = matches!(options.rrtmg.decorrelation, Decorrelation::Latitude { .. });
        let rules = [
            ("transmittance", is_given("transmittance"), of_rrtmg("it is for RRTMG_LW's k-distribution")),
            (
                "ice",
                is_given("ice"),
                of_rrtmg("it is for RRTMG_LW's; of others the tables of clouds say how ice absorbs"),
            ),
            (
                "liquid",
                is_given("liquid"),
                of_rrtmg("it is for RRTMG_LW's; of others the tables of clouds say how droplets absorb"),
            ),
            ("delta_scaling", is_given("delta_scaling"), if_so(!self.shortwave, "no short wave is computed")),
            ("angles", is_given("angles"), no_longwave),
            ("derivative", options.derivative, no_longwave),
            ("longwave_scattering", is_given("longwave_scattering"), no_longwave),
            (LENGTH, is_given(LENGTH), overlap.or(if_so(both && !others, "RRTMG_LW's is the option decorrelation"))),
            (
                DECORRELATION,
                is_given(DECORRELATION),
                overlap.or(of_rrtmg("it is decorrelation_m but for RRTMG_LW").filter(|_| both || by_latitude)),
            ),
            (
                "seed",
                is_given("seed"),
                if_so(options.cloud_solver != CloudSolver::McIca, "random numbers are those of the cloud_solver mcica"),
            ),
        ];
        let useless = rules.into_iter().filter(|(_, is_given, _)| *is_given);
        useless.filter_map(|(name, _, why)| Some(format!("the option {name} has no effect: {}", why?))).collect()
    }
}

/// An option that is given, perhaps in its group.
fn find<'a>(given: &'a Map<String, Value>, name: &str) -> Option<&'a Value> {
    let of_group = || given.get(GROUP)?.get(name);
    given.get(name).or_else(of_group).filter(|value| !value.is_null())
}
