//! The figures of the guide: what the command draws of the cases in `data/`, in `docs/figures`.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::program::output;
use crate::runs::{DRAWN, Run};

/// Makes the figures, or checks that the committed ones are what would be made.
///
/// The programs are those that `ISOBAR_PROGRAM` and `ISOBAR_BENCH` name, or are built.
pub(crate) fn run(options: &[&str]) -> Result<(), String> {
    let check = match options {
        [] => false,
        ["--check"] => true,
        _ => return Err(format!("figures: there is no option '{}'", options.join(" "))),
    };
    let root = crate::root();
    let program = crate::program::isobar(&root, &[])?;
    let folder = root.join("docs/figures");
    let made = Scratch::new("figures")?;
    let mut names = Vec::new();
    for run in DRAWN {
        names.extend(draw(run, &program, &root, &made.0)?);
    }
    let bench = crate::program::bench(&root, &[])?;
    for (name, chart) in [("speed", speed(&root)?), ("agreement", agreement(&root)?)] {
        let file = made.0.join(format!("{name}.json"));
        fs::write(&file, chart.to_string()).map_err(|error| format!("{}: {error}", file.display()))?;
        let (file, figure) = (file.to_string_lossy(), made.0.join(format!("{name}.svg")));
        output(&bench, &root, &["draw", &file, "--out", &figure.to_string_lossy()])?;
        names.push(format!("{name}.svg"));
    }
    if check {
        return compare(&names, &made.0, &folder);
    }
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    for name in &names {
        fs::copy(made.0.join(name), folder.join(name)).map_err(|error| format!("{name}: {error}"))?;
    }
    println!("{} figures in {}", names.len(), folder.display());
    Ok(())
}

/// Runs the command, and returns the names of its figures.
fn draw(run: &Run, program: &Path, root: &Path, into: &Path) -> Result<Vec<String>, String> {
    let (option, ending) = run.output;
    let figure = into.join(format!("{}.svg", run.name));
    let result = into.join(format!("{}.{ending}", run.name));
    let mut arguments = run.arguments.to_vec();
    let (result, drawn) = (result.to_string_lossy(), figure.to_string_lossy());
    arguments.extend([option, &result, "--plot", &drawn, "--quiet"]);
    arguments.extend(run.device());
    output(program, root, &arguments)?;
    let names: Vec<String> = run.kept.iter().map(|part| format!("{}{part}.svg", run.name)).collect();
    match names.iter().find(|name| !into.join(name).is_file()) {
        Some(missing) => Err(format!("isobar {}: no {missing} was drawn", run.arguments.join(" "))),
        None => Ok(names),
    }
}

/// Rates by number of items, a panel a scheme, of `bench/speed.json`.
fn speed(root: &Path) -> Result<Value, String> {
    let measured = crate::bench::read(&root.join("bench/speed.json"))?;
    let mut panels: Vec<Value> = Vec::new();
    for curve in measured["curves"].as_array().into_iter().flatten() {
        let (Some(counts), Some(rates)) = (curve["counts"].as_array(), curve["rates"].as_array()) else { continue };
        let points: Vec<Value> = counts.iter().zip(rates).map(|(count, rate)| json!([count, rate])).collect();
        let drawn = json!({ "name": curve["name"], "points": points });
        if let Some(panel) = panels.iter_mut().find(|panel| panel["title"] == curve["panel"]) {
            panel["curves"].as_array_mut().into_iter().for_each(|curves| curves.push(drawn.clone()));
        } else {
            let item = curve["item"].as_str().unwrap_or_default();
            panels.push(json!({
                "title": curve["panel"],
                "x": { "name": item, "logarithmic": true },
                "y": { "name": format!("{item} a second"), "logarithmic": true },
                "curves": [drawn],
            }));
        }
    }
    Ok(json!({ "panels": panels }))
}

/// Differences from the reference codes, of `bench/agreement.json`: the share of the results in each half decade.
fn agreement(root: &Path) -> Result<Value, String> {
    let counted = crate::bench::read(&root.join("bench/agreement.json"))?;
    let mut panels: Vec<Value> = Vec::new();
    for of in counted["comparisons"].as_array().into_iter().flatten() {
        let counts = of["counts"].as_array().cloned().unwrap_or_default();
        let count = |bin: &Value| bin.as_f64().unwrap_or_default();
        let all: f64 = counts.iter().map(count).sum::<f64>() + count(&of["equal"]);
        let first = of["first_exponent"].as_f64().unwrap_or_default();
        // Steps: each bin from one half decade to the next, from the first that has any to the last.
        let any = |bin: &Value| count(bin) > 0.0;
        let bins = counts.iter().position(any).unwrap_or(0)..counts.iter().rposition(any).map_or(0, |last| last + 1);
        let steps = bins.flat_map(|i| {
            let share = 100.0 * count(&counts[i]) / all;
            // Points enough to be drawn as a line without marks.
            (0..=8).map(move |part| json!([first + 0.5 * (i as f64 + 0.125 * f64::from(part)), share]))
        });
        let name =
            format!("{} ({:.0} % equal)", of["name"].as_str().unwrap_or_default(), 100.0 * count(&of["equal"]) / all);
        let drawn = json!({ "name": name, "points": steps.collect::<Vec<_>>() });
        if let Some(panel) = panels.iter_mut().find(|panel| panel["title"] == of["panel"]) {
            panel["curves"].as_array_mut().into_iter().for_each(|curves| curves.push(drawn.clone()));
        } else {
            panels.push(json!({
                "title": of["panel"],
                "x": { "name": format!("log10 of the difference, {}", of["unit"].as_str().unwrap_or_default()) },
                "y": { "name": "results in half a decade [%]" },
                "curves": [drawn],
            }));
        }
    }
    Ok(json!({ "panels": panels }))
}

/// Fails where a committed figure is another, is missing, or is not made by any run.
fn compare(names: &[String], made: &Path, committed: &Path) -> Result<(), String> {
    let stale = |name: &&String| fs::read(made.join(name)).ok() != fs::read(committed.join(name)).ok();
    let mut wrong: Vec<String> = names.iter().filter(stale).cloned().collect();
    let entries = fs::read_dir(committed).map_err(|error| format!("{}: {error}", committed.display()))?;
    for entry in entries {
        let name = entry.map_err(|error| error.to_string())?.file_name().to_string_lossy().into_owned();
        if !names.contains(&name) {
            wrong.push(format!("{name} (no run makes it)"));
        }
    }
    if wrong.is_empty() {
        return Ok(());
    }
    Err(format!("docs/figures is not what `cargo xtask figures` makes: {}", wrong.join(", ")))
}

/// A folder that goes when it is no longer needed.
pub(crate) struct Scratch(pub(crate) PathBuf);

impl Scratch {
    pub(crate) fn new(name: &str) -> Result<Self, String> {
        let folder = std::env::temp_dir().join(format!("isobar-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        Ok(Self(folder))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // What stays is in the system's folder of temporary files.
        drop(fs::remove_dir_all(&self.0));
    }
}
