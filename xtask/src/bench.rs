//! Speed, against what it was: `bench/baseline/*.json` has ratios of figures of one machine and run.
//!
//! An entry names a bench, by arguments of `isobar-bench`, and a yardstick, another bench, which is run in turns with
//! it: the ratio of the two figures does not depend on how fast the machine is, and little on what else it does. What
//! became slower than the baseline by more than its noise, the difference between halves of the turns, is said, and an
//! error.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};

use crate::program::{bench, in_words, isobar, output};

/// Noise that any ratio of two timings has.
const LEAST_NOISE: f64 = 0.03;

/// What is asked for.
pub(crate) struct Options {
    /// `core` or `cuda`.
    device: String,
    /// How often an entry is measured, of which the fastest counts.
    turns: usize,
    /// Makes what is measured the baseline.
    write: bool,
    /// Measures `bench/speed.json` again, and nothing else.
    curves: bool,
    /// Only these schemes; none: all.
    schemes: Vec<String>,
}

impl Options {
    pub(crate) fn parse(words: &[&str]) -> Result<Self, String> {
        let mut options =
            Self { device: "core".to_owned(), turns: 6, write: false, curves: false, schemes: Vec::new() };
        let mut words = words.iter();
        while let Some(&word) = words.next() {
            let mut value = || words.next().copied().ok_or(format!("bench: {word} has no value"));
            match word {
                "--device" => options.device = value()?.to_owned(),
                "--turns" => {
                    let turns = value()?;
                    options.turns = turns.parse().map_err(|_| format!("bench: --turns {turns} is no number"))?;
                }
                "--write" => options.write = true,
                "--curves" => options.curves = true,
                scheme if !scheme.starts_with('-') => options.schemes.push(scheme.to_owned()),
                _ => return Err(format!("bench: there is no option '{word}'")),
            }
        }
        match options.device.as_str() {
            "core" | "cuda" => Ok(options),
            other => Err(format!("bench: --device {other} is neither core nor cuda")),
        }
    }
}

pub(crate) fn run(options: &Options) -> Result<(), String> {
    let root = crate::root();
    let build: &'static [&'static str] =
        if options.device == "cuda" { &["--release", "--features", "cuda"] } else { &["--release"] };
    let machine = Machine { program: bench(&root, build)?, build, root, device: options.device.clone() };
    if options.curves {
        return curves(&machine, options.turns);
    }
    let mut slower = Vec::new();
    println!("{:<18} {:<44} {:>11} {:>11} {:>7} {:>6}", "scheme", "figure", "ratio", "baseline", "change", "noise");
    for file in files(&machine.root.join("bench/baseline"), &options.schemes)? {
        let mut baseline = read(&file)?;
        let scheme = text(&baseline, "scheme")?.to_owned();
        let entries = baseline["entries"].as_array_mut().ok_or(format!("{}: no entries", file.display()))?;
        for entry in entries.iter_mut().filter(|entry| entry["device"] == options.device.as_str()) {
            slower.extend(compare(&machine, &scheme, entry, options)?);
        }
        if options.write {
            write(&file, &baseline)?;
        }
    }
    if slower.is_empty() { Ok(()) } else { Err(format!("slower than the baseline: {}", slower.join("; "))) }
}

/// Measures an entry, prints it, and returns its name if it became slower.
fn compare(machine: &Machine, scheme: &str, entry: &mut Value, options: &Options) -> Result<Option<String>, String> {
    let name = text(entry, "name")?.to_owned();
    let mut turns = Vec::new();
    for _ in 0..options.turns.max(2) {
        turns.push([machine.figure(entry)?, machine.figure(&entry["yardstick"])?]);
    }
    let ratio = fastest(turns.iter());
    let halves = [0, 1].map(|first| fastest(turns.iter().skip(first).step_by(2)));
    let spread = (halves[0] - halves[1]).abs() / ratio;
    let before = entry["ratio"].as_f64();
    let noise = entry["noise"].as_f64().unwrap_or(LEAST_NOISE);
    let change = before.map(|before| ratio / before - 1.0);
    let (shown, percent) = match (before, change) {
        (Some(before), Some(change)) => (format!("{before:.4e}"), format!("{:+.1} %", 100.0 * change)),
        _ => ("none".to_owned(), String::new()),
    };
    println!("{scheme:<18} {name:<44} {ratio:>11.4e} {shown:>11} {percent:>7} {:>4.0} %", 100.0 * noise);
    if options.write {
        entry["ratio"] = rounded(ratio);
        entry["noise"] = rounded(spread.max(LEAST_NOISE));
        entry["date"] = today().into();
        entry["measured_on"] = machine.name()?.into();
        return Ok(None);
    }
    Ok(change.is_some_and(|change| change < -noise).then(|| format!("{scheme}, {name}")))
}

/// The fastest figure over the fastest yardstick: what else a machine does only makes it slower.
fn fastest<'a>(turns: impl Iterator<Item = &'a [f64; 2]>) -> f64 {
    let [figure, yardstick] = turns.fold([0.0; 2], |best: [f64; 2], turn| [0, 1].map(|i| best[i].max(turn[i])));
    figure / yardstick
}

/// Measures the curves of one device again: speed by number of items, the largest of the turns.
fn curves(machine: &Machine, turns: usize) -> Result<(), String> {
    let file = machine.root.join("bench/speed.json");
    let mut speed = read(&file)?;
    let curves = speed["curves"].as_array_mut().ok_or(format!("{}: no curves", file.display()))?;
    for curve in curves.iter_mut().filter(|curve| curve["device"] == machine.device.as_str()) {
        let counts = curve["counts"].as_array().cloned().unwrap_or_default();
        let command = text(curve, "command")?.to_owned();
        let mut points = Vec::new();
        for count in &counts {
            let entry = json!({ "command": command.replace("{n}", &count.to_string()), "figure": curve["figure"] });
            let mut best: f64 = 0.0;
            for _ in 0..turns.max(1) {
                best = best.max(machine.figure(&entry)?);
            }
            points.push(rounded(best));
        }
        println!("{}: {}", text(curve, "name")?, Value::from(points.clone()));
        curve["rates"] = points.into();
        curve["date"] = today().into();
        curve["measured_on"] = machine.name()?.into();
    }
    write(&file, &speed)
}

/// What is measured.
struct Machine {
    program: PathBuf,
    /// How `cargo build` makes programs that run on it.
    build: &'static [&'static str],
    root: PathBuf,
    device: String,
}

impl Machine {
    /// A figure by its command: of those that the command prints, the first of that name.
    fn figure(&self, of: &Value) -> Result<f64, String> {
        let (command, figure) = (text(of, "command")?, text(of, "figure")?);
        let mut arguments: Vec<&str> = command.split_whitespace().collect();
        arguments.push("--json");
        let printed = output(&self.program, &self.root, &arguments)?;
        let printed: Value = serde_json::from_str(&printed)
            .map_err(|error| format!("{}: {error}: {printed}", in_words(&self.program, &arguments)))?;
        let figures = printed["figures"].as_array().into_iter().flatten();
        let found = figures.filter(|found| found["name"] == figure).find_map(|found| found["value"].as_f64());
        found.ok_or_else(|| format!("{}: there is no figure '{figure}'", in_words(&self.program, &arguments)))
    }

    /// The device, as `isobar devices` names it.
    fn name(&self) -> Result<String, String> {
        let listed = output(&isobar(&self.root, self.build)?, &self.root, &["devices"])?;
        let start = if self.device == "core" { "cpu" } else { "cuda" };
        let line = listed.lines().find(|line| line.starts_with(start)).unwrap_or(start);
        Ok(if self.device == "core" { format!("one thread of {line}") } else { line.to_owned() })
    }
}

/// The baselines of some schemes, or of all.
fn files(folder: &Path, schemes: &[String]) -> Result<Vec<PathBuf>, String> {
    if !schemes.is_empty() {
        return Ok(schemes.iter().map(|scheme| folder.join(format!("{scheme}.json"))).collect());
    }
    let entries = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut files: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.sort();
    Ok(files)
}

pub(crate) fn read(file: &Path) -> Result<Value, String> {
    let text = fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))?;
    serde_json::from_str(&text).map_err(|error| format!("{}: {error}", file.display()))
}

pub(crate) fn write(file: &Path, value: &Value) -> Result<(), String> {
    let text = serde_json::to_string_pretty(value).map_err(|error| error.to_string())?;
    fs::write(file, text + "\n").map_err(|error| format!("{}: {error}", file.display()))
}

fn text<'a>(value: &'a Value, key: &str) -> Result<&'a str, String> {
    value[key].as_str().ok_or(format!("a baseline without '{key}': {value}"))
}

/// Four digits.
fn rounded(x: f64) -> Value {
    format!("{x:.3e}").parse::<f64>().unwrap_or(x).into()
}

/// The day, in Greenwich: days since 1970 to a date of the Gregorian calendar.
pub(crate) fn today() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    date(seconds / 86_400)
}

fn date(days: u64) -> String {
    // Years begin in March, so that a leap day is the last of its year.
    let days = days + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = era * 400 + year + u64::from(month <= 2);
    format!("{year}-{month:02}-{day:02}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_of_days() {
        assert_eq!([0, 59, 11_016, 20_781].map(date), ["1970-01-01", "1970-03-01", "2000-02-29", "2026-11-24"]);
    }

    #[test]
    fn a_disturbed_turn_does_not_count() {
        assert!((fastest([[10.0, 5.0], [2.0, 5.0], [10.0, 1.0]].iter()) - 2.0).abs() < 1e-12);
    }

    #[test]
    fn words_of_the_command() {
        let options = Options::parse(&["--device", "cuda", "--turns", "3", "ysu"]).unwrap();
        assert_eq!((options.device.as_str(), options.turns, &options.schemes[0][..]), ("cuda", 3, "ysu"));
        assert!(Options::parse(&["--device", "abacus"]).is_err());
        assert!(Options::parse(&["--turns"]).is_err());
    }
}
