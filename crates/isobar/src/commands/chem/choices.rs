//! How cells are integrated.

use clap::{Args, ValueEnum};
use isobar_kpp::Mechanism;
use isobar_rosenbrock::{Method, Negative, Options, Rates};

use crate::commands::Failure;

/// Method, tolerances and the like.
#[derive(Args, Debug)]
pub(super) struct Choices {
    /// ros2, ros3, ros4, rodas3 or rodas4
    #[arg(long, default_value = "rodas3", value_parser = method)]
    method: Method,
    /// Relative tolerance
    #[arg(long, value_name = "R", default_value_t = 1e-3)]
    rtol: f64,
    /// Absolute tolerance in molecule cm-3
    #[arg(long, value_name = "A", default_value_t = 1.0, allow_negative_numbers = true)]
    atol: f64,
    /// Tolerance of a species: NAME=RELATIVE,ABSOLUTE
    #[arg(long, value_name = "NAME=R,A", value_parser = tolerance)]
    tolerance: Vec<(String, [f64; 2])>,
    /// When rate constants are computed
    #[arg(long, value_enum, default_value = "frozen")]
    rates: When,
    /// What becomes of negative concentrations
    #[arg(long, value_enum, default_value = "keep")]
    negative: Kept,
    /// A cell fails when it attempts more steps in an interval
    #[arg(long, value_name = "N", default_value_t = 200_000)]
    max_steps: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum When {
    /// At the start of each interval
    Frozen,
    /// At the start of each step
    Step,
    /// At each stage of a step
    Stage,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Kept {
    /// They stay
    Keep,
    /// They become 0 when a step is accepted
    Clip,
    /// Steps that lead below minus the tolerance are rejected
    Reject,
}

fn method(text: &str) -> Result<Method, String> {
    Method::named(text).ok_or_else(|| format!("none of {}", Method::ALL.map(Method::name).join(", ")))
}

/// `O3=1e-4,1e5`.
fn tolerance(text: &str) -> Result<(String, [f64; 2]), String> {
    let parts = text.split_once('=').and_then(|(name, rest)| Some((name, rest.split_once(',')?)));
    let (name, (relative, absolute)) = parts.ok_or("not of the form NAME=RELATIVE,ABSOLUTE")?;
    let number = |text: &str| text.trim().parse::<f64>().map_err(|_| format!("{text:?} is not a number"));
    Ok((name.to_owned(), [number(relative)?, number(absolute)?]))
}

impl Choices {
    pub(super) fn options(&self, mechanism: &Mechanism) -> Result<Options, Failure> {
        let mut options = Options::new(self.method, self.rtol, self.atol);
        if !self.tolerance.is_empty() {
            let all = |value: f64| vec![value; mechanism.variable()];
            (options.relative_tolerance, options.absolute_tolerance) = (all(self.rtol), all(self.atol));
            for (name, [relative, absolute]) in &self.tolerance {
                let known = mechanism.species_index(name).filter(|&species| species < mechanism.variable());
                let species = known.ok_or_else(|| {
                    Failure::new(format!("--tolerance: the mechanism has no variable species {name}"))
                })?;
                (options.relative_tolerance[species], options.absolute_tolerance[species]) = (*relative, *absolute);
            }
        }
        options.rates = match self.rates {
            When::Frozen => Rates::Frozen,
            When::Step => Rates::Step,
            When::Stage => Rates::Stage,
        };
        options.negative = match self.negative {
            Kept::Keep => Negative::Keep,
            Kept::Clip => Negative::Clip,
            Kept::Reject => Negative::Reject,
        };
        // Within an interval rates change by the time alone, if at all.
        options.autonomous = options.rates != Rates::Stage || !mechanism.program().depends_on_time();
        options.max_steps = self.max_steps;
        options.validate(mechanism.variable())?;
        Ok(options)
    }

    /// What `--rates` says, if that is not the default.
    pub(super) fn changing_rates(&self) -> Option<&'static str> {
        match self.rates {
            When::Frozen => None,
            When::Step => Some("step"),
            When::Stage => Some("stage"),
        }
    }

    /// In words.
    pub(super) fn describe(&self) -> String {
        let rates = match self.rates {
            When::Frozen => "frozen in each interval",
            When::Step => "computed at each step",
            When::Stage => "computed at each stage",
        };
        let (rtol, atol) = (self.rtol, self.atol);
        format!("{}, rtol {rtol:e}, atol {atol:e} molecule cm-3, rates {rates}", self.method.name())
    }
}
