//! Cross-sections \[cm^2\] by their types.

use isobar_photolysis::formulas;

use super::data::{Means, Of, at, files, rising};
use super::object::Object;
use super::{Law, Reading, Unread, ozone, parametrised};

/// The law of an object.
pub(super) fn read(object: &Object<'_>, reading: &mut Reading<'_>) -> Result<Law, Unread> {
    let kind = object.text("type")?;
    if object.get("apply O2 bands").is_some() {
        reading.note("bands of O2 below 205 nm are not resolved".to_owned());
    }
    let middles = reading.middles();
    let formula = |of: fn(f64, f64) -> f64| -> Law { Box::new(move |t| middles.iter().map(|&l| of(l, t)).collect()) };
    match kind.as_str() {
        "N2O+hv->N2+O(1D)" => return Ok(formula(formulas::nitrous_oxide)),
        "Cl2+hv->Cl+Cl" => return Ok(formula(formulas::chlorine)),
        "HOBr+hv->OH+Br" => return Ok(formula(|l, _| formulas::hypobromous_acid(l))),
        "O3" => return ozone::of_four(object, reading),
        "O3 JPL06" => return ozone::of_two_temperatures(object, reading),
        "temperature based" => return parametrised::read(object, reading),
        _ => {}
    }
    let known =
        ["base", "tint", "NO2 tint", "H2O2+hv->OH+OH", "HNO3+hv->OH+NO2", "CH3ONO2+hv->CH3O+NO2", "CH2O", "ClONO2"];
    if !known.contains(&kind.as_str()) {
        return Err(Unread::Kind(format!("the cross-section {kind:?}")));
    }
    if kind == "base" && object.get("netcdf files").is_none() {
        let data = object.object("data")?;
        let mut values = vec![data.number("default value").unwrap_or(0.0); reading.edges.len() - 1];
        for point in data.list("point values").unwrap_or_default() {
            let (l, value) = (point.number("wavelength")?, point.number("value")?);
            let bins = reading.edges.windows(2).zip(&mut values);
            bins.filter(|(edges, _)| edges[0] <= l && l < edges[1]).for_each(|(_, own)| *own = value);
        }
        return Ok(Box::new(move |_| values.clone()));
    }
    let mut all = files(object, Of::CrossSection, reading)?;
    let needs = |count: usize, all: &[Means]| {
        let got = all[0].0.len();
        if got >= count { Ok(()) } else { Err(object.invalid(&format!("its file has {got} parameters of {count}"))) }
    };
    Ok(match kind.as_str() {
        "tint" | "NO2 tint" => by_temperature(object, all, at)?,
        "H2O2+hv->OH+OH" => {
            let (table, edges, middles) =
                (all.swap_remove(0).0.swap_remove(0), reading.edges.to_vec(), reading.middles());
            Box::new(move |t| {
                let of = |bin: usize| {
                    let inside = (260.0..350.0).contains(&edges[bin]) && middles[bin] <= 350.0;
                    if inside { formulas::hydrogen_peroxide(middles[bin], t) } else { table[bin] }
                };
                (0..table.len()).map(of).collect()
            })
        }
        "HNO3+hv->OH+NO2" | "CH3ONO2+hv->CH3O+NO2" => {
            needs(2, &all)?;
            let parameters = all.swap_remove(0).0;
            Box::new(move |t| {
                let pairs = parameters[0].iter().zip(&parameters[1]);
                pairs.map(|(a, b)| a * isobar_core::Real::exp(b * (t - 298.0))).collect()
            })
        }
        "CH2O" => {
            needs(2, &all)?;
            let parameters = all.swap_remove(0).0;
            Box::new(move |t| parameters[0].iter().zip(&parameters[1]).map(|(a, b)| a + b * (t - 298.0)).collect())
        }
        "ClONO2" => {
            needs(3, &all)?;
            let p = all.swap_remove(0).0;
            let warmer = |t: f64| t - 296.0;
            Box::new(move |t| {
                let of = |bin: usize| p[0][bin] * (1.0 + warmer(t) * (p[1][bin] + warmer(t) * p[2][bin]));
                (0..p[0].len()).map(of).collect()
            })
        }
        _ => {
            let mut sum = vec![0.0; reading.edges.len() - 1];
            let merges = object.get("merge data").and_then(serde_json::Value::as_bool) == Some(true);
            let used = if merges { all.len() } else { 1 };
            for (parameters, _) in all.iter().take(used) {
                sum.iter_mut().zip(&parameters[0]).for_each(|(sum, x)| *sum += x);
            }
            Box::new(move |_| sum.clone())
        }
    })
}

/// Parameters at a temperature, from temperatures and the parameters at these.
type At = fn(&[f64], &[Vec<f64>], f64) -> Vec<f64>;

/// The sum of files whose parameters are those at temperatures, between and beyond which they are as `at` says.
pub(super) fn by_temperature(object: &Object<'_>, all: Vec<Means>, at: At) -> Result<Law, Unread> {
    let sorted = all.into_iter().map(|means| rising(object, means)).collect::<Result<Vec<_>, Unread>>()?;
    Ok(Box::new(move |t| {
        let mut rows = sorted.iter().map(|(temperatures, parameters)| at(temperatures, parameters, t));
        let first = rows.next().unwrap_or_default();
        rows.fold(first, |sum, row| sum.iter().zip(&row).map(|(a, b)| a + b).collect())
    }))
}
