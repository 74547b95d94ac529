//! `isobar-bench draw`: a chart of measurements as SVG.

use std::path::{Path, PathBuf};

use clap::Args;
use isobar::io::{AtomicFile, Error, FilesInUse};
use isobar::plot::chart::{Chart, Scale};
use serde_json::Value;

use isobar::program::failure::Failure;

/// The options of `isobar-bench draw`.
#[derive(Args, Debug)]
pub(crate) struct Draw {
    /// Chart, JSON: `{"panels": [{"title": T, "x": AXIS, "y": AXIS, "curves": [CURVE, ...]}, ...]}` with an AXIS
    /// `{"name": N, "logarithmic": true}` and a CURVE `{"name": N, "points": [[X, Y], ...]}`
    chart: PathBuf,
    /// Figure, SVG
    #[arg(short, long, value_name = "FILE")]
    out: PathBuf,
}

pub(crate) fn run(options: &Draw) -> Result<(), Failure> {
    let mut files = FilesInUse::default();
    files.writes("the figure", &options.out)?;
    files.reads("the chart", &options.chart)?;
    let text = isobar::core::text::read_to_string(&options.chart);
    let text = text.map_err(|cause| Error::Io { path: options.chart.clone(), action: "read", cause })?;
    let json: Value = serde_json::from_str(&text).map_err(|error| wrong(&options.chart, &error.to_string()))?;
    let chart = chart(&json).map_err(|problem| wrong(&options.chart, &problem))?;
    let figure = chart.svg()?;
    let mut file = AtomicFile::create(&options.out)?;
    std::io::Write::write_all(&mut file, figure.svg().as_bytes()).map_err(|cause| Error::Io {
        path: options.out.clone(),
        action: "write",
        cause,
    })?;
    Ok(file.commit()?)
}

fn wrong(path: &Path, problem: &str) -> Failure {
    Failure::new(format!("{}: {problem}", path.display()))
}

fn chart(json: &Value) -> Result<Chart, String> {
    let mut chart = Chart::new();
    for panel in list(json, "panels")? {
        let curves = list(panel, "curves")?.iter().map(curve).collect::<Result<_, _>>()?;
        chart.panel(text(panel, "title")?, scale(&panel["x"])?, scale(&panel["y"])?, curves);
    }
    Ok(chart)
}

fn scale(axis: &Value) -> Result<Scale<'_>, String> {
    Ok(Scale { name: text(axis, "name")?, logarithmic: axis["logarithmic"] == true })
}

fn curve(curve: &Value) -> Result<(String, Vec<(f64, f64)>), String> {
    let point = |point: &Value| match (point[0].as_f64(), point[1].as_f64()) {
        (Some(x), Some(y)) => Ok((x, y)),
        _ => Err(format!("a point is [x, y], not {point}")),
    };
    let points = list(curve, "points")?.iter().map(point).collect::<Result<_, _>>()?;
    Ok((text(curve, "name")?.to_owned(), points))
}

fn list<'a>(json: &'a Value, key: &str) -> Result<&'a [Value], String> {
    json[key].as_array().map(Vec::as_slice).ok_or(format!("there is no list '{key}'"))
}

fn text<'a>(json: &'a Value, key: &str) -> Result<&'a str, String> {
    json[key].as_str().ok_or(format!("there is no text '{key}'"))
}
