//! What reactions made and lost of the species and families of `--budget`: in the output, as a table, for a program.

use std::collections::BTreeMap;

use isobar_io::netcdf::{DatasetWriter, OutputVariable, Sample};
use isobar_kpp::{Budget, Mechanism};
use serde_json::{Value, json};

use super::run::{Run, Work};
use crate::program::failure::Failure;

/// Reactions of each kind that are printed; the file has all.
const PRINTED: usize = 8;

/// What became of a species or family, a number a cell; NaN in cells that failed.
struct Account {
    /// What each reaction made of it (negative: lost), a row a term \[molecule/cm^3\].
    terms: Vec<Vec<f64>>,
    produced: Vec<f64>,
    lost: Vec<f64>,
    change: Vec<f64>,
    /// The change that no reaction explains.
    residual: Vec<f64>,
    lifetime_s: Vec<f64>,
}

/// Each number of a row with that of another one.
fn with(row: &[f64], other: &[f64], f: impl Fn(f64, f64) -> f64) -> Vec<f64> {
    row.iter().zip(other).map(|(&a, &b)| f(a, b)).collect()
}

impl Account {
    fn new(work: &Work<'_>, run: &Run, number: usize) -> Self {
        let (budgets, cells) = (&work.budgets, run.status.len());
        let budget = &budgets.all[number];
        // Concentrations of cells that failed are NaN, and so is all that follows from them.
        let of = |all: &[f64], cell: usize| -> f64 {
            budget.members.iter().map(|&(species, weight)| weight * all[species * cells + cell]).sum()
        };
        let now = &run.cells.concentration;
        let change: Vec<f64> = (0..cells).map(|cell| of(now, cell) - of(&run.concentrations[0], cell)).collect();
        let failed = |cell: usize| if run.status[cell] == 0 { 0.0 } else { f64::NAN };
        let row = |&(reaction, net): &(usize, f64)| -> Vec<f64> {
            let place = budgets.counted.binary_search(&(reaction as u32)).expect("it is counted");
            (0..cells).map(|cell| net * run.extents[place * cells + cell] + failed(cell)).collect()
        };
        let terms: Vec<Vec<f64>> = budget.terms.iter().map(row).collect();
        let sum = |sign: f64| -> Vec<f64> {
            let rows: Vec<Vec<f64>> = terms.iter().map(|row| of_sign(row, sign)).collect();
            (0..cells).map(|cell| rows.iter().map(|row| row[cell]).sum()).collect()
        };
        let (produced, lost) = (sum(1.0), sum(-1.0));
        let residual = with(&change, &with(&produced, &lost, |p, l| p - l), |change, sum| change - sum);
        let burden = &run.burdens[number * cells..(number + 1) * cells];
        let lifetime_s = with(burden, &lost, |burden, lost| if lost > 0.0 { burden / lost } else { f64::NAN });
        Self { terms, produced, lost, change, residual, lifetime_s }
    }

    /// What was lost by partner, the most first: the terms of each.
    fn partners(&self, mechanism: &Mechanism, budget: &Budget) -> Vec<(String, Vec<f64>)> {
        let mut all: BTreeMap<String, Vec<f64>> = BTreeMap::new();
        for ((reaction, _), row) in budget.terms.iter().zip(&self.terms).filter(|((_, net), _)| *net < 0.0) {
            let sum = all.entry(budget.partner(mechanism, *reaction)).or_insert_with(|| vec![0.0; row.len()]);
            sum.iter_mut().zip(of_sign(row, -1.0)).for_each(|(sum, x)| *sum += x);
        }
        let mut all: Vec<_> = all.into_iter().collect();
        all.sort_by(|a, b| mean(&b.1).total_cmp(&mean(&a.1)));
        all
    }
}

/// What of a row has a sign: what was made, or lost where concentrations are below zero and reactions run backwards.
fn of_sign(row: &[f64], sign: f64) -> Vec<f64> {
    row.iter().map(|x| (sign * x).max(0.0) + 0.0 * x).collect()
}

/// The mean over cells that did not fail; 0 if there is none.
fn mean(row: &[f64]) -> f64 {
    let (sum, count) = row.iter().filter(|x| x.is_finite()).fold((0.0, 0_u32), |(sum, count), x| (sum + x, count + 1));
    if count == 0 { 0.0 } else { sum / f64::from(count) }
}

/// A reaction as it is shown: `R3: O3 + hv = O + O2`.
fn shown(mechanism: &Mechanism, reaction: usize) -> String {
    let known = &mechanism.reactions()[reaction];
    match &known.label {
        Some(label) => format!("{label}: {}", known.equation),
        None => format!("{}: {}", reaction + 1, known.equation),
    }
}

/// Adds all budgets to the output.
pub(super) fn write(work: &Work<'_>, run: &Run, file: &mut DatasetWriter) -> Result<(), Failure> {
    const AMOUNT: &str = "molecule cm-3";
    for (number, budget) in work.budgets.all.iter().enumerate() {
        let (name, account) = (&budget.name, Account::new(work, run, number));
        let reactions = format!("reaction_of_{name}");
        file.dimension(&reactions, budget.terms.len())?;
        let lines: Vec<String> = budget.terms.iter().map(|&(reaction, _)| shown(work.mechanism, reaction)).collect();
        file.attribute(&format!("reactions_of_{name}"), &lines.join("\n"))?;
        let numbers: Vec<i32> = budget.terms.iter().map(|&(reaction, _)| reaction as i32 + 1).collect();
        let words = format!("number in the mechanism of a reaction that changes {name}");
        file.variable(&variable(&reactions, &[&reactions], "1", &words), &numbers)?;
        let mut put = |first: &str, dimensions: &[&str], units: &str, words: &str, values: &[f64]| {
            let values: Vec<f64> = values.iter().map(|&x| if x.is_nan() { f64::FILL } else { x }).collect();
            let (own, words) = (format!("{first}_{name}"), words.replace('*', name));
            file.variable_with_gaps(&variable(&own, dimensions, units, &words), &values)
        };
        let by_reaction = "what each reaction made of * over the run, negative what it lost";
        put("budget", &[&reactions, "cell"], AMOUNT, by_reaction, &account.terms.concat())?;
        put("production", &["cell"], AMOUNT, "what reactions made of * over the run", &account.produced)?;
        put("loss", &["cell"], AMOUNT, "what reactions lost of * over the run", &account.lost)?;
        put("change", &["cell"], AMOUNT, "change of * over the run", &account.change)?;
        let residual = "change of * that no reaction explains: round-off, what clipping adds, and air that expands";
        put("residual", &["cell"], AMOUNT, residual, &account.residual)?;
        let lifetime = "mean of * by the trapezoidal rule, over its loss per time";
        put("lifetime", &["cell"], "s", lifetime, &account.lifetime_s)?;
    }
    Ok(())
}

fn variable<'a>(name: &'a str, dimensions: &'a [&'a str], units: &'a str, long_name: &'a str) -> OutputVariable<'a> {
    OutputVariable { name, dimensions, units, long_name, standard_name: None, reference_name: None }
}

/// The budgets as a table.
pub(super) fn table(work: &Work<'_>, run: &Run) -> Vec<String> {
    let mut lines = Vec::new();
    let hours = (work.clock.at(run.intervals) - work.clock.start_s) / 3600.0;
    let computed = run.status.iter().filter(|&&status| status == 0).count();
    for (number, budget) in work.budgets.all.iter().enumerate() {
        let account = Account::new(work, run, number);
        let [produced, lost, change, residual] =
            [&account.produced, &account.lost, &account.change, &account.residual].map(|row| mean(row));
        let cells = run.status.len();
        // Of the cells that have losses, too.
        let burdens = run.burdens[number * cells..].iter().zip(&run.status);
        let burden = mean(&burdens.map(|(&x, &status)| if status == 0 { x } else { f64::NAN }).collect::<Vec<_>>());
        let life = |lost: f64| if lost > 0.0 { duration(burden / lost) } else { "-".to_owned() };
        let of = if computed == 1 { "one cell".to_owned() } else { format!("mean of {computed} cells") };
        lines.push(format!("{} over {hours} h, {of}, molecule cm-3", budget.name));
        for (words, sign, whole) in [("made", 1.0, produced), ("lost", -1.0, lost)] {
            let lifetime = if sign < 0.0 { format!("   lifetime {}", life(whole)) } else { String::new() };
            lines.push(format!("  {words} {whole:>12.4e}{lifetime}"));
            // As the sums are made: a reaction that runs backwards makes what it else takes.
            let rows = budget.terms.iter().zip(&account.terms);
            let rows = rows.map(|((reaction, net), row)| (mean(&of_sign(row, sign)), *reaction, sign * net > 0.0));
            let rows = rows.filter(|&(amount, _, usual)| usual || amount > 0.0);
            let mut rows: Vec<(f64, usize)> = rows.map(|(amount, reaction, _)| (amount, reaction)).collect();
            rows.sort_by(|a, b| b.0.total_cmp(&a.0));
            for &(amount, reaction) in rows.iter().take(PRINTED) {
                let own = if sign < 0.0 { format!(" {:>9}", life(amount)) } else { String::new() };
                let share = if whole > 0.0 { 100.0 * amount / whole } else { 0.0 };
                lines.push(format!("  {share:6.2} % {amount:>12.4e}{own}  {}", shown(work.mechanism, reaction)));
            }
            if rows.len() > PRINTED {
                let rest: f64 = rows[PRINTED..].iter().map(|(amount, _)| amount).sum();
                let share = if whole > 0.0 { 100.0 * rest / whole } else { 0.0 };
                lines.push(format!("  {share:6.2} % {rest:>12.4e}  {} others", rows.len() - PRINTED));
            }
        }
        let partners = account.partners(work.mechanism, budget);
        let partners = partners.iter().take(PRINTED).map(|(name, row)| {
            let amount = mean(row);
            let share = if lost > 0.0 { 100.0 * amount / lost } else { 0.0 };
            format!("{name} {share:.2} % ({})", life(amount))
        });
        lines.push(format!("  lost with: {}", partners.collect::<Vec<_>>().join(", ")));
        lines.push(format!("  change {change:.4e}, of which no reaction explains {residual:.1e}"));
    }
    lines
}

/// The budgets for a program.
pub(super) fn json(work: &Work<'_>, run: &Run) -> Value {
    let one = |(number, budget): (usize, &Budget)| {
        let account = Account::new(work, run, number);
        let reactions =
            budget.terms.iter().zip(&account.terms).map(
                |((reaction, _), row)| json!({ "reaction": shown(work.mechanism, *reaction), "amount": mean(row) }),
            );
        let value = json!({
            "production": mean(&account.produced),
            "loss": mean(&account.lost),
            "change": mean(&account.change),
            "residual": mean(&account.residual),
            "reactions": reactions.collect::<Vec<_>>(),
        });
        (budget.name.clone(), value)
    };
    Value::Object(work.budgets.all.iter().enumerate().map(one).collect())
}

/// A time with the unit that suits it.
fn duration(seconds: f64) -> String {
    const UNITS: [(f64, &str); 5] =
        [(365.25 * 86_400.0, "a"), (86_400.0, "d"), (3600.0, "h"), (60.0, "min"), (1.0, "s")];
    let (size, unit) = UNITS.into_iter().find(|(size, _)| seconds >= 2.0 * size).unwrap_or((1.0, "s"));
    let value = seconds / size;
    if (0.01..1e4).contains(&value) { format!("{value:.3} {unit}") } else { format!("{value:.2e} {unit}") }
}

#[cfg(test)]
mod tests {
    use super::duration;

    #[test]
    fn times_have_the_unit_that_suits_them() {
        for (seconds, words) in
            [(1e-6, "1.00e-6 s"), (0.5, "0.500 s"), (119.0, "119.000 s"), (7000.0, "116.667 min"), (1e12, "3.17e4 a")]
        {
            assert_eq!(duration(seconds), words);
        }
    }
}
