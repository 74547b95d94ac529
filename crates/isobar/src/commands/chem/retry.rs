//! Cells that fail, once more, as models do it: from the start of the interval, with the first step that KPP has of
//! itself, and other choices.

use std::str::FromStr;

use isobar_launch::Device;
use isobar_rosenbrock::{BadItems, COUNTERS, Cells, Chemistry, Integrated, Interval, Method, Negative, Options};

use crate::program::failure::Failure;

/// KPP's first step \[s\].
const FIRST_STEP_S: f64 = 1e-5;

/// What another attempt does otherwise.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Retry {
    /// As it was given.
    text: String,
    method: Option<Method>,
    relative: Option<f64>,
    absolute: Option<f64>,
    clips: bool,
    max_steps: Option<u32>,
}

impl FromStr for Retry {
    type Err = String;

    /// `again`, or some of `rodas4,rtol=1e-2,atol=1,clip,steps=1000`.
    fn from_str(text: &str) -> Result<Self, String> {
        let (method, relative, absolute, clips, max_steps) = (None, None, None, false, None);
        let mut retry = Self { text: text.to_owned(), method, relative, absolute, clips, max_steps };
        for word in text.split(',').map(str::trim) {
            let number = |value: &str| value.trim().parse::<f64>().map_err(|_| format!("{value:?} is not a number"));
            match word.split_once('=') {
                None if word == "again" => {}
                None if word == "clip" => retry.clips = true,
                Some(("rtol", value)) => retry.relative = Some(number(value)?),
                Some(("atol", value)) => retry.absolute = Some(number(value)?),
                Some(("steps", value)) => {
                    retry.max_steps = Some(value.parse().map_err(|_| format!("{value:?} is not a number of steps"))?);
                }
                None => retry.method = Some(Method::named(word).ok_or_else(|| unknown(word))?),
                Some(_) => return Err(unknown(word)),
            }
        }
        Ok(retry)
    }
}

fn unknown(word: &str) -> String {
    let methods = Method::ALL.map(Method::name).join(", ");
    format!("{word:?} is none of again, clip, rtol=R, atol=A, steps=N, {methods}")
}

impl Retry {
    /// As it was given.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// The options of the attempt. Nothing is left out of it, and passive species stay so.
    pub(super) fn options(&self, usual: &Options, variable: usize) -> Result<Options, Failure> {
        let mut options = usual.clone();
        (options.reduction, options.first_step_s) = (None, FIRST_STEP_S);
        options.method = self.method.unwrap_or(options.method);
        if let Some(relative) = self.relative {
            options.relative_tolerance = vec![relative];
        }
        if let Some(absolute) = self.absolute {
            let passive = |&one: &f64| options.passive_tolerance.is_some_and(|threshold| one >= threshold);
            let all = options.absolute_tolerance.iter();
            options.absolute_tolerance = all.map(|one| if passive(one) { *one } else { absolute }).collect();
        }
        if self.clips {
            options.negative = Negative::Clip;
        }
        options.max_steps = self.max_steps.unwrap_or(options.max_steps);
        options.validate(variable).map_err(|error| Failure::new(format!("--retry {}: {error}", self.text)))?;
        Ok(options)
    }
}

/// How often each attempt was made, and how often it succeeded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Retried {
    /// By attempt: cells and intervals in which it was made, and those in which it succeeded.
    pub(super) counts: Vec<[u64; 2]>,
}

impl Retried {
    /// In words; nothing where no cell was tried again.
    pub(super) fn describe(&self, retries: &[(&Retry, Options)]) -> Option<String> {
        let cells = self.counts.first().map_or(0, |counts| counts[0]);
        let each = retries.iter().zip(&self.counts).filter(|(_, [made, _])| *made > 0);
        let each: Vec<String> =
            each.map(|((retry, _), [made, good])| format!("{good} of {made} by {}", retry.text)).collect();
        let plural = if cells == 1 { "failure of a cell was" } else { "failures of cells were" };
        (cells > 0).then(|| format!("{cells} {plural} tried again, with success {}", each.join(", ")))
    }
}

/// Tries cells that failed again, one attempt after the other, and takes what succeeds for the result. Counters are
/// sums over the attempts. A cell whose attempts all fail ends as the first one did.
///
/// `skips` says which cells have failed before. Gives for each cell the attempts that were made.
pub(super) fn again(
    chemistry: impl Fn() -> Chemistry,
    retries: &[(&Retry, Options)],
    (cells, done, interval): (&Cells<f64>, &mut Integrated<f64>, &Interval),
    skips: impl Fn(usize) -> bool,
    retried: &mut Retried,
) -> Result<Vec<u32>, Failure> {
    let count = done.status.len();
    let mut attempts = vec![0; count];
    retried.counts.resize(retries.len(), [0; 2]);
    for ((_, options), [made, good]) in retries.iter().zip(&mut retried.counts) {
        let failed: Vec<usize> = done.failures().map(|(cell, _)| cell).filter(|&cell| !skips(cell)).collect();
        if failed.is_empty() {
            break;
        }
        let some = chosen(cells, &failed);
        let model = chemistry().on(&[Device::Cpu]).bad_items(BadItems::Compute);
        let result = model.run(&some, &options.lasting(interval.start_s, interval.length_s()))?;
        for (place, &cell) in failed.iter().enumerate() {
            attempts[cell] += 1;
            *made += 1;
            for counter in 0..COUNTERS.len() {
                let sum = &mut done.counters[counter * count + cell];
                *sum = sum.saturating_add(result.counters[counter * failed.len() + place]);
            }
            if result.status[place] == 0 {
                *good += 1;
                take(done, cell, &result, place);
            }
        }
    }
    Ok(attempts)
}

/// Some of the cells, with first steps of the options.
fn chosen(cells: &Cells<f64>, choice: &[usize]) -> Cells<f64> {
    let count = cells.first_step_s.len();
    let rows = |values: &[f64]| values.chunks(count).flat_map(|row| choice.iter().map(|&cell| row[cell])).collect();
    Cells {
        concentration: rows(&cells.concentration),
        rate_constant: rows(&cells.rate_constant),
        rate_input: rows(&cells.rate_input),
        first_step_s: vec![0.0; choice.len()],
        ..Cells::default()
    }
}

/// Takes what one cell of another result came to.
fn take(done: &mut Integrated<f64>, cell: usize, result: &Integrated<f64>, place: usize) {
    let (count, others) = (done.status.len(), result.status.len());
    let rows = done.concentration.iter_mut().skip(cell).step_by(count);
    rows.zip(result.concentration.iter().skip(place).step_by(others)).for_each(|(to, from)| *to = *from);
    for (to, from) in [
        (&mut done.first_step_s, &result.first_step_s),
        (&mut done.time_reached_s, &result.time_reached_s),
        (&mut done.last_step_s, &result.last_step_s),
        (&mut done.next_step_s, &result.next_step_s),
    ] {
        to[cell] = from[place];
    }
    let extents = done.extent_of_reaction.iter_mut().skip(cell).step_by(count);
    extents.zip(result.extent_of_reaction.iter().skip(place).step_by(others)).for_each(|(to, from)| *to = *from);
    // All species were solved for.
    done.kept.iter_mut().skip(cell).step_by(count).for_each(|kept| *kept = 1);
    if let Some(threshold) = done.threshold.get_mut(cell) {
        *threshold = 0.0;
    }
    done.status[cell] = 0;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attempts_are_read() {
        let usual = Options::new(Method::Rodas3, 1e-3, 1.0);
        let read = |text: &str| text.parse::<Retry>().unwrap().options(&usual, 4).unwrap();
        assert_eq!(read("again"), usual);
        let all = read("rodas4, rtol=1e-2,atol=5,clip,steps=7");
        let mut want = Options::new(Method::Rodas4, 1e-2, 5.0);
        (want.negative, want.max_steps) = (Negative::Clip, 7);
        assert_eq!(all, want);
        for (text, words) in [
            ("rodas5", "\"rodas5\" is none of again, clip, rtol=R, atol=A, steps=N, ros2,"),
            ("rtol=x", "\"x\" is not a number"),
            ("steps=-1", "\"-1\" is not a number of steps"),
        ] {
            assert!(text.parse::<Retry>().unwrap_err().contains(words), "{text}");
        }
        let wrong = "rtol=2".parse::<Retry>().unwrap().options(&usual, 4).unwrap_err().to_string();
        assert!(wrong.starts_with("--retry rtol=2: the relative tolerance"), "{wrong}");
    }

    #[test]
    fn passive_species_stay_passive() {
        let mut usual = Options::new(Method::Rodas3, 1e-3, 1.0);
        (usual.absolute_tolerance, usual.passive_tolerance) = (vec![1.0, 1e25], Some(1e25));
        let options = "atol=3".parse::<Retry>().unwrap().options(&usual, 2).unwrap();
        assert_eq!(options.absolute_tolerance, [3.0, 1e25]);
    }
}
