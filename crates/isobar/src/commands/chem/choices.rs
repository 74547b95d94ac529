//! How cells are integrated.

use std::path::Path;

use clap::{Args, ValueEnum};
use isobar_io::chemistry::ModelRun;
use isobar_kpp::Mechanism;
use isobar_rosenbrock::{Method, Negative, Options, Rates};

use super::reduction::{self, OfCells, ReductionChoice};
use super::retry::Retry;
use crate::program::failure::Failure;
use crate::program::options::positive;

/// Method, tolerances and the like.
#[derive(Args, Debug)]
pub(super) struct Choices {
    /// ros2, ros3, ros4, rodas3, rodas3.1, rodas4 or rang3
    /// [default: rodas3, or that of the model's cells]
    #[arg(long, value_parser = method)]
    method: Option<Method>,
    /// Relative tolerance
    #[arg(long, value_name = "R", default_value_t = 1e-3)]
    rtol: f64,
    /// Absolute tolerance in molecule cm-3 [default: 1, or those of the model's cells]
    #[arg(long, value_name = "A", allow_negative_numbers = true)]
    atol: Option<f64>,
    /// Tolerance of a species: NAME=RELATIVE,ABSOLUTE
    #[arg(long, value_name = "NAME=R,A", value_parser = tolerance)]
    tolerance: Vec<(String, [f64; 2])>,
    /// Species whose absolute tolerance is as large as this, or larger, react but do not count in the steps' mean error
    #[arg(long, value_name = "A", value_parser = positive)]
    passive_atol: Option<f64>,
    /// When rate constants are computed
    #[arg(long, value_enum, default_value = "frozen")]
    rates: When,
    /// What becomes of negative concentrations [default: keep, or as the model's cells say]
    #[arg(long, value_enum)]
    negative: Option<Kept>,
    /// First step of cells that have none of their own, in seconds
    #[arg(long, value_name = "S", default_value = "1e-5", value_parser = positive)]
    first_step: f64,
    /// Steps follow the digital filter H211b with this b (2 to 8) and k (the order of the method's error unless given)
    #[arg(long, value_name = "B[,K]", value_parser = filter)]
    h211b: Option<(f64, Option<f64>)>,
    /// The first step of the next interval
    #[arg(long, value_enum, default_value = "longest")]
    carry_step: CarriedStep,
    /// A cell fails when it attempts more steps in an interval [default: 200000, or as the model's cells say]
    #[arg(long, value_name = "N")]
    max_steps: Option<u32>,
    #[command(flatten)]
    reduction: ReductionChoice,
    /// Cells that fail in an interval start it again with a first step of 1e-5 s, without autoreduction, and with these
    /// choices: `again`, or some of METHOD, rtol=R, atol=A, clip, steps=N. Several times: one after the other
    #[arg(long, value_name = "CHOICES")]
    retry: Vec<Retry>,
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

/// What an interval starts with that another one precedes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum CarriedStep {
    /// The step that would follow, or the last one before the interval's end cut it short, if that is longer
    Longest,
    /// The step that would follow, as GEOS-Chem keeps it of KPP (Hnew)
    Hnew,
    /// That of the first interval
    Start,
}

fn method(text: &str) -> Result<Method, String> {
    Method::named(text).ok_or_else(|| format!("none of {}", Method::ALL.map(Method::name).join(", ")))
}

/// `2` or `2,3`.
fn filter(text: &str) -> Result<(f64, Option<f64>), String> {
    let (b, k) = text.split_once(',').map_or((text, None), |(b, k)| (b, Some(k.trim())));
    let b = positive(b)?;
    if !(2.0..=8.0).contains(&b) {
        return Err(format!("{b} is not in [2, 8]"));
    }
    Ok((b, k.map(positive).transpose()?))
}

/// `O3=1e-4,1e5`.
fn tolerance(text: &str) -> Result<(String, [f64; 2]), String> {
    let parts = text.split_once('=').and_then(|(name, rest)| Some((name, rest.split_once(',')?)));
    let (name, (relative, absolute)) = parts.ok_or("not of the form NAME=RELATIVE,ABSOLUTE")?;
    let number = |text: &str| text.trim().parse::<f64>().map_err(|_| format!("{text:?} is not a number"));
    Ok((name.to_owned(), [number(relative)?, number(absolute)?]))
}

impl Choices {
    /// The options.
    pub(super) fn options(&self, mechanism: &Mechanism) -> Result<Options, Failure> {
        self.on(mechanism, Options::new(Method::Rodas3, self.rtol, 1.0))
    }

    /// The options, and in words what of them is that of the cells of a model.
    pub(super) fn of_model(
        &self,
        mechanism: &Mechanism,
        model: &ModelRun,
        path: &Path,
    ) -> Result<(Options, Option<String>), Failure> {
        let mut usual = Options::new(Method::Rodas3, self.rtol, 1.0);
        let mut taken = Vec::new();
        let icntrl = |number: usize| model.icntrl.get(number - 1).copied().unwrap_or(0);
        let wrong = |what: String| Failure::new(format!("{}: {what}", path.display()));
        if !model.icntrl.is_empty() {
            if self.method.is_none() {
                let number = icntrl(3);
                usual.method = Method::of_icntrl3(number)
                    .ok_or_else(|| wrong(format!("ICNTRL(3) is {number}, none of 0 to 7: choose a --method")))?;
                taken.push(format!("method {}", usual.method.name()));
            }
            let steps = u32::try_from(icntrl(4))
                .map_err(|_| wrong(format!("ICNTRL(4), the most steps, is {}, less than 0", icntrl(4))))?;
            if steps > 0 && self.max_steps.is_none() {
                usual.max_steps = steps;
                taken.push(format!("{steps} steps at most"));
            }
            if icntrl(12) == 1 && !self.reduction.is_given() {
                usual.reduction = usual.clone().with_icntrl(&model.icntrl)?.reduction;
                taken.push("autoreduction".to_owned());
            }
            if icntrl(16) == 1 && self.negative.is_none() {
                usual.negative = Negative::Clip;
                taken.push("clipping".to_owned());
            }
        }
        let mut rcntrl = model.rcntrl.clone();
        // The first step is one a cell.
        rcntrl.iter_mut().skip(2).take(1).for_each(|step| *step = 0.0);
        if rcntrl.iter().any(|&x| x > 0.0) {
            usual = usual.with_rcntrl(&rcntrl);
            taken.push("step control".to_owned());
        }
        let tolerances: Option<Vec<f64>> =
            model.absolute_tolerance.iter().take(mechanism.variable()).copied().collect();
        if let Some(tolerances) = tolerances.filter(|all| !all.is_empty() && self.atol.is_none()) {
            usual.absolute_tolerance = tolerances;
            taken.push("absolute tolerances".to_owned());
        }
        let taken = (!taken.is_empty()).then(|| format!("as the cells' files have it: {}", taken.join(", ")));
        Ok((self.on(mechanism, usual)?, taken))
    }

    /// The choices on top of what is usual.
    fn on(&self, mechanism: &Mechanism, mut options: Options) -> Result<Options, Failure> {
        options.method = self.method.unwrap_or(options.method);
        if let Some(atol) = self.atol {
            options.absolute_tolerance = vec![atol];
        }
        if !self.tolerance.is_empty() {
            [options.absolute_tolerance, options.relative_tolerance] = options.tolerances(mechanism.variable());
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
            None => options.negative,
            Some(Kept::Keep) => Negative::Keep,
            Some(Kept::Clip) => Negative::Clip,
            Some(Kept::Reject) => Negative::Reject,
        };
        options.reduction = self.reduction.on(mechanism, options.reduction)?;
        options.passive_tolerance = self.passive_atol;
        // What is below zero has been said.
        options.negative_start = true;
        // Within an interval rates change by the time alone, if at all.
        options.autonomous = options.rates != Rates::Stage || !mechanism.program().depends_on_time();
        options.max_steps = self.max_steps.unwrap_or(options.max_steps);
        options.first_step_s = self.first_step;
        if let Some((b, k)) = self.h211b {
            (options.h211b, options.h211b_order) = (Some(b), k);
        }
        options.validate(mechanism.variable())?;
        Ok(options)
    }

    /// What later intervals start with.
    pub(super) fn carried(&self) -> CarriedStep {
        self.carry_step
    }

    /// How thresholds of a reduction differ from cell to cell.
    pub(super) fn reduced(&self, options: &Options) -> OfCells {
        self.reduction.of_cells(options.reduction.as_ref())
    }

    /// What cells that fail are tried again with.
    pub(super) fn retries(&self, options: &Options, mechanism: &Mechanism) -> Result<Vec<(&Retry, Options)>, Failure> {
        self.retry.iter().map(|retry| Ok((retry, retry.options(options, mechanism.variable())?))).collect()
    }

    /// The same, with the words of each.
    pub(super) fn retries_in_words(&self, options: &Options, variable: usize) -> Result<Vec<(&str, Options)>, Failure> {
        self.retry.iter().map(|retry| Ok((retry.text(), retry.options(options, variable)?))).collect()
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
    pub(super) fn describe(&self, options: &Options, mechanism: &Mechanism, model: Option<&ModelRun>) -> String {
        let rates = match self.rates {
            When::Frozen => "frozen in each interval",
            When::Step => "computed at each step",
            When::Stage => "computed at each stage",
        };
        let rtol = self.rtol;
        let atol = match self.atol {
            None if model.is_some_and(|model| !model.absolute_tolerance.is_empty()) => "of the cells".to_owned(),
            atol => format!("{:e} molecule cm-3", atol.unwrap_or(1.0)),
        };
        let filter = options.h211b.map(|b| format!(", H211b with b {b}")).unwrap_or_default();
        let reduction = options.reduction.as_ref();
        let reduced = reduction.map(|reduction| reduction::describe(reduction, mechanism)).unwrap_or_default();
        format!("{}, rtol {rtol:e}, atol {atol}, rates {rates}{filter}{reduced}", options.method.name())
    }
}
