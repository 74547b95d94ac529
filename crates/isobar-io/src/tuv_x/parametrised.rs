//! Cross-sections of the type `temperature based`: formulas of wavelength and temperature, and a file beyond them.

use isobar_core::Real;

use super::data::{Data, Of};
use super::object::Object;
use super::spectrum::Spectrum;
use super::{Law, Reading, Unread, sun};

/// A formula by temperature at its wavelengths.
type Formula = Box<dyn Fn(f64) -> Vec<f64>>;

/// What temperatures a formula takes: within a range itself, or a fixed one for it \[K\].
struct Range {
    from: f64,
    to: f64,
    fixed: Option<f64>,
}

/// The law of an object.
pub(super) fn read(object: &Object<'_>, reading: &mut Reading<'_>) -> Result<Law, Unread> {
    let parameters = object.object("parameterization")?;
    let kind = parameters.text("type").unwrap_or_default();
    let own_grid = object.object("parameterization wavelength grid").ok();
    let grid = match &own_grid {
        Some(grid) => sun::edges(grid)?.windows(2).map(|edges| 0.5 * (edges[0] + edges[1])).collect(),
        None => reading.middles(),
    };
    let mut least = parameters.number("minimum wavelength").unwrap_or(0.0);
    let mut most = parameters.number("maximum wavelength").unwrap_or(f64::INFINITY);
    let base = parameters.number("base temperature").unwrap_or(0.0);
    let inside: Vec<f64> = grid.into_iter().filter(|l| (least..=most).contains(l)).collect();
    let (wavelengths, formula): (Vec<f64>, Formula) = match kind.as_str() {
        "" => (inside.clone(), polynomial(&parameters, inside, base)?),
        "HARWOOD" => {
            let (a, b) = (parameters.numbers("aa")?, parameters.numbers("bb")?);
            if a.len() < inside.len() || b.len() < inside.len() {
                return Err(parameters
                    .invalid("\"aa\" and \"bb\" have fewer numbers than there are wavelengths")
                    .into());
            }
            let count = inside.len();
            (inside, Box::new(move |t| (0..count).map(|i| Real::powf(10.0, a[i] + b[i] / (t - base))).collect()))
        }
        "TAYLOR_SERIES" | "BURKHOLDER" => {
            let path = parameters.find(&parameters.object("netcdf file")?.text("file path")?)?;
            let Data { wavelengths, parameters: p, .. } = Data::read(&path, Of::Parameterization)?;
            // This one's range is never wider than its file.
            if let (true, [first, .., last]) = (kind == "BURKHOLDER", &wavelengths[..]) {
                (least, most) = (least.max(*first), most.min(*last));
            }
            let kept: Vec<usize> =
                (0..wavelengths.len()).filter(|&i| (least..=most).contains(&wavelengths[i])).collect();
            let own: Vec<f64> = kept.iter().map(|&i| wavelengths[i]).collect();
            if kind == "TAYLOR_SERIES" {
                (own, Box::new(move |t| kept.iter().map(|&i| taylor(&p, i, t - base)).collect()))
            } else {
                if p.len() < 2 {
                    return Err(parameters.invalid("its file has less than two parameters").into());
                }
                let (a, b) = (parameters.number("A")?, parameters.number("B")?);
                let two_states = move |t: f64| 1.0 + Real::exp(a / (b * (t - base)));
                let of = move |i: usize, q: f64| 1e-20 * (p[0][i] / q + p[1][i] * (1.0 - 1.0 / q));
                (own, Box::new(move |t| kept.iter().map(|&i| of(i, two_states(t))).collect()))
            }
        }
        other => return Err(Unread::Kind(format!("the parameterization {other:?}"))),
    };
    let ranges = ranges(&parameters)?;
    let beyond = match object.text("netcdf file") {
        Ok(name) => Some(Data::read(&object.find(&name)?, Of::CrossSection)?),
        Err(_) => None,
    };
    let (wavelengths, formula): (Vec<f64>, Formula) = if !wavelengths.is_empty() {
        (wavelengths, formula)
    } else if own_grid.is_some() || !matches!(kind.as_str(), "" | "HARWOOD") {
        return Err(parameters.invalid("none of its wavelengths is in its range").into());
    } else {
        // A grid of the troposphere does not reach all formulas. The ends keep what is below apart from what is above.
        reading.note(format!(
            "{}: it absorbs nothing: no bin has its middle in its range of {least} to {most} nm",
            parameters.place()
        ));
        let mut ends = vec![least, most];
        ends.retain(|end| end.is_finite());
        ends.dedup();
        let zeros = vec![0.0; ends.len()];
        (ends, Box::new(move |_| zeros.clone()))
    };
    let outside = |keep: &dyn Fn(f64) -> bool| -> Vec<(f64, f64)> {
        let data = beyond.iter().flat_map(|data| data.wavelengths.iter().zip(&data.parameters[0]));
        data.map(|(l, value)| (*l, *value)).filter(|(l, _)| keep(*l)).collect()
    };
    // Of the file what lies within the formula's range does not count.
    let (below, above) = (outside(&|l| l < least), outside(&|l| l > most));
    let edges = reading.edges.to_vec();
    Ok(Box::new(move |t| {
        let taken = ranges.iter().find(|range| (range.from..=range.to).contains(&t));
        let at = taken.map(|range| range.fixed.unwrap_or(t));
        let values = at.map_or_else(|| vec![0.0; wavelengths.len()], &formula);
        let points = below.iter().copied().chain(wavelengths.iter().copied().zip(values)).chain(above.iter().copied());
        let (wavelengths, values) = points.unzip();
        Spectrum { wavelengths, values, beyond: [0.0; 2] }.means(&edges)
    }))
}

/// `sigma (1 + A_1 t + A_2 t^2 ...)`
fn taylor(parameters: &[Vec<f64>], i: usize, t: f64) -> f64 {
    let series = parameters[1..].iter().rev().fold(0.0, |sum, a| (sum + a[i]) * t);
    parameters[0][i] * (1.0 + series)
}

/// `exp(sum (A + t B) (l - base)^power)`, or 10 to that.
fn polynomial(parameters: &Object<'_>, wavelengths: Vec<f64>, base: f64) -> Result<Formula, Unread> {
    let (a, b, powers) = (parameters.numbers("AA")?, parameters.numbers("BB")?, parameters.numbers("lp")?);
    if a.len() != b.len() || a.len() != powers.len() {
        return Err(parameters.invalid("\"AA\", \"BB\" and \"lp\" have different numbers of numbers").into());
    }
    let from = parameters.number("base wavelength").unwrap_or(0.0);
    let natural = match parameters.text("logarithm")?.as_str() {
        "natural" => true,
        "base 10" => false,
        other => {
            return Err(parameters
                .invalid(&format!("logarithm {other:?}; expected \"natural\" or \"base 10\""))
                .into());
        }
    };
    let inverted = parameters.get("invert temperature offset").and_then(serde_json::Value::as_bool) == Some(true);
    Ok(Box::new(move |t| {
        let warmer = if inverted { base - t } else { t - base };
        let of = |l: f64| {
            let terms = a.iter().zip(&b).zip(&powers);
            let power = |x: f64, p: f64| if p == 0.0 { 1.0 } else { (0..p as u32).fold(1.0, |y, _| y * x) };
            let sum: f64 = terms.map(|((a, b), &p)| (a + warmer * b) * power(l - from, p)).sum();
            if natural { Real::exp(sum) } else { Real::powf(10.0, sum) }
        };
        wavelengths.iter().map(|&l| of(l)).collect()
    }))
}

fn ranges(parameters: &Object<'_>) -> Result<Vec<Range>, Unread> {
    let Ok(list) = parameters.list("temperature ranges") else {
        return Ok(vec![Range { from: 0.0, to: f64::INFINITY, fixed: None }]);
    };
    let range = |object: &Object<'_>| Range {
        from: object.number("minimum").unwrap_or(0.0),
        to: object.number("maximum").unwrap_or(f64::INFINITY),
        fixed: object.number("fixed value").ok(),
    };
    Ok(list.iter().map(range).collect())
}
