//! Species that steps do not solve for.

use clap::Args;
use isobar_io::ChemistryInput;
use isobar_kpp::Mechanism;
use isobar_rosenbrock::{Cells, Reduction, Target};

use crate::program::failure::Failure;
use crate::program::options::positive;

/// GEOS-Chem's night: the Sun is 98 degrees from the zenith.
const COSINE_OF_NIGHT: f64 = -0.139_173_1;

/// Which species are left out.
#[derive(Args, Debug)]
pub(super) struct ReductionChoice {
    /// Autoreduction: do not solve for species whose production and loss are both below this at the start of an
    /// interval, in molecule cm-3 s-1; or below RATIO times the larger one of those of species NAME, as OH=5e-5
    /// [default: solve for all, or as the model's cells say]
    #[arg(long, value_name = "X|NAME=RATIO", value_parser = by, allow_negative_numbers = true)]
    reduce: Option<By>,
    /// The same by night, where the Sun is 98 degrees from the zenith (GEOS-Chem's cells), or SUN is 0
    #[arg(long, value_name = "NAME=RATIO", value_parser = target, requires = "reduce")]
    reduce_night: Option<(String, f64)>,
    /// --reduce X is for this pressure in Pa, and in proportion to the cell's
    #[arg(long, value_name = "PA", value_parser = positive, requires = "reduce", conflicts_with = "reduce_night")]
    reduce_pressure: Option<f64>,
    /// Species that are always solved for
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    reduce_keep: Vec<String>,
    /// Solve for left-out species from the step on at which they are no longer slow
    #[arg(long)]
    reduce_append: bool,
}

/// What the threshold is.
#[derive(Clone, Debug)]
enum By {
    Threshold(f64),
    Target(String, f64),
}

/// `100` or `OH=5e-5`.
fn by(text: &str) -> Result<By, String> {
    match text.contains('=') {
        true => target(text).map(|(name, ratio)| By::Target(name, ratio)),
        false => positive(text).map(By::Threshold),
    }
}

/// `OH=5e-5`.
fn target(text: &str) -> Result<(String, f64), String> {
    let (name, ratio) = text.split_once('=').ok_or("not of the form NAME=RATIO")?;
    Ok((name.to_owned(), positive(ratio.trim())?))
}

/// How thresholds differ from cell to cell.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct OfCells {
    /// The second target is that of the night.
    night: bool,
    /// The pressure for which the threshold is \[Pa\], and the threshold.
    pressure: Option<(f64, f64)>,
}

impl ReductionChoice {
    /// Does the command line say what is left out?
    pub(super) fn is_given(&self) -> bool {
        self.reduce.is_some()
    }

    /// What is left out, on top of what the model's cells say.
    pub(super) fn on(&self, mechanism: &Mechanism, of_model: Option<Reduction>) -> Result<Option<Reduction>, Failure> {
        let species = |option: &str, name: &str| {
            let known = mechanism.species_index(name).filter(|&species| species < mechanism.variable());
            known.ok_or_else(|| Failure::new(format!("{option}: the mechanism has no variable species {name}")))
        };
        let mut reduction = match &self.reduce {
            Some(By::Threshold(threshold)) => Reduction { threshold: *threshold, ..Reduction::default() },
            Some(By::Target(name, ratio)) => {
                let targets = vec![Target { species: species("--reduce", name)?, ratio: *ratio }];
                Reduction { targets, ..Reduction::default() }
            }
            None => match of_model {
                Some(reduction) => reduction,
                None if self.reduce_append || !self.reduce_keep.is_empty() => {
                    return Err(Failure::usage("--reduce-keep and --reduce-append need --reduce".to_owned()));
                }
                None => return Ok(None),
            },
        };
        if let Some((name, ratio)) = &self.reduce_night {
            if reduction.targets.is_empty() {
                return Err(Failure::usage("--reduce-night needs --reduce NAME=RATIO by day".to_owned()));
            }
            reduction.targets.push(Target { species: species("--reduce-night", name)?, ratio: *ratio });
        }
        if self.reduce_pressure.is_some() && !reduction.targets.is_empty() {
            return Err(Failure::usage("--reduce-pressure needs --reduce X, a number".to_owned()));
        }
        for name in &self.reduce_keep {
            reduction.keep.push(species("--reduce-keep", name.trim())?);
        }
        reduction.append |= self.reduce_append;
        Ok(Some(reduction))
    }

    /// What is said of the cells' thresholds.
    pub(super) fn of_cells(&self, reduction: Option<&Reduction>) -> OfCells {
        let threshold = reduction.map_or(0.0, |reduction| reduction.threshold);
        OfCells { night: self.reduce_night.is_some(), pressure: self.reduce_pressure.map(|at| (at, threshold)) }
    }
}

impl OfCells {
    /// Sets thresholds and targets of cells at a time \[s\].
    pub(super) fn set(
        self,
        mechanism: &Mechanism,
        input: &ChemistryInput,
        time_s: f64,
        cells: &mut Cells<f64>,
    ) -> Result<(), Failure> {
        if let Some((surface, threshold)) = self.pressure {
            let Some(pressure) = &input.air_pressure else {
                return Err(Failure::new("--reduce-pressure: the cells have no pressure".to_owned()));
            };
            let pressure = pressure.at(&input.times, time_s, input.cells);
            cells.reduction_threshold = pressure.iter().map(|pressure| threshold * pressure / surface).collect();
        }
        if self.night {
            let sun = mechanism.inputs().iter().position(|name| name.name.eq_ignore_ascii_case("SUN"));
            let sun = sun.and_then(|number| input.inputs.get(number));
            let night: Vec<bool> = match (&input.cosine_of_zenith_angle, sun) {
                (Some(cosine), _) => cosine.iter().map(|&cosine| cosine <= COSINE_OF_NIGHT).collect(),
                (None, Some(sun)) => sun.at(&input.times, time_s, input.cells).iter().map(|&sun| sun <= 0.0).collect(),
                (None, None) => {
                    let what = "--reduce-night: the cells have neither the Sun's zenith angle nor an input SUN";
                    return Err(Failure::new(what.to_owned()));
                }
            };
            cells.reduction_target = night.into_iter().map(|night| f64::from(u8::from(night))).collect();
        }
        Ok(())
    }
}

/// In words.
pub(super) fn describe(reduction: &Reduction, mechanism: &Mechanism) -> String {
    let name = |species: usize| &mechanism.species()[species].name;
    let by = match &reduction.targets[..] {
        [] => format!("{:e} molecule cm-3 s-1", reduction.threshold),
        targets => {
            let each = targets.iter().map(|target| format!("{:e} of {}", target.ratio, name(target.species)));
            each.collect::<Vec<_>>().join(", by night ")
        }
    };
    let keep: Vec<&str> = reduction.keep.iter().map(|&species| name(species).as_str()).collect();
    let keep = if keep.is_empty() { String::new() } else { format!(", with {}", keep.join(" ")) };
    format!(", autoreduced by {by}{keep}{}", if reduction.append { ", with append" } else { "" })
}
